"""Fetched prices and rates with their history, in one SQLite file of the user's data folder.

A price is written once, when it is first seen, and gets an end when another one takes its place or
the source no longer lists it. That it still holds is told by the runs of its feed: every complete
fetch is one row there. So a fetch without news writes one row, and what held on any day can be
asked: the answer for a past day never changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from costcalc.catalog.offers import Offer, fetched_source
from costcalc.sources import database
from costcalc.sources.database import FOREVER, StoreError, told
from costcalc.sources.rates import Rate

if TYPE_CHECKING:
    # a quote reads the store and must not pay for what fetches
    from costcalc.sources.rows import FeedResult, FeedRow, Key

CLOCK_SLACK = timedelta(days=1)
_COLUMNS = (
    "provider, instance_type, accelerator, accelerator_count, vcpus, memory_gib, region,"
    " region_scope, purchase, purchase_as_listed, term, market, usd_per_instance_hour,"
    " usd_per_accelerator_hour, confidence, note, accelerator_as_listed"
)


@dataclass(frozen=True, slots=True)
class Move:
    """A price that changed."""

    before: Offer
    after: Offer

    @property
    def change_pct(self) -> Decimal:
        """How far it moved, percent of the former price."""
        old, new = self.before.usd_per_instance_hour, self.after.usd_per_instance_hour
        return (new / old - 1) * 100


@dataclass(frozen=True, slots=True)
class Changes:
    """What one fetch changed in the store.

    Attributes:
        missing: not listed, and kept all the same, since something unknown is listed there.
    """

    rows: int
    new: tuple[Offer, ...]
    changed: tuple[Move, ...]
    vanished: tuple[Offer, ...]
    missing: tuple[Offer, ...]
    unchanged: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A dated price as the store keeps it.

    Attributes:
        offer: with the day on which the price was first seen as `as_of`.
        feed: which feed brought it.
        fetched_at: when it was first seen.
        ended: day from which it no longer held, None while it holds.
        vanished: the source no longer lists it (otherwise another price took its place).
    """

    offer: Offer
    feed: str
    fetched_at: str
    ended: date | None
    vanished: bool


class Store:
    """The store at `path`.

    Args:
        path: the file.
        connection: from `costcalc.sources.database`.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection

    @classmethod
    def read(cls, path: Path) -> Store:
        """An existing store, for reading.

        Raises:
            StoreError: it cannot be opened.
        """
        return cls(path, database.open_for_reading(path))

    @classmethod
    def write(cls, path: Path) -> Store:
        """The store, for writing; it is made when there is none.

        Raises:
            StoreError: it cannot be opened or made.
        """
        return cls(path, database.open_for_writing(path))

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def verify(self) -> None:
        """Read all of the file.

        Raises:
            StoreDamagedError: a part cannot be read.
        """
        database.verify(self._db, self.path)

    # -- reading -------------------------------------------------------------------------------

    def offers(self, as_of: date, accelerators: Collection[str] | None = None) -> list[Offer]:
        """The prices that held on `as_of`, and those that the source had dropped by then.

        `as_of` of an offer is the day of the last fetch that confirmed it; its source names the
        time. One that had vanished carries `ended`, so that an older catalog entry of the same
        offer does not come back.

        Args:
            accelerators: ids to look for; None for all.

        Raises:
            StoreError: the file cannot be read.
        """
        day = as_of.isoformat()
        clause, values = _accelerator_clause(accelerators)
        with told(self.path):
            live = self._db.execute(
                f"SELECT feed, begun_run, held_run, {_COLUMNS} FROM offers"
                f" WHERE begun <= ? AND ended > ?{clause} ORDER BY id",
                (day, day, *values),
            ).fetchall()
            gone = self._db.execute(
                f"SELECT begun_run, ended, {_COLUMNS} FROM offers"
                f" WHERE ended_why = 'vanished' AND ended <= ?{clause} ORDER BY ended, id",
                (day, *values),
            ).fetchall()
            runs = _Runs(self._db, day)
            found: list[Offer] = []
            for feed, begun_run, held_run, *row in live:
                held = _offer(row)
                run = runs.last_of(feed, held.region, begun_run, held_run)
                found.append(replace(held, as_of=run.as_of, source=run.words))
            alive = {held.key for held in found}
            dropped: dict[Key, Offer] = {}
            for begun_run, ended, *row in gone:
                last = date.fromisoformat(ended)
                held = _offer(row)
                if held.key not in alive:
                    source = runs.number(begun_run).words
                    dropped[held.key] = replace(held, as_of=last, ended=last, source=source)
        return found + list(dropped.values())

    def entries(
        self,
        *,
        accelerator: str | None = None,
        instance_type: str | None = None,
        provider: str | None = None,
        feed: str | None = None,
    ) -> list[Entry]:
        """Every dated price, oldest first.

        Raises:
            StoreError: the file cannot be read.
        """
        wanted = {
            "o.accelerator = ?": accelerator,
            "o.instance_type = ? COLLATE NOCASE": instance_type,
            "o.provider = ?": provider,
            "o.feed = ?": feed,
        }
        tests = [test for test, value in wanted.items() if value is not None]
        values = [value for value in wanted.values() if value is not None]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        columns = ", ".join(f"o.{name.strip()}" for name in _COLUMNS.split(","))
        with told(self.path):
            rows = self._db.execute(
                f"SELECT o.feed, o.begun, o.ended, o.ended_why, r.fetched_at, r.source, {columns}"
                f" FROM offers o JOIN runs r ON r.id = o.begun_run{where} ORDER BY o.begun, o.id",
                values,
            ).fetchall()
        found = []
        for name, begun, ended, why, fetched_at, source, *row in rows:
            last = None if ended == FOREVER else date.fromisoformat(ended)
            held = replace(
                _offer(row),
                as_of=date.fromisoformat(begun),
                source=fetched_source(source, fetched_at),
                ended=last if why == "vanished" else None,
            )
            found.append(Entry(held, name, fetched_at, last, why == "vanished"))
        return found

    def rates(self) -> list[Rate]:
        """Every rate, oldest first; of a corrected one the latest value.

        Raises:
            StoreError: the file cannot be read.
        """
        with told(self.path):
            rows = self._db.execute(
                "SELECT series, day, usd_mxn FROM rates ORDER BY day, id"
            ).fetchall()
        latest = {
            (series, day): Rate(series, date.fromisoformat(day), Decimal(usd_mxn))
            for series, day, usd_mxn in rows
        }
        return list(latest.values())

    def live(self, feed: str) -> dict[Key, Offer]:
        """What a feed last listed, by key.

        Raises:
            StoreError: the file cannot be read.
        """
        with told(self.path):
            return {held.key: held for _, held in self._live(feed)}

    def newest_run(self) -> tuple[date, str] | None:
        """Day and time of the newest fetch of prices, None when there was none.

        Raises:
            StoreError: the file cannot be read.
        """
        with told(self.path):
            row = self._db.execute(
                "SELECT as_of, fetched_at FROM runs ORDER BY id DESC LIMIT 1"
            ).fetchone()
        return None if row is None else (date.fromisoformat(row[0]), str(row[1]))

    def instance_types(self) -> list[tuple[str, str, str, int]]:
        """(provider, name, accelerator, count) of every machine that is listed now.

        Raises:
            StoreError: the file cannot be read.
        """
        with told(self.path):
            rows = self._db.execute(
                "SELECT DISTINCT provider, instance_type, accelerator, accelerator_count"
                " FROM offers WHERE ended = ?",
                (FOREVER,),
            ).fetchall()
        return [tuple(row) for row in rows]

    # -- writing -------------------------------------------------------------------------------

    def record(
        self, feed: str, result: FeedResult, *, as_of: date, fetched_at: datetime
    ) -> Changes:
        """Write one complete fetch in one transaction.

        Args:
            as_of: the day that the rows get.
            fetched_at: when they were fetched, in UTC.

        Raises:
            StoreError: the file cannot be written, or `as_of` lies before the last fetch (a clock
                that went back); nothing was changed then.
        """
        with told(self.path), self._transaction():
            day = self._day(feed, as_of)
            (last_run,) = self._db.execute("SELECT max(id) FROM runs").fetchone()
            before = {
                held.key: (number, held)
                for number, held in self._live(feed)
                if result.regions is None
                or held.region is None
                or held.region in result.regions
                or held.key in result.rows
            }
            run = self._db.execute(
                "INSERT INTO runs (feed, as_of, fetched_at, regions, source, rows)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (
                    feed,
                    day,
                    _stamp(fetched_at),
                    _regions(result),
                    result.source,
                    len(result.rows),
                ),
            ).lastrowid
            assert run is not None
            new: list[Offer] = []
            changed: list[Move] = []
            unchanged = 0
            confirmed: list[int] = []
            for key, row in sorted(result.rows.items()):
                held = before.pop(key, None)
                if held is None:
                    new.append(row.offer)
                elif _same(held[1], row.offer):
                    unchanged += 1
                    confirmed.append(held[0])
                    continue
                else:
                    self._end(held[0], day, "changed")
                    if held[1].usd_per_instance_hour != row.offer.usd_per_instance_hour:
                        changed.append(Move(held[1], row.offer))
                    else:
                        unchanged += 1
                self._insert(feed, row, day, run)
            vanished: list[Offer] = []
            missing: list[Offer] = []
            for key, (number, held_offer) in sorted(before.items()):
                if held_offer.region in result.kept_regions:
                    continue
                doubtful = held_offer.region in result.doubtful
                if doubtful:
                    missing.append(held_offer)
                if doubtful or key in result.kept:
                    # the price stays as the run before left it: this one does not confirm it
                    self._db.execute(
                        "UPDATE offers SET held_run = coalesce(held_run, ?) WHERE id = ?",
                        (last_run, number),
                    )
                    continue
                self._end(number, day, "vanished")
                vanished.append(held_offer)
            self._db.executemany(
                "UPDATE offers SET held_run = NULL WHERE id = ? AND held_run IS NOT NULL",
                [(number,) for number in confirmed],
            )
            return Changes(
                rows=len(result.rows),
                new=tuple(new),
                changed=tuple(changed),
                vanished=tuple(vanished),
                missing=tuple(missing),
                unchanged=unchanged,
            )

    def record_rates(self, rates: Iterable[Rate], fetched_at: datetime) -> list[Rate]:
        """Write rates in one transaction; those that are new or corrected are returned.

        Raises:
            StoreError: the file cannot be written; nothing was changed then.
        """
        with told(self.path), self._transaction():
            written = []
            for rate in rates:
                held = self._db.execute(
                    "SELECT usd_mxn FROM rates WHERE series = ? AND day = ?"
                    " ORDER BY id DESC LIMIT 1",
                    (rate.series, rate.day.isoformat()),
                ).fetchone()
                if held is not None and Decimal(held[0]) == rate.usd_mxn:
                    continue
                self._db.execute(
                    "INSERT INTO rates (series, day, usd_mxn, fetched_at) VALUES (?, ?, ?, ?)",
                    (rate.series, rate.day.isoformat(), str(rate.usd_mxn), _stamp(fetched_at)),
                )
                written.append(rate)
            return written

    # -- inside --------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _day(self, feed: str, as_of: date) -> str:
        """The day of a new run: never before the day of the feed's last one."""
        (last,) = self._db.execute("SELECT max(as_of) FROM runs WHERE feed = ?", (feed,)).fetchone()
        if last is None or last <= as_of.isoformat():
            return as_of.isoformat()
        if date.fromisoformat(last) - as_of <= CLOCK_SLACK:
            return str(last)
        raise StoreError("sources.store_clock", feed=feed, last=last, today=as_of.isoformat())

    def _live(self, feed: str) -> list[tuple[int, Offer]]:
        rows = self._db.execute(
            f"SELECT id, {_COLUMNS} FROM offers WHERE feed = ? AND ended = ?", (feed, FOREVER)
        ).fetchall()
        return [(number, _offer(row)) for number, *row in rows]

    def _end(self, number: int, day: str, why: str) -> None:
        self._db.execute(
            "UPDATE offers SET ended = ?, ended_why = ? WHERE id = ?", (day, why, number)
        )

    def _insert(self, feed: str, row: FeedRow, day: str, run: int) -> None:
        offer = row.offer
        marks = ", ".join("?" * 21)
        self._db.execute(
            f"INSERT INTO offers (feed, sku, begun, begun_run, {_COLUMNS}) VALUES ({marks})",
            (
                feed,
                row.sku,
                day,
                run,
                offer.provider,
                offer.instance_type,
                offer.accelerator,
                offer.accelerator_count,
                offer.vcpus,
                offer.memory_gib,
                offer.region or "",
                offer.region_scope,
                offer.purchase,
                offer.purchase_as_listed,
                offer.term,
                offer.market,
                str(offer.usd_per_instance_hour),
                str(offer.usd_per_accelerator_hour),
                offer.confidence,
                offer.note,
                offer.accelerator_as_listed,
            ),
        )


@dataclass(frozen=True, slots=True)
class _Run:
    number: int
    as_of: date
    fetched_at: str
    regions: frozenset[str] | None
    source: str

    def covers(self, region: str | None) -> bool:
        return self.regions is None or region is None or region in self.regions

    @property
    def words(self) -> str:
        return fetched_source(self.source, self.fetched_at)


class _Runs:
    """The runs up to a day, read newest first and only as far back as needed."""

    _SELECT = "SELECT id, as_of, fetched_at, regions, source FROM runs"

    def __init__(self, db: sqlite3.Connection, day: str) -> None:
        self._db = db
        self._day = day
        self._read: dict[str, list[_Run]] = {}
        self._cursors: dict[str, sqlite3.Cursor] = {}
        self._single: dict[int, _Run] = {}

    def last_of(self, feed: str, region: str | None, begun_run: int, held_run: int | None) -> _Run:
        """The last run of `feed` that confirmed a price of `region` which it first saw in a run.

        Args:
            held_run: the last run before the source became incomplete about this price.
        """
        if held_run is not None and self.number(held_run).as_of.isoformat() <= self._day:
            for run in self._newest_first(feed):
                if run.number <= held_run and run.covers(region):
                    return run
            return self.number(begun_run)
        for run in self._newest_first(feed):
            if run.covers(region):
                return run
        return self.number(begun_run)

    def number(self, number: int) -> _Run:
        """One run by its number."""
        if number not in self._single:
            row = self._db.execute(f"{self._SELECT} WHERE id = ?", (number,)).fetchone()
            self._single[number] = _run(row)
        return self._single[number]

    def _newest_first(self, feed: str) -> Iterator[_Run]:
        read = self._read.setdefault(feed, [])
        yield from list(read)
        if feed not in self._cursors:
            self._cursors[feed] = self._db.execute(
                f"{self._SELECT} WHERE feed = ? AND as_of <= ? ORDER BY id DESC",
                (feed, self._day),
            )
        while True:
            row = self._cursors[feed].fetchone()
            if row is None:
                return
            read.append(_run(row))
            yield read[-1]


def _run(row: Sequence[object]) -> _Run:
    number, as_of, fetched_at, regions, source = row
    return _Run(
        int(number),  # type: ignore[call-overload]
        date.fromisoformat(str(as_of)),
        str(fetched_at),
        None if regions is None else frozenset(str(regions).split(",")),
        str(source),
    )


def _regions(result: FeedResult) -> str | None:
    """The regions that a run confirms: all, or those that were asked for and answered."""
    if result.regions is None:
        return None
    found = {row.offer.region for row in result.rows.values() if row.offer.region is not None}
    return ",".join(sorted((result.regions | found) - result.kept_regions))


def _accelerator_clause(accelerators: Collection[str] | None) -> tuple[str, list[str]]:
    if accelerators is None:
        return "", []
    marks = ", ".join("?" * len(accelerators))
    return f" AND accelerator IN ({marks})", list(accelerators)


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _same(held: Offer, fetched: Offer) -> bool:
    return (
        held.usd_per_instance_hour == fetched.usd_per_instance_hour
        and held.accelerator_count == fetched.accelerator_count
        and held.purchase_as_listed == fetched.purchase_as_listed
        and held.note == fetched.note
    )


def _offer(row: Sequence[object]) -> Offer:
    """An offer without its day and source, which come from the run."""
    (
        provider,
        instance_type,
        accelerator,
        count,
        vcpus,
        memory_gib,
        region,
        scope,
        purchase,
        as_listed,
        term,
        market,
        usd,
        usd_each,
        confidence,
        note,
        chip_as_listed,
    ) = row
    return Offer(
        provider=str(provider),
        instance_type=str(instance_type),
        accelerator=str(accelerator),
        accelerator_count=int(count),  # type: ignore[call-overload]
        vcpus=vcpus,  # type: ignore[arg-type]
        memory_gib=memory_gib,  # type: ignore[arg-type]
        region=str(region) or None,
        region_scope=str(scope),
        purchase=str(purchase),
        purchase_as_listed=str(as_listed),
        term=str(term),
        market=str(market),
        usd_per_instance_hour=Decimal(str(usd)),
        usd_per_accelerator_hour=Decimal(str(usd_each)),
        as_of=date.min,
        source="",
        confidence=str(confidence),
        note=str(note),
        accelerator_as_listed=str(chip_as_listed),
    )
