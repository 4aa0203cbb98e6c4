"""The SQLite file of the store: opening, schema, damage, and what each fault is called.

One file with a rollback journal, not a write-ahead log: writes are rare and short (one transaction
per feed), a data folder may lie on a network drive where a log's shared memory does not work, and a
single file can be copied. `synchronous=FULL` makes a finished transaction survive a power cut; an
unfinished one is rolled back by whoever opens the file next.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from costcalc.errors import SourceError

FILE_NAME = "prices.sqlite3"
APPLICATION_ID = 0x636F7374
SCHEMA_VERSION = 1
FOREVER = "9999-12-31"
BUSY_SECONDS = 30.0
_FULL = ("database or disk is full", "disk I/O error")
_LOCKED = ("database is locked", "database table is locked")
_READ_ONLY = ("attempt to write a readonly database", "unable to open database file")

_SCHEMA = f"""
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    feed TEXT NOT NULL,
    as_of TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    regions TEXT,
    source TEXT NOT NULL,
    rows INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_feed ON runs (feed, id);
CREATE TABLE offers (
    id INTEGER PRIMARY KEY,
    feed TEXT NOT NULL,
    sku TEXT NOT NULL,
    provider TEXT NOT NULL,
    instance_type TEXT NOT NULL,
    accelerator TEXT NOT NULL,
    accelerator_count INTEGER NOT NULL CHECK (accelerator_count > 0),
    vcpus REAL,
    memory_gib REAL,
    region TEXT NOT NULL,
    region_scope TEXT NOT NULL,
    purchase TEXT NOT NULL,
    purchase_as_listed TEXT NOT NULL,
    term TEXT NOT NULL,
    market TEXT NOT NULL,
    usd_per_instance_hour TEXT NOT NULL,
    usd_per_accelerator_hour TEXT NOT NULL,
    confidence TEXT NOT NULL,
    note TEXT NOT NULL,
    accelerator_as_listed TEXT NOT NULL,
    begun TEXT NOT NULL,
    begun_run INTEGER NOT NULL REFERENCES runs (id),
    ended TEXT NOT NULL DEFAULT '{FOREVER}',
    ended_why TEXT NOT NULL DEFAULT '' CHECK (ended_why IN ('', 'changed', 'vanished')),
    held_run INTEGER REFERENCES runs (id)
) STRICT;
CREATE INDEX offers_by_accelerator ON offers (accelerator, ended);
CREATE INDEX offers_by_type ON offers (instance_type COLLATE NOCASE);
CREATE UNIQUE INDEX offers_live ON offers
    (feed, provider, instance_type, accelerator, region, purchase, term, market)
    WHERE ended = '{FOREVER}';
CREATE TABLE rates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    series TEXT NOT NULL,
    day TEXT NOT NULL,
    usd_mxn TEXT NOT NULL,
    fetched_at TEXT NOT NULL
) STRICT;
CREATE INDEX rates_by_day ON rates (day);
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
"""


class StoreError(SourceError):
    """The store cannot be used; the message says what happened and what is still there."""


class StoreDamagedError(StoreError):
    """The file is no store, or a part of it cannot be read."""


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn SQLite's faults into `StoreError` with a clear word."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        text = str(error)
        if any(word in text for word in _FULL):
            raise StoreError("sources.store_full", path=str(path), detail=text) from None
        if any(word in text for word in _LOCKED):
            raise StoreError(
                "sources.store_busy", path=str(path), seconds=f"{BUSY_SECONDS:g}"
            ) from None
        if any(word in text for word in _READ_ONLY):
            raise StoreError("sources.store_read_only", path=str(path)) from None
        raise StoreDamagedError("sources.store_damaged", path=str(path), detail=text) from None
    except OSError as error:
        raise StoreError(
            "sources.store_unwritable", path=str(path), reason=error.strerror or str(error)
        ) from None


def open_for_reading(path: Path) -> sqlite3.Connection:
    """The store, which must exist; nothing is changed, except that a broken-off write is undone.

    Raises:
        StoreError: see `told`.
    """
    with told(path):
        connection = _connect(path, "rw" if os.access(path, os.W_OK) else "ro")
        connection.execute("PRAGMA query_only = ON")
        _check(connection, path)
        return connection


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The store, made new when there is none.

    Raises:
        StoreError: see `told`.
    """
    with told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path, "rwc")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        _create_if_empty(connection)
        _check(connection, path)
        return connection


def verify(connection: sqlite3.Connection, path: Path) -> None:
    """Read every page once.

    Raises:
        StoreDamagedError: a page cannot be read, or an index does not agree with its table.
    """
    with told(path):
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found is None or found[0] != "ok":
        raise StoreDamagedError(
            "sources.store_damaged", path=str(path), detail=str(found and found[0])
        )


def set_aside(path: Path, now: datetime) -> Path | None:
    """Move a damaged store out of the way, its journal with it; nothing is deleted.

    Returns:
        Where it is now; None when another process has put a sound store in its place meanwhile.

    Raises:
        StoreError: it cannot be moved.
    """
    try:
        verify_file(path)
    except StoreDamagedError:
        pass
    else:
        return None
    base = f"{path.name}.damaged-{now.strftime('%Y%m%dT%H%M%S')}"
    with told(path):
        for number in range(1000):
            target = path.with_name(base if number == 0 else f"{base}-{number}")
            if not target.exists():
                break
        os.rename(path, target)
        journal = path.with_name(path.name + "-journal")
        if journal.exists():
            os.rename(journal, target.with_name(target.name + "-journal"))
        return target


def verify_file(path: Path) -> None:
    """Open the store, read all of it, close it.

    Raises:
        StoreError: see `told`.
    """
    connection = open_for_reading(path)
    try:
        verify(connection, path)
    finally:
        connection.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    # as_uri quotes what a path may hold (spaces, ?, #)
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def _create_if_empty(connection: sqlite3.Connection) -> None:
    if _is_empty(connection):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # another process may have been first
            if _is_empty(connection):
                for statement in _SCHEMA.split(";"):
                    if statement.strip():
                        connection.execute(statement)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def _is_empty(connection: sqlite3.Connection) -> bool:
    (count,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return int(count) == 0


def _check(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        connection.close()
        if application == 0 and version == 0 and path.stat().st_size == 0:
            raise StoreDamagedError("sources.store_damaged", path=str(path), detail="empty")
        raise StoreError("sources.store_foreign", path=str(path))
    if version != SCHEMA_VERSION:
        connection.close()
        raise StoreError("sources.store_newer", path=str(path), version=version)
