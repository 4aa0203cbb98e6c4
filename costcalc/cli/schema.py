"""`costcalc schema quote|plan`: the JSON Schema of a quote's JSON, or of a plan file."""

from __future__ import annotations

from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.output import emit

SCHEMAS = ("quote", "plan")


def command(
    what: Annotated[str, typer.Argument(help=t("plan_options.schema"), metavar="quote|plan")],
    output: o.Output = None,
    lang: o.Lang = None,
) -> None:
    from costcalc.reports.json_report import dumps

    o.check_language(lang)
    if o.choice(what, "schema", SCHEMAS) == "plan":
        from costcalc.reports.plan_schema import plan_schema

        emit(dumps(plan_schema()), output)
    else:
        from costcalc.reports.quote_schema import quote_schema

        emit(dumps(quote_schema()), output)
