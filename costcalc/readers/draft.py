"""A plan drafted from files: what is known, where each value comes from, and what is still open."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from costcalc import messages
from costcalc.errors import InputError
from costcalc.estimate.architecture import Architecture
from costcalc.notices import Notice
from costcalc.readers.reading import Blank, Fact

PLAN_VERSION = 1
READING_SCHEMA = "costcalc.reading/1"
# notes about the hardware of a file, void where other hardware is taken
HARDWARE_NOTES = frozenset({"read_accelerator_meaning", "read_first_taken"})
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9._/+-]*(?::[A-Za-z0-9._+-]+)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


@dataclass(slots=True)
class Workload:
    """A workload of the draft.

    Attributes:
        values: plan keys in the order of the plan. origins: fact behind a key.
        blanks: keys that the quote needs and no file says.
    """

    name: str
    kind: str
    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, Fact] = field(default_factory=dict)
    blanks: dict[str, Blank] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """What files mean as a plan.

    Attributes:
        name: the plan's name. workloads: in the order of the files.
        facts: everything that was understood, for `--explain`.
        notes: what a reader of the quote must know.
        models: architectures of models that only a file describes, under the name in the plan.
        formats: which format each file was read as.
    """

    name: str
    workloads: tuple[Workload, ...]
    facts: tuple[Fact, ...] = ()
    notes: tuple[Notice, ...] = ()
    models: Mapping[str, Architecture] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)

    @property
    def blanks(self) -> tuple[tuple[Workload, Blank], ...]:
        """Everything that is still open."""
        return tuple(
            (workload, blank) for workload in self.workloads for blank in workload.blanks.values()
        )

    def plan(self) -> dict[str, Any]:
        """The plan as plain data; open keys are absent."""
        return {
            "version": PLAN_VERSION,
            "name": self.name,
            "workloads": [
                {"name": item.name, "kind": item.kind, **item.values} for item in self.workloads
            ],
        }

    def require_complete(self) -> dict[str, Any]:
        """`plan()`.

        Raises:
            InputError: something is open, or the files describe nothing that can be quoted; the
                message names every blank and how to fill it.
        """
        if not self.workloads:
            names = ", ".join(self.formats) or self.name
            raise InputError("readers.nothing_to_quote", names=names)
        if self.blanks:
            raise BlanksError(self)
        return self.plan()

    def json(self, language: str, *, explain: bool = False) -> str:
        """The plan as JSON; with `explain`, wrapped with facts, blanks and notes."""
        data: dict[str, Any] = self.plan()
        if explain:
            data = {
                "schema": READING_SCHEMA,
                "formats": dict(self.formats),
                "plan": data,
                "facts": [
                    {
                        "name": fact.name,
                        "value": list(fact.value) if isinstance(fact.value, tuple) else fact.value,
                        "key": fact.key,
                        "file": fact.file or None,
                        "line": fact.line,
                        "origin": fact.origin,
                    }
                    for fact in self.facts
                ],
                "blanks": [
                    {
                        "workload": workload.name,
                        "key": blank.key,
                        "message": blank_text(blank, language),
                    }
                    for workload, blank in self.blanks
                ],
                "notes": [
                    {"code": note.code, "message": note.message(language)} for note in self.notes
                ],
            }
        return json.dumps(data, ensure_ascii=False, indent=2)

    def yaml(self, language: str, *, explain: bool = False) -> str:
        """The plan as YAML, with every blank as a comment in its place."""
        lines = []
        if explain:
            lines += self._explanation(language)
        lines += [f"version: {PLAN_VERSION}", f"name: {scalar(self.name)}"]
        lines.append("workloads:" if self.workloads else "workloads: []")
        for workload in self.workloads:
            lines.append(f"  - name: {scalar(workload.name)}")
            lines.append(f"    kind: {scalar(workload.kind)}")
            for key, value in workload.values.items():
                # `on` as a bare key is a truth value to readers of YAML 1.1
                line = f"    {scalar(key)}: {scalar(value)}"
                origin = workload.origins.get(key)
                if explain and origin is not None:
                    line += f"  # {comment(origin_text(origin, language))}"
                lines.append(line)
            for blank in workload.blanks.values():
                lines.append(f"    # {blank.key}: {comment(blank_text(blank, language))}")
        return "\n".join(lines) + "\n"

    def _explanation(self, language: str) -> list[str]:
        lines = []
        for file, name in self.formats.items():
            lines.append(
                "# " + comment(messages.text("readers.read_as", language, file=file, format=name))
            )
        for fact in self.facts:
            value = ", ".join(fact.value) if isinstance(fact.value, tuple) else fact.value
            lines.append(
                f"#   {fact.name} = {comment(str(value))}  <- "
                f"{comment(origin_text(fact, language))}"
            )
        for note in self.notes:
            lines.append(f"# {comment(note.message(language))}")
        return lines


class BlanksError(InputError):
    """Files leave open what a quote needs."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        keys = ", ".join(dict.fromkeys(blank.key for _, blank in draft.blanks))
        super().__init__("readers.blanks", keys=keys, detail="")

    def message(self, language: str = "en") -> str:
        """Every blank with its reason, one to a line."""
        several = len(self.draft.workloads) > 1
        lines = []
        for workload, blank in self.draft.blanks:
            name = f"{workload.name}: " if several else ""
            lines.append(f"\n  {name}{blank.key}: {blank_text(blank, language)}")
        keys = self.params["keys"]
        return messages.text("readers.blanks", language, keys=keys, detail="".join(lines))


def blank_text(blank: Blank, language: str) -> str:
    """Why something is open and how to fill it."""
    return messages.text(blank.reason, language, **blank.params)


def origin_text(fact: Fact, language: str) -> str:
    """Key, file and line of a fact, and whether it was written there."""
    if fact.origin == "file":
        return fact.place()
    return messages.text(f"readers.origin_{fact.origin}", language, place=fact.place())


def comment(text: str) -> str:
    """Text that stays within one YAML comment."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def scalar(value: Any) -> str:
    """A value as YAML that every YAML version reads alike."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return repr(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return f'"{"".join(_escaped(letter) for letter in text)}"'


def _escaped(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    if letter.isprintable():
        return letter
    code = ord(letter)
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )
