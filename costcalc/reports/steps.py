"""How an estimate was computed, step by step: the sentences and records of `--explain`."""

from __future__ import annotations

from typing import Any

from costcalc import messages
from costcalc.quote.types import Quote, WorkloadQuote


def sentences(workload: WorkloadQuote, quote: Quote, language: str) -> tuple[str, ...]:
    """Each step as a sentence with its number, then its formula and its source."""
    return tuple(
        " ".join(
            part
            for part in (
                row["text"],
                f"[{row['formula']}]" if row["formula"] else "",
                f"({row['source']})" if row["source"] else "",
            )
            if part
        )
        for row in records(workload, quote, language)
    )


def records(workload: WorkloadQuote, quote: Quote, language: str) -> list[dict[str, Any]]:
    """Each step as a flat record: the estimate's own, then price and rate."""
    if workload.estimate is None or not hasattr(workload.estimate, "steps"):
        return []
    found = [
        {
            "step": step.key,
            "text": step.message(language),
            "value": step.value,
            "unit": step.unit,
            "formula": step.formula,
            "source": step.source,
        }
        for step in workload.estimate.steps
    ]
    offer = workload.offer
    if offer is not None:
        found.append(
            {
                "step": "price",
                "text": messages.text(
                    "report.step_price",
                    language,
                    instances=offer.instances,
                    price=f"{offer.usd_per_instance_hour:f}",
                    hourly=f"{offer.usd_per_hour:,f}",
                ),
                "value": float(offer.usd_per_hour),
                "unit": "USD/h",
                "formula": "machines x unit price",
                "source": f"{offer.source}, {offer.as_of.isoformat()}",
            }
        )
    return found
