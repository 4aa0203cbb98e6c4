"""Time to compute a prompt: matmuls and attention at their own efficiencies, and the links."""

from __future__ import annotations

from costcalc.estimate.decode import gain
from costcalc.estimate.ops import FLOATS, Array, Ops
from costcalc.estimate.serving_calibration import MAX_SHARE, EngineConstants
from costcalc.estimate.serving_numbers import ReplicaNumbers, WorkNumbers


def prefill_seconds(
    numbers: ReplicaNumbers, work: WorkNumbers, k: EngineConstants, ops: Ops = FLOATS
) -> Array:
    """Seconds that a prompt takes of a replica's time when many are computed."""
    small = ops.exp(k.expert_prefill_power * numbers.expert_log)
    share = ops.minimum(k.prefill_share * gain(numbers, k) * small, MAX_SHARE)
    attention = ops.minimum(k.attention_prefill_share, MAX_SHARE)
    links = numbers.link * ops.minimum(k.link_prefill_share, MAX_SHARE)
    return (
        work.prompt_flops / (numbers.peak * share)
        + work.prompt_attention_flops / (numbers.peak_attention * attention)
        + work.prompt_tokens * numbers.wire_bytes / links
    )


def lone_prompt_seconds(
    numbers: ReplicaNumbers,
    k: EngineConstants,
    prefill: Array,
    ops: Ops = FLOATS,
) -> Array:
    """Seconds of a prompt that runs alone: it reads all weights besides, and starts and ends.

    Reading and computing overlap in part: the root of the sum of squares.
    """
    weights = (numbers.dense_bytes + numbers.expert_bytes) / (
        numbers.bandwidth * ops.minimum(k.bandwidth_share, MAX_SHARE)
    )
    return (prefill * prefill + weights * weights) ** 0.5 + k.prompt_s + k.fixed_s


def floor_prefill_seconds(numbers: ReplicaNumbers, work: WorkNumbers) -> float:
    """No prompt can be faster: its FLOPs at the chips' peak, or the weights at full bandwidth."""
    flops = work.prompt_flops / numbers.peak
    return float(max(flops, numbers.dense_bytes / numbers.bandwidth))
