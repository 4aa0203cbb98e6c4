"""Where offers stand: the region asked for, the nearest ones, and what stays in a country.

A price without a region matches no region: it proves the price, not the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from costcalc.catalog.regions import Region, Regions, RegionScope, distance_km, round_trip_floor_ms
from costcalc.errors import InputError
from costcalc.notices import Notice, notice

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.offers import Offer


@dataclass(frozen=True, slots=True)
class Near:
    """An offer outside the region asked for, with its distance.

    Attributes:
        region: where it stands.
        kilometres: great-circle distance to the nearest region asked for.
        origin: that region.
    """

    offer: Offer
    region: Region
    kilometres: float
    origin: Region

    @property
    def round_trip_floor_ms(self) -> float:
        """Lower bound of a round trip, ms."""
        return round_trip_floor_ms(self.kilometres)


def scope_of(catalog: Catalog, text: str) -> RegionScope:
    """The regions that `--region text` means, those that only offers name included.

    Raises:
        InputError: no such region, with the nearest names.
    """
    extra = {
        (offer.provider, offer.region) for offer in catalog.offers() if offer.region is not None
    }
    return catalog.regions().resolve(text, sorted(extra))


def country_code(regions: Regions, text: str) -> str:
    """ISO code of `--residency`: a code in any case.

    Raises:
        InputError: the catalog has no region in such a country.
    """
    code = text.strip().upper()
    known = sorted({region.country for region in regions.values()})
    if code not in known:
        raise InputError("regions.residency", text=text, names=", ".join(known).lower())
    return code


def in_country(offer: Offer, regions: Regions, country: str) -> bool:
    """True when the offer's region is known to lie in `country`."""
    return regions.country(offer.provider, offer.region) == country


def nearest(offers: Iterable[Offer], scope: RegionScope, regions: Regions) -> list[Near]:
    """The nearest region of each provider with one of `offers`, and its cheapest offer there.

    Ordered by distance, then price. Offers whose place is not known are not in it, nor those that
    stand where they were asked for.
    """
    origins = [regions[key] for key in scope.regions if key in regions]
    best: dict[str, Near] = {}
    for offer in offers:
        region = regions.find(offer.provider, offer.region)
        if region is None or region.id in scope.regions:
            continue
        reach = _reach(region, origins)
        if reach is None:
            continue
        found = Near(offer, region, *reach)
        held = best.get(offer.provider)
        if held is None or _order(found) < _order(held):
            best[offer.provider] = found
    return sorted(best.values(), key=_order)


def _order(near: Near) -> tuple[object, ...]:
    return (near.kilometres, near.offer.usd_per_accelerator_hour, near.offer.instance_type)


def _reach(region: Region, origins: Sequence[Region]) -> tuple[float, Region] | None:
    distances = [
        (kilometres, origin.id, origin)
        for origin in origins
        if (kilometres := distance_km(region, origin)) is not None
    ]
    if not distances:
        return None
    # the provider's own region first, where several are equally far
    kilometres, _, origin = min(
        distances, key=lambda item: (round(item[0], 1), item[2].provider != region.provider)
    )
    return kilometres, origin


def moved_notices(near: Near, scope: RegionScope) -> list[Notice]:
    """What is said when the nearest offer is taken instead of the region asked for."""
    region = near.region
    found = [
        notice(
            "nearest_region",
            asked=scope.label,
            provider=region.provider,
            region=region.code,
            city=region.city or region.name,
            country=region.country,
            km=f"{near.kilometres:,.0f}",
            ms=f"{near.round_trip_floor_ms:.0f}",
        )
    ]
    if near.origin.country != region.country:
        found.append(notice("data_leaves", home=near.origin.country, country=region.country))
    return found


def place_notices(offer: Offer, catalog: Catalog) -> list[Notice]:
    """What is known, and what is not, about the region of an offer."""
    found: list[Notice] = []
    region = catalog.regions().find(offer.provider, offer.region)
    if region is None:
        return [notice("region_unknown", provider=offer.provider, region=offer.region)]
    if region.opt_in:
        found.append(notice("opt_in_region", provider=offer.provider, region=offer.region))
    accelerator = catalog.accelerator(offer.accelerator)
    if accelerator.slices is not None:
        found.extend(_zone_notices(region, offer.accelerator))
    return found


def zone_rank(offer: Offer, catalog: Catalog) -> int:
    """0 for a TPU in a documented zone, 1 in an AI zone only, 2 without a zone."""
    region = catalog.regions().find(offer.provider, offer.region)
    zones = () if region is None else region.zones_of(offer.accelerator)
    if not zones:
        return 2
    return 1 if all(zone.ai_zone for zone in zones) else 0


def _zone_notices(region: Region, accelerator: str) -> list[Notice]:
    zones = region.zones_of(accelerator)
    if not zones:
        return [
            notice(
                "tpu_zone_unproven",
                accelerator=accelerator,
                region=region.code,
                provider=region.provider,
            )
        ]
    if all(zone.ai_zone for zone in zones):
        names = ", ".join(zone.zone for zone in zones)
        return [notice("ai_zone", accelerator=accelerator, region=region.code, zones=names)]
    return []
