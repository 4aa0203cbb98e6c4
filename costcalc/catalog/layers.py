"""A catalog with fetched prices and rates over its own: of one offer the newest entry wins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Protocol

from costcalc.catalog.catalog import Catalog
from costcalc.catalog.offers import Offer, OfferTable
from costcalc.catalog.rates import ExchangeRate
from costcalc.errors import InputError

_KEY = (1, 5, 7, 8)
"""Where a row of the table has region, purchase, term and market."""


class FetchedPrices(Protocol):
    """What lies over a catalog. Each question is asked only when somebody needs the answer."""

    def offers(self, as_of: date, accelerator: str | None) -> Sequence[Offer]:
        """Prices that held on a day, of one accelerator or of all; what is gone carries `ended`."""

    def history(self, as_of: date) -> Sequence[Offer]:
        """Every price fetched up to a day: former ones with the day on which they were first seen,
        the last one of each offer as `offers` gives it.
        """

    def machines(self, name: str) -> Sequence[tuple[str, str, str, int]]:
        """(provider, name, accelerator, count) of an instance type, any case."""

    def rate(self, as_of: date, shipped: ExchangeRate | None) -> ExchangeRate | None:
        """The rate for a day, `shipped` where that is the better one."""

    def newest(self) -> date | None:
        """Day of the newest fetch, None when nothing was ever fetched."""

    def mark(self) -> str:
        """What tells this state of the prices from another one; empty when there are none."""


class LayeredOffers(OfferTable):
    """The offers of a day. Fetched ones are read when rows are needed, of one chip if one is asked.

    Args:
        base: every dated price of the catalog.
        more: fetched prices of one accelerator, or of all.
    """

    def __init__(
        self, base: OfferTable, more: Callable[[str | None], Sequence[Offer]], as_of: date
    ) -> None:
        self._base = base
        self._more = more
        self._as_of = as_of

    def __getattr__(self, name: str) -> Any:
        if name not in ("_raw", "_rows"):
            raise AttributeError(name)
        merged = extended(self._base, self._more(None)).current(self._as_of)
        self._raw, self._rows = merged._raw, merged._rows
        return self.__dict__[name]

    def of_accelerator(self, accelerator: str) -> OfferTable:
        """Only the offers of one accelerator id."""
        mine = self._base.of_accelerator(accelerator)
        return extended(mine, self._more(accelerator)).current(self._as_of)


class LayeredCatalog(Catalog):
    """`base` with `fetched` over it."""

    def __init__(self, base: Catalog, fetched: FetchedPrices) -> None:
        super().__init__(base._store)
        self._fetched = fetched

    @property
    def version(self) -> str:
        """The catalog's own version, and which fetched prices lie over it."""
        mark = self._fetched.mark()
        return f"{super().version}+{mark}" if mark else super().version

    @property
    def digest(self) -> str:
        """SHA-256 of the catalog's files and of which fetched prices lie over them."""
        mark = self._fetched.mark()
        return sha256(f"{super().digest} {mark}".encode()).hexdigest() if mark else super().digest

    @property
    def prices_newest(self) -> date:
        """Day of the newest price, fetched ones included."""
        newest = self._fetched.newest()
        return max(super().prices_newest, newest) if newest else super().prices_newest

    def current_offers(self, as_of: date) -> OfferTable:
        """The newest price per offer, not after `as_of`; without prices of 0 and ended ones."""
        held = self._current.get(as_of)
        if held is None:

            def more(accelerator: str | None) -> Sequence[Offer]:
                return self._fetched.offers(as_of, accelerator)

            held = self._current[as_of] = LayeredOffers(self.offers(), more, as_of)
        return held

    def shipped_offers(self, as_of: date) -> OfferTable:
        """`current_offers` without what was fetched."""
        return self.offers().current(as_of)

    def dated_offers(self, as_of: date) -> OfferTable:
        """Every dated price, history included; of fetched ones those that were known on `as_of`."""
        return extended(self.offers(), self._fetched.history(as_of))

    def machines(self, name: str) -> Sequence[tuple[str, str, str, int]]:
        """(provider, name, accelerator, count) of an instance type, any case."""
        return super().machines(name) or self._fetched.machines(name)

    def rate(self, as_of: date) -> ExchangeRate:
        """The rate for `as_of`, fetched or shipped.

        Raises:
            InputError: no rate is as old as that.
        """
        try:
            shipped = super().rate(as_of)
        except InputError:
            fetched = self._fetched.rate(as_of, None)
            if fetched is None:
                raise
            return fetched
        return self._fetched.rate(as_of, shipped) or shipped


def extended(table: OfferTable, extra: Iterable[Offer]) -> OfferTable:
    """`table` with further dated prices; of two prices of one day the one in `extra` wins.

    A further price of a machine that the table knows belongs to that machine, so that what only
    the catalog says of it (`scaleout`, `max_accelerators`, `multiple_of`) holds for it too.
    """
    further = list(extra)
    if not further:
        return table
    instances = list(table._raw["instances"])
    strings = list(table._raw["strings"])
    index_of_string = {text: number for number, text in enumerate(strings)}
    machines: dict[tuple[str, str, str, int], int] = {}
    for number, instance in enumerate(instances):
        machines.setdefault(tuple(instance[:4]), number)
    priced = {
        (*instances[row[0]][:4], *(row[place] for place in _KEY)): row[0] for row in table._rows
    }

    def string(text: str) -> int:
        if text not in index_of_string:
            index_of_string[text] = len(strings)
            strings.append(text)
        return index_of_string[text]

    rows: list[list[Any]] = []
    for offer in further:
        machine = (
            offer.provider,
            offer.instance_type,
            offer.accelerator,
            offer.accelerator_count,
        )
        place = (offer.region, offer.purchase, offer.term, offer.market)
        number = priced.get((*machine, *place), machines.get(machine, -1))
        if number < 0:
            number = machines[machine] = len(instances)
            instances.append(
                [
                    *machine,
                    offer.vcpus,
                    offer.memory_gib,
                    offer.scaleout,
                    offer.max_accelerators,
                    offer.multiple_of,
                    offer.accelerator_as_listed,
                ]
            )
        rows.append(
            [
                number,
                offer.region,
                str(offer.usd_per_instance_hour),
                str(offer.usd_per_accelerator_hour),
                string(offer.region_scope),
                offer.purchase,
                offer.purchase_as_listed,
                offer.term,
                offer.market,
                offer.as_of.isoformat(),
                string(offer.source),
                offer.confidence,
                string(offer.note),
                offer.ended.isoformat() if offer.ended else "",
            ]
        )
    # the first of two entries of one day stays current: what is further goes first
    raw = {**table._raw, "instances": instances, "strings": strings}
    return OfferTable(raw, [*rows, *table._rows])
