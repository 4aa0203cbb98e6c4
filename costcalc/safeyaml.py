"""Files from strangers: bounded reading of text, and YAML as plain data with the line of every key.

The YAML that comes out is what a person means, not what YAML 1.1 says: `1e6` is a number, `on` and
`no` are words, a date is text, `010` is text. Every key is a string. Where YAML 1.1 would have said
something else, the document keeps a `Trap`, so that whoever refuses the value can say why.
Nothing here runs code, follows a tag, or grows without bound: depth, size and the expansion of
aliases are limited, and each limit ends in an `InputError` that names the line.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from costcalc.errors import InputError

DEFAULT_LIMIT_BYTES = 4 * 1024 * 1024
MAX_DEPTH = 64
MAX_VALUES = 400_000
MAX_DOCUMENTS = 2_000
MAX_NUMBER_CHARS = 64
MAX_TRAPS = 100

KeyPath: TypeAlias = tuple[str | int, ...]

_BINARY = getattr(os, "O_BINARY", 0)
_ENCODINGS = {b"\xff\xfe\x00\x00": "UTF-32", b"\x00\x00\xfe\xff": "UTF-32"}
_ENCODINGS |= {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*(?:_[0-9]+)*)")
_HEX = re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+")
_FLOAT = re.compile(
    r"[-+]?(?:(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
)
_YAML11_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9_]+")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_YES_NO = re.compile(r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF")
_INFINITY = (".inf", ".Inf", ".INF")
_SPECIAL: dict[str, float | bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    **{f"{sign}{word}": float(f"{sign}inf") for sign in ("", "+", "-") for word in _INFINITY},
    ".nan": float("nan"),
    ".NaN": float("nan"),
    ".NAN": float("nan"),
}
_TAG_TYPES = {"int": ("int",), "float": ("int", "float"), "bool": ("bool",), "null": ("NoneType",)}
_TAG = "tag:yaml.org,2002:"


@dataclass(frozen=True, slots=True)
class Trap:
    """A scalar that YAML 1.1 tools read as something else than this module does.

    Attributes:
        path: keys and indexes from the root.
        line: 1-based line.
        text: the scalar as written.
        kind: `yes_no` (kept as text, YAML 1.1: a truth value), `exponent` (read as a number,
            YAML 1.1: text), `leading_zero` (kept as text, YAML 1.1: octal), `sexagesimal` (kept
            as text, YAML 1.1: base 60).
    """

    path: KeyPath
    line: int
    text: str
    kind: str


@dataclass(frozen=True)
class Document:
    """One YAML document as plain data.

    Attributes:
        name: the file's name, for messages.
        data: dict (string keys), list, str, int, float, bool or None; no object is shared.
        start: 1-based line at which it starts.
        traps: scalars that YAML 1.1 tools read differently (the first hundred).
    """

    name: str
    data: Any
    start: int = 1
    traps: tuple[Trap, ...] = ()
    _lines: dict[int, dict[str | int, int]] = field(default_factory=dict, repr=False)

    @property
    def has_lines(self) -> bool:
        """Whether lines of keys are known (JSON and TOML readers have none)."""
        return bool(self._lines)

    def line(self, path: KeyPath = ()) -> int:
        """The 1-based line of the key (or list item) at `path`.

        A path that goes beyond what exists gives the line of its deepest existing part.
        """
        node, line = self.data, self.start
        for part in path:
            lines = self._lines.get(id(node), {})
            if part not in lines:
                break
            line = lines[part]
            node = node[part]
        return line

    def trap(self, path: KeyPath) -> Trap | None:
        """The trap at exactly `path`, if there is one."""
        return next((trap for trap in self.traps if trap.path == path), None)


def read_file(path: str | os.PathLike[str], *, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> str:
    """The text of a regular UTF-8 file (a byte order mark is dropped).

    Raises:
        InputError: missing, a folder, not a regular file, unreadable, a symlink loop, larger than
            `limit_bytes`, binary, or not UTF-8. Nothing beyond the limit is read.
    """
    name = os.fspath(path)
    return decode(read_bytes(name, limit_bytes=limit_bytes), name)


def read_bytes(path: str | os.PathLike[str], *, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> bytes:
    """The bytes of a regular file, under the rules of `read_file` that concern files."""
    name = os.fspath(path)
    shown = name.encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        # Without O_NONBLOCK, opening a FIFO that nobody writes to would wait for ever.
        handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except (OSError, ValueError) as error:
        raise _open_error(error, name, shown) from None
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        kind = "directory" if stat.S_ISDIR(status.st_mode) else "not_regular"
        raise InputError(f"safeyaml.{kind}", name=shown)
    with os.fdopen(handle, "rb") as stream:
        if status.st_size > limit_bytes:
            raise _too_large(shown, limit_bytes)
        try:
            raw = stream.read(limit_bytes + 1)
        except OSError as error:
            raise InputError("safeyaml.unreadable", name=shown, reason=_reason(error)) from None
    if len(raw) > limit_bytes:
        raise _too_large(shown, limit_bytes)
    return raw


def _open_error(error: Exception, name: str, shown: str) -> InputError:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.ELOOP:
        return InputError("safeyaml.symlink_loop", name=shown)
    if code in (errno.ENOENT, errno.ENOTDIR) or code is None:
        return InputError("safeyaml.missing", name=shown)
    if code == errno.EISDIR or (code == errno.EACCES and Path(name).is_dir()):
        return InputError("safeyaml.directory", name=shown)
    if code == errno.ENXIO:
        return InputError("safeyaml.not_regular", name=shown)
    return InputError("safeyaml.unreadable", name=shown, reason=_reason(error))


def _reason(error: Exception) -> str:
    number = getattr(error, "errno", None)
    return os.strerror(number) if number else type(error).__name__


def _too_large(name: str, limit_bytes: int) -> InputError:
    return InputError("safeyaml.too_large", name=name, limit=f"{limit_bytes / 1024**2:.3g} MiB")


def decode(raw: bytes, name: str) -> str:
    """UTF-8 bytes as text, without a byte order mark.

    Raises:
        InputError: another encoding, or a file that is not text; the line is named.
    """
    for mark, encoding in _ENCODINGS.items():
        if raw.startswith(mark):
            raise InputError("safeyaml.encoding", name=name, encoding=encoding)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    nul = raw.find(b"\0")
    if nul >= 0:
        raise InputError("safeyaml.binary", name=name, line=raw.count(b"\n", 0, nul) + 1)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError("safeyaml.not_utf8", name=name, line=line) from None


def load(text: str | bytes, name: str, *, max_values: int = MAX_VALUES) -> Document:
    """The one YAML document of `text`; an empty text gives `data` None.

    Raises:
        InputError: not YAML, several documents, duplicate keys, a tag, or a limit; with the line.
    """
    documents = load_all(text, name, max_values=max_values)
    if len(documents) > 1:
        raise InputError(
            "safeyaml.several", name=name, count=len(documents), line=documents[1].start
        )
    return documents[0] if documents else Document(name, None)


def load_all(text: str | bytes, name: str, *, max_values: int = MAX_VALUES) -> tuple[Document, ...]:
    """Every YAML document of `text`, in order, under the rules of `load`."""
    if isinstance(text, bytes):
        text = decode(text, name)
    text = text.removeprefix("\ufeff")
    bad = _CONTROL.search(text)
    if bad is not None:
        line = text.count("\n", 0, bad.start()) + 1
        code = f"U+{ord(bad[0]):04X}"
        raise InputError("safeyaml.control", name=name, line=line, code=code)
    # Imported here: no command that reads no YAML should pay for it.
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(name, max_values)
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or ""
        where = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        raise InputError(
            "safeyaml.syntax", name=name, line=where[0], column=where[1], problem=problem
        ) from None
    except yaml.YAMLError as error:
        problem = getattr(error, "reason", "") or type(error).__name__
        raise InputError("safeyaml.syntax", name=name, line=1, column=1, problem=problem) from None
    return tuple(builder.documents)


def scalar(text: str) -> tuple[Any, str | None]:
    """A plain scalar as data, and the kind of `Trap` it is, if any.

    Raises:
        ValueError: a number that no calculation could hold (`1e999`, or hundreds of digits).
    """
    if text in _SPECIAL:
        return _SPECIAL[text], None
    first = text[0]
    if first in "-+.0123456789":
        return _number(text)
    if _YES_NO.fullmatch(text):
        return text, "yes_no"
    return text, None


def _number(text: str) -> tuple[Any, str | None]:
    if _INT.fullmatch(text):
        if len(text) > MAX_NUMBER_CHARS:
            raise ValueError(text)
        return int(text), None
    if _HEX.fullmatch(text):
        if len(text) > MAX_NUMBER_CHARS:
            raise ValueError(text)
        return int(text, 0), None
    if _FLOAT.fullmatch(text):
        if len(text) > MAX_NUMBER_CHARS:
            raise ValueError(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            raise ValueError(text)
        return value, None if _YAML11_FLOAT.fullmatch(text) else "exponent"
    if _LEADING_ZERO.fullmatch(text):
        return text, "leading_zero"
    if _SEXAGESIMAL.fullmatch(text):
        return text, "sexagesimal"
    return text, None


@dataclass(slots=True)
class _Frame:
    """A mapping or a list that is still being read."""

    container: Any
    anchor: str | None
    start: int
    lines: dict[str | int, int]
    merged: list[Any] | None = None
    merge_line: int = 0
    key: str | None = None
    key_line: int = 0
    is_merge: bool = False
    size: int = 1
    height: int = 1


_OPEN = object()


class _Builder:
    """Turns parser events into documents, one event at a time and without recursion."""

    def __init__(self, name: str, max_values: int) -> None:
        self.name = name
        self.max_values = max_values
        self.documents: list[Document] = []
        self.total = 0
        self._reset(1)

    def _reset(self, start: int) -> None:
        self.start = start
        self.root: Any = None
        self.stack: list[_Frame] = []
        self.anchors: dict[str, tuple[Any, int, int]] = {}
        self.lines: dict[int, dict[str | int, int]] = {}
        self.traps: list[Trap] = []

    def _error(self, message: str, line: int, **params: Any) -> InputError:
        return InputError(f"safeyaml.{message}", name=self.name, line=line, **params)

    def take(self, event: Any) -> None:
        """The next event of the parser."""
        kind = type(event).__name__
        line = event.start_mark.line + 1
        if kind == "ScalarEvent":
            self._scalar(event, line)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._open(event, line, {} if kind == "MappingStartEvent" else [])
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            self._close()
        elif kind == "AliasEvent":
            self._alias(event.anchor, line)
        elif kind == "DocumentStartEvent":
            if len(self.documents) >= MAX_DOCUMENTS:
                raise self._error("documents", line, limit=MAX_DOCUMENTS)
            # An explicit `---` carries the document's line; content starts below it.
            self._reset(line + 1 if event.explicit else line)
        elif kind == "DocumentEndEvent":
            self.documents.append(
                Document(self.name, self.root, self.start, tuple(self.traps), self.lines)
            )

    def _count(self, amount: int, line: int) -> None:
        self.total += amount
        if self.total > self.max_values:
            raise self._error("values", line, limit=self.max_values)

    def _waits_for_key(self) -> bool:
        frame = self.stack[-1] if self.stack else None
        return frame is not None and isinstance(frame.container, dict) and frame.key is None

    def _scalar(self, event: Any, line: int) -> None:
        self._count(1, line)
        text: str = event.value
        if self._waits_for_key():
            self._check_tag(event.tag, line, ("str", "int", "float", "bool", "null"))
            if event.anchor:
                self.anchors[event.anchor] = (text, 1, 0)
            self._key(text, line, plain=event.implicit[0])
            return
        value: Any = text
        plain = event.implicit[0]
        tag = self._check_tag(event.tag, line, ("str", "int", "float", "bool", "null"))
        if plain or tag in ("int", "float", "bool", "null"):
            value = self._plain(text, line)
            if tag is not None and type(value).__name__ not in _TAG_TYPES.get(tag, ("str",)):
                raise self._error("tag_value", line, tag=f"!!{tag}", text=_short(text))
        if event.anchor:
            self.anchors[event.anchor] = (value, 1, 0)
        self._add(value, 1, 0, line)

    def _plain(self, text: str, line: int) -> Any:
        try:
            value, trap = scalar(text)
        except ValueError:
            raise self._error("number", line, text=_short(text)) from None
        if trap and len(self.traps) < MAX_TRAPS:
            self.traps.append(Trap(self._path(), line, _short(text), trap))
        return value

    def _check_tag(self, tag: str | None, line: int, allowed: tuple[str, ...]) -> str | None:
        if tag is None or tag == "!":
            return None
        short = tag.removeprefix(_TAG)
        if not tag.startswith(_TAG) or short not in allowed:
            shown = f"!!{short}" if tag.startswith(_TAG) else tag
            raise self._error("tag", line, tag=_short(shown))
        return short

    def _path(self) -> KeyPath:
        return tuple(
            len(frame.container)
            if isinstance(frame.container, list)
            else (frame.key if frame.key is not None else "")
            for frame in self.stack
        )

    def _key(self, text: str, line: int, *, plain: bool) -> None:
        frame = self.stack[-1]
        is_merge = plain and text == "<<"
        first = frame.lines.get(text)
        if first is not None or (is_merge and frame.merged is not None):
            raise self._error(
                "duplicate", line, entry=_short(text), first=first or frame.merge_line
            )
        frame.key, frame.key_line, frame.is_merge = text, line, is_merge
        if is_merge:
            frame.merge_line = line

    def _open(self, event: Any, line: int, container: Any) -> None:
        self._count(1, line)
        self._check_tag(event.tag, line, ("map", "set") if container == {} else ("seq",))
        if self._waits_for_key():
            raise self._error("complex_key", line)
        if len(self.stack) >= MAX_DEPTH:
            raise self._error("depth", line, limit=MAX_DEPTH)
        lines: dict[str | int, int] = {}
        self.lines[id(container)] = lines
        if not self.stack:
            self.start = line
        self.stack.append(_Frame(container, event.anchor, line, lines))
        if event.anchor:
            self.anchors[event.anchor] = (_OPEN, 0, 0)

    def _close(self) -> None:
        frame = self.stack.pop()
        for source in frame.merged or ():
            for key, value in source.items():
                if key not in frame.container:
                    frame.container[key] = value
                    frame.lines[key] = self.lines[id(source)][key]
        if frame.anchor:
            self.anchors[frame.anchor] = (frame.container, frame.size, frame.height)
        self._add(frame.container, frame.size, frame.height, frame.start)

    def _alias(self, anchor: str, line: int) -> None:
        if anchor not in self.anchors:
            raise self._error("alias_unknown", line, anchor=_short(anchor))
        value, size, height = self.anchors[anchor]
        if value is _OPEN:
            raise self._error("alias_recursive", line, anchor=_short(anchor))
        if len(self.stack) + height > MAX_DEPTH:
            raise self._error("depth", line, limit=MAX_DEPTH)
        self._count(max(size, 1), line)
        if self._waits_for_key():
            if not isinstance(value, str):
                raise self._error("complex_key", line)
            self._key(value, line, plain=False)
            return
        self._add(self._copy(value), size, height, line)

    def _copy(self, value: Any) -> Any:
        if not isinstance(value, dict | list):
            return value
        # Depth and size were checked before, so this recursion is bounded.
        copied: Any
        if isinstance(value, dict):
            copied = {key: self._copy(item) for key, item in value.items()}
        else:
            copied = [self._copy(item) for item in value]
        self.lines[id(copied)] = dict(self.lines[id(value)])
        return copied

    def _add(self, value: Any, size: int, height: int, line: int) -> None:
        if not self.stack:
            self.root = value
            return
        frame = self.stack[-1]
        frame.size += size
        frame.height = max(frame.height, height + 1)
        if isinstance(frame.container, list):
            frame.lines[len(frame.container)] = line
            frame.container.append(value)
            return
        key = frame.key
        assert key is not None
        if frame.is_merge:
            frame.merged = self._merge_sources(value, frame.key_line)
        else:
            frame.container[key] = value
            frame.lines[key] = frame.key_line
        frame.key = None

    def _merge_sources(self, value: Any, line: int) -> list[Any]:
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            raise self._error("merge", line)
        # Kept alive by the frame until it closes, so that their line tables stay theirs.
        return sources


def _short(text: str, limit: int = 60) -> str:
    clean = text.replace("\n", " ")
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
