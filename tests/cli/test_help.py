"""`--help` of every command, in both languages, printed by one process each."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from costcalc.cli import registry

PRINT_ALL = """
import contextlib, sys
from costcalc.cli import language
language.use(sys.argv[1])
from costcalc.cli import commands, registry
paths = {part for path in registry.COMMANDS for part in (path, path.rpartition(" ")[0])}
for path in sorted(paths):
    print(f"== {path}")
    command = commands.load(path) if path else commands.group("")
    with contextlib.suppress(SystemExit):
        command.main(["--help"], prog_name=f"costcalc {path}".strip(), standalone_mode=True)
"""
PATHS = {part for path in registry.COMMANDS for part in (path, path.rpartition(" ")[0])}


def helps(language: str) -> dict[str, str]:
    """The help of each command by its path."""
    done = subprocess.run(
        [sys.executable, "-c", PRINT_ALL, language],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "COLUMNS": "80", "PYTHONUTF8": "1", "LANG": "C.UTF-8"},
    )
    parts = re.split(r"^== (.*)$", done.stdout, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_help_fits_80_columns(language: str) -> None:
    found = helps(language)
    assert found.keys() == PATHS
    wide = [line for text in found.values() for line in text.splitlines() if len(line) > 80]
    assert not [line for line in wide if not re.fullmatch(r"  --[\w-]+ \S+", line)]
    assert all(text.strip() for text in found.values())


def test_spanish_help_has_no_word_of_the_framework_in_english() -> None:
    framework = re.compile(
        r"Usage:|Options:|Commands:|Arguments:|\[OPTIONS\]|COMMAND|\[default|\[required|<\w+>"
        r"|\b(?:NAME|FILE|DATE|DIR|KEY|VALUE|PROVIDER|RATE|PERCENT|FORMAT)\b|Show this message"
    )
    for path, text in helps("es").items():
        assert text.lstrip().startswith("Uso: costcalc"), path
        assert not framework.search(text), (path, framework.search(text))
