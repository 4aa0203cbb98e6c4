"""Which offer a workload is priced on: the cheapest that can really run it, and why.

Rules: whole machines; several machines only where each is a whole host of its kind (a box with one
GPU of eight has no scale-out network); a purchase option that was asked for never falls back; a
price of zero means "not sold this way".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from costcalc.errors import NoOfferError
from costcalc.notices import Notice, notice
from costcalc.quote.types import OfferChoice

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.hardware import Hardware
    from costcalc.catalog.offers import Offer

PURCHASE_FALLBACK = ("on-demand", "capacity-block", "flex-start", "spot")
DEFAULT_MARKETS = ("hyperscaler", "neocloud")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where and how to rent, as asked; None is "no wish".

    Attributes:
        hardware: accelerator and count, or machines of one type.
        market: a market of the contract, `any`, or None for hyperscaler and neocloud.
    """

    hardware: Hardware
    provider: str | None = None
    region: str | None = None
    purchase: str | None = None
    market: str | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The offer taken, and what must be said about it."""

    choice: OfferChoice
    notices: tuple[Notice, ...]


def instances_needed(offer: Offer, accelerators: int) -> int:
    """Whole machines of `offer` that hold `accelerators`."""
    return -(-accelerators // offer.accelerator_count)


def runs_on(offer: Offer, hardware: Hardware) -> bool:
    """True when whole machines of `offer` can work as one system of the count asked for."""
    if hardware.instance_type is not None:
        return offer.instance_type == hardware.instance_type
    chip = hardware.accelerator.chip
    instances = instances_needed(offer, hardware.count)
    if instances == 1 or hardware.accelerator.slices is not None:
        return True
    if offer.scaleout is not None:
        return offer.scaleout
    return offer.accelerator_count >= (chip.chips_per_host or 1)


def candidates(placement: Placement, offers: Iterable[Offer]) -> list[Offer]:
    """Offers that match every wish except the purchase option."""
    hardware = placement.hardware
    if placement.market in (None, "any"):
        markets: Sequence[str] | None = DEFAULT_MARKETS if placement.market is None else None
    else:
        markets = (placement.market,)
    return [
        offer
        for offer in offers
        if offer.accelerator == hardware.accelerator.id
        and offer.usd_per_instance_hour > 0
        and (placement.provider is None or offer.provider == placement.provider)
        and (placement.region is None or offer.region == placement.region)
        and (markets is None or offer.market in markets)
        and runs_on(offer, hardware)
    ]


def select(placement: Placement, catalog: Catalog, as_of: date) -> Selection:
    """The cheapest offer for `placement`.

    Raises:
        NoOfferError: nothing matches; the message names what is sold.
    """
    hardware = placement.hardware
    refuse_unrentable(hardware)
    matching = candidates(placement, catalog.current_offers(as_of))
    wanted = PURCHASE_FALLBACK if placement.purchase is None else (placement.purchase,)
    for purchase in wanted:
        sold = [offer for offer in matching if offer.purchase == purchase]
        if sold:
            break
    else:
        raise nothing_sold(placement, catalog, as_of, matching)
    best = min(
        sold,
        key=lambda offer: (
            offer.usd_per_instance_hour * instances_needed(offer, hardware.count),
            offer.confidence,
            offer.provider,
            offer.region or "",
            offer.instance_type,
        ),
    )
    choice = OfferChoice(
        provider=best.provider,
        region=best.region,
        instance_type=best.instance_type,
        accelerator=best.accelerator,
        accelerator_count=best.accelerator_count,
        instances=instances_needed(best, hardware.count),
        purchase=best.purchase,
        market=best.market,
        usd_per_instance_hour=best.usd_per_instance_hour,
        as_of=best.as_of,
        source=best.source,
        confidence=best.confidence,
    )
    notices: list[Notice] = []
    if placement.purchase is None and purchase != "on-demand":
        notices.append(
            notice("not_sold_on_demand", accelerator=hardware.accelerator.name, purchase=purchase)
        )
    if choice.accelerators > hardware.count:
        notices.append(notice("whole_machines", asked=hardware.count, rented=choice.accelerators))
    if best.region is None:
        notices.append(notice("uniform_price", provider=best.provider, scope=best.region_scope))
    return Selection(choice, tuple(notices))


def refuse_unrentable(hardware: Hardware) -> None:
    """Raise for a chip that is announced only; its claims are told as claims."""
    accelerator = hardware.accelerator
    if accelerator.chip.status != "announced":
        return
    claims = "; ".join(f"{claim.by}: “{claim.text}”" for claim in accelerator.claims)
    if claims:
        raise NoOfferError("select.announced_claims", name=accelerator.name, claims=claims)
    raise NoOfferError("select.announced", name=accelerator.name)


def nothing_sold(
    placement: Placement, catalog: Catalog, as_of: date, matching: Sequence[Offer]
) -> NoOfferError:
    """The error for a placement that nobody sells, with what is sold instead."""
    hardware = placement.hardware
    if matching:
        sold = sorted({offer.purchase for offer in matching})
        return NoOfferError(
            "select.purchase_not_sold",
            name=hardware.accelerator.name,
            count=hardware.count,
            purchase=placement.purchase or "on-demand",
            sold=", ".join(sold),
        )
    anywhere = [
        offer
        for offer in catalog.current_offers(as_of)
        if offer.accelerator == hardware.accelerator.id and offer.usd_per_instance_hour > 0
    ]
    if not anywhere:
        return NoOfferError("select.no_price", name=hardware.accelerator.name)
    providers = sorted({offer.provider for offer in anywhere if runs_on(offer, hardware)})
    if providers:
        return NoOfferError(
            "select.not_there",
            name=hardware.accelerator.name,
            count=hardware.count,
            providers=", ".join(providers),
        )
    largest = max(offer.accelerator_count for offer in anywhere)
    return NoOfferError(
        "select.no_scale_out", name=hardware.accelerator.name, count=hardware.count, largest=largest
    )
