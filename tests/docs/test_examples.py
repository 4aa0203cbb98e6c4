"""Every example of the documentation runs and prints what the page shows."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_examples", ROOT / "tools/docs_examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["docs_examples"] = module
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()


@pytest.mark.parametrize("page", TOOL.pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_the_page_shows(page: Path) -> None:
    assert not TOOL.problems(page)


def test_a_wrong_example_is_found(tmp_path: Path) -> None:
    assert TOOL.matches("a\n…\nc\n", "a\nb\nb\nc\n")
    assert TOOL.matches("a\n", "a\n")
    assert not TOOL.matches("a\n", "a\nb\n")
    assert not TOOL.matches("a\n…\nc\n", "a\nb\n")
