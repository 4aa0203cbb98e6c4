"""Which messages the code refers to, read from its syntax trees.

A message is referred to by its whole key (`text("report.total")`), by a pattern
(`text(f"report.method_{name}")`, `"accuracy.reason_" + reason`), by a table of an area
(`area(language, "items")`), or through a function that adds the area to a name
(`def t(name): return text(f"report.{name}")`, then `t("total")` in modules near it).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import costcalc

PACKAGE = Path(costcalc.__file__).parent
AREAS = frozenset(path.stem for path in (PACKAGE / "messages" / "en").glob("[a-z]*.py"))
KEY = re.compile(r"([a-z_]+)\.([A-Za-z0-9_-]+)")
_FILLED = "{}"


def plain(word: str) -> str:
    """A word as keys write it."""
    return word.replace("-", "_").replace(" ", "_")


@dataclass
class Module:
    """What one module of costcalc says that may name a message.

    Attributes:
        strings: every string in it, as keys write them.
        patterns: strings with something filled in, shown as `{}`.
        carried: areas whose names come from elsewhere (`f"warnings.{self.code}"`).
        imports: the modules of costcalc that it imports from.
        names: identifiers, attributes and keywords: a part of a key can be the name of a field.
        keys: strings given to a function that wants a whole key.
        codes: strings given to `notice`.
        calls: strings given as a first argument, with the name of what is called.
        value_names: words in the names that options give to what they take (`KEY=VALUE`).
        helpers: functions that add an area to their first argument: name -> areas.
    """

    name: str
    strings: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    carried: set[str] = field(default_factory=set)
    imports: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    calls: list[tuple[str, str]] = field(default_factory=list)
    value_names: set[str] = field(default_factory=set)
    helpers: dict[str, set[str]] = field(default_factory=dict)


def _called(node: ast.Call) -> str:
    target = node.func
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def _strings(node: ast.expr) -> Iterator[str]:
    """The strings that an argument can be: itself, or either side of `a if x else b`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _strings(node.body)
        yield from _strings(node.orelse)


def _formatted(node: ast.JoinedStr) -> str:
    return "".join(
        str(part.value) if isinstance(part, ast.Constant) else _FILLED for part in node.values
    )


def _helper_areas(function: ast.FunctionDef) -> set[str]:
    """Areas that a function puts before its first argument."""
    arguments = [item.arg for item in function.args.args if item.arg not in ("self", "cls")]
    found = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.JoinedStr) or _formatted(node)[-3:] != "." + _FILLED:
            continue
        filled = node.values[-1]
        if isinstance(filled, ast.FormattedValue) and isinstance(filled.value, ast.Name):
            area = _formatted(node)[:-3]
            if filled.value.id in arguments[:1] and area in AREAS:
                found.add(area)
    return found


class _Reader(ast.NodeVisitor):
    def __init__(self, module: Module) -> None:
        self.module = module

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self.module.strings.add(plain(node.value))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pattern = _formatted(node)
        area = pattern[:-3]
        filled = getattr(node.values[-1] if node.values else None, "value", None)
        if area in AREAS and pattern == f"{area}.{_FILLED}" and not isinstance(filled, ast.Name):
            self.module.carried.add(area)
        self.module.patterns.add(plain(pattern))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.Add):
            for start in _strings(node.left):
                self.module.patterns.add(plain(start) + _FILLED)
        self.generic_visit(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.module:
            self.module.imports.add(node.module)
            self.module.imports.update(f"{node.module}.{alias.name}" for alias in node.names)

    def visit_Name(self, node: ast.Name) -> None:
        self.module.names.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.module.names.add(node.attr)
        self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        self.module.names.add(node.arg or "")
        if node.arg == "metavar":
            for string in _strings(node.value):
                self.module.value_names.update(re.findall(r"[A-Z]{3,}", string))
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if areas := _helper_areas(node):
            self.module.helpers.setdefault(node.name, set()).update(areas)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = _called(node)
        for string in _strings(node.args[0]) if node.args else ():
            self.module.calls.append((called, string))
            if called in ("text", "t", "counted") or called.endswith("Error"):
                self.module.keys.add(string)
            elif called == "notice":
                self.module.codes.add(string)
        if called == "area" and len(node.args) == 2:
            self.module.patterns.update(f"{name}.{_FILLED}" for name in _strings(node.args[1]))
            self.module.carried.update(_strings(node.args[1]))
        self.generic_visit(node)


def _read(path: Path) -> Module:
    name = ".".join(("costcalc", *path.relative_to(PACKAGE).with_suffix("").parts))
    module = Module(name.removesuffix(".__init__"))
    _Reader(module).visit(ast.parse(path.read_text(encoding="utf-8")))
    return module


@cache
def modules() -> dict[str, Module]:
    """Every module of costcalc but the texts themselves."""
    texts = {PACKAGE / "messages" / "en", PACKAGE / "messages" / "es"}
    read = [_read(path) for path in sorted(PACKAGE.rglob("*.py")) if path.parent not in texts]
    return {module.name: module for module in read}


@cache
def _words() -> frozenset[str]:
    """Every word of the code that can be a part of a key."""
    return frozenset().union(*(m.strings | m.names for m in modules().values())) | {""}


@cache
def _is_word(text: str) -> bool:
    """Whether the code can fill this into a pattern: a word of its own, or made of two."""
    if text in _words():
        return True
    starts = {p.removesuffix(_FILLED) for m in modules().values() for p in m.patterns}
    return any(
        start.endswith("_") and text.startswith(start) and text[len(start) :] in _words()
        for start in starts
    )


@cache
def _near(name: str) -> tuple[Module, ...]:
    """A module, those that it imports from, and those that import from it, twice removed."""
    near = {name} | (modules()[name].imports & modules().keys())
    importers = {name}
    for _ in range(2):
        importers |= {m.name for m in modules().values() if m.imports & importers}
    return tuple(modules()[item] for item in sorted(near | importers))


@cache
def _makes(pattern: str, name: str) -> bool:
    """Whether `degree_{}` makes `name` from words that the code knows."""
    start, separator, rest = pattern.partition(_FILLED)
    if not name.startswith(start):
        return False
    left = name[len(start) :]
    if not separator:
        return not left
    return any(
        _is_word(left[:end]) and _makes(rest, left[end:]) for end in range(len(left), -1, -1)
    )


def _writes(module: Module, name: str) -> bool:
    """Whether a module writes a name out, or a pattern that makes it."""
    return plain(name) in module.strings or any(
        re.match(r"[a-z]+_|\{\}_[a-z]{3,}$", pattern) and _makes(pattern, plain(name))
        for pattern in module.patterns
    )


def is_used(area: str, name: str, data: frozenset[str] = frozenset()) -> bool:
    """Whether some code refers to the message `area.name`.

    Args:
        data: names that the catalog's data fill into patterns.
    """
    key = f"{area}.{plain(name)}"
    start = f"{area}."
    for module in modules().values():
        if key in module.strings:
            return True
        for pattern in module.patterns:
            if not pattern.startswith(start):
                continue
            if pattern != start + _FILLED:
                if _makes(pattern, key) or key in {pattern.replace(_FILLED, word) for word in data}:
                    return True
            else:
                places = modules().values() if area in module.carried else _near(module.name)
                if any(_writes(place, name) for place in places):
                    return True
    return False


def wanted() -> Iterator[tuple[str, str, str]]:
    """Messages that must exist: the module that wants one, its area and its name."""
    for module in modules().values():
        for key in module.keys:
            match = KEY.fullmatch(key)
            if match and match[1] in AREAS:
                yield module.name, match[1], match[2]
        for code in module.codes:
            yield module.name, "warnings", code
        for called, name in module.calls:
            helper_areas = module.helpers.get(called, set())
            if len(helper_areas) == 1 and "." not in name:
                yield module.name, next(iter(helper_areas)), name


def wanted_patterns() -> Iterator[tuple[str, str]]:
    """Patterns of keys that at least one message must match: the module and the pattern."""
    for module in modules().values():
        for pattern in module.patterns:
            area, _, rest = pattern.partition(".")
            if area in AREAS and re.match(r"[a-z]", rest) and re.fullmatch(r"[a-z_{}]+", rest):
                yield module.name, pattern
