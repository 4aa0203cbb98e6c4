"""A comparison as a quote: the records of its ranking, and the first offer priced line by line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.notices import Notice, notice
from costcalc.quote import money, select
from costcalc.quote.compare import run_usd
from costcalc.quote.compare_types import CompareRequest, Comparison, Excluded, Row
from costcalc.quote.spot import redone_line
from costcalc.quote.terms import Terms, assemble, discount_lines, offer_notices
from costcalc.quote.train import compute_line
from costcalc.quote.types import Quote, WorkloadQuote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.estimate.training import TrainingEstimate

SECONDS_PER_PFLOP_HOUR = 3600.0 * 1e15
SIX_PLACES = Decimal("0.000001")
NAME = "train"


def quote_comparison(
    request: CompareRequest,
    comparison: Comparison,
    catalog: Catalog,
    terms: Terms,
    *,
    language: str = "en",
    show_excluded: bool = False,
) -> Quote:
    """The quote of a comparison: `offers` is the ranking, lines and totals are of the first one.

    Args:
        language: of the reasons of excluded offers; everything else is free of language.
        show_excluded: list the offers that were left out too, after the ranking.
    """
    first = comparison.rows[0]
    assert first.choice is not None
    assert first.estimate is not None
    compute = compute_line(NAME, first.estimate, first.choice, terms)
    lines = [compute]
    again = redone_line(compute, first.choice, select.rules_of(catalog), terms.fx.usd_mxn)
    lines += [again] if again else []
    lines += discount_lines(lines, terms)
    if first.porting_usd:
        lines.append(
            money.line(
                workload=NAME,
                item="porting",
                unit="once",
                unit_price_usd=first.porting_usd,
                quantity_middle=money.quantity(Decimal(1)),
                usd_mxn=terms.fx.usd_mxn,
                confidence="estimated",
            )
        )
    workload = WorkloadQuote(
        name=NAME,
        kind="train",
        inputs=request.inputs,
        offer=first.choice,
        estimate=first.estimate,
    )
    quote = assemble(
        "compare", catalog, terms, [workload], lines, list(notices_of(request, comparison, terms))
    )
    records = [record(row, first, terms) for row in comparison.rows]
    if show_excluded:
        records.extend(excluded_record(item, language) for item in _once(comparison.excluded))
    return replace(quote, offers=tuple(records))


def notices_of(request: CompareRequest, comparison: Comparison, terms: Terms) -> Iterable[Notice]:
    """What must be said about the ranking and about each offer shown."""
    first = comparison.rows[0]
    if first.estimate is not None:
        yield from first.estimate.notices
    free = request.deadline_hours is None and terms.budget is None
    if not request.on and free and request.max_chips is None:
        yield notice("smallest_counts")
    for row in comparison.rows:
        yield from row.notices
        if row.choice is not None:
            yield from (
                item
                for item in offer_notices(row.choice, terms.as_of)
                if item.code != "estimated_price"
            )


def record(row: Row, first: Row, terms: Terms) -> dict[str, Any]:
    """One offer of the ranking, with the keys of the contract first."""
    offer, estimate = row.offer, row.estimate
    assert estimate is not None
    low = run_usd(offer, estimate.hours_low, row.instances, terms, row.redone)
    high = run_usd(offer, estimate.hours_high, row.instances, terms, row.redone)
    ratio_low, ratio_high = ratio_range(row, first)
    rate = terms.fx.usd_mxn
    return {
        "rank": row.rank,
        "provider": offer.provider,
        "region": offer.region,
        "instance_type": offer.instance_type,
        "accelerator": offer.accelerator,
        "accelerator_count": row.count,
        "purchase": offer.purchase,
        "market": offer.market,
        "hours": row.hours,
        "usd": row.usd,
        "usd_low": low,
        "usd_high": high,
        "mxn": money.cents(row.usd * rate),
        "usd_ratio": (row.usd / first.usd).quantize(SIX_PLACES) if first.usd else None,
        "pflop_hours_per_usd": peak_pflop_hours_per_usd(row, estimate),
        "as_of": offer.as_of,
        "confidence": offer.confidence,
        "fits": True,
        "reason": None,
        "hours_low": estimate.hours_low * (1 + row.redone),
        "hours_high": estimate.hours_high * (1 + row.redone),
        "mxn_low": money.cents(low * rate),
        "mxn_high": money.cents(high * rate),
        "usd_ratio_low": ratio_low,
        "usd_ratio_high": ratio_high,
        "pflop_hours_per_usd_realised": realised_pflop_hours_per_usd(row, estimate),
        "instances": row.instances,
        "usd_per_hour": offer.usd_per_instance_hour * row.instances,
        "pareto": row.pareto,
        "porting_usd": row.porting_usd,
        "payback_runs": row.payback_runs,
        "more_regions": row.more_regions,
        "warnings": [item.code for item in row.notices],
    }


def excluded_record(item: Excluded, language: str) -> dict[str, Any]:
    """An offer that was left out, with the same keys."""
    offer = item.offer
    empty = dict.fromkeys(
        (
            "hours",
            "usd",
            "usd_low",
            "usd_high",
            "mxn",
            "usd_ratio",
            "pflop_hours_per_usd",
        )
    )
    return {
        "rank": None,
        "provider": offer.provider,
        "region": offer.region,
        "instance_type": offer.instance_type,
        "accelerator": offer.accelerator,
        "accelerator_count": offer.accelerator_count,
        "purchase": offer.purchase,
        "market": offer.market,
        **empty,
        "as_of": offer.as_of,
        "confidence": offer.confidence,
        "fits": False,
        "reason": f"{item.reason.code}: {item.reason.message(language)}",
        **dict.fromkeys(
            (
                "hours_low",
                "hours_high",
                "mxn_low",
                "mxn_high",
                "usd_ratio_low",
                "usd_ratio_high",
                "pflop_hours_per_usd_realised",
                "instances",
                "usd_per_hour",
                "pareto",
                "porting_usd",
                "payback_runs",
                "more_regions",
            )
        ),
        "warnings": [],
    }


def _once(excluded: Iterable[Excluded]) -> list[Excluded]:
    found: dict[tuple[Any, ...], Excluded] = {}
    for item in excluded:
        found.setdefault((item.offer.key, item.reason), item)
    return list(found.values())


def ratio_range(row: Row, first: Row) -> tuple[float | None, float | None]:
    """80 % range of the cost ratio to the first offer, the same kind of stack on both sides.

    One chip and count on both sides: the time is the same, and the ratio is that of the prices.
    Different chips: their errors are taken as independent, so that widths add in squares on a
    logarithmic scale.
    """
    if not first.usd or row.known is None or first.known is None:
        return None, None
    ratio = float(row.usd / first.usd)
    same = row.accelerator.id == first.accelerator.id and row.chips == first.chips
    if row is first or same:
        return ratio, ratio
    down = math.hypot(_spread(row.known, low=True), _spread(first.known, low=False))
    up = math.hypot(_spread(row.known, low=False), _spread(first.known, low=True))
    return ratio * math.exp(-down), ratio * math.exp(up)


def _spread(estimate: TrainingEstimate, *, low: bool) -> float:
    end = estimate.hours_low if low else estimate.hours_high
    return abs(math.log(end / estimate.hours))


def peak_pflop_hours_per_usd(row: Row, estimate: TrainingEstimate) -> float:
    """PFLOP/s at the dense peak of the run's precision, for an hour, per USD of list price."""
    hourly = float(row.offer.usd_per_instance_hour) * row.instances
    return estimate.mfu_peak_tflops / 1000.0 * row.count / hourly


def realised_pflop_hours_per_usd(row: Row, estimate: TrainingEstimate) -> float | None:
    """Model FLOPs of the run per USD, in PFLOP/s for an hour."""
    if not row.usd:
        return None
    return estimate.total_flops / SECONDS_PER_PFLOP_HOUR / float(row.usd)
