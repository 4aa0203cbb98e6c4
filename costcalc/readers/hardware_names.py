"""How other tools name accelerators, places and ways of buying, in the catalog's words.

A name that is not listed here is passed on as it is: the catalog resolves it or says what is near.
Only names whose meaning differs from the catalog's belong here.
"""

from __future__ import annotations

import re

# GKE node labels: cloud.google.com/gke-accelerator (kubernetes-engine-samples @2b503651, and
# Google's "GPU machine types" page). nvidia-tesla-a100 is the 40 GB part of A2 standard.
GKE_GPUS = {
    "nvidia-tesla-a100": "a100-40gb",
    "nvidia-a100-80gb": "a100-80gb",
    "nvidia-h100-80gb": "h100-sxm",
    "nvidia-h100-mega-80gb": "h100-sxm",
    "nvidia-h200-141gb": "h200-sxm",
    "nvidia-b200": "b200",
    "nvidia-gb200": "gb200",
    "nvidia-gb300": "gb300",
    "nvidia-l4": "l4",
    "nvidia-rtx-pro-6000": "rtx-pro-6000",
    "nvidia-tesla-t4": "t4",
    "nvidia-tesla-v100": "v100",
    "nvidia-tesla-p100": "p100",
    "nvidia-tesla-p4": "p4",
    "nvidia-tesla-k80": "k80",
}
# cloud.google.com/gke-tpu-accelerator (kubernetes-engine-samples @2b503651; the two `device` names
# and v3 from Google's "TPUs in GKE" page).
GKE_TPUS = {
    "tpu-v3-device": "tpu-v3",
    "tpu-v3-slice": "tpu-v3",
    "tpu-v4-podslice": "tpu-v4",
    "tpu-v5-lite-device": "tpu-v5e",
    "tpu-v5-lite-podslice": "tpu-v5e",
    "tpu-v5p-slice": "tpu-v5p",
    "tpu-v6e-slice": "tpu-v6e",
    "tpu7x": "tpu-v7x",
}
# accelerator_config.type of the Cloud TPU API (v2, v2alpha1).
TPU_API_TYPES = {
    "v2": "tpu-v2",
    "v3": "tpu-v3",
    "v4": "tpu-v4",
    "v5lite_pod": "tpu-v5e",
    "v5p": "tpu-v5p",
    "v6e": "tpu-v6e",
    "tpu7x": "tpu-v7x",
    "v7x": "tpu-v7x",
}
# SkyPilot's canonical names (its catalog): A100 alone is the 40 GB part.
SKYPILOT = {
    "a100": "a100-40gb",
    "a100-80gb-sxm": "a100-80gb",
    "h100-mega": "h100-sxm",
    "h100-nvlink": "h100-sxm",
    "trainium": "trainium1",
    "gaudi hl-205": "gaudi1",
    "rtxpro6000": "rtx-pro-6000",
    "rtx4090": "rtx-4090",
}
# What the NVIDIA and AMD device plugins' feature discovery writes into product labels.
_PRODUCT = (
    (re.compile(r"a100.*40gb"), "a100-40gb"),
    (re.compile(r"a100.*(sxm|hgx).*80gb"), "a100-80gb"),
    (re.compile(r"a100.*pcie.*80gb|a100.*80gb.*pcie"), "a100-80gb-pcie"),
    (re.compile(r"gh200"), "gh200"),
    (re.compile(r"gb200"), "gb200"),
    (re.compile(r"gb300"), "gb300"),
    (re.compile(r"h100.*nvl"), "h100-nvl"),
    (re.compile(r"h100.*pcie"), "h100-pcie"),
    (re.compile(r"h100.*(hbm3|sxm|hgx)"), "h100-sxm"),
    (re.compile(r"h200.*nvl"), "h200-nvl"),
    (re.compile(r"h200"), "h200-sxm"),
    (re.compile(r"b300"), "b300"),
    (re.compile(r"b200"), "b200"),
    (re.compile(r"l40s"), "l40s"),
    (re.compile(r"\bl4\b"), "l4"),
    (re.compile(r"a10g"), "a10g"),
    (re.compile(r"\ba10\b"), "a10"),
    (re.compile(r"mi300x"), "mi300x"),
    (re.compile(r"mi325x"), "mi325x"),
    (re.compile(r"mi350x"), "mi350x"),
    (re.compile(r"mi355x"), "mi355x"),
    (re.compile(r"mi250"), "mi250x"),
)
# JAX devices per chip: a chip of v3 and of TPU7x shows as two devices, v4 and v5p run as one
# "megacore" (AI-Hypercomputer/maxtext src/maxtext/utils/accelerator_to_spec_map.py @19142c26).
JAX_DEVICES_PER_CHIP = {"tpu-v2": 2, "tpu-v3": 2, "tpu-v7x": 2}
# NeuronCores per chip (AWS Neuron architecture guide).
NEURON_CORES = {
    "inferentia1": 4,
    "inferentia2": 2,
    "trainium1": 2,
    "trainium2": 8,
    "trainium3": 8,
}

_AWS_TYPE = re.compile(
    r"[a-z]{1,6}[0-9][a-z0-9-]*\.(?:[0-9]*(?:nano|micro|small|medium|large|xlarge)|metal[a-z0-9-]*)"
)
_AWS_ACCELERATED = re.compile(r"(?:p[2-9]|g[3-9]|trn[0-9]|inf[0-9]|dl[0-9])[a-z0-9-]*\.")
_GCP_ACCELERATED = re.compile(r"(?:a[2-9][a-z]*|g[2-9])-|ct[0-9][a-z]*-|tpu[0-9]")
_AZURE_ACCELERATED = re.compile(r"standard_n[cdvgm]", re.IGNORECASE)
_OCI_ACCELERATED = re.compile(r"(?:bm|vm)\.gpu", re.IGNORECASE)
_AWS_ZONE = re.compile(r"([a-z]{2}(?:-[a-z]+){1,2}-[0-9]+)[a-z]")
_GCP_ZONE = re.compile(r"([a-z]+-[a-z]+[0-9]+)-[a-z]")


def product(name: str) -> str:
    """The catalog id for a GPU product label; the label itself where none is known."""
    lowered = name.lower().replace("_", "-")
    return next((found for pattern, found in _PRODUCT if pattern.search(lowered)), lowered)


def is_accelerated(instance_type: str) -> bool:
    """Whether a machine type's name belongs to a provider's accelerator families."""
    return any(
        pattern.match(instance_type)
        for pattern in (_AWS_ACCELERATED, _GCP_ACCELERATED, _AZURE_ACCELERATED, _OCI_ACCELERATED)
    )


def provider_of(instance_type: str) -> str | None:
    """Whose naming a machine type follows, None when it cannot be told."""
    if _AWS_TYPE.fullmatch(instance_type):
        return "aws"
    if instance_type.lower().startswith("standard_"):
        return "azure"
    if _GCP_ACCELERATED.match(instance_type):
        return "gcp"
    if instance_type.lower().startswith(("bm.", "vm.")):
        return "oci"
    return None


def region_of(zone: str, provider: str | None = None) -> str:
    """The region of an availability zone (`us-east-1a`, `us-east5-a`); a region stays itself."""
    if provider in (None, "aws"):
        match = _AWS_ZONE.fullmatch(zone)
        if match:
            return match[1]
    if provider in (None, "gcp"):
        match = _GCP_ZONE.fullmatch(zone)
        if match:
            return match[1]
    return zone


def skypilot(name: str, count: float) -> str | None:
    """The catalog id for SkyPilot's name; None when it stands for two chips.

    `Inferentia` is what SkyPilot calls both generations; the count tells them apart where EC2 sells
    that many of only one: inf1 has 1, 4 or 16 chips in a machine, inf2 1, 6 or 12.
    """
    lowered = name.strip().lower()
    if lowered == "inferentia":
        return {4: "inferentia1", 16: "inferentia1", 6: "inferentia2", 12: "inferentia2"}.get(
            int(count)
        )
    return SKYPILOT.get(lowered, lowered)
