"""Exchange rates USD/MXN and IVA rates, each with its date and source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """Pesos per US dollar.

    Attributes:
        usd_mxn: MXN for 1 USD, with all its digits.
        date: the day of the rate, None for one that a person gave.
        source: who published it.
    """

    usd_mxn: Decimal
    date: date | None
    source: str


@dataclass(frozen=True, slots=True)
class IvaRate:
    """A rate of Mexican value-added tax.

    Attributes:
        name: `general`, `border`, `zero`.
        percent: 16 is 16 %.
        source, date: where the rule was read.
        note: to whom it applies.
    """

    name: str
    percent: Decimal
    source: str
    date: str
    note: str


def build_rates(raw: Mapping[str, Any]) -> tuple[ExchangeRate, ...]:
    """The daily rates, oldest first."""
    sources = raw["sources"]
    return tuple(
        ExchangeRate(Decimal(value), date.fromisoformat(day), sources[source])
        for day, value, source in raw["usd_mxn"]
    )


def build_iva(raw: Mapping[str, Any]) -> tuple[IvaRate, ...]:
    """The IVA rates by name."""
    return tuple(
        IvaRate(name, Decimal(percent), source, day, note)
        for name, percent, source, day, note in raw["iva"]
    )
