"""From a quote to the bytes of a format; the result to stdout or a file, warnings to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costcalc.cli import language, output, session
from costcalc.cli.options import choice
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.types import Quote
    from costcalc.reports.document import Document

QUOTE_FORMATS = ("table", "json", "csv", "markdown", "html", "xlsx", "focus")
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


def shows_offers(form: str, chart: str | None) -> bool:
    """Whether a report in `form`, or a chart, shows other offers beside the quote."""
    return form in ("html", "xlsx") or chart is not None


def show_quote(
    quote: Quote,
    form: str,
    output_path: str | None,
    *,
    explain: bool = False,
    catalog: Catalog | None = None,
    chart: str | None = None,
) -> None:
    """Emit a quote in `form`. Formats for programs repeat every warning on stderr.

    Args:
        catalog: where claims about the quote's hardware are looked up; None shows none.
        chart: a file for a chart besides.
    """
    held = output.take_held()
    if held:
        quote = replace(quote, notices=(*quote.notices, *held))
    draw_chart(quote, chart)
    if form in ("html", "xlsx"):
        _show_report(quote, form, output_path, explain=explain, catalog=catalog)
        return
    lang = language.current()
    if form == "json":
        from costcalc.reports import json_report

        # what came up before there was a quote has been on stderr already
        whole = replace(quote, notices=(*quote.notices, *session.pending_notices))
        output.emit(json_report.render(whole, lang, explain=explain), output_path)
    elif form == "csv":
        from costcalc.reports import csv_report

        output.emit(csv_report.render(quote), output_path, bom=True)
    elif form == "focus":
        from costcalc.reports import focus

        output.emit(focus.render(quote), output_path, bom=True)
    else:
        from costcalc.reports import quote_document

        built = quote_document.build(quote, lang, explain=explain)
        output.emit(document_text(built, form, output_path), output_path)
    if form in ("json", "csv", "focus"):
        output.warn(quote.notices)


def _show_report(
    quote: Quote, form: str, output_path: str | None, *, explain: bool, catalog: Catalog | None
) -> None:
    """A report for people who did not run it: a page or a workbook."""
    from costcalc.reports.claimed import claims_of

    lang = language.current()
    claims = () if catalog is None else claims_of(quote, catalog, lang)
    if form == "html":
        from costcalc.reports import html_report

        page = html_report.render(quote, lang, explain=explain, claims=claims)
        output.emit(page, output_path)
        return
    from costcalc.reports import xlsx_report

    output.emit(xlsx_report.render(quote, lang, claims=claims), output_path)


def draw_chart(quote: Quote, path: str | None) -> None:
    """Write the chart that `--chart` asks for.

    Raises:
        InputError: a file ending that is no picture, no matplotlib, a file that cannot be written.
    """
    if path is None:
        return
    from costcalc.reports import chart_file

    form = chart_file.check(path)
    output.write_atomically(Path(path), chart_file.render(quote, language.current(), form))


def show_comparison(
    quote: Quote,
    document: Document,
    form: str,
    output_path: str | None,
    *,
    plot: bool,
    chart: str | None,
) -> None:
    """Emit a comparison as `table` or `markdown`.

    Args:
        plot: draw the ranking below a table.
        chart: a file for a chart besides.
    """
    draw_chart(quote, chart)
    text = document_text(document, form, output_path)
    if plot and form == "table":
        text += "\n" + plot_offers(quote)
    output.emit(text, output_path)


def plot_offers(quote: Quote) -> str:
    """The offers of a comparison as bars of cost."""
    from costcalc.reports import plot
    from costcalc.reports.points import points
    from costcalc.reports.wording import currencies

    currency = currencies(quote)[0]
    bars = []
    for item in points(quote):
        cost = item.usd if currency == "USD" else item.mxn
        label = (
            f"{item.number}{'*' if item.pareto else ''} {item.accelerators} x {item.accelerator}"
        )
        bars.append(plot.Bar(f"{label}, {item.where}", float(cost), f"{cost:,.0f}"))
    title = language.t("chart.plot_title", currency=currency)
    return f"{title}\n{plot.bars(bars, terminal_width())}"


def check_report(form: str, output_path: str | None, chart: str | None = None) -> None:
    """Refuse what could not be written, before the work is done.

    Raises:
        InputError: a workbook to a terminal, or a chart that cannot be drawn.
    """
    if form == "xlsx" and output_path is None and sys.stdout.isatty():
        raise InputError("xlsx.needs_file")
    if chart is not None:
        from costcalc.reports import chart_file

        chart_file.check(chart)


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
