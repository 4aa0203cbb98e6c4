"""What the training-time model must know of a network: a handful of numbers.

Two sources make it: an `Architecture` (a quote), and the columns of a published run, where a source
often gives no more than a parameter count (`costcalc.accuracy`). Both count alike.
"""

from __future__ import annotations

from dataclasses import dataclass

from costcalc.estimate.architecture import Architecture
from costcalc.estimate.ops import FLOATS, Array, Ops


@dataclass(frozen=True, slots=True)
class ScoreGroup:
    """Layers with the same attention, as the time model sees them.

    Attributes:
        flops_per_key: forward FLOPs per token and key read, all layers of the group together.
        window: keys at most in reach (None: all before the token).
        chunked: the window is a block, so that a token reads half of it on average.
        fixed_flops: forward FLOPs per token that no key count changes (linear attention).
    """

    flops_per_key: float
    window: float | None = None
    chunked: bool = False
    fixed_flops: float = 0.0


@dataclass(frozen=True, slots=True)
class TrainingShape:
    """Sizes of one model.

    Attributes:
        name: for messages.
        params_total: all weights.
        params_active: weights on the path of one token, embeddings included (as published).
        matmul_params: weights multiplied per token: active, without an input embedding that is
            only looked up.
        logit_params: the part of `matmul_params` that is the output head.
        layers, hidden: depth and width.
        scores: attention by kind.
        experts_per_token: routed experts that a token passes; 0 for a dense model.
        approximate: counts are rough (hybrid or compressed attention, sizes from a name).
    """

    name: str
    params_total: float
    params_active: float
    matmul_params: float
    logit_params: float
    layers: float
    hidden: float
    scores: tuple[ScoreGroup, ...]
    experts_per_token: float = 0.0
    approximate: bool = False

    @property
    def is_moe(self) -> bool:
        """True when tokens are routed to experts."""
        return self.experts_per_token > 0

    def score_flops(self, seq_len: Array, ops: Ops = FLOATS) -> Array:
        """Forward FLOPs per token of causal attention scores at `seq_len` (a float or an array)."""
        total: Array = 0.0
        for group in self.scores:
            total = total + group.fixed_flops
            if group.flops_per_key == 0.0:
                continue
            if group.window is None:
                keys = seq_len / 2
            else:
                reach = ops.minimum(seq_len, group.window)
                keys = reach / 2 if group.chunked else reach - reach * reach / (2 * seq_len)
            total = total + group.flops_per_key * keys
        return total


def shape_of(architecture: Architecture) -> TrainingShape:
    """The sizes of an architecture."""
    groups = []
    for group in architecture.attention:
        if group.kind == "linear":
            fixed = group.layers * group.score_flops_per_token(1.0)
            groups.append(ScoreGroup(0.0, fixed_flops=fixed))
        else:
            per_key = 2.0 * group.layers * group.heads * (group.head_dim + group.v_head_dim)
            groups.append(
                ScoreGroup(
                    per_key,
                    None if group.window is None else float(group.window),
                    group.kind == "chunk",
                )
            )
    return TrainingShape(
        name=architecture.name,
        params_total=float(architecture.params_total()),
        params_active=float(architecture.params_active()),
        matmul_params=float(architecture.matmul_params()),
        logit_params=float(architecture.logit_params()),
        layers=float(architecture.layers),
        hidden=float(architecture.hidden),
        scores=tuple(groups),
        experts_per_token=float(architecture.moe.experts_per_token) if architecture.moe else 0.0,
        approximate=bool(architecture.approximate),
    )


def shape_from_sizes(
    name: str,
    *,
    params_total: float,
    params_active: float,
    layers: float | None = None,
    hidden: float | None = None,
    score_width: float | None = None,
    vocab: float | None = None,
    score_flops_per_key: float | None = None,
    experts_per_token: float = 0.0,
    approximate: bool = False,
) -> TrainingShape:
    """A shape from what a publication gives.

    Without depth and width those of the usual proportions are taken (width = 128 x depth, the
    middle of published dense models; 12 x width^2 weights per layer). `score_width` is query heads
    x head width; without it, the model's width. `score_flops_per_key` is the forward cost of the
    attention scores per token and key where it is known better (windows, hybrids).
    """
    if layers is None or hidden is None:
        hidden = (params_active * 128 / 12) ** (1 / 3)
        layers = params_active / (12 * hidden * hidden)
    width = hidden if score_width is None else score_width
    logits = (32_000.0 if vocab is None else vocab) * hidden
    return TrainingShape(
        name=name,
        params_total=params_total,
        params_active=params_active,
        matmul_params=params_active,
        logit_params=min(logits, params_active / 2),
        layers=layers,
        hidden=hidden,
        scores=(ScoreGroup(score_flops_per_key or 4.0 * layers * width),),
        experts_per_token=experts_per_token,
        approximate=approximate,
    )
