"""`compare train`: what is ranked, at which counts, and what is left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from costcalc.catalog import Catalog
from costcalc.errors import NoOfferError, OverBudgetError
from costcalc.estimate.training import TrainingJob
from costcalc.quote import limits
from costcalc.quote.compare import compare
from costcalc.quote.compare_types import CompareRequest, Comparison, Row, reason_counts
from costcalc.quote.limits import Renting
from costcalc.quote.ranking import quote_comparison, record
from costcalc.quote.select import Placement
from costcalc.quote.sizing import Sizer
from costcalc.quote.terms import Terms
from costcalc.quote.train import TrainRequest, quote_training
from costcalc.units import parse_money
from tests.compare.conftest import DAY

SIXTY_DAYS = 60 * 24.0


def job_of(catalog: Catalog, model: str, tokens: float, **given: Any) -> TrainingJob:
    return TrainingJob(catalog.model(model), tokens, 4096, **given)


def ask(catalog: Catalog, model: str, tokens: float, **wish: Any) -> CompareRequest:
    """A request for a full run unless `method` says otherwise."""
    given = {key: wish.pop(key) for key in ("method", "tuning", "precision") if key in wish}
    return CompareRequest(job=job_of(catalog, model, tokens, **given), inputs={}, **wish)


@pytest.fixture(scope="module")
def large(catalog: Catalog, terms: Terms) -> Comparison:
    """Llama 3.1 70B on a trillion tokens, every offer."""
    return compare(ask(catalog, "llama-3.1-70b", 1e12), catalog, terms)


@pytest.fixture(scope="module")
def fine(catalog: Catalog, terms: Terms) -> Comparison:
    """Llama 3.1 70B, LoRA on 15 billion tokens."""
    return compare(ask(catalog, "llama-3.1-70b", 15e9, method="lora"), catalog, terms)


@pytest.fixture(scope="module")
def huge(catalog: Catalog, terms: Terms) -> Comparison:
    """Llama 3.1 405B on a trillion tokens within 60 days."""
    asked = ask(catalog, "llama-3.1-405b", 1e12, deadline_hours=SIXTY_DAYS)
    return compare(asked, catalog, terms)


def test_every_offer_is_ranked_or_left_out_once(
    catalog: Catalog, large: Comparison, fine: Comparison, huge: Comparison
) -> None:
    offers = Counter(offer.key for offer in catalog.current_offers(DAY))
    for found in (large, fine, huge):
        seen = Counter(row.offer.key for row in found.rows)
        seen.update(item.offer.key for item in found.excluded)
        assert seen == offers
        assert sum(reason_counts(found.excluded).values()) == len(found.excluded)


@pytest.mark.parametrize("name", ["large", "fine", "huge"])
def test_every_ranked_offer_can_really_run(
    name: str, request: pytest.FixtureRequest, catalog: Catalog, rules: Renting
) -> None:
    found: Comparison = request.getfixturevalue(name)
    for row in found.rows:
        accelerator, offer = row.accelerator, row.offer
        assert accelerator.chip.can_train
        assert accelerator.status == "available"
        assert offer.market != "marketplace"
        assert limits.together_reason(offer, accelerator, row.chips, rules) is None
        assert limits.duration_reason(offer, row.hours, rules) is None
        assert limits.sold_only_as(offer, rules) is None
        assert row.count == row.instances * offer.accelerator_count >= row.chips
        if row.chips > limits.host_size(offer) and accelerator.slices is None:
            assert offer.scaleout is True
        if accelerator.slices is not None:
            assert limits.slice_reason(accelerator, row.chips) is None
        assert row.estimate is not None
        assert row.estimate.memory is not None
        assert row.estimate.memory.total <= (accelerator.chip.hbm_gb or 0) * 1e9


def test_a_row_costs_what_train_says(catalog: Catalog, terms: Terms, fine: Comparison) -> None:
    for row in fine.rows[:6]:
        offer = row.offer
        request = TrainRequest(
            architecture=catalog.model("llama-3.1-70b"),
            tokens=15_000_000_000,
            method="lora",
            placement=Placement(
                catalog.hardware(f"{offer.accelerator}:{row.chips}"),
                provider=offer.provider,
                region=offer.region,
                purchase=offer.purchase,
                market=offer.market,
            ),
        )
        quote = quote_training(request, catalog, terms)
        choice, estimate = quote.workloads[0].offer, quote.workloads[0].estimate
        assert choice is not None
        assert estimate is not None
        assert estimate.hours == row.hours
        assert quote.totals.usd <= row.usd
        if choice.instance_type == offer.instance_type:
            assert quote.totals.usd == row.usd


def test_counts_are_the_smallest_that_fit(catalog: Catalog, large: Comparison) -> None:
    sizer = Sizer(job_of(catalog, "llama-3.1-70b", 1e12), _calibration(catalog))
    for row in large.rows[:12]:
        if row.offer.purchase != "on-demand":
            continue  # its count follows from when the purchase option ends
        unit = limits.host_size(row.offer)
        smaller = (
            [size for size in limits.slice_sizes(row.accelerator, row.chips - 1) if size >= unit]
            if row.accelerator.slices
            else list(range(unit, row.chips, unit))
        )
        assert not any(sizer.fits(row.accelerator.chip, count) for count in smaller)


def test_a_deadline_takes_the_smallest_count_in_time(catalog: Catalog, huge: Comparison) -> None:
    sizer = Sizer(job_of(catalog, "llama-3.1-405b", 1e12), _calibration(catalog))
    for row in huge.rows[:8]:
        assert row.hours <= SIXTY_DAYS
        unit = limits.host_size(row.offer)
        if row.accelerator.slices is None and row.chips > unit and row.offer.purchase != "spot":
            fewer = row.chips - unit
            late = sizer.hours(row.accelerator.chip, fewer) > SIXTY_DAYS
            assert late or not sizer.fits(row.accelerator.chip, fewer)


def _calibration(catalog: Catalog) -> Any:
    from costcalc.estimate.calibration import training_calibration

    return training_calibration(catalog.calibration("training"))


def test_lean_hours_are_those_of_the_full_estimate(catalog: Catalog) -> None:
    job = job_of(catalog, "llama-3.1-70b", 1e12)
    sizer = Sizer(job, _calibration(catalog))
    for name, count in (("h100-sxm", 64), ("tpu-v5p", 128), ("mi300x", 16), ("trainium2", 256)):
        chip = catalog.accelerator(name).chip
        assert sizer.hours(chip, count) == sizer.estimate(chip, count).hours


def test_a_budget_buys_the_fastest_count(catalog: Catalog, terms: Terms, rules: Renting) -> None:
    rich = replace(terms, budget=parse_money("3000000USD", "--budget"))
    asked = ask(catalog, "llama-3.1-70b", 1e12, provider="oci")
    found = compare(asked, catalog, rich)
    plain = compare(asked, catalog, terms)
    assert all(row.usd <= 3_000_000 for row in found.rows)
    slow = {row.offer.key: row.hours for row in plain.rows}
    assert all(row.hours <= slow[row.offer.key] for row in found.rows)
    assert any(row.hours < slow[row.offer.key] / 10 for row in found.rows)
    sizer = Sizer(job_of(catalog, "llama-3.1-70b", 1e12), _calibration(catalog))
    for row in found.rows:
        most = limits.most_accelerators(row.offer, rules) or rules.unnamed_cluster
        double = 2 * row.chips
        if (
            double <= most
            and limits.together_reason(row.offer, row.accelerator, double, rules) is None
        ):
            hours = sizer.hours(row.accelerator.chip, double)
            price = float(row.offer.usd_per_accelerator_hour)
            assert hours * double * price > 3_000_000 or hours > row.hours * 0.999


def test_a_budget_in_pesos_is_the_same_budget(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e11, provider="aws")
    pesos = 50_000 * terms.fx.usd_mxn
    in_usd = compare(asked, catalog, replace(terms, budget=parse_money("50000USD", "b")))
    in_mxn = compare(asked, catalog, replace(terms, budget=parse_money(f"{pesos}MXN", "b")))
    assert [row.usd for row in in_usd.rows] == [row.usd for row in in_mxn.rows]


def test_nothing_within_the_budget_is_over_budget(catalog: Catalog, terms: Terms) -> None:
    poor = replace(terms, budget=parse_money("10USD", "--budget"))
    with pytest.raises(OverBudgetError) as caught:
        compare(ask(catalog, "llama-3.1-70b", 1e12), catalog, poor)
    assert caught.value.exit_status == 3
    assert "USD" in caught.value.message("es")


def test_nothing_by_the_deadline_says_the_fastest(catalog: Catalog, terms: Terms) -> None:
    with pytest.raises(NoOfferError) as caught:
        compare(ask(catalog, "llama-3.1-405b", 1e13, deadline_hours=1.0), catalog, terms)
    assert caught.value.exit_status == 4
    assert "days" in caught.value.message("en")


@pytest.mark.parametrize("rank", ["cost", "time", "cost-time"])
def test_ranks_are_in_order(catalog: Catalog, terms: Terms, rank: str) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e11, rank=rank, max_chips=256)
    rows = compare(asked, catalog, terms).rows
    keys = {
        "cost": [float(row.usd) for row in rows],
        "time": [row.hours for row in rows],
        "cost-time": [float(row.usd) * row.hours for row in rows],
    }[rank]
    assert keys == sorted(keys)
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    assert max(row.chips for row in rows) <= 256


def test_the_pareto_set_is_what_nothing_beats(large: Comparison, fine: Comparison) -> None:
    for found in (large, fine):
        for row in found.rows:
            beaten = any(
                other.usd <= row.usd
                and other.hours <= row.hours
                and (other.usd, other.hours) != (row.usd, row.hours)
                for other in found.rows
            )
            same = [r for r in found.rows if (r.usd, r.hours) == (row.usd, row.hours)]
            if beaten:
                assert not row.pareto
            else:
                assert sum(item.pareto for item in same) == 1


def test_one_region_of_a_machine_unless_all_are_asked_for(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e11, provider="gcp")
    few = compare(asked, catalog, terms)
    every = compare(replace(asked, all_regions=True), catalog, terms)
    assert every.fitting == few.fitting + sum(row.more_regions for row in few.rows)
    cheapest: dict[Any, Decimal] = {}
    for row in every.rows:
        key = (row.offer.instance_type, row.offer.purchase)
        cheapest[key] = min(cheapest.get(key, row.usd), row.usd)
    for row in few.rows:
        assert row.usd == cheapest[row.offer.instance_type, row.offer.purchase]


def test_queretaro_holds_one_offer(catalog: Catalog, terms: Terms) -> None:
    found = compare(ask(catalog, "llama-3.1-8b", 1e11, region="queretaro"), catalog, terms)
    assert [(row.offer.provider, row.offer.accelerator) for row in found.rows] == [
        ("azure", "h200-sxm")
    ]
    counts = reason_counts(found.excluded)
    assert counts["uniform_price"] >= 10
    also = compare(ask(catalog, "llama-3.1-8b", 1e11, residency="mx"), catalog, terms)
    assert [row.offer.key for row in also.rows] == [row.offer.key for row in found.rows]


def test_a_region_without_an_offer_names_the_nearest(catalog: Catalog, terms: Terms) -> None:
    asked = CompareRequest(
        job=job_of(catalog, "llama-3.1-8b", 1e9),
        inputs={},
        on=(catalog.hardware("tpu-v5e:256"),),
        region="queretaro",
    )
    with pytest.raises(NoOfferError) as caught:
        compare(asked, catalog, terms)
    assert "gcp us-south1 (Dallas), 1,402 km" in caught.value.message("en")


def test_marketplaces_only_when_asked(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e9, method="lora")
    plain = {row.offer.market for row in compare(asked, catalog, terms).rows}
    wide = {row.offer.market for row in compare(replace(asked, market="any"), catalog, terms).rows}
    assert plain == {"hyperscaler", "neocloud"}
    assert "marketplace" in wide


def test_chips_that_nobody_sells_on_demand_fall_back(catalog: Catalog, terms: Terms) -> None:
    rows = compare(ask(catalog, "llama-3.1-8b", 1e11), catalog, terms).rows
    purchases: dict[str, set[str]] = {}
    for row in rows:
        purchases.setdefault(row.offer.accelerator, set()).add(row.offer.purchase)
    assert purchases.pop("trainium2") == {"capacity-block"}
    assert set().union(*purchases.values()) == {"on-demand"}
    trainium = next(row for row in rows if row.offer.accelerator == "trainium2")
    assert "not_sold_on_demand" in {item.code for item in trainium.notices}


def test_a_purchase_limit_makes_the_run_shorter(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e11, purchase="flex-start")
    rows = compare(asked, catalog, terms).rows
    assert rows
    assert all(row.hours <= 168 for row in rows)


def test_every_purchase_option_when_asked(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e10, purchase="any", provider="gcp")
    found = {row.offer.purchase for row in compare(asked, catalog, terms).rows}
    assert {"on-demand", "spot", "commit-1y", "commit-3y", "flex-start"} <= found


def test_software_and_the_price_of_porting(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e12, software="jax")
    native = compare(asked, catalog, terms)
    assert all("jax" in row.accelerator.software for row in native.rows)
    assert reason_counts(native.excluded).get("software", 0) > 0
    ported = compare(replace(asked, porting_usd=Decimal(12_000)), catalog, terms)
    needy = [row for row in ported.rows if row.porting_usd]
    assert needy
    best = min(row.usd for row in ported.rows if not row.porting_usd)
    for row in needy:
        assert "jax" not in row.accelerator.software
        if row.usd < best:
            assert row.payback_runs is not None
            assert row.payback_runs * (best - row.usd) >= 12_000
            assert (row.payback_runs - 1) * (best - row.usd) < 12_000
        else:
            assert row.payback_runs is None
    totals = [row.first_run_usd for row in ported.rows]
    assert totals == sorted(totals)


def test_named_chips_keep_their_counts(catalog: Catalog, terms: Terms) -> None:
    pair = (catalog.hardware("v5p-8"), catalog.hardware("a3-highgpu-2g"))
    asked = CompareRequest(
        job=job_of(catalog, "gemma-4-31b", 41e6, method="lora", lora_rank=64),
        inputs={},
        on=pair,
        provider="gcp",
    )
    found = compare(asked, catalog, terms)
    assert [(row.offer.accelerator, row.chips) for row in found.rows] == [
        ("tpu-v5p", 4),
        ("h100-sxm", 2),
    ]
    tpu, gpu = (record(row, found.rows[0], terms) for row in found.rows)
    assert tpu["usd_ratio"] == tpu["usd_ratio_low"] == 1
    assert gpu["usd_ratio_low"] < gpu["usd_ratio"] < gpu["usd_ratio_high"]
    # the published pair of untuned stacks: 2.12 (arXiv 2605.25645)
    assert gpu["usd_ratio_low"] < 2.12 < gpu["usd_ratio_high"]
    assert "not_sold_in_practice" in gpu["warnings"]


def test_the_ratio_of_one_chip_is_that_of_the_prices(
    catalog: Catalog, terms: Terms, large: Comparison
) -> None:
    first = large.rows[0]
    same = [
        row
        for row in large.rows[1:]
        if (row.offer.accelerator, row.chips) == (first.offer.accelerator, first.chips)
    ]
    assert same
    for row in same:
        made = record(row, first, terms)
        prices = row.offer.usd_per_accelerator_hour / first.offer.usd_per_accelerator_hour
        assert float(made["usd_ratio"]) == pytest.approx(float(prices), rel=1e-4)
        assert made["usd_ratio_low"] == made["usd_ratio_high"]


def test_discounts_move_the_ranking(catalog: Catalog, terms: Terms) -> None:
    asked = ask(catalog, "llama-3.1-8b", 1e11)
    plain = compare(asked, catalog, terms)
    cheaper = replace(terms, discounts={"aws": Decimal("0.5")})
    after = compare(asked, catalog, cheaper)

    def of(found: Comparison) -> dict[Any, Row]:
        return {row.offer.key: row for row in found.rows if row.offer.provider == "aws"}

    both = set(of(plain)) & set(of(after))
    assert both
    for key in both:
        half = of(plain)[key].usd / 2
        assert abs(of(after)[key].usd - half) <= Decimal("0.01")


def test_flops_per_dollar(catalog: Catalog, terms: Terms, large: Comparison) -> None:
    made = record(large.rows[0], large.rows[0], terms)
    row = large.rows[0]
    peak = row.accelerator.chip.peak_tflops["bf16"] / 1000
    price = float(row.offer.usd_per_accelerator_hour)
    assert made["pflop_hours_per_usd"] == pytest.approx(peak / price, rel=1e-6)
    assert row.estimate is not None
    useful = made["pflop_hours_per_usd"] * row.estimate.mfu * row.estimate.goodput
    assert made["pflop_hours_per_usd_realised"] == pytest.approx(useful, rel=1e-3)


def test_the_quote_prices_the_first_offer(catalog: Catalog, terms: Terms) -> None:
    asked = replace(ask(catalog, "llama-3.1-8b", 1e11, provider="aws"), inputs={"model": "x"})
    found = compare(asked, catalog, terms, top=3)
    quote = quote_comparison(asked, found, catalog, terms, show_excluded=True)
    assert quote.totals.usd == found.rows[0].usd
    assert [o["rank"] for o in quote.offers if o["fits"]] == [1, 2, 3]
    left = [o for o in quote.offers if not o["fits"]]
    assert left
    assert all(o["reason"] and o["usd"] is None for o in left)
    assert {tuple(o) for o in quote.offers} == {tuple(quote.offers[0])}


def test_whole_runs_are_compared_too(catalog: Catalog, terms: Terms) -> None:
    request = ask(catalog, "llama-3.1-8b", 1e11, provider="aws")
    whole = replace(request, job=replace(request.job, whole_run=True))
    plain = {
        (row.offer.instance_type, row.chips): row.hours
        for row in compare(request, catalog, terms).rows
    }
    rows = compare(whole, catalog, terms).rows
    assert rows
    for row in rows:
        assert row.estimate is not None
        assert row.hours == row.estimate.hours
        assert row.hours != plain.get((row.offer.instance_type, row.chips))
