"""Memory of one chip in training, by part, for a given way to split the work.

Rules of thumb, each with its source:
- training state per weight: 2 bytes of bf16 weights, 2 to 4 of gradients, 12 of fp32 master copy
  and Adam moments (Rajbhandari et al. 2020, ZeRO, arXiv 1910.02054); LoRA keeps 2 bytes of frozen
  weights and 16 per adapter weight (Hu et al. 2021, arXiv 2106.09685); QLoRA stores the layers'
  weights in 4 bits with doubly quantised scales, 0.52 bytes each (Dettmers et al. 2023, arXiv
  2305.14314), and the embeddings in 16;
- activations: what a layer keeps for the backward pass, 2 bytes per number, attention matrix not
  stored (FlashAttention). For a plain GPT layer this counts 32 bytes per token and hidden unit,
  where Korthikanti et al. 2022 (arXiv 2205.05198) count 34 with dropout masks. Tensor parallelism
  with sequence parallelism divides all of it; context parallelism divides the tokens;
- recomputation: `selective` redoes the MLP's inner activations, `full` keeps one input per layer;
- logits: the head's output and gradient in fp32, worked off in chunks of `LOGIT_CHUNK` tokens;
- pipelines: the first of p stages holds p micro-batches (1F1B, Narayanan et al. 2021).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd

from costcalc.estimate.architecture import Architecture

GIB = float(1 << 30)
WEIGHT_BYTES = {"full": 2.0, "lora": 2.0, "qlora": 0.52}
EMBEDDING_BYTES = 2.0
GRADIENT_BYTES = 2.0
GRADIENT_BYTES_UNSHARDED = 4.0
"""fp32 accumulation, where gradients are not sharded (Megatron-LM's default)."""
OPTIMIZER_BYTES = 12.0
LEAST_BYTES = {"full": 16.0, "lora": 2.0, "qlora": 0.52}
"""Training state per weight, shared by all chips: what no layout can go below."""
ADAPTER_BYTES = 16.0
LOGIT_CHUNK = 1024
LOGIT_BYTES = 6.0
"""The loss is worked off in chunks, as current trainers can (torchtune, Liger, Megatron's fused
cross-entropy); one that holds all logits of a long sequence needs up to 14 bytes for each."""
RUNTIME_BYTES = 2.0e9
"""Runtime, kernels and communication buffers of one chip."""
USABLE = 0.95
"""Share of the memory that an allocator can fill."""

SHARDING = ("none", "zero-1", "fsdp")


@dataclass(frozen=True, slots=True)
class MemoryPerChip:
    """Bytes on the fullest chip, by part."""

    weights: float
    gradients: float
    optimizer: float
    activations: float
    other: float

    @property
    def total(self) -> float:
        """All parts together, bytes."""
        return self.weights + self.gradients + self.optimizer + self.activations + self.other

    def gib(self) -> dict[str, float]:
        """The parts and their total in GiB (2^30 bytes)."""
        parts = {
            "weights": self.weights,
            "gradients": self.gradients,
            "optimizer": self.optimizer,
            "activations": self.activations,
            "other": self.other,
        }
        return {"total": self.total / GIB} | {name: part / GIB for name, part in parts.items()}


@dataclass(frozen=True, slots=True)
class MemoryShape:
    """What memory depends on. Bytes of activations are per token over all layers, 2-byte numbers.

    Attributes:
        dense: weights outside routed experts and embeddings.
        routed: weights of all routed experts.
        embedding: weights of one embedding matrix.
        embeddings: 1 when input and output share it, else 2.
        layers, hidden, vocab: depth, width, vocabulary.
        heads: number that tensor parallelism must divide.
        experts: routed experts (1 without a mixture).
        keep_all, keep_selective: activation bytes per token, nothing or the MLP recomputed.
        recompute_selective: forward FLOPs redone by `selective`, as a share of all of them.
        widest: bytes per token of the layer that needs most.
    """

    dense: float
    routed: float
    embedding: float
    embeddings: int
    layers: int
    hidden: int
    vocab: int
    heads: int
    experts: int
    keep_all: float
    keep_selective: float
    recompute_selective: float
    widest: float


@lru_cache(maxsize=512)
def memory_shape(architecture: Architecture) -> MemoryShape:
    """The sizes that `per_chip` needs."""
    a = architecture
    outside = 0.0
    heads = 0
    for group in a.attention:
        query = group.heads * group.head_dim
        if group.is_mla:
            key_value = group.heads * (group.head_dim + group.v_head_dim)
        else:
            key_value = group.kv_heads * (group.head_dim + group.v_head_dim)
        values = group.heads * group.v_head_dim
        # both norms' inputs and outputs, then what the attention keeps
        outside += group.layers * 2.0 * (4 * a.hidden + query + key_value + values)
        heads = gcd(heads, group.heads)
    kept = 3 if a.mlp_matrices == 3 else 2
    inner = a.dense_layers * 2.0 * kept * a.dense_ffn
    widest_inner = 2.0 * kept * a.dense_ffn if a.dense_layers else 0.0
    routed_copies = 0.0
    if a.moe:
        paths = a.moe.experts_per_token + a.moe.shared_experts
        inner += a.moe.layers * 2.0 * kept * a.moe.ffn * paths
        # tokens sent to their experts and what comes back
        routed_copies = a.moe.layers * 4.0 * a.hidden * a.moe.experts_per_token
        widest_inner = max(
            widest_inner,
            2.0 * kept * a.moe.ffn * paths + 4.0 * a.hidden * a.moe.experts_per_token,
        )
    mlp_active = a.dense_layers * a.mlp_matrices * a.hidden * a.dense_ffn
    if a.moe:
        mlp_active += (
            a.moe.layers * (a.moe.experts_per_token + a.moe.shared_experts) * a.expert_params()
        )
    redo = mlp_active * (kept - 1) / kept / max(a.matmul_params(), 1)
    routed = float(a.routed_params())
    embeddings = 1 if a.tied_embeddings else 2
    return MemoryShape(
        dense=a.params_total() - routed - embeddings * a.embedding_params(),
        routed=routed,
        embedding=float(a.embedding_params()),
        embeddings=embeddings,
        layers=a.layers,
        hidden=a.hidden,
        vocab=a.vocab,
        heads=heads,
        experts=a.moe.experts if a.moe else 1,
        keep_all=outside + inner + routed_copies,
        keep_selective=outside + routed_copies,
        recompute_selective=redo,
        widest=outside / max(a.layers, 1) + widest_inner,
    )


@dataclass(frozen=True, slots=True)
class Split:
    """How the work is divided: the numbers of a layout that memory depends on."""

    data: int
    tensor: int
    pipeline: int
    context: int
    expert: int
    sharding: str
    recompute: str
    microbatches: int


def per_chip(
    shape: MemoryShape, split: Split, *, seq_len: float, method: str, adapter_params: float
) -> MemoryPerChip:
    """Memory of the fullest chip.

    Args:
        shape: the model.
        split: the layout.
        seq_len: tokens of a sequence; one sequence is worked on at a time.
        method: `full`, `lora` or `qlora`.
        adapter_params: weights of the adapter (0 for `full`).
    """
    tensor, pipeline = split.tensor, split.pipeline
    stage_layers = -(-shape.layers // pipeline)
    stage = stage_layers / shape.layers
    # the head sits on the last stage, the input embedding on the first: one of them per stage
    embedding = shape.embedding * (shape.embeddings if pipeline == 1 else 1) / tensor
    dense = shape.dense * stage / tensor + embedding
    experts = shape.routed * stage / split.expert
    chips = split.data * split.context * tensor
    dense_copies = split.data * split.context
    expert_copies = max(chips // split.expert, 1)

    weight_bytes = WEIGHT_BYTES[method]
    if split.sharding == "fsdp":
        held = dense / dense_copies + experts / expert_copies
        trained = held
        optimized = held
        # two layers are whole at a time, the one at work and the next
        gathered = (2.0 * weight_bytes) * (
            shape.dense / shape.layers / tensor + shape.routed / shape.layers / split.expert
        )
        embedding /= dense_copies
        gradient_bytes = GRADIENT_BYTES
    else:
        held = trained = dense + experts
        gathered = 0.0
        if split.sharding == "zero-1":
            optimized = dense / dense_copies + experts / expert_copies
            gradient_bytes = GRADIENT_BYTES_UNSHARDED
        else:
            optimized = trained
            gradient_bytes = GRADIENT_BYTES

    if method == "full":
        gradients = gradient_bytes * trained
        optimizer = OPTIMIZER_BYTES * optimized
    else:
        share = adapter_params * stage / tensor
        if split.sharding != "none":
            share /= dense_copies
        gradients = GRADIENT_BYTES * share
        optimizer = (ADAPTER_BYTES - GRADIENT_BYTES) * share

    tokens = seq_len / split.context / tensor
    in_flight = min(pipeline, split.microbatches)
    if split.recompute == "full":
        kept = 2.0 * shape.hidden * stage_layers * in_flight
        kept += shape.widest
    else:
        whole = shape.keep_all if split.recompute == "none" else shape.keep_selective
        kept = whole * stage * in_flight
        if split.recompute == "selective":
            kept += (shape.keep_all - shape.keep_selective) / shape.layers
    chunk = min(seq_len / split.context, LOGIT_CHUNK)
    logits = LOGIT_BYTES * chunk * shape.vocab / tensor
    if method == "qlora":
        # one matrix of a layer at a time is unpacked to 16 bits
        gathered += 2.0 * (shape.dense + shape.routed) / shape.layers / 4.0 / tensor
    return MemoryPerChip(
        weights=weight_bytes * (held - embedding) + EMBEDDING_BYTES * embedding,
        gradients=gradients,
        optimizer=optimizer,
        activations=kept * tokens + logits,
        other=gathered + RUNTIME_BYTES,
    )
