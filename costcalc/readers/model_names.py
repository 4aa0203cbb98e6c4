"""From the names and dimensions in configs to models of the catalog."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from costcalc.catalog.models import find_model
from costcalc.estimate.architecture import Architecture, AttentionLayers, MixtureOfExperts

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

# Endings that say how weights are stored or tuned, not what shape they have.
_ENDING = re.compile(
    r"[-_.](?:hf|fp16|bf16|fp32|fp8|fp4|nvfp4|mxfp4|int4|int8|[48]bit|bnb|awq|gptq|gguf|unsloth|"
    r"base|instruct|chat|it|pt|sft|dpo|orpo|full|lora|qlora|dynamic|unquantized|quantized|"
    r"converted|reference|bnb-4bit|v[0-9]|[0-9]{4}|[0-9]{6})$",
    re.IGNORECASE,
)
_VERSION = re.compile(r"^([a-z]+)([0-9])")


def find(name: str, aliases: dict[str, str]) -> tuple[str, bool] | None:
    """The catalog id for a model's name in a config, and whether the name was taken as it stands.

    A copy under another organisation (`NousResearch/Meta-Llama-3.1-8B`) and a quantised or tuned
    copy (`casperhansen/llama-3-70b-fp16`, `Qwen/Qwen3-4B-Instruct-2507`) have the shape of the
    original.
    """
    direct = find_model(name, aliases)
    if direct is not None:
        return direct, True
    for candidate in _shorter(name.rstrip("/").rpartition("/")[2]):
        found = find_model(candidate, aliases)
        if found is not None:
            return found, False
    return None


def _shorter(name: str) -> Iterable[str]:
    tried: set[str] = set()
    queue = [name]
    while queue and len(tried) < 40:
        candidate = queue.pop(0)
        if not candidate or candidate in tried:
            continue
        tried.add(candidate)
        yield candidate
        lowered = candidate.lower()
        queue.append(_ENDING.sub("", candidate))
        if lowered.startswith("meta-"):
            queue.append(candidate[5:])
        # llama4-scout is Llama-4-Scout
        queue.append(_VERSION.sub(r"\1-\2", lowered))


def component_names(function: str) -> list[str]:
    """Names that a torchtune builder may mean: `llama3_1_8b` is `llama3.1-8b`."""
    name = re.sub(r"^(?:q?lora|dora|qat|early_exit)_", "", function)
    name = re.sub(r"^(?:q?lora|dora)_", "", name)
    names = []
    with_point = re.sub(r"^([a-z]+[0-9]+)_([0-9])_(?=[0-9])", r"\1.\2-", name)
    for form in (with_point, re.sub(r"^([a-z]+[0-9])_([0-9])_", r"\1.\2_", name), name):
        dashed = form.replace("_", "-")
        # a size such as 0_5b is a decimal number
        dashed = re.sub(r"-([0-9])-([0-9]+b)", r"-\1.\2", dashed)
        if dashed not in names:
            names.append(dashed)
    return names


def shape(architecture: Architecture) -> Architecture:
    """What decides work and memory: without names, norms and the longest context."""
    return replace(
        architecture, name="", hf_id=None, extra_params=0, max_context=None, approximate=""
    )


def with_same_shape(architecture: Architecture, catalog: Catalog) -> list[str]:
    """Catalog ids whose dimensions are exactly these, in the catalog's order."""
    wanted = shape(architecture)
    return [identity for identity, known in catalog.models().items() if shape(known) == wanted]


def transformer(
    *,
    name: str,
    hidden: int,
    layers: int,
    vocab: int,
    heads: int,
    kv_heads: int | None = None,
    head_dim: int | None = None,
    ffn: int,
    gated: bool,
    tied: bool,
    experts: int = 0,
    experts_per_token: int = 0,
    shared_experts: int = 0,
    expert_ffn: int | None = None,
    moe_layers: int | None = None,
    mla: dict[str, int] | None = None,
    max_context: int | None = None,
    approximate: str = "",
) -> Architecture:
    """An architecture from the dimensions that a training config gives.

    Args:
        moe_layers: layers with experts; all of them when not given.
        mla: `q_lora_rank`, `kv_lora_rank`, `qk_nope`, `qk_rope`, `v_head` of latent attention.
    """
    width = head_dim or max(hidden // heads, 1)
    if mla:
        attention = AttentionLayers(
            "full",
            layers,
            heads=heads,
            kv_heads=kv_heads or heads,
            head_dim=mla["qk_nope"] + mla["qk_rope"],
            v_head_dim=mla["v_head"],
            q_lora_rank=mla["q_lora_rank"] or None,
            kv_lora_rank=mla["kv_lora_rank"],
            qk_rope=mla["qk_rope"],
        )
    else:
        attention = AttentionLayers(
            "full",
            layers,
            heads=heads,
            kv_heads=kv_heads or heads,
            head_dim=width,
            v_head_dim=width,
        )
    moe = None
    dense = layers
    if experts > 1:
        routed = layers if moe_layers is None else min(moe_layers, layers)
        dense = layers - routed
        moe = MixtureOfExperts(
            layers=routed,
            experts=experts,
            experts_per_token=min(experts_per_token or 1, experts),
            shared_experts=shared_experts,
            ffn=expert_ffn or ffn,
        )
    return Architecture(
        name=name,
        hidden=hidden,
        layers=layers,
        vocab=vocab,
        tied_embeddings=tied,
        attention=(attention,),
        dense_layers=dense,
        dense_ffn=ffn if dense else 0,
        mlp_matrices=3 if gated else 2,
        moe=moe,
        max_context=max_context,
        approximate=approximate,
    )
