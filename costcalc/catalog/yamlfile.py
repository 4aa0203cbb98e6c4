"""YAML files as trees that remember their lines, so that a fault can name its place.

Reading is stricter than YAML: duplicate keys, anchors and tags are refused, and a plain scalar
means what it looks like (`no` is a word, `1:30` is no number, `98.32` keeps its digits). Imported
only when a catalog is compiled.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any

import yaml

from costcalc.errors import InputError

_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}"
    for name in ["str", "int", "float", "bool", "null", "map", "seq", "timestamp", "merge", "value"]
)
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"[-+]?(?:[0-9][0-9_]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_INTEGER = re.compile(r"[-+]?[0-9][0-9_]*")


class Node:
    """A value with its place.

    Attributes:
        value: text of a scalar, `dict[str, Node]` of a mapping, `list[Node]` of a sequence, None
            for an empty scalar.
        file: name of the file as errors show it.
        line: line of its key, or of the value where it has none, from 1.
        plain: True for an unquoted scalar.
    """

    __slots__ = ("file", "line", "plain", "value")

    def __init__(self, value: Any, file: str, line: int, plain: bool) -> None:
        self.value = value
        self.file = file
        self.line = line
        self.plain = plain

    def scalar(self) -> Any:
        """A plain scalar as None, bool, int, Decimal or str; a quoted one as str.

        Numbers with a point or an exponent are `Decimal`, so that no digit is lost.
        """
        text = self.value
        if text is None or not self.plain:
            return text
        if text == "true":
            return True
        if text == "false":
            return False
        if _INTEGER.fullmatch(text):
            return int(text.replace("_", ""))
        if _NUMBER.fullmatch(text):
            return Decimal(text.replace("_", ""))
        return text

    def plain_data(self) -> Any:
        """The whole tree as JSON-ready data: dates stay text, decimals become floats."""
        if isinstance(self.value, dict):
            return {key: child.plain_data() for key, child in self.value.items()}
        if isinstance(self.value, list):
            return [child.plain_data() for child in self.value]
        value = self.scalar()
        return float(value) if isinstance(value, Decimal) else value


def is_date(text: str) -> bool:
    """True for an ISO date that exists."""
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def parse(data: bytes, shown: str) -> Node:
    """The tree of a YAML file.

    Raises:
        InputError: not UTF-8, broken YAML, duplicate key, anchor, tag, more than one document.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("catalog.file_encoding", file=shown, line=line) from None
    loader = None
    try:
        loader = _LOADER(text)
        root = loader.get_single_node()
        if root is None:
            return Node({}, shown, 1, True)
        return _tree(root, shown, set())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        reason = error.problem or error.context or "?"
        raise InputError("catalog.yaml", file=shown, line=line, reason=reason) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError("catalog.yaml", file=shown, line=line, reason=error.reason) from None
    except RecursionError:
        raise InputError("catalog.yaml_depth", file=shown) from None
    finally:
        if loader is not None:
            loader.dispose()


def _tree(node: Any, shown: str, seen: set[int]) -> Node:
    line = node.start_mark.line + 1
    if id(node) in seen:
        raise InputError("catalog.yaml_anchor", file=shown, line=line)
    seen.add(id(node))
    if node.tag not in _TAGS:
        raise InputError("catalog.yaml_tag", file=shown, line=line, tag=node.tag)
    if isinstance(node, yaml.MappingNode):
        mapping: dict[str, Node] = {}
        for key_node, value_node in node.value:
            key_line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise InputError("catalog.yaml_key", file=shown, line=key_line)
            key = key_node.value
            if key in mapping:
                raise InputError("catalog.yaml_duplicate", file=shown, line=key_line, field=key)
            child = _tree(value_node, shown, seen)
            child.line = key_line  # people look for the key
            mapping[key] = child
        return Node(mapping, shown, line, True)
    if isinstance(node, yaml.SequenceNode):
        return Node([_tree(child, shown, seen) for child in node.value], shown, line, True)
    plain = not node.style
    empty = plain and node.value in ("", "null", "~")
    return Node(None if empty else node.value, shown, line, plain)
