"""A sensitivity in words: each assumption, its bounds, the totals at them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from costcalc import messages
from costcalc.quote.sensitivity import Swing
from costcalc.quote.types import Quote
from costcalc.reports import wording
from costcalc.reports.document import Block, Notes, Table
from costcalc.reports.json_report import plain

COLUMNS = (
    "name",
    "workload",
    "base",
    "low",
    "high",
    "basis",
    "usd_at_low",
    "usd_at_high",
    "mxn_at_low",
    "mxn_at_high",
    "swing_usd",
    "swing_mxn",
)

WHOLE_FROM = Decimal(100_000)
"""USD from which amounts are shown without cents."""


def swing_label(item: Swing, quote: Quote, language: str) -> str:
    """The assumption in words, with its workload where there are several."""
    name = messages.text(f"sensitivity.{item.name}", language)
    return f"{item.workload} · {name}" if item.workload and len(quote.workloads) > 1 else name


def swing_table(quote: Quote, language: str) -> Table:
    """Every assumption, the one that moves the total most first."""

    def t(name: str) -> str:
        return messages.text(f"sensitivity.{name}", language)

    shown = wording.currencies(quote)
    currency = shown[0]
    usd = currency == "USD"
    # cents say nothing beside a range of millions
    digits = 0 if quote.totals.usd >= WHOLE_FROM else 2
    rows = []
    for item in quote.sensitivity or ():
        ends = (item.usd_at_low, item.usd_at_high) if usd else (item.mxn_at_low, item.mxn_at_high)
        rows.append(
            (
                swing_label(item, quote, language),
                f"{item.low or '–'} … {item.base} … {item.high or '–'}",
                *(_amount(value, digits) for value in ends),
                *(f"{item.swing_usd if name == 'USD' else item.swing_mxn:,.2f}" for name in shown),
                t(f"basis_{item.basis}"),
            )
        )
    columns = (
        t("assumption"),
        t("values"),
        f"{currency}, {t('at_low')}",
        f"{currency}, {t('at_high')}",
        *(f"{name}, {t('swing')}" for name in shown),
        t("bounds"),
    )
    return Table(t("title"), columns, tuple(rows), frozenset(range(2, 4 + len(shown))))


def swing_blocks(quote: Quote, language: str) -> list[Block]:
    """The same for a terminal: figures in a narrow table, the bounds in sentences below."""
    whole = swing_table(quote, language)
    figures = Table(
        whole.title,
        (whole.columns[0], *whole.columns[2:-1]),
        tuple((row[0], *row[2:-1]) for row in whole.rows),
        frozenset(range(1, len(whole.columns) - 2)),
    )
    bounds = tuple(f"{row[0]}: {row[1]} ({row[-1]})" for row in whole.rows)
    return [figures, Notes(f"{whole.columns[-1]} ({whole.columns[1]})", bounds)]


def _amount(value: Decimal | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def records(quote: Quote) -> list[dict[str, Any]]:
    """The key `sensitivity` of the JSON."""
    return [
        {name: plain(getattr(item, name)) for name in COLUMNS} for item in quote.sensitivity or ()
    ]
