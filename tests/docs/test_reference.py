"""docs/reference.md names every command, option and warning code, as the code has them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from costcalc import messages
from costcalc.cli import registry

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


def load_tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference_tool", ROOT / "tools/reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = load_tool()


def test_the_generated_parts_are_up_to_date() -> None:
    assert TOOL.generated(PAGE) == PAGE, "run: python tools/reference.py --update"


@pytest.mark.parametrize("path", list(registry.COMMANDS))
def test_every_command_and_option_is_documented(path: str) -> None:
    section = PAGE.split(f"### `costcalc {path}`\n")[1].split("\n### ")[0]
    for parameter in TOOL.parameters(path):
        names = parameter.opts if parameter.param_type_name == "option" else []
        for name in names:
            assert f"{name}" in section
        assert parameter.help, f"{path} {parameter.name} has no help"


def test_every_warning_code_is_documented() -> None:
    for code in messages.area("en", "warnings"):
        assert f"| `{code}` |" in PAGE
