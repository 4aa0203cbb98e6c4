"""Options of the commands that read plan files."""

from __future__ import annotations

from typing import Annotated

import typer

from costcalc.cli.language import t

_PLAN = t("plan_options.panel")


def _money(name: str) -> str:
    return t(f"options.{name}")


PlanFile = Annotated[str, typer.Argument(help=t("plan_options.plan"), metavar="PLAN.yaml")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help=t("plan_options.set"), metavar="KEY=VALUE", rich_help_panel=_PLAN),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", help=t("plan_options.profile"), metavar="NAME", rich_help_panel=_PLAN
    ),
]
Locked = Annotated[
    bool, typer.Option("--locked", help=t("plan_options.locked"), rich_help_panel=_PLAN)
]
LockFile = Annotated[
    str,
    typer.Option(
        "--lock-file", help=t("plan_options.lock_file"), metavar="FILE", rich_help_panel=_PLAN
    ),
]
# the plan says these; an option overrides it
Currency = Annotated[
    str | None,
    typer.Option(
        "--currency",
        help=_money("currency"),
        metavar="usd|mxn|both",
        rich_help_panel=t("options.panel_money"),
    ),
]
Iva = Annotated[
    str | None,
    typer.Option(
        "--iva",
        help=_money("iva"),
        metavar="none|add|self-assessed",
        rich_help_panel=t("options.panel_money"),
    ),
]
IvaRate = Annotated[
    str | None,
    typer.Option(
        "--iva-rate",
        help=_money("iva_rate"),
        metavar="PERCENT",
        rich_help_panel=t("options.panel_money"),
    ),
]
DEFAULT_LOCK = "costcalc.lock"
