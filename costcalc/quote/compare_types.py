"""What a comparison is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.notices import Notice
from costcalc.quote import money
from costcalc.quote.limits import Reason

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator
    from costcalc.catalog.hardware import Hardware
    from costcalc.catalog.offers import Offer
    from costcalc.estimate.training import TrainingEstimate, TrainingJob
    from costcalc.quote.types import OfferChoice

RANKS = ("cost", "time", "cost-time")


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """What is compared, and within which limits.

    Attributes:
        job: the run.
        inputs: what was asked, as plain JSON values.
        on: chips or machines to compare; empty for every one.
        purchase: an option, `any` for all, None for on-demand or what is sold instead.
        deadline_hours: each offer takes the smallest count that ends by then.
        max_chips: counts are not looked for beyond.
        rank: `cost`, `time` or `cost-time` (their product).
        software: what the code is written for; other chips need it ported.
        porting_usd: one-off cost of porting; None leaves chips out that need it.
        all_regions: every region of a machine, not only its cheapest.
    """

    job: TrainingJob
    inputs: Mapping[str, Any]
    on: tuple[Hardware, ...] = ()
    provider: str | None = None
    region: str | None = None
    purchase: str | None = None
    market: str | None = None
    residency: str | None = None
    deadline_hours: float | None = None
    max_chips: int | None = None
    rank: str = "cost"
    software: str | None = None
    porting_usd: Decimal | None = None
    all_regions: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One offer that can do the run.

    Attributes:
        count: accelerators rented.
        chips: accelerators that work; `count` holds them in whole machines.
        hours: wall-clock hours, work done again after spot interruptions included.
        usd: cost of one run, discounts taken off.
        redone: share of the useful hours that spot interruptions cost again.
        porting_usd: one-off cost of porting the code to this chip, zero when it runs as it is.
        payback_runs: runs after which porting is paid back; None when it never is, or not needed.
        more_regions: further regions that sell the same machine at this price or above.
        pareto: nothing else is both cheaper and faster.
        estimate, choice: filled for rows that are shown.
        known: the estimate as if the stack were known: what is left to differ between chips.
    """

    offer: Offer
    accelerator: Accelerator
    chips: int
    count: int
    instances: int
    hours: float
    usd: Decimal
    redone: float = 0.0
    porting_usd: Decimal = money.ZERO
    payback_runs: int | None = None
    more_regions: int = 0
    pareto: bool = False
    rank: int = 0
    estimate: TrainingEstimate | None = None
    known: TrainingEstimate | None = None
    choice: OfferChoice | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def first_run_usd(self) -> Decimal:
        """The run with the porting that it needs."""
        return self.usd + self.porting_usd


@dataclass(frozen=True, slots=True)
class Excluded:
    """An offer that was left out."""

    offer: Offer
    reason: Reason


@dataclass(frozen=True, slots=True)
class Comparison:
    """All offers, those that fit ranked.

    Attributes:
        rows: the ranking as far as it is shown, with full estimates.
        fitting: how many offers fit, those of dearer regions not counted.
        ranked: the whole ranking, without full estimates.
    """

    rows: tuple[Row, ...]
    excluded: tuple[Excluded, ...]
    fitting: int
    ranked: tuple[Row, ...] = ()


def reason_counts(excluded: Iterable[Excluded]) -> dict[str, int]:
    """How many offers were left out for each reason code, most first."""
    counts: dict[str, int] = {}
    for item in excluded:
        counts[item.reason.code] = counts.get(item.reason.code, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
