"""`costcalc diff BEFORE AFTER`: two quotes or plans, line by line, at one exchange rate."""

from __future__ import annotations

from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli import plan_options as p
from costcalc.cli.language import current, t
from costcalc.cli.output import emit
from costcalc.cli.plan_file import Overrides, PlanCall
from costcalc.cli.render import document_text, list_format
from costcalc.cli.session import as_of_date, exchange_rate, open_catalog
from costcalc.cli.sides import load_side


def command(
    before: Annotated[str, typer.Argument(help=t("plan_options.before"), metavar="BEFORE")],
    after: Annotated[str, typer.Argument(help=t("plan_options.after"), metavar="AFTER")],
    sets: p.Set = None,
    profile: p.Profile = None,
    fx: o.Fx = None,
    locked: p.Locked = False,
    lock_file: p.LockFile = p.DEFAULT_LOCK,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.quote.diff import compare

    o.check_language(lang)
    form = list_format(form)
    asked = None
    if fx is not None:
        asked = exchange_rate(fx, open_catalog(catalog), as_of_date(as_of))
    changes = Overrides(sets=tuple(sets or ()), profile=profile)
    # --set and --profile are the change to be looked at: they concern the second side
    new = load_side(PlanCall(after, changes, as_of, catalog, locked, lock_file), asked)
    # what other tools' files leave open has to be filled on both
    filled = Overrides(fills=changes.sets)
    old = load_side(PlanCall(before, filled, as_of, catalog, locked, lock_file), asked or new.fx)
    found = compare(old, new, asked)

    from costcalc.reports import diff_report, json_report

    if form == "json":
        emit(json_report.dumps(diff_report.record(found)), output)
    elif form == "csv":
        emit(diff_report.csv(found), output, bom=True)
    else:
        emit(document_text(diff_report.document(found, current()), form, output), output)
