"""The JSON of a serving estimate, and its shape."""

from __future__ import annotations

from typing import Any

from costcalc.estimate.serving import Range
from costcalc.quote.serve_costs import ServedWorkload

RANGED = (
    "tpot_ms",
    "ttft_ms_p50",
    "ttft_ms_p95",
    "output_tokens_per_second_per_replica",
    "replicas",
    "accelerators",
    "utilisation",
)
COSTS = {
    "usd_per_million_output_tokens": "output",
    "usd_per_million_input_tokens": "input",
    "usd_per_million_output_tokens_at_capacity": "output_at_capacity",
    "usd_per_million_input_tokens_at_capacity": "input_at_capacity",
}
RATES = ("requests_per_s", "capacity_requests_per_s")
PLAIN = (
    "params_total",
    "params_active",
    "load",
    "engine",
    "accelerators_per_replica",
    "batch",
    "prompt_share",
    "tier",
    "interval",
)
NULLABLE = frozenset(
    f"{name}{end}" for name in ("ttft_ms_p50", "ttft_ms_p95") for end in ("", "_low", "_high")
)
TEXTS = frozenset({"load", "engine", "tier", "precision", "kv_precision", "mode"})
LAYOUT = ("data", "chips", "mode", "expert_ways")
MEMORY = ("weights", "kv_room")


def serving_record(estimate: ServedWorkload) -> dict[str, Any]:
    """The estimate of a serving workload; `_low` and `_high` are the ends of the interval."""
    serving, costs = estimate.serving, estimate.costs
    record: dict[str, Any] = {}
    for name in RANGED:
        for end in ("", "_low", "_high"):
            record[f"{name}{end}"] = getattr(serving, f"{name}{end}")
        if name == "output_tokens_per_second_per_replica":
            record["max_concurrency"] = serving.max_concurrency
    for key, attribute in COSTS.items():
        _put(record, key, getattr(costs, attribute))
    for name in RATES:
        _put(record, name, getattr(serving, name))
    for name in PLAIN:
        record[name] = getattr(serving, name)
    record["precision"] = serving.weights
    record["kv_precision"] = serving.cache
    record["memory_gib_per_accelerator"] = {
        "weights": serving.weights_gib,
        "kv_room": serving.room_gib,
    }
    record["kv_bytes_per_token"] = serving.kv_bytes_per_token
    record["layout"] = {name: getattr(serving.layout, name) for name in LAYOUT}
    return record


def _put(record: dict[str, Any], key: str, value: Range) -> None:
    record[key] = value.middle
    record[f"{key}_low"] = value.low
    record[f"{key}_high"] = value.high


def columns() -> tuple[str, ...]:
    """All keys of the record, in order, `memory_gib_per_accelerator` and `layout` apart."""
    ranged = [f"{name}{end}" for name in (*RANGED, *COSTS, *RATES) for end in ("", "_low", "_high")]
    return (*ranged, "max_concurrency", *PLAIN, "precision", "kv_precision", "kv_bytes_per_token")
