"""Hugging Face `config.json`: the shape of a model. It holds no tokens and no hardware.

The model becomes the path of the file itself: the catalog computes with its dimensions. Keys: the
configuration classes of transformers; multimodal models keep the language model under
`text_config`. `quantization_config` says how the published weights are stored, not how a training
run computes.
"""

from __future__ import annotations

from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts, child, clean
from costcalc.readers.reading import Reading
from costcalc.readers.source import Source

NAME = "huggingface"
TITLE = "Hugging Face config.json"
_WIDTH = ("hidden_size", "n_embd", "d_model", "dim")
_INNER = ("text_config", "llm_config", "language_config")
_FACTS = (
    ("hidden", ("hidden_size", "n_embd", "d_model", "dim")),
    ("layers", ("num_hidden_layers", "n_layer", "n_layers", "num_layers")),
    ("heads", ("num_attention_heads", "n_head", "n_heads")),
    ("kv_heads", ("num_key_value_heads", "n_kv_heads", "multi_query_group_num")),
    ("head_dim", ("head_dim",)),
    ("ffn", ("intermediate_size", "n_inner", "ffn_dim")),
    ("vocab", ("vocab_size",)),
    ("experts", ("num_local_experts", "num_experts", "n_routed_experts")),
    ("experts_per_token", ("num_experts_per_tok", "num_experts_per_token", "moe_top_k")),
    ("shared_experts", ("n_shared_experts", "num_shared_experts")),
    ("expert_ffn", ("moe_intermediate_size",)),
    ("first_dense", ("first_k_dense_replace",)),
    ("window", ("sliding_window",)),
    ("kv_lora_rank", ("kv_lora_rank",)),
    ("q_lora_rank", ("q_lora_rank",)),
    ("max_context", ("max_position_embeddings", "n_positions", "max_seq_len")),
)
_SERVED = {"fp8": "fp8", "fbgemm_fp8": "fp8", "mxfp4": "fp4", "nvfp4": "fp4"}


def claim(source: Source) -> Claim | None:
    """Whether `source` is a Hugging Face model config."""
    mapping = source.mapping
    if mapping is None or not ("model_type" in mapping or "architectures" in mapping):
        return None
    inner = next((key for key in _INNER if isinstance(mapping.get(key), dict)), None)
    widths = tuple(key for key in _WIDTH if key in mapping)
    if inner is None and not widths:
        return None
    first = "model_type" if "model_type" in mapping else "architectures"
    return Claim((first, inner or widths[0]))


def read(source: Source) -> Reading:
    """What a Hugging Face config says."""
    top = Facts(source.documents[0])
    notes: list[Notice] = []
    inner = next((key for key in _INNER if isinstance(top.raw(key), dict)), None)
    language = top.at(inner) if inner else top
    language.found = {}
    for name, keys in _FACTS:
        for key in keys:
            if isinstance(language.raw(key), int | float | str) and language.integer(
                name, key, low=0, high=10**10
            ):
                break
            language.found.pop(name, None)
    if "vocab" not in language.found:
        for key in ("vocab_size",):
            if inner and isinstance(top.raw(key), int):
                top.integer("vocab", key, low=1, high=10**9)
    facts = {**top.found, **language.found}
    if "vocab" not in facts:
        notes.append(notice("read_no_vocab", file=source.name))
    dtype = top.raw("torch_dtype") or top.raw("dtype") or language.raw("torch_dtype")
    if isinstance(dtype, str):
        key = "torch_dtype" if top.raw("torch_dtype") else "dtype"
        facts["weights_dtype"] = top.fact("weights_dtype", clean(dtype, 40), key)
    _stored(top, facts)
    tied = language.raw("tie_word_embeddings")
    tied = top.raw("tie_word_embeddings") if tied is None else tied
    if isinstance(tied, bool):
        facts["tied_embeddings"] = top.fact("tied_embeddings", tied, "tie_word_embeddings")
    kind = top.raw("model_type")
    if isinstance(kind, str):
        facts["model_type"] = top.fact("model_type", clean(kind, 60), "model_type")
    facts["model"] = top.fact("model", source.name, key="(this file)")
    return Reading(NAME, source.name, facts=facts, notes=tuple(notes))


def _stored(top: Facts, facts: dict[str, Any]) -> None:
    """How the published weights are stored, which is how they are served unless told otherwise."""
    quantization = top.raw("quantization_config")
    method = child(quantization, "quant_method")
    if not isinstance(method, str):
        return
    word = _SERVED.get(method.lower())
    bits = child(quantization, "bits")
    if word is None and method.lower() in ("bitsandbytes", "gptq", "awq"):
        eight = bits == 8 or child(quantization, "load_in_8bit") is True
        word = "int8" if eight else f"int4 ({clean(method, 20)})"
    facts["stored_precision"] = top.fact(
        "stored_precision", word or clean(method, 40), "quantization_config", "quant_method"
    )
