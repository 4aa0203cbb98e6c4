"""The readers, and which of them a file belongs to.

A reader is a module with `NAME`, `TITLE`, `claim(source)` and `read(source)`. Adding one is the
module and one row here; another package registers its own through the entry point group
`costcalc.readers` (name = the format's name, value = the module).
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from costcalc.errors import InputError
from costcalc.readers.claims import Claim
from costcalc.readers.reading import Reading
from costcalc.readers.source import Source, Syntax

ENTRY_POINT_GROUP = "costcalc.readers"
READERS: dict[str, str] = {
    "huggingface": "costcalc.readers.huggingface",
    "axolotl": "costcalc.readers.axolotl",
    "trl": "costcalc.readers.trl",
    "llamafactory": "costcalc.readers.llamafactory",
    "torchtune": "costcalc.readers.torchtune",
    "maxtext": "costcalc.readers.maxtext",
    "megatron": "costcalc.readers.megatron",
    "torchtitan": "costcalc.readers.torchtitan",
    "accelerate": "costcalc.readers.accelerate",
    "skypilot": "costcalc.readers.skypilot",
    "kubernetes": "costcalc.readers.kubernetes",
    "terraform": "costcalc.readers.terraform",
}
# Formats that are not YAML or JSON are read in their own syntax when they are named.
_SYNTAX: dict[str, Syntax] = {"megatron": "arguments", "torchtitan": "toml"}
_SEVERAL_DOCUMENTS = ("kubernetes", "skypilot")
_OTHER_NAMES = {
    "hf": "huggingface",
    "hf-trainer": "trl",
    "llama-factory": "llamafactory",
    "megatron-lm": "megatron",
    "k8s": "kubernetes",
    "sky": "skypilot",
    "tf": "terraform",
}


class Reader(Protocol):
    """What a reader module has."""

    NAME: str
    TITLE: str

    def claim(self, source: Source) -> Claim | None:
        """The keys that show that `source` is in this format; None when it is not."""
        ...

    def read(self, source: Source) -> Reading:
        """What `source` says."""
        ...


def _canonical(name: str) -> str:
    lowered = name.strip().lower()
    return _OTHER_NAMES.get(lowered, lowered)


@cache
def _foreign() -> dict[str, Any]:
    """Readers of other packages, by name; built-in names cannot be taken over."""
    from importlib.metadata import entry_points

    points = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    return {point.name: point for point in points if point.name not in READERS}


def names() -> list[str]:
    """Every format's name."""
    return [*READERS, *_foreign()]


def reader(name: str) -> Reader:
    """The reader of a format.

    Raises:
        InputError: no such format (the nearest ones are told), or a foreign reader that does not
            load or lacks something.
    """
    lowered = _canonical(name)
    if lowered in READERS:
        return import_module(READERS[lowered])
    point = _foreign().get(lowered)
    if point is None:
        near = difflib.get_close_matches(lowered, names(), n=3) or names()
        raise InputError("readers.no_format", name=name, names=", ".join(near))
    try:
        foreign: Any = point.load()
    except (ImportError, AttributeError, SyntaxError) as error:
        raise InputError("readers.foreign_broken", name=lowered, reason=str(error)) from None
    missing = [part for part in ("claim", "read") if not callable(getattr(foreign, part, None))]
    if missing:
        raise InputError(
            "readers.foreign_broken", name=lowered, reason=f"no {', '.join(missing)}()"
        )
    found: Reader = foreign
    return found


def source_for(path: str, format_name: str | None) -> Source:
    """Open a file, in the syntax of the format that was asked for.

    Raises:
        InputError: the file cannot be read or is not valid.
    """
    syntax = None if format_name is None else _SYNTAX.get(_canonical(format_name))
    return Source.open(path, syntax)


def detect(source: Source) -> str:
    """The format of a file, by what is in it.

    Raises:
        InputError: no reader knows it, or several do; both are told by name.
    """
    if source.mapping is not None and {"version", "workloads"} <= set(source.mapping):
        raise InputError("readers.is_plan", name=source.name)
    claims: dict[str, Claim] = {}
    for name in names():
        found = reader(name).claim(source)
        if found is not None:
            claims[name] = found
    certain = {name: claim for name, claim in claims.items() if claim.certain}
    chosen = certain or claims
    if not chosen:
        raise InputError("readers.unknown_file", name=source.name, names=", ".join(names()))
    if len(chosen) > 1:
        evidence = "; ".join(
            f"{name} ({', '.join(claim.keys[:4])})" for name, claim in chosen.items()
        )
        raise InputError(
            "readers.ambiguous_file", name=source.name, evidence=evidence, first=next(iter(chosen))
        )
    return next(iter(chosen))


def read_source(source: Source, format_name: str | None = None) -> Reading:
    """What a file says, in the format asked for or detected.

    Raises:
        InputError: unknown or ambiguous format, or values that make no sense.
    """
    if format_name is None:
        return reader(detect(source)).read(source)
    found = reader(format_name)
    name = _canonical(format_name)
    if name in READERS:
        source = _in_own_syntax(source, name, found)
    reading = found.read(source)
    if not _says_something(reading):
        raise InputError("readers.nothing_of_format", name=source.name, format=found.TITLE)
    return reading


def _in_own_syntax(source: Source, name: str, found: Reader) -> Source:
    """The file in the syntax of the format that was asked for, so that the reader can rely on it.

    Raises:
        InputError: it is not in that syntax.
    """
    syntax = _SYNTAX.get(name)
    if syntax is not None and source.syntax != syntax:
        source = Source(source.name, source.text, syntax)
    elif syntax is None and source.syntax in ("arguments", "toml"):
        source = Source(source.name, source.text, "yaml")
    if source.syntax == "arguments":
        return source
    if not source.documents:
        raise InputError("readers.empty_file", name=source.name)
    if source.mapping is None and name not in _SEVERAL_DOCUMENTS:
        raise InputError("readers.not_a_mapping", name=source.name, format=found.TITLE)
    return source


def _says_something(reading: Reading) -> bool:
    """Whether a file that was read as asked holds anything of that format."""
    facts = [fact.origin == "file" for fact in reading.facts.values()]
    return any(facts) or any(machine.facts for machine in reading.machines)
