"""Charts of the HTML report: markup that scales without scaling its text, readable without colour.

Positions are percentages, so that letters keep their size on a telephone. Everything that a chart
shows stands in a table beside it; the chart itself is one image to a screen reader.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from itertools import pairwise

from costcalc.reports.points import Point, Scale, Timed, front, scale, short

Text = Callable[..., str]
DAYS_FROM_HOURS = 72


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled amount with its range."""

    label: str
    shown: str
    value: Decimal
    low: Decimal
    high: Decimal


@dataclass(frozen=True, slots=True)
class Swung:
    """A row of a tornado: the total with an assumption at its low and its high bound."""

    label: str
    shown: str
    at_low: Decimal | None
    at_high: Decimal | None


def percent(part: float) -> str:
    """A share of the width, `37.5%`."""
    return f"{part * 100:.2f}".rstrip("0").rstrip(".") + "%"


def bars(items: Sequence[Bar]) -> str:
    """Horizontal bars from zero, each with a whisker from low to high; negative amounts go left."""
    ends = [end for item in items for end in (item.value, item.low, item.high)]
    highest, lowest = max([Decimal(0), *ends]), min([Decimal(0), *ends])
    span = float(highest - lowest) or 1.0

    def at(value: Decimal) -> float:
        return float(value - lowest) / span

    rows = []
    zero = at(Decimal(0))
    for item in items:
        left, right = sorted((zero, at(item.value)))
        low, high = sorted((at(item.low), at(item.high)))
        whisker = ""
        if item.low != item.high:
            whisker = (
                f'<span class="whisker" style="left:{percent(low)};width:{percent(high - low)}">'
                "</span>"
            )
        kind = " less" if item.value < 0 else ""
        rows.append(
            f'<li><div class="label"><span>{escape(item.label)}</span>'
            f"<b>{escape(item.shown)}</b></div>"
            f'<div class="track" aria-hidden="true"><span class="bar{kind}" '
            f'style="left:{percent(left)};width:{percent(right - left)}"></span>'
            f"{whisker}</div></li>"
        )
    return f'<ul class="bars">{"".join(rows)}</ul>'


def tornado(base: Decimal, items: Sequence[Swung]) -> str:
    """Bars to both sides of the quoted total."""
    values = [base]
    for item in items:
        values += [value for value in (item.at_low, item.at_high) if value is not None]
    lowest, highest = min(values), max(values)
    span = float(highest - lowest) or 1.0

    def at(value: Decimal) -> float:
        return float(value - lowest) / span

    middle = at(base)
    rows = []
    for item in items:
        parts = []
        for value in (item.at_low, item.at_high):
            if value is None or value == base:
                continue
            left, right = sorted((middle, at(value)))
            kind = "less" if value < base else "more"
            parts.append(
                f'<span class="bar {kind}" '
                f'style="left:{percent(left)};width:{percent(right - left)}"></span>'
            )
        rows.append(
            f'<li><div class="label"><span>{escape(item.label)}</span>'
            f"<b>{escape(item.shown)}</b></div>"
            f'<div class="track" aria-hidden="true">{"".join(parts)}'
            f'<span class="base" style="left:{percent(middle)}"></span></div></li>'
        )
    return f'<ul class="bars">{"".join(rows)}</ul>'


def span(low: Decimal, middle: Decimal, high: Decimal) -> str:
    """A range as a bar with the middle marked; nothing where there is no range."""
    if high <= low:
        return ""
    at = float(middle - low) / float(high - low)
    return f'<div class="span" aria-hidden="true"><i style="left:{percent(at)}"></i></div>'


def scatter(drawn: Timed, currency: str, t: Text) -> str:
    """Cost against time; the Pareto set joined by a line, the quoted offer marked.

    Args:
        currency: `USD` or `MXN`.
        t: words of the report, by name.
    """
    items, axis = drawn.pairs, drawn.kind
    unit = 1.0
    if axis == "hours" and min(time for time, _ in items) >= DAYS_FROM_HOURS:
        unit, axis = 24.0, "days"

    def cost(item: Point) -> float:
        return float(item.usd if currency == "USD" else item.mxn)

    x = scale([time / unit for time, _ in items])
    y = scale([cost(item) for _, item in items])
    parts = [
        f'<svg role="img" aria-labelledby="plot-title plot-text" focusable="false">'
        f'<title id="plot-title">{escape(t("plot_title"))}</title>'
        f'<desc id="plot-text">{escape(t("plot_text", count=len(items)))}</desc>'
    ]
    parts += _axes(x, y, t(axis), currency)
    places = [(x.at(time / unit), 1 - y.at(cost(item))) for time, item in front(items)]
    for (x1, y1), (x2, y2) in pairwise(places):
        parts.append(
            f'<line class="front" x1="{percent(x1)}" y1="{percent(y1)}" '
            f'x2="{percent(x2)}" y2="{percent(y2)}"/>'
        )
    placed: list[tuple[float, float]] = []
    # the quoted offer last, so that nothing covers it
    for time, item in sorted(items, key=lambda pair: (pair[1].quoted, pair[1].pareto)):
        left, top = x.at(time / unit), 1 - y.at(cost(item))
        parts.append(dot(item, percent(left), percent(top)))
        name = item.number or t("quoted_short")
        crowded = any(abs(left - a) < 0.07 and abs(top - b) < 0.06 for a, b in placed)
        if item.quoted or item.pareto or not crowded:
            placed.append((left, top))
            kind = ' class="name"' if item.quoted or item.pareto else ""
            parts.append(
                f'<text{kind} x="{percent(left)}" y="{percent(top)}" dx="8" dy="-6">'
                f"{escape(name)}</text>"
            )
    parts.append("</svg>")
    return f'<div class="plot">{"".join(parts)}</div>'


def _axes(x: Scale, y: Scale, x_title: str, y_title: str) -> list[str]:
    parts = []
    for value in x.ticks():
        at = percent(x.at(value))
        parts.append(
            f'<line class="grid" x1="{at}" y1="0" x2="{at}" y2="100%"/>'
            f'<text x="{at}" y="100%" dy="18" text-anchor="middle">{short(value)}</text>'
        )
    for value in y.ticks():
        at = percent(1 - y.at(value))
        parts.append(
            f'<line class="grid" x1="0" y1="{at}" x2="100%" y2="{at}"/>'
            f'<text x="0" y="{at}" dx="-8" dy="4" text-anchor="end">{short(value)}</text>'
        )
    parts.append(
        '<line class="axis" x1="0" y1="100%" x2="100%" y2="100%"/>'
        '<line class="axis" x1="0" y1="0" x2="0" y2="100%"/>'
        '<text class="title" x="50%" y="100%" dy="40" text-anchor="middle">'
        f"{escape(x_title)}</text>"
        '<text class="title" x="0" y="0" dx="-8" dy="-8" text-anchor="end">'
        f"{escape(y_title)}</text>"
    )
    return parts


def dot(item: Point, x: str, y: str) -> str:
    """A point; its form says what its colour says."""
    if item.quoted:
        return (
            f'<svg x="{x}" y="{y}" width="1" height="1" overflow="visible">'
            '<path class="dot quoted" d="M0-8 8 0 0 8-8 0Z"/></svg>'
        )
    if item.pareto:
        return f'<circle class="dot best" cx="{x}" cy="{y}" r="6"/>'
    return (
        f'<svg x="{x}" y="{y}" width="1" height="1" overflow="visible">'
        '<rect class="dot" x="-4" y="-4" width="8" height="8"/></svg>'
    )


def key(t: Text, *, quoted: bool) -> str:
    """What the forms of a scatter mean."""
    rows = [
        ('<circle class="dot best" cx="6" cy="6" r="5"/>', t("key_best")),
        ('<rect class="dot" x="2" y="2" width="8" height="8"/>', t("key_other")),
    ]
    if quoted:
        rows.insert(0, ('<path class="dot quoted" d="M6 0 12 6 6 12 0 6Z"/>', t("key_quoted")))
    items = "".join(
        f'<li><svg aria-hidden="true" focusable="false" viewBox="0 0 12 12">{form}</svg>'
        f"{escape(text)}</li>"
        for form, text in rows
    )
    return f'<ul class="key">{items}</ul>'
