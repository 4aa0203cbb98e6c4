"""What is listed in a region, and on which evidence: prices, offering lists, documented zones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from costcalc.catalog.offers import Offer
    from costcalc.catalog.regions import Region

EvidenceKind = Literal["price", "listing", "zone", "ai-zone", "uniform-price"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One reason to think, or not, that an accelerator stands in a region.

    Attributes:
        kind: `price` (a price of that region), `listing` (an offering list names it there),
            `zone` or `ai-zone` (Google documents a TPU zone; an AI zone is restricted), or
            `uniform-price` (one price for all regions of the provider: no evidence).
        detail: purchase options, the source's words, or the zone.
        usd_per_accelerator_hour: the lowest price of the kind `price` or `uniform-price`.
    """

    accelerator: str
    instance_type: str
    kind: EvidenceKind
    detail: str
    usd_per_accelerator_hour: Decimal | None
    as_of: date
    source: str


def evidence(region: Region, offers: Iterable[Offer]) -> list[Evidence]:
    """Everything known about accelerators in `region`, the strongest kinds first.

    Args:
        offers: current offers; those of other regions are passed over.
    """
    found = [*_prices(region, offers)]
    for item in region.listed:
        found.append(
            Evidence(
                item.accelerator,
                item.instance_type,
                "listing",
                item.evidence,
                None,
                date.fromisoformat(item.as_of),
                item.source,
            )
        )
    for zone in region.tpu_zones:
        found.append(
            Evidence(
                zone.accelerator,
                "",
                "ai-zone" if zone.ai_zone else "zone",
                zone.zone,
                None,
                date.fromisoformat(zone.as_of),
                zone.source,
            )
        )
    order = ("zone", "ai-zone", "listing", "price", "uniform-price")
    return sorted(
        found,
        key=lambda item: (
            item.kind == "uniform-price",
            item.accelerator,
            item.instance_type,
            order.index(item.kind),
            item.detail,
        ),
    )


def accelerators_in(region: Region, offers: Iterable[Offer]) -> list[str]:
    """Accelerators with any evidence of their own in `region`; one world price is none."""
    return sorted(
        {item.accelerator for item in evidence(region, offers) if item.kind != "uniform-price"}
    )


def _prices(region: Region, offers: Iterable[Offer]) -> list[Evidence]:
    groups: dict[tuple[str, str, EvidenceKind], list[Offer]] = {}
    for offer in offers:
        if offer.provider != region.provider:
            continue
        if offer.region == region.code:
            kind: EvidenceKind = "price"
        elif offer.region is None:
            kind = "uniform-price"
        else:
            continue
        groups.setdefault((offer.accelerator, offer.instance_type, kind), []).append(offer)
    found = []
    for (accelerator, instance_type, kind), members in groups.items():
        cheapest = min(members, key=lambda offer: offer.usd_per_accelerator_hour)
        purchases = dict.fromkeys(offer.purchase for offer in members)
        found.append(
            Evidence(
                accelerator,
                instance_type,
                kind,
                ", ".join(purchases),
                cheapest.usd_per_accelerator_hour,
                cheapest.as_of,
                cheapest.source,
            )
        )
    return found
