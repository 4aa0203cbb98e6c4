"""The report of a plan for people: phases, workloads, limits, lines, what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from costcalc import messages
from costcalc.quote import money
from costcalc.quote.budget import Verdict
from costcalc.quote.plan_summary import Phase, PlanSummary
from costcalc.quote.types import Line, Quote, Totals
from costcalc.reports import footprint_section, quote_document, steps, wording
from costcalc.reports.document import Block, Document, Facts, Notes, Table

# a report that nobody can read helps nobody; what is left out is always counted
MOST_WORKLOADS = 12
MOST_ROWS = 40
MOST_NOTES = 25
MOST_BRIEF = 20


def build(quote: Quote, language: str, *, explain: bool = False, brief: bool = False) -> Document:
    """The document of a plan's quote.

    Args:
        explain: how each estimate was computed.
        brief: limits and phases only, without lines, as a check prints it.
    """
    summary = quote.plan
    assert summary is not None
    blocks: list[Block] = []
    if summary.failures:
        blocks.append(failure_notes(summary, language))
    blocks.append(phase_table(quote, summary, language, MOST_BRIEF if brief else MOST_ROWS))
    if summary.verdicts:
        blocks.append(verdict_table(summary.verdicts, language))
    blocks.append(Facts(None, quote_document.cost_facts(quote, language)))
    if not brief:
        blocks.extend(workload_blocks(quote, language))
        blocks.extend(footprint_section.blocks(quote, language, explain=explain))
    blocks.append(Facts(None, quote_document.basis_facts(quote, language)))
    blocks.extend(quote_document.sensitivity_blocks(quote, language))
    if explain:
        blocks.extend(
            Notes(f"{_t('steps_of', language)} {workload.name}", sentences)
            for workload in quote.workloads
            if (sentences := steps.sentences(workload, quote, language))
        )
    if quote.notices:
        blocks.append(warning_notes(quote, language))
    return Document(title(quote, language), tuple(blocks))


def _t(key: str, language: str, **params: object) -> str:
    return messages.text(f"plan_report.{key}", language, **params)


def title(quote: Quote, language: str) -> str:
    """`Plan: name · date`."""
    assert quote.plan is not None
    return f"{_t('title', language)}: {quote.plan.name} · {messages.day(quote.as_of, language)}"


def failure_notes(summary: PlanSummary, language: str) -> Notes:
    """Workloads that are missing from every figure below."""
    items = [f"{item.workload}: {item.error.message(language)}" for item in summary.failures]
    return Notes(_t("not_quoted", language), _capped(items, MOST_NOTES, language))


def _capped(items: Sequence[str], most: int, language: str) -> tuple[str, ...]:
    if len(items) <= most:
        return tuple(items)
    return (*items[: most - 1], _t("more", language, count=len(items) - most + 1))


def phase_table(quote: Quote, summary: PlanSummary, language: str, most: int = MOST_ROWS) -> Table:
    """Each phase with its cost; the largest ones where there are very many."""
    shown = wording.currencies(quote)
    phases: Sequence[Phase] = summary.phases
    rest: Sequence[Phase] = ()
    if len(phases) > most:
        ranked = sorted(phases, key=lambda phase: -phase.totals.usd)
        rest = ranked[most - 1 :]
        kept = {phase.name for phase in ranked[: most - 1]}
        phases = [phase for phase in phases if phase.name in kept]
    rows = [
        (
            phase.name if phase.counted else _t("comparison", language, name=phase.name),
            *_cells(phase.totals, quote),
        )
        for phase in phases
    ]
    if rest:
        sums = (
            sum(wording.total_of(phase.totals, currency)[1] for phase in rest) for currency in shown
        )
        amounts = [f"{total:,.2f}" for total in sums]
        rows.append((_t("more", language, count=len(rest)), amounts[0], "", *amounts[1:]))
    rows.append((messages.text("report.total", language), *_cells(quote.totals, quote)))
    columns = (_t("phase", language), shown[0], _t("range", language), *shown[1:])
    return Table(None, columns, tuple(rows), frozenset(range(1, len(columns))), total=True)


def _cells(totals: Totals, quote: Quote) -> tuple[str, ...]:
    """The middle in each currency; the range in the first one, where there is one."""
    first, *others = wording.currencies(quote)
    low, middle, high = wording.total_of(totals, first)
    span = "" if low == middle == high else f"{low:,.0f}–{high:,.0f}"
    return (
        f"{middle:,.2f}",
        span,
        *(f"{wording.total_of(totals, currency)[1]:,.2f}" for currency in others),
    )


def verdict_table(verdicts: Sequence[Verdict], language: str) -> Table:
    """Every limit that is broken or near, then those that hold."""
    order = {"over": 0, "no-price": 1, "warn": 2, "ok": 3}
    ranked = sorted(verdicts, key=lambda verdict: order[verdict.status])
    rows = [verdict_row(verdict, language) for verdict in ranked[:MOST_ROWS]]
    if len(ranked) > MOST_ROWS:
        more = _t("more", language, count=len(ranked) - MOST_ROWS)
        rows.append((more, "", "", "", ""))
    columns = tuple(_t(name, language) for name in ("limit_on", "limit", "value", "share", "state"))
    return Table(_t("limits", language), columns, tuple(rows), frozenset({1, 2, 3}))


def verdict_row(verdict: Verdict, language: str) -> tuple[str, str, str, str, str]:
    """What is limited, the limit, what was found, the share of the limit, the state."""
    share = ""
    if verdict.kind == "budget" and verdict.fraction is not None:
        share = wording.percent(float(verdict.fraction), 1)
    return (
        subject(verdict, language),
        verdict.limit,
        verdict.value,
        share,
        messages.text(f"check.state_{verdict.status.replace('-', '_')}", language),
    )


def subject(verdict: Verdict, language: str) -> str:
    """What a limit is on: `budget ajuste`, `price age ajuste`."""
    kind = messages.text(f"check.kind_{verdict.kind.replace('-', '_')}", language)
    name = verdict.subject or messages.text("check.whole_plan", language)
    return f"{kind}: {name}"


def workload_blocks(quote: Quote, language: str) -> list[Block]:
    """Each workload with its facts and its lines; for very many, all lines in one table."""
    if len(quote.workloads) > MOST_WORKLOADS:
        return [lines_table(quote, language)]
    found: list[Block] = []
    by_workload: dict[str, list[Line]] = {workload.name: [] for workload in quote.workloads}
    for line in quote.lines:
        by_workload.setdefault(line.workload, []).append(line)
    kinds = {workload.name: workload for workload in quote.workloads}
    for name, lines in by_workload.items():
        title: str | None = name
        workload = kinds.get(name)
        make = None if workload is None else quote_document.WORKLOAD_FACTS.get(workload.kind)
        if make is not None and workload is not None:
            rows = make(workload, quote, language)
            if rows:
                found.append(Facts(title, rows))
                title = None
        if lines:
            part = replace(
                quote, workloads=quote.workloads[:1], lines=tuple(lines), totals=money.totals(lines)
            )
            found.append(replace(quote_document.lines_table(part, language), title=title))
    return found


def lines_table(quote: Quote, language: str) -> Table:
    """Every line and the total; for very many lines, the first ones and a count."""
    table = quote_document.lines_table(quote, language)
    if len(table.rows) <= MOST_ROWS + 1:
        return table
    hidden = len(table.rows) - 1 - MOST_ROWS
    blank = ("",) * (len(table.columns) - 1)
    more = (_t("more_json", language, count=hidden), *blank)
    return replace(table, rows=(*table.rows[:MOST_ROWS], more, table.rows[-1]))


def warning_notes(quote: Quote, language: str) -> Notes:
    """The quote's warnings, capped."""
    items = [f"[{item.code}] {item.message(language)}" for item in quote.notices]
    return Notes(messages.text("report.warnings", language), _capped(items, MOST_NOTES, language))
