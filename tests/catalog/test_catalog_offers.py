"""Prices: all of them, exact, dated, never overwritten."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from costcalc.catalog import Catalog, Offer

TODAY = date(2026, 12, 1)
ROWS = {
    "aws": 238,
    "azure": 303,
    "coreweave": 7,
    "crusoe": 15,
    "denvr": 2,
    "digitalocean": 6,
    "fluidstack": 1,
    "gcp": 412,
    "horizon": 1,
    "hotaisle": 1,
    "hyperstack": 9,
    "ibm": 1,
    "intel-tiber": 1,
    "jarvis-labs": 6,
    "lambda": 19,
    "latitude": 2,
    "massedcompute": 1,
    "modal": 5,
    "nebius": 13,
    "novita": 4,
    "oci": 11,
    "packet-ai": 2,
    "qubrid": 5,
    "runpod": 32,
    "scaleway": 1,
    "sfcompute": 2,
    "tensordock": 3,
    "tensorwave": 2,
    "vast-ai": 9,
    "verda": 17,
    "voltagepark": 1,
    "vultr": 4,
}


def one(shipped: Catalog, **wanted: object) -> Offer:
    found = [
        offer
        for offer in shipped.offers()
        if all(getattr(offer, name) == value for name, value in wanted.items())
    ]
    assert len(found) == 1, found
    return found[0]


def test_every_row_is_there(shipped: Catalog) -> None:
    assert Counter(offer.provider for offer in shipped.offers()) == ROWS
    assert len(shipped.offers()) == sum(ROWS.values()) == 1136


def test_rows_by_purchase_market_and_confidence(shipped: Catalog) -> None:
    offers = shipped.offers()
    assert Counter(offer.purchase for offer in offers) == {
        "on-demand": 715,
        "spot": 305,
        "commit-1y": 50,
        "commit-3y": 50,
        "capacity-block": 12,
        "flex-start": 4,
    }
    assert Counter(offer.market for offer in offers) == {
        "hyperscaler": 965,
        "neocloud": 137,
        "marketplace": 34,
    }
    assert Counter(offer.confidence for offer in offers) == {
        "listed": 951,
        "quoted": 170,
        "estimated": 15,
    }
    assert sum(offer.region is None for offer in offers) == 159


@pytest.mark.parametrize(
    ("wanted", "instance", "accelerator"),
    [
        (
            {"instance_type": "p5.48xlarge", "region": "us-east-1", "purchase": "on-demand"},
            "55.04",
            "6.88",
        ),
        (
            {
                "instance_type": "p4d.24xlarge",
                "region": "us-east-1",
                "purchase": "on-demand",
            },
            "21.957642",
            "2.74470525",
        ),
        (
            {"instance_type": "inf2.24xlarge", "region": "us-east-1", "purchase": "on-demand"},
            "6.49063",
            "1.0817717",
        ),
        (
            {"instance_type": "Standard_ND96isr_H200_v5", "region": "mexicocentral"},
            "93.28",
            "11.66",
        ),
        (
            {"instance_type": "ct5p-hightpu-4t", "region": "us-east5", "purchase": "on-demand"},
            "16.8",
            "4.2",
        ),
        ({"instance_type": "BM.GPU.MI300X.8"}, "48", "6"),
        ({"instance_type": "8x Gaudi2 node"}, "10.42", "1.3025"),
    ],
)
def test_known_prices(
    shipped: Catalog, wanted: dict[str, object], instance: str, accelerator: str
) -> None:
    current = [
        offer
        for offer in shipped.current_offers(TODAY)
        if all(getattr(offer, name) == value for name, value in wanted.items())
    ]
    assert [offer.usd_per_instance_hour for offer in current] == [Decimal(instance)]
    assert [offer.usd_per_accelerator_hour for offer in current] == [Decimal(accelerator)]


def test_instance_price_is_count_times_accelerator_price(shipped: Catalog) -> None:
    for offer in shipped.offers():
        product = offer.usd_per_accelerator_hour * offer.accelerator_count
        assert abs(product / offer.usd_per_instance_hour - 1) < Decimal("1e-7"), offer
        assert offer.accelerator_count >= 1
        assert offer.source
        assert offer.accelerator in shipped.accelerators()


def test_sources_and_dates(shipped: Catalog) -> None:
    assert all(date(2024, 1, 1) <= offer.as_of <= TODAY for offer in shipped.offers())
    assert (shipped.prices_oldest, shipped.prices_newest) == (date(2024, 1, 5), date(2026, 9, 6))
    for offer in shipped.offers():
        if offer.source.startswith("unverified"):
            assert offer.confidence == "estimated"


def test_one_offer_per_key_and_day(shipped: Catalog) -> None:
    keys = Counter((*offer.key, offer.as_of) for offer in shipped.offers())
    assert max(keys.values()) == 1


def test_the_same_name_at_two_markets_is_two_offers(shipped: Catalog) -> None:
    secure = one(shipped, provider="runpod", instance_type="1x NVIDIA H200", market="neocloud")
    community = one(
        shipped, provider="runpod", instance_type="1x NVIDIA H200", market="marketplace"
    )
    assert secure.usd_per_instance_hour == Decimal("4.39")
    assert community.usd_per_instance_hour == Decimal("3.59")


def test_a_newer_entry_takes_the_place_of_an_older_one(shipped: Catalog) -> None:
    def price(day: date) -> list[Decimal]:
        return [
            offer.usd_per_instance_hour
            for offer in shipped.current_offers(day)
            if offer.instance_type == "p5en.48xlarge" and offer.purchase == "capacity-block"
        ]

    assert price(date(2025, 12, 30)) == []
    assert price(date(2026, 1, 4)) == [Decimal("36.18")]
    assert price(date(2026, 1, 5)) == [Decimal("41.61")]
    assert price(TODAY) == [Decimal("41.61")]


def test_prices_that_are_over_are_history(shipped: Catalog) -> None:
    lambda_8x = [offer for offer in shipped.offers() if offer.instance_type == "gpu_8x_h100_sxm5"]
    assert [offer.usd_per_accelerator_hour for offer in lambda_8x] == [Decimal("2.99")]
    assert lambda_8x[0].ended == date(2026, 2, 18)
    assert lambda_8x[0] in shipped.current_offers(date(2026, 2, 17))
    assert lambda_8x[0] not in shipped.current_offers(date(2026, 2, 18))
    assert all(
        offer.ended is None or offer.ended > TODAY for offer in shipped.current_offers(TODAY)
    )
    assert len(shipped.current_offers(TODAY)) == 1086


def test_a_per_gpu_price_of_whole_nodes_is_sold_in_eights(shipped: Catalog) -> None:
    offer = one(shipped, provider="lambda", instance_type="1x H100 SXM (8x, per GPU)")
    assert (offer.multiple_of, offer.usd_per_accelerator_hour) == (8, Decimal("3.99"))
    single = one(shipped, provider="lambda", instance_type="1x H100 SXM (1x)")
    assert single.max_accelerators == 1


def test_scale_out_is_known_where_it_can_be_sourced(shipped: Catalog) -> None:
    known = {(offer.provider, offer.instance_type): offer.scaleout for offer in shipped.offers()}
    assert known["aws", "p5.48xlarge"] is True
    assert known["azure", "Standard_ND96isr_H100_v5"] is True
    assert known["azure", "Standard_ND96is_H100_v5"] is False
    assert known["azure", "Standard_NC40ads_H100_v5"] is False
    assert known["gcp", "a3-highgpu-1g"] is None
    assert known["vast-ai", "1x NVIDIA H200"] is False


def test_spot_and_commitments_cost_no_more_than_on_demand(shipped: Catalog) -> None:
    by_machine: dict[tuple[object, ...], dict[str, Decimal]] = {}
    for offer in shipped.current_offers(TODAY):
        machine = (
            offer.provider,
            offer.instance_type,
            offer.accelerator,
            offer.region,
            offer.market,
        )
        by_machine.setdefault(machine, {})[offer.purchase] = offer.usd_per_instance_hour
    compared = 0
    for machine, prices in by_machine.items():
        order = [
            prices[purchase]
            for purchase in ("on-demand", "commit-1y", "commit-3y")
            if purchase in prices
        ]
        assert order == sorted(order, reverse=True), machine
        if "spot" in prices and "on-demand" in prices:
            # AWS shows spot prices with fewer digits
            assert prices["spot"] <= prices["on-demand"] * Decimal("1.00001"), machine
            compared += 1
    assert compared > 200


def test_what_is_not_sold_on_demand(shipped: Catalog) -> None:
    for accelerator in ("trainium2",):
        purchases = {
            offer.purchase for offer in shipped.current_offers(TODAY).of_accelerator(accelerator)
        }
        assert purchases == {"spot", "capacity-block"}
    assert not list(shipped.offers().of_accelerator("trainium3"))


OFFERS = """\
provider: acme
market: neocloud
sources:
  list: {text: a price list, date: 2026-02-03}
instances:
  - instance_type: a.8
    accelerator: chip-a
    accelerator_count: 8
    prices:
      - purchase: on-demand
        as_of: 2026-02-03
        source: list
        usd_per_instance_hour: {here: 16.40, there: 17}
      - purchase: on-demand
        as_of: 2026-05-01
        source: list
        usd_per_instance_hour: {here: 0}
      - purchase: spot
        as_of: 2026-02-03
        source: list
        usd_per_accelerator_hour: {here: "1.234567890123"}
"""


def test_a_price_of_zero_is_not_sold_and_never_free(
    make: Callable[..., Path], load: Callable[[Path], Catalog]
) -> None:
    loaded = load(make({"offers/acme.yaml": OFFERS}))
    assert len(loaded.offers()) == 4
    zero = [offer for offer in loaded.offers() if not offer.sold]
    assert [(offer.region, offer.as_of) for offer in zero] == [("here", date(2026, 5, 1))]

    def regions(day: date) -> set[str | None]:
        return {
            offer.region for offer in loaded.current_offers(day) if offer.purchase == "on-demand"
        }

    assert regions(date(2026, 4, 30)) == {"here", "there"}
    assert regions(date(2026, 5, 1)) == {"there"}
    assert all(offer.sold for offer in loaded.current_offers(TODAY))


def test_all_digits_are_kept(make: Callable[..., Path], load: Callable[[Path], Catalog]) -> None:
    loaded = load(make({"offers/acme.yaml": OFFERS}))
    spot = next(offer for offer in loaded.offers() if offer.purchase == "spot")
    assert str(spot.usd_per_accelerator_hour) == "1.234567890123"
    assert str(spot.usd_per_instance_hour) == "9.876543120984"
    assert str(loaded.offers()[0].usd_per_instance_hour) == "16.40"


def test_a_slice_of_the_table_is_a_table(shipped: Catalog) -> None:
    offers = shipped.offers()
    assert list(offers[:3]) == [offers[0], offers[1], offers[2]]
    assert offers[-1] == list(offers)[-1]
    assert {offer.instance_type for offer in offers.of_instance_type("P5.48XLARGE")} == {
        "p5.48xlarge"
    }
