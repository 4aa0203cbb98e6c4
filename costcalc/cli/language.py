"""Which language a person is answered in.

It must be known before any command module is imported, since option help is text too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from costcalc import messages

_current = "en"


def detect(argv: Sequence[str], environ: Mapping[str, str]) -> str:
    """`--lang` on the command line, else the locale (`LC_ALL`, then `LANG`), else `en`."""
    for position, word in enumerate(argv):
        if word == "--":
            break
        name, separator, value = word.partition("=")
        if name == "--lang":
            asked = value if separator else next(iter(argv[position + 1 : position + 2]), "")
            if asked.lower() in messages.LANGUAGES:
                return asked.lower()
    locale = environ.get("LC_ALL") or environ.get("LANG") or ""
    return "es" if locale.lower().startswith("es") else "en"


def use(language: str) -> None:
    """Answer in `language` from now on, the command-line framework's own words included."""
    global _current
    _current = language
    if language != "en":
        _translate_framework()


def current() -> str:
    """The language in use."""
    return _current


def t(key: str, **params: Any) -> str:
    """The message `key` in the language in use."""
    return messages.text(key, _current, **params)


def environment_language() -> str:
    """The language of the process's command line and environment."""
    import sys

    return detect(sys.argv[1:], os.environ)


def _translate_framework() -> None:
    # typer asks the standard gettext for its own words ("Options", "[required]") when it is
    # imported; a message file per locale would have to be installed outside the package
    import gettext

    words = {
        messages.text(f"framework_words.{name}", "en"): messages.text(
            f"framework_words.{name}", _current
        )
        for name in messages.area("en", "framework_words")
    }
    original = gettext.gettext

    def translated(message: str) -> str:
        return words.get(message) or original(message)

    gettext.gettext = translated
