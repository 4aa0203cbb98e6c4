"""Regions: names, places, distances, and what is listed where."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc import messages
from costcalc.catalog import Catalog, yamlfile
from costcalc.catalog.compile_regions import compile_regions
from costcalc.catalog.regions import (
    EARTH_RADIUS_KM,
    build_regions,
    distance_km,
    great_circle_km,
    round_trip_floor_ms,
)
from costcalc.errors import InputError
from costcalc.quote.geography import scope_of
from costcalc.quote.listing import accelerators_in, evidence
from tests.regions.conftest import DAY

QUERETARO = {
    "gcp/northamerica-south1",
    "aws/mx-central-1",
    "azure/mexicocentral",
    "oci/mx-queretaro-1",
}
latitudes = st.floats(-90, 90)
longitudes = st.floats(-180, 180)


@pytest.mark.parametrize(
    "text", ["queretaro", "qro", "QRO", "Querétaro", "QUERÉTARO", "Santiago de Querétaro"]
)
def test_queretaro_is_one_region_of_each_provider(catalog: Catalog, text: str) -> None:
    scope = scope_of(catalog, text)
    assert set(scope.regions) == QUERETARO
    assert scope.group == "queretaro"


@pytest.mark.parametrize("text", ["mexico", "México", "MX"])
def test_mexico_adds_monterrey(catalog: Catalog, text: str) -> None:
    assert set(scope_of(catalog, text).regions) == QUERETARO | {"oci/mx-monterrey-1"}


def test_me_west1_is_not_mexico(catalog: Catalog) -> None:
    scope = scope_of(catalog, "me-west1")
    assert scope.regions == ("gcp/me-west1",)
    assert catalog.regions()["gcp/me-west1"].country == "IL"
    assert "gcp/me-west1" not in scope_of(catalog, "mexico").regions


def test_a_code_of_two_providers_means_both_and_a_full_id_means_one(catalog: Catalog) -> None:
    assert set(scope_of(catalog, "us-central1").regions) == {
        "gcp/us-central1",
        "nebius/us-central1",
    }
    assert scope_of(catalog, "gcp/us-central1").regions == ("gcp/us-central1",)


def test_a_city_names_its_regions(catalog: Catalog) -> None:
    assert "gcp/us-south1" in scope_of(catalog, "dallas").regions


@pytest.mark.parametrize(("text", "near"), [("mexicocentrl", "mexicocentral"), ("me", "mexico")])
def test_an_unknown_region_names_the_nearest(catalog: Catalog, text: str, near: str) -> None:
    with pytest.raises(InputError) as caught:
        scope_of(catalog, text)
    assert near in caught.value.message("en")
    assert caught.value.exit_status == 2


def test_every_region_of_an_offer_is_known(catalog: Catalog) -> None:
    regions = catalog.regions()
    named = {f"{o.provider}/{o.region}" for o in catalog.offers() if o.region is not None}
    assert named - set(regions) == set()


def test_every_tpu_zone_and_group_member_belongs_to_its_region(catalog: Catalog) -> None:
    regions = catalog.regions()
    zones = [(r, zone) for r in regions.values() for zone in r.tpu_zones]
    assert len(zones) == 16
    assert all(zone.zone.startswith(region.code) for region, zone in zones)
    assert all(key in regions for group in regions.groups.values() for key in group.regions)


def test_every_country_has_a_name_in_every_language(catalog: Catalog) -> None:
    for region in catalog.regions().values():
        for language in messages.LANGUAGES:
            assert messages.text(f"regions.country_{region.country}", language)


def test_opt_in_regions_are_flagged(catalog: Catalog) -> None:
    regions = catalog.regions()
    assert regions["aws/mx-central-1"].opt_in is True
    assert regions["aws/us-east-1"].opt_in is False
    assert regions["gcp/us-central1"].opt_in is None


def test_known_distances(catalog: Catalog) -> None:
    regions = catalog.regions()
    home = regions["gcp/northamerica-south1"]
    assert distance_km(home, regions["gcp/us-south1"]) == pytest.approx(1402, abs=2)
    assert distance_km(home, home) == 0
    assert distance_km(home, regions["intel-tiber/us"]) is None
    assert great_circle_km(0, 0, 0, 180) == pytest.approx(math.pi * EARTH_RADIUS_KM)
    assert great_circle_km(90, 0, -90, 17) == pytest.approx(math.pi * EARTH_RADIUS_KM)


@given(latitudes, longitudes, latitudes, longitudes, latitudes, longitudes)
def test_distance_is_a_metric(a: float, b: float, c: float, d: float, e: float, f: float) -> None:
    there = great_circle_km(a, b, c, d)
    assert 0 <= there <= math.pi * EARTH_RADIUS_KM + 1e-6
    assert there == pytest.approx(great_circle_km(c, d, a, b), abs=1e-6)
    assert there <= great_circle_km(a, b, e, f) + great_circle_km(e, f, c, d) + 1e-3


@given(st.floats(0, 20_040))
def test_the_round_trip_is_two_ways_of_fibre(kilometres: float) -> None:
    assert round_trip_floor_ms(kilometres) == pytest.approx(kilometres / 100)


def test_only_azure_lists_accelerators_in_queretaro(catalog: Catalog) -> None:
    regions = catalog.regions()
    offers = list(catalog.current_offers(DAY))
    listed = {key: accelerators_in(regions[key], offers) for key in QUERETARO}
    assert listed == {
        "azure/mexicocentral": ["a10", "h200-sxm"],
        "gcp/northamerica-south1": [],
        "aws/mx-central-1": [],
        "oci/mx-queretaro-1": [],
    }


def test_a_world_price_is_shown_and_is_no_evidence(catalog: Catalog) -> None:
    offers = list(catalog.current_offers(DAY))
    found = evidence(catalog.regions()["oci/mx-queretaro-1"], offers)
    assert {item.kind for item in found} == {"uniform-price"}
    assert "h100-sxm" in {item.accelerator for item in found}


def test_dallas_has_v5e_in_a_zone_and_v6e_in_an_ai_zone(catalog: Catalog) -> None:
    region = catalog.regions()["gcp/us-south1"]
    assert [zone.ai_zone for zone in region.zones_of("tpu-v5e")] == [False]
    assert [zone.ai_zone for zone in region.zones_of("tpu-v6e")] == [True]
    assert region.zones_of("tpu-v5p") == ()


def test_ordinary_machines_of_google_in_queretaro_cost_nine_percent_more(catalog: Catalog) -> None:
    ratios = catalog.regions()["gcp/northamerica-south1"].machine_price_ratios
    assert {r.against: str(r.ratio) for r in ratios} == {
        "us-central1": "1.09",
        "us-south1": "0.9237",
    }
    assert all(r.source and r.as_of for r in ratios)


def _compiled(text: str) -> object:
    return compile_regions([yamlfile.parse(text.encode(), "r.yaml")])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("regions:\n  gcp/x:\n    name: X\n    country: mx\n", "line 4"),
        ("regions:\n  x:\n    name: X\n    country: MX\n", "provider/region"),
        ("regions:\n  gcp/x:\n    name: X\n    country: MX\n    latitude: 91\n", "latitude"),
        ("regions:\n  gcp/x:\n    name: X\n    country: MX\n    cty: Y\n", "city"),
        ("groups:\n  g:\n    name: G\n    aliases: []\n    regions: [gcp/x]\n", "gcp/x"),
        (
            "regions:\n  gcp/x:\n    name: X\n    country: MX\n    listed:\n"
            "      - {accelerator: a, instance_type: b, evidence: c, source: nowhere}\n",
            "nowhere",
        ),
    ],
)
def test_a_faulty_file_is_told_with_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        _compiled(text)
    assert said in caught.value.message("en")
    assert "r.yaml" in caught.value.message("es")


def test_two_files_cannot_hold_one_region() -> None:
    text = "regions:\n  gcp/x:\n    name: X\n    country: MX\n"
    trees = [yamlfile.parse(text.encode(), name) for name in ("a.yaml", "b.yaml")]
    with pytest.raises(InputError) as caught:
        compile_regions(trees)
    assert "b.yaml" in caught.value.message("en")


def test_regions_survive_the_compiled_form(catalog: Catalog) -> None:
    folder = Path(__file__).resolve().parents[2] / "pricing" / "regions"
    trees = [yamlfile.parse(p.read_bytes(), p.name) for p in sorted(folder.glob("*.yaml"))]
    assert dict(build_regions(compile_regions(trees))) == dict(catalog.regions())
