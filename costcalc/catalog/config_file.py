"""A `config.json` as checked values: every fault is one sentence that names file and key."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from costcalc.errors import InputError

MAX_BYTES = 4_000_000
_SHOWN = 40


class Config:
    """The keys of a config, or of the `text_config` inside it, with typed access.

    Args:
        data: the mapping with the text model's keys.
        outer: the whole config; its keys count where `data` has none.
        shown: the file's name as errors show it.
    """

    def __init__(self, data: Mapping[str, Any], outer: Mapping[str, Any], shown: str) -> None:
        self.data = data
        self.outer = outer
        self.shown = shown

    def raw(self, *names: str) -> Any:
        """The first of these keys that is there and not null."""
        for name in names:
            value = self.data.get(name)
            if value is not None:
                return value
        return None

    def has(self, *names: str) -> bool:
        """Whether any of these keys is there and not null."""
        return self.raw(*names) is not None

    def whole(self, *names: str, low: int = 1, high: int, default: int | None = None) -> int:
        """A whole number that must be there unless it has a default."""
        value = self.optional(*names, low=low, high=high)
        if value is not None:
            return value
        if default is None:
            raise InputError("catalog.config_missing", file=self.shown, field=names[0])
        return default

    def optional(self, *names: str, low: int = 1, high: int) -> int | None:
        """A whole number within `low`..`high`, None when no such key is there."""
        for name in names:
            value = self.data.get(name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise self.fault(name, value, low=low, high=high)
            return value
        return None

    def flag(self, *names: str, default: bool) -> bool:
        """True or false; the outer config counts as well."""
        for name in names:
            for source in (self.data, self.outer):
                value = source.get(name)
                if value is None:
                    continue
                if not isinstance(value, bool):
                    raise InputError("catalog.config_boolean", file=self.shown, field=name)
                return value
        return default

    def texts(self, name: str, length: int) -> Sequence[str] | None:
        """A list of words with one item per layer, None when the key is not there."""
        value = self.data.get(name)
        if value is None:
            return None
        good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        if not good or len(value) != length:
            raise InputError("catalog.config_per_layer", file=self.shown, field=name, layers=length)
        words: list[str] = value
        return words

    def numbers(self, name: str) -> list[int] | None:
        """A list of whole numbers from 0, None when the key is not there or no list."""
        value = self.data.get(name)
        if not isinstance(value, list):
            return None
        if any(isinstance(item, bool) or not isinstance(item, int) or item < 0 for item in value):
            raise InputError("catalog.config_numbers", file=self.shown, field=name)
        return list(value)

    def text(self, name: str) -> str:
        """A word of this config or of the outer one, empty when it is not there."""
        for source in (self.data, self.outer):
            value = source.get(name)
            if isinstance(value, str):
                return value
        return ""

    def fault(self, name: str, value: Any, *, low: int, high: int) -> InputError:
        """The error for a number that is none or out of range."""
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**30 else "…"
        if len(text) > _SHOWN:
            text = text[:_SHOWN] + "…"
        return InputError(
            "catalog.config_number", file=self.shown, field=name, value=text, low=low, high=high
        )


def read_json(path: Path) -> dict[str, Any]:
    """The object in a `config.json`; for a folder, in the `config.json` inside it.

    Raises:
        InputError: missing, unreadable, empty, no text, larger than 4 MB, broken JSON, NaN or
            infinity in it, or not an object.
    """
    shown = str(path)
    try:
        if path.is_dir():
            path = path / "config.json"
            shown = str(path)
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError("catalog.file_missing", file=shown) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError("catalog.file_link_loop", file=shown) from None
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InputError("catalog.file_unreadable", file=shown, reason=reason) from None
    except ValueError:  # a NUL in the path
        raise InputError("catalog.file_missing", file=repr(shown)) from None
    if len(data) > MAX_BYTES:
        raise InputError("catalog.file_size", file=shown, limit_mb=MAX_BYTES // 10**6)
    if not data.strip():
        raise InputError("catalog.config_empty", file=shown)
    try:
        text = data.decode("utf-8-sig")
        parsed = json.loads(text, parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise InputError("catalog.config_binary", file=shown) from None
    except json.JSONDecodeError as error:
        raise InputError(
            "catalog.config_json", file=shown, line=error.lineno, reason=error.msg
        ) from None
    except _ConstantError as error:
        raise InputError("catalog.config_constant", file=shown, value=str(error)) from None
    except (RecursionError, ValueError):
        raise InputError("catalog.config_odd", file=shown) from None
    if not isinstance(parsed, dict):
        raise InputError("catalog.config_object", file=shown)
    return parsed


class _ConstantError(Exception):
    """NaN or an infinity stands in the file."""


def _no_constant(name: str) -> Any:
    raise _ConstantError(name)
