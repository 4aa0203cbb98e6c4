"""Launch configs of Hugging Face accelerate (YAML): how many processes, one per GPU.

They go with a TRL or LLaMA-Factory config. `num_processes` counts the GPUs of all machines.
Keys: hiyouga/LLaMA-Factory examples/accelerate @165f3f07.
"""

from __future__ import annotations

from costcalc.notices import Notice
from costcalc.readers import training_keys
from costcalc.readers.claims import Claim, by_keys
from costcalc.readers.facts import Facts
from costcalc.readers.reading import Blank, Machine, Reading
from costcalc.readers.source import Source

NAME = "accelerate"
TITLE = "Hugging Face accelerate"
_OWN = ("compute_environment", "distributed_type", "num_machines", "machine_rank", "rdzv_backend")
_SHARED = ("num_processes", "mixed_precision", "fsdp_config", "deepspeed_config")


def claim(source: Source) -> Claim | None:
    """Whether `source` is an accelerate launch config."""
    return by_keys(source.mapping, own=_OWN, shared=_SHARED, need=3)


def read(source: Source) -> Reading:
    """What an accelerate config says."""
    facts = Facts(source.documents[0])
    notes: list[Notice] = []
    open_: dict[str, Blank] = {}
    machine = facts.at()
    machine.integer("chips", "num_processes", high=10**7)
    machine.integer("nodes", "num_machines", high=10**6)
    word = facts.raw("mixed_precision")
    if isinstance(word, str) and word.lower() != "no":
        training_keys.set_precision(facts, word, ("mixed_precision",), notes, open_)
    machines = (Machine(source.stem, machine.found),) if machine.found else ()
    return Reading(
        NAME,
        source.name,
        kind="train",
        facts=facts.found,
        machines=machines,
        notes=tuple(notes),
        open=open_,
    )
