"""Which machines a pod may run on, from its node selector and required node affinity."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers import hardware_names
from costcalc.readers.facts import Facts, clean, entries, items
from costcalc.readers.reading import Fact
from costcalc.safeyaml import KeyPath

_TOPOLOGY = re.compile(r"[0-9]{1,4}(?:x[0-9]{1,4}){1,2}")
_AFFINITY: KeyPath = (
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
)
_INSTANCE = (
    "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/instance-type",
    "instance-type",
    "instanceType",
)
_SPOT = {
    "cloud.google.com/gke-spot": ("true",),
    "cloud.google.com/gke-preemptible": ("true",),
    "cloud.google.com/gke-provisioning": ("spot",),
    "karpenter.sh/capacity-type": ("spot",),
    "eks.amazonaws.com/capacityType": ("spot",),
    "kubernetes.azure.com/scalesetpriority": ("spot",),
}
_ON_DEMAND = ("on-demand", "on_demand", "standard", "regular")
_REGION = ("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region")
_ZONE = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
_PRODUCT = (
    "nvidia.com/gpu.product",
    "amd.com/gpu.product-name",
    "beta.amd.com/gpu.product-name",
    "karpenter.k8s.aws/instance-gpu-name",
    "gpu.nvidia.com/class",
)
# Karpenter says "a100" for the 40 GB (p4d) and the 80 GB (p4de) part alike.
_UNCLEAR = frozenset({"a100"})
_PROVIDER = {
    "cloud.google.com/": "gcp",
    "eks.amazonaws.com/": "aws",
    "karpenter.k8s.aws/": "aws",
    "kubernetes.azure.com/": "azure",
    "node.oci.oraclecloud.com/": "oci",
    "oci.oraclecloud.com/": "oci",
    "gpu.nvidia.com/": "coreweave",
}
_PROVIDER_OF_RESOURCE = {"google.com/tpu": "gcp"}
# A label of one's own such as `instance-type: trn1-32xl`.
_SHORT_TYPE = re.compile(r"([a-z]+[0-9]+[a-z]*)[-.]([0-9]*)xl(?:arge)?")
_NEURON_FAMILIES = {
    "trn1": "trainium1",
    "trn1n": "trainium1",
    "trn2": "trainium2",
    "trn2u": "trainium2",
    "trn3": "trainium3",
    "inf1": "inferentia1",
    "inf2": "inferentia2",
}
_FAMILY_GAUDI = {"dl1": "gaudi1"}


def select(spec: Facts, resource: str, asked_at: KeyPath, notes: list[Notice]) -> dict[str, Fact]:
    """The facts that a pod's selectors give: accelerator, topology, machine type, place, spot.

    `asked_at` is where the pod asks for `resource`.
    """
    labels = dict(_labels(spec))
    part = spec.at()
    _provider(part, labels, resource, asked_at)
    _instance(part, labels, notes)
    _accelerator(part, labels, resource)
    for keys, name in ((_REGION, "region"), (_ZONE, "zone")):
        found = next((key for key in keys if key in labels), None)
        if found is not None:
            value, path = labels[found]
            if name == "zone":
                provider = part.found.get("provider")
                value = hardware_names.region_of(value, provider.value if provider else None)
            if "region" not in part.found:
                part.fact("region", value, *path, key=found)
    for key, words in _SPOT.items():
        if key in labels:
            value, path = labels[key]
            if value.lower() in words:
                part.fact("purchase", "spot", *path, key=key)
            elif value.lower() in _ON_DEMAND:
                part.fact("purchase", "on-demand", *path, key=key)
    if "cloud.google.com/gke-flex-start" in labels:
        value, path = labels["cloud.google.com/gke-flex-start"]
        if value.lower() == "true":
            part.fact("purchase", "flex-start", *path, key="cloud.google.com/gke-flex-start")
    return part.found


def topology_chips(text: str) -> int | None:
    """Chips of a TPU topology, `4x4x4` is 64; None when it is none."""
    if not _TOPOLOGY.fullmatch(text):
        return None
    chips = 1
    for side in text.split("x"):
        chips *= int(side)
    return chips or None


def neuron_cores(selected: dict[str, Fact]) -> int | None:
    """NeuronCores per chip of the selected machines, None when they are not known."""
    accelerator = selected.get("accelerator")
    return hardware_names.NEURON_CORES.get(str(accelerator.value)) if accelerator else None


def _labels(spec: Facts) -> Iterator[tuple[str, tuple[str, KeyPath]]]:
    """Labels that a node must have, with one value each."""
    terms = [i for i, _ in items(spec.raw(*_AFFINITY), 100)]
    if len(terms) == 1:  # several terms are alternatives
        path: KeyPath = (*_AFFINITY, terms[0], "matchExpressions")
        for index, item in items(spec.raw(*path), 100):
            rule = entries(item)
            values: Any = rule.get("values")
            if rule.get("operator") == "In" and isinstance(values, list) and len(values) == 1:
                yield str(rule.get("key")), (clean(str(values[0]), 80), (*path, index, "values"))
    for key in entries(spec.raw("nodeSelector")):
        value = spec.raw("nodeSelector", key)
        if isinstance(value, str | int | float):
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield str(key), (clean(text, 80), ("nodeSelector", key))


def _provider(
    part: Facts, labels: dict[str, tuple[str, KeyPath]], resource: str, asked_at: KeyPath
) -> None:
    for key, (_, path) in labels.items():
        for prefix, provider in _PROVIDER.items():
            if key.startswith(prefix):
                part.fact("provider", provider, *path, key=key)
                return
    if resource in _PROVIDER_OF_RESOURCE:
        part.fact("provider", _PROVIDER_OF_RESOURCE[resource], *asked_at, key=resource)
    elif resource.startswith("aws.amazon.com/"):
        part.fact("provider", "aws", *asked_at, key=resource)


def _instance(part: Facts, labels: dict[str, tuple[str, KeyPath]], notes: list[Notice]) -> None:
    key = next((key for key in _INSTANCE if key in labels), None)
    if key is None:
        return
    value, path = labels[key]
    provider = hardware_names.provider_of(value)
    if provider is None:
        short = _SHORT_TYPE.fullmatch(value)
        if short is None:
            return
        full = f"{short[1]}.{short[2]}xlarge"
        notes.append(notice("read_instance_label", at=key, value=value, instance_type=full))
        value, provider = full, "aws"
    part.fact("instance_type", value, *path, key=key)
    if "provider" not in part.found:
        part.fact("provider", provider, *path, key=key)


def _accelerator(part: Facts, labels: dict[str, tuple[str, KeyPath]], resource: str) -> None:
    tables = (
        ("cloud.google.com/gke-tpu-accelerator", hardware_names.GKE_TPUS),
        ("cloud.google.com/gke-accelerator", hardware_names.GKE_GPUS),
    )
    for key, table in tables:
        if key in labels:
            value, path = labels[key]
            part.fact("accelerator", table.get(value.lower(), value.lower()), *path, key=key)
    if "cloud.google.com/gke-tpu-topology" in labels:
        value, path = labels["cloud.google.com/gke-tpu-topology"]
        part.fact("topology", value.lower(), *path, key="cloud.google.com/gke-tpu-topology")
    if "accelerator" in part.found:
        return
    for key in _PRODUCT:
        if key in labels:
            value, path = labels[key]
            if value.lower() in _UNCLEAR:
                return
            part.fact("accelerator", hardware_names.product(value), *path, key=key)
            return
    instance = part.found.get("instance_type")
    if instance is not None:
        family = str(instance.value).partition(".")[0]
        table = _NEURON_FAMILIES if "neuron" in resource else _FAMILY_GAUDI
        if family in table:
            part.found["accelerator"] = Fact(
                "accelerator", table[family], instance.key, instance.file, instance.line
            )
