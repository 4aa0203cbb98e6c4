"""Terraform plans as JSON (`terraform show -json PLAN`): the machines that will exist after it.

Read is `planned_values`, modules included; blocks are lists there. What is known only after the
apply is missing, and stays open. A region comes from the resource, its zone, or the provider's
configuration. Resources of one `count` or `for_each` are one workload. The keys are those of the
providers' documentation; infracost @95ba4f49 reads the same ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from costcalc.errors import InputError
from costcalc.notices import Notice, notice
from costcalc.readers import terraform_resources
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts, child, clean, entries, items
from costcalc.readers.reading import Fact, Machine, Reading
from costcalc.readers.source import Source
from costcalc.readers.terraform_config import Configuration
from costcalc.readers.terraform_resources import Resource

NAME = "terraform"
TITLE = "Terraform plan (JSON)"
MAX_MODULES = 5_000
MAX_MODULE_DEPTH = 60
_INSTANCE_KEY = re.compile(r"\[[^\]]*\]$")


def claim(source: Source) -> Claim | None:
    """Whether `source` is a Terraform plan."""
    mapping = source.mapping
    if mapping is None:
        return None
    keys = tuple(
        key
        for key in ("planned_values", "resource_changes", "format_version", "terraform_version")
        if key in mapping
    )
    if "planned_values" in keys or "resource_changes" in keys or len(keys) == 2:
        return Claim(keys)
    return None


def read(source: Source) -> Reading:
    """The accelerator machines of a plan."""
    plan = entries(source.mapping)
    if "planned_values" not in plan and "resource_changes" not in plan:
        raise InputError("readers.terraform_no_plan", name=source.name)
    configuration = Configuration(plan)
    notes: list[Notice] = []
    groups: dict[tuple[Any, ...], list[tuple[str, dict[str, Fact]]]] = {}
    found = list(_resources(source, plan))
    everything = {_plain(resource.address): resource for resource in found}
    unknown = _unknown(plan)
    for resource in found:
        resource.unknown = unknown.get(resource.address, {})
        facts = terraform_resources.read(resource, configuration, everything, notes)
        if facts is None:
            continue
        base = _INSTANCE_KEY.sub("", resource.address)
        key = (base, *sorted((name, fact.value) for name, fact in facts.items()))
        groups.setdefault(key, []).append((resource.address, facts))
    machines = tuple(_machine(members) for members in groups.values())
    if not machines:
        notes.append(notice("read_no_accelerators", file=source.name))
    return Reading(
        NAME,
        source.name,
        kind="machine",
        machines=machines,
        notes=tuple(dict.fromkeys(notes)),
    )


def _plain(address: str) -> str:
    return re.sub(r"\[[^\]]*\]", "", address)


def _machine(members: list[tuple[str, dict[str, Fact]]]) -> Machine:
    """One workload of the resources that a `count` or `for_each` made alike."""
    address, facts = members[0]
    name = address if len(members) == 1 else _INSTANCE_KEY.sub("", address)
    merged = dict(facts)
    if len(members) > 1:
        for key in ("instances", "chips", "slices"):
            fact = facts.get(key)
            if fact is not None:
                total = int(fact.value) * len(members)
                merged[key] = Fact(key, total, f"{fact.key} x {len(members)}", fact.file)
    return Machine(clean(name, 110), merged, "always")


def _resources(source: Source, plan: Mapping[str, Any]) -> Iterator[Resource]:
    """Every managed resource of the plan; from `resource_changes` where there are no values."""
    document = source.documents[0]
    if "planned_values" not in plan:
        for index, change in items(plan.get("resource_changes"), 100_000):
            after = child(change, "change", "after")
            if isinstance(after, dict) and entries(change).get("mode", "managed") == "managed":
                yield Resource(
                    Facts(document, ("resource_changes", index, "change", "after")), entries(change)
                )
        return
    stack: list[tuple[tuple[str | int, ...], int]] = [(("planned_values", "root_module"), 0)]
    modules = 0
    while stack:
        path, depth = stack.pop()
        modules += 1
        if modules > MAX_MODULES or depth > MAX_MODULE_DEPTH:
            raise InputError("readers.terraform_modules", name=source.name, limit=MAX_MODULES)
        module = entries(child(document.data, *path))
        for index, item in items(module.get("resources"), 100_000):
            values = entries(item)
            if values.get("mode", "managed") == "managed" and "values" in values:
                yield Resource(Facts(document, (*path, "resources", index, "values")), values)
        inner = [i for i, _ in items(module.get("child_modules"))]
        stack.extend(((*path, "child_modules", i), depth + 1) for i in reversed(inner))


def _unknown(plan: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """By address, which arguments are known only after the apply."""
    found: dict[str, Mapping[str, Any]] = {}
    for _, change in items(plan.get("resource_changes"), 100_000):
        address = entries(change).get("address")
        if isinstance(address, str):
            found[address] = entries(child(change, "change", "after_unknown"))
    return found
