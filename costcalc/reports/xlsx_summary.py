"""The first sheet of the workbook: rate, totals, tax, budget, what was quoted, a chart."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc import messages
from costcalc.reports import quote_document, wording
from costcalc.reports.report_parts import merged
from costcalc.reports.xlsx_book import HEAD, MAX_TEXT, MONEY, Book
from costcalc.reports.xlsx_formulas import RATE, rounded
from costcalc.units import Currency

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

RATE_ROW = 3
TOTALS_ROW = 5
MOST_BARS = 25
_TOTAL_COLUMNS: dict[Currency, str] = {"USD": "JIK", "MXN": "MLN"}
"""Low, middle, high on the sheet of lines."""


def fill(made: Book, sheet: Worksheet, title: str) -> None:
    """Write the sheet."""
    quote = made.quote
    sheet.write_string(0, 0, title[:MAX_TEXT], made.style(bold=True, font_size=16))
    sheet.set_row(0, 24)
    note = f"{messages.day(quote.as_of, made.language)} · {made.h('not_a_bill')}"
    sheet.write_string(1, 0, note, made.style())
    _rate(made, sheet)
    cells = _totals(made, sheet)
    row = TOTALS_ROW + len(cells)
    paid = cells
    if quote.totals.iva_mode != "none":
        row, paid = _iva(made, sheet, row + 2, cells)
    if quote.budget is not None:
        row = _budget(made, sheet, row + 2, paid)
    row = _facts(made, sheet, row + 2)
    _chart(made, sheet, row + 1)


def _rate(made: Book, sheet: Worksheet) -> None:
    fx = made.quote.fx
    made.label(sheet, RATE_ROW, made.h("rate_row"))
    made.number(sheet, RATE_ROW, 1, fx.usd_mxn, "0.0000####")
    when = fx.date.isoformat() if fx.date else messages.text("report.no_date", made.language)
    text = f"MXN/USD · {when} · {fx.source}"
    sheet.write_string(RATE_ROW, 2, text[:MAX_TEXT], made.style())
    made.book.define_name(RATE, f"='{made.t('sheet_summary')}'!$B${RATE_ROW + 1}")


def _totals(made: Book, sheet: Worksheet) -> dict[Currency, str]:
    """The totals in both currencies; where their middles stand."""
    heads = ("", made.h("low"), messages.text("report.total", made.language), made.h("high"))
    for column, name in enumerate(heads):
        sheet.write_string(TOTALS_ROW, column, name, made.style(**HEAD))
    sheet.freeze_panes(TOTALS_ROW + 1, 0)
    last = len(made.quote.lines) + 2
    where = f"'{made.t('sheet_lines')}'!"
    cells: dict[Currency, str] = {}
    for number, (currency, letters) in enumerate(_TOTAL_COLUMNS.items(), 1):
        row = TOTALS_ROW + number
        made.label(sheet, row, f"{messages.text('report.total', made.language)} {currency}")
        values = wording.total_of(made.quote.totals, currency)
        for column, (letter, value) in enumerate(zip(letters, values, strict=True), 1):
            made.formula(
                sheet,
                row,
                column,
                f"={where}{letter}{last}",
                value,
                num_format=MONEY[currency],
                bold=column == 2,
            )
        cells[currency] = f"C{row + 1}"
    return cells


def _iva(
    made: Book, sheet: Worksheet, row: int, cells: dict[Currency, str]
) -> tuple[int, dict[Currency, str]]:
    """Rate, tax and total with it; the last row, and where the totals to pay stand."""
    totals = made.quote.totals
    added = totals.iva_mode == "add"
    made.label(sheet, row, made.t("iva_rate"))
    made.number(sheet, row, 2, totals.iva_rate / 100, "0.##%")
    rate_cell = f"C{row + 1}"
    kind = made.t("iva" if added else "iva_self")
    paid: dict[Currency, str] = {}
    for currency, cell in cells.items():
        usd = currency == "USD"
        before = totals.usd if usd else totals.mxn
        tax = totals.iva_usd if usd else totals.iva_mxn
        after = totals.usd_with_iva if usd else totals.mxn_with_iva
        row += 1
        made.label(sheet, row, f"{kind} {currency}")
        formula = rounded(f"{cell}*{rate_cell}", before * totals.iva_rate / 100, tax)
        made.formula(sheet, row, 2, f"={formula}", tax, num_format=MONEY[currency])
        tax_cell = f"C{row + 1}"
        row += 1
        made.label(sheet, row, f"{made.h('total_with_iva')} {currency}")
        formula = f"={cell}+{tax_cell}" if added else f"={cell}"
        made.formula(sheet, row, 2, formula, after, num_format=MONEY[currency], bold=True)
        paid[currency] = f"C{row + 1}"
    return row, paid


def _budget(made: Book, sheet: Worksheet, row: int, paid: dict[Currency, str]) -> int:
    budget = made.quote.budget
    assert budget is not None
    limit = budget.budget
    made.label(sheet, row, made.h("budget"))
    made.number(sheet, row, 2, limit.amount, MONEY[limit.currency])
    made.label(sheet, row + 1, made.t("spent"))
    made.formula(
        sheet,
        row + 1,
        2,
        f"={paid[limit.currency]}/C{row + 1}",
        Decimal(budget.spent_fraction),
        num_format="0.0%",
    )
    return row + 1


def _facts(made: Book, sheet: Worksheet, row: int) -> int:
    """What was quoted, in words; the next free row."""
    for workload in made.quote.workloads:
        make = quote_document.WORKLOAD_FACTS.get(workload.kind)
        facts = () if make is None else make(workload, made.quote, made.language)
        if not facts:
            continue
        sheet.write_string(row, 0, workload.name[:MAX_TEXT], made.style(bold=True, bottom=1))
        for label, value in merged(facts):
            row += 1
            made.label(sheet, row, label)
            sheet.write_string(row, 1, value[:MAX_TEXT], made.style())
        row += 2
    return row


def _chart(made: Book, sheet: Worksheet, row: int) -> None:
    count = min(len(made.quote.lines), MOST_BARS)
    if not count:
        return
    chart = made.book.add_chart({"type": "bar"})
    assert chart is not None
    name = made.t("sheet_lines")
    several = len(made.quote.workloads) > 1
    chart.add_series(
        {
            "name": "USD",
            "categories": [name, 1, 0 if several else 1, count, 1],
            "values": [name, 1, 8, count, 8],
            "gap": 60,
            "data_labels": {"value": True, "num_format": "#,##0"},
        }
    )
    chart.set_title({"name": f"{made.h('breakdown')}, USD"})
    chart.set_legend({"none": True})
    chart.set_x_axis({"num_format": "#,##0"})
    chart.set_y_axis({"reverse": True, "label_position": "low"})
    chart.set_size({"width": 760, "height": 160 + 34 * count})
    sheet.insert_chart(row, 0, chart, {"description": made.h("breakdown")})
