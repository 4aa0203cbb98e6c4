"""The examples of docs/api.md run, and every public name is documented and exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import costcalc

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_examples_run() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    exec(compile("\n".join(blocks), "docs/api.md", "exec"), {})


@pytest.mark.parametrize("name", [name for name in costcalc.__all__ if name != "__version__"])
def test_every_public_name_is_documented(name: str) -> None:
    assert getattr(costcalc, name).__doc__
    assert f"`{name}" in PAGE


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="no attribute"):
        costcalc.nothing  # noqa: B018 - the access itself is what is tested
    assert "quote_training" in dir(costcalc)
