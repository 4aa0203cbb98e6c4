"""Values out of a file's mapping, checked, each remembered with the key that it came from."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal

from costcalc.errors import InputError
from costcalc.readers.reading import Fact
from costcalc.safeyaml import Document, KeyPath
from costcalc.units import parse_number

MAX_COUNT = 10**18
MAX_TEXT = 300
_TRUE = frozenset({"true", "yes", "on", "1"})
_FALSE = frozenset({"false", "no", "off", "0", "none", ""})
_REFERENCE = re.compile(r"\$\{([A-Za-z_][\w.]*)\}")
_UNKNOWN = re.compile(r"\$\{|\$\(|\{\{|^\$[A-Za-z_]")
Origin = Literal["file", "default", "derived", "given"]


def dotted(path: KeyPath) -> str:
    """A path as people write it: `spec.template.spec.containers[0].resources`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def child(node: Any, *path: str | int) -> Any:
    """The value at `path`, None where anything on the way is missing or of another kind."""
    for part in path:
        if isinstance(part, int):
            if not isinstance(node, list) or not -len(node) <= part < len(node):
                return None
            node = node[part]
        elif isinstance(node, dict):
            node = node.get(part)
        else:
            return None
    return node


def clean(text: str, limit: int = MAX_TEXT) -> str:
    """`text` on one line, printable, of bounded length."""
    if len(text) <= limit and " " not in text and text.isascii() and text.isprintable():
        return text
    text = text.encode("utf-8", "replace").decode("utf-8")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


class Facts:
    """The facts of one mapping of a document, and what it leaves open.

    A value that the file takes from elsewhere (`${OTHER}`, `{{ template }}`, `$VARIABLE`) counts as
    not given, and its key is kept in `references`; `${key}` of the same document is followed.
    """

    def __init__(self, document: Document, base: KeyPath = ()) -> None:
        self.document = document
        self.base = base
        self.node = child(document.data, *base)
        self.found: dict[str, Fact] = {}
        self.references: dict[str, str] = {}

    def at(self, *path: str | int) -> Facts:
        """The same document from a key further down; facts are collected apart."""
        return Facts(self.document, (*self.base, *path))

    def has(self, *path: str | int) -> bool:
        """Whether the key exists, also without a value."""
        parent = child(self.node, *path[:-1])
        return isinstance(parent, dict) and path[-1] in parent

    def raw(self, *path: str | int) -> Any:
        """The value at a key as it stands; None when it is absent or refers elsewhere."""
        value = child(self.node, *path)
        for _ in range(8):
            if not isinstance(value, str):
                return value
            match = _REFERENCE.fullmatch(value.strip())
            if match is None:
                break
            value = child(self.document.data, *match[1].split("."))
        if isinstance(value, str) and _UNKNOWN.search(value):
            self.references[dotted((*self.base, *path))] = clean(value, 60)
            return None
        return value

    def fact(
        self, name: str, value: Any, *path: str | int, origin: Origin = "file", key: str = ""
    ) -> Fact:
        """Make and keep a fact whose value was computed from the key at `path`."""
        full = (*self.base, *path)
        line = self.document.line(full) if origin == "file" and self.document.has_lines else None
        fact = Fact(name, value, key or dotted(full), self.document.name, line, origin)
        self.found[name] = fact
        return fact

    def default(self, name: str, value: Any, key: str) -> None:
        """Keep the tool's documented default for a key that the file does not have."""
        if name not in self.found:
            self.found[name] = Fact(name, value, key, self.document.name, None, "default")

    def error(self, message: str, *path: str | int, **params: Any) -> InputError:
        """An `InputError` that names file, line and key."""
        full = (*self.base, *path)
        line = f":{self.document.line(full)}" if self.document.has_lines else ""
        where = clean(f"{self.document.name}{line}, {dotted(full) or '-'}")
        return InputError(f"readers.{message}", where=where, **params)

    def integer(
        self,
        name: str,
        *path: str | int,
        low: int = 1,
        high: int = MAX_COUNT,
        unset: Iterable[int] = (),
    ) -> int | None:
        """A whole number; `unset` values (such as -1) count as not given."""
        value = self.number(name, *path, low=min([low, *unset]), high=high)
        if value is None:
            return None
        whole = int(value)
        if whole != value:
            del self.found[name]
            raise self.error("not_whole", *path, text=_shown(value))
        if whole in unset or whole < low:
            del self.found[name]
            if whole in unset:
                return None
            raise self.error("out_of_range", *path, text=_shown(value), low=low, high=high)
        self.fact(name, whole, *path)
        return whole

    def number(
        self, name: str, *path: str | int, low: float = 0, high: float = MAX_COUNT
    ) -> float | None:
        """A number; text that holds one (`"8"`, `8k`) counts."""
        value = self.raw(*path)
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        found = self._number(value, path)
        if not low <= found <= high:
            raise self.error("out_of_range", *path, text=_shown(value), low=low, high=high)
        self.fact(name, found, *path)
        return found

    def _number(self, value: Any, path: KeyPath) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise self.error("not_number", *path, text=_shown(value))
        if isinstance(value, str):
            try:
                parsed = parse_number(value, "", low=-MAX_COUNT, high=Decimal(10) ** 30)
            except InputError:
                raise self.error("not_number", *path, text=_shown(value)) from None
            return int(parsed) if parsed == parsed.to_integral_value() else float(parsed)
        if isinstance(value, int):
            return value
        number: float = value
        if not math.isfinite(number):
            raise self.error("not_number", *path, text=_shown(value))
        return int(number) if number.is_integer() else number

    def boolean(self, name: str, *path: str | int) -> bool | None:
        """A truth value; `yes` and `on` count, as they do for YAML 1.1 tools."""
        value = self.raw(*path)
        if value is None:
            return None
        word = str(value).strip().lower() if isinstance(value, str | int) else None
        if isinstance(value, bool):
            truth = value
        elif word in _TRUE or word in _FALSE:
            truth = word in _TRUE
        else:
            raise self.error("not_flag", *path, text=_shown(value))
        self.fact(name, truth, *path)
        return truth

    def text(self, name: str, *path: str | int) -> str | None:
        """Text on one line; an empty one counts as not given."""
        value = self.raw(*path)
        if value is None or value == "":
            return None
        if isinstance(value, bool | dict | list):
            raise self.error("not_text", *path, text=_shown(value))
        word = clean(str(value))
        if not word:
            return None
        self.fact(name, word, *path)
        return word

    def merge(self, *others: Facts) -> None:
        """Take over the facts of other parts of the document."""
        for other in others:
            self.found.update(other.found)
            self.references.update(other.references)


def items(node: Any, limit: int = 1_000_000) -> Iterator[tuple[int, Any]]:
    """The items of a list with their indexes; nothing for anything else."""
    if isinstance(node, list):
        yield from enumerate(node[:limit])


def entries(node: Any) -> Mapping[str, Any]:
    """A mapping; an empty one for anything else."""
    return node if isinstance(node, dict) else {}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{...}"
    if isinstance(value, list):
        return "[...]"
    return clean(repr(value), 60)
