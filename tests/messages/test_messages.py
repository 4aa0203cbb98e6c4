"""Every language says everything, with the same placeholders."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module
from string import Formatter

import pytest

from costcalc import messages

AREAS = sorted(
    module.name for module in pkgutil.iter_modules(import_module("costcalc.messages.en").__path__)
)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_language_has_the_same_areas() -> None:
    for language in messages.LANGUAGES:
        package = import_module(f"costcalc.messages.{language}")
        assert sorted(m.name for m in pkgutil.iter_modules(package.__path__)) == AREAS


@pytest.mark.parametrize("area", AREAS)
def test_every_language_has_the_same_messages_with_the_same_placeholders(area: str) -> None:
    english = messages.area("en", area)
    spanish = messages.area("es", area)
    assert english.keys() == spanish.keys()
    for name, text in english.items():
        assert placeholders(text) == placeholders(spanish[name]), name


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("area", AREAS)
def test_no_bare_dollar_sign(area: str, language: str) -> None:
    for name, text in messages.area(language, area).items():
        assert not re.search(r"\$\s?[0-9{]", text), name


def test_warning_codes_are_in_alphabetical_order() -> None:
    for language in messages.LANGUAGES:
        codes = list(messages.area(language, "warnings"))
        assert codes == sorted(codes)
