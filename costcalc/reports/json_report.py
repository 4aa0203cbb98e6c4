"""The JSON of a quote, key by key as `docs/reference.md` documents it.

Columns are listed, not derived from the types, so that a new attribute never changes a published
format by accident. Amounts are JSON numbers; a key is null when its value is not known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.quote.types import Line, OfferChoice, Quote, Totals, WorkloadQuote
from costcalc.reports import steps

SCHEMA = "costcalc.quote/1"

LINE_COLUMNS = (
    "workload",
    "item",
    "provider",
    "region",
    "sku",
    "quantity",
    "unit",
    "unit_price_usd",
    "amount_usd",
    "low_usd",
    "high_usd",
    "amount_mxn",
    "low_mxn",
    "high_mxn",
    "as_of",
    "source",
    "confidence",
)
OFFER_COLUMNS = (
    "provider",
    "region",
    "instance_type",
    "accelerator",
    "accelerator_count",
    "instances",
    "purchase",
    "market",
    "usd_per_instance_hour",
    "as_of",
    "source",
    "confidence",
)
TOTAL_COLUMNS = (
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "mxn_low",
    "mxn_high",
    "iva_rate",
    "iva_mode",
    "iva_usd",
    "iva_mxn",
    "usd_with_iva",
    "mxn_with_iva",
)
TRAINING_COLUMNS = (
    "params_total",
    "params_active",
    "flops_per_token",
    "total_flops",
    "tokens_per_second_per_accelerator",
    "mfu",
    "hfu",
    "mfu_peak_tflops",
    "tuning",
    "goodput",
    "hours",
    "hours_low",
    "hours_high",
    "accelerator_hours",
    "accelerator_hours_low",
    "accelerator_hours_high",
    "interval",
)
LAYOUT_COLUMNS = (
    "data",
    "tensor",
    "pipeline",
    "context",
    "expert",
    "recompute",
    "sharding",
)


OWNED_COLUMNS = ("hours", "energy_kwh", "billed_kw", "usd_per_hour")
PAYBACK_COLUMNS = ("saving_per_run_usd", "runs_to_pay_back")


def training_record(estimate: Any) -> dict[str, Any]:
    """The estimate of a training run."""
    memory, layout = estimate.memory, estimate.layout
    return {
        **row(estimate, TRAINING_COLUMNS),
        "memory_gib_per_accelerator": None if memory is None else plain(memory.gib()),
        "layout": None if layout is None else row(layout, LAYOUT_COLUMNS),
    }


def serving_record(estimate: Any) -> dict[str, Any]:
    """The estimate of a serving workload."""
    if not hasattr(estimate, "serving"):
        from costcalc.reports import assumed_section

        return assumed_section.serving_record(estimate)
    from costcalc.reports.serving_record import serving_record as record

    return {name: plain(value) for name, value in record(estimate).items()}


# what `estimate` holds, by the kind of workload; kinds without physics have none
ESTIMATE_RECORDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "train": training_record,
    "serve": serving_record,
    "owned": lambda estimate: row(estimate, OWNED_COLUMNS),
    "one-off": lambda estimate: row(estimate, PAYBACK_COLUMNS),
}


def plain(value: Any) -> Any:
    """`value` as JSON: Decimals as numbers, dates as ISO 8601, dataclasses as objects."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def row(record: Any, columns: tuple[str, ...]) -> dict[str, Any]:
    """The listed attributes of `record`, in order."""
    return {name: plain(getattr(record, name)) for name in columns}


def line_record(line: Line) -> dict[str, Any]:
    """One flat line, ready for a spreadsheet."""
    return row(line, LINE_COLUMNS)


def offer_record(choice: OfferChoice) -> dict[str, Any]:
    """The offer that a workload was priced on."""
    return row(choice, OFFER_COLUMNS)


def totals_record(totals: Totals) -> dict[str, Any]:
    """The totals, IVA apart."""
    return row(totals, TOTAL_COLUMNS)


def workload_record(workload: WorkloadQuote) -> dict[str, Any]:
    """One workload: inputs, offer, estimate."""
    make = ESTIMATE_RECORDS.get(workload.kind)
    return {
        "name": workload.name,
        "kind": workload.kind,
        "inputs": plain(workload.inputs),
        "offer": None if workload.offer is None else offer_record(workload.offer),
        "estimate": (
            None if workload.estimate is None or make is None else make(workload.estimate)
        ),
    }


def quote_record(quote: Quote, language: str) -> dict[str, Any]:
    """A quote as plain JSON values; only the warnings' messages depend on `language`."""
    budget = quote.budget
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": quote.kind,
        "as_of": quote.as_of.isoformat(),
        "catalog": row(quote.catalog, ("version", "prices_newest", "prices_oldest", "calibration")),
        "fx": row(quote.fx, ("usd_mxn", "date", "source")),
        "workloads": [workload_record(workload) for workload in quote.workloads],
        "lines": [line_record(line) for line in quote.lines],
        "totals": totals_record(quote.totals),
        "footprint": None if quote.footprint is None else plain(quote.footprint),
        "budget": (
            None
            if budget is None
            else {
                "amount": plain(budget.budget.amount),
                "currency": budget.budget.currency,
                "spent_fraction": float(budget.spent_fraction),
                "status": budget.status,
            }
        ),
        "warnings": [
            {"code": item.code, "message": item.message(language)} for item in quote.notices
        ],
    }
    if quote.kind == "compare":
        record["offers"] = [plain(offer) for offer in quote.offers]
    if quote.versus is not None:
        from costcalc.reports import versus_section

        record["versus"] = versus_section.record(quote.versus)
    if quote.sensitivity is not None:
        from costcalc.reports.sensitivity_section import records

        record["sensitivity"] = records(quote)
    if quote.plan is not None:
        from costcalc.reports.plan_json import plan_record

        record["plan"] = plan_record(quote.plan, language)
    return record


def dumps(record: Any) -> str:
    """JSON text: UTF-8, two spaces, never NaN."""
    return json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False)


def render(quote: Quote, language: str, *, explain: bool = False) -> str:
    """The quote as JSON text; with `explain`, each estimate carries its `steps`."""
    record = quote_record(quote, language)
    if explain:
        for workload, shown in zip(quote.workloads, record["workloads"], strict=True):
            shown["steps"] = steps.records(workload, quote, language)
    return dumps(record)
