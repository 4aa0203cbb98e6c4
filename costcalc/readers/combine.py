"""Several files of one run become one understanding; contradictions between them are said."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from costcalc.estimate.architecture import Architecture
from costcalc.notices import Notice, notice
from costcalc.readers.reading import Blank, Choice, Fact, Kind, Machine, Reading

# Formats that say what a run is launched on; the machine facts of all others are what it expects.
LAUNCHERS = ("skypilot", "kubernetes", "terraform")


@dataclass(slots=True)
class Combined:
    """All files together.

    Attributes:
        facts: about the run, by name. expected: machine facts of training configs.
        machines, choice: what launchers ask for.
        architectures: dimensions with the file that gives them.
        open: what the files leave open or contradict each other in.
        formats: format by file.
    """

    facts: dict[str, Fact] = field(default_factory=dict)
    expected: dict[str, Fact] = field(default_factory=dict)
    machines: list[Machine] = field(default_factory=list)
    choice: Choice = "all"
    architectures: list[tuple[str, Architecture]] = field(default_factory=list)
    notes: list[Notice] = field(default_factory=list)
    open: dict[str, Blank] = field(default_factory=dict)
    formats: dict[str, str] = field(default_factory=dict)
    kinds: list[Kind | None] = field(default_factory=list)
    name: str | None = None
    files: list[str] = field(default_factory=list)


def combine(readings: Sequence[Reading], same: Callable[[str, Any, Any], bool]) -> Combined:
    """The readings as one.

    Args:
        same: whether two values of a fact mean the same (two names of one model do).
    """
    result = Combined()
    order = _by_precedence(readings)
    for reading in order:
        result.files.append(reading.file)
        result.formats[reading.file] = reading.format
        result.kinds.append(reading.kind)
        result.notes += [note for note in reading.notes if note not in result.notes]
        if reading.architecture is not None:
            result.architectures.append((reading.file, reading.architecture))
        if reading.name and (result.name is None or reading.format not in LAUNCHERS):
            result.name = reading.name
    overridden = _overridden(order)
    groups: dict[str, list[tuple[Reading, Fact]]] = {}
    expected: dict[str, list[tuple[Reading, Fact]]] = {}
    for reading in order:
        for name, fact in reading.facts.items():
            groups.setdefault(name, []).append((reading, fact))
        if reading.format in LAUNCHERS or not _is_training(reading):
            _launcher(result, reading)
        else:
            for machine in reading.machines:
                for name, fact in machine.facts.items():
                    expected.setdefault(name, []).append((reading, fact))
        for name, blank in reading.open.items():
            result.open.setdefault(name, blank)
    result.facts = _merge(groups, overridden, same, result)
    result.expected = _merge(expected, overridden, same, result)
    for name in result.facts:
        # another file may say what one file leaves open
        if name in result.open and result.open[name].reason != "readers.open_conflict":
            del result.open[name]
    return result


def _is_training(reading: Reading) -> bool:
    return reading.kind == "train"


def _launcher(result: Combined, reading: Reading) -> None:
    if not reading.machines:
        return
    if result.machines and (result.choice != "all" or reading.choice != "all"):
        # alternatives of one file cannot be set against the machines of another
        shown = ", ".join(result.files)
        result.open["on"] = Blank("on", "readers.open_two_launchers", {"names": shown})
    taken = {machine.name for machine in result.machines}
    for machine in reading.machines:
        name, number = machine.name, 2
        while name in taken and reading.choice == "all":
            name, number = f"{machine.name}-{number}", number + 1
        taken.add(name)
        result.machines.append(replace(machine, name=name))
    result.choice = reading.choice


def _by_precedence(readings: Sequence[Reading]) -> list[Reading]:
    """Base files after the files that build on them, otherwise as given."""
    bases = {id(base) for base in _bases(readings)}
    return sorted(readings, key=lambda reading: id(reading) in bases)


def _bases(readings: Sequence[Reading]) -> list[Reading]:
    found = []
    for reading in readings:
        for other in readings:
            if other is not reading and _builds_on(reading, other):
                found.append(other)
    return found


def _builds_on(reading: Reading, other: Reading) -> bool:
    """Whether `reading` takes from `other` what it does not say itself."""
    if reading.format != other.format:
        return False
    file = posixpath.basename(other.file.replace("\\", "/"))
    if reading.base is not None and posixpath.basename(reading.base.replace("\\", "/")) == file:
        return True
    # MaxText: configs/models/<model_name>.yml
    name = reading.value("model")
    return reading.base is not None and isinstance(name, str) and file.rpartition(".")[0] == name


def _overridden(readings: Sequence[Reading]) -> dict[int, set[int]]:
    """By reading, the readings whose facts it overrides."""
    return {
        id(reading): {
            id(other) for other in readings if other is not reading and _builds_on(reading, other)
        }
        for reading in readings
    }


def _merge(
    groups: dict[str, list[tuple[Reading, Fact]]],
    overridden: dict[int, set[int]],
    same: Callable[[str, Any, Any], bool],
    result: Combined,
) -> dict[str, Fact]:
    merged: dict[str, Fact] = {}
    for name, found in groups.items():
        written = [pair for pair in found if pair[1].origin != "default"] or found
        first = written[0]
        clash = next(
            (
                fact
                for reading, fact in written[1:]
                if id(reading) not in overridden[id(first[0])]
                and not same(name, first[1].value, fact.value)
            ),
            None,
        )
        if clash is None or name in _INFORMATIVE:
            merged[name] = first[1]
            continue
        key = _PLAN_KEY.get(name, name)
        result.open[key] = Blank(
            key,
            "readers.open_conflict",
            {
                "first": first[1].place(),
                "first_value": _text(first[1].value),
                "second": clash.place(),
                "second_value": _text(clash.value),
            },
        )
        result.notes.append(
            notice(
                "read_conflict",
                name=key,
                first=first[1].place(),
                first_value=_text(first[1].value),
                second=clash.place(),
                second_value=_text(clash.value),
            )
        )
    return merged


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


# Facts that explain but decide nothing; two files may well differ in them.
_INFORMATIVE = frozenset(
    {
        "dataset",
        "optimizer",
        "recompute",
        "weights_dtype",
        "max_context",
        "model_type",
        "max_samples",
        "stage",
        "validation_fraction",
        "stored_precision",
        "window",
        "first_dense",
        "tied_embeddings",
        "expert",
        "data_shard",
        "data_replicate",
    }
)
_DIMENSIONS = (
    "hidden",
    "layers",
    "heads",
    "kv_heads",
    "head_dim",
    "ffn",
    "vocab",
    "experts",
    "experts_per_token",
    "shared_experts",
    "expert_ffn",
    "shared_ffn",
    "kv_lora_rank",
    "q_lora_rank",
)
_PLAN_KEY = {
    "chips": "on",
    "slice": "on",
    "slices": "on",
    "accelerator": "on",
    "chips_per_node": "on",
    "nodes": "on",
    **dict.fromkeys(_DIMENSIONS, "model"),
    **dict.fromkeys(("micro_batch", "accumulation", "batch_sequences"), "global_batch"),
    "steps": "tokens",
    "samples": "tokens",
}
