"""What is tested is what a user gets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import costcalc


@pytest.mark.skipif(
    not os.environ.get("COSTCALC_EXPECT_INSTALLED"),
    reason="a development run tests the checkout itself",
)
def test_the_installed_package_is_tested() -> None:
    root = Path(__file__).resolve().parent.parent
    package = Path(costcalc.__file__).resolve()
    assert "site-packages" in package.parts
    assert package.parent != root / "costcalc"
