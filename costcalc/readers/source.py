"""A file to be read: its text, what syntax it is in, and its documents as plain data.

Every limit of `costcalc.safeyaml` holds for JSON and TOML too: size, depth, number of values,
duplicate keys, numbers that no calculation could hold.
"""

from __future__ import annotations

import json
import os
import re
from functools import cached_property
from typing import Any, Literal

from costcalc import safeyaml
from costcalc.errors import InputError
from costcalc.safeyaml import Document

Syntax = Literal["yaml", "json", "toml", "arguments"]

# A Terraform plan of a large estate has tens of megabytes; nothing else comes near.
MAX_JSON_BYTES = 64 * 1024 * 1024
MAX_TEXT_BYTES = 4 * 1024 * 1024
MAX_TOML_BYTES = 256 * 1024
MAX_JSON_VALUES = 4_000_000
MAX_JSON_DEPTH = 200
MAX_TOML_KEY_PARTS = 16

_TABLE = re.compile(r"(?m)^[ \t]*\[\[?[A-Za-z0-9_.\"' -]+\]\]?[ \t]*(?:#.*)?$")
_ASSIGNMENT = re.compile(r"(?m)^[ \t]*[A-Za-z0-9_.\"-]+[ \t]*=[ \t]*\S")
_FLAG = re.compile(r"(?m)(?:^|[\s\"'(=])--[A-Za-z][A-Za-z0-9_-]+(?=[\s\"'=\\)]|$)")
_ENDING = re.compile(r"(?:\.config)?\.(?:ya?ml|json|toml|args|sh|txt)$", re.IGNORECASE)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class Source:
    """One file.

    Attributes:
        name: its path as it was given.
        text: its content.
        syntax: how it is written.
    """

    def __init__(self, name: str, text: str, syntax: Syntax | None = None) -> None:
        self.name = name
        self.text = text.removeprefix("\ufeff")
        self._documents: tuple[Document, ...] | None = None
        self.syntax: Syntax = syntax or self._detect()

    @classmethod
    def open(cls, path: str | os.PathLike[str], syntax: Syntax | None = None) -> Source:
        """Read a file.

        Raises:
            InputError: it cannot be read, or is not valid in its syntax.
        """
        name = os.fspath(path)
        text = safeyaml.read_file(name, limit_bytes=MAX_JSON_BYTES)
        return cls(name, text, syntax)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents as plain data; none for `arguments`.

        Raises:
            InputError: not valid in its syntax, with the line.
        """
        if self._documents is None:
            self._documents = self._parse(self.syntax)
        return self._documents

    @cached_property
    def mapping(self) -> dict[str, Any] | None:
        """The one document, when it is one mapping."""
        if len(self.documents) != 1 or not isinstance(self.documents[0].data, dict):
            return None
        data: dict[str, Any] = self.documents[0].data
        return data

    @property
    def stem(self) -> str:
        """The file's name without folder and ending."""
        return stem(self.name)

    def _detect(self) -> Syntax:
        start = self.text.lstrip()[:1]
        if start == "{":
            # A flow mapping of YAML starts like JSON; only the file's name tells them apart.
            return "yaml" if self.name.lower().endswith((".yaml", ".yml")) else "json"
        if start == "[" and not _TABLE.search(self.text):
            return "json"
        if len(self.text) <= MAX_TOML_BYTES and self._looks_like_toml():
            return "toml"
        flags = len(_FLAG.findall(self.text[:MAX_TEXT_BYTES]))
        if flags >= 2:
            # A YAML file may hold flags in its scripts; a list of flags is no YAML mapping.
            try:
                documents = self._parse("yaml")
            except InputError:
                return "arguments"
            if not any(isinstance(document.data, dict | list) for document in documents):
                return "arguments"
            self._documents = documents
        return "yaml"

    def _looks_like_toml(self) -> bool:
        return bool(_TABLE.search(self.text)) and bool(_ASSIGNMENT.search(self.text))

    def _parse(self, syntax: Syntax) -> tuple[Document, ...]:
        if syntax == "arguments":
            return ()
        if syntax == "json":
            return (load_json(self.text, self.name),)
        self._limit(MAX_TOML_BYTES if syntax == "toml" else MAX_TEXT_BYTES)
        if syntax == "toml":
            return (load_toml(self.text, self.name),)
        documents = safeyaml.load_all(self.text, self.name)
        return tuple(document for document in documents if document.data is not None)

    def _limit(self, limit: int) -> None:
        if len(self.text) > limit:
            size = f"{limit / 1024**2:.3g} MiB"
            raise InputError("safeyaml.too_large", name=self.name, limit=size)


def stem(path: str) -> str:
    """A file's name without folder and ending; `config.json` in a folder is named after that."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    name = parts[-1] if parts else "plan"
    short = _ENDING.sub("", name)
    if short in ("config", "") and len(parts) > 1 and parts[-2] not in (".", ".."):
        return parts[-2]
    return short or name


def load_json(text: str, name: str) -> Document:
    """JSON as plain data, within limits.

    Raises:
        InputError: not JSON (with line and column), duplicate keys, too deep, too many values, a
            number that is not finite or hundreds of digits long.
    """
    _check_depth(text, name)

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            seen: set[str] = set()
            for key, _ in items:
                if key in seen:
                    raise InputError("readers.json_duplicate", name=name, entry=_short(key))
                seen.add(key)
        return found

    def constant(word: str) -> Any:
        raise InputError("readers.json_number", name=name, text=word)

    def whole(digits: str) -> int:
        if len(digits) > safeyaml.MAX_NUMBER_CHARS:
            raise InputError("readers.json_number", name=name, text=_short(digits))
        return int(digits)

    def real(digits: str) -> float:
        value = float(digits)
        if value in (float("inf"), float("-inf")):
            raise InputError("readers.json_number", name=name, text=_short(digits))
        return value

    try:
        data = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_constant=constant,
            parse_int=whole,
            parse_float=real,
        )
    except json.JSONDecodeError as error:
        raise InputError(
            "readers.json_syntax",
            name=name,
            line=error.lineno,
            column=error.colno,
            problem=error.msg,
        ) from None
    return Document(name, data)


def _check_depth(text: str, name: str) -> None:
    """Refuse nesting and numbers of values that could exhaust stack or memory, before parsing."""
    depth = values = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*+"|[\[\]{},]', text):
        letter = match[0]
        if letter in "[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                line = text.count("\n", 0, match.start()) + 1
                raise InputError("safeyaml.depth", name=name, line=line, limit=MAX_JSON_DEPTH)
        elif letter in "]}":
            depth -= 1
        elif letter == ",":
            values += 1
            if values > MAX_JSON_VALUES:
                line = text.count("\n", 0, match.start()) + 1
                raise InputError("safeyaml.values", name=name, line=line, limit=MAX_JSON_VALUES)


def load_toml(text: str, name: str) -> Document:
    """TOML as plain data, within limits.

    Raises:
        InputError: not TOML, too deep, or a key with too many parts.
    """
    import tomllib

    for number, line in enumerate(text.splitlines(), 1):
        head = _STRING.sub("", line.partition("=")[0].partition("#")[0])
        if head.count(".") >= MAX_TOML_KEY_PARTS:
            raise InputError("safeyaml.depth", name=name, line=number, limit=MAX_TOML_KEY_PARTS)
    _check_depth(text, name)
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as error:
        raise InputError("readers.toml_syntax", name=name, problem=_short(str(error))) from None
    return Document(name, data)


def _short(text: str, limit: int = 120) -> str:
    clean = " ".join(text.split())
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
