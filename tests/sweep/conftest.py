"""The shipped catalog, loaded once."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from costcalc import catalog
from costcalc.catalog import Catalog
from costcalc.catalog.rates import ExchangeRate
from costcalc.quote.terms import Terms

DAY = date(2026, 12, 1)


@pytest.fixture(scope="session")
def shipped(data_dir: Path) -> Catalog:
    return catalog.load(None, cache_dir=data_dir / "cache")


@pytest.fixture(scope="session")
def terms() -> Terms:
    return Terms(fx=ExchangeRate(Decimal("18.9077"), None, "test"), as_of=DAY)
