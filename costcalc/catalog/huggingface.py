"""A Hugging Face `config.json` as an `Architecture`: any decoder that the arithmetic covers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from costcalc.catalog.config_families import PROFILES, UNKNOWN, Profile, refusal
from costcalc.catalog.config_file import Config, read_json
from costcalc.errors import InputError
from costcalc.estimate.architecture import (
    Architecture,
    AttentionKind,
    AttentionLayers,
    MixtureOfExperts,
)

_WIDE, _DEEP, _HEADS, _VOCAB, _EXPERTS = 10**6, 10_000, 10**5, 10**8, 10**5
_CONTEXT = 10**9
_KINDS: Mapping[str, AttentionKind] = {
    "full_attention": "full",
    "attention": "full",
    "global": "full",
    "sliding_attention": "window",
    "local": "window",
    "chunked_attention": "chunk",
    "linear_attention": "linear",
}
_LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
_HIDDEN = ("hidden_size", "n_embd", "d_model")


def read_config(path: Path) -> Architecture:
    """The architecture that a `config.json` (or the folder that holds one) describes.

    Raises:
        InputError: the file cannot be read, is no config, lacks a key, holds an impossible number,
            or describes something that the arithmetic does not cover; the message says which.
    """
    data = read_json(path)
    file = path / "config.json" if path.is_dir() else path
    name = file.parent.name if file.name == "config.json" and file.parent.name else file.name
    return from_config(data, name=name, shown=str(file))


def from_config(data: Mapping[str, Any], *, name: str, shown: str) -> Architecture:
    """The architecture of a config that has been read.

    Args:
        data: the whole JSON object.
        name: what the architecture is called in quotes.
        shown: the file's name as errors show it.

    Raises:
        InputError: as `read_config`.
    """
    config = _text_part(data, shown)
    kind = config.text("model_type")
    classes = data.get("architectures")
    known = [item for item in classes if isinstance(item, str)] if isinstance(classes, list) else []
    _refuse(data, kind, known, shown)
    profile = PROFILES.get(kind, UNKNOWN)
    config = Config({**profile.defaults, **_set(config.data)}, config.outer, shown)
    layers = config.whole(*_LAYERS, high=_DEEP)
    hidden = config.whole(*_HIDDEN, high=_WIDE)
    attention, notes = _attention(config, profile, layers, hidden)
    moe, dense_layers, moe_notes = _mixture(config, profile, layers, kind)
    vocab = config.whole("vocab_size", high=_VOCAB)
    context = config.optional(
        "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", high=_CONTEXT
    )
    dense_ffn = _dense_width(config, profile, hidden) if dense_layers else 0
    architecture = Architecture(
        name=name,
        hidden=hidden,
        layers=layers,
        vocab=vocab,
        tied_embeddings=config.flag("tie_word_embeddings", default=profile.tied),
        attention=attention,
        dense_layers=dense_layers,
        dense_ffn=dense_ffn,
        mlp_matrices=3 if profile.gated else 2,
        moe=moe,
        max_context=context,
        approximate=next(filter(None, (*notes, *moe_notes, profile.approximate)), ""),
        hf_id=_hub_name(data),
    )
    return replace(architecture, extra_params=_extra(config, profile, architecture, kind))


def _set(data: Mapping[str, Any]) -> dict[str, Any]:
    """Keys that say something; null is the same as not there, except where null has a meaning."""
    meaningful = ("sliding_window", "attention_chunk_size")
    return {key: value for key, value in data.items() if value is not None or key in meaningful}


def _text_part(data: Mapping[str, Any], shown: str) -> Config:
    """The text model's keys: of a model for text and images they lie in `text_config`."""
    for key in ("text_config", "language_config", "llm_config"):
        inner = data.get(key)
        if inner is None:
            continue
        if not isinstance(inner, dict):
            raise InputError("catalog.config_inner", file=shown, field=key)
        merged = {**inner}
        for outer_key in ("model_type", "vocab_size"):
            if merged.get(outer_key) is None and data.get(outer_key) is not None:
                merged[outer_key] = data[outer_key]
        return Config(merged, data, shown)
    return Config(data, data, shown)


def _refuse(data: Mapping[str, Any], kind: str, classes: list[str], shown: str) -> None:
    if "_class_name" in data or "_diffusers_version" in data:
        raise InputError("catalog.config_diffusion", file=shown)
    if data.get("is_encoder_decoder") is True:
        raise InputError("catalog.config_encoder_decoder", file=shown, kind=kind or "?")
    message = refusal(kind, classes)
    if message is not None:
        raise InputError(f"catalog.{message}", file=shown, kind=kind or classes[0])
    if any(key in data for key in ("ssm_cfg", "mamba_d_state", "ssm_state_size", "state_size")):
        raise InputError("catalog.config_state_space", file=shown, kind=kind or "?")


def _attention(
    config: Config, profile: Profile, layers: int, hidden: int
) -> tuple[tuple[AttentionLayers, ...], list[str]]:
    heads = config.whole("num_attention_heads", "n_head", "num_heads", "n_heads", high=_HEADS)
    kv_heads = _kv_heads(config, heads)
    if heads % kv_heads:
        raise InputError("catalog.config_heads", file=config.shown, heads=heads, kv_heads=kv_heads)
    shape = _shape(config, hidden, heads, kv_heads)
    counts: dict[AttentionKind, int] = {}
    for kind in _layer_kinds(config, profile, layers):
        counts[kind] = counts.get(kind, 0) + 1
    groups = []
    for kind, number in counts.items():
        if kind == "full":
            groups.append(replace(_global(config, shape), kind=kind, layers=number))
        elif kind == "linear":
            groups.append(_linear(config, number))
        else:
            key = "sliding_window" if kind == "window" else "attention_chunk_size"
            window = config.whole(key, high=_CONTEXT)
            groups.append(replace(shape, kind=kind, layers=number, window=window))
    if profile.windows == "linear":
        groups = [
            replace(group, output_gate=True) if group.kind == "full" else group for group in groups
        ]
    notes = []
    if "linear" in counts:
        notes.append("hybrid")
    if (config.optional("hidden_size_per_layer_input", low=0, high=_WIDE) or 0) > 0 or (
        config.optional("num_kv_shared_layers", low=0, high=_DEEP) or 0
    ) > 0:
        notes.append("per_layer_inputs")
    return tuple(groups), notes


def _kv_heads(config: Config, heads: int) -> int:
    stated = config.optional("num_key_value_heads", "num_kv_heads", high=_HEADS)
    if config.text("model_type") == "falcon":
        if config.flag("new_decoder_architecture", default=False):
            return stated or heads
        return 1 if config.flag("multi_query", default=True) else heads
    if stated is None and config.flag("multi_query", default=False):
        return 1
    return stated or heads


def _shape(config: Config, hidden: int, heads: int, kv_heads: int) -> AttentionLayers:
    rank = config.optional("kv_lora_rank", high=_WIDE)
    if rank is not None:
        nope = config.whole("qk_nope_head_dim", high=_HEADS)
        rope = config.whole("qk_rope_head_dim", low=0, high=_HEADS)
        return AttentionLayers(
            kind="full",
            layers=0,
            heads=heads,
            kv_heads=kv_heads,
            head_dim=nope + rope,
            v_head_dim=config.whole("v_head_dim", high=_HEADS),
            q_lora_rank=config.optional("q_lora_rank", high=_WIDE),
            kv_lora_rank=rank,
            qk_rope=rope,
        )
    width = config.optional("head_dim", "attention_head_dim", "kv_channels", high=_HEADS)
    if width is None:
        if hidden % heads:
            raise InputError(
                "catalog.config_head_dim", file=config.shown, hidden=hidden, heads=heads
            )
        width = hidden // heads
    return AttentionLayers(
        kind="full", layers=0, heads=heads, kv_heads=kv_heads, head_dim=width, v_head_dim=width
    )


def _global(config: Config, shape: AttentionLayers) -> AttentionLayers:
    """Full-attention layers, which Gemma 4 gives their own heads."""
    width = config.optional("global_head_dim", high=_HEADS)
    kv_heads = config.optional("num_global_key_value_heads", high=_HEADS)
    if width is None and kv_heads is None:
        return shape
    return replace(
        shape,
        head_dim=width or shape.head_dim,
        v_head_dim=width or shape.v_head_dim,
        kv_heads=kv_heads or shape.kv_heads,
        shared_kv=config.flag("attention_k_eq_v", default=False),
    )


def _linear(config: Config, layers: int) -> AttentionLayers:
    if not config.has("linear_num_value_heads", "linear_num_key_heads"):
        raise InputError(
            "catalog.config_linear", file=config.shown, kind=config.text("model_type") or "?"
        )
    return AttentionLayers(
        kind="linear",
        layers=layers,
        heads=config.whole("linear_num_value_heads", high=_HEADS),
        kv_heads=config.whole("linear_num_key_heads", high=_HEADS),
        head_dim=config.whole("linear_key_head_dim", high=_HEADS),
        v_head_dim=config.whole("linear_value_head_dim", high=_HEADS),
        conv_kernel=config.whole("linear_conv_kernel_dim", low=0, high=64, default=4),
    )


def _layer_kinds(config: Config, profile: Profile, layers: int) -> list[AttentionKind]:
    words = config.texts("layer_types", layers)
    if words is not None:
        kinds: list[AttentionKind] = []
        for word in words:
            if word not in _KINDS:
                raise InputError(
                    "catalog.config_layer_type",
                    file=config.shown,
                    value=word[:40],
                    names=", ".join(_KINDS),
                )
            kinds.append(_KINDS[word])
        return kinds
    if profile.windows == "qwen":
        if not config.flag("use_sliding_window", default=False):
            return ["full"] * layers
        first = config.whole("max_window_layers", low=0, high=_DEEP, default=0)
        return ["window" if layer >= first else "full" for layer in range(layers)]
    if profile.windows == "all":
        return ["window" if config.has("sliding_window") else "full"] * layers
    period = config.whole(
        "sliding_window_pattern",
        "full_attention_interval",
        "no_rope_layer_interval",
        high=_DEEP,
        default=profile.period or 1,
    )
    others: dict[str, AttentionKind] = {"period": "window", "chunk": "chunk", "linear": "linear"}
    other = others.get(profile.windows, "full")
    if (other == "window" and not config.has("sliding_window")) or (
        other == "chunk" and not config.has("attention_chunk_size")
    ):
        other = "full"
    return ["full" if (layer + 1) % period == 0 else other for layer in range(layers)]


def _mixture(
    config: Config, profile: Profile, layers: int, kind: str
) -> tuple[MixtureOfExperts | None, int, list[str]]:
    """The mixture, the number of layers with a plain MLP, and why the count is rough."""
    experts = config.optional(
        "n_routed_experts",
        "num_local_experts",
        "num_experts",
        "moe_num_experts",
        low=0,
        high=_EXPERTS,
    )
    if not experts or (kind.startswith("gemma4") and not _gemma4_mixture(config)):
        return None, layers, []
    routed = sum(_is_routed(config, layer) for layer in range(layers))
    if routed == 0:
        return None, layers, []
    per_token = config.whole(
        "num_experts_per_tok",
        "num_experts_per_token",
        "top_k_experts",
        "experts_per_token",
        "moe_topk",
        "moe_k",
        high=_EXPERTS,
        default=1 if profile.shared else None,
    )
    if per_token > experts:
        raise config.fault("num_experts_per_tok", per_token, low=1, high=experts)
    ffn = config.whole(profile.expert_ffn, "moe_intermediate_size", "intermediate_size", high=_WIDE)
    shared, exact = _shared(config, profile, ffn, kind)
    moe = MixtureOfExperts(routed, experts, per_token, shared, ffn)
    return moe, layers - routed, [] if exact else ["shared_width"]


def _gemma4_mixture(config: Config) -> bool:
    return config.flag("enable_moe_block", default=config.has("moe_intermediate_size"))


def _is_routed(config: Config, layer: int) -> bool:
    """Whether a layer's MLP is a mixture: all that configs say about it must agree."""
    listed = config.numbers("moe_layers")
    if listed is not None:
        return layer in listed
    pattern = config.numbers("moe_layer_freq")
    if pattern is not None:
        return layer < len(pattern) and pattern[layer] > 0
    if layer in (config.numbers("mlp_only_layers") or ()):
        return False
    first = config.optional("first_k_dense_replace", low=0, high=_DEEP) or 0
    every = config.whole("moe_layer_freq", high=_DEEP, default=1)
    if layer < first or layer % every:
        return False
    step = config.whole("decoder_sparse_step", "interleave_moe_layer_step", high=_DEEP, default=1)
    return (layer + 1) % step == 0


def _shared(config: Config, profile: Profile, ffn: int, kind: str) -> tuple[int, bool]:
    """Shared experts in units of one expert's width, and whether that is exact."""
    number = config.optional("n_shared_experts", "num_shared_experts", low=0, high=_EXPERTS)
    if number is not None:
        return number, True
    width = config.optional("shared_expert_intermediate_size", low=0, high=_WIDE)
    if width is None and kind.startswith("gemma4"):
        width = config.whole("intermediate_size", high=_WIDE)
    if width is not None:
        return max(round(width / ffn), 1 if width else 0), width % ffn == 0
    return profile.shared, True


def _dense_width(config: Config, profile: Profile, hidden: int) -> int:
    names = (profile.dense_ffn, "intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size")
    # GPT-2, Bloom, Falcon and their kin leave the width out when it is four times the model's
    return config.whole(*names, high=_WIDE, default=None if profile.gated else 4 * hidden)


def _extra(config: Config, profile: Profile, architecture: Architecture, kind: str) -> int:
    extras = profile.extras
    if config.flag("attention_bias", "qkv_bias", default=extras.qkv_bias):
        everywhere = extras.output_bias or (profile.biased == "all" and not extras.qkv_bias)
        extras = replace(extras, qkv_bias=True, output_bias=everywhere)
    if config.flag("mlp_bias", default=extras.mlp_bias):
        extras = replace(extras, mlp_bias=True)
    if extras.qk_norm == "none" and config.flag("use_qk_norm", "qk_layernorm", default=False):
        extras = replace(extras, qk_norm="head")
    if kind == "falcon" and config.flag("new_decoder_architecture", default=False):
        extras = replace(extras, norms_per_layer=2)
    if architecture.moe is None:
        extras = replace(extras, shared_expert_gate=False)
    rows = 0
    if profile.positions is not None and architecture.max_context:
        rows = architecture.max_context + profile.positions
    if profile.embedding_norm:
        rows += 2
    extras = replace(extras, other=rows * architecture.hidden)
    return extras.count(
        hidden=architecture.hidden,
        layers=architecture.layers,
        attention=architecture.attention,
        dense_layers=architecture.dense_layers,
        dense_ffn=architecture.dense_ffn,
        mlp_matrices=architecture.mlp_matrices,
        moe=architecture.moe,
    )


def _hub_name(data: Mapping[str, Any]) -> str | None:
    name = data.get("_name_or_path")
    if isinstance(name, str) and name.count("/") == 1 and not name.startswith((".", "/", "~")):
        return name
    return None
