"""LLaMA-Factory configs (YAML).

Keys and defaults (LoRA of rank 8, cutoff 2048, 3 epochs): hiyouga/LLaMA-Factory examples @ff6d4d12
(2026-08-18) and its argument classes. `deepspeed` names another file; only its path is read.
"""

from __future__ import annotations

from costcalc.notices import Notice, notice
from costcalc.readers import training_keys, trl
from costcalc.readers.claims import Claim, by_keys
from costcalc.readers.facts import Facts
from costcalc.readers.reading import Blank, Reading
from costcalc.readers.source import Source

NAME = "llamafactory"
TITLE = "LLaMA-Factory"
_OWN = (
    "finetuning_type",
    "stage",
    "cutoff_len",
    "template",
    "quantization_bit",
    "lora_rank",
    "lora_target",
    "dataset_dir",
    "max_samples",
    "flash_attn",
    "pure_bf16",
)
_GATE = ("model_name_or_path", "per_device_train_batch_size", "num_train_epochs")
_SUPERVISED = ("sft", "pt")


def claim(source: Source) -> Claim | None:
    """Whether `source` is a LLaMA-Factory config."""
    return by_keys(source.mapping, own=_OWN, shared=trl.SHARED, gate=_GATE)


def read(source: Source) -> Reading:
    """What a LLaMA-Factory config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    facts.text("model", "model_name_or_path")
    if facts.integer("seq_len", "cutoff_len") is None:
        facts.default("seq_len", 2048, "cutoff_len")
    facts.number("micro_batch", "per_device_train_batch_size")
    facts.integer("accumulation", "gradient_accumulation_steps")
    facts.boolean("packing", "packing")
    training_keys.steps(facts, default_epochs=3, epochs_key="num_train_epochs")
    training_keys.precision(facts, notes, open_)
    if "precision" not in facts.found and training_keys.is_on(facts, "pure_bf16"):
        training_keys.set_precision(facts, "bf16", ("pure_bf16",), notes, open_)
    training_keys.datasets(facts, ("dataset",))
    facts.integer("max_samples", "max_samples")
    facts.text("optimizer", "optim")
    stage = facts.text("stage", "stage")
    if stage is not None and stage.lower() not in _SUPERVISED:
        notes.append(notice("read_preference_training", at="stage", value=stage.lower()))
    _method(facts, notes, open_)
    return Reading(
        NAME, source.name, kind="train", facts=facts.found, notes=tuple(notes), open=open_
    )


def _method(facts: Facts, notes: list[Notice], open_: dict[str, Blank]) -> None:
    kind = facts.text("method", "finetuning_type")
    facts.found.pop("method", None)
    word = (kind or "lora").lower()
    if word not in ("full", "lora"):
        open_["method"] = Blank("method", "readers.open_method", {"name": word})
        return
    bits = facts.integer("quantization_bit", "quantization_bit", high=16)
    facts.found.pop("quantization_bit", None)
    training_keys.adapter(
        facts,
        lora=word == "lora",
        four_bit=bits is not None and bits <= 4,
        key=("finetuning_type",),
        notes=notes,
    )
    if word == "lora" and bits == 8:
        notes.append(notice("read_8bit_base", at="quantization_bit"))
    if word == "lora" and facts.integer("lora_rank", "lora_rank", high=65_536) is None:
        facts.default("lora_rank", 8, "lora_rank")
