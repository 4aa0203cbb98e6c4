"""The example plans: complete, in two languages, and the same plan in both."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from command import Run

from costcalc import safeyaml
from costcalc.quote.plan import KINDS, Plan
from costcalc.quote.plan_validation import read_plan

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PAIRS = {
    "ajuste-fino": "fine-tune",
    "de-gpu-a-tpu": "gpu-to-tpu",
    "equipo-propio": "own-hardware",
}


def load(name: str) -> Plan:
    path = EXAMPLES / f"{name}.yaml"
    document = safeyaml.load(path.read_text(encoding="utf-8"), path.name)
    return read_plan(document.data, path.name, document=document)


def profiles(name: str) -> list[str]:
    return list(load(name).profiles)


def quoted(costcalc: Run, name: str, *options: str) -> Mapping[str, Any]:
    done = costcalc("quote", f"{name}.yaml", "--format", "json", *options, cwd=EXAMPLES)
    assert done.status == 0, done.err
    record: dict[str, Any] = json.loads(done.out)
    return record


def test_there_are_three_plans_in_two_languages() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} == {*PAIRS, *PAIRS.values()}


def test_the_examples_show_every_kind_that_can_be_priced() -> None:
    shown = {workload.kind for name in PAIRS for workload in load(name).workloads}
    assert shown >= set(KINDS) - {"serve"}


@pytest.mark.parametrize("spanish", PAIRS)
def test_both_languages_are_the_same_plan(costcalc: Run, spanish: str) -> None:
    english = PAIRS[spanish]
    one, other = quoted(costcalc, spanish), quoted(costcalc, english)
    assert one["totals"] == other["totals"]
    assert [line["amount_usd"] for line in one["lines"]] == [
        line["amount_usd"] for line in other["lines"]
    ]
    assert [phase["usd"] for phase in one["plan"]["phases"]] == [
        phase["usd"] for phase in other["plan"]["phases"]
    ]
    for first, second in zip(profiles(spanish), profiles(english), strict=True):
        changed = quoted(costcalc, spanish, "--profile", first)["totals"]
        assert changed == quoted(costcalc, english, "--profile", second)["totals"]
        assert changed["usd"] != one["totals"]["usd"]


@pytest.mark.parametrize("name", [*PAIRS, *PAIRS.values()])
def test_every_example_has_a_budget_and_holds_it(costcalc: Run, name: str) -> None:
    done = costcalc("check", f"{name}.yaml", "--format", "json", cwd=EXAMPLES)
    assert done.status == 0, done.err
    assert json.loads(done.out)["plan"]["checks"]
    assert (
        costcalc("check", f"{name}.yaml", "--set", "budgets.total=1USD", cwd=EXAMPLES).status == 3
    )


@pytest.mark.parametrize("name", PAIRS)
def test_an_example_compares_with_its_profile(costcalc: Run, name: str) -> None:
    (profile, *_) = profiles(name)
    arguments = ("diff", f"{name}.yaml", f"{name}.yaml", "--profile", profile, "--format", "json")
    record = json.loads(costcalc(*arguments, cwd=EXAMPLES).out)
    assert record["totals"]["change_usd"] != 0
    parts = sum(round(row["change_usd"] * 100) for row in record["rows"])
    assert parts == round(record["totals"]["change_usd"] * 100)
