"""GitLab: a code quality report (JSON) and a metrics report (OpenMetrics text)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from costcalc.reports.findings import CheckReport
from costcalc.reports.json_report import dumps
from costcalc.reports.sarif import fingerprint

SEVERITIES = ("info", "minor", "major", "critical", "blocker")
_SEVERITY = {"warning": "minor", "error": "major"}


def code_quality_records(report: CheckReport) -> list[dict[str, Any]]:
    """One record per finding that is not fine; a plan that cannot be read is a blocker."""
    records: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for item in report.findings:
        if item.level == "ok":
            continue
        mark = fingerprint(report, item)
        # several problems of one key must not take each other's place
        seen[mark] = seen.get(mark, 0) + 1
        if seen[mark] > 1:
            mark = f"{mark}-{seen[mark]}"
        records.append(
            {
                "description": item.message,
                "check_name": item.rule,
                "fingerprint": mark,
                "severity": "blocker" if item.rule == "invalid-plan" else _SEVERITY[item.level],
                "location": {
                    "path": PurePath(report.file).as_posix().removeprefix("./"),
                    "lines": {"begin": item.line},
                },
            }
        )
    return records


def code_quality(report: CheckReport) -> str:
    """The code quality report as JSON text."""
    return dumps(code_quality_records(report))


def label(value: str) -> str:
    """A label value of OpenMetrics, escaped."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _family(name: str, samples: Iterable[tuple[str, Any]]) -> list[str]:
    rows = [f"{name}{{{labels}}} {value}" for labels, value in samples]
    return [f"# TYPE {name} gauge", *rows] if rows else []


def metrics(report: CheckReport) -> str:
    """Costs, ranges and budgets as gauges; a merge request shows how each one moved.

    A plan that cannot be read has no figures, only `costcalc_check_errors`.
    """
    lines: list[str] = []
    quote = report.quote
    plan = f'plan="{label(report.name)}"'
    if quote is not None and quote.plan is not None:
        phases = [phase for phase in quote.plan.phases if phase.counted]
        named = [(f'{plan},phase="{label(phase.name)}"', phase.totals) for phase in phases]
        totals = quote.totals
        for name, attribute in (
            ("costcalc_cost_usd", "usd"),
            ("costcalc_cost_low_usd", "usd_low"),
            ("costcalc_cost_high_usd", "usd_high"),
            ("costcalc_cost_mxn", "mxn"),
        ):
            lines += _family(name, ((labels, getattr(sums, attribute)) for labels, sums in named))
            total = name.replace("_cost_", "_total_")
            lines += _family(total, [(plan, getattr(totals, attribute))])
        budgets = [item for item in quote.plan.verdicts if item.kind == "budget"]
        for currency in ("USD", "MXN"):
            lines += _family(
                f"costcalc_budget_{currency.lower()}",
                (
                    (
                        f'{plan},scope="{item.scope}",subject="{label(item.subject)}"',
                        item.limit_amount.amount,
                    )
                    for item in budgets
                    if item.limit_amount is not None and item.limit_amount.currency == currency
                ),
            )
        lines += _family("costcalc_fx_usd_mxn", [(plan, quote.fx.usd_mxn)])
    lines += _family("costcalc_check_errors", [(plan, len(report.errors))])
    return "\n".join([*lines, "# EOF"]) + "\n"
