"""A comparison of services as a quote: the records of its ranking, the first offer line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.notices import Notice
from costcalc.quote import money
from costcalc.quote.compare_serve import ServeCompareRequest, ServeComparison, ServeRow
from costcalc.quote.compare_types import Excluded
from costcalc.quote.terms import Terms, assemble, offer_notices
from costcalc.quote.types import Quote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

SIX_PLACES = Decimal("0.000001")
_FIGURES = (
    "hours",
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "usd_ratio",
    "pflop_hours_per_usd",
)
_MORE = (
    "mxn_low",
    "mxn_high",
    "instances",
    "usd_per_hour",
    "pareto",
    "more_regions",
    "replica_accelerators",
    "replicas",
    "utilisation",
    "engine",
    "tpot_ms",
    "tpot_ms_low",
    "tpot_ms_high",
    "ttft_ms_p95",
    "output_tokens_per_second_per_replica",
    "usd_per_million_output_tokens",
    "usd_per_million_output_tokens_low",
    "usd_per_million_output_tokens_high",
    "usd_per_million_input_tokens",
    "usd_per_million_output_tokens_at_capacity",
)


def quote_serve_comparison(
    request: ServeCompareRequest,
    comparison: ServeComparison,
    catalog: Catalog,
    terms: Terms,
    inputs: Mapping[str, Any],
    *,
    language: str = "en",
    show_excluded: bool = False,
) -> Quote:
    """The quote of a comparison: `offers` is the ranking, lines and totals are of the first one.

    Args:
        inputs: what was asked, besides what the first offer's workload says.
        language: of the reasons of excluded offers.
        show_excluded: list the offers that were left out too, after the ranking.
    """
    first = comparison.rows[0]
    workload = replace(first.done.workload, inputs={**first.done.workload.inputs, **inputs})
    notices: list[Notice] = [
        item for item in first.done.notices if item.code not in ("replicas_idle", "old_price")
    ]
    for row in comparison.rows:
        notices.extend(row.notices)
        choice = row.done.workload.offer
        if choice is not None:
            notices.extend(
                item
                for item in offer_notices(choice, terms.as_of)
                if item.code != "estimated_price"
            )
    quote = assemble("compare", catalog, terms, [workload], list(first.done.lines), notices)
    records = [record(row, first, terms) for row in comparison.rows]
    if show_excluded:
        seen: dict[tuple[Any, ...], Excluded] = {}
        for item in comparison.excluded:
            seen.setdefault((item.offer.key, item.reason), item)
        records.extend(_excluded(item, language) for item in seen.values())
    day = str(catalog.calibration("serving")["date"])
    return replace(quote, offers=tuple(records), catalog=replace(quote.catalog, calibration=day))


def record(row: ServeRow, first: ServeRow, terms: Terms) -> dict[str, Any]:
    """One offer of the ranking, with the keys of the contract first."""
    offer, estimate, costs = row.offer, row.estimate, row.served.costs
    rate = terms.fx.usd_mxn
    hours = row.done.lines[0].quantity / row.instances if row.instances else Decimal(0)
    held = row.instances * offer.accelerator_count
    peak = row.accelerator.chip.peak_tflops.get(estimate.weights)
    peak = peak or row.accelerator.chip.peak_tflops["bf16"]
    return {
        "rank": row.rank,
        "provider": offer.provider,
        "region": offer.region,
        "instance_type": offer.instance_type,
        "accelerator": offer.accelerator,
        "accelerator_count": held,
        "purchase": offer.purchase,
        "market": offer.market,
        "hours": float(hours),
        "usd": row.usd,
        "usd_low": row.usd_low,
        "usd_high": row.usd_high,
        "mxn": money.cents(row.usd * rate),
        "usd_ratio": (row.usd / first.usd).quantize(SIX_PLACES) if first.usd else None,
        "pflop_hours_per_usd": (
            held * float(hours) * peak / 1e3 / float(row.usd) if row.usd else None
        ),
        "as_of": offer.as_of,
        "confidence": offer.confidence,
        "fits": True,
        "reason": None,
        "mxn_low": money.cents(row.usd_low * rate),
        "mxn_high": money.cents(row.usd_high * rate),
        "instances": row.instances,
        "usd_per_hour": offer.usd_per_instance_hour * row.instances,
        "pareto": row.pareto,
        "more_regions": row.more_regions,
        "replica_accelerators": row.size,
        "replicas": estimate.replicas,
        "utilisation": estimate.utilisation,
        "engine": estimate.engine,
        "tpot_ms": estimate.tpot_ms,
        "tpot_ms_low": estimate.tpot_ms_low,
        "tpot_ms_high": estimate.tpot_ms_high,
        "ttft_ms_p95": estimate.ttft_ms_p95,
        "output_tokens_per_second_per_replica": estimate.output_tokens_per_second_per_replica,
        "usd_per_million_output_tokens": costs.output.middle,
        "usd_per_million_output_tokens_low": costs.output.low,
        "usd_per_million_output_tokens_high": costs.output.high,
        "usd_per_million_input_tokens": costs.input.middle,
        "usd_per_million_output_tokens_at_capacity": costs.output_at_capacity.middle,
        "warnings": [item.code for item in row.notices],
    }


def _excluded(item: Excluded, language: str) -> dict[str, Any]:
    """An offer that was left out, with the same keys."""
    offer = item.offer
    return {
        "rank": None,
        "provider": offer.provider,
        "region": offer.region,
        "instance_type": offer.instance_type,
        "accelerator": offer.accelerator,
        "accelerator_count": offer.accelerator_count,
        "purchase": offer.purchase,
        "market": offer.market,
        **dict.fromkeys(_FIGURES),
        "as_of": offer.as_of,
        "confidence": offer.confidence,
        "fits": False,
        "reason": f"{item.reason.code}: {item.reason.message(language)}",
        **dict.fromkeys(_MORE),
        "warnings": [],
    }
