"""The JSON Schema of a quote's JSON, from the columns that the report writes."""

from __future__ import annotations

from typing import Any

from costcalc.messages import area
from costcalc.quote.plan import MARKETS, PURCHASES
from costcalc.reports import json_report as report
from costcalc.reports import versus_section as versus_columns
from costcalc.reports.plan_json import PHASE_TOTALS
from costcalc.reports.plan_schema import SCHEMA_ID

_TEXT = {"type": "string"}
_NUMBER = {"type": "number"}
_WHOLE = {"type": "integer", "minimum": 0}
_DATE = {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
_CONFIDENCE = {"enum": ["listed", "quoted", "estimated"]}
_TEXT_COLUMNS = frozenset(
    {
        "workload",
        "item",
        "provider",
        "region",
        "sku",
        "unit",
        "source",
        "instance_type",
        "accelerator",
        "reason",
        "tuning",
        "recompute",
        "sharding",
    }
)
_NULLABLE_LINE = frozenset({"provider", "region", "sku", "as_of", "source", "confidence"})
_SPECIAL: dict[str, dict[str, Any]] = {
    "as_of": _DATE,
    "confidence": _CONFIDENCE,
    "purchase": {"enum": list(PURCHASES)},
    "market": {"enum": [market for market in MARKETS if market != "any"]},
    "iva_mode": {"enum": ["none", "add", "self-assessed"]},
    "accelerator_count": _WHOLE,
    "instances": _WHOLE,
    "rank": _WHOLE,
    "runs_to_pay_back": _WHOLE,
    "fits": {"type": "boolean"},
}


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def obj(
    properties: dict[str, Any], optional: tuple[str, ...] = (), extra: bool = False
) -> dict[str, Any]:
    """An object whose keys never disappear, except the `optional` ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": extra,
    }


def _column(name: str) -> dict[str, Any]:
    if name in _SPECIAL:
        return _SPECIAL[name]
    return _TEXT if name in _TEXT_COLUMNS else _NUMBER


def columns(names: tuple[str, ...], null: frozenset[str] = frozenset()) -> dict[str, Any]:
    """An object of listed columns."""
    return obj({name: nullable(_column(name)) if name in null else _column(name) for name in names})


def quote_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of what `--format json` prints for a quote of any kind."""
    step = obj(
        {
            "step": _TEXT,
            "text": _TEXT,
            "value": {},
            "unit": nullable(_TEXT),
            "formula": nullable(_TEXT),
            "source": nullable(_TEXT),
        },
        extra=True,
    )
    workload = obj(
        {
            "name": _TEXT,
            "kind": _TEXT,
            "inputs": {"type": "object"},
            "offer": nullable(columns(report.OFFER_COLUMNS, frozenset({"region"}))),
            "estimate": nullable({"type": "object"}),
            "steps": {"type": "array", "items": step},
        },
        optional=("steps",),
    )
    workload["allOf"] = [
        {
            "if": {"properties": {"kind": {"const": kind}, "estimate": {"type": "object"}}},
            "then": {"properties": {"estimate": shape}},
        }
        for kind, shape in estimates().items()
    ]
    warning = obj({"code": {"enum": sorted(area("en", "warnings"))}, "message": _TEXT})
    return {
        "$schema": SCHEMA_ID,
        "title": "costcalc quote",
        **obj(
            {
                "schema": {"const": report.SCHEMA},
                "kind": {"enum": ["train", "serve", "plan", "compare"]},
                "as_of": _DATE,
                "catalog": obj(
                    {
                        "version": _TEXT,
                        "prices_newest": nullable(_DATE),
                        "prices_oldest": nullable(_DATE),
                        "calibration": nullable(_TEXT),
                    }
                ),
                "fx": obj(
                    {
                        "usd_mxn": {"type": "number", "exclusiveMinimum": 0},
                        "date": nullable(_DATE),
                        "source": _TEXT,
                    }
                ),
                "workloads": {"type": "array", "items": workload},
                "lines": {
                    "type": "array",
                    "items": columns(report.LINE_COLUMNS, _NULLABLE_LINE),
                },
                "totals": columns(report.TOTAL_COLUMNS),
                "footprint": nullable(footprint_part()),
                "budget": nullable(
                    obj(
                        {
                            "amount": _NUMBER,
                            "currency": {"enum": ["USD", "MXN"]},
                            "spent_fraction": _NUMBER,
                            "status": {"enum": ["ok", "warn", "over"]},
                        }
                    )
                ),
                "warnings": {"type": "array", "items": warning},
                "offers": {"type": "array", "items": {"type": "object"}},
                "plan": plan_part(),
                "versus": versus_part(),
                "sensitivity": {"type": "array", "items": swing_part()},
            },
            optional=("offers", "plan", "sensitivity", "versus"),
            extra=True,
        ),
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": "compare"}}},
                "then": {"required": ["offers"]},
            },
            {"if": {"properties": {"kind": {"const": "plan"}}}, "then": {"required": ["plan"]}},
        ],
    }


def swing_part() -> dict[str, Any]:
    """One assumption of the key `sensitivity`."""
    totals = {
        name: nullable(_NUMBER)
        for name in ("usd_at_low", "usd_at_high", "mxn_at_low", "mxn_at_high")
    }
    texts = dict.fromkeys(("name", "workload", "base", "low", "high", "basis"), _TEXT)
    return obj({**texts, **totals, "swing_usd": _NUMBER, "swing_mxn": _NUMBER})


def versus_part() -> dict[str, Any]:
    """The key `versus`: APIs and bought hardware beside rented machines."""
    texts = {"name": _TEXT, "source": nullable(_TEXT), "as_of": nullable(_DATE)}
    special = {
        **texts,
        "kind": {"enum": ["rented", "api", "owned"]},
        "within_life": nullable({"type": "boolean"}),
    }
    rows = {
        name: special[name] if name in special else nullable(_NUMBER)
        for name in versus_columns.ROW_COLUMNS
    }
    points: dict[str, Any] = {"name": _TEXT}
    for name in versus_columns.POINT_COLUMNS:
        points[name] = nullable(_NUMBER) if name in ("replicas", "own_usd") else _NUMBER
    points["cheaper"] = {"enum": ["own", "api", "same"]}
    return obj(
        {
            "request": obj(
                dict.fromkeys(("input_tokens", "output_tokens", "cached_tokens"), _WHOLE)
            ),
            "requests_per_month": _NUMBER,
            "hours_per_month": _NUMBER,
            "rows": {"type": "array", "items": obj(rows)},
            "sensitivity": {"type": "array", "items": obj(points)},
        }
    )


def footprint_part() -> dict[str, Any]:
    """Energy, carbon and water with their factors."""
    texts = dict.fromkeys(("what", "subject", "kind", "unit", "year", "source"), _TEXT)
    return obj(
        {
            "energy_kwh": _NUMBER,
            "co2e_kg": nullable(_NUMBER),
            "water_l": nullable(_NUMBER),
            "factors": {
                "type": "array",
                "items": obj({**texts, "value": _NUMBER, "used": {"type": "boolean"}}),
            },
        }
    )


def estimates() -> dict[str, dict[str, Any]]:
    """The shape of `estimate` by kind of workload."""
    memory = {"type": "object", "additionalProperties": nullable(_NUMBER)}
    degrees = dict.fromkeys(("data", "tensor", "pipeline", "context", "expert"), _WHOLE)
    layout = {**degrees, "recompute": {}, "sharding": {}}
    unknown = {"mfu", "hfu", "mfu_peak_tflops", "interval"}  # of a rate that the user assumed
    training = {
        name: nullable(_column(name)) if name in unknown else _column(name)
        for name in report.TRAINING_COLUMNS
    }
    return {
        "train": obj(
            {
                **training,
                "memory_gib_per_accelerator": nullable(memory),
                "layout": nullable(obj(layout)),
            },
            extra=True,
        ),
        "serve": serving_part(),
        "owned": columns(report.OWNED_COLUMNS, frozenset({"billed_kw"})),
        "one-off": columns(report.PAYBACK_COLUMNS, frozenset(report.PAYBACK_COLUMNS)),
    }


def serving_part() -> dict[str, Any]:
    """The estimate of a serving workload."""
    from costcalc.reports import serving_record as record

    def shape(name: str) -> dict[str, Any]:
        return nullable(_NUMBER) if name in record.NULLABLE else _NUMBER

    predicted = obj(
        {
            **{name: _TEXT if name in record.TEXTS else shape(name) for name in record.columns()},
            "memory_gib_per_accelerator": obj(dict.fromkeys(record.MEMORY, _NUMBER)),
            "layout": obj({name: _TEXT if name == "mode" else _WHOLE for name in record.LAYOUT}),
        },
        extra=True,
    )
    # of a rate that the user assumed: what it does not tell is null
    assumed = obj(
        {
            **{
                name: nullable(_TEXT if name in record.TEXTS else _NUMBER)
                for name in record.columns()
            },
            "tier": {"const": "assumed"},
            "memory_gib_per_accelerator": {"type": "null"},
            "layout": {"type": "null"},
        }
    )
    return {"anyOf": [predicted, assumed]}


def plan_part() -> dict[str, Any]:
    """The key `plan` of a plan's quote."""
    phase = obj(
        {
            "phase": _TEXT,
            "workloads": {"type": "array", "items": _TEXT},
            "counted": {"type": "boolean"},
            **dict.fromkeys(PHASE_TOTALS, _NUMBER),
        }
    )
    check = obj(
        {
            "kind": {"enum": ["budget", "increase", "price-age", "confidence"]},
            "scope": {"enum": ["total", "workload", "provider"]},
            "subject": nullable(_TEXT),
            "status": {"enum": ["ok", "warn", "over", "no-price"]},
            "limit": _TEXT,
            "value": _TEXT,
            "amount": nullable(_NUMBER),
            "limit_amount": nullable(_NUMBER),
            "currency": nullable({"enum": ["USD", "MXN"]}),
            "fraction": nullable(_NUMBER),
        }
    )
    failure = obj({"workload": _TEXT, "exit_status": {"enum": [2, 4]}, "message": _TEXT})
    return obj(
        {
            "name": _TEXT,
            "hours_per_month": _NUMBER,
            "phases": {"type": "array", "items": phase},
            "checks": {"type": "array", "items": check},
            "failures": {"type": "array", "items": failure},
            "status": {"enum": ["ok", "warn", "over", "no-price"]},
        },
        optional=("status",),
    )
