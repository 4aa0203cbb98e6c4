"""Which offer is taken, on real rows of the catalog."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from costcalc.catalog import Catalog
from costcalc.errors import InputError, NoOfferError
from costcalc.quote.select import Placement, Selection, select
from tests.regions.conftest import DAY


def take(catalog: Catalog, on: str, *, hours: float | None = None, **wish: Any) -> Selection:
    """`select` on the fixed day."""
    placement = Placement(catalog.hardware(on), **wish)
    high = None if hours is None else hours * 1.2
    return select(placement, catalog, DAY, hours=hours, hours_high=high)


def refused(catalog: Catalog, on: str, **wish: Any) -> NoOfferError:
    """The error of a wish that no offer meets."""
    with pytest.raises(NoOfferError) as caught:
        take(catalog, on, **wish)
    assert caught.value.exit_status == 4
    assert caught.value.message("es") != caught.value.message("en")
    return caught.value


def codes(selection: Selection) -> set[str]:
    """Codes of its warnings."""
    return {item.code for item in selection.notices}


def test_h200_in_queretaro_is_azure_with_unproven_capacity(catalog: Catalog) -> None:
    found = take(catalog, "h200:8", region="queretaro")
    assert (found.choice.provider, found.choice.region) == ("azure", "mexicocentral")
    assert found.choice.usd_per_hour == Decimal("93.28")
    assert "capacity_unproven" in codes(found)
    assert found.moved is None


def test_two_hosts_in_queretaro_are_two_machines_nobody_promises(catalog: Catalog) -> None:
    found = take(catalog, "h200:16", region="qro")
    assert found.choice.instances == 2
    assert {"capacity_unproven", "amount_unproven"} <= codes(found)


def test_a_world_price_is_not_quoted_in_queretaro(catalog: Catalog) -> None:
    error = refused(catalog, "h100:8", region="queretaro")
    said = error.message("en")
    assert "oci publishes one price for all its regions" in said
    assert "azure southcentralus (San Antonio), 1,001 km" in said
    assert "denvr houston-usa" in said


@pytest.mark.parametrize("region", ["mx-queretaro-1", "mexico", "us-ashburn-1"])
def test_oci_is_in_no_region(catalog: Catalog, region: str) -> None:
    if region == "us-ashburn-1":
        with pytest.raises(InputError):
            take(catalog, "h100:8", region=region, provider="oci")
    else:
        assert refused(catalog, "h100:8", region=region, provider="oci")
    assert take(catalog, "h100:8", provider="oci").choice.region is None


def test_tpu_near_queretaro_is_dallas_priced(catalog: Catalog) -> None:
    error = refused(catalog, "tpu-v5e:8", region="queretaro")
    assert "gcp us-south1 (Dallas), 1,402 km" in error.message("en")
    found = take(catalog, "tpu-v5e:8", region="queretaro", nearest=True)
    assert found.choice.region == "us-south1"
    assert found.choice.usd_per_hour > 0
    assert found.moved is not None
    assert found.moved.kilometres == pytest.approx(1402, abs=2)
    assert {"nearest_region", "data_leaves"} <= codes(found)
    assert "ai_zone" not in codes(found)


def test_v6e_in_dallas_stands_in_an_ai_zone(catalog: Catalog) -> None:
    found = take(catalog, "tpu-v6e:8", region="queretaro", nearest=True)
    assert found.choice.region == "us-south1"
    assert "ai_zone" in codes(found)


def test_nearest_names_the_distance_as_a_lower_bound(catalog: Catalog) -> None:
    found = take(catalog, "h100:8", region="queretaro", nearest=True)
    said = next(item for item in found.notices if item.code == "nearest_region").message("en")
    assert "1,001 km" in said
    assert "at least 10 ms" in said
    assert "unproven_there" in codes(found)


def test_nearest_stays_when_the_region_has_an_offer(catalog: Catalog) -> None:
    found = take(catalog, "h200:8", region="queretaro", nearest=True)
    assert found.choice.region == "mexicocentral"
    assert found.moved is None


def test_residency_refuses_other_countries_and_unknown_places(catalog: Catalog) -> None:
    assert take(catalog, "h200:8", residency="mx").choice.region == "mexicocentral"
    assert "MX" in refused(catalog, "h100:8", residency="mx").message("en")
    assert refused(catalog, "h100:8", residency="MX", region="queretaro", nearest=True)
    assert take(catalog, "h100:8", residency="us", provider="aws").choice.region is not None
    with pytest.raises(InputError):
        take(catalog, "h100:8", residency="atlantis")


def test_markets_are_asked_for(catalog: Catalog) -> None:
    assert take(catalog, "h100:1").choice.market != "marketplace"
    assert take(catalog, "h100:1", market="marketplace").choice.market == "marketplace"
    cheapest = take(catalog, "h100:1", market="any").choice
    assert cheapest.market == "marketplace"


def test_a_marketplace_gpu_is_no_cluster(catalog: Catalog) -> None:
    assert refused(catalog, "h100:2048", market="marketplace")
    assert take(catalog, "h100:2048").choice.accelerator_count == 8


def test_a_chip_that_is_not_sold_on_demand_falls_back_and_says_so(catalog: Catalog) -> None:
    found = take(catalog, "trn2:16")
    assert found.choice.purchase == "capacity-block"
    assert "not_sold_on_demand" in codes(found)


def test_an_option_that_was_asked_for_never_falls_back(catalog: Catalog) -> None:
    error = refused(catalog, "trn2:16", purchase="on-demand")
    assert "capacity-block" in error.message("en")


def test_runs_longer_than_the_purchase_are_refused_there(catalog: Catalog) -> None:
    error = refused(catalog, "tpu-v6e:8", purchase="flex-start", hours=200.0)
    assert "7 days" in error.message("en")
    error = refused(catalog, "trn2:16", purchase="capacity-block", hours=4400.0)
    assert "182 days" in error.message("en")
    assert "may_be_too_long" in codes(
        take(catalog, "tpu-v6e:8", purchase="flex-start", hours=150.0)
    )
    assert "may_be_too_long" not in codes(
        take(catalog, "tpu-v6e:8", purchase="flex-start", hours=100.0)
    )


def test_tpu_counts_are_slices(catalog: Catalog) -> None:
    assert "4 and 8" in refused(catalog, "tpu-v5e:5").message("en")


def test_a_named_machine_without_a_network_is_one_system_only(catalog: Catalog) -> None:
    assert take(catalog, "Standard_ND96is_H100_v5").choice.instances == 1
    assert refused(catalog, "Standard_ND96is_H100_v5:4")
    assert take(catalog, "Standard_ND96isr_H100_v5:4").choice.instances == 4
    apart = Placement(catalog.hardware("Standard_ND96is_H100_v5:4"), together=8)
    assert select(apart, catalog, DAY).choice.instances == 4


def test_a_shape_that_is_not_sold_this_way_is_warned(catalog: Catalog) -> None:
    found = take(catalog, "a3-highgpu-2g", provider="gcp")
    assert "not_sold_in_practice" in codes(found)
    assert "not_sold_in_practice" not in codes(take(catalog, "a3-highgpu-2g", purchase="spot"))


def test_retired_chips_and_estimated_places_are_said(catalog: Catalog) -> None:
    assert "retired" in codes(take(catalog, "gaudi1:8"))


def test_the_managed_service_is_named_where_there_is_one(catalog: Catalog) -> None:
    found = take(catalog, "h100:8", provider="aws")
    said = [item.message("en") for item in found.notices if item.code == "managed_service"]
    assert said
    assert "SageMaker" in said[0]
    assert "managed_service" not in codes(take(catalog, "h100:8", provider="denvr"))


def test_equal_prices_prefer_a_documented_zone(catalog: Catalog) -> None:
    found = take(catalog, "tpu-v6e:8", provider="gcp", purchase="on-demand")
    region = catalog.regions()[f"gcp/{found.choice.region}"]
    assert any(not zone.ai_zone for zone in region.zones_of("tpu-v6e"))
    assert "tpu_zone_unproven" not in codes(found)


def test_spot_never_costs_more_than_on_demand_of_the_same_machine(catalog: Catalog) -> None:
    rows: dict[tuple[str | None, ...], dict[str, Decimal]] = {}
    for offer in catalog.current_offers(DAY):
        key = (offer.provider, offer.instance_type, offer.accelerator, offer.region, offer.market)
        rows.setdefault(key, {})[offer.purchase] = offer.usd_per_instance_hour
    both = [prices for prices in rows.values() if {"spot", "on-demand"} <= set(prices)]
    assert len(both) > 100
    # two inf2 rows are listed as 2.9518 (spot, four digits) against 2.95179
    slack = Decimal("1.00001")
    assert all(prices["spot"] <= prices["on-demand"] * slack for prices in both)
