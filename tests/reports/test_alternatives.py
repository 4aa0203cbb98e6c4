"""What a report shows beside a training quote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog
from costcalc.catalog.rates import ExchangeRate
from costcalc.errors import NoOfferError
from costcalc.quote.alternatives import PACES, SHOWN, alternatives
from costcalc.quote.select import Placement
from costcalc.quote.terms import Terms
from costcalc.quote.train import TrainRequest, quote_training
from costcalc.units import Money

TERMS = Terms(fx=ExchangeRate(Decimal("18.9077"), None, "test"), as_of=date(2026, 12, 1))


@pytest.fixture(scope="module")
def catalog(data_dir: Path) -> Catalog:
    return catalogs.load(None, cache_dir=data_dir / "cache")


def request_for(catalog: Catalog, **placement: Any) -> TrainRequest:
    hardware = catalog.hardware("h100:64")
    return TrainRequest(catalog.model("llama-3.1-8b"), 10**12, Placement(hardware, **placement))


@pytest.fixture(scope="module")
def offers(catalog: Catalog) -> tuple[Mapping[str, Any], ...]:
    return alternatives(request_for(catalog), 1000.0, catalog, TERMS)


def test_cheapest_first_each_once(offers: tuple[Mapping[str, Any], ...]) -> None:
    assert 5 < len(offers) <= SHOWN
    assert [offer["usd"] for offer in offers] == sorted(offer["usd"] for offer in offers)
    assert [offer["rank"] for offer in offers] == list(range(1, len(offers) + 1))
    keys = {
        (row["provider"], row["region"], row["instance_type"], row["accelerator_count"])
        for row in offers
    }
    assert len(keys) == len(offers)
    assert offers[0]["usd_ratio"] == 1


def test_the_pareto_set_is_marked_whole(offers: tuple[Mapping[str, Any], ...]) -> None:
    for offer in offers:
        beaten = any(
            other["usd"] <= offer["usd"] and other["hours"] < offer["hours"]
            for other in offers
            if other is not offer
        )
        assert offer["pareto"] is not beaten


def test_paces_are_kept(offers: tuple[Mapping[str, Any], ...]) -> None:
    assert all(offer["hours"] <= 1000.0 * max(PACES) for offer in offers)
    assert any(offer["hours"] <= 500.0 for offer in offers)
    assert any(offer["hours"] > 1000.0 for offer in offers)


def test_each_costs_what_a_quote_of_it_costs(
    catalog: Catalog, offers: tuple[Mapping[str, Any], ...]
) -> None:
    for offer in offers[:6]:
        name = f"{offer['instance_type']}:{offer['instances']}"
        request = TrainRequest(
            catalog.model("llama-3.1-8b"),
            10**12,
            Placement(
                catalog.hardware(f"{offer['accelerator']}:{offer['accelerator_count']}"),
                provider=offer["provider"],
                region=None
                if offer["region"] is None
                else f"{offer['provider']}/{offer['region']}",
                purchase=offer["purchase"],
            ),
        )
        quote = quote_training(request, catalog, TERMS)
        choice = quote.workloads[0].offer
        assert choice is not None
        if (choice.instance_type, choice.region) == (offer["instance_type"], offer["region"]):
            assert quote.totals.usd == offer["usd"], name
            assert quote.totals.mxn == offer["mxn"], name


def test_wishes_are_kept_and_a_budget_hides_nothing(catalog: Catalog) -> None:
    poor = replace(TERMS, budget=Money(Decimal(1), "USD"))
    found = alternatives(request_for(catalog, provider="aws"), 1000.0, catalog, poor)
    assert found
    assert {offer["provider"] for offer in found} == {"aws"}


def test_nothing_else_is_no_fault(catalog: Catalog) -> None:
    request = request_for(catalog, provider="aws", purchase="spot")
    with pytest.raises(NoOfferError):
        quote_training(
            TrainRequest(
                request.architecture,
                10**12,
                Placement(catalog.hardware("tpu-v5p:64"), provider="aws"),
            ),
            catalog,
            TERMS,
        )
    assert alternatives(request, 1e-9, catalog, TERMS) == ()
