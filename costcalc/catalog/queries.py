"""Filters and orders for lists of offers. Pure: nothing is left out without being counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from costcalc.catalog.names import nearest, normal
from costcalc.catalog.offers import Offer, OfferTable
from costcalc.errors import InputError

_SORTS: dict[str, Callable[[Offer], Any]] = {
    "accelerator-price": lambda offer: offer.usd_per_accelerator_hour,
    "instance-price": lambda offer: offer.usd_per_instance_hour,
    "accelerator": lambda offer: offer.accelerator,
    "count": lambda offer: offer.accelerator_count,
    "provider": lambda offer: offer.provider,
    "region": lambda offer: offer.region or "",
    "purchase": lambda offer: offer.purchase,
    "market": lambda offer: offer.market,
    "date": lambda offer: offer.as_of,
}
SORTS = tuple(_SORTS)


@dataclass(frozen=True, slots=True)
class OfferQuery:
    """What a list of offers should hold. An empty tuple or None leaves a property open.

    Attributes:
        accelerators: accelerator ids.
        providers, regions, purchases, markets: names, any case.
        in_region: a test of (provider, region) instead of names, for `mexico` and the like.
        instance_types: instance types, any case.
        history: every dated entry instead of the newest that holds on the day.
        sort: one of `SORTS`; ties are broken by accelerator price, provider, instance and region.
        descending: the other way round.
        limit: so many at most, None for all.
    """

    accelerators: tuple[str, ...] = ()
    providers: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    purchases: tuple[str, ...] = ()
    markets: tuple[str, ...] = ()
    in_region: Callable[[str, str | None], bool] | None = None
    instance_types: tuple[str, ...] = ()
    history: bool = False
    sort: str = "accelerator-price"
    descending: bool = False
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The answer to a query.

    Attributes:
        offers: in order.
        matched: offers that fit the query, also those beyond the limit.
        known: offers that were looked at.
    """

    offers: tuple[Offer, ...]
    matched: int
    known: int

    @property
    def hidden(self) -> int:
        """Fitting offers that the limit leaves out."""
        return self.matched - len(self.offers)


def select_offers(table: OfferTable, query: OfferQuery, as_of: date) -> Selection:
    """The offers of `table` that a query asks for, as they stood on a day.

    Raises:
        InputError: no such sort key, or a provider, region or instance type that no offer has; the
            nearest names are told.
    """
    if query.sort not in _SORTS:
        raise InputError(
            "catalog.no_sort", name=query.sort, names=", ".join(nearest(query.sort, SORTS) or SORTS)
        )
    _check("provider", query.providers, (offer.provider for offer in table))
    _check("region", query.regions, (offer.region for offer in table if offer.region))
    _check("instance", query.instance_types, (offer.instance_type for offer in table))
    known = table if query.history else table.current(as_of)
    found = list(filter(_fits(query), known))
    found.sort(key=_tie)
    found.sort(key=_SORTS[query.sort], reverse=query.descending)
    shown = found if query.limit is None else found[: query.limit]
    return Selection(tuple(shown), len(found), len(known))


def _tie(offer: Offer) -> tuple[Any, ...]:
    return (
        offer.usd_per_accelerator_hour,
        offer.provider,
        offer.instance_type,
        offer.region or "",
        offer.purchase,
        offer.as_of,
    )


def _fits(query: OfferQuery) -> Callable[[Offer], bool]:
    """A test whether an offer is what the query asks for."""
    wanted: list[tuple[Callable[[Offer], str], frozenset[str]]] = []
    properties: list[tuple[Callable[[Offer], str], tuple[str, ...]]] = [
        (lambda offer: offer.accelerator, query.accelerators),
        (lambda offer: offer.provider, query.providers),
        (lambda offer: offer.region or "", query.regions),
        (lambda offer: offer.purchase, query.purchases),
        (lambda offer: offer.market, query.markets),
        (lambda offer: offer.instance_type, query.instance_types),
    ]
    for value, names in properties:
        if names:
            wanted.append((value, frozenset(normal(name) for name in names)))

    def fits(offer: Offer) -> bool:
        if query.in_region is not None and not query.in_region(offer.provider, offer.region):
            return False
        return all(normal(value(offer)) in names for value, names in wanted)

    return fits


def _check(what: str, wanted: tuple[str, ...], valid: Iterable[str]) -> None:
    if not wanted:
        return
    names = set(valid)
    forms = {normal(name) for name in names}
    for name in wanted:
        if normal(name) not in forms:
            near = nearest(name, sorted(names)) or sorted(names)[:8]
            raise InputError(f"catalog.no_{what}", name=name, names=", ".join(near))
