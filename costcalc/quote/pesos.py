"""Prices that are in pesos: how they become dollars."""

from __future__ import annotations

from decimal import Decimal

# digits that a unit price converted from MXN keeps
PRICE_DIGITS = 12


def usd_price(price_mxn: Decimal, usd_mxn: Decimal) -> Decimal:
    """A price in MXN as USD, to 12 significant digits."""
    price = price_mxn / usd_mxn
    digits = PRICE_DIGITS - 1 - price.adjusted() if price else 0
    return price.quantize(Decimal(1).scaleb(-digits)) if price else price
