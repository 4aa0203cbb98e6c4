"""An architecture of which only the parameter counts are known.

Widths, depths and heads of decoder-only models follow their size closely: the ones here are read
off published models from 1B to 1T. Good enough to say roughly how fast something is served, and
marked as approximate.
"""

from __future__ import annotations

import math

from costcalc.estimate.architecture import Architecture, AttentionLayers, MixtureOfExperts

_HEAD_DIM = 128
_KV_HEADS = 8
_VOCAB = 128_256
_EXPERTS_PER_TOKEN = 8


def architecture_from_counts(name: str, params_total: float, params_active: float) -> Architecture:
    """A plausible architecture with these counts of weights.

    Args:
        name: for messages.
        params_total: weights in all.
        params_active: weights of one token's path; equal to the total for a dense model.
    """
    # width and depth of a dense model of the active size: 8B is 4,096 x 32, 70B is 8,192 x 80
    size = min(params_active, params_total)
    layers = max(round(32 * (size / 8e9) ** 0.42), 4)
    hidden = max(round(4096 * (size / 8e9) ** 0.32 / _HEAD_DIM) * _HEAD_DIM, 256)
    heads = max(hidden // _HEAD_DIM, 1)
    kv_heads = math.gcd(heads, _KV_HEADS)
    attention = AttentionLayers("full", layers, heads, kv_heads, _HEAD_DIM, _HEAD_DIM)
    vocab = _VOCAB
    fixed = 2.0 * vocab * hidden + layers * attention.projection_params(hidden)
    if params_active >= 0.9 * params_total:
        ffn = max(int((params_total - fixed) / (3.0 * layers * hidden)), hidden)
        return Architecture(
            name, hidden, layers, vocab, False, (attention,), layers, ffn, 3, approximate="counts"
        )
    # experts: k of them make the active MLP, E of them the rest of the weights
    active = max(params_active - fixed, 0.2 * params_active)
    each = active / (_EXPERTS_PER_TOKEN * layers)
    ffn = max(int(each / (3.0 * hidden)), 64)
    routed = params_total - fixed
    experts = max(round(routed / (3.0 * hidden * ffn * layers)), _EXPERTS_PER_TOKEN)
    moe = MixtureOfExperts(layers, experts, _EXPERTS_PER_TOKEN, 0, ffn)
    return Architecture(
        name, hidden, layers, vocab, False, (attention,), 0, 0, 3, moe=moe, approximate="counts"
    )
