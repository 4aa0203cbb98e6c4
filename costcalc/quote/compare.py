"""One training run on every offer that can do it, ranked; what was left out, with the reason."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.errors import CostcalcError, NoOfferError, OverBudgetError
from costcalc.estimate.calibration import training_calibration
from costcalc.notices import notice
from costcalc.quote import limits, money, select, sizing
from costcalc.quote.compare_types import (
    CompareRequest,
    Comparison,
    Excluded,
    Row,
    reason_counts,
)
from costcalc.quote.limits import Reason, Renting, instances_needed, reason
from costcalc.quote.sizing import HIGHEST_COUNT, Ladder, Sizer
from costcalc.quote.spot import redone_share, share_digits

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator, Catalog
    from costcalc.catalog.offers import Offer
    from costcalc.catalog.regions import Regions, RegionScope
    from costcalc.quote.terms import Terms

ANY = "any"


@dataclass(slots=True)
class _Search:
    """State of one comparison."""

    request: CompareRequest
    terms: Terms
    rules: Renting
    sizer: Sizer
    budget_usd: Decimal | None
    scope: RegionScope | None = None
    country: str | None = None
    regions: Regions | None = None
    excluded: list[Excluded] = field(default_factory=list)
    ladders: dict[tuple[Any, ...], Ladder] = field(default_factory=dict)
    rungs: dict[tuple[Any, ...], int | Reason] = field(default_factory=dict)
    slices: dict[str, tuple[int, ...]] = field(default_factory=dict)


def compare(
    request: CompareRequest, catalog: Catalog, terms: Terms, *, top: int | None = None
) -> Comparison:
    """Every offer that can do the run, ranked.

    Args:
        top: rows that are shown and get a full estimate; None is all.

    Raises:
        NoOfferError: no offer can do it; the message counts the reasons.
        OverBudgetError: offers can, and each costs more than the budget.
        InputError: an unknown region or country.
    """
    search = _Search(
        request=request,
        terms=terms,
        rules=select.rules_of(catalog),
        sizer=Sizer(request.job, training_calibration(catalog.calibration("training"))),
        budget_usd=_budget_usd(terms),
    )
    if request.region is not None or request.residency is not None:
        _place(search, catalog)
    rows: list[Row] = []
    for accelerator, offers in _by_accelerator(catalog, terms).items():
        rows.extend(_rows(search, catalog.accelerators()[accelerator], offers))
    if not rows:
        raise _nothing_there(search, catalog) or nothing_fits(search)
    ranked = _ranked(search, catalog, rows)
    shown = ranked if top is None else ranked[:top]
    filled = [_filled(search, catalog, row) for row in shown]
    return Comparison(tuple(filled), tuple(search.excluded), len(ranked), tuple(ranked))


def _place(search: _Search, catalog: Catalog) -> None:
    """Read the regions, where the request names a place."""
    from costcalc.quote import geography

    request = search.request
    search.regions = catalog.regions()
    if request.region is not None:
        search.scope = geography.scope_of(catalog, request.region)
    if request.residency is not None:
        search.country = geography.country_code(search.regions, request.residency)


def _budget_usd(terms: Terms) -> Decimal | None:
    if terms.budget is None:
        return None
    limit = terms.budget.amount
    if terms.budget.currency == "MXN":
        limit = limit / terms.fx.usd_mxn
    return limit / (1 + terms.iva_rate / 100) if terms.iva_mode == "add" else limit


def _by_accelerator(catalog: Catalog, terms: Terms) -> dict[str, list[Offer]]:
    groups: dict[str, list[Offer]] = {}
    for offer in catalog.current_offers(terms.as_of):
        if offer.usd_per_instance_hour > 0:
            groups.setdefault(offer.accelerator, []).append(offer)
    return groups


def _rows(search: _Search, accelerator: Accelerator, offers: Iterable[Offer]) -> list[Row]:
    """Rows of one accelerator, by the purchase option asked for or the first that is sold."""
    general = _chip_reason(search, accelerator)
    matching: list[tuple[Offer, int | None]] = []
    for offer in offers:
        found = general or _offer_reason(search, offer)
        counts = _asked_counts(search, offer, accelerator)
        if found is None and not counts:
            found = reason("other_machine")
        if found is not None:
            search.excluded.append(Excluded(offer, found))
            continue
        matching.extend((offer, count) for count in counts)
    purchase = search.request.purchase
    if purchase == ANY:
        wanted: Sequence[str] = tuple(dict.fromkeys(offer.purchase for offer, _ in matching))
    else:
        wanted = select.PURCHASE_FALLBACK if purchase is None else (purchase,)
    rows: list[Row] = []
    used: set[str] = set()
    for option in wanted:
        group = [item for item in matching if item[0].purchase == option]
        used.add(option)
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
    if not chip.can_train:
        return reason("serves_only")
    if accelerator.status == "retired":
        return reason("retired")
    if not chip.peak_tflops.get("bf16"):
        return reason("no_peak")
    if not chip.peak_tflops.get(request.job.precision):
        return reason("no_precision", precision=request.job.precision)
    if _needs_porting(search, accelerator) and request.porting_usd is None:
        return reason("software", software=request.software)
    return None


def _needs_porting(search: _Search, accelerator: Accelerator) -> bool:
    software = search.request.software
    return software is not None and software not in accelerator.software


def _offer_reason(search: _Search, offer: Offer) -> Reason | None:
    """Why an offer is not among those asked for."""
    request = search.request
    markets = select.markets_of(request.market)
    if request.provider is not None and offer.provider != request.provider:
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
    named = any(item.instance_type == offer.instance_type for item in request.on)
    practice = None if named else limits.sold_only_as(offer, search.rules)
    if practice is not None:
        return reason("not_sold_in_practice", sold=select.names_of(practice.purchases))
    return None


def _asked_counts(search: _Search, offer: Offer, accelerator: Accelerator) -> list[int | None]:
    """Counts that `--on` gives for this offer; `[None]` when they are to be looked for."""
    if not search.request.on:
        return [None]
    counts: list[int | None] = []
    for item in search.request.on:
        if item.accelerator.id == accelerator.id and item.instance_type in (
            None,
            offer.instance_type,
        ):
            counts.append(item.count)
    return counts


def _row(
    search: _Search, accelerator: Accelerator, offer: Offer, asked: int | None
) -> Row | Reason:
    chip = accelerator.chip
    if asked is None:
        chips = _searched_count(search, accelerator, offer)
        if isinstance(chips, Reason):
            return chips
    else:
        chips = asked
        found = limits.together_reason(offer, accelerator, chips, search.rules)
        if found is not None:
            return found
        if not search.sizer.fits(chip, chips):
            return reason("memory")
    instances = instances_needed(offer, chips)
    share = redone_share(offer.purchase, instances, search.rules)
    useful = search.sizer.hours(chip, chips)
    hours = useful * (1 + share)
    late = limits.duration_reason(offer, hours, search.rules)
    if late is not None:
        return late
    deadline = search.request.deadline_hours
    if deadline is not None and hours > deadline:
        return reason("deadline", days=f"{hours / 24:,.1f}")
    usd = run_usd(offer, useful, instances, search.terms, share)
    if search.budget_usd is not None and usd > search.budget_usd:
        return reason("budget", usd=f"{usd:,.2f}")
    porting = search.request.porting_usd if _needs_porting(search, accelerator) else None
    return Row(
        offer=offer,
        accelerator=accelerator,
        chips=chips,
        count=instances * offer.accelerator_count,
        instances=instances,
        hours=hours,
        usd=usd,
        redone=share,
        porting_usd=porting or money.ZERO,
    )


def run_usd(
    offer: Offer, hours: float, instances: int, terms: Terms, redone: float = 0.0
) -> Decimal:
    """Cost of one run to the cent, the provider's discount taken off, as the lines of `train` do.

    Args:
        hours: useful hours.
        redone: share of them that spot interruptions cost again.
    """
    usd = money.cents(money.quantity(hours, instances) * offer.usd_per_instance_hour)
    parts = [usd]
    if redone:
        parts.append(money.cents(usd * share_digits(redone)))
    discount = terms.discounts.get(offer.provider)
    if discount is not None:
        parts += [money.cents(-part * discount) for part in parts]
    return sum(parts, money.ZERO)


def _most(search: _Search, offer: Offer) -> int:
    """Chips beyond which no count is looked for."""
    known = limits.most_accelerators(offer, search.rules)
    asked = search.request.max_chips
    if known is None:
        return asked or search.rules.unnamed_cluster
    return min(known, asked or known)


def _ladder(search: _Search, accelerator: Accelerator, offer: Offer) -> Ladder:
    unit = limits.host_size(offer)
    most = _most(search, offer)
    if accelerator.slices is not None:
        if accelerator.id not in search.slices:
            search.slices[accelerator.id] = tuple(limits.slice_sizes(accelerator, HIGHEST_COUNT))
        return sizing.ladder_of(accelerator, unit, True, most, search.slices[accelerator.id])
    return sizing.ladder_of(accelerator, unit, _joins(search, accelerator, offer), most)


def _joins(search: _Search, accelerator: Accelerator, offer: Offer) -> bool:
    found = limits.together_reason(offer, accelerator, 2 * limits.host_size(offer), search.rules)
    return found is None or found.code == "max_accelerators"


def _searched_count(search: _Search, accelerator: Accelerator, offer: Offer) -> int | Reason:
    """The count that suits the limits, or why there is none."""
    request = search.request
    ladder_key = (
        accelerator.id,
        limits.host_size(offer),
        offer.instance_type,
        offer.provider,
        offer.purchase,
    )
    ladder = search.ladders.get(ladder_key)
    if ladder is None:
        ladder = _ladder(search, accelerator, offer)
        search.ladders[ladder_key] = ladder
    longest = _longest(search, offer)
    priced = search.budget_usd is not None and request.deadline_hours is None
    spot = offer.purchase == "spot"
    key = (accelerator.id, ladder, longest, spot, offer.usd_per_instance_hour if priced else None)
    if key not in search.rungs:
        found = _rung(search, accelerator, offer, ladder, longest, priced)
        search.rungs[key] = found
    rung = search.rungs[key]
    return rung if isinstance(rung, Reason) else ladder.count(rung)


def _longest(search: _Search, offer: Offer) -> float | None:
    """Hours within which the run has to end: the deadline, or where the purchase option ends."""
    limit = search.rules.purchase_limits.get(offer.purchase)
    ends = [
        hours
        for hours in (
            search.request.deadline_hours,
            None if limit is None else limit.max_hours,
        )
        if hours is not None
    ]
    return min(ends, default=None)


def _rung(
    search: _Search,
    accelerator: Accelerator,
    offer: Offer,
    ladder: Ladder,
    longest: float | None,
    priced: bool,
) -> int | Reason:
    sizer, chip, request = search.sizer, accelerator.chip, search.request
    start = sizer.smallest_rung(chip, ladder)
    if start is None:
        return _too_small(search, accelerator, offer)
    if longest is not None:

        def stretch(count: int) -> float:
            machines = instances_needed(offer, count)
            return 1 + redone_share(offer.purchase, machines, search.rules)

        found = sizing.meeting(sizer, chip, ladder, start, longest, stretch)
        if found is None:
            fastest = sizing.fastest_hours(sizer, chip, ladder, start)
            if request.deadline_hours is not None and longest >= request.deadline_hours:
                return reason("deadline", days=f"{fastest / 24:,.1f}")
            late = limits.duration_reason(offer, fastest, search.rules)
            return late or reason("deadline", days=f"{fastest / 24:,.1f}")
        start = found
    if priced and search.budget_usd is not None:
        budget = search.budget_usd

        def affordable(count: int) -> bool:
            hours = sizer.hours(chip, count)
            machines = instances_needed(offer, count)
            again = redone_share(offer.purchase, machines, search.rules)
            return run_usd(offer, hours, machines, search.terms, again) <= budget

        return sizing.fastest_within(sizer, chip, ladder, start, affordable) or start
    if request.max_chips is not None and request.rank != "cost" and longest is None:

        def score(count: int) -> float:
            hours = sizer.hours(chip, count)
            return hours if request.rank == "time" else hours * hours * count

        return sizing.best_rung(sizer, chip, ladder, start, score)
    return start


def _too_small(search: _Search, accelerator: Accelerator, offer: Offer) -> Reason:
    """Why no count of an offer holds the job."""
    unit = limits.host_size(offer)
    least = search.sizer.least_count(accelerator.chip)
    if accelerator.slices is None and least > unit and not _joins(search, accelerator, offer):
        found = limits.together_reason(offer, accelerator, 2 * unit, search.rules)
        if found is not None:
            return found
    most = _most(search, offer)
    return reason("max_chips", most=f"{most:,}") if least > most else reason("memory")


def _ranked(search: _Search, catalog: Catalog, rows: list[Row]) -> list[Row]:
    """Rows in order, dearer regions of the same machine left out, the Pareto set marked."""
    rank = search.request.rank

    def order(row: Row) -> tuple[Any, ...]:
        cost, hours = row.first_run_usd, row.hours
        first: Any = cost
        if rank == "time":
            first = hours
        elif rank == "cost-time":
            first = float(cost) * hours
        return (
            first,
            cost,
            hours,
            select.CONFIDENCES.index(row.offer.confidence),
            select.zone_rank(row.offer, catalog),
            row.offer.provider,
            row.offer.region or "",
            row.offer.instance_type,
        )

    rows.sort(key=order)
    if not search.request.all_regions:
        rows = _cheapest_regions(search, rows)
    front = _pareto(rows)
    native = min((row.usd for row in rows if not row.porting_usd), default=None)
    return [
        replace(
            row,
            rank=number,
            pareto=id(row) in front,
            payback_runs=_payback(row, native),
        )
        for number, row in enumerate(rows, 1)
    ]


def _cheapest_regions(search: _Search, rows: Sequence[Row]) -> list[Row]:
    kept: dict[tuple[Any, ...], Row] = {}
    more: dict[tuple[Any, ...], int] = {}
    for row in rows:
        offer = row.offer
        key = (
            offer.provider,
            offer.instance_type,
            offer.accelerator,
            offer.purchase,
            offer.market,
            row.chips if search.request.on else None,
        )
        if key in kept:
            more[key] = more.get(key, 0) + 1
            cheapest = kept[key].offer.region or kept[key].offer.region_scope
            search.excluded.append(Excluded(offer, reason("dearer_region", region=cheapest)))
        else:
            kept[key] = row
    return [replace(row, more_regions=more.get(key, 0)) for key, row in kept.items()]


def _pareto(rows: Sequence[Row]) -> set[int]:
    front: set[int] = set()
    fastest = math.inf
    for row in sorted(rows, key=lambda row: (row.first_run_usd, row.hours)):
        if row.hours < fastest:
            front.add(id(row))
            fastest = row.hours
    return front


def _payback(row: Row, native: Decimal | None) -> int | None:
    if not row.porting_usd or native is None or row.usd >= native:
        return None
    return math.ceil(row.porting_usd / (native - row.usd))


def _filled(search: _Search, catalog: Catalog, row: Row) -> Row:
    """A row with its full estimate and what must be said about it."""
    choice = select.chosen(row.offer, row.chips)
    estimate = search.sizer.estimate(row.accelerator.chip, row.chips)
    known = search.sizer.known_stack(row.accelerator.chip, row.chips)
    notices = [
        *select.place_notices(row.offer, row.accelerator, catalog, search.rules),
        *select.market_notices(
            row.offer,
            row.accelerator,
            choice,
            search.rules,
            estimate.hours,
            estimate.hours_high,
        ),
    ]
    notices.extend(select.purchase_terms(row.offer, choice, estimate.hours, (), search.rules))
    if choice.confidence == "estimated":
        notices.append(notice("estimated_price", what=choice.instance_type, source=choice.source))
    if search.request.purchase is None and row.offer.purchase != "on-demand":
        notices.insert(
            0,
            notice(
                "not_sold_on_demand",
                accelerator=row.accelerator.name,
                purchase=row.offer.purchase,
            ),
        )
    return replace(row, choice=choice, estimate=estimate, known=known, notices=tuple(notices))


def _nothing_there(search: _Search, catalog: Catalog) -> NoOfferError | None:
    """The error that names the nearest offers, when only the region asked for has none."""
    scope, request = search.scope, search.request
    if scope is None:
        return None
    try:
        anywhere = compare(
            replace(request, region=None, all_regions=True), catalog, search.terms, top=0
        )
    except CostcalcError:
        return None
    from costcalc.quote import geography

    offers = [row.offer for row in anywhere.ranked]
    near = geography.nearest(offers, scope, catalog.regions())
    if not near:
        return None
    shown = "; ".join(
        f"{item.region.provider} {item.region.code} ({item.region.city}), "
        f"{item.kilometres:,.0f} km: {item.offer.instance_type}"
        for item in near[: select.NEAREST_SHOWN]
    )
    return NoOfferError("compare.not_in_region", region=scope.label, near=shown)


def nothing_fits(search: _Search) -> NoOfferError | OverBudgetError:
    """The error when no offer is left, with what was nearest."""
    counts = reason_counts(search.excluded)
    over = [item.reason for item in search.excluded if item.reason.code == "budget"]
    if over:
        cheapest = min(
            (dict(item.params)["usd"] for item in over),
            key=lambda text: Decimal(text.replace(",", "")),
        )
        return OverBudgetError("compare.over_budget", budget=search.terms.budget, cheapest=cheapest)
    late = [item.reason for item in search.excluded if item.reason.code == "deadline"]
    if late:
        fastest = min(
            (dict(item.params)["days"] for item in late),
            key=lambda text: float(text.replace(",", "")),
        )
        return NoOfferError("compare.deadline", days=fastest)
    summary = ", ".join(f"{code} {count}" for code, count in counts.items())
    return NoOfferError("compare.nothing", reasons=summary or "–")
