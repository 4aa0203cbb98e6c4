"""The plan's part of a quote's JSON, under the key `plan`."""

from __future__ import annotations

from typing import Any

from costcalc.quote.budget import Verdict
from costcalc.quote.plan_summary import Failure, Phase, PlanSummary
from costcalc.reports.json_report import plain, row

PHASE_TOTALS = ("usd", "usd_low", "usd_high", "mxn", "mxn_low", "mxn_high")


def plan_record(summary: PlanSummary, language: str) -> dict[str, Any]:
    """Phases, limits and failures as plain JSON values."""
    return {
        "name": summary.name,
        "hours_per_month": plain(summary.hours_per_month),
        "phases": [phase_record(phase) for phase in summary.phases],
        "checks": [verdict_record(verdict) for verdict in summary.verdicts],
        "failures": [failure_record(failure, language) for failure in summary.failures],
    }


def phase_record(phase: Phase) -> dict[str, Any]:
    """One phase: its workloads and their sum, without tax."""
    return {
        "phase": phase.name,
        "workloads": list(phase.workloads),
        "counted": phase.counted,
        **row(phase.totals, PHASE_TOTALS),
    }


def verdict_record(verdict: Verdict) -> dict[str, Any]:
    """One limit and how the quote stands against it."""
    amount, limit = verdict.amount, verdict.limit_amount
    return {
        "kind": verdict.kind,
        "scope": verdict.scope,
        "subject": verdict.subject or None,
        "status": verdict.status,
        "limit": verdict.limit,
        "value": verdict.value,
        "amount": None if amount is None else plain(amount.amount),
        "limit_amount": None if limit is None else plain(limit.amount),
        "currency": None if amount is None else amount.currency,
        "fraction": None if verdict.fraction is None else float(verdict.fraction),
    }


def failure_record(failure: Failure, language: str) -> dict[str, Any]:
    """One workload that could not be quoted."""
    return {
        "workload": failure.workload,
        "exit_status": failure.error.exit_status,
        "message": failure.error.message(language),
    }
