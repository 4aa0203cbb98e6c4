"""How an estimate was computed, step by step: the sentences and records of `--explain`."""

from __future__ import annotations

from typing import Any

from costcalc import messages
from costcalc.quote.types import Quote, WorkloadQuote


def sentences(workload: WorkloadQuote, quote: Quote, language: str) -> tuple[str, ...]:
    """Each step as a sentence with its number, formula and source."""
    return tuple(row["text"] for row in records(workload, quote, language))


def records(workload: WorkloadQuote, quote: Quote, language: str) -> list[dict[str, Any]]:
    """Each step as a flat record."""
    found: list[dict[str, Any]] = []
    if workload.estimate is None:
        return found
    for step in workload.estimate.steps:
        found.append(
            {
                "step": step.key,
                "text": messages.text(f"explain.{step.key}", language, **dict(step.params)),
            }
        )
    return found
