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


def swing_label(item: Swing, quote: Quote, language: str) -> str:
    """The assumption in words, with its workload where there are several."""
    name = messages.text(f"sensitivity.{item.name}", language)
    return f"{item.workload} · {name}" if item.workload and len(quote.workloads) > 1 else name


def swing_table(quote: Quote, language: str) -> Table:
    """Every assumption, the one that moves the total most first."""

    def t(name: str) -> str:
        return messages.text(f"sensitivity.{name}", language)

    currency = wording.currencies(quote)[0]
    usd = currency == "USD"
    rows = []
    for item in quote.sensitivity or ():
        ends = (item.usd_at_low, item.usd_at_high) if usd else (item.mxn_at_low, item.mxn_at_high)
        rows.append(
            (
                swing_label(item, quote, language),
                f"{item.low or '–'} … {item.base} … {item.high or '–'}",
                *(_amount(value) for value in ends),
                f"{item.swing_usd if usd else item.swing_mxn:,.2f}",
                t(f"basis_{item.basis}"),
            )
        )
    columns = (
        t("assumption"),
        t("values"),
        f"{currency}, {t('at_low')}",
        f"{currency}, {t('at_high')}",
        t("swing"),
        t("bounds"),
    )
    return Table(t("title"), columns, tuple(rows), frozenset({2, 3, 4}))


def swing_blocks(quote: Quote, language: str) -> list[Block]:
    """The same for a terminal: figures in a narrow table, the bounds in sentences below."""
    whole = swing_table(quote, language)
    figures = Table(
        whole.title,
        tuple(whole.columns[index] for index in (0, 2, 3, 4)),
        tuple(tuple(row[index] for index in (0, 2, 3, 4)) for row in whole.rows),
        frozenset({1, 2, 3}),
    )
    bounds = tuple(f"{row[0]}: {row[1]} ({row[5]})" for row in whole.rows)
    return [figures, Notes(f"{whole.columns[5]} ({whole.columns[1]})", bounds)]


def _amount(value: Decimal | None) -> str:
    return "–" if value is None else f"{value:,.2f}"


def records(quote: Quote) -> list[dict[str, Any]]:
    """The key `sensitivity` of the JSON."""
    return [
        {name: plain(getattr(item, name)) for name in COLUMNS} for item in quote.sensitivity or ()
    ]
