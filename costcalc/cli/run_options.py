"""Options of a training run beyond the run itself: what is around it, kept, sent, granted."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.units import parse_count, parse_money, parse_number

if TYPE_CHECKING:
    from costcalc.quote.run_extras import Extras

MAX_FACTOR = 100
MAX_CHECKPOINTS = 100_000
MAX_MONTHS = 1_200
_AROUND = t("options.panel_around")

ProgrammeFactor = Annotated[
    str,
    typer.Option(
        "--programme-factor",
        help=t("options.programme_factor"),
        metavar="1.5",
        rich_help_panel=_AROUND,
    ),
]
Dataset = Annotated[
    str | None,
    typer.Option("--dataset", help=t("options.dataset"), metavar="10TB", rich_help_panel=_AROUND),
]
Checkpoints = Annotated[
    str | None,
    typer.Option(
        "--checkpoints", help=t("options.checkpoints"), metavar="N", rich_help_panel=_AROUND
    ),
]
CheckpointMonths = Annotated[
    str | None,
    typer.Option(
        "--checkpoint-months",
        help=t("options.checkpoint_months"),
        metavar="N",
        rich_help_panel=_AROUND,
    ),
]
Egress = Annotated[
    str | None,
    typer.Option("--egress", help=t("options.egress"), metavar="500GB", rich_help_panel=_AROUND),
]
Support = Annotated[
    list[str] | None,
    typer.Option(
        "--support",
        help=t("options.support"),
        metavar="PROVIDER=3%",
        rich_help_panel=t("options.panel_money"),
    ),
]
Credit = Annotated[
    str | None,
    typer.Option(
        "--credit",
        help=t("options.credit"),
        metavar="5000USD",
        rich_help_panel=t("options.panel_money"),
    ),
]


def extras(
    *,
    programme_factor: str,
    dataset: str | None,
    checkpoints: str | None,
    checkpoint_months: str | None,
    egress: str | None,
    support: list[str] | None,
    credit: str | None,
) -> Extras | None:
    """The wishes of these options, None when nothing was asked for.

    Raises:
        InputError: a value that cannot be read.
    """
    given = (dataset, checkpoints, checkpoint_months, egress, support, credit)
    if programme_factor == "1" and not any(given):
        return None
    from costcalc.quote.run_extras import Extras

    return Extras(
        programme_factor=parse_number(
            programme_factor, "--programme-factor", low=1, high=MAX_FACTOR, example="1.5"
        ),
        dataset_gb=_size(dataset, "--dataset"),
        checkpoints=(
            0
            if checkpoints is None
            else parse_count(checkpoints, "--checkpoints", high=MAX_CHECKPOINTS, example="5")
        ),
        checkpoint_months=(
            None
            if checkpoint_months is None
            else parse_number(
                checkpoint_months,
                "--checkpoint-months",
                low=Decimal("0.01"),
                high=MAX_MONTHS,
                example="3",
            )
        ),
        egress_gb=_size(egress, "--egress"),
        support=o.percent_pairs(support, "--support"),
        credit=None if credit is None else parse_money(credit, "--credit"),
    )


def _size(text: str | None, option: str) -> Decimal | None:
    """An amount of data in GB (10^9 bytes)."""
    if text is None:
        return None
    from costcalc.errors import InputError
    from costcalc.quote.plan_fields import Size

    try:
        found: Decimal = Size().parse(text)
    except InputError:
        raise InputError("options.size", option=option, text=text) from None
    return found
