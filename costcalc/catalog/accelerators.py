"""Accelerators of the catalog: a chip, where each of its figures comes from, its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from costcalc.estimate.chip import Chip


@dataclass(frozen=True, slots=True)
class Figure:
    """One datasheet figure with its origin.

    Attributes:
        value: the number; its unit is in the name under which the figure is kept.
        source, date: where it was read, and when.
        confidence: `published` by the vendor, `measured`, or `estimated` (nobody confirmed it).
        note: what a reader should know besides.
    """

    value: float
    source: str
    date: str
    confidence: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a vendor or an article says about a chip; never a spec and never used in a calculation.

    Attributes:
        text, by, date, source: what was said, by whom, when, where it was read.
        baseline: what it is compared with; empty when nobody said.
        verified: True when a third party measured it.
    """

    text: str
    by: str
    date: str
    baseline: str
    verified: bool
    source: str


@dataclass(frozen=True, slots=True)
class SliceRule:
    """How the slices of a TPU generation are named, and which sizes exist.

    Attributes:
        prefixes: what stands before the number, `v5p`.
        cores_per_chip: 2 where the suffix counts TensorCores, 1 where it counts chips.
        sizes: slices that exist below one cube, in chips.
        cube: above the last of `sizes`, every multiple of this many chips (4x4x4) is a slice; None
            where the generation has no cubes.
        largest: the largest slice, in chips.
    """

    prefixes: tuple[str, ...]
    cores_per_chip: int
    sizes: tuple[int, ...]
    cube: int | None
    largest: int

    def is_slice(self, chips: int) -> bool:
        """True when a slice of exactly `chips` exists."""
        if chips in self.sizes:
            return True
        return (
            self.cube is not None
            and chips % self.cube == 0
            and self.sizes[-1] < chips <= self.largest
        )

    def smallest_holding(self, chips: int) -> int | None:
        """The smallest slice with at least `chips`, None when one slice is not enough."""
        for size in self.sizes:
            if size >= chips:
                return size
        if self.cube is None or chips > self.largest:
            return None
        return -(-chips // self.cube) * self.cube

    def largest_within(self, chips: int) -> int | None:
        """The largest slice with at most `chips`."""
        if self.cube is not None:
            cubes = min(chips, self.largest) // self.cube * self.cube
            if cubes > self.sizes[-1]:
                return cubes
        below = [size for size in self.sizes if size <= chips]
        return below[-1] if below else None

    def name(self, chips: int) -> str:
        """The slice's name, `v5p-8` for 4 chips."""
        return f"{self.prefixes[0]}-{chips * self.cores_per_chip}"


@dataclass(frozen=True, slots=True)
class Accelerator:
    """An accelerator of the catalog.

    Attributes:
        id, name: catalog id; the name for people.
        chip: the figures that calculations use.
        aliases: other names under which people know it.
        figures: every figure of `chip` with its origin, by the name it has in the YAML.
        not_published: figures of which the vendor says nothing, in words.
        slices: naming of TPU slices, None for everything that is not a TPU.
        machine_types: host types by name with the chips in each, where offers price the chip alone.
        software: what runs on it, `jax`, `pytorch`, `vllm`.
        claims: what was said about it, apart from the figures.
        status: `available`, `announced` or `retired`; only what is not `announced` can be quoted.
        since: when it was announced or became available, empty when not known.
        note: what a reader should know.
    """

    id: str
    name: str
    chip: Chip
    aliases: tuple[str, ...]
    figures: Mapping[str, Figure]
    not_published: tuple[str, ...]
    slices: SliceRule | None
    machine_types: Mapping[str, int]
    software: tuple[str, ...]
    claims: tuple[Claim, ...]
    status: str
    since: str
    note: str

    @property
    def rentable(self) -> bool:
        """False for what has only been announced: it is never quoted."""
        return self.status != "announced"


def build_accelerator(identity: str, raw: Mapping[str, Any]) -> Accelerator:
    """An accelerator from its compiled form."""
    figures = {name: Figure(*values) for name, values in raw["figures"].items()}

    def value(name: str) -> float | None:
        figure = figures.get(name)
        return None if figure is None else float(figure.value)

    def whole(name: str) -> int | None:
        figure = figures.get(name)
        return None if figure is None else int(figure.value)

    def rates(kind: str, unit: dict[str, str]) -> dict[str, float]:
        found = {}
        for precision, suffix in unit.items():
            number = value(f"{kind}_{precision}_{suffix}")
            if number is not None:
                found[precision] = number
        return found

    chip = Chip(
        id=identity,
        vendor=raw["vendor"],
        family=raw["family"],
        peak_tflops=rates(
            "peak", {"bf16": "tflops", "fp8": "tflops", "fp4": "tflops", "int8": "tops"}
        ),
        matmul_tflops=rates("matmul", {"bf16": "tflops", "fp8": "tflops"}),
        hbm_gb=value("hbm_gb"),
        hbm_gbps=value("hbm_gbps"),
        scaleup_gbps=value("scaleup_gbps"),
        scaleout_gbps=value("scaleout_gbps"),
        tdp_w=value("tdp_w"),
        chips_per_host=whole("chips_per_host"),
        max_scaleup_chips=whole("max_scaleup_chips"),
        status=raw["status"],
        can_train=raw["train"],
        can_serve=raw["serve"],
    )
    return Accelerator(
        id=identity,
        name=raw["name"],
        chip=chip,
        aliases=tuple(raw["aliases"]),
        figures=figures,
        not_published=tuple(raw.get("not_published", ())),
        slices=_slice_rule(raw.get("slices")),
        machine_types=raw.get("machine_types", {}),
        software=tuple(raw["software"]),
        claims=tuple(Claim(**claim) for claim in raw.get("claims", ())),
        status=raw["status"],
        since=raw["since"],
        note=raw["note"],
    )


def _slice_rule(raw: Mapping[str, Any] | None) -> SliceRule | None:
    if raw is None:
        return None
    return SliceRule(
        prefixes=tuple(raw["prefixes"]),
        cores_per_chip=raw["cores_per_chip"],
        sizes=tuple(raw["sizes"]),
        cube=raw["cube"],
        largest=raw["largest"],
    )
