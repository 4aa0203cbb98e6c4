"""Energy, carbon and water of a quote: hand arithmetic, named factors, and what is not known."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from command import Run
from hypothesis import given
from hypothesis import strategies as st

from costcalc import catalog as catalogs
from costcalc import safeyaml
from costcalc.catalog import Catalog
from costcalc.catalog.energy import Energy
from costcalc.estimate import footprint as physics
from costcalc.quote.footprint import accelerator_hours, footprint
from costcalc.quote.plan_quote import quote_plan
from costcalc.quote.plan_validation import read_plan
from costcalc.quote.select import Placement
from costcalc.quote.terms import Terms
from costcalc.quote.train import TrainRequest, quote_training
from costcalc.quote.types import Factor, Footprint, Quote, WorkloadQuote

ROOT = Path(__file__).resolve().parents[2]
ENERGY = yaml.safe_load((ROOT / "pricing" / "energy.yaml").read_text(encoding="utf-8"))
positive = st.floats(0.01, 1e6)
shares = st.floats(0, 1)

Train = Callable[..., Quote]


@pytest.fixture
def train(catalog: Catalog, terms: Terms) -> Train:
    def call(on: str, tokens: int = 10**9, **placement: object) -> Quote:
        where = Placement(hardware=catalog.hardware(on), **placement)  # type: ignore[arg-type]
        request = TrainRequest(
            architecture=catalog.model("llama-3.1-8b"), tokens=tokens, placement=where
        )
        return quote_training(request, catalog, terms)

    return call


def codes(quote: Quote) -> set[str]:
    return {item.code for item in quote.notices}


def found(quote: Quote) -> Footprint:
    assert quote.footprint is not None
    return quote.footprint


def used(quote: Quote, what: str) -> Factor:
    (factor,) = [item for item in found(quote).factors if item.what == what and item.used]
    return factor


# Arithmetic


@given(positive, shares, shares, positive, st.floats(1, 3), positive, positive, positive)
def test_carbon_and_water_follow_energy(
    limit: float,
    chip: float,
    server: float,
    hours: float,
    pue: float,
    grid: float,
    site: float,
    plants: float,
) -> None:
    kwh = physics.computer_kwh(limit, chip, server, hours)
    one = physics.impact(kwh, pue, grid, site, plants)
    two = physics.impact(2 * kwh, pue, grid, site, plants)
    assert one.co2e_kg is not None
    assert one.water_l is not None
    assert two.water_l is not None
    assert one.energy_kwh >= kwh
    assert two.energy_kwh == pytest.approx(2 * one.energy_kwh)
    assert two.water_l == pytest.approx(2 * one.water_l)
    assert one.co2e_kg * 1000 == pytest.approx(one.energy_kwh * grid)
    # water on site counts the computers' energy, not the building's
    assert one.water_l == pytest.approx(kwh * site + one.energy_kwh * plants)


@given(st.floats(0, 500), st.floats(0.2, 1), st.floats(0, 0.2))
def test_serving_lies_between_idle_and_loaded(requests: float, loaded: float, idle: float) -> None:
    busy = physics.busy_share(requests)
    assert 0 <= busy <= physics.busy_share(requests + 1) <= 1
    share = physics.serving_share(busy, loaded, idle)
    assert idle - 1e-12 <= share <= loaded + 1e-12
    assert physics.serving_share(0, loaded, idle) == pytest.approx(idle)


def test_a_replica_with_one_request_on_average_is_idle_a_third_of_the_time() -> None:
    assert physics.busy_share(1.0) == pytest.approx(1 - math.exp(-1))


def test_an_unknown_factor_leaves_its_figure_unknown() -> None:
    known = physics.impact(10, 1.2, None, 0.5, None)
    assert (known.energy_kwh, known.co2e_kg, known.water_l) == (12, None, None)


# The file


def test_server_shares_come_from_the_measured_servers() -> None:
    watts: dict[str, list[float]] = {}
    for row in ENERGY["server_measurements"]:
        watts.setdefault(row["server"].split(" (")[0], []).append(row["watts"])
    by_family = {family: row["share"] for row in ENERGY["server_power"] for family in row["of"]}
    # B200: 1,000 W, 84 % of it under a large batch; H100: 700 W, 85 % in training
    b200 = sum(watts["8 x B200"]) / len(watts["8 x B200"])
    assert by_family["b200"] == pytest.approx((b200 - 8 * 840) / 8000, abs=5e-4)
    (h100,) = watts["8 x H100"]
    assert h100 == pytest.approx(0.76 * 10_200)
    assert by_family["h100"] == pytest.approx((h100 - 8 * 0.85 * 700) / 5600, abs=5e-4)
    assert by_family["tpu-v6e"] == pytest.approx(25 / 58 * 0.85, abs=5e-4)


def test_grid_factors_are_possible_and_cover_every_country(catalog: Catalog) -> None:
    carbon = ENERGY["grid_carbon"]
    for place, rows in carbon.items():
        for row in rows:
            assert 0 < row["g_per_kwh"] < 1000, place
    assert max(row["g_per_kwh"] for row in carbon["FR"]) < 100
    assert min(row["g_per_kwh"] for row in carbon["PL"]) > 400
    countries = {region.country for region in catalog.regions().values()}
    assert countries <= carbon.keys()
    # where the source falls back on the world's 3.908 L/kWh there is no figure
    assert all(row["litres_per_kwh"] != 3.908 for row in ENERGY["grid_water"].values())
    regions = {key for key in carbon if "/" in key}
    assert {key for key in catalog.regions() if key.startswith("gcp/")} <= regions


def test_every_load_has_a_share_for_every_chip(catalog: Catalog) -> None:
    energy = Energy(catalog.table("energy"))
    for accelerator in catalog.accelerators().values():
        family = accelerator.chip.family
        assert 0.5 < energy.accelerator_share(family, "training").value <= 1
        assert energy.accelerator_share(family, "idle").value < 0.3
        assert energy.server_share(family).value > 0
    assert energy.accelerator_share("h100", "serving", 16).value == 0.64
    assert energy.accelerator_share("h100", "serving", 16.1).value == 0.78
    assert energy.accelerator_share("b200", "serving", 500).value == 0.84
    assert energy.accelerator_share("mi300x", "serving", 500).kind == "assumption"
    assert energy.accelerator_share("b200", "serving", 500).kind == "measured"


# Training


def test_a_run_in_queretaro_by_hand(train: Train) -> None:
    quote = train("h200:8", provider="azure", region="queretaro")
    hours = float(quote.lines[0].quantity) * 8
    computers = hours * 700 * (0.85 + 0.534) / 1000
    building = computers * 1.18
    assert found(quote).energy_kwh == pytest.approx(building)
    assert found(quote).co2e_kg == pytest.approx(building * 0.444)
    assert found(quote).water_l == pytest.approx(computers * 0.27 + building * 5.3047)


def test_the_three_mexican_factors_are_named_and_the_official_one_is_used(train: Train) -> None:
    quote = train("h200:8", provider="azure", region="mexicocentral")
    named = {
        (item.kind, item.value, item.year, item.used)
        for item in found(quote).factors
        if item.what == "grid_carbon"
    }
    assert named == {
        ("official", 444.0, "2024", True),
        ("operational", 305.0, "2024", False),
        ("life-cycle", 484.83, "2026-03", False),
    }


@pytest.mark.parametrize(
    ("on", "provider", "region", "grid", "pue"),
    [
        ("v6e-8", "gcp", "us-central1", 431.95, 1.09),
        ("h100:8", "aws", "us-east-1", 383.55, 1.14),
    ],
)
def test_regions_take_their_own_grid_and_providers_their_own_pue(
    train: Train, on: str, provider: str, region: str, grid: float, pue: float
) -> None:
    quote = train(on, provider=provider, region=region)
    assert used(quote, "grid_carbon").value == grid
    assert used(quote, "pue").value == pue
    assert found(quote).co2e_kg == pytest.approx(found(quote).energy_kwh * grid / 1000)


def test_every_factor_has_source_year_and_kind(train: Train) -> None:
    for quote in (train("v6e-8", provider="gcp"), train("mi300x:8"), train("h100:8")):
        assert found(quote).factors
        for factor in found(quote).factors:
            assert len(factor.source) > 10
            assert factor.year[:2] in ("20", "FY")
            assert factor.kind
            assert factor.value > 0
    guessed = used(train("v6e-8", provider="gcp"), "power_limit")
    assert guessed.kind == "unverified"
    assert used(train("h100:8"), "power_limit").kind == "published"


def test_without_a_region_there_is_energy_but_no_carbon_and_no_water(train: Train) -> None:
    quote = train("h100:8", provider="lambda")
    assert quote.workloads[0].offer is not None
    assert quote.workloads[0].offer.region is None
    assert found(quote).energy_kwh > 0
    assert (found(quote).co2e_kg, found(quote).water_l) == (None, None)
    assert "footprint_no_region" in codes(quote)
    assert not [item for item in found(quote).factors if "grid" in item.what]


def test_unpublished_power_gives_no_footprint(train: Train) -> None:
    quote = train("trainium1:16", provider="aws")
    assert quote.footprint is None
    assert "footprint_no_power" in codes(quote)


def test_a_country_without_a_water_figure_has_carbon_only(train: Train, catalog: Catalog) -> None:
    assert "SG" not in ENERGY["grid_water"]
    offers = catalog.current_offers(date(2026, 12, 1))
    offer = next(
        item
        for item in offers
        if item.provider == "gcp"
        and item.accelerator == "h100-sxm"
        and item.region == "asia-southeast1"
        and item.accelerator_count == 8
    )
    quote = train("h100:8", provider="gcp", region="asia-southeast1", purchase=offer.purchase)
    assert found(quote).co2e_kg is not None
    assert found(quote).water_l is None
    assert "footprint_no_water" in codes(quote)


def test_a_catalog_without_energy_says_so(catalog: Catalog, terms: Terms, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "pricing"
    shutil.copytree(ROOT / "pricing", folder)
    (folder / "energy.yaml").unlink()
    bare = catalogs.load(folder, cache_dir=tmp_path / "cache")
    request = TrainRequest(
        architecture=bare.model("llama-3.1-8b"),
        tokens=10**9,
        placement=Placement(hardware=bare.hardware("h100:8")),
    )
    quote = quote_training(request, bare, terms)
    assert quote.footprint is None
    assert "footprint_no_table" in codes(quote)


def test_work_done_again_draws_power_too(train: Train) -> None:
    quote = train("h100:64", tokens=10**12, purchase="spot", market="any")
    offer = quote.workloads[0].offer
    assert offer is not None
    compute, redone = quote.lines[:2]
    assert redone.item == "spot_redone"
    expected = (compute.quantity + redone.amount_usd / compute.unit_price_usd) * Decimal(
        offer.accelerator_count
    )
    assert accelerator_hours(offer, quote.lines) == pytest.approx(float(expected))


# Plans

PLAN = """\
version: 1
name: suma
workloads:
  - {name: uno, kind: train, model: llama-3.1-8b, tokens: 1B, on: 'h200:8', provider: azure,
     region: mexicocentral, runs_per_month: 3}
  - {name: dos, kind: train, model: llama-3.1-8b, tokens: 1B, on: v6e-8, provider: gcp,
     region: us-central1}
  - {name: aparte, kind: train, model: llama-3.1-8b, tokens: 1B, on: v6e-8, provider: gcp,
     region: us-central1, reference: true}
  - {name: propio, kind: owned, months: 12, purchase: 250000 USD, power: 10kW, pue: 1.4,
     load: 50%, electricity_price: 0.12 USD, region: queretaro}
"""


def plan_quote(text: str, catalog: Catalog, terms: Terms) -> Quote:
    document = safeyaml.load(text, "plan.yaml")
    quote = quote_plan(read_plan(document.data, "plan.yaml", document=document), catalog, terms)
    assert quote.plan is not None
    assert not quote.plan.failures
    return quote


def test_a_plan_sums_its_workloads_and_leaves_comparisons_out(
    catalog: Catalog, terms: Terms, train: Train
) -> None:
    quote = plan_quote(PLAN, catalog, terms)
    one = found(train("h200:8", provider="azure", region="mexicocentral"))
    two = found(train("v6e-8", provider="gcp", region="us-central1"))
    own = 10 * 1.4 * 0.5 * 730 * 12
    total = found(quote)
    # a line's hours have four decimals, so that three runs are not exactly three times one
    assert total.energy_kwh == pytest.approx(3 * one.energy_kwh + two.energy_kwh + own, rel=1e-4)
    assert one.co2e_kg is not None
    assert two.co2e_kg is not None
    assert total.co2e_kg == pytest.approx(3 * one.co2e_kg + two.co2e_kg + own * 0.444, rel=1e-4)
    assert one.water_l is not None
    assert two.water_l is not None
    # own hardware: the industry's cooling water, since nobody stated another
    water = own / 1.4 * 0.84 + own * 5.3047
    assert total.water_l == pytest.approx(3 * one.water_l + two.water_l + water, rel=1e-4)
    assert "footprint_partial" not in codes(quote)


def test_a_plan_counts_services(catalog: Catalog, terms: Terms) -> None:
    text = """\
version: 1
name: servicio
workloads:
  - {name: chat, kind: serve, model: llama-3.1-8b, on: 'h200:8', rps: 5, months: 2,
     provider: azure, region: mexicocentral}
"""
    quote = plan_quote(text, catalog, terms)
    offer = quote.workloads[0].offer
    assert offer is not None
    hours = 2 * 730 * offer.accelerators
    # between idle and fully loaded, with the servers, and PUE 1.18
    low, high = (hours * 0.7 * (share + 0.534) * 1.18 for share in (0.115, 0.86))
    assert low < found(quote).energy_kwh < high
    assert found(quote).co2e_kg == pytest.approx(found(quote).energy_kwh * 0.444)


def test_a_plan_says_what_its_footprint_leaves_out(catalog: Catalog, terms: Terms) -> None:
    text = PLAN + "  - {name: horas, kind: machine, on: 'h100:8', hours: 10h}\n"
    quote = plan_quote(text, catalog, terms)
    (said,) = [item for item in quote.notices if item.code == "footprint_partial"]
    assert dict(said.params)["names"] == "horas"


def test_one_workload_without_a_place_leaves_the_sum_without_carbon(
    catalog: Catalog, terms: Terms
) -> None:
    quote = plan_quote(PLAN.replace(", region: queretaro", ""), catalog, terms)
    assert found(quote).co2e_kg is None
    assert found(quote).energy_kwh > 0
    assert "footprint_no_region" in codes(quote)


def test_workloads_without_machines_have_no_footprint(catalog: Catalog) -> None:
    workload = WorkloadQuote("s", "storage", {}, None, None)
    assert footprint([workload], [], catalog) == (None, [])


# Reports


def test_json_and_table_show_it(costcalc: Run) -> None:
    run = ["train", "--model", "llama-3.1-8b", "--tokens", "1B", "--on", "h200:8"]
    place = ["--provider", "azure", "--region", "queretaro"]
    record = json.loads(costcalc(*run, *place, "--format", "json").out)["footprint"]
    assert list(record) == ["energy_kwh", "co2e_kg", "water_l", "factors"]
    assert all(
        {"what", "value", "unit", "year", "source"} <= factor.keys() for factor in record["factors"]
    )
    english = costcalc(*run, *place).out
    assert "location-based, at 444 g/kWh (official, 2024)" in " ".join(english.split())
    spanish = " ".join(costcalc(*run, *place, "--lang", "es", "--explain").out.split())
    assert "por ubicación, con 444 g/kWh (oficial, 2024)" in spanish
    assert "Factores de energía, carbono y agua" in spanish
    assert "AvisoFESEN_2024" in spanish
