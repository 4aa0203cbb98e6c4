"""From a quote to the bytes of a format; the result to stdout or a file, warnings to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from costcalc.cli import language, output, session
from costcalc.cli.options import choice

if TYPE_CHECKING:
    from costcalc.quote.types import Quote
    from costcalc.reports.document import Document

QUOTE_FORMATS = ("table", "json", "csv", "markdown")
LIST_FORMATS = ("table", "json", "csv", "markdown")
DEFAULT_WIDTH = 80
MIN_WIDTH = 40


def terminal_width() -> int:
    """`COLUMNS` where it is set, the terminal's width, else 80."""
    return max(MIN_WIDTH, shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns)


def wants_color(output_path: str | None) -> bool:
    """Colour only on a terminal, and never with `NO_COLOR` (https://no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return output_path is None and not plain and sys.stdout.isatty()


def document_text(document: Document, form: str, output_path: str | None) -> str:
    """A document as `table` or `markdown` text."""
    if form == "markdown":
        from costcalc.reports import markdown

        return markdown.render(document)
    from costcalc.reports import table

    return table.render(document, width=terminal_width(), color=wants_color(output_path))


def show_quote(quote: Quote, form: str, output_path: str | None, *, explain: bool = False) -> None:
    """Emit a quote in `form`. Formats for programs repeat every warning on stderr."""
    lang = language.current()
    held = output.take_held()
    if held:
        quote = replace(quote, notices=(*quote.notices, *held))
    if form == "json":
        from costcalc.reports import json_report

        # what came up before there was a quote has been on stderr already
        whole = replace(quote, notices=(*quote.notices, *session.pending_notices))
        output.emit(json_report.render(whole, lang, explain=explain), output_path)
    elif form == "csv":
        from costcalc.reports import csv_report

        output.emit(csv_report.render(quote), output_path, bom=True)
    else:
        from costcalc.reports import quote_document

        built = quote_document.build(quote, lang, explain=explain)
        output.emit(document_text(built, form, output_path), output_path)
    if form in ("json", "csv"):
        output.warn(quote.notices)


def show_records(
    records: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    document: Callable[[], Document],
    form: str,
    output_path: str | None,
) -> None:
    """Emit a list of flat records; `document` makes its form for people when one is asked for."""
    if form == "json":
        from costcalc.reports.json_report import dumps, plain

        text = dumps([{name: plain(record.get(name)) for name in columns} for record in records])
        output.emit(text, output_path)
    elif form == "csv":
        from costcalc.reports import csv_report

        output.emit(csv_report.table(columns, records), output_path, bom=True)
    else:
        output.emit(document_text(document(), form, output_path), output_path)


def quote_format(value: str) -> str:
    """`--format` of a quote."""
    return choice(value, "--format", QUOTE_FORMATS)


def list_format(value: str) -> str:
    """`--format` of a list."""
    return choice(value, "--format", LIST_FORMATS)
