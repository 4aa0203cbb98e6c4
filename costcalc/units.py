"""Quantities in and out: what people type becomes exact numbers with a unit in their name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Literal

from costcalc.errors import InputError

Currency = Literal["USD", "MXN"]

_SCALES = {
    "": 0,
    "k": 3,
    "m": 6,
    "b": 9,
    "g": 9,
    "t": 12,
    "p": 15,
}
_BINARY_SCALES = {"ki": 10, "mi": 20, "gi": 30, "ti": 40}
_NUMBER = re.compile(
    r"([+-]?[0-9][0-9_,]*\.?[0-9_]*(?:[eE][+-]?[0-9]{1,3})?|[+-]?\.[0-9]+)\s*([A-Za-z]*)"
)
_HOURS = {
    "ms": Decimal(1) / Decimal(3_600_000),
    "s": Decimal(1) / Decimal(3600),
    "min": Decimal(1) / Decimal(60),
    "h": Decimal(1),
    "d": Decimal(24),
    "w": Decimal(168),
}
_MILLISECONDS = {"ms": Decimal(1), "s": Decimal(1000), "min": Decimal(60_000)}
MAX_COUNT = 10**24


@dataclass(frozen=True, slots=True)
class Money:
    """An amount that always knows its currency."""

    amount: Decimal
    currency: Currency

    def __str__(self) -> str:
        return f"{self.currency} {self.amount:,.2f}"


def _split(text: str, what: str, example: str) -> tuple[Decimal, str]:
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        raise InputError("units.number", what=what, text=text, example=example)
    try:
        value = Decimal(match[1].replace("_", "").replace(",", ""))
    except InvalidOperation:
        raise InputError("units.number", what=what, text=text, example=example) from None
    return value, match[2]


def _scaled(text: str, what: str, example: str) -> Decimal:
    value, suffix = _split(text, what, example)
    key = suffix.lower()
    if key in _SCALES:
        return value.scaleb(_SCALES[key])
    if key in _BINARY_SCALES:
        return value * (1 << _BINARY_SCALES[key])
    raise InputError("units.number", what=what, text=text, example=example)


def parse_count(
    text: str, what: str, *, low: int = 1, high: int = MAX_COUNT, example: str = "15T"
) -> int:
    """A whole number with an optional suffix: `15T`, `70B`, `8k` (8,000), `8Ki` (8,192), `1.5e12`.

    Raises:
        InputError: not a number, not whole, or outside `low`..`high`; `what` names the place.
    """
    value = _scaled(text, what, example)
    if not low <= value <= high or value != value.to_integral_value():
        raise InputError("units.count_range", what=what, text=text, low=low, high=high)
    return int(value)


def parse_number(
    text: str, what: str, *, low: Decimal | int, high: Decimal | int, example: str = "1.5"
) -> Decimal:
    """A number with an optional suffix, within `low`..`high` inclusive."""
    value = _scaled(text, what, example)
    if not low <= value <= high:
        raise InputError("units.number_range", what=what, text=text, low=low, high=high)
    return value


def _duration(text: str, what: str, units: dict[str, Decimal], example: str) -> Decimal:
    try:
        value, suffix = _split(text, what, example)
    except InputError:
        raise InputError("units.duration", what=what, text=text, example=example) from None
    scale = units.get(suffix.lower())
    if scale is None or value <= 0 or value * scale > 10**9:
        raise InputError("units.duration", what=what, text=text, example=example)
    return value * scale


def parse_hours(text: str, what: str) -> float:
    """A duration in hours: `36h`, `30d`, `2w`, `90min`."""
    return float(_duration(text, what, _HOURS, "30d"))


def parse_milliseconds(text: str, what: str) -> float:
    """A latency in milliseconds: `500ms`, `2s`."""
    return float(_duration(text, what, _MILLISECONDS, "500ms"))


def parse_money(text: str, what: str) -> Money:
    """An amount with its currency: `20000USD`, `USD 20,000`, `350k MXN`.

    Raises:
        InputError: no currency (never assumed), not a number, or not above zero.
    """
    stripped = text.strip()
    upper = stripped.upper()
    currency: Currency | None = None
    for name in ("USD", "MXN"):
        if upper.endswith(name):
            currency, stripped = name, stripped[: -len(name)].strip()
            break
        if upper.startswith(name):
            currency, stripped = name, stripped[len(name) :].strip()
            break
    if currency is None:
        digits = re.sub(r"[^0-9.]", "", stripped) or "20000"
        raise InputError("units.money_currency", what=what, text=text, example=digits)
    try:
        amount = _scaled(stripped, what, "20000USD")
    except InputError:
        raise InputError("units.money", what=what, text=text) from None
    if not 0 < amount < Decimal(10) ** 15:
        raise InputError("units.money", what=what, text=text)
    return Money(amount, currency)


def parse_percent(text: str, what: str, *, high: int = 100) -> Decimal:
    """A percentage as a fraction: `12%` or `12` is Decimal('0.12')."""
    try:
        value, suffix = _split(text.strip().removesuffix("%"), what, "12%")
    except InputError:
        raise InputError("units.percent", what=what, text=text, high=high) from None
    if suffix or not 0 <= value <= high:
        raise InputError("units.percent", what=what, text=text, high=high)
    return value / 100


def parse_date(text: str, what: str) -> date:
    """An ISO date, `2026-12-01`."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise InputError("units.date", what=what, text=text) from None
