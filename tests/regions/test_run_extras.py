"""Lines around a run: spot, commitments, data that moves, checkpoints, support, credit."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.catalog import Catalog
from costcalc.quote.limits import Renting
from costcalc.quote.run_extras import Extras
from costcalc.quote.select import Placement
from costcalc.quote.spot import redone_share
from costcalc.quote.terms import Terms
from costcalc.quote.train import TrainRequest, quote_training
from costcalc.quote.types import Line, Quote
from costcalc.units import Money


def run(
    catalog: Catalog, terms: Terms, on: str, extras: Extras | None = None, **wish: Any
) -> Quote:
    """A run of Llama 3.1 8B on 50 billion tokens."""
    request = TrainRequest(
        architecture=catalog.model("llama-3.1-8b"),
        tokens=50_000_000_000,
        placement=Placement(catalog.hardware(on), **wish),
        tuning="tuned",
    )
    return quote_training(request, catalog, terms, extras=extras)


def items(quote: Quote) -> dict[str, Line]:
    """Lines by item; items with several steps keep the last."""
    return {line.item: line for line in quote.lines}


def codes(quote: Quote) -> set[str]:
    return {item.code for item in quote.notices}


def test_nothing_asked_for_is_machines_only(catalog: Catalog, terms: Terms) -> None:
    quote = run(catalog, terms, "h100:8", provider="aws")
    assert [line.item for line in quote.lines] == ["compute"]
    assert quote.workloads[0].inputs["programme_factor"] == 1


def test_the_programme_factor_is_a_line_of_its_own(catalog: Catalog, terms: Terms) -> None:
    asked = Extras(programme_factor=Decimal("1.5"))
    quote = run(catalog, terms, "h100:8", asked, provider="aws")
    lines = items(quote)
    assert lines["programme"].amount_usd == (lines["compute"].amount_usd / 2).quantize(
        Decimal("0.01")
    )
    assert quote.totals.usd == lines["compute"].amount_usd + lines["programme"].amount_usd


def test_spot_work_is_done_again_on_its_own_line(
    catalog: Catalog, terms: Terms, rules: Renting
) -> None:
    quote = run(catalog, terms, "h100:64", provider="aws", purchase="spot")
    lines = items(quote)
    share = redone_share("spot", 8, rules)
    per_hour = 8 * 0.2 / 730
    # half of the loss is saving, half is work done again (Young); restarts come on top
    assert share == pytest.approx((2 * 0.0167 * per_hour) ** 0.5 + 0.25 * per_hour)
    expected = float(lines["compute"].amount_usd) * share
    assert float(lines["spot_redone"].amount_usd) == pytest.approx(expected, abs=0.01)
    assert "spot_assumed" in codes(quote)


@given(st.integers(1, 100_000), st.integers(1, 100_000))
def test_more_spot_machines_lose_more_and_never_all(few: int, many: int) -> None:
    from costcalc.quote.limits import renting

    spot = {"interruptions_per_machine_month": 0.2, "save_hours": 0.02, "restart_hours": 0.25}
    rules = renting({"spot": spot})
    low, high = sorted((few, many))
    assert 0 < redone_share("spot", low, rules) <= redone_share("spot", high, rules) <= 1
    assert redone_share("on-demand", high, rules) == 0


def test_a_commitment_says_when_it_pays_and_what_remains(catalog: Catalog, terms: Terms) -> None:
    quote = run(catalog, terms, "h100:8", provider="gcp", purchase="commit-1y")
    said = {item.code: dict(item.params) for item in quote.notices}
    choice = quote.workloads[0].offer
    assert choice is not None
    on_demand = next(
        offer
        for offer in catalog.current_offers(terms.as_of)
        if (offer.provider, offer.instance_type, offer.region, offer.purchase)
        == (choice.provider, choice.instance_type, choice.region, "on-demand")
    )
    even = float(choice.usd_per_instance_hour / on_demand.usd_per_instance_hour) * 8760
    assert said["commitment_break_even"]["hours"] == f"{even:,.0f}"
    estimate: Any = quote.workloads[0].estimate
    rest = float(choice.usd_per_hour) * (8760 - estimate.hours)
    printed = float(said["commitment_rest"]["usd"].replace(",", ""))
    assert printed == pytest.approx(rest, abs=0.5)


def test_checkpoints_are_storage_with_a_range(catalog: Catalog, terms: Terms) -> None:
    asked = Extras(checkpoints=3, checkpoint_months=Decimal(2))
    quote = run(catalog, terms, "tpu-v5e:64", asked, provider="gcp", region="us-south1")
    line = items(quote)["checkpoints"]
    params = catalog.model("llama-3.1-8b").params_total()
    gigabytes = params * 14 * 3 * 2 / 2**30  # Cloud Storage counts GB of 2^30 bytes
    assert float(line.quantity) == pytest.approx(gigabytes, rel=1e-4)
    assert line.unit_price_usd == Decimal("0.02")
    assert float(line.low_usd / line.amount_usd) == pytest.approx(12 / 14, rel=1e-3)
    assert float(line.high_usd / line.amount_usd) == pytest.approx(16 / 14, rel=1e-3)
    assert "checkpoints_assumed" in codes(quote)


def test_a_price_that_is_not_known_is_left_out_and_said(catalog: Catalog, terms: Terms) -> None:
    quote = run(catalog, terms, "h200:8", Extras(checkpoints=1), region="queretaro")
    assert "checkpoints" not in items(quote)
    assert "price_unknown" in codes(quote)


def test_egress_follows_the_steps_of_a_month(catalog: Catalog, terms: Terms) -> None:
    asked = Extras(egress_gb=Decimal(2000) * 2**30 / 10**9)
    quote = run(catalog, terms, "tpu-v5e:64", asked, provider="gcp", region="us-south1")
    sent = [line for line in quote.lines if line.item == "egress"]
    assert [(line.quantity, line.unit_price_usd) for line in sent] == [
        (Decimal(1024), Decimal("0.12")),
        (Decimal(976), Decimal("0.11")),
    ]


def test_what_moves_to_the_nearest_region_is_priced(catalog: Catalog, terms: Terms) -> None:
    asked = Extras(dataset_gb=Decimal(500))
    quote = run(catalog, terms, "tpu-v5e:64", asked, region="queretaro", nearest=True)
    lines = items(quote)
    assert {"data_out", "data_kept", "weights_back"} <= set(lines)
    assert lines["data_out"].region == "northamerica-south1"
    assert lines["data_kept"].region == "us-south1"
    assert "dataset_assumed" not in codes(quote)
    assert "internet_price" in codes(quote)
    assumed = run(catalog, terms, "tpu-v5e:64", region="queretaro", nearest=True)
    assert "dataset_assumed" in codes(assumed)
    assert items(assumed)["data_kept"].quantity < items(quote)["data_kept"].quantity


def test_unknown_prices_of_a_move_are_said(catalog: Catalog, terms: Terms) -> None:
    quote = run(catalog, terms, "h100:8", region="queretaro", nearest=True)
    assert quote.workloads[0].offer is not None
    assert quote.workloads[0].offer.provider == "azure"
    assert "price_unknown" in codes(quote)


def test_discount_support_and_credit_are_lines(catalog: Catalog, terms: Terms) -> None:
    from dataclasses import replace

    asked = Extras(support={"aws": Decimal("0.1")}, credit=Money(Decimal(100), "USD"))
    cheaper = replace(terms, discounts={"aws": Decimal("0.2")})
    quote = run(catalog, cheaper, "h100:8", asked, provider="aws")
    lines = items(quote)
    net = lines["compute"].amount_usd + lines["discount"].amount_usd
    assert lines["support"].amount_usd == (net / 10).quantize(Decimal("0.01"))
    assert lines["credit"].amount_usd == Decimal(-100)
    assert quote.totals.usd == net + lines["support"].amount_usd - 100


def test_a_credit_never_makes_a_bill_negative(catalog: Catalog, terms: Terms) -> None:
    asked = Extras(credit=Money(Decimal(10**9), "USD"))
    quote = run(catalog, terms, "h100:8", asked, provider="aws")
    assert quote.totals.usd == 0
    assert quote.totals.usd_low == 0
    assert quote.totals.usd_high == 0
