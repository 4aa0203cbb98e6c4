"""Chip-seconds per trained token: closed-form arithmetic that takes floats or arrays.

    t = (matmul + attention + fixed + sharding + exchange) x multiplier,
        never below the measured matmul rate

- matmul: FLOPs of the weights over the rate that training reaches, a fraction of what the chip's
  best matmul was measured at; a lower precision brings a part of its peak ratio, never all of it;
- attention: causal FLOPs at a rate of their own, always against the bf16 peak;
- fixed: work per layer and step that no chip can split (launches, latencies, collectives), against
  the tokens that a chip gets per step; it carries nearly all of strong scaling;
- sharding: traffic of weights and gradients when the training state exceeds one chip's memory;
- exchange: traffic of activations when a step has fewer sequences than chips, so that several
  chips share one, and of tokens to their experts and back;
- multiplier: tuning of the stack, mixture of experts, LoRA, and the chip's own effect.

Every term grows with the number of chips at a fixed batch, shrinks with the batch and grows with
the context, so the sum does: the properties hold by construction, not by fit. Constants come from
`pricing/calibration/training.yaml` (`costcalc.estimate.calibration`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from costcalc.estimate.ops import FLOATS, Array, Ops


@dataclass(frozen=True, slots=True)
class StepModel:
    """One model, method and stack on one chip: everything but chips, batch and context.

    Attributes:
        matmul_s: seconds per token of all weight matmuls.
        attention_s_per_flop: seconds per FLOP of attention scores.
        fixed_s: seconds per step and doubling of the cluster, all layers.
        sharded_bytes: bytes of weights and gradients that a step moves when the state is sharded,
            times the part of it that is not hidden; 0 when one chip holds the state.
        tensor_bytes: bytes per token that the other way to hold the state (tensor parallel) moves
            over the fast links; 0 likewise.
        split_bytes: bytes per token that chips exchange which share a sequence.
        routed_bytes: bytes per token that are sent to experts and back; 0 without a mixture.
        max_step_tokens: tokens whose activations fit beside the state: a larger share of the batch
            is worked off in several passes, each with its own traffic.
        inside_bytes_per_s, outside_bytes_per_s: link bandwidth within and beyond the scale-up
            domain.
        domain_chips: chips of that domain.
        multiplier: product of tuning, mixture and chip effects.
        floor_matmul_s, floor_attention_s_per_flop: the same work at the best measured matmul rate.
    """

    matmul_s: Array
    attention_s_per_flop: Array
    fixed_s: Array
    sharded_bytes: Array
    tensor_bytes: Array
    split_bytes: Array
    routed_bytes: Array
    max_step_tokens: Array
    inside_bytes_per_s: Array
    outside_bytes_per_s: Array
    domain_chips: Array
    multiplier: Array
    floor_matmul_s: Array
    floor_attention_s_per_flop: Array

    def terms(
        self,
        chips: Array,
        batch_tokens: Array,
        seq_len: Array,
        attention_flops: Array,
        ops: Ops = FLOATS,
    ) -> tuple[Array, Array, Array, Array, Array]:
        """Matmul, attention, fixed, sharding and exchange seconds per token, unmultiplied.

        The last is what chips exchange that share a sequence or hold each other's experts.
        """
        share = batch_tokens / chips
        fixed = self.fixed_s * ops.log2(2.0 * chips) / share
        inside = chips <= self.domain_chips
        bandwidth = (
            self.outside_bytes_per_s + (self.inside_bytes_per_s - self.outside_bytes_per_s) * inside
        )
        data = self.sharded_bytes / (ops.minimum(share, self.max_step_tokens) * bandwidth)
        tensor = self.tensor_bytes / self.inside_bytes_per_s
        sharding = ops.minimum(data, tensor) * (chips > 1)
        shared = ops.maximum(1.0 - share / seq_len, 0.0)
        exchange = self.split_bytes * shared / self.inside_bytes_per_s
        exchange = exchange + self.routed_bytes / bandwidth * (chips > 1)
        attention = self.attention_s_per_flop * attention_flops
        return self.matmul_s, attention, fixed, sharding, exchange

    def seconds_per_token(
        self,
        chips: Array,
        batch_tokens: Array,
        seq_len: Array,
        attention_flops: Array,
        ops: Ops = FLOATS,
    ) -> Array:
        """Chip-seconds per token.

        Args:
            chips: number of chips.
            batch_tokens: tokens of one optimizer step, all chips together.
            seq_len: tokens of one sequence.
            attention_flops: FLOPs per token of attention scores, forward and backward.
            ops: functions for floats (default) or arrays (`numpy`).
        """
        matmul, attention, fixed, sharding, exchange = self.terms(
            chips, batch_tokens, seq_len, attention_flops, ops
        )
        time = (matmul + attention + fixed + sharding + exchange) * self.multiplier
        floor = self.floor_matmul_s + self.floor_attention_s_per_flop * attention_flops
        return ops.maximum(time, floor)


def fastest(
    models: Sequence[StepModel],
    chips: Array,
    batch_tokens: Array,
    seq_len: Array,
    attention_flops: Array,
    ops: Ops = FLOATS,
) -> Array:
    """The shortest time among ways to do the same work (precisions that may be left unused)."""
    best = models[0].seconds_per_token(chips, batch_tokens, seq_len, attention_flops, ops)
    for model in models[1:]:
        best = ops.minimum(
            best, model.seconds_per_token(chips, batch_tokens, seq_len, attention_flops, ops)
        )
    return best


def slowest_stack(
    stacks: Sequence[Sequence[StepModel]],
    chips: Array,
    batch_tokens: Array,
    seq_len: Array,
    attention_flops: Array,
    ops: Ops = FLOATS,
) -> Array:
    """The time of a stack that is no faster than better ones: the longest among `stacks`."""
    time = fastest(stacks[0], chips, batch_tokens, seq_len, attention_flops, ops)
    for models in stacks[1:]:
        time = ops.maximum(
            time, fastest(models, chips, batch_tokens, seq_len, attention_flops, ops)
        )
    return time
