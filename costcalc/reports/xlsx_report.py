"""A quote as an Excel workbook that recomputes: change a quantity, a price or the rate, and the
totals follow.

Formulas carry the values of the quote, so that a viewer that does not recalculate shows them too.
Free text is never a formula or a link. The same quote gives the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING

from costcalc import messages
from costcalc.quote import money
from costcalc.quote.types import Quote
from costcalc.reports import quote_document, report_parts, wording, xlsx_formulas, xlsx_summary
from costcalc.reports.claimed import Claimed
from costcalc.reports.points import Point, points, timed
from costcalc.reports.sensitivity_section import swing_label
from costcalc.reports.xlsx_book import MONEY, Book

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

LINE_HEADS = (
    "workload",
    "item",
    "provider",
    "region",
    "sku",
    "quantity",
    "unit",
    "unit_price",
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "mxn_low",
    "mxn_high",
    "as_of",
    "confidence",
    "source",
)
ASSUMPTION_WIDTHS = (26, 34, 44, 20, 20, 20)
AMOUNTS = (
    (8, "amount_usd", "USD"),
    (9, "low_usd", "USD"),
    (10, "high_usd", "USD"),
    (11, "amount_mxn", "MXN"),
    (12, "low_mxn", "MXN"),
    (13, "high_mxn", "MXN"),
)
OFFER_HEADS = (
    "number",
    "offer",
    "purchase",
    "accelerators",
    "accelerator",
    "hours",
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "as_of",
    "confidence",
    "remark",
)


def render(quote: Quote, language: str, *, claims: Sequence[Claimed] = ()) -> bytes:
    """The quote as the bytes of an .xlsx file.

    Args:
        claims: what is claimed of the quote's hardware; on the sheet of sources, apart.
    """
    import xlsxwriter

    out = io.BytesIO()
    book = xlsxwriter.Workbook(
        out,
        {
            "in_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    title = report_parts.headline(quote, language)
    # the day of the quote, not of the file: the same quote gives the same bytes
    created = datetime.combine(quote.as_of, time(), tzinfo=UTC)
    book.set_properties({"title": title[:255], "comments": "costcalc", "created": created})
    made = Book(quote, language, book)
    summary = made.sheet("summary", (30, 22, 22, 22))
    _lines(made, made.sheet("lines", (16, 20, 14, 14, 22, 13, 9, 13, *[21] * 6, 12, 14, 60)))
    offers = made.sheet("offers", (6, 44, 12, 13, 16, 11, 18, 18, 18, 18, 12, 14, 26))
    _offers(made, offers, points(quote))
    _assumptions(made, made.sheet("assumptions", ASSUMPTION_WIDTHS))
    _sources(made, made.sheet("sources", (46, 22, 13, 24, 90)), claims)
    xlsx_summary.fill(made, summary, title)
    made.set_heights()
    summary.activate()
    book.close()
    return out.getvalue()


def _lines(made: Book, sheet: Worksheet) -> None:
    made.header(sheet, 0, [made.t(f"head_{name}") for name in LINE_HEADS])
    lines = made.quote.lines
    bases = xlsx_formulas.bases(lines)
    for number in range(len(lines)):
        _line(made, sheet, number, bases[number])
    total = len(lines) + 1
    look = {"bold": True, "top": 1}
    made.text(sheet, total, 0, messages.text("report.total", made.language), **look)
    for column in range(1, len(LINE_HEADS)):
        sheet.write_blank(total, column, None, made.style(**look))
    for column, name, currency in AMOUNTS:
        value = sum((getattr(line, name) for line in lines), money.ZERO)
        letter = chr(ord("A") + column)
        text = f"=SUM({letter}2:{letter}{total})" if lines else "=0"
        made.formula(sheet, total, column, text, value, num_format=MONEY[currency], **look)
    sheet.autofilter(0, 0, max(len(lines), 1), len(LINE_HEADS) - 1)


def _line(made: Book, sheet: Worksheet, number: int, base: Sequence[int]) -> None:
    lines, row = made.quote.lines, number + 1
    line = lines[number]
    item = quote_document.line_item(line, made.language)
    for column, word in enumerate((line.workload, item, line.provider, line.region, line.sku)):
        made.text(sheet, row, column, word or "")
    if base:
        # a share of other lines follows them
        text = "=" + xlsx_formulas.cells(xlsx_formulas.USD, [index + 2 for index in base])
        made.formula(sheet, row, 5, text, line.quantity, num_format="#,##0.0000")
    else:
        made.number(sheet, row, 5, line.quantity, "#,##0.0000")
    made.text(sheet, row, 6, quote_document.unit_word(line.unit, made.language))
    made.number(sheet, row, 7, line.unit_price_usd, "#,##0.00########")
    formulas = xlsx_formulas.line_formulas(lines, number, base, made.quote.fx.usd_mxn)
    for (column, name, currency), formula in zip(AMOUNTS, formulas, strict=True):
        value = getattr(line, name)
        made.formula(sheet, row, column, formula, value, num_format=MONEY[currency])
    made.day(sheet, row, 14, line.as_of)
    made.text(sheet, row, 15, _confidence(made, line.confidence))
    made.text(sheet, row, 16, line.source or "")


def _confidence(made: Book, confidence: str | None) -> str:
    if confidence is None:
        return ""
    return messages.text(f"report.confidence_{confidence}", made.language)


def _offers(made: Book, sheet: Worksheet, found: Sequence[Point]) -> None:
    made.header(sheet, 0, [made.t(f"head_{name}") for name in OFFER_HEADS])
    if not found:
        made.text(sheet, 1, 1, made.t("no_offers"))
        return
    for row, item in enumerate(found, 1):
        made.text(sheet, row, 0, item.number)
        made.text(sheet, row, 1, item.where)
        made.text(sheet, row, 2, wording.way(item.purchase, made.language))
        made.number(sheet, row, 3, item.accelerators, "#,##0")
        made.text(sheet, row, 4, item.accelerator)
        if item.hours is not None:
            made.number(sheet, row, 5, item.hours, "#,##0.0")
        made.number(sheet, row, 6, item.usd, MONEY["USD"])
        for column, end in ((7, item.usd_low), (8, item.usd_high)):
            if end is not None:
                made.number(sheet, row, column, end, MONEY["USD"])
        if item.quoted and not item.number:
            # the sum of lines each rounded by itself
            made.number(sheet, row, 9, item.mxn, MONEY["MXN"])
        else:
            exact = item.usd * made.quote.fx.usd_mxn
            text = xlsx_formulas.rounded(f"G{row + 1}*{xlsx_formulas.RATE}", exact, item.mxn)
            made.formula(sheet, row, 9, f"={text}", item.mxn, num_format=MONEY["MXN"])
        made.day(sheet, row, 10, date.fromisoformat(item.as_of))
        made.text(sheet, row, 11, _confidence(made, item.confidence))
        marks = [made.h("quoted_mark")] if item.quoted else []
        marks += [made.h("best_mark")] if item.pareto else []
        made.text(sheet, row, 12, "; ".join(marks))
    drawn = timed(found)
    if drawn is not None and drawn.kind == "hours":
        _offers_chart(made, sheet, len(found))


def _offers_chart(made: Book, sheet: Worksheet, count: int) -> None:
    chart = made.book.add_chart({"type": "scatter"})
    assert chart is not None
    name = made.t("sheet_offers")
    chart.add_series(
        {
            "name": made.h("plot_title"),
            "categories": [name, 1, 5, count, 5],
            "values": [name, 1, 6, count, 6],
            "marker": {"type": "circle", "size": 7},
        }
    )
    chart.set_title({"name": made.h("plot_title")})
    chart.set_x_axis({"name": made.h("hours"), "num_format": "#,##0", "min": 0})
    chart.set_y_axis({"name": "USD", "num_format": "#,##0", "min": 0})
    chart.set_legend({"none": True})
    chart.set_size({"width": 760, "height": 380})
    sheet.insert_chart(count + 2, 1, chart, {"description": made.h("plot_title")})


def _assumptions(made: Book, sheet: Worksheet) -> None:
    heads = [made.t("head_workload"), made.h("asked"), made.h("value")]
    made.header(sheet, 0, heads)
    row = 1
    for workload in made.quote.workloads:
        for name, value in report_parts.input_rows(workload):
            for column, text in enumerate((workload.name, name, value)):
                made.text(sheet, row, column, text)
            row += 1
    if made.quote.notices:
        row += 1
        made.label(sheet, row, messages.text("report.warnings", made.language))
        for item in made.quote.notices:
            row += 1
            made.text(sheet, row, 0, item.code)
            message = item.message(made.language)
            sheet.merge_range(row, 1, row, 5, message, made.style(text_wrap=True))
            made.needs(sheet, row, message, sum(ASSUMPTION_WIDTHS[1:]))
        row += 1
    if made.quote.sensitivity:
        _sensitivity(made, sheet, row + 1)


def _sensitivity(made: Book, sheet: Worksheet, row: int) -> None:
    def s(name: str) -> str:
        return messages.text(f"sensitivity.{name}", made.language)

    heads = [s("title"), s("values"), s("bounds")]
    heads += [f"USD, {s(name)}" for name in ("at_low", "at_high", "swing")]
    for column, name in enumerate(heads):
        made.text(sheet, row, column, name, bold=True, bottom=2, bg_color="#E8EEF5")
    for item in made.quote.sensitivity or ():
        row += 1
        made.text(sheet, row, 0, swing_label(item, made.quote, made.language))
        made.text(sheet, row, 1, f"{item.low or '–'} … {item.base} … {item.high or '–'}")
        made.text(sheet, row, 2, s(f"basis_{item.basis}"))
        for column, value in ((3, item.usd_at_low), (4, item.usd_at_high), (5, item.swing_usd)):
            if value is not None:
                made.number(sheet, row, column, value, MONEY["USD"])


def _sources(made: Book, sheet: Worksheet, claims: Sequence[Claimed]) -> None:
    table = report_parts.sources_table(made.quote, made.language)
    made.header(sheet, 0, table.columns)
    for row, cells in enumerate(table.rows, 1):
        for column, text in enumerate(cells):
            made.text(sheet, row, column, text)
    row = len(table.rows) + 1
    stamp = made.quote.catalog
    made.label(sheet, row, messages.text("report.catalog", made.language))
    made.text(sheet, row, 1, stamp.version)
    made.day(sheet, row, 2, stamp.prices_newest)
    if not claims:
        return
    row += 2
    made.label(sheet, row, made.h("claims"))
    made.text(sheet, row, 4, made.h("claims_note"))
    for item in claims:
        row += 1
        claim = item.claim
        state = made.h(report_parts.claim_state(item))
        compared = made.h("claim_baseline", baseline=claim.baseline) if claim.baseline else ""
        text = f"{item.accelerator}: {claim.text}"
        for column, value in enumerate((text, claim.by, claim.date, state)):
            made.text(sheet, row, column, value)
        made.text(sheet, row, 4, "; ".join(part for part in (compared, claim.source) if part))
