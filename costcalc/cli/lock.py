"""`costcalc.lock`: which catalog a repository quotes with, so that CI changes only on purpose."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costcalc import safeyaml
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

SCHEMA = "costcalc.lock/1"
LIMIT_BYTES = 64 * 1024


def lock_record(catalog: Catalog, day: date) -> dict[str, Any]:
    """What a lock file says of `catalog`.

    Args:
        day: when it was locked.
    """
    return {
        "schema": SCHEMA,
        "catalog": {
            "version": catalog.version,
            "digest": catalog.digest,
            "prices_newest": catalog.prices_newest.isoformat(),
            "prices_oldest": catalog.prices_oldest.isoformat(),
        },
        "locked": day.isoformat(),
    }


def lock_text(record: dict[str, Any]) -> str:
    """The lock file's text: JSON, one key a line, so that a change is readable in a diff."""
    return json.dumps(record, indent=2) + "\n"


def read_lock(path: Path) -> dict[str, Any]:
    """The lock file as plain data.

    Raises:
        InputError: missing, unreadable, or not a lock file.
    """
    if not path.exists():
        raise InputError("check.lock_missing", name=path)
    text = safeyaml.read_file(path, limit_bytes=LIMIT_BYTES)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("check.lock_bad", name=path) from None
    schema = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(schema, str):
        raise InputError("check.lock_bad", name=path)
    if schema != SCHEMA:
        raise InputError("check.lock_schema", name=path, schema=schema, known=SCHEMA)
    locked = data.get("catalog")
    if not isinstance(locked, dict) or not isinstance(locked.get("digest"), str):
        raise InputError("check.lock_bad", name=path)
    found: dict[str, Any] = data
    return found


def check_lock(path: Path, catalog: Catalog) -> None:
    """Refuse a catalog that is not the locked one.

    Raises:
        InputError: the lock file is missing or bad, or the catalog differs.
    """
    locked = read_lock(path)["catalog"]
    if locked["digest"] != catalog.digest:
        raise InputError(
            "check.lock_differs",
            name=path,
            found=catalog.version,
            locked=locked.get("version", locked["digest"][:12]),
        )
