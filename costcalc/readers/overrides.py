"""`--set KEY=VALUE` and options: they fill what files leave open, or replace what they say."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from costcalc.errors import InputError
from costcalc.readers.draft import Workload
from costcalc.readers.reading import Fact
from costcalc.units import parse_count, parse_number

# Facts of a file that may be set besides the keys of the plan.
FACTS = {
    "accelerator": "text",
    "chips": "count",
    "steps": "count",
    "micro_batch": "number",
    "accumulation": "count",
    "batch_sequences": "count",
}
_RUN = ("steps", "micro_batch", "accumulation", "batch_sequences", "seq_len", "global_batch")
_COUNTS = frozenset({"tokens", "seq_len", "global_batch", "lora_rank"})
_PLACE = ("provider", "region", "purchase")


def find(sets: Mapping[str, Any], workload: str, key: str) -> Any:
    """The value set for `key` of a workload: its own (`NAME.key`), else the common one."""
    own = sets.get(f"{workload}.{key}")
    return sets.get(key) if own is None else own


def _count(text: Any, key: str) -> int:
    return parse_count(str(text), f"--set {key}", example="8")


def run_facts(facts: Mapping[str, Fact], sets: Mapping[str, Any], workload: str) -> dict[str, Fact]:
    """Facts of a run with what was set in their place.

    Raises:
        InputError: a value that is no number.
    """
    found = dict(facts)
    for key in (*_RUN, "epochs", "method", "precision", "lora_rank"):
        value = find(sets, workload, key)
        if value is None:
            continue
        if key in ("method", "precision", "epochs"):
            number: Any = value
        elif key == "micro_batch":
            number = float(parse_number(str(value), f"--set {key}", low=0, high=10**9))
        else:
            number = _count(value, key)
        found[key] = Fact(key, number, f"--set {key}", origin="given")
    if find(sets, workload, "steps") is not None:
        found.pop("samples", None)
    if find(sets, workload, "batch_sequences") is not None:
        found.pop("micro_batch", None)
    if find(sets, workload, "micro_batch") is not None and "batch_sequences" not in sets:
        found.pop("batch_sequences", None)
    return found


def machine_facts(
    facts: Mapping[str, Fact], sets: Mapping[str, Any], workload: str
) -> dict[str, Fact]:
    """Facts of a machine with what was set in their place."""
    found = dict(facts)
    accelerator = find(sets, workload, "accelerator")
    chips = find(sets, workload, "chips")
    if accelerator is not None or chips is not None:
        # what is set describes the hardware anew; a machine type in the file would contradict it
        for key in ("instance_type", "instances", "slice", "slices", "topology"):
            found.pop(key, None)
    if accelerator is not None:
        found["accelerator"] = Fact(
            "accelerator", str(accelerator), "--set accelerator", origin="given"
        )
    if chips is not None:
        found["chips"] = Fact("chips", _count(chips, "chips"), "--set chips", origin="given")
    for key in _PLACE:
        value = find(sets, workload, key)
        if value is not None:
            found[key] = Fact(key, str(value), f"--set {key}", origin="given")
    return found


def apply(workloads: Sequence[Workload], sets: Mapping[str, Any]) -> None:
    """Put plan keys that were set into the workloads.

    Raises:
        InputError: a key that no workload of these kinds has; the nearest ones are told.
    """
    from dataclasses import fields

    from costcalc.quote.plan import KINDS

    known: set[str] = set()
    for workload in workloads:
        keys = [field.name for field in fields(KINDS[workload.kind])]
        own = [key for key in keys if key not in ("kind", "name")]
        known |= {*own, *FACTS, *(f"{workload.name}.{key}" for key in (*own, *FACTS))}
        for key in own:
            value = find(sets, workload.name, key)
            if value is None:
                continue
            workload.values[key] = _count(value, key) if key in _COUNTS else value
            workload.origins[key] = Fact(key, value, f"--set {key}", origin="given")
            workload.blanks.pop(key, None)
    for key in sets:
        if key not in known:
            short = sorted(key for key in known if "." not in key) or sorted(FACTS)
            near = difflib.get_close_matches(key, known or FACTS, n=3) or short
            raise InputError("readers.no_set_key", name=key, names=", ".join(near))
