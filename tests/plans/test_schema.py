"""`costcalc schema`: real plans and real quotes hold to what it prints."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command import Result, Run

from costcalc import safeyaml

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))
Plans = Callable[..., Result]
Write = Callable[..., Path]
TRAIN = ("train", "--model", "llama-3.1-8b", "--on", "h100:8", "--tokens", "1B")


@pytest.fixture(scope="module")
def quote_schema(costcalc: Run) -> jsonschema.Draft202012Validator:
    schema = json.loads(costcalc("schema", "quote").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def plan_schema(costcalc: Run) -> jsonschema.Draft202012Validator:
    schema = json.loads(costcalc("schema", "plan").out)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


EVERYTHING = """\
version: 1
name: todo
budgets: {total: 1MUSD, workloads: {m: 9999USD}, providers: {aws: 9MMXN}}
discounts: {aws: 5%}
support_percent: 3
credits: [{name: c, amount: 5USD}]
workloads:
  - {name: t, kind: train, model: llama-3.1-8b, on: 'h100:8', tokens: 1B}
  - {name: m, kind: machine, on: 'h200:8', hours: 2h}
  - {name: s, kind: storage, provider: gcp, region: queretaro, size: 1TB}
  - {name: d, kind: transfer, provider: aws, size: 1TB}
  - {name: o, kind: owned, months: 3, purchase: 5USD, power: 1kW, pue: 1, tariff: cfe-gdmth-bajio}
  - {name: j, kind: one-off, cost: 50USD, pays_back: {before: m, after: t}}
"""


@pytest.mark.parametrize(
    "arguments",
    [
        (*TRAIN,),
        (*TRAIN, "--explain", "--budget", "5USD", "--iva", "add"),
        ("compare", *TRAIN),
        ("quote", "plan.yaml"),
        ("quote", "plan.yaml", "--explain", "--lang", "es"),
        ("check", "plan.yaml", "--max-age", "1d", "--require", "listed"),
        ("check", "none.yaml"),
    ],
    ids=lambda words: " ".join(words)[:40],
)
def test_every_quote_holds_to_its_schema(
    run: Plans,
    plan: Write,
    quote_schema: jsonschema.Draft202012Validator,
    arguments: tuple[str, ...],
) -> None:
    plan(EVERYTHING)
    plan(EVERYTHING + "  - {name: n, kind: machine, on: 'tpu-v5p:8'}\n", name="none.yaml")
    done = run(*arguments, "--format", "json")
    quote_schema.validate(json.loads(done.out))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [
            leaf
            for key, item in value.items()
            for leaf in [(*path, key), *leaves(item, (*path, key))]
        ]
    if isinstance(value, list) and value:
        return leaves(value[0], (*path, 0))
    return []


def test_the_schema_of_a_quote_misses_every_key_that_is_gone(
    run: Plans, plan: Write, quote_schema: jsonschema.Draft202012Validator
) -> None:
    plan(EVERYTHING)
    record = json.loads(run("check", "plan.yaml", "--format", "json").out)
    free = {"inputs", "steps", "status", "memory_gib_per_accelerator", "factors"}
    checked = 0
    for path in leaves(record):
        if free & set(path):
            continue
        damaged = copy.deepcopy(record)
        holder = damaged
        for part in path[:-1]:
            holder = holder[part]
        del holder[path[-1]]
        assert not quote_schema.is_valid(damaged), path
        checked += 1
    assert checked > 100


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_hold_to_the_schema_of_plans(
    path: Path, plan_schema: jsonschema.Draft202012Validator
) -> None:
    plan_schema.validate(safeyaml.load(path.read_text(encoding="utf-8"), path.name).data)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"budget": {}},
        {"iva": "yes"},
        {"workloads": []},
        {"workloads": [{"name": "x", "kind": "train", "model": "m", "on": "h100:8"}]},
        {"workloads": [{"name": "x", "on": "h100:8"}]},
        {"workloads": [{"name": "x", "kind": "machine", "on": "h100:8", "hors": 5}]},
        {"budgets": {"total": 500}},
        {"assumptions": {"hours_per_month": 900}},
    ],
    ids=str,
)
def test_what_check_refuses_the_schema_refuses(
    plan_schema: jsonschema.Draft202012Validator, change: dict[str, Any]
) -> None:
    good = {
        "version": 1,
        "name": "x",
        "workloads": [{"name": "x", "kind": "machine", "on": "h100:8", "hours": 5}],
    }
    plan_schema.validate(good)
    assert not plan_schema.is_valid({**good, **change})
