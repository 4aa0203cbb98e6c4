"""The shipped catalog, and small catalogs to break."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from small_catalog import SMALL

from costcalc import catalog
from costcalc.catalog import Catalog

PRICING = Path(__file__).resolve().parents[2] / "pricing"

Make = Callable[..., Path]


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The catalog of the checkout."""
    return catalog.load(PRICING, cache_dir=tmp_path_factory.mktemp("cache"))


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Write a small catalog; `changes` maps a file to its content, None leaves it out."""

    def write(changes: Mapping[str, str | bytes | None] | None = None) -> Path:
        folder = tmp_path / "prices"
        for name, content in {**SMALL, **(changes or {})}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink(missing_ok=True)
            elif isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(content, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def load(tmp_path: Path) -> Callable[[Path], Catalog]:
    """Load a folder with a cache of the test's own."""
    return lambda folder: catalog.load(folder, cache_dir=tmp_path / "cache")
