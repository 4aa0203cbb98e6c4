"""The workbook: numbers are numbers, formulas give the quote's cents, text is never a formula."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import small_quotes
from hypothesis import given, settings
from hypothesis import strategies as st

from costcalc.quote import money
from costcalc.quote.types import IvaMode, Line, Quote
from costcalc.reports import xlsx_formulas, xlsx_report

SHEETS = ["Summary", "Lines", "Offers compared", "Assumptions", "Sources"]
AMOUNTS = ("amount_usd", "low_usd", "high_usd", "amount_mxn", "low_mxn", "high_mxn")


def opened(content: bytes, *, values: bool = False) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content), data_only=values)


@pytest.mark.parametrize("make", [small_quotes.training, small_quotes.plan])
def test_the_same_quote_gives_the_same_bytes(make: Any) -> None:
    assert xlsx_report.render(make(), "es") == xlsx_report.render(make(), "es")


def test_sheets_headings_and_types() -> None:
    book = opened(xlsx_report.render(small_quotes.training(), "en"))
    assert book.sheetnames == SHEETS
    lines = book["Lines"]
    assert lines.freeze_panes == "A2"
    assert [cell.data_type for cell in lines[2]][5] == "n"
    assert lines["H2"].value == 55.04
    assert lines["O2"].value == datetime(2026, 7, 20)
    assert lines["I2"].data_type == "f"
    assert '"USD"' in lines["I2"].number_format
    assert '"MXN"' in lines["L2"].number_format
    assert all(book[name].freeze_panes for name in SHEETS)
    assert book["Summary"]._charts
    assert book["Offers compared"]._charts
    assert book.properties.created == datetime(2026, 12, 1)


def test_a_discount_follows_what_it_is_a_discount_on() -> None:
    book = opened(xlsx_report.render(small_quotes.training(), "en"))
    assert book["Lines"]["F3"].value == "=I2"
    assert book["Lines"]["J3"].value == "=ROUND(J2*H3,2)"


@pytest.mark.parametrize("mode", ["none", "add", "self-assessed"])
def test_cached_values_are_those_of_the_quote(mode: IvaMode) -> None:
    quote = small_quotes.training()
    quote = replace(quote, totals=money.totals(quote.lines, mode))
    book = opened(xlsx_report.render(quote, "en"), values=True)
    check_values(book, quote)


def check_values(book: Any, quote: Quote, *, tolerance: float = 0.0) -> None:
    """Lines and totals of a workbook against the quote."""
    lines = book["Lines"]
    for row, line in enumerate(quote.lines, 2):
        for column, name in zip("IJKLMN", AMOUNTS, strict=True):
            found, wanted = lines[f"{column}{row}"].value, float(getattr(line, name))
            assert found == pytest.approx(wanted, abs=tolerance or 1e-9), (row, name)
    last = len(quote.lines) + 2
    totals = quote.totals
    for column, wanted in zip(
        "IJKLMN",
        (
            totals.usd,
            totals.usd_low,
            totals.usd_high,
            totals.mxn,
            totals.mxn_low,
            totals.mxn_high,
        ),
        strict=True,
    ):
        assert lines[f"{column}{last}"].value == pytest.approx(float(wanted), abs=0.005)
    shown = {
        row[0].value: row[2].value
        for row in book["Summary"].iter_rows()
        if row[0].value is not None
    }
    assert shown["Total USD"] == pytest.approx(float(totals.usd), abs=0.005)
    assert shown["Total MXN"] == pytest.approx(float(totals.mxn), abs=0.005)
    if totals.iva_mode != "none":
        assert shown["Total with IVA USD"] == pytest.approx(float(totals.usd_with_iva), abs=0.005)
        assert shown["Total with IVA MXN"] == pytest.approx(float(totals.mxn_with_iva), abs=0.005)


def test_text_is_never_a_formula_or_a_link() -> None:
    bad = '=HYPERLINK("http://x","y")'
    quote = small_quotes.training()
    lines = tuple(
        replace(line, workload=bad, provider="+1", sku="@SUM(A1)", source="http://evil")
        for line in quote.lines
    )
    workload0 = quote.workloads[0]
    workload = replace(
        workload0, name="-2+3", inputs={"=1+1": "=2+2", **workload0.inputs, "model": "=3"}
    )
    book = opened(xlsx_report.render(replace(quote, lines=lines, workloads=(workload,)), "en"))
    assert book["Lines"]["A2"].data_type == "s"
    assert book["Lines"]["A2"].value == bad
    assert book["Lines"]["E2"].data_type == "s"
    assert book["Assumptions"]["B2"].data_type == "s"
    for sheet in book.worksheets:
        assert not sheet._hyperlinks
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    assert re.fullmatch(r"=[-A-Za-z0-9_$!'().,:*+/ <>]+", str(cell.value))


def test_text_longer_than_a_cell_is_cut() -> None:
    quote = small_quotes.training()
    lines = tuple(replace(line, source="x" * 40_000) for line in quote.lines)
    book = opened(xlsx_report.render(replace(quote, lines=lines), "en"))
    assert len(book["Lines"]["Q2"].value) == 32_767


amounts = st.decimals(min_value=0, max_value=Decimal(100_000), places=4)
prices = st.decimals(min_value=Decimal("0.0001"), max_value=Decimal(500), places=4)


@given(quantity=amounts, price=prices)
def test_a_line_s_formula_says_how_the_quote_rounds(quantity: Decimal, price: Decimal) -> None:
    exact = quantity * price
    text = xlsx_formulas.rounded("X", exact, money.cents(exact))
    half = (exact * 100) % 1 == Decimal("0.5")
    even = half and int(exact * 100) % 2 == 0
    assert (text == "ROUND(X,2)") is not even


def many_lines(rows: Sequence[tuple[Decimal, Decimal]]) -> Quote:
    lines: list[Line] = []
    for number, (quantity, price) in enumerate(rows):
        line = money.line(
            workload=f"w{number}",
            item="machines",
            unit="instance-hour",
            unit_price_usd=price,
            quantity_middle=quantity,
            quantity_low=money.quantity(quantity * Decimal("0.7")),
            quantity_high=money.quantity(quantity * Decimal("1.9")),
            usd_mxn=small_quotes.FX.usd_mxn,
            provider="aws",
            source="list",
        )
        lines.append(line)
        if number % 3 == 0:
            rate = small_quotes.FX.usd_mxn
            lines.append(money.share_of(line, Decimal("-0.125"), "discount", rate, "d"))
    return small_quotes.training(
        lines=tuple(lines), totals=money.totals(lines, "add"), budget=None, offers=()
    )


@settings(max_examples=15)
@given(st.lists(st.tuples(amounts, prices), min_size=1, max_size=6))
def test_any_lines_make_a_workbook_with_their_values(rows: list[tuple[Decimal, Decimal]]) -> None:
    quote = many_lines(rows)
    check_values(opened(xlsx_report.render(quote, "en"), values=True), quote)


# --- recalculated by LibreOffice ---

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
office = [
    pytest.mark.office,
    pytest.mark.skipif(OFFICE is None, reason="LibreOffice (soffice) is not installed"),
]


def without_values(content: bytes, **inputs: float) -> bytes:
    """The workbook with no cached value in any formula cell, and some inputs of `Lines` changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for item in old.infolist():
            data = old.read(item)
            if item.filename.startswith("xl/worksheets/sheet"):
                text = re.sub(r"(<f>[^<]*</f>)<v>[^<]*</v>", r"\1", data.decode())
                if item.filename.endswith("sheet2.xml"):
                    for cell, value in inputs.items():
                        text, count = re.subn(
                            rf'(<c r="{cell}"[^>]*>)<v>[^<]*</v>', rf"\g<1><v>{value}</v>", text
                        )
                        assert count == 1
                data = text.encode()
            new.writestr(item, data)
    return out.getvalue()


def recalculated(content: bytes, folder: Path) -> Any:
    source = folder / "in" / "quote.xlsx"
    source.parent.mkdir()
    source.write_bytes(content)
    assert OFFICE is not None
    subprocess.run(
        [
            OFFICE,
            "--headless",
            "--norestore",
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--convert-to",
            "xlsx",
            "--outdir",
            str(folder / "out"),
            str(source),
        ],
        check=True,
        capture_output=True,
        timeout=180,
    )
    return openpyxl.load_workbook(folder / "out" / "quote.xlsx", data_only=True)


class TestOffice:
    pytestmark = office

    def test_recalculation_gives_the_quote_to_the_cent(self, tmp_path: Path) -> None:
        rows = [
            (Decimal("72.4200"), Decimal("55.04")),
            (Decimal("0.5000"), Decimal("0.25")),  # 0.125: a tie
            (Decimal("1.5000"), Decimal("0.25")),  # 0.375: a tie that goes up
            (Decimal("0.0000"), Decimal("3.5")),
            (Decimal("77139.3744"), Decimal("55.04")),
            (Decimal("0.0201"), Decimal("0.5")),
            (Decimal("33333.3333"), Decimal("12.2879")),
            (Decimal("2.3450"), Decimal("1.0")),
            (Decimal("8.1250"), Decimal("0.2")),
        ]
        quote = many_lines(rows)
        book = recalculated(without_values(xlsx_report.render(quote, "en")), tmp_path)
        check_values(book, quote, tolerance=1e-6)

    def test_the_whole_report_recalculates(self, tmp_path: Path) -> None:
        quote = small_quotes.training()
        book = recalculated(without_values(xlsx_report.render(quote, "en")), tmp_path)
        check_values(book, quote, tolerance=1e-6)
        offers = book["Offers compared"]
        for row, record in enumerate(quote.offers, 2):
            assert offers[f"J{row}"].value == pytest.approx(float(record["mxn"]), abs=1e-6)
        assert quote.budget is not None
        shown = {row[0].value: row[2].value for row in book["Summary"].iter_rows()}
        spent = float(quote.budget.spent_fraction)
        assert shown["Share of the budget"] == pytest.approx(spent, rel=1e-9)

    def test_a_changed_quantity_moves_every_total(self, tmp_path: Path) -> None:
        quote = small_quotes.training()
        changed = without_values(xlsx_report.render(quote, "en"), F2=100.0)
        book = recalculated(changed, tmp_path)
        usd = 5504.0
        off = round(usd * 0.12, 2)
        assert book["Lines"]["I2"].value == pytest.approx(usd)
        assert book["Lines"]["I3"].value == pytest.approx(-off)
        shown = {row[0].value: row[2].value for row in book["Summary"].iter_rows()}
        assert shown["Total USD"] == pytest.approx(usd - off)
        assert shown["Total with IVA USD"] == pytest.approx((usd - off) * 1.16, abs=0.006)
