"""The quote of serving a model: estimate, offer, lines of a schedule, cost per million tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.errors import NoOfferError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.serving import ServingEstimate, estimate_serving
from costcalc.estimate.serving_calibration import ServingCalibration, serving_calibration
from costcalc.estimate.serving_job import ServingJob
from costcalc.estimate.speculation import NO_DRAFT, Draft
from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.footprint import footprint
from costcalc.quote.limits import host_size
from costcalc.quote.select import Placement, Selection, refuse_unrentable, select
from costcalc.quote.serve_costs import ServedWorkload, token_costs
from costcalc.quote.terms import Terms, assemble, discount_lines, offer_notices
from costcalc.quote.types import Line, OfferChoice, Quote, WorkloadQuote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.offers import Offer

HOURS_PER_MONTH = Decimal(730)
DEFAULT_INPUT_TOKENS = 1024
DEFAULT_OUTPUT_TOKENS = 256
ONE = Decimal(1)


@dataclass(frozen=True, slots=True)
class ServeRequest:
    """Serving as asked.

    Attributes:
        placement: `hardware.count` is the size of one replica.
        input_tokens, output_tokens: mean lengths; None takes the stated defaults.
        engine, precision, cache: None for what is usual.
        requests_per_s: at the peak. concurrency: users at once. Without both: a batch job.
        first_token_ms, token_ms: targets that 95 % of the requests must keep.
        average_load: share of the load that is there on average; cost per token counts it.
        cached_share, draft, arrival_cv, replicas: see `ServingJob`.
        months: of the schedule. hours_per_month: a named assumption.
        storage_gb: data kept near the machines, 10^9 bytes. egress_gb: sent out each month.
    """

    architecture: Architecture
    placement: Placement
    name: str = "serve"
    input_tokens: int | None = None
    output_tokens: int | None = None
    engine: str | None = None
    precision: str | None = None
    cache: str | None = None
    requests_per_s: float | None = None
    concurrency: int | None = None
    first_token_ms: float | None = None
    token_ms: float | None = None
    average_load: Decimal = ONE
    cached_share: float = 0.0
    draft: Draft = NO_DRAFT
    arrival_cv: float = 1.0
    replicas: int | None = None
    months: Decimal = ONE
    hours_per_month: Decimal = HOURS_PER_MONTH
    storage_gb: Decimal | None = None
    egress_gb: Decimal | None = None

    def job(self) -> ServingJob:
        """The physics of the request."""
        limit, token = self.first_token_ms, self.token_ms
        return ServingJob(
            architecture=self.architecture,
            input_tokens=(DEFAULT_INPUT_TOKENS if self.input_tokens is None else self.input_tokens),
            output_tokens=(
                DEFAULT_OUTPUT_TOKENS if self.output_tokens is None else self.output_tokens
            ),
            engine=self.engine,
            weights=self.precision,
            cache=self.cache,
            requests_per_s=self.requests_per_s,
            users=self.concurrency,
            first_token_s=None if limit is None else limit / 1e3,
            token_s=None if token is None else token / 1e3,
            cached_share=self.cached_share,
            draft=self.draft,
            arrival_cv=self.arrival_cv,
            replicas=self.replicas,
        )

    @property
    def hours(self) -> Decimal:
        """Hours of the whole schedule."""
        return self.hours_per_month * self.months


@dataclass(frozen=True, slots=True)
class PricedServing:
    """Serving priced, before totals: what a plan collects from several workloads."""

    workload: WorkloadQuote
    lines: tuple[Line, ...]
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines rented for the replicas: as sized, and at the ends of the interval."""

    middle: int
    low: int
    high: int


def estimate_request(
    request: ServeRequest, catalog: Catalog, calibration: ServingCalibration | None = None
) -> ServingEstimate:
    """The physics of a request, before any price.

    Raises:
        InputError: see `costcalc.estimate.serving_job.check_job`.
        NoOfferError: the accelerator does not serve or cannot be rented, the model does not fit, or
            no replica meets a target.
    """
    hardware = request.placement.hardware
    refuse_unrentable(hardware)
    constants = calibration or serving_calibration(catalog.calibration("serving"))
    return estimate_serving(request.job(), hardware.accelerator.chip, hardware.count, constants)


def price_serving(
    request: ServeRequest,
    catalog: Catalog,
    terms: Terms,
    calibration: ServingCalibration | None = None,
    *,
    discounts: bool = True,
) -> PricedServing:
    """Estimate `request`, find the cheapest offer that can run its replicas, and price the months.

    Args:
        discounts: apply those of `terms`; a plan applies its own to all lines.

    Raises:
        InputError, NoOfferError: see `estimate_request`, and no offer matches.
    """
    estimate = estimate_request(request, catalog, calibration)
    selection = choose(request, estimate, catalog, terms)
    return priced(request, estimate, selection, catalog, terms, discounts=discounts)


def choose(
    request: ServeRequest, estimate: ServingEstimate, catalog: Catalog, terms: Terms
) -> Selection:
    """The offer, with as many machines as the replicas need."""
    placement = request.placement
    hardware = placement.hardware
    wish = replace(
        placement,
        hardware=replace(hardware, count=estimate.accelerators),
        together=hardware.count,
    )
    taken = select(wish, catalog, terms.as_of, hours=float(request.hours))
    slo = estimate.load != "batch"
    if taken.choice.purchase == "spot" and placement.purchase is None and slo:
        raise NoOfferError("serve.spot_only", name=hardware.accelerator.name)
    rented = machines(taken.offer, estimate, hardware.count).middle
    return replace(taken, choice=replace(taken.choice, instances=rented))


def machines(offer: Offer, estimate: ServingEstimate, size: int) -> Machines:
    """Whole machines for replicas of `size` accelerators; a replica never straddles a machine that
    could hold it."""
    return Machines(
        *(
            machines_for(offer, replicas, size)
            for replicas in (estimate.replicas, estimate.replicas_low, estimate.replicas_high)
        )
    )


def machines_for(offer: Offer, replicas: int, size: int) -> int:
    """Whole machines of `offer` for `replicas` of `size` accelerators each."""
    unit = host_size(offer)
    units = -(-replicas // (unit // size)) if size <= unit else replicas * -(-size // unit)
    return units * unit // offer.accelerator_count


def priced(
    request: ServeRequest,
    estimate: ServingEstimate,
    selection: Selection,
    catalog: Catalog,
    terms: Terms,
    *,
    discounts: bool = True,
) -> PricedServing:
    """The lines of an estimate on an offer."""
    choice = selection.choice
    rented = machines(selection.offer, estimate, request.placement.hardware.count)
    lines = [compute_line(request, choice, rented, terms)]
    said: list[Notice] = []
    if request.storage_gb is not None or request.egress_gb is not None:
        from costcalc.quote.serve_data import data_lines

        more, said = data_lines(request, choice, catalog, terms)
        lines += more
    if discounts:
        lines += discount_lines(lines, terms)
    costs = token_costs(estimate, request, lines)
    workload = WorkloadQuote(
        name=request.name,
        kind="serve",
        inputs=inputs(request, estimate),
        offer=choice,
        estimate=ServedWorkload(estimate, costs),
    )
    notices = (
        *_request_notices(request, estimate, choice),
        *estimate.notices,
        # what spot costs a run that is done again says nothing of a service
        *(item for item in selection.notices if item.code != "spot_assumed"),
        *offer_notices(choice, terms.as_of),
        *said,
    )
    return PricedServing(workload, tuple(lines), notices)


def quote_serving(
    request: ServeRequest,
    catalog: Catalog,
    terms: Terms,
    calibration: ServingCalibration | None = None,
) -> Quote:
    """The quote of serving a model for some months.

    Raises:
        InputError, NoOfferError: see `price_serving`.
    """
    done = price_serving(request, catalog, terms, calibration)
    used, said = footprint([done.workload], done.lines, catalog)
    quote = assemble(
        "serve",
        catalog,
        terms,
        [done.workload],
        done.lines,
        [*done.notices, *said],
        footprint=used,
    )
    day = str(catalog.calibration("serving")["date"])
    return replace(quote, catalog=replace(quote.catalog, calibration=day))


def compute_line(
    request: ServeRequest, choice: OfferChoice, rented: Machines, terms: Terms
) -> Line:
    """Machine hours of the schedule; low and high are the machines at the interval's ends."""
    return money.line(
        workload=request.name,
        item="compute",
        unit="instance-hour",
        unit_price_usd=choice.usd_per_instance_hour,
        quantity_middle=money.quantity(request.hours, rented.middle),
        quantity_low=money.quantity(request.hours, rented.low),
        quantity_high=money.quantity(request.hours, rented.high),
        usd_mxn=terms.fx.usd_mxn,
        provider=choice.provider,
        region=choice.region,
        sku=choice.instance_type,
        as_of=choice.as_of,
        source=choice.source,
        confidence=choice.confidence,
    )


def _request_notices(
    request: ServeRequest, estimate: ServingEstimate, choice: OfferChoice
) -> list[Notice]:
    found: list[Notice] = []
    if request.input_tokens is None or request.output_tokens is None:
        job = request.job()
        found.append(notice("lengths_assumed", input=job.input_tokens, output=job.output_tokens))
    if choice.purchase == "spot" and estimate.load != "batch":
        found.append(notice("spot_serving"))
    idle = choice.accelerators - estimate.accelerators
    if idle >= estimate.accelerators_per_replica:
        found.append(notice("replicas_idle", idle=idle, rented=choice.accelerators))
    return found


def inputs(request: ServeRequest, estimate: ServingEstimate) -> Mapping[str, Any]:
    """What was asked, defaults filled in, as plain JSON values."""
    job = request.job()
    placement = request.placement
    return {
        "model": request.architecture.name,
        "engine": estimate.engine,
        "precision": estimate.weights,
        "kv_precision": estimate.cache,
        "input_tokens": job.input_tokens,
        "output_tokens": job.output_tokens,
        "rps": request.requests_per_s,
        "concurrency": request.concurrency,
        "ttft_ms": request.first_token_ms,
        "tpot_ms": request.token_ms,
        "average_load": request.average_load,
        "prefix_hit": request.cached_share,
        "draft_tokens": request.draft.tokens or None,
        "draft_acceptance": request.draft.acceptance if request.draft.tokens else None,
        "arrival_cv": request.arrival_cv if request.requests_per_s is not None else None,
        "replicas": request.replicas,
        "months": request.months,
        "hours_per_month": request.hours_per_month,
        "storage_gb": request.storage_gb,
        "egress_gb": request.egress_gb,
        "on": placement.hardware.text,
        "accelerator": placement.hardware.accelerator.id,
        "accelerators": placement.hardware.count,
        "provider": placement.provider,
        "region": placement.region,
        "purchase": placement.purchase,
        "market": placement.market,
        "residency": placement.residency,
        "nearest": placement.nearest,
    }
