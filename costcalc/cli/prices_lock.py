"""`costcalc prices lock`: pin the catalog in use, by digest and date, in `costcalc.lock`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.lock import check_lock, lock_record, lock_text
from costcalc.cli.main import say
from costcalc.cli.output import emit, write_atomically
from costcalc.cli.plan_options import DEFAULT_LOCK
from costcalc.cli.session import as_of_date, open_catalog


def command(
    output: Annotated[
        str,
        typer.Option("--output", "-o", help=t("plan_options.lock_output"), metavar="FILE"),
    ] = DEFAULT_LOCK,
    check: Annotated[bool, typer.Option("--check", help=t("plan_options.lock_check"))] = False,
    as_of: o.AsOf = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    if check:
        check_lock(Path(output), opened)
        return
    text = lock_text(lock_record(opened, day))
    if output == "-":
        emit(text, None)
        return
    write_atomically(Path(output), text.encode("utf-8"))
    say(
        t(
            "check.locked",
            name=output,
            version=opened.version,
            newest=opened.prices_newest,
        )
    )
