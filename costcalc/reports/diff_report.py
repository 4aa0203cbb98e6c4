"""A diff for programs (JSON, CSV) and for people."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from costcalc import messages
from costcalc.quote.diff import CAUSES, Diff, Row, Sums
from costcalc.reports.csv_report import table as csv_table
from costcalc.reports.document import Block, Document, Facts, Notes, Table
from costcalc.reports.json_report import plain

SCHEMA = "costcalc.diff/1"
ROW_COLUMNS = (
    "workload",
    "item",
    "provider",
    "region",
    "sku",
    "before_usd",
    "after_usd",
    "change_usd",
    "change_pct",
    "usage_usd",
    "price_usd",
    "cause",
)
SUM_COLUMNS = (
    "before_usd",
    "after_usd",
    "change_usd",
    "change_pct",
    "before_mxn",
    "after_mxn",
    "change_mxn",
)
MOST_ROWS = 60


def row_record(row: Row) -> dict[str, Any]:
    """One line on both sides."""
    return {name: plain(getattr(row, name)) for name in ROW_COLUMNS}


def sums_record(sums: Sums) -> dict[str, Any]:
    """Before, after and change in both currencies."""
    return {name: plain(getattr(sums, name)) for name in SUM_COLUMNS}


def record(diff: Diff) -> dict[str, Any]:
    """A diff as plain JSON values. Rows add up to `workloads`, and those to `totals`."""
    return {
        "schema": SCHEMA,
        "fx": {
            "usd_mxn": plain(diff.fx.usd_mxn),
            "date": plain(diff.fx.date),
            "source": diff.fx.source,
        },
        "before": _side(diff, before=True),
        "after": _side(diff, before=False),
        "rows": [row_record(row) for row in diff.rows],
        "workloads": [
            {"workload": name, **sums_record(sums)} for name, sums in diff.by_workload.items()
        ],
        "causes": {cause: plain(diff.by_cause.get(cause, Decimal(0))) for cause in CAUSES},
        "totals": sums_record(diff.totals),
    }


def _side(diff: Diff, *, before: bool) -> dict[str, Any]:
    side = diff.before if before else diff.after
    return {
        "name": side.name,
        "as_of": side.as_of.isoformat(),
        "catalog": side.catalog,
        "calibration": side.calibration,
        "usd_mxn": plain(side.fx.usd_mxn),
    }


def csv(diff: Diff) -> str:
    """The rows as CSV."""
    return csv_table(
        ROW_COLUMNS, ({name: getattr(row, name) for name in ROW_COLUMNS} for row in diff.rows)
    )


def document(diff: Diff, language: str) -> Document:
    """The diff for people: changed lines, sums by workload and cause, one rate."""

    def t(key: str, **params: object) -> str:
        return messages.text(f"diff.{key}", language, **params)

    changed = [row for row in diff.rows if row.cause is not None]
    blocks: list[Block] = []
    if changed:
        blocks.append(_rows_table(diff, changed, language))
        blocks.append(
            Facts(
                t("by_cause"),
                tuple(
                    (t(f"cause_{cause}"), signed(diff.by_cause[cause]))
                    for cause in CAUSES
                    if cause in diff.by_cause
                ),
            )
        )
    else:
        blocks.append(Notes(t("title"), (t("nothing"),)))
    blocks.append(_sums_table(diff, language))
    blocks.append(Facts(None, _basis(diff, language)))
    return Document(f"{t('title')}: {diff.before.name} → {diff.after.name}", tuple(blocks))


def signed(amount: Decimal) -> str:
    """`+1,234.50`, `-3.00`, `0.00`."""
    return f"{amount:+,.2f}" if amount else "0.00"


def _percent(value: Decimal | None) -> str:
    if value is None:
        return ""
    return f"{value:+,.1f}" if value else "0.0"


def _rows_table(diff: Diff, changed: list[Row], language: str) -> Table:
    def t(key: str, **params: object) -> str:
        return messages.text(f"diff.{key}", language, **params)

    items = messages.area(language, "items")
    rows = [
        (
            f"{row.workload} · {items.get(row.item.replace('-', '_'), row.item)}",
            f"{row.before_usd:,.2f}",
            f"{row.after_usd:,.2f}",
            signed(row.change_usd),
            _percent(row.change_pct),
            t(f"cause_{row.cause}"),
        )
        for row in changed[:MOST_ROWS]
    ]
    if len(changed) > MOST_ROWS:
        more = messages.text("check.more", language, count=len(changed) - MOST_ROWS)
        rows.append((more, "", "", "", "", ""))
    same = [row for row in diff.rows if row.cause is None]
    if same:
        amount = sum((row.after_usd for row in same), Decimal(0))
        rows.append(
            (
                t("unchanged", count=len(same)),
                f"{amount:,.2f}",
                f"{amount:,.2f}",
                "0.00",
                "",
                "",
            )
        )
    totals = diff.totals
    rows.append(
        (
            t("total"),
            f"{totals.before_usd:,.2f}",
            f"{totals.after_usd:,.2f}",
            signed(totals.change_usd),
            _percent(totals.change_pct),
            "",
        )
    )
    columns = (
        t("item"),
        f"{t('before')} USD",
        f"{t('after')} USD",
        t("change"),
        t("percent"),
        t("cause"),
    )
    return Table(None, columns, tuple(rows), frozenset({1, 2, 3, 4}), total=True)


def _sums_table(diff: Diff, language: str) -> Table:
    def t(key: str) -> str:
        return messages.text(f"diff.{key}", language)

    totals = diff.totals
    rows = (
        (
            "USD",
            f"{totals.before_usd:,.2f}",
            f"{totals.after_usd:,.2f}",
            signed(totals.change_usd),
            _percent(totals.change_pct),
        ),
        (
            "MXN",
            f"{totals.before_mxn:,.2f}",
            f"{totals.after_mxn:,.2f}",
            signed(totals.change_mxn),
            _percent(totals.change_pct),
        ),
    )
    columns = (t("total"), t("before"), t("after"), t("change"), t("percent"))
    return Table(None, columns, rows, frozenset({1, 2, 3, 4}))


def _basis(diff: Diff, language: str) -> tuple[tuple[str, str], ...]:
    def t(key: str, **params: object) -> str:
        return messages.text(f"diff.{key}", language, **params)

    rate = t(
        "one_rate",
        rate=f"{diff.fx.usd_mxn.normalize():f}",
        date=diff.fx.date or t("no_date"),
        source=diff.fx.source,
    )
    rows = [(t("rate"), rate)]
    if diff.before_fx.usd_mxn != diff.fx.usd_mxn:
        own = f"{diff.before_fx.usd_mxn.normalize():f}"
        rows.append(("", t("before_rate", rate=own)))
    before, after = diff.before.catalog, diff.after.catalog
    key = "same_catalog" if before == after else "catalogs"
    rows.append((t("catalog"), t(key, before=before, after=after)))
    return tuple(rows)
