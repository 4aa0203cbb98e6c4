"""CSV: flat records, English headers, ready for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.quote.types import Quote
from costcalc.reports.json_report import LINE_COLUMNS

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell(value: Any) -> str:
    """A value as CSV text. Numbers stay numbers; free text can never start a formula.

    A text that begins, after white space, with `= + - @`, TAB or CR gets an apostrophe in front
    (OWASP, "CSV Injection"); numeric cells are left alone, so negative amounts stay numbers.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (int, date)):
        return str(value)
    text = str(value)
    starts = [part.lstrip(" \u00a0") for part in text.splitlines()] or [text]
    if text.startswith(_FORMULA_STARTS) or any(s.startswith(_FORMULA_STARTS) for s in starts):
        return "'" + text
    return text


def table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Records as CSV with one header line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for record in rows:
        writer.writerow([cell(record.get(name)) for name in columns])
    return out.getvalue()


def render(quote: Quote) -> str:
    """The lines of a quote; a comparison's ranking instead where the quote has one."""
    if quote.kind == "compare" and quote.offers:
        return table(tuple(quote.offers[0]), quote.offers)
    return table(
        LINE_COLUMNS,
        ({name: getattr(line, name) for name in LINE_COLUMNS} for line in quote.lines),
    )
