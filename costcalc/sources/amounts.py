"""Prices out of other people's answers: exact, finite, and never a guess."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from costcalc.sources.faults import FeedError, excerpt

HOURS_PER_YEAR = Decimal(8760)
HOURS_PER_MONTH = Decimal(730)
HIGHEST = Decimal(100_000)
"""USD per instance-hour above which a price is taken for a fault of the source."""
_PLACES = Decimal("1e-9")
_SEVEN_PLACES = Decimal("1e-7")


def price(value: object, where: str) -> Decimal:
    """`value` (text or JSON number) as a price in its own currency, zero included.

    Args:
        where: the row, as the message names it.

    Raises:
        FeedError: missing, no number, not finite, negative or absurdly high.
    """
    if value is None or value == "":
        raise FeedError("sources.no_price", where=excerpt(where))
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise FeedError("sources.bad_price", where=excerpt(where), value=excerpt(value))
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise FeedError("sources.bad_price", where=excerpt(where), value=excerpt(value)) from None
    if not number.is_finite() or number < 0 or number > HIGHEST * HOURS_PER_YEAR * 5:
        raise FeedError("sources.bad_price", where=excerpt(where), value=excerpt(value))
    return trimmed(number)


def trimmed(number: Decimal) -> Decimal:
    """The same number without trailing zeros; 10 is `10`, not `1E+1`."""
    plain = number.normalize()
    return plain.quantize(Decimal(1)) if plain.as_tuple().exponent > 0 else plain  # type: ignore[operator]


def quotient(total: Decimal, parts: Decimal | int) -> Decimal:
    """`total / parts` with nine places where it does not end sooner."""
    share = total / parts
    rounded = share.quantize(_PLACES)
    return trimmed(share if share == rounded else rounded)


def per_accelerator(whole: Decimal, count: int) -> Decimal:
    """An even share of a machine's price, at seven places where it does not end sooner."""
    share = whole / count
    rounded = share.quantize(_SEVEN_PLACES)
    if share == rounded and len(str(share)) <= len(str(rounded)):
        return share
    return rounded.normalize()
