"""What `costcalc accuracy` tells a person: summary, by accelerator and stack, the worst rows."""

from __future__ import annotations

from collections.abc import Mapping

from costcalc.accuracy.scored import Scored, ScoredRow, Summary, summarize
from costcalc.cli.language import t
from costcalc.reports.document import Block, Document, Facts, Notes, Table

WORST = 10


def document(scored: Scored) -> Document:
    """The report."""
    whole = summarize(scored.rows)
    facts = [
        (t("accuracy.runs"), t("accuracy.runs_value", runs=whole.runs, skipped=len(scored.skipped)))
    ]
    if scored.rows:
        facts += [
            (t("accuracy.median"), _percent(whole.median_abs_pct_error)),
            (t("accuracy.p90"), _percent(whole.p90_abs_pct_error)),
            (
                t("accuracy.coverage"),
                t(
                    "accuracy.coverage_value",
                    share=_percent(100 * whole.interval_coverage),
                    interval=_percent(100 * scored.interval, 0),
                ),
            ),
        ]
    blocks: list[Block] = [Facts(None, tuple(facts))]
    blocks.append(Notes(t("accuracy.how"), (_how(scored),)))
    if scored.rows:
        blocks.append(_table("accelerator", scored.by(lambda row: row.accelerator)))
        for name in scored.groupings:
            if name == "tuning":
                blocks.append(_table("tuning", scored.by(lambda row: row.group("tuning"))))
        blocks.append(_worst(scored))
    if scored.skipped:
        lines = tuple(
            f"{row.id}: {t('accuracy.reason_' + row.reason)}" for row in scored.skipped[:WORST]
        )
        blocks.append(Notes(t("accuracy.skipped"), lines))
    return Document(t("accuracy.title"), tuple(blocks))


def _how(scored: Scored) -> str:
    if scored.cross_validated:
        return t("accuracy.how_" + scored.cross_validated)
    seen = sum(row.in_sample for row in scored.rows)
    return t("accuracy.how_own" if scored.own else "accuracy.how_plain", seen=seen)


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def _percent(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f}%"


def _table(name: str, groups: Mapping[str, Summary]) -> Table:
    rows = tuple(
        (
            group,
            str(found.runs),
            _percent(found.median_abs_pct_error),
            _percent(found.p90_abs_pct_error),
            _percent(100 * found.interval_coverage, 0),
        )
        for group, found in groups.items()
    )
    columns = (
        t(f"accuracy.column_{name}"),
        t("accuracy.column_runs"),
        t("accuracy.column_median"),
        t("accuracy.column_p90"),
        t("accuracy.column_coverage"),
    )
    return Table(None, columns, rows, frozenset({1, 2, 3, 4}))


def _worst(scored: Scored) -> Table:
    def distance(row: ScoredRow) -> float:
        return max(row.predicted / row.measured, row.measured / row.predicted)

    worst = sorted(scored.rows, key=distance, reverse=True)[:WORST]
    several = len({row.metric for row in scored.rows}) > 1
    rows = tuple(
        (
            row.id,
            row.accelerator,
            *([row.metric] if several else []),
            _figure(row.measured),
            _figure(row.predicted),
            f"{row.error_pct:+.0f}%",
        )
        for row in worst
    )
    columns = (
        t("accuracy.column_id"),
        t("accuracy.column_accelerator"),
        *([t("accuracy.column_metric")] if several else []),
        t("accuracy.column_measured"),
        t("accuracy.column_predicted"),
        t("accuracy.column_error"),
    )
    numbers = frozenset({3, 4, 5} if several else {2, 3, 4})
    return Table(t("accuracy.worst"), columns, rows, numbers)
