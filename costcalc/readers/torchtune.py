"""torchtune recipes' configs (YAML).

The model is named by the function that builds it, `torchtune.models.llama3_1.lora_llama3_1_8b`. The
number of GPUs is on the command line only. Keys: pytorch/torchtune recipes/configs @bd2a0fc7
(2026-04-23). `${key}` refers to another key of the file and is followed.
"""

from __future__ import annotations

from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers import training_keys
from costcalc.readers.claims import Claim
from costcalc.readers.facts import Facts, child
from costcalc.readers.model_names import component_names
from costcalc.readers.reading import Blank, Reading
from costcalc.readers.source import Source

NAME = "torchtune"
TITLE = "torchtune"


def claim(source: Source) -> Claim | None:
    """Whether `source` is a torchtune config."""
    if source.mapping is None:
        return None
    keys = tuple(
        f"{key}._component_"
        for key, value in source.mapping.items()
        if isinstance(child(value, "_component_"), str)
        and value["_component_"].startswith("torchtune.")
    )
    return Claim(keys[:4]) if keys else None


def read(source: Source) -> Reading:
    """What a torchtune config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    component = facts.raw("model", "_component_")
    function = component.rpartition(".")[2] if isinstance(component, str) else ""
    if function:
        facts.fact("model", tuple(component_names(function)), "model", "_component_")
    _sequence(facts)
    facts.number("micro_batch", "batch_size")
    facts.integer("accumulation", "gradient_accumulation_steps")
    facts.boolean("packing", "dataset", "packed")
    facts.number("epochs", "epochs", low=0.001, high=10_000)
    _steps(facts, notes)
    dtype = facts.raw("dtype")
    if isinstance(dtype, str):
        training_keys.set_precision(facts, dtype, ("dtype",), notes, open_)
    _dataset(facts)
    facts.boolean("recompute", "enable_activation_checkpointing")
    facts.text("optimizer", "optimizer", "_component_")
    training_keys.adapter(
        facts,
        lora="lora" in function or facts.raw("model", "lora_rank") is not None,
        four_bit=function.startswith("qlora") or facts.raw("model", "quantize_base") is True,
        key=("model", "_component_"),
        notes=notes,
    )
    if facts.found["method"].value != "full":
        facts.integer("lora_rank", "model", "lora_rank", high=65_536)
    for name, key in (
        ("tensor", "tensor_parallel_dim"),
        ("context", "context_parallel_dim"),
        ("data_shard", "data_parallel_shard_dim"),
        ("data_replicate", "data_parallel_replicate_dim"),
    ):
        facts.integer(name, key, unset=(-1,))
    return Reading(
        NAME, source.name, kind="train", facts=facts.found, notes=tuple(notes), open=open_
    )


def _sequence(facts: Facts) -> None:
    if facts.integer("seq_len", "tokenizer", "max_seq_len") is None:
        facts.integer("seq_len", "dataset", "max_seq_len")


def _steps(facts: Facts, notes: list[Notice]) -> None:
    per_epoch = facts.integer("steps_per_epoch", "max_steps_per_epoch", unset=(-1,))
    epochs = facts.found.get("epochs")
    if per_epoch is None or epochs is None:
        return
    del facts.found["steps_per_epoch"], facts.found["epochs"]
    facts.fact(
        "steps",
        int(per_epoch * epochs.value),
        "max_steps_per_epoch",
        key="max_steps_per_epoch x epochs",
    )
    notes.append(notice("read_steps_at_most", at="max_steps_per_epoch"))


def _dataset(facts: Facts) -> None:
    node: Any = facts.raw("dataset")
    sources = node if isinstance(node, list) else [node]
    names = []
    for item in sources[:20]:
        name = child(item, "source") or child(item, "_component_")
        if isinstance(name, str):
            names.append(name.rpartition(".")[2] if name.startswith("torchtune.") else name)
    if names:
        facts.fact("dataset", tuple(names), "dataset")
