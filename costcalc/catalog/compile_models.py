"""Validates `models/*.yaml` and turns them into the compact form that is compiled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields as dataclass_fields
from typing import Any

from costcalc.catalog.compile_accelerators import find_source, source_table
from costcalc.catalog.extras import Extras
from costcalc.catalog.fields import Fields, fault, mapping, sequence
from costcalc.catalog.names import normal
from costcalc.catalog.yamlfile import Node
from costcalc.estimate.architecture import AttentionLayers, MixtureOfExperts

APPROXIMATE = ("none", "hybrid", "compressed", "sparse")
KINDS = ("full", "window", "chunk", "linear")
_TOP = ("sources", "models")
_KEYS = (
    "hf_id",
    "aliases",
    "layers",
    "hidden",
    "vocab",
    "tied_embeddings",
    "ffn",
    "mlp",
    "dense_layers",
    "attention",
    "moe",
    "extras",
    "max_context",
    "approximate",
    "published_params",
    "source",
    "date",
    "note",
)
_ATTENTION = (
    "kind",
    "layers",
    "heads",
    "kv_heads",
    "head_dim",
    "v_head_dim",
    "window",
    "shared_kv",
    "output_gate",
    "q_lora_rank",
    "kv_lora_rank",
    "qk_rope",
    "conv_kernel",
)
_MOE = ("layers", "experts", "experts_per_token", "shared_experts", "ffn")
_EXTRAS = tuple(field.name for field in dataclass_fields(Extras))
_COUNTS = ("norms_per_layer", "per_layer_scalars", "other")


def compile_models(files: Iterable[Node]) -> dict[str, Any]:
    """All models of the room, with their alias index.

    Raises:
        InputError: a fault, with file, line and key.
    """
    entries: dict[str, Any] = {}
    index: dict[str, str] = {}
    for root in files:
        top = Fields(root, "models", _TOP)
        sources = source_table(top)
        for identity, node in mapping(top.at("models"), "models").items():
            if identity in entries:
                raise fault(node, identity, "duplicate_entry", name=identity)
            if normal(identity) != identity or "/" in identity:
                right = normal(identity).replace("/", "-")
                raise fault(node, identity, "bad_id", name=identity, right=right)
            entries[identity] = _model(identity, node, sources)
            names = [identity, *entries[identity]["aliases"]]
            hf_id = entries[identity]["hf_id"]
            if hf_id:
                names += [hf_id, hf_id.rpartition("/")[2]]
            for name in names:
                owner = index.setdefault(normal(name), identity)
                if owner != identity:
                    raise fault(node, "aliases", "alias_taken", alias=name, owner=owner)
    return {"models": entries, "aliases": index}


def _model(identity: str, node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    fields = Fields(node, identity, _KEYS)
    layers = fields.whole("layers", high=10_000)
    hidden = fields.whole("hidden", high=10**6)
    attention = [_attention(child) for child in sequence(fields.at("attention"), "attention")]
    total = sum(group["layers"] for group in attention)
    moe = _moe(fields.at("moe")) if "moe" in fields else None
    routed = moe["layers"] if moe else 0
    dense_layers = layers - routed
    if "dense_layers" in fields:
        # blocks of one thing each, attention or MLP (Nemotron-H): they add up to the layers
        dense_layers = fields.whole("dense_layers", low=0, high=10_000)
        total += dense_layers + routed
    if total != layers:
        raise fault(
            fields.at("attention"), "attention", "layers_differ", total=total, layers=layers
        )
    if dense_layers < 0:
        raise fault(fields.at("moe"), "layers", "layers_differ", total=routed, layers=layers)
    text, date = find_source(fields, sources)
    entry: dict[str, Any] = {
        "hf_id": fields.optional_text("hf_id") or None,
        "aliases": fields.list_of_texts("aliases"),
        "layers": layers,
        "hidden": hidden,
        "vocab": fields.whole("vocab", high=10**8),
        "tied_embeddings": bool(fields.boolean("tied_embeddings", default=False)),
        "dense_layers": dense_layers,
        "dense_ffn": fields.whole("ffn", high=10**7) if dense_layers else 0,
        "mlp_matrices": 3
        if fields.choice("mlp", ("gated", "plain"), default="gated") == "gated"
        else 2,
        "attention": attention,
        "moe": moe,
        "max_context": _sourced(fields, "max_context", sources, 10**9),
        "published_params": _sourced(fields, "published_params", sources, 10**15),
        "approximate": fields.choice("approximate", APPROXIMATE, default="none"),
        "source": text,
        "date": date,
        "note": fields.optional_text("note"),
    }
    entry["extra_params"] = _extras(fields).count(
        hidden=hidden,
        layers=layers,
        attention=tuple(AttentionLayers(**group) for group in attention),
        dense_layers=dense_layers,
        dense_ffn=entry["dense_ffn"],
        mlp_matrices=entry["mlp_matrices"],
        moe=MixtureOfExperts(**moe) if moe else None,
    )
    return entry


def _sourced(top: Fields, key: str, sources: dict[str, tuple[str, str]], high: int) -> int | None:
    """A whole number that names its own source, None when it is not there."""
    if key not in top:
        return None
    fields = Fields(top.at(key), key, ("value", "source"))
    find_source(fields, sources)
    return fields.whole("value", high=high)


def _attention(node: Node) -> dict[str, Any]:
    fields = Fields(node, "attention", _ATTENTION)
    kind = fields.choice("kind", KINDS)
    head_dim = fields.whole("head_dim", high=10**5)
    group: dict[str, Any] = {
        "kind": kind,
        "layers": fields.whole("layers", high=10_000),
        "heads": fields.whole("heads", high=10**5),
        "kv_heads": fields.whole("kv_heads", high=10**5),
        "head_dim": head_dim,
        "v_head_dim": fields.optional_whole("v_head_dim", high=10**5) or head_dim,
        "window": fields.optional_whole("window"),
        "shared_kv": bool(fields.boolean("shared_kv", default=False)),
        "output_gate": bool(fields.boolean("output_gate", default=False)),
        "q_lora_rank": fields.optional_whole("q_lora_rank", high=10**6),
        "kv_lora_rank": fields.optional_whole("kv_lora_rank", high=10**6),
        "qk_rope": fields.optional_whole("qk_rope", low=0, high=10**5) or 0,
        "conv_kernel": fields.optional_whole("conv_kernel", low=0, high=64) or 0,
    }
    if kind in ("window", "chunk") and group["window"] is None:
        raise fault(node, "window", "missing_key")
    if group["qk_rope"] > head_dim:
        raise fault(
            fields.at("qk_rope"),
            "qk_rope",
            "out_of_range",
            value=group["qk_rope"],
            low=0,
            high=head_dim,
        )
    return group


def _moe(node: Node) -> dict[str, Any]:
    fields = Fields(node, "moe", _MOE)
    experts = fields.whole("experts", high=10**5)
    return {
        "layers": fields.whole("layers", high=10_000),
        "experts": experts,
        "experts_per_token": fields.whole("experts_per_token", high=experts),
        "shared_experts": fields.optional_whole("shared_experts", low=0, high=10**4) or 0,
        "ffn": fields.whole("ffn", high=10**7),
    }


def _extras(top: Fields) -> Extras:
    if "extras" not in top:
        return Extras()
    fields = Fields(top.at("extras"), "extras", _EXTRAS)
    values: dict[str, Any] = {}
    for name in _EXTRAS:
        if name not in fields:
            continue
        if name in _COUNTS:
            values[name] = fields.whole(name, low=0, high=10**12)
        elif name == "qk_norm":
            values[name] = fields.choice(name, ("none", "head", "full"))
        else:
            values[name] = fields.boolean(name)
    return Extras(**values)
