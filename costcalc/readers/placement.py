"""From the machine facts of a file to `on`: accelerators, slices or machines, with their number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from costcalc.errors import InputError
from costcalc.readers.reading import Blank, Fact

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.hardware import Hardware


@dataclass(frozen=True, slots=True)
class Placement:
    """What a workload runs on.

    Attributes:
        on: the value of `--on`, None when the file leaves it open.
        accelerator: catalog id, None when it is not known. chips: in all, None when not known.
        fact: where it comes from. blank: why it is open.
    """

    on: str | None
    accelerator: str | None = None
    chips: int | None = None
    fact: Fact | None = None
    blank: Blank | None = None


def resolve(facts: Mapping[str, Fact], catalog: Catalog) -> Placement:
    """What the facts of a machine mean; `instance_type` counts before accelerators."""
    value = {name: fact.value for name, fact in facts.items()}
    for attempt in (_machines, _slices, _topology, _accelerators):
        found = attempt(value, facts, catalog)
        if found is not None:
            return found
    return _open(value, facts)


def given(text: str, catalog: Catalog) -> Placement:
    """`on` as a person typed it.

    Raises:
        InputError: no such hardware.
    """
    hardware = catalog.hardware(text)
    fact = Fact("on", text, "--set on", origin="given")
    return Placement(text, hardware.accelerator.id, hardware.count, fact)


def _hardware(text: str, catalog: Catalog) -> Hardware | None:
    try:
        return catalog.hardware(text)
    except InputError:
        return None


def _fact(on: str, facts: Mapping[str, Fact], *names: str) -> Fact:
    used = [facts[name] for name in names if name in facts]
    keys = list(dict.fromkeys(fact.key for fact in used))
    first = used[0]
    return Fact("on", on, " and ".join(keys), first.file, first.line, first.origin)


def _times(name: str, count: int) -> str:
    return name if count == 1 else f"{name}:{count}"


def _machines(
    value: Mapping[str, Any], facts: Mapping[str, Fact], catalog: Catalog
) -> Placement | None:
    machine = value.get("instance_type")
    if machine is None:
        return None
    instances, chips = value.get("instances"), value.get("chips")
    one = _hardware(machine, catalog)
    if instances is None and chips is not None and one is not None and chips % one.count == 0:
        instances = chips // one.count
    if instances is None or (one is None and "accelerator" in value and chips is not None):
        return None
    on = _times(machine, instances)
    fact = _fact(on, facts, "instance_type", "instances")
    if one is None:
        # quoting says which names the catalog knows; nothing is put in its place
        return Placement(on, value.get("accelerator"), chips, fact)
    return Placement(on, one.accelerator.id, one.count * instances, fact)


def _slices(
    value: Mapping[str, Any], facts: Mapping[str, Fact], catalog: Catalog
) -> Placement | None:
    name = value.get("slice")
    if name is None:
        return None
    on = _times(str(name), int(value.get("slices") or 1))
    fact = _fact(on, facts, "slice", "slices")
    hardware = _hardware(on, catalog)
    if hardware is None:
        return Placement(on, None, None, fact)
    return Placement(on, hardware.accelerator.id, hardware.count, fact)


def _topology(
    value: Mapping[str, Any], facts: Mapping[str, Fact], catalog: Catalog
) -> Placement | None:
    topology, accelerator = value.get("topology"), value.get("accelerator")
    slices = value.get("slices")
    if topology is None or accelerator is None or slices is None:
        return None
    known = _accelerator(str(accelerator), catalog)
    rule = known.slices if known is not None else None
    if rule is None:
        return None
    named = _hardware(f"{rule.prefixes[0]}-{topology}", catalog)
    if named is None or named.slice_name is None:
        return None
    on = _times(named.slice_name, int(slices))
    fact = _fact(on, facts, "accelerator", "topology", "chips")
    return Placement(on, named.accelerator.id, named.count * int(slices), fact)


def _accelerator(name: str, catalog: Catalog) -> Any:
    try:
        return catalog.accelerator(name)
    except InputError:
        return None


def _accelerators(
    value: Mapping[str, Any], facts: Mapping[str, Fact], catalog: Catalog
) -> Placement | None:
    accelerator, chips = value.get("accelerator"), value.get("chips")
    if accelerator is None or chips is None:
        return None
    known = _accelerator(str(accelerator), catalog)
    on = f"{accelerator}:{chips}"
    fact = _fact(on, facts, "accelerator", "chips")
    return Placement(on, known.id if known else str(accelerator), int(chips), fact)


def _open(value: Mapping[str, Any], facts: Mapping[str, Fact]) -> Placement:
    chips, accelerator = value.get("chips"), value.get("accelerator")
    machine = value.get("instance_type")
    if chips is not None:
        blank = Blank(
            "on", "readers.open_which_accelerator", {"chips": chips, "at": facts["chips"].key}
        )
        return Placement(None, None, int(chips), facts["chips"], blank)
    if accelerator is not None or machine is not None:
        name = machine or accelerator
        key = facts["instance_type" if machine else "accelerator"].key
        blank = Blank("on", "readers.open_how_many", {"name": name, "at": key})
        known = str(accelerator) if accelerator is not None else None
        return Placement(None, known, None, None, blank)
    per_node = value.get("chips_per_node")
    if per_node is not None:
        blank = Blank("on", "readers.open_nodes", {"chips": per_node})
        return Placement(None, None, None, None, blank)
    return Placement(None, None, None, None, Blank("on", "readers.open_on"))
