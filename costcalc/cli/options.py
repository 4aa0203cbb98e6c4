"""Options that mean the same in every command, and how their values are read."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli.language import t
from costcalc.errors import InputError
from costcalc.messages import LANGUAGES

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

PURCHASES = ("on-demand", "spot", "commit-1y", "commit-3y", "capacity-block", "flex-start")
MARKETS = ("hyperscaler", "neocloud", "marketplace", "any")
METHODS = ("full", "lora", "qlora")
TRAIN_PRECISIONS = ("bf16", "fp8", "fp4")
TUNINGS = ("out-of-box", "default", "tuned")
CURRENCIES = ("usd", "mxn", "both")


def _panel(name: str) -> str:
    return t(f"options.panel_{name}")


Model = Annotated[
    str,
    typer.Option("--model", help=t("options.model"), metavar="NAME|FILE"),
]
On = Annotated[str, typer.Option("--on", help=t("options.on"), metavar="ACCEL:COUNT")]
Provider = Annotated[
    str | None,
    typer.Option("--provider", help=t("options.provider"), rich_help_panel=_panel("where")),
]
Region = Annotated[
    str | None,
    typer.Option("--region", help=t("options.region"), rich_help_panel=_panel("where")),
]
Purchase = Annotated[
    str | None,
    typer.Option(
        "--purchase",
        help=t("options.purchase"),
        metavar="|".join(PURCHASES),
        rich_help_panel=_panel("where"),
    ),
]
Market = Annotated[
    str | None,
    typer.Option(
        "--market",
        help=t("options.market"),
        metavar="|".join(MARKETS),
        rich_help_panel=_panel("where"),
    ),
]
Residency = Annotated[
    str | None,
    typer.Option(
        "--residency",
        help=t("options.residency"),
        metavar="MX",
        rich_help_panel=_panel("where"),
    ),
]
Nearest = Annotated[
    bool,
    typer.Option("--nearest", help=t("options.nearest"), rich_help_panel=_panel("where")),
]
Currency = Annotated[
    str,
    typer.Option(
        "--currency",
        help=t("options.currency"),
        metavar="usd|mxn|both",
        rich_help_panel=_panel("money"),
    ),
]
Fx = Annotated[
    str | None,
    typer.Option("--fx", help=t("options.fx"), metavar="RATE", rich_help_panel=_panel("money")),
]
Iva = Annotated[
    str,
    typer.Option(
        "--iva",
        help=t("options.iva"),
        metavar="none|add|self-assessed",
        rich_help_panel=_panel("money"),
    ),
]
IvaRate = Annotated[
    str,
    typer.Option(
        "--iva-rate",
        help=t("options.iva_rate"),
        metavar="PERCENT",
        rich_help_panel=_panel("money"),
    ),
]
Discount = Annotated[
    list[str] | None,
    typer.Option(
        "--discount",
        help=t("options.discount"),
        metavar="PROVIDER=12%",
        rich_help_panel=_panel("money"),
    ),
]
Budget = Annotated[
    str | None,
    typer.Option(
        "--budget",
        help=t("options.budget"),
        metavar="20000USD",
        rich_help_panel=_panel("money"),
    ),
]
ASSUME_EXAMPLE = "usd_per_hour=2.50,tokens_per_second=900"
Assume = Annotated[
    str | None,
    typer.Option(
        "--assume",
        help=t("options.assume"),
        metavar=ASSUME_EXAMPLE,
        rich_help_panel=_panel("where"),
    ),
]
AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", help=t("options.as_of"), metavar="DATE", rich_help_panel=_panel("output")
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format", help=t("options.format"), metavar="NAME", rich_help_panel=_panel("output")
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", help=t("options.output"), metavar="FILE", rich_help_panel=_panel("output")
    ),
]
Chart = Annotated[
    str | None,
    typer.Option(
        "--chart", help=t("chart.option"), metavar="FILE.svg|png", rich_help_panel=_panel("output")
    ),
]
Plot = Annotated[
    bool, typer.Option("--plot", help=t("chart.plot"), rich_help_panel=_panel("output"))
]
Sensitivity = Annotated[
    bool,
    typer.Option("--sensitivity", help=t("sensitivity.options"), rich_help_panel=_panel("output")),
]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang", help=t("options.lang"), metavar="es|en", rich_help_panel=_panel("output")
    ),
]
CatalogDir = Annotated[
    str | None,
    typer.Option(
        "--catalog", help=t("options.catalog"), metavar="DIR", rich_help_panel=_panel("output")
    ),
]


def choice(value: str, option: str, allowed: Sequence[str]) -> str:
    """`value` as one of `allowed`, any case; the error names the nearest."""
    lowered = value.strip().lower()
    if lowered in allowed:
        return lowered
    near = difflib.get_close_matches(lowered, allowed, n=1)
    if near:
        raise InputError(
            "options.choice_near",
            option=option,
            value=value,
            near=near[0],
            names=", ".join(allowed),
        )
    raise InputError("options.choice", option=option, value=value, names=", ".join(allowed))


def check_language(value: str | None) -> None:
    """`--lang` has been obeyed before any command was imported; here a wrong value is refused."""
    if value is not None:
        choice(value, "--lang", LANGUAGES)


def optional_choice(value: str | None, option: str, allowed: Sequence[str]) -> str | None:
    """`choice`, where None stays None."""
    return None if value is None else choice(value, option, allowed)


def pairs(values: Sequence[str] | None, option: str, example: str) -> dict[str, str]:
    """`NAME=VALUE` options as a mapping."""
    found: dict[str, str] = {}
    for value in values or ():
        name, separator, right = value.partition("=")
        if not separator or not name.strip() or not right.strip():
            raise InputError("options.pair", option=option, value=value, example=example)
        found[name.strip().lower()] = right.strip()
    return found


def percent_pairs(values: Sequence[str] | None, option: str) -> dict[str, Decimal]:
    """`PROVIDER=12%` options as fractions."""
    from costcalc.units import parse_percent

    example = "aws=12%"
    return {
        name: parse_percent(value, f"{option} {name}")
        for name, value in pairs(values, option, example).items()
    }


def provider(value: str | None, catalog: Catalog) -> str | None:
    """`--provider` as a provider of the catalog; the error names the nearest."""
    if value is None:
        return None
    known = {row[0][0] for row in catalog.offers().instance_types.values()}
    return choice(value, "--provider", sorted(known))
