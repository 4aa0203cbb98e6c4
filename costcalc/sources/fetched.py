"""The store as a layer over a catalog. A store that cannot be read is told and left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from costcalc.catalog.offers import Offer
from costcalc.catalog.rates import ExchangeRate
from costcalc.sources.database import StoreError
from costcalc.sources.rates import DOF, LEGAL_LAG, Rate, best
from costcalc.sources.store import Store

T = TypeVar("T")


class Fetched:
    """The prices and rates in the store at `path`.

    Args:
        path: the file; it exists.
        on_fault: hears once why the store cannot be read; quotes go on without it.
    """

    def __init__(self, path: Path, on_fault: Callable[[StoreError], None]) -> None:
        self._path = path
        self._on_fault = on_fault
        self._usable = True

    def offers(self, as_of: date, accelerator: str | None) -> Sequence[Offer]:
        """Prices that held on a day, of one accelerator or of all; what is gone carries `ended`."""
        wanted = None if accelerator is None else (accelerator,)
        return self._ask(lambda store: store.offers(as_of, wanted), [])

    def history(self, as_of: date) -> Sequence[Offer]:
        """Every price fetched up to a day: former ones with the day on which they were first seen,
        the last one of each offer as `offers` gives it.
        """

        def read(store: Store) -> list[Offer]:
            last = {offer.key: offer for offer in store.offers(as_of)}
            former: dict[tuple[str, ...], list[Offer]] = {}
            for entry in store.entries():
                if entry.offer.as_of <= as_of:
                    former.setdefault(entry.offer.key, []).append(replace(entry.offer, ended=None))
            earlier = [offer for offers in former.values() for offer in offers[:-1]]
            gone = [former[key][-1] for key, offer in last.items() if offer.ended is not None]
            return [*earlier, *gone, *last.values()]

        return self._ask(read, [])

    def machines(self, name: str) -> Sequence[tuple[str, str, str, int]]:
        """(provider, name, accelerator, count) of an instance type, any case."""
        wanted = name.casefold()
        return [row for row in self._machines if row[1].casefold() == wanted]

    def rate(self, as_of: date, shipped: ExchangeRate | None) -> ExchangeRate | None:
        """The stored rate for a day, or `shipped` where that is newer.

        The rate that the law uses (SF60653) gives way only to one that is much newer.
        """
        held = best(self._rates, as_of)
        if held is None:
            return shipped
        if shipped is not None and shipped.date is not None:
            slack = LEGAL_LAG if held.series == DOF else LEGAL_LAG * 0
            if shipped.date > held.day + slack:
                return shipped
        return ExchangeRate(held.usd_mxn, held.day, held.label)

    def newest(self) -> date | None:
        """Day of the newest fetch of prices."""
        return None if self._newest is None else self._newest[0]

    def mark(self) -> str:
        """`fetched-20261201T140500Z`, the time of the newest fetch of prices."""
        if self._newest is None:
            return ""
        return "fetched-" + self._newest[1].replace("-", "").replace(":", "")

    @cached_property
    def _machines(self) -> list[tuple[str, str, str, int]]:
        return self._ask(lambda store: store.instance_types(), [])

    @cached_property
    def _rates(self) -> list[Rate]:
        return self._ask(lambda store: store.rates(), [])

    @cached_property
    def _newest(self) -> tuple[date, str] | None:
        return self._ask(lambda store: store.newest_run(), None)

    @cached_property
    def _store(self) -> Store:
        return Store.read(self._path)

    def _ask(self, question: Callable[[Store], T], otherwise: T) -> T:
        if not self._usable:
            return otherwise
        try:
            return question(self._store)
        except StoreError as fault:
            self._usable = False
            self._on_fault(fault)
            return otherwise
