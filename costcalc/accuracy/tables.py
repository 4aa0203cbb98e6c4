"""Tables of runs: the one that ships with the catalog, and files of the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from costcalc import safeyaml
from costcalc.catalog import Catalog
from costcalc.catalog.csvfile import parse_table, records
from costcalc.errors import InputError

LIMIT_BYTES = 64 * 1024 * 1024
"""Largest table that is read."""
USED = "use"
"""Value of the column `calibration` of rows that constants are fitted on; any other says no, and
the column `reason` says why."""


def shipped_runs(catalog: Catalog) -> list[dict[str, str]]:
    """All rows of the catalog's table of training runs; none when it has no such table."""
    if not catalog.has_table("runs/training"):
        return []
    return records(catalog.table("runs/training"))


def used_runs(rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The rows of a shipped table that constants are fitted on."""
    return [row for row in rows if row.get("calibration") == USED]


def read_runs(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a CSV file.

    Raises:
        InputError: the file cannot be read, is no table, has no row, or lacks a column of `needed`.
    """
    shown = str(path)
    table = parse_table(safeyaml.read_bytes(path, limit_bytes=LIMIT_BYTES), shown)
    missing = [name for name in needed if name not in table["columns"]]
    if missing:
        raise InputError("accuracy.table_columns", file=shown, columns=", ".join(missing))
    rows = records(table)
    if not rows:
        raise InputError("accuracy.table_empty", file=shown)
    return rows
