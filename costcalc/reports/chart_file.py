"""A chart of a quote as SVG or PNG, drawn by matplotlib (extra `charts`).

What is drawn follows what the quote holds: the tornado of a sensitivity, else cost against time of
the offers, else the cost of each line with its range. The same quote and the same version of the
library give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costcalc import messages
from costcalc.errors import InputError
from costcalc.quote.types import Quote
from costcalc.reports import quote_document, report_parts, wording
from costcalc.reports.points import Point, front, points, scale, timed
from costcalc.reports.sensitivity_section import swing_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".svg", ".png")
MOST_BARS = 20
BLUE, GREY, ORANGE, GREEN = "#0b5cad", "#5d6976", "#a33b00", "#1c6b3a"
_STYLE: Any = {
    # a fixed salt instead of random ids; letters stay letters
    "svg.hashsalt": "costcalc",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titleweight": "bold",
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#d9dde3",
}


def check(path: str) -> str:
    """The form that `path` asks for by its ending, `svg` or `png`.

    Raises:
        InputError: another ending, or matplotlib is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError("chart.suffix", path=path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("chart.not_installed") from None
    return suffix[1:]


def render(quote: Quote, language: str, form: str) -> bytes:
    """The chart as a file's bytes.

    Args:
        form: `svg` or `png`.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    def t(name: str, **params: object) -> str:
        return messages.text(f"html.{name}", language, **params)

    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(9, 5.2), dpi=150, layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        if quote.sensitivity:
            name, draw = "sensitivity", _tornado
        elif timed(points(quote)):
            name, draw = "alternatives", _scatter
        else:
            name, draw = "breakdown", _bars
        axes.set_title(f"{report_parts.headline(quote, language)}\n{t(name)}", loc="left")
        draw(axes, quote, language, t)
        figure.text(0.995, 0.005, f"costcalc · {quote.as_of.isoformat()}", ha="right", fontsize=7)
        out = io.BytesIO()
        # neither the day of drawing nor the library's name goes into the file
        metadata: dict[str, Any] = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(out, format=form, metadata=metadata)
    return out.getvalue()


def _money_axis(axis: Any) -> None:
    axis.set_major_formatter(lambda value, _: f"{value:,.0f}")


def _bars(axes: Axes, quote: Quote, language: str, t: Callable[..., str]) -> None:
    currency = wording.currencies(quote)[0]
    usd = currency == "USD"
    several = len(quote.workloads) > 1
    lines = sorted(quote.lines, key=lambda line: abs(line.amount_usd))[-MOST_BARS:]
    labels, values, downs, ups = [], [], [], []
    for line in lines:
        low, middle, high = (
            (line.low_usd, line.amount_usd, line.high_usd)
            if usd
            else (line.low_mxn, line.amount_mxn, line.high_mxn)
        )
        item = quote_document.line_item(line, language)
        labels.append(f"{line.workload} · {item}" if several else item)
        values.append(float(middle))
        ends = sorted((low, middle, high))
        downs.append(float(middle - ends[0]))
        ups.append(float(ends[2] - middle))
    places = range(len(values))
    colors = [GREEN if value < 0 else BLUE for value in values]
    axes.barh(places, values, color=colors, xerr=(downs, ups), ecolor="black", capsize=4)
    axes.set_yticks(list(places), labels)
    axes.set_xlabel(currency)
    axes.grid(visible=False, axis="y")
    _money_axis(axes.xaxis)


def _scatter(axes: Axes, quote: Quote, language: str, t: Callable[..., str]) -> None:
    currency = wording.currencies(quote)[0]
    drawn = timed(points(quote))
    assert drawn is not None
    found = drawn.pairs

    def cost(item: Point) -> float:
        return float(item.usd if currency == "USD" else item.mxn)

    for set_scale, values in (
        (axes.set_xscale, [hours for hours, _ in found]),
        (axes.set_yscale, [cost(item) for _, item in found]),
    ):
        if scale(values).logarithmic:
            set_scale("log")
    line = front(found)
    axes.plot([hours for hours, _ in line], [cost(item) for _, item in line], color=BLUE, zorder=1)
    kinds = (
        ("key_other", GREY, "s", [p for p in found if not p[1].pareto and not p[1].quoted]),
        ("key_best", BLUE, "o", [p for p in found if p[1].pareto and not p[1].quoted]),
        ("key_quoted", ORANGE, "D", [p for p in found if p[1].quoted]),
    )
    for name, color, marker, some in kinds:
        if some:
            xs, ys = [hours for hours, _ in some], [cost(item) for _, item in some]
            axes.scatter(xs, ys, color=color, marker=marker, s=42, label=t(name), zorder=2)
    for hours, item in found:
        if item.pareto or item.quoted:
            text = f"{item.accelerators:,} x {item.accelerator}"
            place = (hours, cost(item))
            axes.annotate(text, place, (5, 5), textcoords="offset points", fontsize=7)
    axes.set_xlabel(t(drawn.kind))
    axes.set_ylabel(currency)
    _money_axis(axes.xaxis)
    _money_axis(axes.yaxis)
    axes.legend(fontsize=8, frameon=False)


def _tornado(axes: Axes, quote: Quote, language: str, t: Callable[..., str]) -> None:
    currency = wording.currencies(quote)[0]
    usd = currency == "USD"
    base = float(wording.total_of(quote.totals, currency)[1])
    swings = [
        item for item in quote.sensitivity or () if (item.swing_usd if usd else item.swing_mxn)
    ]
    swings = list(reversed(swings[:MOST_BARS]))
    for place, item in enumerate(swings):
        ends = (item.usd_at_low, item.usd_at_high) if usd else (item.mxn_at_low, item.mxn_at_high)
        for end, text in zip(ends, (item.low, item.high), strict=True):
            if end is None or float(end) == base:
                continue
            width = float(end) - base
            axes.barh(place, width, left=base, color=GREEN if width < 0 else ORANGE)
            side = "right" if width < 0 else "left"
            offset = (-3 if width < 0 else 3, 0)
            axes.annotate(
                text,
                (base + width, place),
                offset,
                textcoords="offset points",
                ha=side,
                va="center",
                fontsize=7,
            )
    axes.axvline(base, color="black", linewidth=1)
    axes.set_yticks(range(len(swings)), [swing_label(item, quote, language) for item in swings])
    axes.margins(x=0.25)
    axes.set_xlabel(currency)
    axes.grid(visible=False, axis="y")
    _money_axis(axes.xaxis)
