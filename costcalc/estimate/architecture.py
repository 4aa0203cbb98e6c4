"""What a transformer holds and does: parameters, FLOPs per token, KV-cache bytes.

Conventions, used everywhere:
- total parameters fill memory, active parameters do work: two numbers, never one;
- the input embedding is a look-up, not a matmul; the output head is a matmul, also when the two are
  tied (PaLM, Chowdhery et al. 2022, appendix B, counts the same way);
- attention is causal: a query at position s reads s keys, S/2 on average, fewer in a window;
- forward FLOPs are 2 per weight and token; backward is twice the forward (Kaplan et al. 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AttentionKind = Literal["full", "window", "chunk", "linear"]


@dataclass(frozen=True, slots=True)
class AttentionLayers:
    """A group of layers with the same attention.

    Attributes:
        kind: `full`; `window` (the last `window` keys); `chunk` (keys of its block of `window`);
            `linear` (gated delta net and the like: a fixed state, no growth with the context).
        layers: how many layers of this kind the model has.
        heads, kv_heads: query heads; key/value heads (GQA, MQA).
        head_dim: width of a query or key head; for MLA, `qk_nope + qk_rope`.
        v_head_dim: width of a value head.
        window: keys that a `window` or `chunk` layer sees at most.
        shared_kv: keys and values are one projection (Gemma 4's global layers).
        output_gate: the query projection also makes an output gate (Qwen3-Next).
        q_lora_rank, kv_lora_rank, qk_rope: multi-head latent attention (DeepSeek-V2, arXiv
            2405.04434); `kv_lora_rank` is None for everything else.
        conv_kernel: kernel of the short convolution of a `linear` layer.
    """

    kind: AttentionKind
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    v_head_dim: int
    window: int | None = None
    shared_kv: bool = False
    output_gate: bool = False
    q_lora_rank: int | None = None
    kv_lora_rank: int | None = None
    qk_rope: int = 0
    conv_kernel: int = 0

    @property
    def is_mla(self) -> bool:
        """True for multi-head latent attention."""
        return self.kv_lora_rank is not None

    def projection_params(self, hidden: int) -> int:
        """Weights of one layer's attention projections (biases and norms apart)."""
        h = hidden
        if self.kind == "linear":
            keys, values = self.kv_heads * self.head_dim, self.heads * self.v_head_dim
            # query, key, value, output gate; two scalars per value head; output; depthwise conv
            return (
                h * (2 * keys + 2 * values)
                + h * 2 * self.heads
                + values * h
                + self.conv_kernel * (2 * keys + values)
            )
        output = self.heads * self.v_head_dim * h
        if self.kv_lora_rank is not None:
            nope = self.head_dim - self.qk_rope
            q_width = self.heads * self.head_dim
            query = (
                h * self.q_lora_rank + self.q_lora_rank * q_width
                if self.q_lora_rank
                else h * q_width
            )
            key_value = h * (self.kv_lora_rank + self.qk_rope) + self.kv_lora_rank * self.heads * (
                nope + self.v_head_dim
            )
            return query + key_value + output
        if self.q_lora_rank:  # compressed attention (DeepSeek-V4): low-rank query, plain K/V
            query = h * self.q_lora_rank + self.q_lora_rank * self.heads * self.head_dim
        else:
            query = h * self.heads * self.head_dim * (2 if self.output_gate else 1)
        key_value = h * self.kv_heads * (self.head_dim + (0 if self.shared_kv else self.v_head_dim))
        return query + key_value + output

    def mean_keys(self, seq_len: float) -> float:
        """Keys that a query reads on average in a causal sequence of `seq_len` tokens."""
        half = seq_len / 2
        if self.kind == "linear":
            return 0.0
        if self.window is None or seq_len <= self.window:
            return half
        if self.kind == "chunk":
            return self.window / 2
        # the first `window` queries see a triangle, the rest the whole window
        return self.window - self.window * self.window / (2 * seq_len)

    def score_flops_per_token(self, seq_len: float) -> float:
        """Forward FLOPs per token and layer of QK^T and of the weighted sum of values."""
        if self.kind == "linear":
            # state update and read-out: 3 passes over a head_dim x v_head_dim state per value head
            return 6.0 * self.heads * self.head_dim * self.v_head_dim
        return 2.0 * self.heads * (self.head_dim + self.v_head_dim) * self.mean_keys(seq_len)

    def kv_values_per_token(self) -> int:
        """Numbers kept per token and layer in the cache (0 for `linear`)."""
        if self.kind == "linear":
            return 0
        if self.kv_lora_rank is not None:
            return self.kv_lora_rank + self.qk_rope
        return self.kv_heads * (self.head_dim + (0 if self.shared_kv else self.v_head_dim))

    def kv_values(self, context: float) -> float:
        """Numbers kept per sequence and layer at `context` tokens; windows stop growing."""
        seen = context if self.window is None else min(context, self.window)
        return self.kv_values_per_token() * seen

    def state_values(self) -> int:
        """Numbers of recurrent state per sequence and layer (`linear` only)."""
        if self.kind != "linear":
            return 0
        return self.heads * self.head_dim * self.v_head_dim


@dataclass(frozen=True, slots=True)
class MixtureOfExperts:
    """The expert layers of a model.

    Attributes:
        layers: layers whose MLP is a mixture.
        experts: routed experts in each.
        experts_per_token: routed experts that a token passes.
        shared_experts: experts that every token passes, in units of `ffn`.
        ffn: width of one expert.
    """

    layers: int
    experts: int
    experts_per_token: int
    shared_experts: int
    ffn: int


@dataclass(frozen=True, slots=True)
class Architecture:
    """A decoder-only transformer.

    Attributes:
        name: catalog id or the config's own name.
        hidden, layers, vocab: width, depth, vocabulary.
        tied_embeddings: input and output embedding are one matrix.
        attention: groups of layers by kind of attention; their `layers` sum to `layers`.
        dense_layers, dense_ffn: layers with a plain MLP, and its width.
        mlp_matrices: 3 for gated MLPs (SwiGLU, GeGLU), 2 for plain ones.
        moe: the mixture, or None.
        extra_params: weights outside any matmul per token (norms, biases, position tables).
        max_context: longest context that the model was made for, None when not known.
        approximate: why the counts are rough (hybrid or compressed attention); empty when exact.
        hf_id: Hugging Face id, None when there is none.
    """

    name: str
    hidden: int
    layers: int
    vocab: int
    tied_embeddings: bool
    attention: tuple[AttentionLayers, ...]
    dense_layers: int
    dense_ffn: int
    mlp_matrices: int
    moe: MixtureOfExperts | None = None
    extra_params: int = 0
    max_context: int | None = None
    approximate: str = ""
    hf_id: str | None = None

    @property
    def is_moe(self) -> bool:
        """True when some layer routes tokens to experts."""
        return self.moe is not None

    def attention_params(self) -> int:
        """Weights of all attention projections."""
        return sum(group.layers * group.projection_params(self.hidden) for group in self.attention)

    def expert_params(self) -> int:
        """Weights of one routed expert (0 without a mixture)."""
        return self.mlp_matrices * self.hidden * self.moe.ffn if self.moe else 0

    def dense_mlp_params(self) -> int:
        """Weights of the MLPs that every token passes: plain ones, shared experts and routers."""
        total = self.dense_layers * self.mlp_matrices * self.hidden * self.dense_ffn
        if self.moe:
            shared = self.moe.shared_experts * self.expert_params()
            total += self.moe.layers * (shared + self.hidden * self.moe.experts)
        return total

    def routed_params(self) -> int:
        """Weights of all routed experts."""
        return self.moe.layers * self.moe.experts * self.expert_params() if self.moe else 0

    def embedding_params(self) -> int:
        """Weights of one embedding matrix (the head is another one unless tied)."""
        return self.vocab * self.hidden

    def params_total(self) -> int:
        """All weights: what memory must hold."""
        embeddings = self.embedding_params() * (1 if self.tied_embeddings else 2)
        return (
            embeddings
            + self.attention_params()
            + self.dense_mlp_params()
            + self.routed_params()
            + self.extra_params
        )

    def params_active(self) -> int:
        """Weights of the path of one token, embeddings included (the published "active" count)."""
        idle = 0
        if self.moe:
            idle = (
                self.moe.layers
                * (self.moe.experts - self.moe.experts_per_token)
                * self.expert_params()
            )
        return self.params_total() - idle

    def matmul_params(self) -> int:
        """Weights that are multiplied for each token: active, without the input embedding."""
        active = self.params_active() - self.extra_params
        return active if self.tied_embeddings else active - self.embedding_params()

    def logit_params(self) -> int:
        """The part of `matmul_params` that is the output head."""
        return self.embedding_params()

    def attention_score_flops_per_token(self, seq_len: float) -> float:
        """Forward FLOPs per token of attention scores over all layers, causal, at `seq_len`."""
        return sum(group.layers * group.score_flops_per_token(seq_len) for group in self.attention)

    def forward_flops_per_token(self, seq_len: float) -> float:
        """Forward FLOPs per token: matmuls at 2 per weight, plus causal attention."""
        return 2.0 * self.matmul_params() + self.attention_score_flops_per_token(seq_len)

    def training_flops_per_token(self, seq_len: float, *, frozen_base: bool = False) -> float:
        """Model FLOPs per trained token, recomputation excluded.

        Three times the forward pass. With a frozen base (LoRA) weight gradients of the base are not
        computed: matmuls cost 4 instead of 6 per weight, attention keeps its backward pass.
        """
        matmul = (4.0 if frozen_base else 6.0) * self.matmul_params()
        return matmul + 3.0 * self.attention_score_flops_per_token(seq_len)

    def lora_params(self, rank: int) -> int:
        """Adapter weights at `rank` on every attention projection and active MLP path's matrices.

        Each adapted matrix of shape (in, out) gets rank x (in + out) weights (Hu et al. 2021, arXiv
        2106.09685). Routed experts carry no adapter, as in common recipes.
        """
        h = self.hidden
        total = 0
        for group in self.attention:
            q = group.heads * group.head_dim
            kv = group.kv_heads * group.head_dim
            o = group.heads * group.v_head_dim
            total += group.layers * rank * ((h + q) + 2 * (h + kv) + (o + h))
        widths = self.dense_layers * (h + self.dense_ffn)
        if self.moe:
            widths += self.moe.layers * (h + self.moe.ffn) * self.moe.shared_experts
        return total + rank * self.mlp_matrices * widths

    def kv_bytes_per_sequence(self, context: float, bytes_per_value: float) -> float:
        """KV-cache bytes of one sequence at `context` tokens, recurrent state apart."""
        return bytes_per_value * sum(
            group.layers * group.kv_values(context) for group in self.attention
        )

    def state_bytes_per_sequence(self, bytes_per_value: float = 4.0) -> float:
        """Recurrent state bytes of one sequence (linear-attention layers keep it in fp32)."""
        return bytes_per_value * sum(
            group.layers * group.state_values() for group in self.attention
        )
