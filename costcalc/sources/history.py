"""How prices moved: the catalog's dated entries and the store's, one series per offer. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from costcalc.catalog.offers import Offer

_LEVELS = "▁▂▃▄▅▆▇█"
_NOT_SOLD = "·"


@dataclass(frozen=True, slots=True)
class Point:
    """A price from a day on.

    Attributes:
        until: the day on which another price took its place or the offer was gone, None while it
            holds.
        gone: nothing took its place.
    """

    offer: Offer
    until: date | None
    gone: bool

    @property
    def usd(self) -> Decimal:
        """USD per instance-hour; 0 means that it is not sold this way from this day on."""
        return self.offer.usd_per_instance_hour


@dataclass(frozen=True, slots=True)
class Series:
    """All prices of one offer, oldest first."""

    points: tuple[Point, ...]

    @property
    def first(self) -> Point:
        """The oldest price."""
        return self.points[0]

    @property
    def last(self) -> Point:
        """The newest price."""
        return self.points[-1]

    @property
    def change_pct(self) -> Decimal | None:
        """From the oldest to the newest price in percent, None when one of them is 0."""
        if not self.first.usd or not self.last.usd:
            return None
        return (self.last.usd / self.first.usd - 1) * 100

    @property
    def trend(self) -> str:
        """A sparkline of the prices, one character each; empty for a single one."""
        return sparkline([point.usd for point in self.points]) if len(self.points) > 1 else ""


def series_of(offers: Iterable[Offer], as_of: date) -> list[Series]:
    """The series of dated offers up to a day; those that moved most come first.

    Args:
        offers: dated offers in any order; of two of the same offer and day the last one counts.
    """
    by_key: dict[tuple[str, ...], dict[date, Offer]] = {}
    for offer in offers:
        if offer.as_of <= as_of:
            by_key.setdefault(offer.key, {})[offer.as_of] = offer
    found = [_series([days[day] for day in sorted(days)], as_of) for days in by_key.values()]
    return sorted(
        found, key=lambda item: (-abs(item.change_pct or Decimal(0)), item.first.offer.key)
    )


def _series(offers: Sequence[Offer], as_of: date) -> Series:
    points = []
    for position, offer in enumerate(offers):
        following = offers[position + 1] if position + 1 < len(offers) else None
        ended = offer.ended if offer.ended is not None and offer.ended <= as_of else None
        if following is not None and (ended is None or following.as_of <= ended):
            points.append(Point(offer, following.as_of, False))
        else:
            points.append(Point(offer, ended, ended is not None))
    return Series(tuple(points))


def sparkline(values: Sequence[Decimal]) -> str:
    """One block per value between the lowest and the highest; a dot where nothing is sold."""
    sold = [value for value in values if value]
    if not sold:
        return _NOT_SOLD * len(values)
    low, high = min(sold), max(sold)
    span = high - low
    if not span:
        return "".join(_LEVELS[3] if value else _NOT_SOLD for value in values)
    top = len(_LEVELS) - 1
    return "".join(
        _LEVELS[int((value - low) / span * top)] if value else _NOT_SOLD for value in values
    )
