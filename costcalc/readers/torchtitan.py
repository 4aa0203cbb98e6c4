"""torchtitan job configs (TOML), as they were until 2026-02-23 (removed upstream by 9810191b).

`local_batch_size` (before 2025: `batch_size`) counts sequences per data-parallel rank. A
`[quantize...float8]` table alone changes nothing: fp8 is on only when `model.converters` names it.
"""

from __future__ import annotations

import math
from typing import Any

from costcalc.notices import Notice
from costcalc.readers import training_keys
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts, child, clean
from costcalc.readers.reading import Blank, Machine, Reading
from costcalc.readers.source import Source

NAME = "torchtitan"
TITLE = "torchtitan TOML (until February 2026)"
_TRAINING = ("local_batch_size", "batch_size", "global_batch_size", "seq_len", "steps")
# What a flavor is called elsewhere; the assets' folder is tried first.
_FLAVORS = {
    ("llama3", "8b"): "llama-3.1-8b",
    ("llama3", "70b"): "llama-3.1-70b",
    ("llama3", "405b"): "llama-3.1-405b",
    ("llama4", "17bx16e"): "llama4-17b-16e",
    ("llama4", "17bx128e"): "llama4-17b-128e",
    ("deepseek_v3", "671b"): "deepseek-v3",
}
_AXES = (
    ("data_replicate", "data_parallel_replicate_degree"),
    ("data_shard", "data_parallel_shard_degree"),
    ("tensor", "tensor_parallel_degree"),
    ("pipeline", "pipeline_parallel_degree"),
    ("context", "context_parallel_degree"),
    ("expert", "expert_parallel_degree"),
)


def claim(source: Source) -> Claim | None:
    """Whether `source` is a torchtitan job config."""
    if source.syntax != "toml" or source.mapping is None:
        return None
    training = child(source.mapping, "training")
    keys = [f"training.{key}" for key in _TRAINING if child(training, key) is not None]
    if child(source.mapping, "model", "flavor") is not None:
        keys.append("model.flavor")
    keys += [key for key in ("parallelism", "activation_checkpoint") if key in source.mapping]
    return Claim(tuple(keys[:4])) if len(keys) >= 3 else None


def read(source: Source) -> Reading:
    """What a torchtitan config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    _model(facts)
    facts.integer("seq_len", "training", "seq_len")
    if facts.number("micro_batch", "training", "local_batch_size") is None:
        facts.number("micro_batch", "training", "batch_size")
    facts.integer("batch_sequences", "training", "global_batch_size", unset=(-1,))
    facts.integer("steps", "training", "steps", high=10**12)
    training_keys.datasets(facts, ("training", "dataset"))
    for name, key in _AXES:
        facts.integer(name, "parallelism", key, unset=(-1,), high=10**6)
    facts.text("recompute", "activation_checkpoint", "mode")
    facts.text("optimizer", "optimizer", "name")
    _precision(facts, notes, open_)
    facts.default("method", "full", "(pre-training)")
    return Reading(
        NAME,
        source.name,
        kind="train",
        facts=facts.found,
        machines=_machines(facts, source),
        notes=tuple(notes),
        open=open_,
    )


def _model(facts: Facts) -> None:
    name, flavor = facts.raw("model", "name"), facts.raw("model", "flavor")
    names: list[str] = []
    assets = facts.raw("model", "hf_assets_path")
    if isinstance(assets, str) and assets.strip("/. "):
        names.append(clean(assets.rstrip("/").rpartition("/")[2], 100))
    if isinstance(name, str) and isinstance(flavor, str):
        known = _FLAVORS.get((name.lower(), flavor.lower()))
        names += [known] if known else []
        names.append(clean(f"{name}-{flavor}", 100))
    if names:
        key = "flavor" if isinstance(flavor, str) else "hf_assets_path"
        facts.fact("model", tuple(dict.fromkeys(names)), "model", key)


def _precision(facts: Facts, notes: list[Notice], open_: dict[str, Blank]) -> None:
    converters: Any = facts.raw("model", "converters")
    named = converters if isinstance(converters, list) else str(converters or "").split(",")
    if any("float8" in str(item) or "mx" in str(item) for item in named):
        facts.fact("precision", "fp8", "model", "converters")
        return
    word = facts.raw("training", "mixed_precision_param")
    if isinstance(word, str):
        key = ("training", "mixed_precision_param")
        training_keys.set_precision(facts, word, key, notes, open_)
    else:
        facts.default("precision", "bf16", "training.mixed_precision_param")


def _machines(facts: Facts, source: Source) -> tuple[Machine, ...]:
    """The number of chips, when every degree of parallelism is given (none is -1, "the rest")."""
    axes = [facts.found.get(name) for name, _ in _AXES[:5]]
    if axes[1] is None:
        return ()
    chips = math.prod(int(axis.value) for axis in axes if axis is not None)
    part = facts.at()
    part.fact(
        "chips", chips, "parallelism", "data_parallel_shard_degree", key="parallelism: all degrees"
    )
    return (Machine(source.stem, part.found),)
