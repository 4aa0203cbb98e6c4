"""The tables of data and electricity prices: every row can be used, and is sourced and dated."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog
from costcalc.catalog.tariffs import data_prices, find_tariff
from costcalc.errors import InputError
from costcalc.quote.plan import DESTINATIONS

ROOT = Path(__file__).resolve().parents[2]
PERIODS = {"base", "intermediate", "peak"}


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return catalogs.load(ROOT / "pricing", cache_dir=tmp_path_factory.mktemp("compiled"))


def test_every_tariff_is_whole(shipped: Catalog) -> None:
    raw = shipped.table("electricity")
    for name in raw["tariffs"]:
        tariff = find_tariff(raw, name)
        assert set(tariff.energy) in ({"flat"}, PERIODS), name
        assert all(0 < price < 100 for price in tariff.energy.values())
        assert tariff.currency in ("USD", "MXN")
        assert tariff.as_of <= date(2026, 12, 1)
        assert tariff.source
        assert tariff.confidence in ("listed", "quoted", "estimated")
        if set(tariff.energy) == PERIODS:
            energy = tariff.energy
            assert energy["base"] < energy["intermediate"] < energy["peak"]


def test_an_unknown_tariff_names_the_nearest(shipped: Catalog) -> None:
    with pytest.raises(InputError, match="cfe-gdmth-bajio"):
        find_tariff(shipped.table("electricity"), "cfe-gdmt-bajio")


@pytest.mark.parametrize("group", ["storage", "transfer"])
def test_every_data_price_is_whole(shipped: Catalog, group: str) -> None:
    rows = data_prices(shipped.table("storage"), group)  # type: ignore[arg-type]
    regions = shipped.regions()
    seen = set()
    for row in rows:
        key = (row.provider, row.place, row.kind, row.tier, row.from_gb)
        assert key not in seen, key
        seen.add(key)
        assert row.kind in (("object", "block") if group == "storage" else DESTINATIONS)
        assert row.usd_per_gb >= 0
        # only a first step of a transfer may be free
        assert row.usd_per_gb > 0 or (group == "transfer" and row.from_gb == 0)
        assert row.place
        assert row.source
        assert row.as_of <= date(2026, 12, 1)
        assert row.bytes_per_gb in (10**9, 2**30)
        if row.region is not None:
            assert regions.find(row.provider, row.region) is not None, row.region


@pytest.mark.parametrize("group", ["storage", "transfer"])
def test_steps_start_at_zero_and_fall(shipped: Catalog, group: str) -> None:
    steps: dict[tuple[str, ...], list[tuple[object, object]]] = {}
    for row in data_prices(shipped.table("storage"), group):  # type: ignore[arg-type]
        key = (row.provider, row.place, row.kind, row.tier)
        steps.setdefault(key, []).append((row.from_gb, row.usd_per_gb))
    for key, found in steps.items():
        found.sort()  # type: ignore[call-overload]
        assert found[0][0] == 0, key
        paid = [price for _, price in found if price]
        assert paid == sorted(paid, reverse=True), key  # type: ignore[type-var]
