"""CSV files of the catalog: tables of published runs. A room of columns and rows, all text."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from typing import Any

from costcalc.errors import InputError


def parse_table(data: bytes, shown: str) -> dict[str, Any]:
    """`{"columns": [...], "rows": [[...], ...]}` from the bytes of a CSV file.

    Raises:
        InputError: not UTF-8, no header, a column named twice, or a row of another length; the
            message names file and line.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("accuracy.table_encoding", file=shown) from None
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        columns = next(reader, [])
        if not any(columns) or "\0" in text:
            raise InputError("accuracy.table_empty", file=shown)
        if len(set(columns)) != len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            raise InputError("accuracy.table_column_twice", file=shown, column=twice)
        rows = []
        for row in reader:
            if not row:
                continue
            if len(row) != len(columns):
                raise InputError(
                    "accuracy.table_row",
                    file=shown,
                    line=reader.line_num,
                    found=len(row),
                    wanted=len(columns),
                )
            rows.append(row)
    except csv.Error as fault:
        raise InputError(
            "accuracy.table_broken", file=shown, line=reader.line_num, fault=str(fault)
        ) from None
    return {"columns": columns, "rows": rows}


def records(table: Mapping[str, Any]) -> list[dict[str, str]]:
    """The rows of a parsed table as mappings from column to text."""
    columns = table["columns"]
    return [dict(zip(columns, row, strict=True)) for row in table["rows"]]
