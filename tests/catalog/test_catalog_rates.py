"""Exchange rates by day, and IVA."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest

from costcalc.catalog import Catalog
from costcalc.errors import InputError


def test_the_newest_rate(shipped: Catalog) -> None:
    rate = shipped.rate(date(2026, 12, 1))
    assert (rate.usd_mxn, rate.date) == (Decimal("18.9077"), date(2026, 10, 30))
    assert "ECB" in rate.source


@pytest.mark.parametrize(
    ("day", "value", "of"),
    [
        (date(2026, 8, 3), "17.3207", date(2026, 8, 3)),
        (date(2026, 10, 29), "18.7476", date(2026, 10, 29)),
        (date(2026, 10, 31), "18.9077", date(2026, 10, 30)),
    ],
)
def test_the_rate_of_a_day_is_the_last_one_before(
    shipped: Catalog, day: date, value: str, of: date
) -> None:
    rate = shipped.rate(day)
    assert (rate.usd_mxn, rate.date) == (Decimal(value), of)


def test_no_rate_is_that_old(shipped: Catalog) -> None:
    with pytest.raises(InputError) as error:
        shipped.rate(date(2026, 8, 2))
    assert "2026-08-03" in error.value.message("en")


def test_one_row_a_day_in_order(shipped: Catalog) -> None:
    days = [rate.date for rate in shipped.rates()]
    assert len(days) == 65
    assert all(one and other and one < other for one, other in pairwise(days))
    assert all(15 < rate.usd_mxn < 25 for rate in shipped.rates())


def test_iva(shipped: Catalog) -> None:
    rates = shipped.iva_rates()
    assert {name: rate.percent for name, rate in rates.items()} == {
        "general": 16,
        "border": 8,
        "zero": 0,
    }
    assert all(rate.source and rate.date for rate in rates.values())
