"""What a reader understood from a file: facts with the key each came from, and what is missing.

None of this knows the plan's schema. `costcalc.readers.assemble` turns it into a plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from costcalc.errors import InputError
from costcalc.estimate.architecture import Architecture
from costcalc.notices import Notice

Kind = Literal["train", "serve", "machine"]
Choice = Literal["all", "any", "first"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a file says.

    Attributes:
        name: what it is, in costcalc's words: `seq_len`, `steps`, `chips`.
        value: str, int, float, bool, or a tuple of str.
        key: the key in the file, dotted; for a derived fact, how it follows from others.
        file: the file's name.
        line: 1-based line, None where the format has no lines.
        origin: `file` (written there), `default` (the tool's documented default, the key is
            absent), `derived` (follows from other facts), `given` (an option or `--set`).
    """

    name: str
    value: Any
    key: str
    file: str = ""
    line: int | None = None
    origin: Literal["file", "default", "derived", "given"] = "file"

    def place(self) -> str:
        """Key, file and line, as `--explain` shows them."""
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{self.key} ({where})" if where else self.key


@dataclass(frozen=True, slots=True)
class Machine:
    """Machines that a file asks for.

    Facts that it may have: `accelerator` (catalog id or alias), `chips` (in all), `slice` (a TPU
    slice name), `slices`, `topology`, `instance_type`, `instances`, `provider`, `region`,
    `purchase`, `nodes`, `chips_per_node`.

    Attributes:
        name: what the file calls it.
        facts: by fact name.
        runs: `always` for what stays up until somebody removes it, `job` for what ends.
        replica: of a service, the facts that differ when one replica is meant instead of all:
            `chips`, `slices`, `instances`; and `replicas`, when the file gives a fixed number.
    """

    name: str
    facts: Mapping[str, Fact]
    runs: Literal["always", "job"] = "job"
    replica: Mapping[str, Fact] = field(default_factory=dict)

    def value(self, name: str) -> Any:
        """The value of a fact, None when the file does not say."""
        fact = self.facts.get(name)
        return None if fact is None else fact.value


@dataclass(frozen=True, slots=True)
class Blank:
    """Something that the quote needs and no file says.

    Attributes:
        key: the plan key (or fact) that fills it.
        workload: whose it is; empty when the plan has only one.
        reason: message key that says why it is open; `params` fill it.
    """

    key: str
    reason: str
    params: Mapping[str, Any] = field(default_factory=dict)
    workload: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything that one file says, in costcalc's words.

    Attributes:
        format: name of the reader.
        file: name of the file.
        name: what the file calls the run, None when it does not.
        kind: what it describes; None when it could be training or serving.
        facts: about the run, by fact name.
        machines: what it runs on; how they belong together is `choice`.
        choice: `all` machines are needed; `any` one of them will do (the launcher takes the
            cheapest); the `first` that can be had is taken.
        architecture: the model's dimensions, where the file has them.
        notes: what a reader of the quote must know about this file.
        open: names of facts that the file leaves open, with the reason (a message key).
        base: name of a file of the same format that this one overrides, if it names one.
    """

    format: str
    file: str
    name: str | None = None
    kind: Kind | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    machines: tuple[Machine, ...] = ()
    choice: Choice = "all"
    architecture: Architecture | None = None
    notes: tuple[Notice, ...] = ()
    open: Mapping[str, Blank] = field(default_factory=dict)
    base: str | None = None

    def value(self, name: str) -> Any:
        """The value of a fact, None when the file does not say."""
        fact = self.facts.get(name)
        return None if fact is None else fact.value


def one_of(facts: Iterable[Fact]) -> Fact | None:
    """The one value that several keys of a file give for the same thing.

    Raises:
        InputError: they differ.
    """
    found: Fact | None = None
    for fact in facts:
        if found is None:
            found = fact
        elif found.value != fact.value:
            raise InputError(
                "readers.two_values",
                name=fact.name,
                first=found.place(),
                first_value=found.value,
                second=fact.place(),
                second_value=fact.value,
            )
    return found
