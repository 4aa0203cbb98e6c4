"""Kubernetes manifests (YAML or JSON, all documents): which accelerators, and how many at a time.

Accelerators are counted per pod (limits, else requests; containers add up, init containers run
before them) and multiplied by how many pods the object runs at once: Job `parallelism`, JobSet
`replicas` x parallelism, RayCluster `replicas` x `numOfHosts`, LeaderWorkerSet `replicas` x `size`.
`google.com/tpu` counts the chips of one pod, `aws.amazon.com/neuron` chips, `neuroncore` cores.
Sources: kubernetes-engine-samples @2b503651, ai-on-eks @41a979ee, rocm-blogs @c9a603fc, and the API
references of JobSet, KubeRay, LeaderWorkerSet and the Kubeflow training operator.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers import pod_selectors
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts, child, clean, dotted, entries, items
from costcalc.readers.reading import Blank, Fact, Kind, Machine, Reading
from costcalc.readers.source import Source
from costcalc.safeyaml import Document, KeyPath

NAME = "kubernetes"
TITLE = "Kubernetes manifest"
MAX_OBJECTS = 5_000
MAX_CHIPS = 10**7
RESOURCES = (
    "nvidia.com/gpu",
    "google.com/tpu",
    "aws.amazon.com/neuron",
    "aws.amazon.com/neurondevice",
    "aws.amazon.com/neuroncore",
    "amd.com/gpu",
    "habana.ai/gaudi",
)
_COUNTED = frozenset({"chips", "replica_chips", "replicas"})
_ALWAYS = frozenset(
    {"Deployment", "StatefulSet", "ReplicaSet", "LeaderWorkerSet", "RayService", "DaemonSet"}
)
_OPERATOR_JOBS = frozenset({"PyTorchJob", "TFJob", "MPIJob", "JAXJob", "XGBoostJob", "PaddleJob"})


@dataclass(slots=True)
class Pods:
    """Pods of one template.

    Attributes:
        path: key of the pod spec. count: pods at once, None when the file leaves it open.
        how: keys that were multiplied.
        each: of a service, pods of one replica. replicas: their number, when the file gives one.
    """

    path: KeyPath
    count: int | None
    how: list[str] = field(default_factory=list)
    each: int | None = None
    replicas: Fact | None = None


def claim(source: Source) -> Claim | None:
    """Whether `source` holds Kubernetes objects."""
    for document in source.documents:
        data = entries(document.data)
        if isinstance(data.get("apiVersion"), str) and isinstance(data.get("kind"), str):
            return Claim(("apiVersion", "kind"))
    return None


def read(source: Source) -> Reading:
    """What the manifests ask for."""
    reader = _Reader(source)
    for document in source.documents:
        reader.document(document, (), 0)
    kinds = {machine.runs for machine in reader.machines}
    kind: Kind = "machine"
    if kinds == {"always"} and len(reader.machines) == 1:
        kind = "serve"
    if not reader.machines:
        reader.notes.append(notice("read_no_accelerators", file=source.name))
    name = reader.machines[0].name if len(reader.machines) == 1 else None
    return Reading(
        NAME,
        source.name,
        name=name,
        kind=kind,
        machines=tuple(reader.machines),
        notes=tuple(dict.fromkeys(reader.notes)),
        open=reader.open,
    )


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.machines: list[Machine] = []
        self.notes: list[Notice] = []
        self.open: dict[str, Blank] = {}
        self.objects = 0

    def document(self, document: Document, base: KeyPath, depth: int) -> None:
        node = child(document.data, *base)
        data = entries(node)
        kind = data.get("kind")
        self.objects += 1
        if not isinstance(kind, str) or self.objects > MAX_OBJECTS:
            return
        if kind == "List" and depth < 4:
            for index, _ in items(data.get("items"), MAX_OBJECTS):
                self.document(document, (*base, "items", index), depth + 1)
            return
        facts = Facts(document, base)
        name = facts.raw("metadata", "name") or facts.raw("metadata", "generateName")
        title = clean(str(name), 100) if isinstance(name, str | int) else ""
        groups: dict[tuple[Any, ...], list[dict[str, Fact]]] = {}
        for pods in _templates(kind, facts, self.notes):
            found = self._pod(document, pods)
            if found is not None:
                key = tuple(
                    (fact, found[fact].value) for fact in sorted(found) if fact not in _COUNTED
                )
                groups.setdefault(key, []).append(found)
        title = title or kind.lower()
        for position, group in enumerate(groups.values()):
            self._machine(title if position == 0 else f"{title}-{position + 1}", kind, group)

    def _machine(self, name: str, kind: str, group: list[dict[str, Fact]]) -> None:
        known = {machine.name for machine in self.machines}
        unique, number = name, 2
        while unique in known:
            unique, number = f"{name}-{number}", number + 1
        facts = {fact: group[0][fact] for fact in group[0] if fact not in _COUNTED}
        facts |= self._sized(facts.get("topology"), group, "chips")
        replica = self._sized(facts.get("topology"), group, "replica_chips")
        if "slices" not in facts and "slices" not in replica:
            facts.pop("topology", None)
        if replica and "replicas" in group[0]:
            replica["replicas"] = group[0]["replicas"]
        runs = "always" if kind in _ALWAYS else "job"
        self.machines.append(Machine(unique, facts, runs, replica))  # type: ignore[arg-type]

    def _sized(
        self, topology: Fact | None, group: list[dict[str, Fact]], name: str
    ) -> dict[str, Fact]:
        """Chips of all templates of a group, and the slices that they make; empty when open."""
        chips = [found[name] for found in group if name in found]
        if len(chips) != len(group):
            return {}
        total = sum(int(fact.value) for fact in chips)
        first = chips[0]
        key = " + ".join(dict.fromkeys(fact.key for fact in chips))
        found = {"chips": Fact("chips", total, key, first.file, first.line)}
        if topology is not None:
            size = pod_selectors.topology_chips(str(topology.value))
            if size is None or total % size:
                shown = str(topology.value)
                if name == "chips":
                    self.notes.append(notice("read_topology_differs", topology=shown, chips=total))
            else:
                found["slices"] = Fact("slices", total // size, key, first.file, first.line)
        return found

    def _pod(self, document: Document, pods: Pods) -> dict[str, Fact] | None:
        """The facts of one template's pods, None when they ask for no accelerator."""
        spec = Facts(document, pods.path)
        need = _accelerators(spec, self.notes)
        if need is None or pods.count == 0:
            return None
        resource, per_pod, path = need
        selected = pod_selectors.select(spec, resource, path, self.notes)
        cores = resource.endswith("neuroncore")
        if cores:
            per_chip = pod_selectors.neuron_cores(selected)
            if per_chip is None:
                self.notes.append(notice("read_neuron_cores", cores=per_pod))
                return selected
            per_pod = -(-per_pod // per_chip)
        if pods.each is not None:
            shown = resource if pods.each == 1 else f"{resource} x {pods.how[-1]}"
            one = spec.fact("chips", per_pod * pods.each, *path, key=shown)
            selected["replica_chips"] = one
            if pods.replicas is not None:
                selected["replicas"] = pods.replicas
        if pods.count is None:
            key = dotted(pods.path)
            self.notes.append(notice("read_pods_open", at=key, chips=per_pod))
            return selected
        chips = per_pod * pods.count
        if chips > MAX_CHIPS:
            raise spec.error("out_of_range", text=chips, low=1, high=MAX_CHIPS)
        how = " x ".join([resource, *pods.how])
        selected["chips"] = spec.fact("chips", chips, *path, key=how)
        return selected


def _templates(kind: str, facts: Facts, notes: list[Notice]) -> Iterator[Pods]:
    """The pod templates of an object, with how many pods of each run at once."""
    base = facts.base
    if kind == "Pod":
        yield Pods((*base, "spec"), 1)
    elif kind == "Job":
        yield _job(facts, (*base, "spec"), notes)
    elif kind == "CronJob":
        yield _job(facts, (*base, "spec", "jobTemplate", "spec"), notes)
    elif kind in ("Deployment", "StatefulSet", "ReplicaSet"):
        count, how = _count(facts, ("spec", "replicas"))
        fixed = _fixed(facts, count, ("spec", "replicas"))
        yield Pods((*base, "spec", "template", "spec"), count, how, 1, fixed)
    elif kind == "DaemonSet":
        yield Pods((*base, "spec", "template", "spec"), None)
    elif kind == "JobSet":
        for index, _ in items(facts.raw("spec", "replicatedJobs"), 1000):
            path: KeyPath = ("spec", "replicatedJobs", index)
            count, how = _count(facts, (*path, "replicas"))
            pods = _job(facts, (*base, *path, "template", "spec"), notes)
            pods.count = None if count is None or pods.count is None else count * pods.count
            pods.how = how + pods.how
            yield pods
    elif kind in ("RayCluster", "RayJob", "RayService"):
        yield from _ray(kind, facts, notes)
    elif kind == "LeaderWorkerSet":
        yield from _leader_worker(facts)
    elif kind in _OPERATOR_JOBS:
        yield from _operator_job(facts)


def _count(facts: Facts, path: KeyPath, *, default: int | None = 1) -> tuple[int | None, list[str]]:
    """A number of copies: absent is one, as Kubernetes has it; a template's variable is unknown."""
    value = facts.integer("count", *path, low=0, high=10**6)
    facts.found.pop("count", None)
    key = dotted(path)
    if value is not None:
        return value, [key]
    if any(name.endswith(key) for name in facts.references):
        return None, [key]
    return default, []


def _fixed(facts: Facts, count: int | None, path: KeyPath) -> Fact | None:
    """Replicas of a service, where its file gives a number: none is no order for one."""
    return facts.at().fact("replicas", count, *path) if count and facts.has(*path) else None


def _job(facts: Facts, spec: KeyPath, notes: list[Notice]) -> Pods:
    part = Facts(facts.document, spec)
    parallel, how = _count(part, ("parallelism",))
    completions, _ = _count(part, ("completions",), default=None)
    if parallel is not None and completions is not None and completions != parallel:
        if completions > parallel:
            notes.append(notice("read_job_waves", completions=completions, parallelism=parallel))
        parallel = min(parallel, completions)
    return Pods((*spec, "template", "spec"), parallel, how)


def _ray(kind: str, facts: Facts, notes: list[Notice]) -> Iterator[Pods]:
    inner = {"RayCluster": (), "RayJob": ("rayClusterSpec",), "RayService": ("rayClusterConfig",)}
    base: KeyPath = ("spec", *inner[kind])
    yield Pods((*facts.base, *base, "headGroupSpec", "template", "spec"), 1)
    for index, _ in items(facts.raw(*base, "workerGroupSpecs"), 1000):
        path = (*base, "workerGroupSpecs", index)
        count, how = _count(facts, (*path, "replicas"), default=None)
        low, low_how = _count(facts, (*path, "minReplicas"), default=None)
        high, _ = _count(facts, (*path, "maxReplicas"), default=None)
        if count is None and not how:
            count, how = low, low_how
        hosts, hosts_how = _count(facts, (*path, "numOfHosts"))
        if low is not None and high is not None and low != high:
            key = dotted((*path, "maxReplicas"))
            notes.append(notice("read_autoscaling", at=key, low=low, high=high))
        total = None if count is None or hosts is None else count * hosts
        template = (*facts.base, *path, "template", "spec")
        yield Pods(template, total, [key.rpartition(".")[2] for key in how + hosts_how])


def _leader_worker(facts: Facts) -> Iterator[Pods]:
    groups, how = _count(facts, ("spec", "replicas"))
    size, size_how = _count(facts, ("spec", "leaderWorkerTemplate", "size"))
    base: KeyPath = (*facts.base, "spec", "leaderWorkerTemplate")
    keys = [key.rpartition(".")[2] for key in how + size_how]
    worker = (*base, "workerTemplate", "spec")
    fixed = _fixed(facts, groups, ("spec", "replicas"))
    if not facts.has("spec", "leaderWorkerTemplate", "leaderTemplate"):
        total = None if groups is None or size is None else groups * size
        yield Pods(worker, total, keys, size, fixed)
        return
    yield Pods((*base, "leaderTemplate", "spec"), groups, keys[:1], 1, fixed)
    if size is None:
        yield Pods(worker, None)
    elif size > 1:
        total = None if groups is None else groups * (size - 1)
        yield Pods(worker, total, keys, size - 1, fixed)


def _operator_job(facts: Facts) -> Iterator[Pods]:
    for key in entries(facts.raw("spec")):
        if not key.endswith("ReplicaSpecs"):
            continue
        for role in entries(facts.raw("spec", key)):
            count, how = _count(facts, ("spec", key, role, "replicas"))
            path = (*facts.base, "spec", key, role, "template", "spec")
            yield Pods(path, count, [name.rpartition(".")[2] for name in how])


def _accelerators(spec: Facts, notes: list[Notice]) -> tuple[str, int, KeyPath] | None:
    """Resource, number per pod and key; containers add up, init containers take turns."""
    totals: dict[str, int] = {}
    first: dict[str, KeyPath] = {}
    for group in ("containers", "initContainers"):
        at_once: dict[str, int] = {}
        for index, _ in items(spec.raw(group), 1000):
            for resource, number, path in _container(spec, (group, index, "resources"), notes):
                first.setdefault(resource, path)
                side_car = spec.raw(group, index, "restartPolicy") == "Always"
                if group == "containers" or side_car:
                    totals[resource] = totals.get(resource, 0) + number
                else:
                    at_once[resource] = max(at_once.get(resource, 0), number)
        for resource, number in at_once.items():
            totals[resource] = max(totals.get(resource, 0), number)
    wanted = {resource: number for resource, number in totals.items() if number}
    if not wanted:
        return None
    if len(wanted) > 1:
        raise spec.error("two_resources", names=", ".join(sorted(wanted)))
    resource, number = next(iter(wanted.items()))
    return resource, number, first[resource]


def _container(
    spec: Facts, path: KeyPath, notes: list[Notice]
) -> Iterator[tuple[str, int, KeyPath]]:
    part = spec.at()
    limits, requests = entries(spec.raw(*path, "limits")), entries(spec.raw(*path, "requests"))
    for name in {**limits, **requests}:
        if str(name).startswith("nvidia.com/mig-"):
            notes.append(notice("read_mig", name=clean(str(name), 60)))
    for resource in RESOURCES:
        limit = part.integer("limit", *path, "limits", resource, low=0, high=10**5)
        request = part.integer("request", *path, "requests", resource, low=0, high=10**5)
        if limit is not None and request is not None and limit != request:
            notes.append(notice("read_limit_differs", name=resource, limit=limit, request=request))
        if limit is not None:
            yield resource, limit, (*path, "limits", resource)
        elif request is not None:
            yield resource, request, (*path, "requests", resource)
