"""From sizes, chip and stack to the terms of `throughput.StepModel`.

One function, `step_model`, turns numbers into terms. A quote calls it with floats; the fit of the
constants calls it with one array per number, a value for each published run, so that what is
fitted is what is quoted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from costcalc.estimate.chip import Chip
from costcalc.estimate.ops import FLOATS, Array, Ops
from costcalc.estimate.shape import TrainingShape
from costcalc.estimate.throughput import StepModel

STATE_BYTES = {"full": 18.0, "lora": 2.2, "qlora": 0.8}
"""Bytes of training state per weight: bf16 weights and gradients, fp32 master and Adam moments
(Rajbhandari et al. 2020, ZeRO: 16, and 18 with fp32 gradients); frozen bf16 weights and a small
adapter; frozen 4-bit weights with their scales and a small adapter."""

MATMUL_SHARE = {"google": 0.88}
MATMUL_SHARE_DEFAULT = 0.75
"""Best measured matmul rate over dense peak where nobody published a measurement: 0.75 is the
middle of the measured chips; TPUs train above that share of their peak, so it must be higher."""

TPU_HOST_NETWORK_GBPS = 6.25
"""Data-centre network per TPU chip, 10^9 bytes/s one way (200 Gbit/s hosts of 4 chips)."""

_LARGE_FROM, _LARGE_UNTIL = 10e9, 70e9
_LN2 = 0.6931471805599453
_NO_SHARES: Mapping[str, float] = {}
_UNKNOWN_SCALEUP_GBPS = 32.0
_UNKNOWN_SCALEOUT_GBPS = 25.0
_UNKNOWN_DOMAIN = 8


@dataclass(frozen=True, slots=True)
class StepInputs:
    """What `step_model` needs, each a float or an array. Flags are 0 or 1.

    Attributes:
        matmul_flops: FLOPs per token of all weight matmuls, forward and backward.
        logit_flops: the part of them in the output head, which stays in bf16.
        layers, hidden: depth and width.
        params_active: weights on the path of a token.
        experts_per_token: routed experts of a token, at least 1.
        state_bytes: training state of the whole model.
        frozen_base: LoRA or QLoRA.
        mixture: the model routes tokens to experts.
        peak_bf16, peak: dense peaks in FLOP/s: bf16, and that of the precision in use.
        low, four_bit, integer: below 16 bits; 4 bits; int8.
        matmul_share: best measured bf16 matmul rate over dense peak.
        best: best measured matmul rate of the precision in use, FLOP/s; nothing trains faster.
        memory_bytes: memory of one chip.
        inside, outside: bytes/s to chips within and beyond the scale-up domain.
        domain: chips of that domain.
        year: date of the software as a decimal year.
        default, out_of_box, billed: kind of stack (all 0: tuned); `billed` counts every hour that
            a run was charged for.
    """

    matmul_flops: Array
    logit_flops: Array
    layers: Array
    hidden: Array
    params_active: Array
    experts_per_token: Array
    state_bytes: Array
    frozen_base: Array
    mixture: Array
    peak_bf16: Array
    peak: Array
    low: Array
    four_bit: Array
    integer: Array
    matmul_share: Array
    best: Array
    memory_bytes: Array
    inside: Array
    outside: Array
    domain: Array
    year: Array
    default: Array
    out_of_box: Array
    billed: Array


@dataclass(frozen=True, slots=True)
class StepConstants:
    """Fitted constants, the same for every chip. `*_log` are natural logarithms of factors.

    Attributes:
        matmul_share: rate of training matmuls over the best measured matmul.
        low_gain, four_bit_gain, integer_gain: part of the peak ratio that fp8, fp4 and int8
            realise.
        head_cost: time of the output head, its softmax and loss in fp32 included, against a bf16
            matmul of its FLOPs.
        attention_share: rate of attention scores over the best measured bf16 matmul.
        attention_untuned_log: extra attention time of stacks that are not tuned.
        fixed_s: seconds per layer and step for each doubling of the cluster.
        sharding_share: part of the sharding traffic that is not hidden behind compute.
        tensor_bytes: bytes per layer, hidden unit and token of tensor parallelism.
        split_bytes: bytes per layer, hidden unit and token of chips that share a sequence.
        routed_bytes: bytes per layer, hidden unit, token and expert of routing.
        default_log, out_of_box_log, billed_log: stacks against a tuned one.
        untuned_size_log: further time of stacks that are not tuned, per factor e of active weights
            between 10e9 and 70e9: the layouts that large models need are work.
        mixture_log, mixture_size_log, mixture_experts_log: routing: at 20e9 active weights and 8
            experts per token; per factor e of active weights; per factor e of experts per token.
        mixture_four_bit_log: what routing costs more in fp4.
        low_year_log: low precision per year of software, from 2026.2 (within -1 and +0.5 years).
    """

    matmul_share: float
    low_gain: float
    four_bit_gain: float
    integer_gain: float
    head_cost: float
    attention_share: float
    attention_untuned_log: float
    fixed_s: float
    sharding_share: float
    tensor_bytes: float
    split_bytes: float
    routed_bytes: float
    default_log: float
    out_of_box_log: float
    billed_log: float
    untuned_size_log: float
    mixture_log: float
    mixture_size_log: float
    mixture_experts_log: float
    mixture_four_bit_log: float
    low_year_log: float


def step_model(
    x: StepInputs, k: StepConstants, effect_log: Array = 0.0, ops: Ops = FLOATS
) -> StepModel:
    """Terms of the time per token.

    Args:
        x: the case, or one array per number.
        k: constants.
        effect_log: sum of the chip's effects (natural logarithm of a time factor).
        ops: functions for floats or arrays.
    """
    best = x.matmul_share * x.peak_bf16
    rate = k.matmul_share * best
    plain = x.low - x.four_bit - x.integer
    gain = plain * k.low_gain + x.four_bit * k.four_bit_gain + x.integer * k.integer_gain
    low_rate = rate * (1.0 + gain * (x.peak / x.peak_bf16 - 1.0))
    untuned = ops.maximum(x.default, x.out_of_box)
    attention = ops.exp(k.attention_untuned_log * untuned) / (k.attention_share * best)

    large = ops.log2(
        ops.minimum(ops.maximum(x.params_active, _LARGE_FROM), _LARGE_UNTIL) / _LARGE_FROM
    )
    sharded = (x.state_bytes > 0.8 * x.memory_bytes) * k.sharding_share
    frozen = x.frozen_base
    log_factor = (
        effect_log
        + k.default_log * x.default
        + k.out_of_box_log * x.out_of_box
        + k.billed_log * x.billed
        + k.untuned_size_log * untuned * _LN2 * large
        + x.mixture
        * (
            k.mixture_log
            + k.mixture_size_log * ops.log2(x.params_active / 20e9) * _LN2
            + k.mixture_experts_log * ops.log2(x.experts_per_token / 8.0) * _LN2
            + k.mixture_four_bit_log * x.four_bit
        )
        + k.low_year_log * x.low * ops.minimum(ops.maximum(x.year - 2026.2, -1.0), 0.5)
    )
    tokens = ops.maximum(0.4 * x.memory_bytes / (34.0 * x.hidden * x.layers), 128.0)
    return StepModel(
        matmul_s=(x.matmul_flops - x.logit_flops) / low_rate + k.head_cost * x.logit_flops / rate,
        attention_s_per_flop=attention,
        fixed_s=k.fixed_s * x.layers,
        sharded_bytes=sharded * (6.0 - 2.0 * frozen) * x.params_active,
        tensor_bytes=sharded * k.tensor_bytes * (1.0 - 0.25 * frozen) * x.hidden * x.layers,
        split_bytes=k.split_bytes * x.hidden * x.layers,
        routed_bytes=k.routed_bytes * x.mixture * x.experts_per_token * x.hidden * x.layers,
        max_step_tokens=tokens,
        inside_bytes_per_s=x.inside,
        outside_bytes_per_s=x.outside,
        domain_chips=x.domain,
        multiplier=ops.exp(log_factor),
        floor_matmul_s=x.matmul_flops / x.best,
        floor_attention_s_per_flop=1.0 / best,
    )


def matmul_share(chip: Chip, shares: Mapping[str, float] = _NO_SHARES) -> float:
    """Best measured bf16 matmul over the dense bf16 peak.

    That of the chip, else of its family (`shares`), else a stated assumption.
    """
    measured = chip.matmul_tflops.get("bf16")
    if measured:
        return measured / chip.peak_tflops["bf16"]
    if chip.family in shares:
        return shares[chip.family]
    return MATMUL_SHARE.get(chip.vendor, MATMUL_SHARE_DEFAULT)


def chip_numbers(
    chip: Chip, precision: str, shares: Mapping[str, float] = _NO_SHARES
) -> Mapping[str, float]:
    """The fields of `StepInputs` that a chip gives. Unknown links take modest values.

    Args:
        chip: must have a bf16 peak and one for `precision`.
        precision: `bf16`, `fp8`, `fp4` or `int8`.
        shares: matmul share of chip families, for a chip that nobody measured.
    """
    share = matmul_share(chip, shares)
    measured = chip.matmul_tflops.get(precision)
    inside = (chip.scaleup_gbps or _UNKNOWN_SCALEUP_GBPS) * 1e9
    if chip.scaleup_gbps is None and chip.max_scaleup_chips == 1:
        # a chip without neighbours: everything goes over the network
        inside = 8 * (chip.scaleout_gbps or _UNKNOWN_SCALEOUT_GBPS) * 1e9
    if chip.vendor == "google":
        # a slice's hosts share the load between slices: 16 hosts' worth in flight per chip
        outside = 16 * TPU_HOST_NETWORK_GBPS * 1e9
    else:
        # gradients are reduced inside the host first: 8 chips share the volume
        outside = 8 * (chip.scaleout_gbps or _UNKNOWN_SCALEOUT_GBPS) * 1e9
    return {
        "peak_bf16": chip.peak_tflops["bf16"] * 1e12,
        "peak": chip.peak_tflops[precision] * 1e12,
        "low": 0.0 if precision == "bf16" else 1.0,
        "four_bit": 1.0 if precision == "fp4" else 0.0,
        "integer": 1.0 if precision == "int8" else 0.0,
        "matmul_share": share,
        "best": 1e12 * (measured or share * chip.peak_tflops[precision]),
        "memory_bytes": (chip.hbm_gb or 1e9) * 1e9,
        "inside": inside,
        "outside": min(inside, outside),
        "domain": float(chip.max_scaleup_chips or _UNKNOWN_DOMAIN),
    }


def shape_numbers(shape: TrainingShape, method: str) -> Mapping[str, float]:
    """The fields of `StepInputs` that a model and a method give."""
    frozen = method != "full"
    factor = 4.0 if frozen else 6.0
    return {
        "matmul_flops": factor * shape.matmul_params,
        "logit_flops": min(factor * shape.logit_params, factor * shape.matmul_params / 2),
        "layers": shape.layers,
        "hidden": shape.hidden,
        "params_active": shape.params_active,
        "experts_per_token": max(shape.experts_per_token, 1.0),
        "state_bytes": STATE_BYTES[method] * shape.params_total,
        "frozen_base": 1.0 if frozen else 0.0,
        "mixture": 1.0 if shape.is_moe else 0.0,
    }
