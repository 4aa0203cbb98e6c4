"""Each format in each language, whole, on quotes whose figures never move.

    UPDATE_GOLDEN=1 python -m pytest tests/reports/test_golden.py

writes what the code prints now; the difference is then read before it is committed.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pytest
import small_quotes

import costcalc
from costcalc.quote.types import Quote
from costcalc.reports import (
    csv_report,
    focus,
    html_report,
    json_report,
    markdown,
    quote_document,
    table,
    xlsx_report,
)

GOLDEN = Path(__file__).parent / "golden"
QUOTES = {"train": small_quotes.training, "plan": small_quotes.plan}


def workbook_text(content: bytes) -> str:
    """Every cell of a workbook: its formula or value, then its number format."""
    return "\n".join(_cells(content)) + "\n"


def _cells(content: bytes) -> Iterator[str]:
    formulas = openpyxl.load_workbook(io.BytesIO(content))
    values = openpyxl.load_workbook(io.BytesIO(content), data_only=True)
    for sheet in formulas.worksheets:
        yield f"# {sheet.title}, frozen at {sheet.freeze_panes}"
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is None:
                    continue
                value = values[sheet.title][cell.coordinate].value
                text = f"{cell.coordinate}\t{cell.data_type}\t{cell.value!r}"
                yield text + (f"\t{value!r}" if cell.data_type == "f" else "")


FORMATS: dict[str, Callable[[Quote, str], str]] = {
    "table": lambda quote, language: table.render(quote_document.build(quote, language)),
    "markdown": lambda quote, language: markdown.render(quote_document.build(quote, language)),
    "json": lambda quote, language: json_report.render(quote, language, explain=True),
    "html": lambda quote, language: html_report.render(
        quote, language, explain=True, claims=small_quotes.CLAIMS
    ),
    "xlsx": lambda quote, language: workbook_text(
        xlsx_report.render(quote, language, claims=small_quotes.CLAIMS)
    ),
    "csv": lambda quote, _: csv_report.render(quote),
    "focus": lambda quote, _: focus.render(quote),
}
SUFFIXES = {"table": "txt", "markdown": "md", "focus": "focus.csv", "xlsx": "xlsx.txt"}
NEUTRAL = ("csv", "focus")


def cases() -> Iterator[tuple[str, str, str]]:
    for name in QUOTES:
        for form in FORMATS:
            for language in ("en",) if form in NEUTRAL else ("en", "es"):
                yield name, form, language


@pytest.mark.parametrize(("name", "form", "language"), list(cases()))
def test_report_is_as_agreed(name: str, form: str, language: str) -> None:
    printed = FORMATS[form](QUOTES[name](), language)
    printed = printed.replace(costcalc.__version__, "VERSION")
    suffix = SUFFIXES.get(form, form)
    tag = "" if form in NEUTRAL else f".{language}"
    path = GOLDEN / f"{name}{tag}.{suffix}"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(printed, encoding="utf-8")
    assert printed == path.read_text(encoding="utf-8")


def test_languages_differ_in_words_only() -> None:
    """The same figures stand in both, in the same order."""
    import re

    found = []
    for language in ("en", "es"):
        text = FORMATS["table"](small_quotes.training(), language)
        found.append(re.findall(r"\d[\d,]*\.\d+", text))
    assert found[0] == found[1]
