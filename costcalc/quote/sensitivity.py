"""Which assumption moves the total most: each is varied alone, within stated bounds.

A tornado: the quote is made again with one assumption at its low and at its high bound, everything
else as quoted. Nothing is combined, so that the rows do not add up to the range of the quote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from costcalc.errors import CostcalcError
from costcalc.quote.types import Totals

Requote = Callable[[], Totals]


@dataclass(frozen=True, slots=True)
class Variation:
    """One assumption and how to quote again with another value of it.

    Attributes:
        name: stable name; the message `sensitivity.<name>` says it in words.
        workload: whose assumption; empty for the whole quote.
        base, low, high: values in words, as quoted and at the bounds; `low` is the bound that makes
            the quote cheaper (a larger batch, say).
        basis: stable name of why these bounds; the message `sensitivity.basis_<name>`.
        at_low, at_high: quote again; None where there is no such bound.
    """

    name: str
    workload: str
    base: str
    low: str
    high: str
    basis: str
    at_low: Requote | None
    at_high: Requote | None


@dataclass(frozen=True, slots=True)
class Swing:
    """What one assumption does to the total. Totals without IVA, both currencies.

    Attributes:
        low, high: the values that were tried; empty where the quote could not be made with it.
        usd_at_low, usd_at_high, mxn_at_low, mxn_at_high: totals with them, None likewise.
        swing_usd, swing_mxn: largest total less smallest one, that of the quote included.
    """

    name: str
    workload: str
    base: str
    low: str
    high: str
    basis: str
    usd_at_low: Decimal | None
    usd_at_high: Decimal | None
    mxn_at_low: Decimal | None
    mxn_at_high: Decimal | None
    swing_usd: Decimal
    swing_mxn: Decimal


def swings(base: Totals, variations: Iterable[Variation]) -> tuple[Swing, ...]:
    """Every variation that could be quoted, the largest swing in MXN first.

    MXN, because the exchange rate moves only that total.
    """
    found = [swing for item in variations if (swing := _swing(base, item)) is not None]
    return tuple(sorted(found, key=lambda swing: (-swing.swing_mxn, swing.workload, swing.name)))


def _swing(base: Totals, item: Variation) -> Swing | None:
    low, high = _totals(item.at_low), _totals(item.at_high)
    if low is None and high is None:
        return None
    tried = [base, *(totals for totals in (low, high) if totals is not None)]
    return Swing(
        name=item.name,
        workload=item.workload,
        base=item.base,
        low=item.low if low is not None else "",
        high=item.high if high is not None else "",
        basis=item.basis,
        usd_at_low=None if low is None else low.usd,
        usd_at_high=None if high is None else high.usd,
        mxn_at_low=None if low is None else low.mxn,
        mxn_at_high=None if high is None else high.mxn,
        swing_usd=_spread([totals.usd for totals in tried]),
        swing_mxn=_spread([totals.mxn for totals in tried]),
    )


def _spread(values: Sequence[Decimal]) -> Decimal:
    return max(values) - min(values)


def _totals(requote: Requote | None) -> Totals | None:
    """The totals, None where the quote cannot be made: it does not fit, nobody sells it."""
    if requote is None:
        return None
    try:
        return requote()
    except CostcalcError:
        return None
