"""Whether a copy fits on its chips, and how many sequences it holds at once."""

from __future__ import annotations

from costcalc.errors import NoOfferError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.chip import Chip
from costcalc.estimate.serving_layout import ServingLayout
from costcalc.estimate.serving_numbers import WEIGHT_BYTES, sequence_bytes

USABLE_SHARE = 0.93
"""Share of the memory that engines hand out (vLLM's default is 0.9, TensorRT-LLM's 0.9 of what the
weights leave; published runs go up to 0.95)."""

RESERVED_BYTES = 2e9
"""Activations, graphs and buffers on every chip."""

MAX_SEQUENCES = 1600
"""Sequences that one scheduler runs at once at most; published maximum-throughput runs set 1,024 to
2,048."""


def weight_bytes_per_chip(architecture: Architecture, weights: str, layout: ServingLayout) -> float:
    """Bytes of weights on one chip: all of them, the embedding included."""
    size = WEIGHT_BYTES[weights]
    total = architecture.params_total()
    if layout.mode != "attention-data":
        return total * size / layout.chips
    routed = architecture.routed_params()
    return (total - routed + routed / layout.chips) * size


def room_bytes_per_chip(
    architecture: Architecture, chip: Chip, weights: str, layout: ServingLayout
) -> float:
    """Bytes that weights and buffers leave for keys and values on one chip; negative when none.

    Raises:
        NoOfferError: the chip's memory is not published.
    """
    if chip.hbm_gb is None:
        raise NoOfferError("serving.no_datasheet", chip=chip.id)
    usable = chip.hbm_gb * 1e9 * USABLE_SHARE - RESERVED_BYTES
    return usable - weight_bytes_per_chip(architecture, weights, layout)


def sequences_that_fit(
    architecture: Architecture,
    chip: Chip,
    weights: str,
    layout: ServingLayout,
    *,
    context: float,
    kv_bytes: float,
) -> float:
    """Sequences of `context` tokens that one copy holds, not rounded; below 1 it cannot serve."""
    room = room_bytes_per_chip(architecture, chip, weights, layout)
    if room <= 0:
        return 0.0
    each = sequence_bytes(architecture, layout, context, kv_bytes)
    return room / each if each > 0 else float(MAX_SEQUENCES)


def batch_limit(layout: ServingLayout, fitting: float) -> float:
    """Sequences that a copy runs at once: what fits, and what its schedulers take."""
    schedulers = layout.chips if layout.mode == "attention-data" else 1
    return min(fitting, float(MAX_SEQUENCES * schedulers))
