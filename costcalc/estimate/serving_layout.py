"""How a model is split over the chips of one copy, and which splits make sense.

`tensor`: every chip holds a slice of every weight; keys and values are split by their heads, and
copied where there are fewer heads than chips. `attention-data`: each chip runs the attention of its
own sequences with all non-expert weights, experts are spread (what NVIDIA's tables call DEP).
`pipeline`: each chip holds some of the layers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from costcalc.estimate.architecture import Architecture
from costcalc.estimate.chip import Chip

Mode = Literal["tensor", "attention-data", "pipeline"]

WIDEST = 64
"""Widest copy that is searched; published ones are 32 chips wide at most."""


@dataclass(frozen=True, slots=True)
class ServingLayout:
    """One copy of the model.

    Attributes:
        chips: chips that hold one copy.
        mode: how it is split, see the module.
        expert_ways: chips over which whole experts are spread; 1 when each expert is sliced.
        data: copies side by side in one replica.
    """

    chips: int
    mode: Mode = "tensor"
    expert_ways: int = 1
    data: int = 1

    @property
    def total_chips(self) -> int:
        """Chips of all copies of the replica."""
        return self.chips * self.data


def kv_heads(architecture: Architecture) -> int:
    """Fewest key/value heads of a layer that keeps keys and values (1 without any)."""
    heads = [group.kv_heads for group in architecture.attention if group.kind != "linear"]
    return min(heads, default=1)


def respects_heads(architecture: Architecture, chips: int) -> bool:
    """True when attention heads can be dealt out evenly over `chips`.

    An engine pads or refuses otherwise: the query heads must be a multiple of the width (linear
    layers included).
    """
    return all(group.heads % chips == 0 for group in architecture.attention)


def layouts(architecture: Architecture, chip: Chip, count: int) -> Iterator[ServingLayout]:
    """All splits of `count` chips into equal copies worth looking at.

    Widths are powers of two (and `count` itself), divide `count`, stay in the scale-up domain and
    deal out the heads evenly. Memory is not looked at.
    """
    domain = chip.max_scaleup_chips or chip.chips_per_host or 8
    widths = {1 << power for power in range(WIDEST.bit_length()) if 1 << power <= WIDEST}
    if count <= WIDEST:
        widths.add(count)
    for width in sorted(widths):
        if count % width or width > domain:
            continue
        if respects_heads(architecture, width):
            yield ServingLayout(width, "tensor", 1, count // width)
        if architecture.moe is not None and 1 < width <= architecture.moe.experts:
            yield ServingLayout(width, "attention-data", width, count // width)
