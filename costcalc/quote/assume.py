"""What-if for a chip that is only announced: a price and a rate that the user makes up.

Nothing of it is a price of the catalog: there is no offer, every line is an estimate whose source
is the user, and the quote carries the warning `assumption`.
"""

from __future__ import annotations

import math
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
    from costcalc.quote.serve import ServeRequest
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


@dataclass(frozen=True, slots=True)
class AssumedService:
    """Serving at an assumed rate: replicas and cost; no latency, because the rate tells none.

    Attributes:
        replicas: of `accelerators_per_replica`, for at most 85 % of what they do as assumed.
        utilisation: load over what the replicas do as assumed.
        output_tokens_per_second_per_replica: as assumed, all accelerators of one together.
        usd_per_million_output_tokens, usd_per_million_input_tokens: the whole bill over the tokens
            of the average load.
    """

    params_total: int
    params_active: int
    replicas: int
    accelerators: int
    accelerators_per_replica: int
    utilisation: float
    requests_per_s: float
    output_tokens_per_second_per_replica: float
    usd_per_million_output_tokens: float
    usd_per_million_input_tokens: float
    steps: tuple[Step, ...]
    load: str = "open"
    tier: str = ASSUMED


def assumed_serving(
    request: ServeRequest, assumed: Assumed, catalog: Catalog, terms: Terms
) -> Quote:
    """The quote of serving on a chip that is only announced.

    Raises:
        InputError: the chip can be rented, or the load is not given in requests per second.
        NoOfferError: the chip does not serve.
    """
    from costcalc.estimate.serving_sizing import TARGET_UTILISATION

    hardware = request.placement.hardware
    accelerator, size = hardware.accelerator, hardware.count
    check_announced(accelerator)
    if not accelerator.chip.can_serve:
        raise NoOfferError("economics.assume_trains_only", name=accelerator.name)
    if request.requests_per_s is None:
        raise InputError("economics.assume_needs_rate")
    job = request.job()
    per_replica = float(assumed.tokens_per_second) * size
    wanted = request.requests_per_s * job.output_tokens
    needed = math.ceil(wanted / (TARGET_UTILISATION * per_replica) - 1e-9)
    replicas = request.replicas or max(needed, 1)
    if wanted >= replicas * per_replica:
        raise NoOfferError("economics.assume_overloaded", replicas=replicas, needed=needed)
    hours = money.quantity(request.hours, replicas * size)
    line = assumed_line(request.name, "compute", accelerator.id, hours, assumed, terms)
    lines = [line, *discount_lines([line], terms)]
    bill = float(sum((item.amount_usd for item in lines), money.ZERO))
    seconds = float(request.hours) * 3600.0
    served = request.requests_per_s * float(request.average_load) * seconds
    workload = WorkloadQuote(
        name=request.name,
        kind="serve",
        inputs={
            "model": request.architecture.name,
            "input_tokens": job.input_tokens,
            "output_tokens": job.output_tokens,
            "rps": request.requests_per_s,
            "average_load": request.average_load,
            "replicas": request.replicas,
            "months": request.months,
            "hours_per_month": request.hours_per_month,
            "on": hardware.text,
            "accelerator": accelerator.id,
            "accelerators": size,
            "assume": assumed.record(),
        },
        offer=None,
        estimate=AssumedService(
            params_total=request.architecture.params_total(),
            params_active=request.architecture.params_active(),
            replicas=replicas,
            accelerators=replicas * size,
            accelerators_per_replica=size,
            utilisation=wanted / (replicas * per_replica),
            requests_per_s=request.requests_per_s,
            output_tokens_per_second_per_replica=per_replica,
            usd_per_million_output_tokens=bill * 1e6 / (served * job.output_tokens),
            usd_per_million_input_tokens=bill * 1e6 / (served * job.input_tokens),
            steps=(
                step(
                    "assumed_replicas",
                    float(replicas),
                    "replicas",
                    "requests/s x output tokens / (0.85 x assumed rate x chips), rounded up",
                    ASSUMED_SOURCE,
                    wanted=f"{wanted:,.10g}",
                    each=f"{per_replica:,.10g}",
                    replicas=f"{replicas:,}",
                ),
            ),
        ),
    )
    said = [
        assumption_notice(accelerator, assumed),
        notice("hours_per_month", hours=f"{request.hours_per_month:f}"),
        notice("footprint_no_power", accelerator=accelerator.name),
    ]
    if request.input_tokens is None or request.output_tokens is None:
        said.append(notice("lengths_assumed", input=job.input_tokens, output=job.output_tokens))
    return assemble("serve", catalog, terms, [workload], lines, said)
