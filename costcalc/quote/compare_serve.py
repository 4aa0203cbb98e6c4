"""The same service on every offer that can run it, ranked; what was left out, with the reason.

Each offer takes the smallest number of whole machines that holds one replica, unless `--on` names
counts, and as many replicas as the load needs there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.errors import NoOfferError, OverBudgetError
from costcalc.estimate.serving import estimate_serving
from costcalc.estimate.serving_calibration import serving_calibration
from costcalc.estimate.serving_job import check_job, copies_on, setup_of
from costcalc.notices import Notice
from costcalc.quote import limits, money, select
from costcalc.quote.compare_types import Excluded, reason_counts
from costcalc.quote.limits import Reason, Renting, host_size, reason
from costcalc.quote.serve import (
    PricedServing,
    ServeRequest,
    machines,
    machines_for,
    priced,
)
from costcalc.quote.serve_costs import ServedWorkload
from costcalc.quote.terms import Terms

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator, Catalog
    from costcalc.catalog.hardware import Hardware
    from costcalc.catalog.offers import Offer
    from costcalc.catalog.regions import Regions, RegionScope
    from costcalc.estimate.serving import ServingEstimate
    from costcalc.estimate.serving_calibration import ServingCalibration

ANY = "any"
RANKS = ("cost", "token-time", "token-cost")
LARGEST_REPLICA = 64


@dataclass(frozen=True, slots=True)
class ServeCompareRequest:
    """What is compared.

    Attributes:
        base: the service; its placement holds provider, region, purchase (`any` for all), market
            and residency, its hardware is not looked at.
        on: chips or machines to compare; empty for every one.
        rank: `cost` of the schedule, `token-time`, or `token-cost` (USD per million output tokens
            at this load); None is cost where a rate of requests is served, else token-cost.
        all_regions: every region of a machine, not only its cheapest.
    """

    base: ServeRequest
    on: tuple[Hardware, ...] = ()
    rank: str | None = None
    all_regions: bool = False

    @property
    def ranked_by(self) -> str:
        """The ranking in use."""
        if self.rank is not None:
            return self.rank
        return "cost" if self.base.requests_per_s is not None else "token-cost"


@dataclass(frozen=True, slots=True)
class ServeRow:
    """One offer that can run the service.

    Attributes:
        size: accelerators of one replica. instances: machines rented.
        usd, usd_low, usd_high: cost of the schedule, discounts taken off.
        more_regions: further regions that sell the same machine at this price or above.
        pareto: nothing else is both cheaper and faster per token.
        done: lines and workload; notices: of the row alone.
    """

    offer: Offer
    accelerator: Accelerator
    size: int
    instances: int
    estimate: ServingEstimate
    usd: Decimal
    usd_low: Decimal
    usd_high: Decimal
    done: PricedServing
    more_regions: int = 0
    pareto: bool = False
    rank: int = 0
    notices: tuple[Notice, ...] = ()

    @property
    def served(self) -> ServedWorkload:
        """Estimate and cost per token."""
        found: ServedWorkload = self.done.workload.estimate  # type: ignore[assignment]
        return found


@dataclass(frozen=True, slots=True)
class ServeComparison:
    """The ranking, as far as it is shown, and what was left out."""

    rows: tuple[ServeRow, ...]
    excluded: tuple[Excluded, ...]
    fitting: int


@dataclass(slots=True)
class _Search:
    request: ServeCompareRequest
    catalog: Catalog
    terms: Terms
    rules: Renting
    calibration: ServingCalibration
    scope: RegionScope | None = None
    country: str | None = None
    regions: Regions | None = None
    excluded: list[Excluded] = field(default_factory=list)
    estimates: dict[tuple[str, int], ServingEstimate | Reason] = field(default_factory=dict)
    smallest: dict[tuple[Any, ...], int | Reason] = field(default_factory=dict)


def compare_serving(
    request: ServeCompareRequest, catalog: Catalog, terms: Terms, *, top: int | None = None
) -> ServeComparison:
    """Every offer that can run the service, ranked.

    Args:
        top: rows that are kept; None is all.

    Raises:
        InputError: a job that is none, an unknown region or country.
        NoOfferError: no offer can run it; the message counts the reasons.
        OverBudgetError: offers can, and each costs more than the budget.
    """
    check_job(request.base.job())
    search = _Search(
        request=request,
        catalog=catalog,
        terms=terms,
        rules=select.rules_of(catalog),
        calibration=serving_calibration(catalog.calibration("serving")),
    )
    placement = request.base.placement
    if placement.region is not None or placement.residency is not None:
        from costcalc.quote import geography

        search.regions = catalog.regions()
        if placement.region is not None:
            search.scope = geography.scope_of(catalog, placement.region)
        if placement.residency is not None:
            search.country = geography.country_code(search.regions, placement.residency)
    groups: dict[str, list[Offer]] = {}
    for offer in catalog.current_offers(terms.as_of):
        if offer.usd_per_instance_hour > 0:
            groups.setdefault(offer.accelerator, []).append(offer)
    rows: list[ServeRow] = []
    for accelerator, offers in groups.items():
        rows.extend(_rows(search, catalog.accelerators()[accelerator], offers))
    within = [row for row in rows if _affordable(search, row)]
    if not within:
        raise _nothing(search, rows)
    ranked = _ranked(search, within)
    shown = ranked if top is None else ranked[:top]
    filled = [_noted(search, row) for row in shown]
    return ServeComparison(tuple(filled), tuple(search.excluded), len(ranked))


def _rows(search: _Search, accelerator: Accelerator, offers: Iterable[Offer]) -> list[ServeRow]:
    general = _chip_reason(search, accelerator)
    matching: list[tuple[Offer, int | None]] = []
    for offer in offers:
        found = general or _offer_reason(search, offer)
        counts = _asked(search, offer, accelerator)
        if found is None and not counts:
            found = reason("other_machine")
        if found is not None:
            search.excluded.append(Excluded(offer, found))
            continue
        matching.extend((offer, count) for count in counts)
    purchase = search.request.base.placement.purchase
    service = search.request.base.requests_per_s is not None or (
        search.request.base.concurrency is not None
    )
    if purchase == ANY:
        wanted: Sequence[str] = tuple(dict.fromkeys(offer.purchase for offer, _ in matching))
    else:
        wanted = select.PURCHASE_FALLBACK if purchase is None else (purchase,)
    rows: list[ServeRow] = []
    used: set[str] = set()
    for option in wanted:
        group = [item for item in matching if item[0].purchase == option]
        used.add(option)
        if purchase is None and option == "spot" and service:
            search.excluded.extend(Excluded(offer, reason("spot_service")) for offer, _ in group)
            continue
        for offer, count in group:
            row = _row(search, accelerator, offer, count)
            if isinstance(row, Reason):
                search.excluded.append(Excluded(offer, row))
            else:
                rows.append(row)
        if purchase is None and group:
            break
    for offer, _ in matching:
        if offer.purchase not in used:
            search.excluded.append(Excluded(offer, reason("purchase")))
    return rows


def _chip_reason(search: _Search, accelerator: Accelerator) -> Reason | None:
    request, chip = search.request, accelerator.chip
    if request.on and all(item.accelerator.id != accelerator.id for item in request.on):
        return reason("other_machine")
    if not chip.can_serve:
        return reason("trains_only")
    if accelerator.status == "retired":
        return reason("retired")
    if not chip.peak_tflops.get("bf16") or not chip.hbm_gbps or chip.hbm_gb is None:
        return reason("no_datasheet")
    return None


def _offer_reason(search: _Search, offer: Offer) -> Reason | None:
    placement = search.request.base.placement
    markets = select.markets_of(placement.market)
    if placement.provider is not None and offer.provider != placement.provider:
        return reason("provider")
    if markets is not None and offer.market not in markets:
        return reason("market", market=offer.market)
    scope = search.scope
    if scope is not None and not scope.holds(offer.provider, offer.region):
        ours = any(key.startswith(f"{offer.provider}/") for key in scope.regions)
        uniform = offer.region is None and ours
        return reason("uniform_price" if uniform else "region", region=scope.label)
    country, regions = search.country, search.regions
    if country and regions and regions.country(offer.provider, offer.region) != country:
        return reason("residency", country=country)
    named = any(item.instance_type == offer.instance_type for item in search.request.on)
    practice = None if named else limits.sold_only_as(offer, search.rules)
    if practice is not None:
        return reason("not_sold_in_practice", sold=select.names_of(practice.purchases))
    return limits.duration_reason(offer, float(search.request.base.hours), search.rules)


def _asked(search: _Search, offer: Offer, accelerator: Accelerator) -> list[int | None]:
    """Replica sizes that `--on` gives for this offer; `[None]` when one is to be looked for."""
    if not search.request.on:
        return [None]
    return [
        item.count
        for item in search.request.on
        if item.accelerator.id == accelerator.id
        and item.instance_type in (None, offer.instance_type)
    ]


def _row(
    search: _Search, accelerator: Accelerator, offer: Offer, asked: int | None
) -> ServeRow | Reason:
    if asked is None:
        size = _smallest(search, accelerator, offer)
        if isinstance(size, Reason):
            return size
    else:
        size = asked
        found = limits.together_reason(offer, accelerator, size, search.rules)
        if found is not None:
            return found
    estimate = _estimate(search, accelerator, size)
    if isinstance(estimate, Reason):
        return estimate
    base = search.request.base
    rented = machines_for(offer, estimate.replicas, size)
    choice = replace(select.chosen(offer, estimate.accelerators), instances=rented)
    placed = replace(base.placement, hardware=_hardware(accelerator, size, offer))
    done = priced(
        replace(base, placement=placed, storage_gb=None, egress_gb=None),
        estimate,
        select.Selection(choice, (), offer),
        search.catalog,
        search.terms,
    )
    return ServeRow(
        offer=offer,
        accelerator=accelerator,
        size=size,
        instances=machines(offer, estimate, size).middle,
        estimate=estimate,
        usd=sum((line.amount_usd for line in done.lines), money.ZERO),
        usd_low=sum((line.low_usd for line in done.lines), money.ZERO),
        usd_high=sum((line.high_usd for line in done.lines), money.ZERO),
        done=done,
    )


def _hardware(accelerator: Accelerator, size: int, offer: Offer) -> Hardware:
    from costcalc.catalog.hardware import Hardware

    return Hardware(accelerator, size, None, None, 1, f"{accelerator.id}:{size}")


def _smallest(search: _Search, accelerator: Accelerator, offer: Offer) -> int | Reason:
    """Accelerators of the smallest whole machines that hold one replica."""
    unit = host_size(offer)
    key = (accelerator.id, unit, offer.scaleout, accelerator.slices is not None)
    if key not in search.smallest:
        search.smallest[key] = _search_smallest(search, accelerator, offer, unit)
    return search.smallest[key]


def _search_smallest(
    search: _Search, accelerator: Accelerator, offer: Offer, unit: int
) -> int | Reason:
    setup = setup_of(search.request.base.job(), accelerator.chip, search.calibration)
    chip = accelerator.chip
    widest = min(max(chip.max_scaleup_chips or chip.chips_per_host or 8, unit), LARGEST_REPLICA)
    if accelerator.slices is not None:
        sizes = [size for size in limits.slice_sizes(accelerator, widest) if size >= unit]
    else:
        sizes = []
        size = unit
        while size <= widest:
            sizes.append(size)
            size *= 2
    last: Reason | None = None
    for size in sizes:
        apart = limits.together_reason(offer, accelerator, size, search.rules)
        if apart is not None:
            last = apart
            continue
        if copies_on(setup, size):
            return size
    return last or reason("memory")


def _estimate(search: _Search, accelerator: Accelerator, size: int) -> ServingEstimate | Reason:
    key = (accelerator.id, size)
    if key not in search.estimates:
        try:
            search.estimates[key] = estimate_serving(
                search.request.base.job(), accelerator.chip, size, search.calibration
            )
        except NoOfferError as error:
            fits = error.key.startswith(
                ("serving.token", "serving.first", "serving.both", "serving.overloaded")
            )
            search.estimates[key] = reason("targets" if fits else "memory")
    return search.estimates[key]


def _affordable(search: _Search, row: ServeRow) -> bool:
    budget = search.terms.budget
    if budget is None:
        return True
    limit = budget.amount
    if budget.currency == "MXN":
        limit = limit / search.terms.fx.usd_mxn
    if search.terms.iva_mode == "add":
        limit = limit / (1 + search.terms.iva_rate / 100)
    if row.usd <= limit:
        return True
    search.excluded.append(Excluded(row.offer, reason("budget", usd=f"{row.usd:,.2f}")))
    return False


def _ranked(search: _Search, rows: Sequence[ServeRow]) -> list[ServeRow]:
    by = search.request.ranked_by

    def order(row: ServeRow) -> tuple[Any, ...]:
        first: float | Decimal
        if by == "cost":
            first = row.usd
        elif by == "token-time":
            first = row.estimate.tpot_ms
        else:
            first = row.served.costs.output.middle
        return (
            first,
            row.usd,
            select.CONFIDENCES.index(row.offer.confidence),
            row.offer.provider,
            row.offer.region or "",
            row.offer.instance_type,
            row.size,
        )

    kept = sorted(rows, key=order)
    if not search.request.all_regions:
        kept = _cheapest_regions(search, kept)
    front: set[int] = set()
    fastest = float("inf")
    for row in sorted(kept, key=lambda row: (row.served.costs.output.middle, row.estimate.tpot_ms)):
        if row.estimate.tpot_ms < fastest:
            front.add(id(row))
            fastest = row.estimate.tpot_ms
    return [
        replace(row, rank=number, pareto=id(row) in front) for number, row in enumerate(kept, 1)
    ]


def _cheapest_regions(search: _Search, rows: Sequence[ServeRow]) -> list[ServeRow]:
    kept: dict[tuple[Any, ...], ServeRow] = {}
    more: dict[tuple[Any, ...], int] = {}
    for row in rows:
        offer = row.offer
        key = (offer.provider, offer.instance_type, offer.purchase, offer.market, row.size)
        if key in kept:
            more[key] = more.get(key, 0) + 1
            cheapest = kept[key].offer.region or kept[key].offer.region_scope
            search.excluded.append(Excluded(offer, reason("dearer_region", region=cheapest)))
        else:
            kept[key] = row
    return [replace(row, more_regions=more.get(key, 0)) for key, row in kept.items()]


def _noted(search: _Search, row: ServeRow) -> ServeRow:
    """A row with what must be said about its place and price."""
    from costcalc.notices import notice

    choice = row.done.workload.offer
    assert choice is not None
    found = [
        *select.place_notices(row.offer, row.accelerator, search.catalog, search.rules),
        *select.market_notices(row.offer, row.accelerator, choice, search.rules),
    ]
    if choice.confidence == "estimated":
        found.append(notice("estimated_price", what=choice.instance_type, source=choice.source))
    if search.request.base.placement.purchase is None and choice.purchase != "on-demand":
        name = row.accelerator.name
        found.insert(0, notice("not_sold_on_demand", accelerator=name, purchase=choice.purchase))
    return replace(row, notices=tuple(found))


def _nothing(search: _Search, rows: Sequence[ServeRow]) -> NoOfferError | OverBudgetError:
    if rows:
        cheapest = min(row.usd for row in rows)
        return OverBudgetError(
            "serve_compare.over_budget", budget=search.terms.budget, cheapest=f"{cheapest:,.2f}"
        )
    counts = reason_counts(search.excluded)
    summary = ", ".join(f"{code} {count}" for code, count in counts.items())
    scope = search.scope
    if scope is not None:
        anywhere = replace(
            search.request,
            base=replace(
                search.request.base,
                placement=replace(search.request.base.placement, region=None),
            ),
            all_regions=True,
        )
        near = _near(search, anywhere)
        if near:
            return NoOfferError("serve_compare.not_in_region", region=scope.label, near=near)
    return NoOfferError("serve_compare.nothing", reasons=summary or "–")


def _near(search: _Search, anywhere: ServeCompareRequest) -> str:
    """The nearest offers that could run it, as text; empty when there are none."""
    from costcalc.quote import geography

    assert search.scope is not None
    try:
        found = compare_serving(anywhere, search.catalog, search.terms)
    except (NoOfferError, OverBudgetError):
        return ""
    offers = [row.offer for row in found.rows]
    near = geography.nearest(offers, search.scope, search.catalog.regions())
    return "; ".join(
        f"{item.region.provider} {item.region.code} ({item.region.city}), "
        f"{item.kilometres:,.0f} km: {item.offer.instance_type}"
        for item in near[: select.NEAREST_SHOWN]
    )
