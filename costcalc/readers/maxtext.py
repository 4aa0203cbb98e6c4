"""MaxText configs (YAML): run files, model files, and base.yml.

A run file says `base_config: "base.yml"` and takes from there what it does not say; give base.yml
(and the model's file) as well, or the values stay open. `per_device_batch_size` counts sequences
per JAX device and may be a fraction. Keys: AI-Hypercomputer/maxtext src/maxtext/configs @e591f30c
(2026-08-22); batch arithmetic: pyconfig.py of the same repository (devices x per-device batch x
accumulation); scaling of dimensions: `get_individual_scales` there.
"""

from __future__ import annotations

import math
from typing import Any

from costcalc.estimate.architecture import Architecture
from costcalc.notices import Notice
from costcalc.readers import training_keys
from costcalc.readers.claims import Claim, by_keys
from costcalc.readers.facts import Facts, clean, items
from costcalc.readers.model_names import transformer
from costcalc.readers.reading import Blank, Machine, Reading
from costcalc.readers.source import Source

NAME = "maxtext"
TITLE = "MaxText"
_OWN = (
    "base_emb_dim",
    "base_num_query_heads",
    "base_num_kv_heads",
    "base_mlp_dim",
    "base_num_decoder_layers",
    "decoder_block",
    "per_device_batch_size",
    "max_target_length",
    "compile_topology",
    "remat_policy",
    "base_config",
    "base_output_directory",
    "ici_fsdp_parallelism",
    "ici_tensor_parallelism",
    "dcn_data_parallelism",
    "global_parameter_scale",
    "weight_dtype",
)
_SHARED = (
    "model_name",
    "steps",
    "hardware",
    "dtype",
    "quantization",
    "gradient_accumulation_steps",
)
_AXES = (
    ("data_shard", "fsdp"),
    ("tensor", "tensor"),
    ("context", "context"),
    ("expert", "expert"),
    ("pipeline", "pipeline"),
    ("data_replicate", "data"),
)
_DIMENSIONS = {
    "hidden": "base_emb_dim",
    "heads": "base_num_query_heads",
    "kv_heads": "base_num_kv_heads",
    "layers": "base_num_decoder_layers",
    "ffn": "base_mlp_dim",
    "vocab": "vocab_size",
}
# Blocks whose layers are not all alike; their files do not give the pattern.
_MIXED_BLOCKS = frozenset(
    {
        "gemma2",
        "gemma3",
        "gemma4",
        "gpt_oss",
        "olmo3",
        "llama4",
        "qwen3_next",
        "qwen3_5",
        "deepseek4",
    }
)


def claim(source: Source) -> Claim | None:
    """Whether `source` is a MaxText config."""
    return by_keys(source.mapping, own=_OWN, shared=_SHARED)


def read(source: Source) -> Reading:
    """What a MaxText config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    name = facts.text("model", "model_name")
    if name is not None and name.lower() == "default":
        # base.yml's word for "no known model: the dimensions in this file count"
        del facts.found["model"]
    facts.integer("seq_len", "max_target_length")
    facts.number("micro_batch", "per_device_batch_size", low=1e-9, high=10**9)
    facts.integer("accumulation", "gradient_accumulation_steps")
    if facts.integer("steps", "steps", unset=(-1,)) is None:
        facts.integer("steps", "learning_rate_schedule_steps", unset=(-1,))
    _precision(facts, notes, open_)
    facts.text("weights_dtype", "weight_dtype")
    facts.text("recompute", "remat_policy")
    facts.text("optimizer", "opt_type")
    for fact, axis in _AXES:
        facts.integer(fact, f"ici_{axis}_parallelism", unset=(-1,))
    is_run = bool({"micro_batch", "seq_len", "steps"} & set(facts.found))
    if is_run:
        facts.default("method", "full", "(pre-training)")
    base = facts.raw("base_config")
    return Reading(
        NAME,
        source.name,
        name=_run_name(facts),
        kind="train" if is_run else None,  # else: the file of a model
        facts=facts.found,
        machines=_machines(facts, source),
        architecture=_architecture(facts, source.stem, notes, open_),
        notes=tuple(notes),
        open=open_,
        base=base if isinstance(base, str) and base else None,
    )


def _run_name(facts: Facts) -> str | None:
    name = facts.raw("run_name")
    return clean(name, 100) or None if isinstance(name, str) else None


def _machines(facts: Facts, source: Source) -> tuple[Machine, ...]:
    topology = facts.at()
    if topology.text("slice", "compile_topology") is None:
        return ()
    slices = topology.integer("slices", "compile_topology_num_slices", unset=(-1, 0), high=10**5)
    if slices is None:
        topology.default("slices", 1, "compile_topology_num_slices")
    return (Machine(source.stem, topology.found),)


def _precision(facts: Facts, notes: list[Notice], open_: dict[str, Blank]) -> None:
    quantization = facts.raw("quantization")
    word = quantization.strip().lower() if isinstance(quantization, str) else ""
    if "fp8" in word:
        training_keys.set_precision(facts, "fp8", ("quantization",), notes, open_)
    elif word:
        open_["precision"] = Blank(
            "precision", "readers.open_precision", {"name": clean(word, 40), "at": "quantization"}
        )
    elif isinstance(facts.raw("dtype"), str):
        training_keys.set_precision(facts, facts.raw("dtype"), ("dtype",), notes, open_)


def _architecture(
    facts: Facts, name: str, notes: list[Notice], open_: dict[str, Blank]
) -> Architecture | None:
    """The model's dimensions, None when the file has only some of them."""
    part = facts.at()
    for fact, key in _DIMENSIONS.items():
        part.integer(fact, key, high=10**9)
    given = {fact: int(found.value) for fact, found in part.found.items()}
    facts.merge(part)
    missing = [key for fact, key in _DIMENSIONS.items() if fact not in given and fact != "kv_heads"]
    if missing:
        if len(missing) < len(_DIMENSIONS) - 1 and "model" not in facts.found:
            open_["model"] = Blank("model", "readers.open_dimensions", {"keys": ", ".join(missing)})
        return None
    scale = _scales(facts)
    extra = facts.at()
    for fact, key in (
        ("head_dim", "head_dim"),
        ("experts", "num_experts"),
        ("experts_per_token", "num_experts_per_tok"),
        ("shared_experts", "shared_experts"),
        ("expert_ffn", "base_moe_mlp_dim"),
        ("first_dense", "first_num_dense_layers"),
        ("moe_step", "interleave_moe_layer_step"),
    ):
        extra.integer(fact, key, low=0, high=10**9, unset=(-1,))
    value = {fact: int(found.value) for fact, found in extra.found.items()}
    facts.merge(extra)
    block = facts.raw("decoder_block")
    mixed = isinstance(block, str) and block.lower() in _MIXED_BLOCKS
    layers = given["layers"] * 2 ** scale["layers"]
    first_dense = value.get("first_dense", 0)
    step = value.get("moe_step", 0) or 1
    activations = [item for _, item in items(facts.raw("mlp_activations"))]
    return transformer(
        name=name,
        hidden=given["hidden"] * 2 ** scale["hidden"],
        layers=layers,
        vocab=given["vocab"],
        heads=given["heads"] * 2 ** scale["heads"],
        kv_heads=given.get("kv_heads", given["heads"]) * 2 ** scale["heads"],
        head_dim=value.get("head_dim") or None,
        ffn=given["ffn"] * 2 ** scale["ffn"],
        gated=len(activations) != 1,
        tied=facts.raw("logits_via_embedding") is True,
        experts=value.get("experts", 0),
        experts_per_token=value.get("experts_per_token", 1),
        shared_experts=value.get("shared_experts", 0),
        expert_ffn=(value.get("expert_ffn") or given["ffn"]) * 2 ** scale["ffn"],
        moe_layers=max(layers - first_dense, 0) // step,
        mla=_latent(facts),
        approximate="layers of several kinds" if mixed else "",
    )


def _latent(facts: Facts) -> dict[str, int] | None:
    if facts.raw("attention_type") != "mla":
        return None
    part = facts.at()
    for fact, key, low in (
        ("q_lora_rank", "q_lora_rank", 0),
        ("kv_lora_rank", "kv_lora_rank", 1),
        ("qk_nope", "qk_nope_head_dim", 1),
        ("qk_rope", "qk_rope_head_dim", 1),
        ("v_head", "v_head_dim", 1),
    ):
        part.integer(fact, key, low=low, high=10**6)
    # base.yml's defaults, kept since latent attention was added
    found = {"q_lora_rank": 0, "kv_lora_rank": 512, "qk_nope": 128, "qk_rope": 64, "v_head": 128}
    return found | {name: int(fact.value) for name, fact in part.found.items()}


def _scales(facts: Facts) -> dict[str, int]:
    """Exponents of 2 by which `global_parameter_scale` enlarges each dimension."""
    value: Any = facts.integer("scale", "global_parameter_scale", low=1, high=2**30)
    facts.found.pop("scale", None)
    log = round(math.log2(value)) if value else 0
    if value and 2**log != value:
        raise facts.error("not_power_of_two", "global_parameter_scale", text=value)
    base, rest = divmod(log, 3)
    return {
        "hidden": base + (rest > 1),
        "heads": base + (rest > 0),
        "ffn": base + (rest > 0),
        "layers": base,
    }
