"""The test files, and the catalog that names models and hardware."""

from __future__ import annotations

import pytest

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The catalog of the checkout."""
    return catalogs.load()
