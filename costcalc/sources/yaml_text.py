"""Plain data as YAML text in the style of the catalog's files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9._/-]*")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_RESERVED = frozenset(["true", "false", "null", "yes", "no", "on", "off"])


def lines(data: Any, indent: int = 0) -> Iterator[str]:
    """The lines of a mapping or a list, `indent` spaces from the left."""
    pad = " " * indent
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, dict | list):
                yield f"{pad}{scalar(key)}:"
                # a list below a key is indented, as in the files that people wrote
                yield from lines(value, indent + 2)
            else:
                yield f"{pad}{scalar(key)}: {scalar(value)}"
        return
    for item in data:
        first, *rest = lines(item, indent + 2)
        yield f"{pad}- {first.lstrip()}"
        yield from rest


def scalar(value: Any) -> str:
    """A scalar: numbers and dates as they are, words plain where that is safe, else quoted."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    text = str(value)
    if _DATE.fullmatch(text) or (_PLAIN.fullmatch(text) and text.lower() not in _RESERVED):
        return text
    return "'" + text.replace("'", "''") + "'"
