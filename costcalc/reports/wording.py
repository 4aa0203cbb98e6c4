"""Figures as a person reads them: currency always written out, digits that mean something."""

from __future__ import annotations

from decimal import Decimal

from costcalc import messages
from costcalc.quote.types import Quote, Totals
from costcalc.units import Currency

_SCALES = ((10**24, "Y"), (10**21, "Z"), (10**18, "E"), (10**15, "P"), (10**12, "T"))
_COUNT_SCALES = ((10**12, "T"), (10**9, "B"), (10**6, "M"))


def money(amount: Decimal, currency: Currency) -> str:
    """`USD 1,234.50`: grouping and decimal point as es_MX and en_US both write them."""
    return f"{currency} {amount:,.2f}"


def unit_price(amount: Decimal) -> str:
    """A unit price with all its digits, at least two decimals."""
    text = f"{amount:,f}"
    whole, _, fraction = text.partition(".")
    return f"{whole}.{fraction.ljust(2, '0')}"


def flops(value: float) -> str:
    """`7.6e23` as `760 ZFLOP`."""
    for scale, prefix in (*_SCALES, (10**9, "G")):
        if value >= scale:
            return f"{value / scale:,.3g} {prefix}FLOP"
    return f"{value:,.3g} FLOP"


def count(value: float) -> str:
    """`70552387584` as `70.6B`."""
    for scale, suffix in _COUNT_SCALES:
        if value >= scale:
            return f"{value / scale:.3g}{suffix}"
    return f"{value:,.0f}"


def hours(value: float, language: str) -> str:
    """Hours, with days from two days on."""
    text = f"{value:,.1f} h" if value < 1000 else f"{value:,.0f} h"
    if value < 48:
        return text
    return f"{text} ({messages.text('wording.days', language, days=f'{value / 24:,.1f}')})"


def percent(fraction: float, digits: int = 0) -> str:
    """A fraction as a percentage."""
    return f"{fraction * 100:.{digits}f}%"


def currencies(quote: Quote) -> tuple[Currency, ...]:
    """The currencies that a report shows."""
    if quote.requested_currency == "both":
        return ("USD", "MXN")
    return (quote.requested_currency,)


def total_of(totals: Totals, currency: Currency) -> tuple[Decimal, Decimal, Decimal]:
    """Low, middle and high total in one currency."""
    if currency == "USD":
        return totals.usd_low, totals.usd, totals.usd_high
    return totals.mxn_low, totals.mxn, totals.mxn_high


def way(code: str, language: str) -> str:
    """A purchase option or a kind of seller in words: `on-demand` as `bajo demanda`."""
    return messages.area(language, "ways").get(code.replace("-", "_"), code)
