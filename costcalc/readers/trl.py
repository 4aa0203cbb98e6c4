"""TRL and Hugging Face Trainer configs (YAML or JSON).

The number of GPUs is not here but in the accelerate config that launches the run (`num_processes`),
which can be read together with it. `max_seq_length` became `max_length` in TRL 0.13; both are read.
Keys: huggingface/alignment-handbook recipes @925acdfe (2025-07-29); defaults (3 epochs, one step of
accumulation) from the TrainingArguments of transformers.
"""

from __future__ import annotations

from costcalc.notices import Notice, notice
from costcalc.readers import training_keys
from costcalc.readers.claims import Claim, by_keys
from costcalc.readers.facts import Facts, clean
from costcalc.readers.reading import Blank, Reading
from costcalc.readers.source import Source

NAME = "trl"
TITLE = "TRL / Hugging Face Trainer"
SHARED = (
    "model_name_or_path",
    "per_device_train_batch_size",
    "num_train_epochs",
    "gradient_accumulation_steps",
    "gradient_checkpointing",
    "bf16",
    "max_steps",
)
_GATE = ("model_name_or_path", "per_device_train_batch_size", "num_train_epochs")
_OWN = (
    "max_seq_length",
    "max_length",
    "dataset_mixture",
    "dataset_mixer",
    "dataset_name",
    "dataset_splits",
    "dataset_train_split",
    "use_peft",
    "lora_r",
    "load_in_4bit",
    "attn_implementation",
    "torch_dtype",
    "max_prompt_length",
)


def claim(source: Source) -> Claim | None:
    """Whether `source` is a config of TRL or of the Hugging Face Trainer."""
    return by_keys(source.mapping, own=_OWN, shared=SHARED, gate=_GATE)


def read(source: Source) -> Reading:
    """What a TRL or Trainer config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    facts.text("model", "model_name_or_path")
    training_keys.either(facts, "seq_len", "max_length", "max_seq_length")
    facts.number("micro_batch", "per_device_train_batch_size")
    facts.integer("accumulation", "gradient_accumulation_steps")
    facts.boolean("packing", "packing")
    training_keys.steps(facts, default_epochs=3, epochs_key="num_train_epochs")
    training_keys.precision(facts, notes, open_)
    dtype = facts.text("weights_dtype", "torch_dtype") or facts.text("weights_dtype", "dtype")
    if "precision" not in facts.found and not open_ and dtype and dtype.lower() != "auto":
        # Neither bf16 nor fp16: the run computes in the type that the weights are loaded in.
        key = "torch_dtype" if facts.has("torch_dtype") else "dtype"
        training_keys.set_precision(facts, dtype, (key,), notes, open_)
    training_keys.datasets(
        facts, ("dataset_mixture", "datasets"), ("dataset_mixer",), ("dataset_name",)
    )
    facts.boolean("recompute", "gradient_checkpointing")
    facts.text("optimizer", "optim")
    training_keys.adapter(
        facts,
        lora=training_keys.is_on(facts, "use_peft"),
        four_bit=training_keys.is_on(facts, "load_in_4bit"),
        key=("use_peft",),
        notes=notes,
    )
    if facts.found["method"].value != "full":
        facts.integer("lora_rank", "lora_r", high=65_536)
    for key in ("max_prompt_length", "beta", "loss_type"):
        value = facts.raw(key)
        if isinstance(value, str | int | float):
            shown = clean(str(value), 40)
            notes.append(notice("read_preference_training", at=key, value=shown))
            break
    name = facts.raw("run_name")
    return Reading(
        NAME,
        source.name,
        name=clean(name, 100) or None if isinstance(name, str) else None,
        kind="train",
        facts=facts.found,
        notes=tuple(notes),
        open=open_,
    )
