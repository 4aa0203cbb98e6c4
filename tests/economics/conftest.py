"""The shipped catalog on a fixed day, compiled into a folder of the test run's own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog
from costcalc.quote.terms import Terms

ROOT = Path(__file__).resolve().parents[2]
DAY = date(2026, 12, 1)


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The catalog of this checkout."""
    return catalogs.load(ROOT / "pricing", cache_dir=tmp_path_factory.mktemp("compiled"))


@pytest.fixture(scope="session")
def terms(catalog: Catalog) -> Terms:
    """Plain terms on the fixed day."""
    return Terms(fx=catalog.rate(DAY), as_of=DAY)
