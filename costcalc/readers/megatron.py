"""Megatron-LM arguments: a flat file of flags, or the bash script that launches the run.

Flags and their defaults: NVIDIA/Megatron-LM examples @d98e8a64 (2026-08-22) and its arguments.py.
The script's own variables are followed (`costcalc.readers.shell_arguments`); which accelerator it
runs on is in no flag.
"""

from __future__ import annotations

import math
import re
from typing import Any

from costcalc.estimate.architecture import Architecture
from costcalc.notices import Notice, notice
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts
from costcalc.readers.model_names import transformer
from costcalc.readers.reading import Blank, Machine, Reading
from costcalc.readers.shell_arguments import Flag, flags
from costcalc.readers.source import Source
from costcalc.safeyaml import Document

NAME = "megatron"
TITLE = "Megatron-LM arguments"
_OWN = (
    "--num-layers",
    "--hidden-size",
    "--num-attention-heads",
    "--seq-length",
    "--micro-batch-size",
    "--global-batch-size",
    "--train-iters",
    "--train-samples",
    "--tensor-model-parallel-size",
    "--pipeline-model-parallel-size",
    "--max-position-embeddings",
    "--ffn-hidden-size",
    "--num-experts",
)
MAX_RAMP_STEPS = 100_000
_ITEM = re.compile(r"\[?([01](?:,[01])*)\]?\*?([0-9]{0,4})")


def claim(source: Source) -> Claim | None:
    """Whether `source` holds Megatron-LM arguments."""
    if source.syntax != "arguments":
        return None
    found = flags(source.text)
    keys = tuple(key for key in _OWN if key in found)
    return Claim(keys[:4]) if len(keys) >= 3 else None


def read(source: Source) -> Reading:
    """What a set of Megatron-LM arguments says."""
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    found = flags(source.text)
    facts = Facts(_document(source.name, found, open_, notes))
    facts.integer("seq_len", "--seq-length")
    facts.number("micro_batch", "--micro-batch-size")
    batch = facts.integer("batch_sequences", "--global-batch-size", high=10**9)
    _length(facts, batch, found, notes)
    _precision(facts, notes, open_)
    for name, key in (
        ("tensor", "--tensor-model-parallel-size"),
        ("pipeline", "--pipeline-model-parallel-size"),
        ("context", "--context-parallel-size"),
        ("expert", "--expert-model-parallel-size"),
    ):
        facts.integer(name, key, high=10**6)
    for key in ("--recompute-granularity", "--recompute-activations"):
        if facts.has(key):
            value = facts.raw(key)
            facts.fact("recompute", value if isinstance(value, str) else True, key)
            break
    facts.default("method", "full", "(pre-training)")
    return Reading(
        NAME,
        source.name,
        kind="train",
        facts=facts.found,
        machines=_machines(facts, source, open_),
        architecture=_architecture(facts, source.stem, open_),
        notes=tuple(notes),
        open=open_,
    )


def _document(
    name: str, found: dict[str, list[Flag]], open_: dict[str, Blank], notes: list[Notice]
) -> Document:
    """The flags as a mapping with lines; a flag without one known value is left out."""
    data: dict[str, Any] = {}
    lines: dict[str | int, int] = {}
    defaults: dict[str, str] = {}
    for flag, places in found.items():
        given = {place.values for place in places}
        lines[flag] = places[0].line
        if len({values[:1] for values in given}) > 1:
            values = ", ".join(sorted(str(v[0]) if v else "-" for v in given))[:80]
            notes.append(notice("read_several_values", at=flag, value=values))
            continue
        first = places[0].values[0] if places[0].values else None
        if places[0].values and first is None:
            continue
        data[flag] = True if first is None else first
        for variable in places[0].default_of:
            defaults[variable] = flag
    for variable, flag in sorted(defaults.items()):
        if flag in ("--nnodes", "--nproc-per-node") or flag in _OWN:
            notes.append(notice("read_variable_default", name=variable, at=flag))
    return Document(name, data, 1, (), {id(data): lines})


def _length(
    facts: Facts, batch: int | None, found: dict[str, list[Flag]], notes: list[Notice]
) -> None:
    samples = facts.integer("samples", "--train-samples")
    if samples is not None:
        return
    iterations = facts.integer("steps", "--train-iters", high=10**12)
    ramp = found.get("--rampup-batch-size")
    if iterations is None or batch is None or not ramp:
        return
    values = [int(v) for v in ramp[0].values[:3] if v is not None and v.isascii() and v.isdigit()]
    total = ramped_samples(iterations, batch, values) if len(values) == 3 else None
    if total is None:
        notes.append(notice("read_steps_at_most", at="--rampup-batch-size"))
        return
    del facts.found["steps"]
    facts.fact("samples", total, "--train-iters", key="--train-iters with --rampup-batch-size")


def ramped_samples(iterations: int, batch: int, ramp: list[int]) -> int | None:
    """Samples of `iterations` steps when the batch grows from `ramp[0]` by `ramp[1]` over
    `ramp[2]` samples to `batch`, as Megatron's batch size calculator does it; None when the ramp
    makes no sense.
    """
    start, increment, over = ramp
    if not 0 < start <= batch or increment <= 0 or (batch - start) % increment:
        return None
    stages = (batch - start) // increment
    if stages > MAX_RAMP_STEPS:
        return None
    consumed = 0
    for stage in range(stages):
        size = start + stage * increment
        limit = (stage + 1) * over / stages
        steps = min(max(math.ceil((limit - consumed) / size), 0), iterations)
        consumed += steps * size
        iterations -= steps
    return consumed + iterations * batch


def _precision(facts: Facts, notes: list[Notice], open_: dict[str, Blank]) -> None:
    for word, keys in (("fp4", ("--fp4-format", "--fp4")), ("fp8", ("--fp8-format", "--fp8"))):
        for key in keys:
            if facts.has(key):
                facts.fact("precision", word, key)
                return
    if facts.has("--bf16"):
        facts.fact("precision", "bf16", "--bf16")
    elif facts.has("--fp16"):
        facts.fact("precision", "bf16", "--fp16")
        notes.append(notice("read_fp16", at="--fp16"))
    else:
        open_["precision"] = Blank(
            "precision", "readers.open_precision", {"name": "fp32", "at": "--bf16"}
        )


def _machines(facts: Facts, source: Source, open_: dict[str, Blank]) -> tuple[Machine, ...]:
    part = facts.at()
    per_node = part.integer("chips_per_node", "--nproc-per-node", high=10**4)
    nodes = part.integer("nodes", "--nnodes", high=10**6)
    if per_node is not None and nodes is not None:
        chips = per_node * nodes
        model_parallel = math.prod(
            int(facts.found[name].value) if name in facts.found else 1
            for name in ("tensor", "pipeline", "context")
        )
        if chips % model_parallel:
            open_["on"] = Blank(
                "on", "readers.open_layout", {"chips": chips, "parallel": model_parallel}
            )
            return ()
        part.fact("chips", chips, "--nproc-per-node", key="--nproc-per-node x --nnodes")
    return (Machine(source.stem, part.found),) if part.found else ()


def _architecture(facts: Facts, name: str, open_: dict[str, Blank]) -> Architecture | None:
    part = facts.at()
    for fact, key in (
        ("layers", "--num-layers"),
        ("hidden", "--hidden-size"),
        ("heads", "--num-attention-heads"),
        ("vocab", "--vocab-size"),
        ("ffn", "--ffn-hidden-size"),
        ("head_dim", "--kv-channels"),
        ("kv_heads", "--num-query-groups"),
        ("max_context", "--max-position-embeddings"),
        ("experts", "--num-experts"),
        ("experts_per_token", "--moe-router-topk"),
        ("expert_ffn", "--moe-ffn-hidden-size"),
        ("shared_ffn", "--moe-shared-expert-intermediate-size"),
    ):
        part.integer(fact, key, high=10**9)
    value = {fact: int(found.value) for fact, found in part.found.items()}
    facts.merge(part)
    needed = (
        ("layers", "--num-layers"),
        ("hidden", "--hidden-size"),
        ("heads", "--num-attention-heads"),
        ("vocab", "--vocab-size"),
    )
    missing = [key for fact, key in needed if fact not in value]
    if missing:
        open_["model"] = Blank("model", "readers.open_dimensions", {"keys": ", ".join(missing)})
        return None
    hidden, layers = value["hidden"], value["layers"]
    gated = facts.has("--swiglu")
    # arguments.py: 4 x hidden, two thirds of it in multiples of 64 for SwiGLU
    ffn = value.get("ffn") or (hidden * 4 * 2 // 3 // 64 * 64 if gated else 4 * hidden)
    expert_ffn = value.get("expert_ffn") or ffn
    grouped = facts.has("--group-query-attention")
    return transformer(
        name=name,
        hidden=hidden,
        layers=layers,
        vocab=value["vocab"],
        heads=value["heads"],
        kv_heads=value.get("kv_heads", 1) if grouped else value["heads"],
        head_dim=value.get("head_dim"),
        ffn=ffn,
        gated=gated,
        tied=not facts.has("--untie-embeddings-and-output-weights"),
        experts=value.get("experts", 0),
        experts_per_token=value.get("experts_per_token", 2),
        shared_experts=value.get("shared_ffn", 0) // expert_ffn if expert_ffn else 0,
        expert_ffn=expert_ffn,
        moe_layers=_moe_layers(facts.raw("--moe-layer-freq"), layers),
        mla=_latent(facts),
        max_context=value.get("max_context"),
    )


def _moe_layers(pattern: Any, layers: int) -> int | None:
    """Layers with experts: every n-th, or a pattern such as `([0]*3+[1]*58)`."""
    if not isinstance(pattern, str):
        return None
    text = pattern.replace(" ", "").strip("'\"()")
    if text.isascii() and text.isdigit() and 0 < len(text) < 6:
        step = max(int(text), 1)
        return -(-layers // step)
    total = 0
    for item in text.split("+")[:200]:
        match = _ITEM.fullmatch(item)
        if match is None:
            return None
        total += match[1].count("1") * int(match[2] or 1)
    return min(total, layers)


def _latent(facts: Facts) -> dict[str, int] | None:
    if not facts.has("--multi-latent-attention"):
        return None
    part = facts.at()
    for fact, key in (
        ("q_lora_rank", "--q-lora-rank"),
        ("kv_lora_rank", "--kv-lora-rank"),
        ("qk_nope", "--qk-head-dim"),
        ("qk_rope", "--qk-pos-emb-head-dim"),
        ("v_head", "--v-head-dim"),
    ):
        part.integer(fact, key, high=10**6)
    # arguments.py's defaults for latent attention
    found = {"q_lora_rank": 0, "kv_lora_rank": 32, "qk_nope": 128, "qk_rope": 64, "v_head": 128}
    return found | {name: int(fact.value) for name, fact in part.found.items()}
