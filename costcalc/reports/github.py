"""GitHub: a Markdown comment (also the step summary) and workflow annotations.

Limits, from GitHub's documentation: 65,536 characters in a comment, 1 MiB in a step summary, ten
annotations of each kind per step. What is cut is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from costcalc import messages
from costcalc.quote.diff import Diff, Row
from costcalc.quote.types import Quote, Totals
from costcalc.reports import wording
from costcalc.reports.findings import CheckReport, Finding
from costcalc.reports.markdown import escape
from costcalc.units import Money

COMMENT_CHARACTERS = 65_536
ANNOTATIONS_PER_KIND = 10
MOST_ROWS = 200
MARKER = "costcalc-check"


def _t(key: str, language: str, **params: object) -> str:
    return messages.text(f"check.{key}", language, **params)


def text(value: str) -> str:
    """Free text inside Markdown: no markup, no mention, no reference to an issue."""
    return escape(value).replace("@", "&#64;")


def marker(name: str) -> str:
    """The hidden line by which a bot finds its own comment again."""
    plain = re.sub(r"[^\w .-]", "", name).strip()
    return f"<!-- {MARKER}: {re.sub('-{2,}', '-', plain)} -->"


def comment(report: CheckReport, language: str, *, most: int = COMMENT_CHARACTERS) -> str:
    """The Markdown body, at most `most` characters."""
    for rows in (MOST_ROWS, 50, 10, 0):
        body = _comment(report, language, rows)
        if len(body) <= most:
            return body
    note = f"\n\n{_t('truncated', language)}\n"
    return body[: most - len(note)] + note


def _comment(report: CheckReport, language: str, rows: int) -> str:
    parts = [marker(report.name), f"#### {_t(f'heading_{report.status}', language)}", ""]
    parts.append(f"**{text(report.name)}**")
    parts.append("")
    if report.diff is not None and report.quote is not None:
        parts += _diff_table(report, report.diff, rows, language)
    elif report.quote is not None:
        parts += _cost_table(report, report.quote, rows, language)
    shown = [item for item in report.findings if item.level != "ok"]
    if shown:
        parts += ["", f"**{_t('problems', language)}**", ""]
        parts += [f"- {_mark(item)} {text(item.message)}" for item in shown[: max(rows, 10)]]
        hidden = len(shown) - max(rows, 10)
        if hidden > 0:
            parts.append(f"- {_t('more', language, count=hidden)}")
    if report.quote is not None:
        parts += ["", *_details(report, report.quote, rows, language)]
    return "\n".join(parts) + "\n"


def _mark(item: Finding) -> str:
    return {"error": "❌", "warning": "⚠️", "ok": "✅"}[item.level]


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rule = "|---|" + "---:|" * (len(columns) - 1)
    head = "| " + " | ".join(columns) + " |"
    return [head, rule, *("| " + " | ".join(row) + " |" for row in rows)]


def _budgets(report: CheckReport) -> dict[str, str]:
    summary = report.quote.plan if report.quote is not None else None
    verdicts = summary.verdicts if summary is not None else ()
    return {
        verdict.subject: verdict.limit
        for verdict in verdicts
        if verdict.kind == "budget" and verdict.scope in ("total", "workload")
    }


def _cost_table(report: CheckReport, quote: Quote, most: int, language: str) -> list[str]:
    budgets = _budgets(report)
    shown = wording.currencies(quote)
    columns = [_t("workload", language), *shown, _t("range", language), _t("budget", language)]
    rows: list[list[str]] = []
    summary = quote.plan
    phases = [] if summary is None else [phase for phase in summary.phases if phase.counted]
    for phase in sorted(phases, key=lambda item: -item.totals.usd)[:most]:
        limits = [budgets[name] for name in phase.workloads if name in budgets]
        rows.append(
            [
                text(phase.name),
                *(f"{wording.total_of(phase.totals, currency)[1]:,.2f}" for currency in shown),
                _range(phase.totals),
                ", ".join(limits),
            ]
        )
    if len(phases) > most:
        more = _t("more", language, count=len(phases) - most)
        rows.append([more, *("" for _ in columns[1:])])
    totals = quote.totals
    rows.append(
        [
            f"**{_t('total', language)}**",
            *(f"**{wording.total_of(totals, currency)[1]:,.2f}**" for currency in shown),
            _range(totals),
            budgets.get("", ""),
        ]
    )
    return _table(columns, rows)


def _range(totals: Totals) -> str:
    """The range in USD, where there is one."""
    if totals.usd_low == totals.usd_high:
        return ""
    return f"USD {totals.usd_low:,.0f}–{totals.usd_high:,.0f}"


def change_text(change: Money, percent: object | None) -> str:
    """`+USD 5.00 (+10.00%)`."""
    sign = "-" if change.amount < 0 else "+"
    share = "" if percent is None else f" ({percent:+}%)"
    return f"{sign}{Money(abs(change.amount), change.currency)}{share}"


def _diff_table(report: CheckReport, diff: Diff, most: int, language: str) -> list[str]:
    budgets = _budgets(report)
    columns = [
        _t(name, language) for name in ("workload", "baseline", "change", "new_total", "budget")
    ]
    rows: list[list[str]] = []
    changed = {name: sums for name, sums in diff.by_workload.items() if sums.change_usd}
    for name, sums in list(changed.items())[:most]:
        rows.append(
            [
                text(name),
                str(Money(sums.before_usd, "USD")),
                change_text(Money(sums.change_usd, "USD"), sums.change_pct),
                str(Money(sums.after_usd, "USD")),
                budgets.get(name, ""),
            ]
        )
    if len(changed) > most:
        rows.append([_t("more", language, count=len(changed) - most), "", "", "", ""])
    totals = diff.totals
    rows.append(
        [
            f"**{_t('total', language)}**",
            str(Money(totals.before_usd, "USD")),
            change_text(Money(totals.change_usd, "USD"), totals.change_pct)
            if totals.change_usd
            else _t("unchanged", language),
            f"**{Money(totals.after_usd, 'USD')}**",
            budgets.get("", ""),
        ]
    )
    return _table(columns, rows)


def _details(report: CheckReport, quote: Quote, most: int, language: str) -> list[str]:
    iva = _t(
        f"iva_{quote.totals.iva_mode.replace('-', '_')}",
        language,
        rate=f"{quote.totals.iva_rate.normalize():f}",
    )
    basis = _t(
        "basis",
        language,
        rate=f"{quote.fx.usd_mxn.normalize():f}",
        date=quote.fx.date or _t("no_date", language),
        source=quote.fx.source,
        iva=iva,
        catalog=quote.catalog.version,
    )
    parts = [f"<details><summary>{text(basis)}</summary>", ""]
    if report.diff is not None:
        changed = [row for row in report.diff.rows if row.cause is not None]
        if changed:
            parts += ["```"]
            parts += [_fenced(line) for row in changed[:most] for line in _row_lines(row, language)]
            if len(changed) > most:
                parts.append(_t("more", language, count=len(changed) - most))
            parts += ["", _t("key", language), "```", ""]
    for item in quote.notices[: min(most, 30)]:
        parts.append(f"- {text(item.message(language))}")
    parts += ["", "</details>"]
    return parts


def _fenced(line: str) -> str:
    """A line inside a code fence, which it must not be able to close."""
    return line.replace("```", "'''").replace("\n", " ")


def _row_lines(row: Row, language: str) -> list[str]:
    sign = {"added": "+", "removed": "-"}.get(row.cause or "", "~")
    cause = messages.text(f"diff.cause_{row.cause}", language)
    change = change_text(Money(row.change_usd, "USD"), row.change_pct)
    before, after = Money(row.before_usd, "USD"), Money(row.after_usd, "USD")
    return [
        f"{sign} {row.workload} · {row.item}",
        f"  {change} [{cause}] ({before} → {after})",
    ]


def annotation_message(value: str) -> str:
    """The text of a workflow command, escaped."""
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def annotation_property(value: str) -> str:
    """A property of a workflow command, escaped."""
    return annotation_message(value).replace(":", "%3A").replace(",", "%2C")


def workflow_commands(report: CheckReport, language: str) -> str:
    """`::error` and `::warning` commands, at most ten of each."""
    lines: list[str] = []
    for level in ("error", "warning"):
        found = [item for item in report.findings if item.level == level]
        room = ANNOTATIONS_PER_KIND if len(found) <= ANNOTATIONS_PER_KIND else 9
        for item in found[:room]:
            properties = (
                f"file={annotation_property(report.file)},line={item.line},"
                f"title={annotation_property(item.title)}"
            )
            lines.append(f"::{level} {properties}::{annotation_message(item.message)}")
        if len(found) > room:
            more = annotation_message(_t("more", language, count=len(found) - room))
            lines.append(f"::{level} file={annotation_property(report.file)},line=1::{more}")
    return "".join(f"{line}\n" for line in lines)
