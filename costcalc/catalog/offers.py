"""Offers: what can be rented, at which price, since when, and who says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, overload


@dataclass(frozen=True, slots=True)
class Offer:
    """One dated price of one machine in one region.

    Attributes:
        provider, instance_type: who rents it out, and what the provider calls it.
        accelerator, accelerator_count: accelerator id, and how many are in one instance.
        vcpus, memory_gib: the rest of the machine, None when not known.
        region: the provider's region, None when one price covers many (`region_scope` says which).
        region_scope: `region`, or in words what a price without a region covers.
        purchase: `on-demand`, `spot`, `commit-1y`, `commit-3y`, `capacity-block`, `flex-start`.
        purchase_as_listed: the provider's own word for it.
        term: commitment or reservation in words, empty when there is none.
        market: `hyperscaler`, `neocloud`, `marketplace`.
        usd_per_instance_hour: price of the whole instance; 0 is "not sold this way", never free.
        usd_per_accelerator_hour: the same price per accelerator (where it does not end,
            eight digits).
        as_of: day of the price.
        source, confidence, note: where it was read; `listed`, `quoted`, `estimated`; remarks.
        scaleout: whether instances can be joined to one job over a fast network, None when unknown.
        max_accelerators: the most that can be had as one job, None when not known.
        multiple_of: accelerators are rented in multiples of this (a per-GPU price of 8-GPU nodes).
        ended: day from which this price was known to be over, None while it holds.
        accelerator_as_listed: the provider's own name of the accelerator.
    """

    provider: str
    instance_type: str
    accelerator: str
    accelerator_count: int
    vcpus: float | None
    memory_gib: float | None
    region: str | None
    region_scope: str
    purchase: str
    purchase_as_listed: str
    term: str
    market: str
    usd_per_instance_hour: Decimal
    usd_per_accelerator_hour: Decimal
    as_of: date
    source: str
    confidence: str
    note: str
    scaleout: bool | None = None
    max_accelerators: int | None = None
    multiple_of: int = 1
    ended: date | None = None
    accelerator_as_listed: str = ""

    @property
    def sold(self) -> bool:
        """False for a price of 0: the machine is not sold this way."""
        return self.usd_per_instance_hour > 0

    @property
    def key(self) -> tuple[str, ...]:
        """What a newer entry must share to take this one's place."""
        return (
            self.provider,
            self.instance_type,
            self.accelerator,
            self.region or "",
            self.purchase,
            self.term,
            self.market,
        )


def fetched_source(source: str, fetched_at: str) -> str:
    """The source of a price that a live source sent, `fetched_at` as `2026-12-01T14:05:00Z`.

    `fetched 2026-12-01 14:05 UTC: Azure Retail Prices API (prices.azure.com)`
    """
    return f"fetched {fetched_at[:10]} {fetched_at[11:16]} UTC: {source}"


def fetch_of(source: str) -> tuple[str, str] | None:
    """(`2026-12-01 14:05 UTC`, who sent it) of a fetched price's source; None for a shipped one."""
    if not source.startswith("fetched "):
        return None
    when, _, who = source.removeprefix("fetched ").partition(": ")
    return (when, who) if who else None


class OfferTable(Sequence[Offer]):
    """All dated offers; a row becomes an `Offer` when it is looked at."""

    def __init__(self, raw: Mapping[str, Any], rows: Sequence[list[Any]] | None = None) -> None:
        self._raw = raw
        self._rows: Sequence[list[Any]] = raw["rows"] if rows is None else rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Offer: ...
    @overload
    def __getitem__(self, index: slice) -> OfferTable: ...
    def __getitem__(self, index: int | slice) -> Offer | OfferTable:
        if isinstance(index, slice):
            return OfferTable(self._raw, self._rows[index])
        return self._offer(self._rows[index])

    def __iter__(self) -> Iterator[Offer]:
        return map(self._offer, self._rows)

    def of_accelerator(self, accelerator: str) -> OfferTable:
        """Only the offers of one accelerator id."""
        return self._where(lambda instance: instance[2] == accelerator)

    def of_instance_type(self, instance_type: str) -> OfferTable:
        """Only the offers of one instance type, any case."""
        wanted = instance_type.casefold()
        return self._where(lambda instance: instance[1].casefold() == wanted)

    def current(self, as_of: date) -> OfferTable:
        """The newest entry per key, not after `as_of`, without what had ended or is not sold.

        A price of 0 ends the prices before it: from its day the machine is not sold this way.
        """
        day = as_of.isoformat()
        newest: dict[tuple[Any, ...], list[Any]] = {}
        for row in self._rows:
            if row[9] > day:
                continue
            key = (row[0], row[1], row[5], row[7], row[8])
            held = newest.get(key)
            if held is None or row[9] > held[9]:
                newest[key] = row
        kept = [
            row for row in newest.values() if not (row[13] and row[13] <= day) and row[2] != "0"
        ]
        return OfferTable(self._raw, kept)

    @cached_property
    def instance_types(self) -> dict[str, list[tuple[str, str, str, int]]]:
        """(provider, name, accelerator, count) of every instance type, by lower-case name."""
        index: dict[str, list[tuple[str, str, str, int]]] = {}
        for provider, name, accelerator, count, *_ in self._raw["instances"]:
            index.setdefault(name.casefold(), []).append((provider, name, accelerator, count))
        return index

    def _where(self, test: Any) -> OfferTable:
        instances = self._raw["instances"]
        wanted = {number for number, instance in enumerate(instances) if test(instance)}
        return OfferTable(self._raw, [row for row in self._rows if row[0] in wanted])

    def _offer(self, row: list[Any]) -> Offer:
        strings = self._raw["strings"]
        (
            provider,
            instance_type,
            accelerator,
            count,
            vcpus,
            memory_gib,
            scaleout,
            max_accelerators,
            multiple_of,
            as_listed,
        ) = self._raw["instances"][row[0]]
        return Offer(
            provider,
            instance_type,
            accelerator,
            count,
            vcpus,
            memory_gib,
            row[1],
            strings[row[4]],
            row[5],
            row[6],
            row[7],
            row[8],
            Decimal(row[2]),
            Decimal(row[3]),
            date.fromisoformat(row[9]),
            strings[row[10]],
            row[11],
            strings[row[12]],
            scaleout,
            max_accelerators,
            multiple_of,
            date.fromisoformat(row[13]) if row[13] else None,
            as_listed,
        )
