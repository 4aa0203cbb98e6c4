"""The offers of a quote as points of cost against time: what a chart and a table show of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from costcalc.quote.types import Quote

MOST_POINTS = 40


@dataclass(frozen=True, slots=True)
class Point:
    """One way to do the run.

    Attributes:
        number: its rank, as text; empty for the quote itself where no offer of the list is it.
        hours: of the run; None for what goes on all month.
        tpot_ms: time per output token of a service; None otherwise.
        pareto: nothing else listed is both cheaper and faster.
        quoted: this is what the quote prices.
    """

    number: str
    where: str
    accelerators: int
    accelerator: str
    purchase: str
    hours: float | None
    usd: Decimal
    usd_low: Decimal | None
    usd_high: Decimal | None
    mxn: Decimal
    as_of: str
    confidence: str
    pareto: bool
    quoted: bool
    tpot_ms: float | None = None


def points(quote: Quote) -> tuple[Point, ...]:
    """The offers that fit, cheapest first, and the quote itself if it is not among them."""
    found = [point(offer, quote) for offer in fitting(quote)[:MOST_POINTS]]
    own = _own(quote)
    if own is not None and found and not any(item.quoted for item in found):
        found.append(own)
    return tuple(found)


def fitting(quote: Quote) -> list[Mapping[str, Any]]:
    """The records of the offers that can do the run."""
    return [offer for offer in quote.offers if offer["fits"]]


def point(offer: Mapping[str, Any], quote: Quote) -> Point:
    """A record of the ranking as a point."""
    return Point(
        number=str(offer["rank"]),
        where=f"{offer['provider']} {offer['region'] or '–'}, {offer['instance_type']}",
        accelerators=offer["accelerator_count"],
        accelerator=offer["accelerator"],
        purchase=offer["purchase"],
        hours=offer.get("hours"),
        usd=offer["usd"],
        usd_low=offer.get("usd_low"),
        usd_high=offer.get("usd_high"),
        mxn=offer["mxn"],
        as_of=offer["as_of"].isoformat(),
        confidence=offer["confidence"],
        pareto=bool(offer.get("pareto")),
        quoted=_is_quoted(offer, quote),
        tpot_ms=offer.get("tpot_ms"),
    )


def _is_quoted(offer: Mapping[str, Any], quote: Quote) -> bool:
    choice = quote.workloads[0].offer if quote.workloads else None
    return choice is not None and (
        offer["provider"],
        offer["region"],
        offer["instance_type"],
        offer["purchase"],
        offer["accelerator_count"],
    ) == (
        choice.provider,
        choice.region,
        choice.instance_type,
        choice.purchase,
        choice.accelerators,
    )


def _own(quote: Quote) -> Point | None:
    if len(quote.workloads) != 1:
        return None
    workload = quote.workloads[0]
    estimate: Any = workload.estimate
    hours = getattr(estimate, "hours", None)
    tpot_ms = getattr(getattr(estimate, "serving", None), "tpot_ms", None)
    offer = workload.offer
    if offer is None or (hours is None and tpot_ms is None):
        return None
    totals = quote.totals
    return Point(
        number="",
        where=f"{offer.provider} {offer.region or '–'}, {offer.instance_type}",
        accelerators=offer.accelerators,
        accelerator=offer.accelerator,
        purchase=offer.purchase,
        hours=hours,
        usd=totals.usd,
        usd_low=totals.usd_low,
        usd_high=totals.usd_high,
        mxn=totals.mxn,
        as_of=offer.as_of.isoformat(),
        confidence=offer.confidence,
        pareto=False,
        quoted=True,
        tpot_ms=tpot_ms,
    )


@dataclass(frozen=True, slots=True)
class Timed:
    """Points on an axis of time.

    Attributes:
        kind: `hours` of a run, or `tpot_ms`, the time per token of a service.
        pairs: time and point.
    """

    kind: str
    pairs: tuple[tuple[float, Point], ...]


def timed(found: Sequence[Point]) -> Timed | None:
    """Points with their times; None where no time tells them apart."""
    for kind in ("hours", "tpot_ms"):
        pairs = tuple((time, item) for item in found if (time := getattr(item, kind)) is not None)
        if len({time for time, _ in pairs}) > 1:
            return Timed(kind, pairs)
    return None


def front(found: Sequence[tuple[float, Point]]) -> list[tuple[float, Point]]:
    """The Pareto set, fastest first."""
    return sorted(((hours, item) for hours, item in found if item.pareto), key=lambda pair: pair[0])


@dataclass(frozen=True, slots=True)
class Scale:
    """An axis: where a value stands on it, and which values are marked.

    Attributes:
        low, high: ends, above zero.
        logarithmic: equal distances are equal factors.
    """

    low: float
    high: float
    logarithmic: bool

    def at(self, value: float) -> float:
        """0 at the low end, 1 at the high one."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> tuple[float, ...]:
        """Round values on the axis, three to eight of them."""
        return tuple(_round_values(self.low, self.high, self.logarithmic))


def scale(values: Sequence[float]) -> Scale:
    """An axis that holds `values` with a margin: logarithmic where they span a factor of 5."""
    low, high = min(values), max(values)
    if low <= 0 or high / low <= 5:
        return Scale(0.0, (high or 1.0) * 1.12, False)
    margin = (high / low) ** 0.08
    return Scale(low / margin, high * margin, True)


def _round_values(low: float, high: float, logarithmic: bool) -> Iterator[float]:
    if logarithmic:
        decades = math.log10(high / low)
        steps = (1.0, 2.0, 5.0) if decades < 2.2 else (1.0, 3.0) if decades < 4 else (1.0,)
        every = max(math.ceil(decades / 8), 1)
        for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
            for step in steps if power % every == 0 else ():
                value = step * 10.0**power
                if low <= value <= high:
                    yield value
        return
    rough = (high - low) / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(size * unit for size in (1.0, 2.0, 2.5, 5.0, 10.0) if size * unit >= rough)
    number = math.ceil(low / step)
    while number * step <= high:
        yield number * step
        number += 1


def short(value: float) -> str:
    """`1,250`, `12.5k`, `3.4M`: an axis label."""
    for size, suffix in ((1e9, "B"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if suffix == 'k' else size):,.4g}{suffix}"
    return f"{value:,.4g}"
