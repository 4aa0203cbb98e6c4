"""SkyPilot task files (YAML; several documents are a pipeline, and all of them run).

`accelerators` may be text, a list (in order of preference), a set or a mapping (any of them will
do, SkyPilot takes the cheapest). `{A100:1, Inferentia:6}` without spaces is YAML for the keys
`A100:1` and `Inferentia:6`, which is what SkyPilot means. Keys: skypilot-org/skypilot examples
@01510a66 and docs/source/reference/yaml-spec.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers import hardware_names
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts, clean, entries, items
from costcalc.readers.reading import Blank, Choice, Fact, Kind, Machine, Reading
from costcalc.readers.source import Source
from costcalc.safeyaml import KeyPath

NAME = "skypilot"
TITLE = "SkyPilot task"
MAX_CHOICES = 200
_RESOURCES = (
    "accelerators",
    "gpus",
    "infra",
    "cloud",
    "region",
    "zone",
    "instance_type",
    "use_spot",
    "any_of",
    "ordered",
    "cpus",
    "memory",
    "disk_size",
    "disk_tier",
    "ports",
    "image_id",
    "autostop",
    "job_recovery",
    "spot_recovery",
    "accelerator_args",
)
_TASK = ("run", "setup", "num_nodes", "file_mounts", "workdir", "envs", "service", "secrets")
_HARDWARE = frozenset({"accelerator", "chips", "slice", "instance_type"})
_TPU = re.compile(r"(?:tpu-)?(v[0-9]+[a-z]*(?:litepod)?|tpu[0-9]+x)-([0-9]+)", re.IGNORECASE)
_CLOUDS = {"kubernetes": None, "k8s": None, "slurm": None, "ssh": None, "*": None}


def claim(source: Source) -> Claim | None:
    """Whether `source` is a SkyPilot task or pipeline."""
    keys: list[str] = []
    for document in source.documents:
        if not isinstance(document.data, dict) or "apiVersion" in document.data:
            return None
        resources = document.data.get("resources")
        if isinstance(resources, dict):
            keys += [f"resources.{key}" for key in _RESOURCES if key in resources]
        keys += [key for key in _TASK if key in document.data]
    has_resources = any(key.startswith("resources.") for key in keys)
    return Claim(tuple(keys[:4])) if has_resources or {"num_nodes", "run"} <= set(keys) else None


def read(source: Source) -> Reading:
    """What a SkyPilot task says."""
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    machines: list[Machine] = []
    choice: Choice = "all"
    kind: Kind = "machine"
    name = None
    tasks = [
        d
        for d in source.documents
        if entries(d.data).get("resources") or len(source.documents) == 1
    ]
    for position, document in enumerate(tasks):
        facts = Facts(document)
        own = facts.raw("name")
        task = clean(str(own), 100) if isinstance(own, str | int) else ""
        if not task and len(tasks) > 1:
            task = f"{source.stem}-{position + 1}"
        name = name or (task if isinstance(own, str | int) else None)
        nodes = _nodes(facts, notes)
        found, task_choice = _alternatives(facts, task, nodes, notes)
        found = [machine for machine in found if _HARDWARE & set(machine.facts)]
        if not found:
            notes.append(notice("read_no_accelerators", file=task or source.name))
            continue
        if facts.has("service"):
            kind = "serve"
            found = [replace(machine, runs="always") for machine in found]
        if len(tasks) == 1 or len(found) == 1:
            machines += found
            choice = task_choice if len(tasks) == 1 else choice
        else:
            shown = ", ".join(_shown(machine) for machine in found[:8])
            open_[f"on:{task}"] = Blank("on", "readers.open_any_of", {"names": shown}, task)
            machines.append(Machine(task, {}))
    return Reading(
        NAME,
        source.name,
        name=name,
        kind=kind,
        machines=tuple(machines),
        choice=choice,
        notes=tuple(notes),
        open=open_,
    )


@dataclass(frozen=True, slots=True)
class _Nodes:
    """How many machines of one kind a task takes, and the keys that say so.

    Attributes:
        one: of a service, the machines of one replica. replicas: their number, when it is fixed.
    """

    count: int
    keys: tuple[str, ...]
    one: _Nodes | None = None
    replicas: Fact | None = None

    def key(self, first: str) -> str:
        """The product as an explanation shows it."""
        return " x ".join((first, *self.keys))

    def fixed(self) -> dict[str, Fact]:
        """The fact `replicas`, where the file gives a number."""
        return {} if self.replicas is None else {"replicas": self.replicas}


def _nodes(facts: Facts, notes: list[Notice]) -> _Nodes:
    """Machines of one task: nodes, times the replicas of a service."""
    nodes = facts.integer("nodes", "num_nodes", high=10**6)
    keys = ("num_nodes",) if nodes is not None else ()
    count = nodes or 1
    one = _Nodes(count, keys)
    if not entries(facts.raw("service")):
        return one
    replicas = facts.integer("replicas", "service", "replicas", low=0, high=10**6)
    if replicas is not None:
        fixed = facts.found.pop("replicas") if replicas else None
        return _Nodes(count * max(replicas, 1), (*keys, "service.replicas"), one, fixed)
    policy = ("service", "replica_policy")
    low = facts.integer("replicas", *policy, "min_replicas", low=0, high=10**6)
    high = facts.integer("replicas", *policy, "max_replicas", low=0, high=10**6)
    fixed = facts.found.pop("replicas", None) if low and high in (None, low) else None
    if low is not None and high is not None and low != high:
        notes.append(notice("read_autoscaling", at="service.replica_policy", low=low, high=high))
    if low:
        keys = (*keys, "service.replica_policy.min_replicas")
    return _Nodes(count * max(low or 1, 1), keys, one, fixed)


def _alternatives(
    facts: Facts, name: str, nodes: _Nodes, notes: list[Notice]
) -> tuple[list[Machine], Choice]:
    base = entries(facts.raw("resources"))
    for key, choice in (("ordered", "first"), ("any_of", "any")):
        variants = [(i, item) for i, item in items(base.get(key)) if isinstance(item, dict)]
        if variants:
            found: list[Machine] = []
            for index, variant in variants:
                path: KeyPath = ("resources", key, index)
                if len(found) > MAX_CHOICES:
                    raise facts.error("too_many_choices", *path, limit=MAX_CHOICES)
                found += _machines(facts, name, nodes, {**base, **variant}, path, variant, notes)[0]
            unique = _unique(found)
            return unique, "any" if key == "any_of" and len(unique) > 1 else choice  # type: ignore[return-value]
    found, inner = _machines(facts, name, nodes, base, ("resources",), base, notes)
    return _unique(found), inner


def _unique(machines: list[Machine]) -> list[Machine]:
    seen: dict[tuple[Any, ...], Machine] = {}
    for machine in machines:
        seen.setdefault(tuple(sorted((k, f.value) for k, f in machine.facts.items())), machine)
    return list(seen.values())


def _machines(
    facts: Facts,
    name: str,
    nodes: _Nodes,
    resources: Mapping[str, Any],
    path: KeyPath,
    own: Mapping[str, Any],
    notes: list[Notice],
) -> tuple[list[Machine], Choice]:
    """The machines that one set of resources may mean, and whether any will do."""

    def where(key: str) -> KeyPath:
        return (*path, key) if key in own else ("resources", key)

    key = "gpus" if "gpus" in resources and "accelerators" not in resources else "accelerators"
    wanted = list(islice(_accelerators(facts, resources.get(key), where(key)), MAX_CHOICES + 1))
    if len(wanted) > MAX_CHOICES:
        raise facts.error("too_many_choices", *where(key), limit=MAX_CHOICES)
    ordered = isinstance(resources.get(key), list)
    common = facts.at()
    _place(common, resources, where)
    spot = resources.get("use_spot")
    if isinstance(spot, bool | str):
        spot_on = common.boolean("use_spot", *where("use_spot"))
        common.found.pop("use_spot", None)
        if spot_on is not None:
            common.fact("purchase", "spot" if spot_on else "on-demand", *where("use_spot"))
    replica: dict[str, Fact] = {}
    instance = resources.get("instance_type")
    if isinstance(instance, str) and instance.strip() and not wanted:
        common.text("instance_type", *where("instance_type"))
        key = nodes.key("instance_type")
        common.fact("instances", nodes.count, *where("instance_type"), key=key)
        if nodes.one is not None:
            only = facts.at()
            key = nodes.one.key("instance_type")
            only.fact("instances", nodes.one.count, *where("instance_type"), key=key)
            replica = only.found | nodes.fixed()
        return [Machine(name, common.found, replica=replica)], "all"
    found: list[Machine] = []
    for text, count, at in wanted:
        part = facts.at()
        _one(part, text, count, nodes, at, notes)
        replica = {}
        if nodes.one is not None:
            only = facts.at()
            _one(only, text, count, nodes.one, at, [])
            replica = {key: only.found[key] for key in ("chips", "slices") if key in only.found}
            replica |= nodes.fixed()
        found.append(Machine(name, {**common.found, **part.found}, replica=replica))
    if not found:
        return ([Machine(name, common.found)] if common.found else []), "all"
    return found, "all" if len(found) == 1 else "first" if ordered else "any"


def _accelerators(facts: Facts, value: Any, path: KeyPath) -> Iterator[tuple[str, float, KeyPath]]:
    """Name, count and key of each accelerator that the value allows."""
    if value is None:
        return
    if isinstance(value, str):
        name, count = _split(facts, value, path)
        yield name, count, path
    elif isinstance(value, dict):
        for key, number in value.items():
            if number is None:
                name, count = _split(facts, str(key), (*path, key))
            else:
                part = facts.at()
                name, count = str(key), part.number("count", *path, key, low=0.01, high=10**6) or 1
            yield clean(name, 60), count, (*path, key)
    elif isinstance(value, list):
        for index, item in items(value, MAX_CHOICES + 1):
            if not isinstance(item, str):
                raise facts.error("not_text", *path, index, text=clean(repr(item), 40))
            name, count = _split(facts, item, (*path, index))
            yield name, count, (*path, index)
    else:
        raise facts.error("not_text", *path, text=clean(repr(value), 40))


def _split(facts: Facts, text: str, path: KeyPath) -> tuple[str, float]:
    name, colon, number = text.strip().rpartition(":")
    if not colon:
        return clean(number, 60), 1
    try:
        count = float(number)
    except ValueError:
        raise facts.error("not_number", *path, text=clean(text, 40)) from None
    if not 0 < count <= 10**6 or not name.strip():
        raise facts.error("out_of_range", *path, text=clean(text, 40), low=1, high=10**6)
    return clean(name, 60), count


def _one(
    part: Facts, name: str, count: float, nodes: _Nodes, path: KeyPath, notes: list[Notice]
) -> None:
    tpu = _TPU.fullmatch(name.strip())
    if tpu is not None:
        prefix = tpu[1].lower().replace("litepod", "e")
        part.fact("slice", f"{prefix}-{tpu[2]}", *path)
        slices = nodes.count * max(int(count), 1)
        part.fact("slices", slices, *path, key=nodes.key(_written_at(path)))
        return
    accelerator = hardware_names.skypilot(name, count)
    if accelerator is not None:
        part.fact("accelerator", accelerator, *path)
        if accelerator != name.lower():
            notes_name = notice("read_accelerator_meaning", name=name, accelerator=accelerator)
            if notes_name not in notes:
                notes.append(notes_name)
    if count != int(count):
        notes.append(notice("read_fraction", name=name, count=count))
        count = 1
    part.fact("chips", int(count) * nodes.count, *path, key=nodes.key(_written_at(path)))


def _written_at(path: KeyPath) -> str:
    """The key that holds the accelerators: `accelerators`, or `gpus`."""
    return next(str(key) for key in reversed(path) if key in ("accelerators", "gpus"))


def _place(part: Facts, resources: Mapping[str, Any], where: Any) -> None:
    infra = resources.get("infra")
    if isinstance(infra, str) and infra.strip():
        pieces = [piece.strip() for piece in infra.strip().split("/")]
        cloud = pieces[0].lower()
        if cloud not in _CLOUDS and cloud:
            part.fact("provider", clean(cloud, 40), *where("infra"))
            if len(pieces) > 1 and pieces[1] not in ("", "*"):
                part.fact("region", clean(pieces[1], 60), *where("infra"))
        return
    named = resources.get("cloud")
    provider = None
    if isinstance(named, str) and named.strip().lower() not in _CLOUDS:
        provider = clean(named.lower(), 40)
        part.fact("provider", provider, *where("cloud"))
    zone = resources.get("zone")
    region = resources.get("region")
    if isinstance(region, str) and region.strip():
        part.fact("region", clean(region, 60), *where("region"))
    elif isinstance(zone, str) and zone.strip():
        part.fact("region", hardware_names.region_of(clean(zone, 60), provider), *where("zone"))


def _shown(machine: Machine) -> str:
    if machine.value("slice"):
        return f"{machine.value('slice')}:{machine.value('slices')}"
    return f"{machine.value('accelerator') or '?'}:{machine.value('chips')}"
