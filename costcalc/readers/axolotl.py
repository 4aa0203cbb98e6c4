"""axolotl training configs (YAML).

They name model, data, sequence, batch per GPU, epochs and adapter; they hold neither the number of
GPUs nor of tokens. Keys: axolotl-ai-cloud/axolotl examples @067b021c (2026-07-24).
"""

from __future__ import annotations

from costcalc.notices import Notice, notice
from costcalc.readers import training_keys
from costcalc.readers.claims import Claim, by_keys
from costcalc.readers.facts import Facts
from costcalc.readers.reading import Blank, Reading
from costcalc.readers.source import Source

NAME = "axolotl"
TITLE = "axolotl"
_OWN = (
    "base_model",
    "sequence_len",
    "sample_packing",
    "micro_batch_size",
    "num_epochs",
    "val_set_size",
    "dataset_prepared_path",
    "pad_to_sequence_len",
    "lora_target_linear",
    "adapter",
)
_SHARED = ("gradient_accumulation_steps", "datasets", "optimizer")
_PREFERENCE = ("dpo", "ipo", "kto", "orpo", "simpo", "grpo", "gdpo", "ebft")


def claim(source: Source) -> Claim | None:
    """Whether `source` is an axolotl config."""
    return by_keys(source.mapping, own=_OWN, shared=_SHARED)


def read(source: Source) -> Reading:
    """What an axolotl config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    facts.text("model", "base_model")
    facts.integer("seq_len", "sequence_len")
    facts.number("micro_batch", "micro_batch_size")
    facts.integer("accumulation", "gradient_accumulation_steps")
    facts.boolean("packing", "sample_packing")
    training_keys.steps(facts, default_epochs=1, epochs_key="num_epochs")
    training_keys.precision(facts, notes, open_)
    training_keys.datasets(facts, ("datasets",), ("pretraining_dataset",))
    facts.number("validation_fraction", "val_set_size")
    if isinstance(facts.raw("gradient_checkpointing"), str):  # "offload" and the like
        facts.text("recompute", "gradient_checkpointing")
    else:
        facts.boolean("recompute", "gradient_checkpointing")
    facts.text("optimizer", "optimizer")
    _method(facts, notes, open_)
    _parallel(facts)
    rl = facts.raw("rl")
    if isinstance(rl, str) and rl.lower() in _PREFERENCE:
        notes.append(notice("read_preference_training", at="rl", value=rl.lower()))
    return Reading(
        NAME, source.name, kind="train", facts=facts.found, notes=tuple(notes), open=open_
    )


def _method(facts: Facts, notes: list[Notice], open_: dict[str, Blank]) -> None:
    adapter = facts.text("adapter", "adapter")
    facts.found.pop("adapter", None)
    eight = training_keys.is_on(facts, "load_in_8bit")
    four = training_keys.is_on(facts, "load_in_4bit")
    if adapter is None:
        training_keys.adapter(facts, lora=False, four_bit=False, key=("adapter",), notes=notes)
        return
    if adapter.lower() not in ("lora", "qlora", "dora"):
        open_["method"] = Blank("method", "readers.open_method", {"name": adapter})
        return
    four_bit = four or adapter.lower() == "qlora"
    training_keys.adapter(facts, lora=True, four_bit=four_bit, key=("adapter",), notes=notes)
    if eight and not four_bit:
        notes.append(notice("read_8bit_base", at="load_in_8bit"))
    facts.integer("lora_rank", "lora_r", high=65_536)


def _parallel(facts: Facts) -> None:
    for name, key in (
        ("data_shard", "dp_shard_size"),
        ("data_replicate", "dp_replicate_size"),
        ("tensor", "tensor_parallel_size"),
        ("context", "context_parallel_size"),
        ("expert", "expert_parallel_size"),
    ):
        facts.integer(name, key, unset=(-1,))
