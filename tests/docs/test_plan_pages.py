"""The pages on plans and CI: every key is told, every YAML block is what it claims to be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema

from costcalc import safeyaml
from costcalc.cli.check_output import FORMATS
from costcalc.quote import plan as plans
from costcalc.quote.diff import CAUSES
from costcalc.quote.plan_validation import read_plan

ROOT = Path(__file__).resolve().parents[2]
PLANS = (ROOT / "docs/plans.md").read_text(encoding="utf-8")
CI = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs/reference.md").read_text(encoding="utf-8")


def blocks(page: str, heading: str | None = None) -> list[str]:
    section = page if heading is None else page.split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)


@pytest.mark.parametrize(
    "cls", [plans.Plan, plans.Assumptions, plans.Budgets, *plans.KINDS.values()]
)
def test_every_key_is_on_the_page(cls: type[Any]) -> None:
    for item in fields(cls):
        assert re.search(rf"`[^`]*\b{item.name}\b[^`]*`", PLANS), item.name


def test_every_kind_format_and_cause_is_on_its_page() -> None:
    for kind in plans.KINDS:
        assert f"| `{kind}` |" in PLANS
    for cause in CAUSES:
        assert f"`{cause}`" in PLANS
        assert f"`{cause}`" in REFERENCE
    for form in FORMATS:
        assert f"`{form}`" in CI


def test_the_plan_on_the_page_is_a_plan() -> None:
    (text,) = blocks(PLANS)
    document = safeyaml.load(text, "docs/plans.md")
    assert read_plan(document.data, "docs/plans.md", document=document).workloads


CHECKS: dict[str, Callable[[Any], None]] = {
    "GitHub": lambda data: jsonschema.validate(data, get_builtin_schema("vendor.github-workflows")),
    "GitLab": lambda data: jsonschema.validate(data, get_builtin_schema("vendor.gitlab-ci")),
}


@pytest.mark.parametrize("heading", CHECKS)
def test_the_templates_are_valid(heading: str) -> None:
    (text,) = blocks(CI, heading)
    # YAML 1.1 makes a truth value of the key "on"
    data = {("on" if key is True else key): value for key, value in yaml.safe_load(text).items()}
    CHECKS[heading](json.loads(json.dumps(data)))


def test_the_workflow_uses_inputs_and_outputs_that_exist() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (text,) = blocks(CI, "GitHub")
    steps = yaml.safe_load(text)["jobs"]["cost"]["steps"]
    (given,) = (step["with"] for step in steps if "with" in step)
    assert set(given) <= set(action["inputs"])
    used = set(re.findall(r"steps\.cost\.outputs\.([a-z-]+)", text))
    assert used
    assert used <= set(action["outputs"])
    for name in action["outputs"]:
        assert f"`{name}`" in CI


def test_the_hooks_on_the_page_exist() -> None:
    (text,) = blocks(CI, "pre-commit")
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    named = {hook["id"] for repo in yaml.safe_load(text)["repos"] for hook in repo["hooks"]}
    assert named == {hook["id"] for hook in manifest}
