"""What-if for a chip that is only announced: a price and a rate that the user makes up.

Nothing of it is a price of the catalog: there is no offer, every line is an estimate whose source
is the user, and the quote carries the warning `assumption`.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.errors import InputError, NoOfferError
from costcalc.estimate.explain import Step, step
from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.terms import Terms, assemble, discount_lines
from costcalc.quote.types import ASSUMED_SOURCE, Line, Quote, WorkloadQuote

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator, Catalog
    from costcalc.quote.train import TrainRequest

UNIT = "accelerator-hour"
CONFIDENCE = "estimated"
ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Assumed:
    """What the user assumes of one accelerator.

    Attributes:
        usd_per_hour: USD for one accelerator and hour.
        tokens_per_second: tokens per second and accelerator: of training, or of output.
    """

    usd_per_hour: Decimal
    tokens_per_second: Decimal

    def record(self) -> dict[str, Decimal]:
        """As it stands in the quote's inputs."""
        return {"usd_per_hour": self.usd_per_hour, "tokens_per_second": self.tokens_per_second}


@dataclass(frozen=True, slots=True)
class AssumedRun:
    """A training run at an assumed rate; what the rate does not tell is None.

    The attributes are those of `TrainingEstimate`. Nothing is lost to failures and restarts: the
    rate is taken as it was given, and there is no range.
    """

    params_total: int
    params_active: int
    flops_per_token: float
    total_flops: float
    tokens_per_second_per_accelerator: float
    hours: float
    accelerator_hours: float
    steps: tuple[Step, ...]
    tuning: str = ASSUMED
    goodput: float = 1.0
    mfu: None = None
    hfu: None = None
    mfu_peak_tflops: None = None
    interval: None = None
    memory: None = None
    layout: None = None

    @property
    def hours_low(self) -> float:
        """No range is known: the middle."""
        return self.hours

    @property
    def hours_high(self) -> float:
        """No range is known: the middle."""
        return self.hours

    @property
    def accelerator_hours_low(self) -> float:
        """No range is known: the middle."""
        return self.accelerator_hours

    @property
    def accelerator_hours_high(self) -> float:
        """No range is known: the middle."""
        return self.accelerator_hours


def check_announced(accelerator: Accelerator) -> None:
    """Refuse an assumption about a chip that the catalog knows.

    Raises:
        InputError: it can be rented.
    """
    if accelerator.rentable:
        raise InputError("economics.assume_rentable", name=accelerator.name)


def assumption_notice(accelerator: Accelerator, assumed: Assumed) -> Notice:
    """What every report of a what-if says."""
    return notice(
        "assumption",
        accelerator=accelerator.name,
        usd=f"{assumed.usd_per_hour:f}",
        rate=f"{assumed.tokens_per_second:f}",
    )


def assumed_line(
    workload: str, item: str, sku: str, hours: Decimal, assumed: Assumed, terms: Terms
) -> Line:
    """Accelerator-hours at the assumed price, marked as such.

    Args:
        hours: accelerator-hours, 4 places.
    """
    return money.line(
        workload=workload,
        item=item,
        unit=UNIT,
        unit_price_usd=assumed.usd_per_hour,
        quantity_middle=hours,
        usd_mxn=terms.fx.usd_mxn,
        sku=sku,
        source=ASSUMED_SOURCE,
        confidence=CONFIDENCE,
    )


def assumed_training(
    request: TrainRequest, assumed: Assumed, catalog: Catalog, terms: Terms
) -> Quote:
    """The quote of a run on a chip that is only announced.

    Raises:
        InputError: the chip can be rented, so that there is nothing to assume.
        NoOfferError: the chip does not train.
    """
    from costcalc.quote.train import inputs

    hardware = request.placement.hardware
    accelerator = hardware.accelerator
    check_announced(accelerator)
    if not accelerator.chip.can_train:
        raise NoOfferError("economics.assume_serves_only", name=accelerator.name)
    estimate = _run(request, assumed)
    hours = money.quantity(estimate.hours, hardware.count)
    line = assumed_line(request.name, "compute", accelerator.id, hours, assumed, terms)
    workload = WorkloadQuote(
        name=request.name,
        kind="train",
        inputs={**inputs(request), "programme_factor": 1, "assume": assumed.record()},
        offer=None,
        estimate=estimate,
    )
    said = [
        assumption_notice(accelerator, assumed),
        notice("footprint_no_power", accelerator=accelerator.name),
    ]
    lines = [line, *discount_lines([line], terms)]
    return assemble("train", catalog, terms, [workload], lines, said)


def _run(request: TrainRequest, assumed: Assumed) -> AssumedRun:
    job = request.job()
    count = request.placement.hardware.count
    rate = float(assumed.tokens_per_second)
    flops = job.architecture.training_flops_per_token(job.seq_len, frozen_base=job.method != "full")
    hours = job.tokens / (rate * count) / 3600.0
    return AssumedRun(
        params_total=job.architecture.params_total(),
        params_active=job.architecture.params_active(),
        flops_per_token=flops,
        total_flops=flops * job.tokens,
        tokens_per_second_per_accelerator=rate,
        hours=hours,
        accelerator_hours=hours * count,
        steps=(
            step(
                "assumed_hours",
                hours,
                "h",
                "tokens / (assumed rate x chips)",
                ASSUMED_SOURCE,
                tokens=f"{job.tokens:,.0f}",
                rate=f"{rate:,.10g}",
                count=f"{count:,}",
                hours=f"{hours:,.1f}",
            ),
        ),
    )
