"""Every text that a person reads, one catalog per language (`en/`, `es/`), one module per area.

A key is `area.name`; its area is the module that holds it (`messages/en/<area>.py`). Modules are
imported when a text of theirs is first needed, so that a command pays only for what it says.
"""

from __future__ import annotations

from datetime import date, datetime
from functools import cache
from importlib import import_module
from typing import Any

LANGUAGES = ("en", "es")


@cache
def area(language: str, name: str) -> dict[str, str]:
    """All messages of one area in one language."""
    module = import_module(f"costcalc.messages.{language}.{name}")
    texts: dict[str, str] = module.MESSAGES
    return texts


def text(key: str, language: str, **params: Any) -> str:
    """The message `key` (`area.name`) in `language`, with `params` filled in.

    A `date` among the params is written out as the language does it (`day`).

    Raises:
        KeyError: the key does not exist in that language (a defect; a test keeps them equal).
    """
    area_name, _, name = key.partition(".")
    template = area(language, area_name)[name]
    if not params:
        return template
    return template.format(**{k: _shown(value, language) for k, value in params.items()})


def _shown(value: Any, language: str) -> Any:
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    return day(value, language) if is_day else value


def day(value: date, language: str) -> str:
    """A day in a sentence or a title: `1 de diciembre de 2026`, or `2026-12-01` in English.

    Columns, codes, JSON and CSV have ISO dates in every language.
    """
    month = text("common.months", language).split(" ")[value.month - 1]
    return text("common.day", language, day=value.day, month=month, year=value.year)


def join(items: list[str] | tuple[str, ...], language: str) -> str:
    """`a, b or c` / `a, b o c`."""
    names = list(items)
    if len(names) < 2:
        return "".join(names)
    word = text("common.or", language)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"
