"""A published exchange rate, as the sources bring it and the store keeps it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

DOF, FIX, ECB = "SF60653", "SF43718", "ECB"
"""Series: the FIX by the day on which it settles debts, the FIX by the day it was determined, and
the cross of the ECB's euro reference rates."""

LABELS = {
    DOF: "Banxico SF60653: FIX published in the DOF on the previous business day",
    FIX: "Banxico SF43718: FIX determined on this day, not yet the rate that the law uses",
    ECB: "ECB euro reference rates, MXN/EUR divided by USD/EUR",
}
STALE_AFTER_DAYS = 7
"""No run of weekends and holidays is as long: an older rate means that something is wrong."""
LEGAL_LAG = timedelta(days=5)
"""How much older than another source the legal rate may be before it loses its precedence."""


@dataclass(frozen=True, slots=True)
class Rate:
    """MXN for 1 USD on a day.

    Attributes:
        series: `SF60653`, `SF43718` or `ECB`.
        day: the day for which the source publishes it.
    """

    series: str
    day: date
    usd_mxn: Decimal

    @property
    def label(self) -> str:
        """What the rate is, in the words that a quote's source shows."""
        return LABELS[self.series]


def best(rates: Iterable[Rate], as_of: date) -> Rate | None:
    """The rate for `as_of`: that of SF60653 unless another source is much newer.

    On a day without a rate the last one published holds (CFF, article 20).
    """
    newest: dict[str, Rate] = {}
    for rate in rates:
        if rate.day <= as_of and (rate.series not in newest or rate.day > newest[rate.series].day):
            newest[rate.series] = rate
    if not newest:
        return None
    latest = max(rate.day for rate in newest.values())
    for series in (DOF, FIX, ECB):
        if series in newest and newest[series].day >= latest - LEGAL_LAG:
            return newest[series]
    return max(newest.values(), key=lambda rate: rate.day)
