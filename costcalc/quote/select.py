"""Which offer a workload is priced on: the cheapest that can really run it, and why.

Rules: whole machines; several machines only where they are whole hosts with a scale-out network;
TPU runs in slices that exist; a purchase option that was asked for never falls back; a price of
zero means "not sold this way"; a price without a region stands in no region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from costcalc.errors import NoOfferError
from costcalc.notices import Notice, notice
from costcalc.quote import limits
from costcalc.quote.limits import Reason, Renting, instances_needed, reason
from costcalc.quote.types import OfferChoice

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator, Catalog
    from costcalc.catalog.hardware import Hardware
    from costcalc.catalog.offers import Offer
    from costcalc.catalog.regions import RegionScope
    from costcalc.quote import geography

PURCHASE_FALLBACK = ("on-demand", "capacity-block", "flex-start", "spot")
DEFAULT_MARKETS = ("hyperscaler", "neocloud")
CONFIDENCES = ("listed", "quoted", "estimated")
NEAREST_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Placement:
    """Where and how to rent, as asked; None is "no wish".

    Attributes:
        hardware: accelerator and count, or machines of one type.
        region: a region code, `provider/code`, a city, or a group such as `queretaro`.
        market: a market of the contract, `any`, or None for hyperscaler and neocloud.
        residency: ISO country that the offer's region must lie in.
        nearest: without an offer in `region`, take the nearest one and say so.
        together: accelerators that must work as one system; None is all of them.
    """

    hardware: Hardware
    provider: str | None = None
    region: str | None = None
    purchase: str | None = None
    market: str | None = None
    residency: str | None = None
    nearest: bool = False
    together: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The offer taken, and what must be said about it.

    Attributes:
        considered: offers that could have been taken.
        moved: where and how far, when the nearest region stands in for the one asked for.
    """

    choice: OfferChoice
    notices: tuple[Notice, ...]
    offer: Offer
    considered: int = 1
    moved: geography.Near | None = None


def markets_of(market: str | None) -> Sequence[str] | None:
    """The markets of a wish; None is every one."""
    if market is None:
        return DEFAULT_MARKETS
    return None if market == "any" else (market,)


def rules_of(catalog: Catalog) -> Renting:
    """The catalog's rules of renting."""
    return limits.renting(catalog.table("renting"))


def fit_reason(offer: Offer, placement: Placement, rules: Renting) -> Reason | None:
    """Why whole machines of `offer` cannot be the system asked for, or None."""
    hardware = placement.hardware
    if hardware.instance_type is not None and offer.instance_type != hardware.instance_type:
        return reason("other_machine")
    together = hardware.count if placement.together is None else placement.together
    return limits.together_reason(offer, hardware.accelerator, together, rules)


def runs_on(offer: Offer, placement: Placement, rules: Renting) -> bool:
    """True when whole machines of `offer` can be the system asked for."""
    return fit_reason(offer, placement, rules) is None


def candidates(placement: Placement, offers: Iterable[Offer], rules: Renting) -> list[Offer]:
    """Offers that match every wish except place and purchase option."""
    hardware = placement.hardware
    markets = markets_of(placement.market)
    return [
        offer
        for offer in offers
        if offer.accelerator == hardware.accelerator.id
        and offer.usd_per_instance_hour > 0
        and (placement.provider is None or offer.provider == placement.provider)
        and (markets is None or offer.market in markets)
        and runs_on(offer, placement, rules)
    ]


def select(
    placement: Placement,
    catalog: Catalog,
    as_of: date,
    *,
    hours: float | None = None,
    hours_high: float | None = None,
) -> Selection:
    """The cheapest offer for `placement`.

    Args:
        hours, hours_high: how long one run takes; a purchase option that ends sooner is left out.

    Raises:
        NoOfferError: nothing matches; the message names what is sold, or what is near.
        InputError: `region` or `residency` names no place.
    """
    hardware = placement.hardware
    refuse_unrentable(hardware)
    rules = rules_of(catalog)
    sold_of_it = catalog.current_offers(as_of).of_accelerator(hardware.accelerator.id)
    matching = candidates(placement, sold_of_it, rules)
    scope = None
    if placement.region is not None:
        from costcalc.quote.geography import scope_of

        scope = scope_of(catalog, placement.region)
    if placement.residency is not None:
        matching = staying(placement, catalog, matching)
    there = [
        offer for offer in matching if scope is None or scope.holds(offer.provider, offer.region)
    ]
    moved: geography.Near | None = None
    extra: list[Notice] = []
    if scope is not None and not there and matching:
        there, moved, extra = elsewhere(placement, catalog, scope, matching, hours, rules)
    if not there:
        raise nothing_sold(placement, catalog, as_of, rules)
    sold, purchase = by_purchase(placement, there, hours, rules)
    best = min(sold, key=lambda offer: price_order(offer, hardware.count, catalog))
    choice = chosen(best, hardware.count)
    found = [
        *extra,
        *purchase_notices(placement, purchase),
        *size_notices(placement, choice),
        *place_notices(best, hardware.accelerator, catalog, rules),
        *market_notices(best, hardware.accelerator, choice, rules, hours, hours_high),
        *purchase_terms(best, choice, hours, there, rules),
    ]
    return Selection(choice, tuple(found), best, len(sold), moved)


def price_order(offer: Offer, accelerators: int, catalog: Catalog) -> tuple[object, ...]:
    """Cheapest first; ties by how sure the price and the place are, then by name."""
    return (
        offer.usd_per_instance_hour * instances_needed(offer, accelerators),
        CONFIDENCES.index(offer.confidence),
        zone_rank(offer, catalog),
        offer.provider,
        offer.region or "",
        offer.instance_type,
    )


def zone_rank(offer: Offer, catalog: Catalog) -> int:
    """How well the place of a TPU is documented; 0 for everything else. Breaks ties."""
    if catalog.accelerators()[offer.accelerator].slices is None:
        return 0
    from costcalc.quote import geography

    return geography.zone_rank(offer, catalog)


def place_notices(
    offer: Offer, accelerator: Accelerator, catalog: Catalog, rules: Renting
) -> list[Notice]:
    """What is known about an offer's place; regions are read only where they can tell something."""
    if offer.region is None:
        return [notice("uniform_price", provider=offer.provider, scope=offer.region_scope)]
    if accelerator.slices is None and offer.provider not in rules.opt_in_providers:
        return []
    from costcalc.quote import geography

    return geography.place_notices(offer, catalog)


def staying(placement: Placement, catalog: Catalog, offers: Sequence[Offer]) -> list[Offer]:
    """The offers that are known to stand in the country asked for.

    Raises:
        NoOfferError: there are offers, and none stands there.
    """
    from costcalc.quote import geography

    regions = catalog.regions()
    country = geography.country_code(regions, placement.residency or "")
    inside = [offer for offer in offers if geography.in_country(offer, regions, country)]
    if offers and not inside:
        raise NoOfferError(
            "select.residency",
            name=placement.hardware.accelerator.name,
            count=placement.hardware.count,
            country=country,
            providers=names_of(offer.provider for offer in offers),
        )
    return inside


def chosen(offer: Offer, accelerators: int) -> OfferChoice:
    """`offer` with as many whole machines as `accelerators` need."""
    return OfferChoice(
        provider=offer.provider,
        region=offer.region,
        instance_type=offer.instance_type,
        accelerator=offer.accelerator,
        accelerator_count=offer.accelerator_count,
        instances=instances_needed(offer, accelerators),
        purchase=offer.purchase,
        market=offer.market,
        usd_per_instance_hour=offer.usd_per_instance_hour,
        as_of=offer.as_of,
        source=offer.source,
        confidence=offer.confidence,
    )


def by_purchase(
    placement: Placement, offers: Sequence[Offer], hours: float | None, rules: Renting
) -> tuple[list[Offer], str]:
    """The offers of the purchase option asked for, or of the first one in use.

    Raises:
        NoOfferError: the option is not sold, or it ends before the run does.
    """
    wanted = PURCHASE_FALLBACK if placement.purchase is None else (placement.purchase,)
    too_long: Reason | None = None
    for purchase in wanted:
        sold = [offer for offer in offers if offer.purchase == purchase]
        if not sold:
            continue
        late = None if hours is None else limits.duration_reason(sold[0], hours, rules)
        if late is None:
            return sold, purchase
        too_long = too_long or late
    hardware = placement.hardware
    sold_as = names_of(offer.purchase for offer in offers)
    if too_long is not None:
        raise NoOfferError(
            "select.too_long",
            name=hardware.accelerator.name,
            count=hardware.count,
            sold=sold_as,
            **dict(too_long.params),
        )
    raise NoOfferError(
        "select.purchase_not_sold",
        name=hardware.accelerator.name,
        count=hardware.count,
        purchase=placement.purchase or "on-demand",
        sold=sold_as,
    )


def elsewhere(
    placement: Placement,
    catalog: Catalog,
    scope: RegionScope,
    matching: Sequence[Offer],
    hours: float | None,
    rules: Renting,
) -> tuple[list[Offer], geography.Near, list[Notice]]:
    """The offers of the nearest region, when that was allowed.

    Raises:
        NoOfferError: it was not allowed, or no place is known; the message names the nearest.
    """
    from costcalc.quote import geography

    regions = catalog.regions()
    hardware = placement.hardware
    placed = [offer for offer in matching if offer.region is not None]
    sold, _ = by_purchase(placement, placed or matching, hours, rules)
    near = geography.nearest(sold, scope, regions)
    unproven = names_of(
        offer.provider
        for offer in matching
        if offer.region is None
        and any(key.startswith(f"{offer.provider}/") for key in scope.regions)
    )
    if placement.nearest and near:
        taken = near[0]
        there = [
            offer
            for offer in sold
            if offer.provider == taken.offer.provider and offer.region == taken.offer.region
        ]
        found = geography.moved_notices(taken, scope)
        if unproven:
            found.append(notice("unproven_there", provider=unproven, region=scope.label))
        return there, taken, found
    shown = "; ".join(describe(item, hardware.count) for item in near[:NEAREST_SHOWN])
    raise NoOfferError(
        f"select.not_in_region{'_unproven' if unproven else ''}{'' if near else '_none'}",
        name=hardware.accelerator.name,
        count=hardware.count,
        region=scope.label,
        near=shown,
        unproven=unproven,
    )


def describe(near: geography.Near, accelerators: int) -> str:
    """`gcp us-south1 (Dallas), 1,402 km: USD 9.60/h` - the same words in every language."""
    hourly = near.offer.usd_per_instance_hour * instances_needed(near.offer, accelerators)
    place = near.region.city or near.region.country
    return (
        f"{near.region.provider} {near.region.code} ({place}), {near.kilometres:,.0f} km: "
        f"USD {hourly:,.2f}/h {near.offer.purchase}"
    )


def purchase_notices(placement: Placement, purchase: str) -> list[Notice]:
    """A purchase option that was not asked for is said."""
    if placement.purchase is not None or purchase == "on-demand":
        return []
    name = placement.hardware.accelerator.name
    return [notice("not_sold_on_demand", accelerator=name, purchase=purchase)]


def purchase_terms(
    offer: Offer,
    choice: OfferChoice,
    hours: float | None,
    others: Iterable[Offer],
    rules: Renting,
) -> list[Notice]:
    """What spot machines and commitments cost besides their price."""
    if offer.purchase == "spot" or offer.purchase in rules.term_hours:
        from costcalc.quote import spot

        return [
            *spot.spot_notices(choice, rules),
            *spot.commitment_notices(offer, choice, hours, others, rules),
        ]
    return []


def size_notices(placement: Placement, choice: OfferChoice) -> list[Notice]:
    """Accelerators that are paid for besides those asked for."""
    asked = placement.hardware.count
    if choice.accelerators == asked:
        return []
    return [notice("whole_machines", asked=asked, rented=choice.accelerators)]


def market_notices(
    offer: Offer,
    accelerator: Accelerator,
    choice: OfferChoice,
    rules: Renting,
    hours: float | None = None,
    hours_high: float | None = None,
) -> list[Notice]:
    """What a price list does not tell about renting this offer."""
    found: list[Notice] = []
    practice = limits.sold_only_as(offer, rules)
    if practice is not None:
        found.append(
            notice(
                "not_sold_in_practice",
                provider=offer.provider,
                instance_type=offer.instance_type,
                purchase=offer.purchase,
                sold=names_of(practice.purchases),
            )
        )
    if offer.region is not None and offer.provider in rules.list_without_capacity:
        found.append(
            notice(
                "capacity_unproven",
                provider=offer.provider,
                instance_type=offer.instance_type,
                region=offer.region,
            )
        )
    if accelerator.status == "retired":
        found.append(notice("retired", accelerator=accelerator.name))
    slices = accelerator.slices
    hosts = choice.accelerators > limits.host_size(offer)
    if hosts and (slices is None or choice.accelerators > slices.largest):
        found.append(_amount_notice(offer, choice, rules))
    if hours is not None and hours_high is not None:
        late = limits.duration_reason(offer, hours_high, rules)
        if late is not None:
            found.append(notice("may_be_too_long", **dict(late.params)))
    service = rules.managed_services.get(offer.provider)
    if service is not None:
        found.append(notice("managed_service", provider=offer.provider, service=service))
    return found


def _amount_notice(offer: Offer, choice: OfferChoice, rules: Renting) -> Notice:
    most = limits.most_accelerators(offer, rules)
    if most is None:
        return notice(
            "amount_unproven",
            instances=choice.instances,
            instance_type=offer.instance_type,
            provider=offer.provider,
        )
    return notice("amount_named", most=f"{most:,}", provider=offer.provider)


def refuse_unrentable(hardware: Hardware) -> None:
    """Raise for a chip that is announced only; its claims are told as claims."""
    accelerator = hardware.accelerator
    if accelerator.chip.status != "announced":
        return
    claims = "; ".join(f"{claim.by}: “{claim.text}”" for claim in accelerator.claims)
    if claims:
        raise NoOfferError("select.announced_claims", name=accelerator.name, claims=claims)
    raise NoOfferError("select.announced", name=accelerator.name)


def names_of(values: Iterable[str]) -> str:
    """Each value once, sorted, with commas."""
    return ", ".join(sorted(set(values)))


def nothing_sold(
    placement: Placement, catalog: Catalog, as_of: date, rules: Renting
) -> NoOfferError:
    """The error for a placement that nobody sells, with what is sold instead."""
    hardware = placement.hardware
    name, count = hardware.accelerator.name, hardware.count
    anywhere = [
        offer
        for offer in catalog.current_offers(as_of)
        if offer.accelerator == hardware.accelerator.id and offer.usd_per_instance_hour > 0
    ]
    if not anywhere:
        return NoOfferError("select.no_price", name=name)
    able = [offer for offer in anywhere if runs_on(offer, placement, rules)]
    if able:
        return NoOfferError(
            "select.not_there",
            name=name,
            count=count,
            providers=names_of(f"{offer.provider} ({offer.market})" for offer in able),
        )
    wanted = _wanted(placement, anywhere)
    reasons = [found for offer in wanted if (found := fit_reason(offer, placement, rules))]
    slices = [found for found in reasons if found.code == "no_slice"]
    if slices:
        return NoOfferError("select.no_slice", name=name, **dict(slices[0].params))
    largest = max(limits.host_size(offer) for offer in wanted)
    return NoOfferError("select.no_scale_out", name=name, count=count, largest=largest)


def _wanted(placement: Placement, offers: Sequence[Offer]) -> Sequence[Offer]:
    # the machines meant by the wish, so that the message speaks of them
    machine = placement.hardware.instance_type
    tests: list[Callable[[Offer], bool]] = [
        lambda offer: machine is None or offer.instance_type == machine,
        lambda offer: placement.provider is None or offer.provider == placement.provider,
    ]
    for test in tests:
        kept = [offer for offer in offers if test(offer)]
        offers = kept or offers
    return offers
