"""Time of one decode step: every running sequence gets its next token.

`step = fixed + longest(read weights, multiply) + read keys and values + collectives + bookkeeping`

Weights and matmuls overlap, so the longer counts; attention reads its own bytes besides. Of routed
experts only those are read that some token of the batch needs: a share 1 - (1 - k/E)^tokens for
even routing, more on the busiest chip.
"""

from __future__ import annotations

from costcalc.estimate.ops import FLOATS, Array, Ops
from costcalc.estimate.serving_calibration import MAX_SHARE, EngineConstants
from costcalc.estimate.serving_numbers import ReplicaNumbers, WorkNumbers


def coverage(numbers: ReplicaNumbers, tokens: Array, ops: Ops = FLOATS) -> Array:
    """Share of the routed experts that a step with `tokens` tokens reads on the busiest chip."""
    share = 1.0 - ops.exp(numbers.miss_log * tokens)
    spread = (ops.maximum(share * (1.0 - share), 0.0)) ** 0.5
    return ops.minimum(share + numbers.expert_spread * spread, 1.0)


def gain(numbers: ReplicaNumbers, k: EngineConstants) -> Array:
    """Share of a low-precision peak's promise that is kept (1 at bf16)."""
    return 1.0 + numbers.eight * (k.eight_gain - 1.0) + numbers.four * (k.four_gain - 1.0)


def decode_rate(numbers: ReplicaNumbers, k: EngineConstants, ops: Ops = FLOATS) -> Array:
    """Matmul FLOP/s that all chips reach in decode."""
    small = ops.exp(k.expert_decode_power * numbers.expert_log)
    share = ops.minimum(k.decode_share * gain(numbers, k) * small, MAX_SHARE)
    return numbers.peak * share


def step_parts(
    numbers: ReplicaNumbers,
    work: WorkNumbers,
    k: EngineConstants,
    batch: Array,
    ops: Ops = FLOATS,
    *,
    tokens: float = 1.0,
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Seconds of a step: fixed, reading weights, matmuls, keys and values, collectives, host.

    Args:
        numbers: the copy.
        work: the requests that run.
        k: constants of the engine.
        batch: sequences that run.
        ops: functions for floats or arrays.
        tokens: tokens per sequence that the step computes (more than 1 to verify a draft).
    """
    bandwidth = numbers.bandwidth * ops.minimum(k.bandwidth_share, MAX_SHARE)
    slower = 1.0 + numbers.eight * (k.eight_read - 1.0) + numbers.four * (k.four_read - 1.0)
    # reading is never faster than the datasheet either
    slower = ops.maximum(slower, ops.minimum(k.bandwidth_share, MAX_SHARE))
    experts = numbers.expert_bytes * coverage(numbers, batch * tokens, ops) * slower
    reading = numbers.stages * (numbers.dense_bytes + experts) / bandwidth
    matmul = numbers.flops * batch * tokens / decode_rate(numbers, k, ops)
    cache = ops.maximum(
        batch * work.kv_bytes / bandwidth,
        batch
        * tokens
        * work.attention_flops
        / (numbers.peak_attention * ops.minimum(k.attention_decode_share, MAX_SHARE)),
    )
    collective = (
        numbers.collectives * k.collective_s * numbers.collective_scale
        + batch
        * tokens
        * numbers.wire_bytes
        / (numbers.link * ops.minimum(k.link_decode_share, MAX_SHARE))
    )
    fixed = k.fixed_s + k.mixture_layer_s * numbers.mixture_layers
    host = k.sequence_s * batch * numbers.sequence_share
    return fixed, reading, matmul, cache, collective, host


def step_seconds(
    numbers: ReplicaNumbers,
    work: WorkNumbers,
    k: EngineConstants,
    batch: Array,
    ops: Ops = FLOATS,
    *,
    tokens: float = 1.0,
) -> Array:
    """Seconds of one decode step with `batch` sequences; see `step_parts`."""
    fixed, reading, matmul, cache, collective, host = step_parts(
        numbers, work, k, batch, ops, tokens=tokens
    )
    return fixed + ops.maximum(reading, matmul) + cache + collective + host


def floor_seconds(numbers: ReplicaNumbers, work: WorkNumbers, batch: float) -> float:
    """No step with `batch` sequences can be faster: the datasheet at 100 %, nothing else."""
    experts = numbers.expert_bytes * (1.0 - FLOATS.exp(numbers.miss_log * batch))
    reading = numbers.stages * (numbers.dense_bytes + experts) / numbers.bandwidth
    matmul = numbers.flops * batch / numbers.peak
    return float(max(reading, matmul) + batch * work.kv_bytes / numbers.bandwidth)
