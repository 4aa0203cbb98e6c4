"""Any plan, written as JSON, reads back as the same plan; and its schema accepts what it writes."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import jsonschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from costcalc import safeyaml
from costcalc.quote import plan as plans
from costcalc.quote.plan_dump import field_type, field_types, plan_to_mapping
from costcalc.quote.plan_fields import (
    Amount,
    Choice,
    Count,
    Day,
    FieldType,
    Flag,
    Hours,
    Milliseconds,
    Number,
    Percent,
    Power,
    Size,
    Text,
    Version,
    plain,
)
from costcalc.quote.plan_validation import read_plan
from costcalc.reports.plan_schema import plan_schema
from costcalc.units import Money

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zl", "Zp", "Zs", "Co", "Cn"]),
    min_size=1,
    max_size=20,
)

PROVIDERS = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True)


def decimals(low: Any, high: Any, places: int = 6) -> st.SearchStrategy[Decimal]:
    return st.decimals(low, high, places=places, allow_nan=False, allow_infinity=False).map(plain)


def values(kind: FieldType) -> st.SearchStrategy[Any]:
    """Values that a field of this type can have in a plan."""
    if isinstance(kind, Choice):
        return st.sampled_from(kind.names)
    if isinstance(kind, Version):
        return st.just(1)
    if isinstance(kind, Flag):
        return st.booleans()
    if isinstance(kind, Text):
        return NAMES
    if isinstance(kind, Count):
        return st.integers(kind.low, kind.high)
    if isinstance(kind, Number):
        low = Decimal(kind.low) + (Decimal("0.000001") if kind.above else 0)
        return decimals(low, kind.high)
    if isinstance(kind, Percent):
        return decimals(0, Decimal(kind.high) / 100)
    if isinstance(kind, Amount):
        amounts = decimals(Decimal("0.000001"), 10**14)
        return st.builds(Money, amounts, st.sampled_from(["USD", "MXN"]))
    if isinstance(kind, Hours):
        return st.floats(1e-5, 1e8).filter(lambda x: x > 0)
    if isinstance(kind, Milliseconds):
        return st.floats(1e-3, 1e9)
    if isinstance(kind, Size | Power):
        return decimals(Decimal("0.000001"), 10**11)
    assert isinstance(kind, Day)
    return st.dates(date(1990, 1, 1), date(2090, 1, 1))


@cache
def instances(cls: type[Any], **fixed: Any) -> st.SearchStrategy[Any]:
    """Any instance of a plan class; optional fields are sometimes left out."""
    hints = field_types(cls)
    parts: dict[str, st.SearchStrategy[Any]] = {}
    for item in fields(cls):
        kind = field_type(hints[item.name])
        if item.name == "kind":
            continue
        if kind is None:
            parts[item.name] = nested(cls, item.name)
            continue
        strategy = values(kind)
        if item.default is not MISSING:
            strategy = st.one_of(st.just(item.default), strategy)
        parts[item.name] = strategy
    return st.builds(cls, **parts)


def nested(cls: type[Any], name: str) -> st.SearchStrategy[Any]:
    if name == "pays_back":
        return st.none()
    if cls is plans.Budgets and name == "total":
        return st.one_of(st.none(), instances(plans.PlanBudget))
    if cls is plans.Budgets:
        if name == "workloads":
            return st.just({})
        return st.dictionaries(PROVIDERS, instances(plans.PlanBudget), max_size=2)
    raise AssertionError(name)


def legal(workload: Any) -> bool:
    if isinstance(workload, plans.Owned):
        priced = (workload.tariff is not None) + (workload.electricity_price is not None)
        powered = workload.power is not None
        return priced == powered and (workload.pue is not None or not powered)
    if isinstance(workload, plans.OneOff):
        by_hours = workload.hours is not None and workload.rate is not None
        neither = workload.hours is None and workload.rate is None
        return (by_hours and workload.cost is None) or (neither and workload.cost is not None)
    return True


WORKLOADS = st.one_of([instances(cls) for cls in plans.KINDS.values()]).filter(legal)
PERCENTS = decimals(0, 1)
FX = st.one_of(
    st.just(plans.FxPolicy()),
    st.builds(plans.FxPolicy, date=st.dates(date(2000, 1, 1), date(2050, 1, 1))),
    st.builds(plans.FxPolicy, rate=decimals(1, 999), source=st.one_of(st.none(), NAMES)),
)
PLANS = st.builds(
    plans.Plan,
    version=st.just(1),
    name=NAMES,
    currency=st.sampled_from(["usd", "mxn", "both"]),
    fx=FX,
    iva=st.sampled_from(["none", "add", "self-assessed"]),
    iva_rate=decimals(0, 100),
    catalog=st.one_of(st.none(), NAMES),
    discounts=st.dictionaries(PROVIDERS, PERCENTS, max_size=2),
    credits=st.lists(instances(plans.Credit), max_size=2).map(tuple),
    support_percent=st.dictionaries(PROVIDERS, PERCENTS, max_size=2),
    budgets=instances(plans.Budgets),
    workloads=st.lists(
        WORKLOADS, min_size=1, max_size=4, unique_by=lambda workload: workload.name
    ).map(tuple),
)
SCHEMA = jsonschema.Draft202012Validator(plan_schema())
QUICK = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@QUICK
@given(PLANS)
def test_plan_to_json_to_plan(plan: plans.Plan) -> None:
    text = json.dumps(plan_to_mapping(plan), ensure_ascii=False)
    assert read_plan(json.loads(text), "plan.json") == plan


@QUICK
@given(PLANS)
def test_a_plan_in_json_is_a_plan_in_yaml(plan: plans.Plan) -> None:
    text = json.dumps(plan_to_mapping(plan), ensure_ascii=False)
    document = safeyaml.load(text, "plan.json")
    assert read_plan(document.data, "plan.json", document=document) == plan


@QUICK
@given(PLANS)
def test_the_schema_accepts_every_plan_that_is_written(plan: plans.Plan) -> None:
    SCHEMA.validate(plan_to_mapping(plan))


def test_the_schema_itself_is_valid_and_names_every_key() -> None:
    schema = plan_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["properties"]) == {item.name for item in fields(plans.Plan)}
    for cls in plans.KINDS.values():
        properties = schema["$defs"][cls.__name__]["properties"]
        assert set(properties) == {item.name for item in fields(cls)}
        assert "kind" in schema["$defs"][cls.__name__]["required"]
