"""Weights outside the big matrices: norms, biases, sinks. Small, yet they make counts exact."""

from __future__ import annotations

from dataclasses import dataclass

from costcalc.estimate.architecture import AttentionLayers, MixtureOfExperts


@dataclass(frozen=True, slots=True)
class Extras:
    """Which small weights an architecture has.

    Attributes:
        norms_per_layer: norms as wide as the model in each layer (2; 4 with post-norms).
        final_norm: a norm before the head.
        norm_bias: norms have a bias besides their weight (LayerNorm).
        qk_norm: `none`, `head` (one norm of head_dim for queries, one for keys) or `full` (as wide
            as all heads).
        qkv_bias, output_bias: biases of the attention projections.
        mlp_bias: biases of plain MLPs.
        router_bias: one bias per expert and mixture layer.
        expert_bias: biases of every routed expert.
        sinks: one attention sink per query head and layer.
        shared_expert_gate: a vector that gates the shared expert of each mixture layer.
        per_layer_scalars: single numbers per layer (layer scales).
        other: anything else, as a count.
    """

    norms_per_layer: int = 2
    final_norm: bool = True
    norm_bias: bool = False
    qk_norm: str = "none"
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    router_bias: bool = False
    expert_bias: bool = False
    sinks: bool = False
    shared_expert_gate: bool = False
    per_layer_scalars: int = 0
    other: int = 0

    def count(
        self,
        *,
        hidden: int,
        layers: int,
        attention: tuple[AttentionLayers, ...],
        dense_layers: int,
        dense_ffn: int,
        mlp_matrices: int,
        moe: MixtureOfExperts | None,
    ) -> int:
        """How many weights that makes."""
        norm = hidden * (2 if self.norm_bias else 1)
        total = layers * self.norms_per_layer * norm + (norm if self.final_norm else 0)
        total += layers * self.per_layer_scalars + self.other
        for group in attention:
            total += group.layers * self._attention(group, hidden)
        into = (mlp_matrices - 1) * dense_ffn
        if self.mlp_bias:
            total += dense_layers * (into + hidden)
        if moe:
            if self.router_bias:
                total += moe.layers * moe.experts
            if self.shared_expert_gate:
                total += moe.layers * hidden
            if self.expert_bias:
                total += moe.layers * moe.experts * ((mlp_matrices - 1) * moe.ffn + hidden)
        return total

    def _attention(self, group: AttentionLayers, hidden: int) -> int:
        if group.kind == "linear":
            # decay and time-step bias per value head, and the gated norm of the output
            return 2 * group.heads + group.v_head_dim
        queries, keys = group.heads * group.head_dim, group.kv_heads * group.head_dim
        values = 0 if group.shared_kv else group.kv_heads * group.v_head_dim
        total = 0
        if group.kv_lora_rank is not None:
            total += group.kv_lora_rank + (group.q_lora_rank or 0)
        if self.qk_norm == "head":
            total += 2 * group.head_dim
        elif self.qk_norm == "full":
            total += queries + keys
        if self.qkv_bias:
            total += queries + keys + values
        if self.output_bias:
            total += hidden
        if self.sinks:
            total += group.heads
        return total
