"""Formulas of the workbook, as text. Each gives today's figure to the cent, and the right one after
a quantity, a price or the rate has been changed."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from costcalc.quote import money
from costcalc.quote.types import Line

RATE = "usd_mxn"
"""Defined name of the cell with the exchange rate."""

QUANTITY, PRICE = "F", "H"
USD, LOW_USD, HIGH_USD = "I", "J", "K"
"""Columns of the sheet of lines."""


def rounded(expression: str, exact: Decimal, shown: Decimal) -> str:
    """`expression` to 0.01 as the quote rounds it.

    A spreadsheet rounds halves up, a quote to the even cent. Where the two differ, the formula
    says so; everywhere else it is the plain function that people know.

    Args:
        exact: what the expression is worth now, unrounded.
        shown: the quote's figure.
    """
    if exact.quantize(money.CENT, ROUND_HALF_UP) == shown:
        return f"ROUND({expression},2)"
    half = f"ABS(MOD(ABS({expression})*100,1)-0.5)<0.0000001"
    return f"IF({half},2*ROUND(({expression})*50,0)/100,ROUND({expression},2))"


def bases(lines: Sequence[Line]) -> list[tuple[int, ...]]:
    """For each line that is a share of others (discounts, fees), which ones; empty otherwise.

    Positions count from 0. A share's quantity is the amount that it is a share of.
    """
    found: list[tuple[int, ...]] = []
    before: dict[tuple[str, str | None], list[int]] = {}
    for number, line in enumerate(lines):
        earlier = before.setdefault((line.workload, line.provider), [])
        found.append(_base(lines, earlier, line) if line.unit == "USD" else ())
        earlier.append(number)
    return found


def _base(lines: Sequence[Line], before: Sequence[int], line: Line) -> tuple[int, ...]:
    """The nearest line of that amount, else the first lines that add up to it."""
    for index in reversed(before):
        if lines[index].amount_usd == line.quantity and lines[index].unit != "USD":
            return (index,)
    total = money.ZERO
    for count, index in enumerate(before, 1):
        total += lines[index].amount_usd
        if total == line.quantity:
            return tuple(before[:count])
    return ()


def cells(column: str, rows: Sequence[int]) -> str:
    """The sum of some cells of a column; rows count from 1."""
    names = [f"{column}{row}" for row in rows]
    return names[0] if len(names) == 1 else f"({'+'.join(names)})"


def line_formulas(
    lines: Sequence[Line], number: int, base: Sequence[int], usd_mxn: Decimal
) -> list[str]:
    """Formulas of the six amounts of a line: USD and MXN, each middle, low, high.

    Args:
        number: which line, from 0; line 0 stands in row 2.
        base: what it is a share of, see `bases`.
    """
    line, row = lines[number], number + 2
    over = [index + 2 for index in base]
    ends = (("amount_usd", USD), ("low_usd", LOW_USD), ("high_usd", HIGH_USD))
    usd = []
    for name, column in ends:
        value: Decimal = getattr(line, name)
        exact = line.quantity * line.unit_price_usd
        expression = f"{QUANTITY}{row}*{PRICE}{row}"
        if base and name != "amount_usd":
            exact = sum((getattr(lines[index], name) for index in base), money.ZERO)
            exact *= line.unit_price_usd
            expression = f"{cells(column, over)}*{PRICE}{row}"
        if money.cents(exact) == value:
            usd.append("=" + rounded(expression, exact, value))
        elif line.amount_usd and name != "amount_usd":
            # the range keeps its proportion to the middle
            share = float(value / line.amount_usd)
            usd.append(f"=ROUND({USD}{row}*{share!r},2)")
        else:
            usd.append(f"={value}")
    mxn = [
        "=" + rounded(f"{column}{row}*{RATE}", getattr(line, name) * usd_mxn, shown)
        for (name, column), shown in zip(
            ends, (line.amount_mxn, line.low_mxn, line.high_mxn), strict=True
        )
    ]
    return [*usd, *mxn]
