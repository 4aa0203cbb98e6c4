"""The quote of one training or fine-tuning run: estimate, offer, lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.errors import NoOfferError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.calibration import TrainingCalibration, training_calibration
from costcalc.estimate.training import TrainingEstimate, TrainingJob, estimate_training
from costcalc.notices import Notice
from costcalc.quote import money
from costcalc.quote.footprint import footprint
from costcalc.quote.select import Placement, refuse_unrentable, rules_of, select
from costcalc.quote.terms import Terms, assemble, discount_lines, offer_notices
from costcalc.quote.types import Line, OfferChoice, Quote, WorkloadQuote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.run_extras import Extras


@dataclass(frozen=True, slots=True)
class TrainRequest:
    """A run as asked.

    Attributes:
        tokens: tokens of the data set; `epochs` multiplies them.
        seq_len: tokens per sequence.
        global_batch_tokens: tokens per optimizer step; None is the documented default.
        method: `full`, `lora` or `qlora`.
        precision: `bf16`, `fp8`, `fp4`.
        tuning: `tuned`, `default`, `out-of-box`; None covers all three.
        whole_run: apply the published penalty of whole production runs instead of goodput.
    """

    architecture: Architecture
    tokens: int
    placement: Placement
    name: str = "train"
    epochs: Decimal = Decimal(1)
    seq_len: int = 4096
    global_batch_tokens: int | None = None
    method: str = "full"
    lora_rank: int = 16
    precision: str = "bf16"
    tuning: str | None = None
    whole_run: bool = False

    def job(self) -> TrainingJob:
        """The physics of the request."""
        return TrainingJob(
            architecture=self.architecture,
            tokens=float(self.tokens * self.epochs),
            seq_len=self.seq_len,
            global_batch_tokens=(
                None if self.global_batch_tokens is None else float(self.global_batch_tokens)
            ),
            method=self.method,
            lora_rank=self.lora_rank,
            precision=self.precision,
            tuning=self.tuning,
            whole_run=self.whole_run,
        )


@dataclass(frozen=True, slots=True)
class PricedTraining:
    """One priced run, before totals: what a plan collects from several workloads."""

    workload: WorkloadQuote
    lines: tuple[Line, ...]
    notices: tuple[Notice, ...]


def estimate_run(
    request: TrainRequest, catalog: Catalog, calibration: TrainingCalibration | None = None
) -> TrainingEstimate:
    """The physics of one run, before any price.

    Raises:
        NoOfferError: the chip cannot train or be rented, or the run does not fit.
    """
    hardware = request.placement.hardware
    chip = hardware.accelerator.chip
    refuse_unrentable(hardware)
    if not chip.can_train:
        trains = sorted(
            item.id
            for item in catalog.accelerators().values()
            if item.chip.can_train and item.chip.status == "available"
        )
        raise NoOfferError(
            "train.serves_only", name=hardware.accelerator.name, trains=", ".join(trains)
        )
    constants = calibration or training_calibration(catalog.calibration("training"))
    return estimate_training(request.job(), chip, hardware.count, constants)


def price_training(
    request: TrainRequest,
    catalog: Catalog,
    terms: Terms,
    calibration: TrainingCalibration | None = None,
    extras: Extras | None = None,
    estimate: TrainingEstimate | None = None,
) -> PricedTraining:
    """Estimate `request` and price it on the cheapest offer that can run it.

    Args:
        estimate: what to price, when it has been made already.
        extras: what is asked for besides the run; None is nothing.

    Raises:
        NoOfferError: the chip cannot train or be rented, no offer matches, it does not fit.
    """
    if estimate is None:
        estimate = estimate_run(request, catalog, calibration)
    selection = select(
        request.placement,
        catalog,
        terms.as_of,
        hours=estimate.hours,
        hours_high=estimate.hours_high,
    )
    lines = [compute_line(request.name, estimate, selection.choice, terms)]
    if selection.choice.purchase == "spot":
        from costcalc.quote.spot import redone_line

        redone = redone_line(lines[0], selection.choice, rules_of(catalog), terms.fx.usd_mxn)
        lines += [redone] if redone else []
    said: list[Notice] = []
    if extras is not None or selection.moved is not None:
        from costcalc.quote.run_extras import NOTHING, closing_lines, extra_lines

        asked = extras or NOTHING
        compute = money.summed(lines) if len(lines) > 1 else lines[0]
        more, said = extra_lines(request, asked, estimate, selection, compute, catalog, terms)
        lines += more
        lines += discount_lines(lines, terms)
        lines += closing_lines(asked, lines, terms)
    else:
        lines += discount_lines(lines, terms)
    workload = WorkloadQuote(
        name=request.name,
        kind="train",
        inputs={**inputs(request), "programme_factor": extras.programme_factor if extras else 1},
        offer=selection.choice,
        estimate=estimate,
    )
    notices = (
        *estimate.notices,
        *selection.notices,
        *offer_notices(selection.choice, terms.as_of),
        *said,
    )
    return PricedTraining(workload, tuple(lines), notices)


def quote_training(
    request: TrainRequest,
    catalog: Catalog,
    terms: Terms,
    calibration: TrainingCalibration | None = None,
    extras: Extras | None = None,
) -> Quote:
    """The quote of one run.

    Raises:
        NoOfferError: see `price_training`.
    """
    priced = price_training(request, catalog, terms, calibration, extras)
    found, said = footprint([priced.workload], priced.lines, catalog)
    return assemble(
        "train",
        catalog,
        terms,
        [priced.workload],
        priced.lines,
        [*priced.notices, *said],
        footprint=found,
    )


def compute_line(
    name: str,
    estimate: TrainingEstimate,
    choice: OfferChoice,
    terms: Terms,
    runs: Decimal = Decimal(1),
) -> Line:
    """Machine hours: hours x instances (x runs) at the price of one instance-hour."""
    times = choice.instances * runs
    return money.line(
        workload=name,
        item="compute",
        unit="instance-hour",
        unit_price_usd=choice.usd_per_instance_hour,
        quantity_middle=money.quantity(estimate.hours, times),
        quantity_low=money.quantity(estimate.hours_low, times),
        quantity_high=money.quantity(estimate.hours_high, times),
        usd_mxn=terms.fx.usd_mxn,
        provider=choice.provider,
        region=choice.region,
        sku=choice.instance_type,
        as_of=choice.as_of,
        source=choice.source,
        confidence=choice.confidence,
    )


def inputs(request: TrainRequest) -> Mapping[str, Any]:
    """What was asked, defaults filled in, as plain JSON values."""
    hardware = request.placement.hardware
    return {
        "model": request.architecture.name,
        "tokens": request.tokens,
        "epochs": request.epochs,
        "seq_len": request.seq_len,
        "global_batch_tokens": request.global_batch_tokens,
        "method": request.method,
        "lora_rank": request.lora_rank if request.method != "full" else None,
        "precision": request.precision,
        "tuning": request.tuning,
        "whole_run": request.whole_run,
        "on": hardware.text,
        "accelerator": hardware.accelerator.id,
        "accelerators": hardware.count,
        "provider": request.placement.provider,
        "region": request.placement.region,
        "purchase": request.placement.purchase,
        "market": request.placement.market,
        "residency": request.placement.residency,
        "nearest": request.placement.nearest,
    }
