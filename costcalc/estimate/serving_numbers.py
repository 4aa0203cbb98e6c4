"""The numbers that the serving model reads: of a copy of the model on its chips, and of the work.

Both are plain floats for one estimate, or arrays of them for a table of measurements; the formulas
in `decode` and `prefill` do not care.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from costcalc.errors import NoOfferError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.chip import Chip
from costcalc.estimate.ops import Array
from costcalc.estimate.serving_layout import ServingLayout, kv_heads

WEIGHT_BYTES = {"bf16": 2.0, "fp8": 1.0, "int8": 1.0, "fp4": 0.5625}
"""Bytes per weight. fp4: 4 bits and an 8-bit scale per 16 weights (NVFP4; MXFP4 and grouped int4
are within 6 %)."""

KV_BYTES = {"bf16": 2.0, "fp8": 1.0}

_LARGE_EXPERT = 126e6
"""Weights of an expert from which on its matmuls are as efficient as dense ones (Llama 4's)."""

_REFERENCE_CHIPS = 8
_COLLECTIVE_GROWTH = 0.3
"""A collective's latency grows with the number of chips to this power, 1 at eight chips."""

_NO_MISS = -50.0


@dataclass(frozen=True, slots=True)
class ReplicaNumbers:
    """One copy of a model on its chips.

    Attributes:
        chips: chips of the copy.
        dense_bytes, expert_bytes: weights that one chip reads in a step, routed experts apart and
            taken whole; the input embedding is a look-up and not among them.
        miss_log: logarithm of the chance that one token misses an expert; 0 without experts.
        expert_spread: how much more than the average the busiest chip's share of touched experts
            is, in standard deviations of a coverage (0 unless whole experts are spread).
        expert_log: logarithm of an expert's size over that of a large one, at most 0.
        mixture_layers: layers with routed experts.
        collectives: collective operations in a step.
        collective_scale: their latency over that on eight chips.
        wire_bytes: bytes per token that one chip sends in all collectives.
        flops: matmul FLOPs per token.
        peak, peak_attention: FLOP/s of all chips at the compute precision, and at bf16.
        bandwidth, link: bytes/s of one chip's memory, and of its links.
        stages: pipeline stages that a token passes one after another.
        sequence_share: share of the batch whose bookkeeping one host process does.
        eight, four: 1 where weights have 8 bits and matmuls run at the 8-bit (4-bit) peak.
    """

    chips: Array
    dense_bytes: Array
    expert_bytes: Array
    miss_log: Array
    expert_spread: Array
    expert_log: Array
    mixture_layers: Array
    collectives: Array
    collective_scale: Array
    wire_bytes: Array
    flops: Array
    peak: Array
    peak_attention: Array
    bandwidth: Array
    link: Array
    stages: Array
    sequence_share: Array
    eight: Array
    four: Array


@dataclass(frozen=True, slots=True)
class WorkNumbers:
    """One request.

    Attributes:
        prompt_tokens: prompt tokens that are computed (cached ones are not).
        prompt_flops, prompt_attention_flops: of the prompt: matmuls; attention scores.
        output_tokens: tokens generated.
        kv_bytes: bytes that one chip reads per sequence and step, at the average context.
        attention_flops: FLOPs of attention per sequence and step, all chips together.
    """

    prompt_tokens: Array
    prompt_flops: Array
    prompt_attention_flops: Array
    output_tokens: Array
    kv_bytes: Array
    attention_flops: Array


def compute_precision(chip: Chip, weights: str) -> str:
    """The precision at which matmuls run: that of the weights where the chip has a peak for it.

    int8 and, on chips without a 4-bit peak, fp4 are storage formats: weights are widened to bf16.
    """
    if weights in ("fp8", "fp4") and chip.peak_tflops.get(weights):
        return weights
    return "bf16"


def replica_numbers(
    architecture: Architecture, chip: Chip, weights: str, layout: ServingLayout
) -> ReplicaNumbers:
    """The numbers of a copy.

    Raises:
        NoOfferError: the chip's peak or memory bandwidth is not published.
    """
    if not chip.peak_tflops.get("bf16") or not chip.hbm_gbps:
        raise NoOfferError("serving.no_datasheet", chip=chip.id)
    size = WEIGHT_BYTES[weights]
    chips = layout.chips
    moe = architecture.moe
    head = architecture.embedding_params()
    routed = architecture.routed_params()
    read = architecture.params_total() - routed
    if not architecture.tied_embeddings:
        read -= head
    spread_attention = layout.mode == "attention-data"
    compute = compute_precision(chip, weights)
    tensor = layout.mode == "tensor" and chips > 1
    hidden = float(architecture.hidden)
    mixture_layers = float(moe.layers) if moe else 0.0
    collectives = wire = 0.0
    if tensor:
        collectives = 2.0 * architecture.layers
        wire = collectives * 2.0 * (chips - 1) / chips * 2.0 * hidden
    elif spread_attention and moe:
        collectives = 2.0 * mixture_layers
        wire = collectives * min(moe.experts_per_token, chips) / chips * 2.0 * hidden
    return ReplicaNumbers(
        chips=float(chips),
        dense_bytes=read * size / (1 if spread_attention else chips),
        expert_bytes=routed * size / chips,
        miss_log=_miss_log(architecture),
        expert_spread=_expert_spread(architecture, layout.expert_ways),
        expert_log=(
            min(0.0, math.log(architecture.expert_params() / _LARGE_EXPERT)) if moe else 0.0
        ),
        mixture_layers=mixture_layers,
        collectives=collectives,
        collective_scale=(chips / _REFERENCE_CHIPS) ** _COLLECTIVE_GROWTH,
        wire_bytes=wire,
        flops=2.0 * architecture.matmul_params(),
        peak=chip.peak_tflops[compute] * 1e12 * chips,
        peak_attention=chip.peak_tflops["bf16"] * 1e12 * chips,
        bandwidth=chip.hbm_gbps * 1e9,
        link=(chip.scaleup_gbps or _PCIE_GBPS) * 1e9,
        stages=float(chips) if layout.mode == "pipeline" else 1.0,
        sequence_share=1.0 / chips if spread_attention else 1.0,
        eight=1.0 if compute == "fp8" else 0.0,
        four=1.0 if compute == "fp4" else 0.0,
    )


_PCIE_GBPS = 32.0
"""Where no link is published: a PCIe 4.0 x16 slot, one way."""


def _miss_log(architecture: Architecture) -> float:
    moe = architecture.moe
    if moe is None:
        return 0.0
    share = moe.experts_per_token / moe.experts
    return math.log1p(-share) if share < 1 else _NO_MISS


def _expert_spread(architecture: Architecture, ways: int) -> float:
    # the step waits for the chip with the most touched experts: the expected maximum of `ways`
    # normal variables (0.56, 1.03, 1.42, 1.77 for 2, 4, 8, 16 of them) over the root of the
    # experts that one chip holds
    moe = architecture.moe
    if moe is None or ways < 2:
        return 0.0
    expected_maximum = 0.56 * math.log2(ways) ** 0.83
    return float(expected_maximum / math.sqrt(moe.experts / ways))


def kv_share(architecture: Architecture, layout: ServingLayout) -> float:
    """Share of a sequence's keys and values that one chip holds and reads.

    Latents of MLA are copied under tensor parallelism; heads are copied beyond their number.
    """
    if layout.mode != "tensor":
        return 1.0 / layout.chips
    if any(group.is_mla for group in architecture.attention):
        return 1.0
    return max(1.0 / layout.chips, 1.0 / kv_heads(architecture))


def sequence_bytes(
    architecture: Architecture, layout: ServingLayout, context: float, kv_bytes: float
) -> float:
    """Bytes that a sequence of `context` tokens takes on one chip, recurrent state included."""
    kv = architecture.kv_bytes_per_sequence(context, kv_bytes)
    state = architecture.state_bytes_per_sequence()
    return kv * kv_share(architecture, layout) + state / layout.chips


def _attention_flops(architecture: Architecture, context: float) -> float:
    """FLOPs of one token's attention over a cache of `context` tokens.

    With MLA the heads attend to the latents themselves (absorbed projections).
    """
    total = 0.0
    for group in architecture.attention:
        if group.kind == "linear":
            total += group.layers * group.score_flops_per_token(context)
            continue
        keys = context if group.window is None else min(context, group.window)
        width = group.head_dim + group.v_head_dim
        if group.kv_lora_rank is not None:
            width = 2 * group.kv_lora_rank + group.qk_rope
        total += group.layers * 2.0 * group.heads * width * keys
    return total


def work_numbers(
    architecture: Architecture,
    layout: ServingLayout,
    *,
    input_tokens: float,
    output_tokens: float,
    kv_bytes: float,
    cached_share: float = 0.0,
) -> WorkNumbers:
    """The numbers of one request.

    Args:
        architecture: the model.
        layout: of the copy that serves it.
        input_tokens, output_tokens: lengths.
        kv_bytes: bytes per number in the cache.
        cached_share: share of the prompt whose keys and values are there already.
    """
    context = input_tokens + output_tokens / 2.0
    fresh = input_tokens * (1.0 - cached_share)
    head = architecture.logit_params()
    # a cached prefix is still attended to: only its own scores fall away
    scores = architecture.attention_score_flops_per_token(input_tokens) * input_tokens
    if cached_share:
        cached = input_tokens * cached_share
        scores -= architecture.attention_score_flops_per_token(cached) * cached
    kv = architecture.kv_bytes_per_sequence(context, kv_bytes)
    # a recurrent state is read and written in every step
    state = 2.0 * architecture.state_bytes_per_sequence()
    return WorkNumbers(
        prompt_tokens=fresh,
        prompt_flops=2.0 * (architecture.matmul_params() - head) * fresh + 2.0 * head,
        prompt_attention_flops=max(scores, 0.0),
        output_tokens=output_tokens,
        kv_bytes=kv * kv_share(architecture, layout) + state / layout.chips,
        attention_flops=_attention_flops(architecture, context),
    )
