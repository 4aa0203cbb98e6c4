"""A workbook on its way: sheets, formats made once, cells whose text is never a formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc import messages
from costcalc.quote.types import Quote

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

MONEY = {
    name: f'"{name}" #,##0.00;[Red]-"{name}" #,##0.00'  # the code, never a bare sign
    for name in ("USD", "MXN")
}
HEAD = {"bold": True, "text_wrap": True, "bottom": 2, "bg_color": "#E8EEF5"}
LINE_POINTS = 15
MOST_LINES = 20
WIDE = 1.15
"""Room that a wrapped text needs beyond its characters."""
MAX_TEXT = 32_767
"""Characters that a cell holds."""


@dataclass
class Book:
    """The workbook of one quote in one language."""

    quote: Quote
    language: str
    book: Workbook
    formats: dict[str, Format] = field(default_factory=dict)
    _widths: dict[str, Sequence[float]] = field(default_factory=dict)
    _lines: dict[tuple[Worksheet, int], int] = field(default_factory=dict)

    def t(self, name: str, **params: object) -> str:
        """A text of the workbook's own."""
        return messages.text(f"xlsx.{name}", self.language, **params)

    def h(self, name: str, **params: object) -> str:
        """A text that the HTML report has too."""
        return messages.text(f"html.{name}", self.language, **params)

    def style(self, **properties: Any) -> Format:
        """A format, made once."""
        key = repr(sorted(properties.items()))
        if key not in self.formats:
            self.formats[key] = self.book.add_format({"valign": "top", **properties})
        return self.formats[key]

    def sheet(self, name: str, widths: Sequence[float]) -> Worksheet:
        """A sheet with its columns' widths, set up to print one page wide."""
        made = self.book.add_worksheet(self.t(f"sheet_{name}"))
        self._widths[made.get_name()] = widths
        for index, width in enumerate(widths):
            made.set_column(index, index, width)
        made.set_landscape()
        made.fit_to_pages(1, 0)
        return made

    def header(self, sheet: Worksheet, row: int, names: Sequence[str]) -> None:
        """Column headings that stay in view and on every printed page."""
        for column, name in enumerate(names):
            sheet.write_string(row, column, name, self.style(**HEAD))
        sheet.freeze_panes(row + 1, 0)
        sheet.repeat_rows(row)

    def text(self, sheet: Worksheet, row: int, column: int, value: object, **look: Any) -> None:
        """Text as text, whatever it begins with."""
        shown = str(value)[:MAX_TEXT]
        sheet.write_string(row, column, shown, self.style(text_wrap=True, **look))
        widths = self._widths[sheet.get_name()]
        self.needs(sheet, row, shown, widths[column] if column < len(widths) else 9)

    def needs(self, sheet: Worksheet, row: int, text: str, width: float) -> None:
        """Make a row high enough for `text` wrapped at `width` characters."""
        lines = math.ceil(len(text) * WIDE / width)
        self._lines[sheet, row] = max(self._lines.get((sheet, row), 1), lines)

    def set_heights(self) -> None:
        """Give every row its height; viewers that lay out nothing themselves need it."""
        for (sheet, row), lines in self._lines.items():
            if lines > 1:
                sheet.set_row(row, LINE_POINTS * min(lines, MOST_LINES))

    def label(self, sheet: Worksheet, row: int, value: str) -> None:
        """The name of a row."""
        self.text(sheet, row, 0, value, bold=True)

    def number(
        self, sheet: Worksheet, row: int, column: int, value: Decimal | float, num_format: str
    ) -> None:
        """A number as a number."""
        sheet.write_number(row, column, float(value), self.style(num_format=num_format))

    def day(self, sheet: Worksheet, row: int, column: int, value: date | None) -> None:
        """A date as a date."""
        if value is not None:
            at = datetime.combine(value, time())
            sheet.write_datetime(row, column, at, self.style(num_format="yyyy-mm-dd"))

    def formula(
        self, sheet: Worksheet, row: int, column: int, text: str, value: Decimal, **look: Any
    ) -> None:
        """A formula with the value that it has now."""
        sheet.write_formula(row, column, text, self.style(**look), float(value))
