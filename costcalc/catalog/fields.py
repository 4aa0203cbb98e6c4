"""Typed access to the keys of a catalog file; every fault names file, line and key."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from costcalc.catalog.names import nearest
from costcalc.catalog.yamlfile import Node, is_date
from costcalc.errors import InputError

MAX_WHOLE = 10**15
_TYPES = {dict: "mapping", list: "list"}


def fault(node: Node, key: str, name: str, /, **params: Any) -> InputError:
    """The error `catalog.<name>` at the place of `node`."""
    return InputError(f"catalog.{name}", file=node.file, line=node.line, field=key, **params)


def mapping(node: Node, key: str) -> dict[str, Node]:
    """The children of a mapping."""
    if not isinstance(node.value, dict):
        raise fault(node, key, "want_mapping")
    return node.value


def sequence(node: Node, key: str) -> list[Node]:
    """The items of a list."""
    if not isinstance(node.value, list):
        raise fault(node, key, "want_list")
    return node.value


def texts(node: Node, key: str) -> list[str]:
    """A list of words."""
    return [text_of(item, key) for item in sequence(node, key)]


def text_of(node: Node, key: str) -> str:
    """A scalar as text; it must not be empty."""
    value = node.value
    if not isinstance(value, str) or not value.strip():
        raise fault(node, key, "want_text")
    return value.strip()


class Fields:
    """One mapping whose keys are all known.

    Args:
        node: the mapping.
        key: what errors call the mapping itself.
        allowed: every key that may stand in it; another one is a fault that names the nearest.
    """

    def __init__(self, node: Node, key: str, allowed: Iterable[str]) -> None:
        self.node = node
        self.children = mapping(node, key)
        known = tuple(allowed)
        for name, child in self.children.items():
            if name not in known:
                near = nearest(name, known)
                raise fault(child, name, "unknown_key", names=", ".join(near or sorted(known)))

    def __contains__(self, key: str) -> bool:
        child = self.children.get(key)
        return child is not None and child.value is not None

    def at(self, key: str) -> Node:
        """The node of a key that must be there."""
        child = self.children.get(key)
        if child is None or child.value is None:
            raise fault(self.node if child is None else child, key, "missing_key")
        return child

    def place(self, key: str) -> Node:
        """The node of a key, or the mapping's own when the key is not there."""
        return self.children.get(key, self.node)

    def text(self, key: str) -> str:
        """Text that must be there."""
        return text_of(self.at(key), key)

    def optional_text(self, key: str, default: str = "") -> str:
        """Text, or `default`."""
        return self.text(key) if key in self else default

    def list_of_texts(self, key: str) -> list[str]:
        """A list of words, empty when the key is not there."""
        return texts(self.at(key), key) if key in self else []

    def choice(self, key: str, valid: Iterable[str], default: str | None = None) -> str:
        """One of `valid`."""
        if key not in self and default is not None:
            return default
        value = self.text(key)
        known = tuple(valid)
        if value not in known:
            near = nearest(value, known)
            raise fault(
                self.at(key), key, "want_choice", value=value, names=", ".join(near or known)
            )
        return value

    def boolean(self, key: str, default: bool | None = None) -> bool | None:
        """`true` or `false`; `default` when absent or null."""
        if key not in self:
            return default
        value = self.at(key).scalar()
        if not isinstance(value, bool):
            raise fault(self.at(key), key, "want_boolean")
        return value

    def date(self, key: str) -> str:
        """An ISO date as text."""
        value = self.text(key)
        if not is_date(value):
            raise fault(self.at(key), key, "want_date", value=value)
        return value

    def decimal(
        self, key: str, *, low: Decimal | int = 0, high: Decimal | int = MAX_WHOLE
    ) -> Decimal:
        """A number with all its digits, quoted or not, within `low`..`high`."""
        return decimal_of(self.at(key), key, low=low, high=high)

    def optional_decimal(self, key: str, **limits: Any) -> Decimal | None:
        """A number, or None when absent or null."""
        return self.decimal(key, **limits) if key in self else None

    def whole(self, key: str, *, low: int = 1, high: int = MAX_WHOLE) -> int:
        """A whole number within `low`..`high`."""
        node = self.at(key)
        value = node.scalar()
        if isinstance(value, bool) or not isinstance(value, int):
            raise fault(node, key, "want_whole")
        if not low <= value <= high:
            raise fault(node, key, "out_of_range", value=value, low=low, high=high)
        return value

    def optional_whole(self, key: str, *, low: int = 1, high: int = MAX_WHOLE) -> int | None:
        """A whole number, or None when absent or null."""
        return self.whole(key, low=low, high=high) if key in self else None


def decimal_of(node: Node, key: str, *, low: Decimal | int, high: Decimal | int) -> Decimal:
    """A scalar as `Decimal` within `low`..`high`."""
    value = Node(node.value, node.file, node.line, True).scalar()
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise fault(node, key, "want_number")
    number = Decimal(value)
    if not low <= number <= high:
        raise fault(node, key, "out_of_range", value=number, low=low, high=high)
    return number
