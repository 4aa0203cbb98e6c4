"""Electricity tariffs and prices of data: the rooms `electricity` and `storage`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal

from costcalc.catalog.names import nearest
from costcalc.errors import InputError
from costcalc.units import Currency

Period = Literal["flat", "base", "intermediate", "peak"]


@dataclass(frozen=True, slots=True)
class Tariff:
    """An electricity tariff, before IVA, in its own currency.

    Attributes:
        energy: price per kWh: one `flat` price, or `base`, `intermediate` and `peak`.
        capacity_per_kw, distribution_per_kw: per kW of billed demand and month; None for none.
        fixed_per_month: per month.
        load_factor: billed demand is at most kWh / (load_factor x hours); None for no such rule.
    """

    id: str
    name: str
    currency: Currency
    energy: Mapping[Period, Decimal]
    capacity_per_kw: Decimal | None
    distribution_per_kw: Decimal | None
    fixed_per_month: Decimal | None
    load_factor: Decimal | None
    source: str
    as_of: date
    confidence: str
    note: str | None


@dataclass(frozen=True, slots=True)
class DataPrice:
    """What a GB costs: kept for a month, or sent once.

    Attributes:
        kind: `object`, `block` (storage); `internet`, `inter-region`, ... (transfer).
        region: None where `scope` says for which regions the price holds.
        countries: if not empty, the countries whose regions it holds for.
        tier: the provider's name of the storage class; empty for transfer.
        standard: the class that is meant when none is named.
        from_gb: GB of a month from which this price holds.
        usd_per_gb: USD per GB (of `bytes_per_gb` bytes), and month for storage.
    """

    provider: str
    region: str | None
    scope: str
    countries: frozenset[str]
    kind: str
    tier: str
    standard: bool
    from_gb: Decimal
    usd_per_gb: Decimal
    bytes_per_gb: int
    source: str
    as_of: date
    confidence: str

    @property
    def place(self) -> str:
        """The region, or the scope where there is none."""
        return self.region or self.scope


def _number(value: Any) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def find_tariff(raw: Mapping[str, Any], name: str) -> Tariff:
    """The tariff `name` of the raw table `electricity`.

    Raises:
        InputError: no such tariff; the nearest names are told.
    """
    tariffs = raw.get("tariffs", {})
    row = tariffs.get(name.strip().lower())
    if row is None:
        near = nearest(name, tariffs) or list(tariffs)
        raise InputError("owned.no_tariff", name=name, names=", ".join(near))
    source = raw["sources"][row["source"]]
    return Tariff(
        id=name.strip().lower(),
        name=row["name"],
        currency=row["currency"],
        energy={period: Decimal(str(price)) for period, price in row["energy"].items()},
        capacity_per_kw=_number(row.get("capacity_per_kw")),
        distribution_per_kw=_number(row.get("distribution_per_kw")),
        fixed_per_month=_number(row.get("fixed_per_month")),
        load_factor=_number(row.get("load_factor")),
        source=source["text"],
        as_of=date.fromisoformat(source["date"]),
        confidence=row["confidence"],
        note=row.get("note"),
    )


def data_prices(raw: Mapping[str, Any], group: Literal["storage", "transfer"]) -> list[DataPrice]:
    """The rows of `storage` or `transfer` of the raw table `storage`."""
    sources = raw["sources"]
    key = "medium" if group == "storage" else "to"
    return [
        DataPrice(
            provider=row["provider"],
            region=row.get("region"),
            scope=row.get("scope", ""),
            countries=frozenset(row.get("countries", ())),
            kind=row[key],
            tier=row.get("tier", ""),
            standard=bool(row.get("standard", group == "transfer")),
            from_gb=Decimal(str(row.get("from_gb", 0))),
            usd_per_gb=Decimal(str(row["usd"])),
            bytes_per_gb=int(raw["bytes_per_gb"][row["provider"]]["bytes"]),
            source=sources[row["source"]]["text"],
            as_of=date.fromisoformat(row["date"]),
            confidence=row["confidence"],
        )
        for row in raw[group]
    ]
