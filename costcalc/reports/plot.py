"""Charts in the terminal: characters only, whole at any width, readable without colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rich.cells import cell_len, set_cell_size

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_LEVELS = " ▁▂▃▄▅▆▇█"
MIN_BAR = 8
MOST_LABEL = 44


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled length.

    Attributes:
        shown: the figure in words, after the bar.
    """

    label: str
    value: float
    shown: str


def bars(items: Sequence[Bar], width: int) -> str:
    """Horizontal bars from zero, each on one line of at most `width` columns."""
    if not items:
        return ""
    figure = max(cell_len(item.shown) for item in items)
    longest = max(cell_len(item.label) for item in items)
    label = max(min(longest, MOST_LABEL, width - figure - MIN_BAR - 2), 1)
    room = max(width - label - figure - 2, 1)
    highest = max(item.value for item in items) or 1.0
    rows = []
    for item in items:
        text = item.label
        if cell_len(text) > label:
            text = set_cell_size(text, label - 1).rstrip() + "…"
        eighths = round(max(item.value, 0.0) / highest * room * 8)
        drawn = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        shown = " " * (figure - cell_len(item.shown)) + item.shown
        rows.append(
            f"{set_cell_size(text, label)} {set_cell_size(drawn or '▏', room)} {shown}".rstrip()
        )
    return "\n".join(rows) + "\n"


def steps(
    points: Sequence[tuple[date, Decimal]],
    width: int,
    *,
    until: date | None = None,
    height: int = 8,
) -> str:
    """A quantity that changes on some days, as columns over time, with its ends written out.

    Args:
        points: day and value, oldest first; a value holds until the next one.
        until: the last day drawn; the last point's when None.
        height: lines of the drawing.
    """
    if not points:
        return ""
    first, last = points[0][0], max(until or points[-1][0], points[-1][0])
    values = [value for _, value in points]
    lowest, highest = min(values), max(values)
    marks = [f"{highest:,.2f}", f"{lowest:,.2f}"]
    margin = max(map(len, marks)) + 1
    room = max(width - margin - 1, 10)
    span = max((last - first).days, 1)
    levels = []
    for column in range(room):
        day = first.toordinal() + round(span * column / max(room - 1, 1))
        value = next(value for when, value in reversed(points) if when.toordinal() <= day)
        share = float((value - lowest) / (highest - lowest)) if highest > lowest else 0.5
        # the lowest value still shows: an eighth of a line is no zero
        levels.append(1 + round(share * (height * 8 - 1)))
    rows = []
    for line in range(height, 0, -1):
        drawn = "".join(_LEVELS[min(max(level - (line - 1) * 8, 0), 8)] for level in levels)
        mark = marks[0] if line == height else marks[1] if line == 1 else ""
        rows.append(f"{mark:>{margin - 1}} │{drawn}".rstrip())
    ends = first.isoformat()
    gap = room - len(ends) - 10
    axis = ends + (" " * gap + last.isoformat() if gap > 0 else "")
    return "\n".join([*rows, f"{' ' * margin}{axis}"]) + "\n"
