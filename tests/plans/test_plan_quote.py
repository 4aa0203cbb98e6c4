"""What a plan costs, to the cent, on prices of the test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcalc import catalog as catalogs
from costcalc import safeyaml
from costcalc.catalog import Catalog
from costcalc.catalog.tariffs import Tariff
from costcalc.quote import money
from costcalc.quote.owned import billed_demand
from costcalc.quote.pesos import usd_price
from costcalc.quote.plan import Credit
from costcalc.quote.plan_quote import credit_lines, quote_plan
from costcalc.quote.plan_validation import read_plan
from costcalc.quote.terms import Terms
from costcalc.quote.types import Line, Quote
from costcalc.units import Money

DAY = date(2026, 12, 1)
HEAD = "version: 1\nname: x\n"


@pytest.fixture(scope="session")
def catalog(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return catalogs.load(folder, cache_dir=tmp_path_factory.mktemp("compiled"))


Price = Callable[..., Quote]


@pytest.fixture
def price(catalog: Catalog) -> Price:
    def call(text: str, **terms: Any) -> Quote:
        document = safeyaml.load(HEAD + text, "plan.yaml")
        plan = read_plan(document.data, "plan.yaml", document=document)
        quote = quote_plan(plan, catalog, Terms(fx=catalog.rate(DAY), as_of=DAY, **terms))
        assert quote.plan is not None
        assert not quote.plan.failures, [f.error.message("en") for f in quote.plan.failures]
        return quote

    return call


def amounts(quote: Quote) -> dict[tuple[str, str], Decimal]:
    return {(line.workload, line.item): line.amount_usd for line in quote.lines}


def test_machine_hours_times_runs_times_months(price: Price) -> None:
    quote = price(
        "workloads:\n  - {name: m, kind: machine, on: 'h100:16', provider: aws, hours: 1.5h, "
        "runs_per_month: 4, months: 3}\n"
    )
    (line,) = quote.lines
    # 1.5 h x 2 machines x 12 runs at USD 50
    assert (line.quantity, line.amount_usd) == (Decimal("36.0000"), Decimal("1800.00"))
    assert line.amount_mxn == Decimal("36000.00")
    assert quote.totals.usd == Decimal("1800.00")


def test_machines_without_hours_run_all_month_as_assumed(price: Price) -> None:
    text = "{0}workloads:\n  - {{name: m, kind: machine, on: 'h100:8', months: 2}}\n"
    assert price(text.format("")).lines[0].quantity == 1460
    changed = price(text.format("assumptions: {hours_per_month: 720}\n"))
    assert changed.lines[0].quantity == 1440
    assert changed.plan is not None
    assert changed.plan.hours_per_month == 720


def test_training_runs_are_one_run_times_the_schedule(price: Price) -> None:
    text = (
        "workloads:\n  - {{name: t, kind: train, model: llama-3.1-8b, on: 'h100:8', "
        "provider: aws, tokens: 1B{0}}}\n"
    )
    one, many = price(text.format("")), price(text.format(", runs_per_month: 3, months: 4"))
    estimate = one.workloads[0].estimate
    assert one.lines[0].quantity == money.quantity(estimate.hours, 1)
    assert many.lines[0].quantity == money.quantity(estimate.hours, 12)
    assert many.lines[0].amount_usd == money.cents(many.lines[0].quantity * 50)
    assert many.workloads[0].inputs["runs"] == 12


def test_discount_support_and_credit_are_lines_of_their_own(price: Price) -> None:
    quote = price(
        "discounts: {aws: 10%}\nsupport_percent: {aws: 5%}\n"
        "credits: [{name: gift, amount: 100USD, provider: aws}]\n"
        "workloads:\n  - {name: m, kind: machine, on: 'h100:8', provider: aws, hours: 20h}\n"
    )
    assert amounts(quote) == {
        ("m", "machines"): Decimal("1000.00"),
        ("m", "discount"): Decimal("-100.00"),
        ("m", "support"): Decimal("45.00"),
        ("gift", "credit"): Decimal("-100.00"),
    }
    assert quote.totals.usd == Decimal("845.00")


def test_support_of_every_provider_yields_to_the_named_one(price: Price) -> None:
    quote = price(
        "support_percent: {'*': 10%, aws: 0%}\nworkloads:\n"
        "  - {name: a, kind: machine, on: 'h100:8', hours: 10h}\n"
        "  - {name: g, kind: machine, on: 'h200:8', hours: 10h}\n"
    )
    assert ("a", "support") not in amounts(quote)
    assert amounts(quote)[("g", "support")] == Decimal("80.00")


def test_a_credit_never_makes_a_bill_negative(price: Price) -> None:
    quote = price(
        "credits: [{name: one, amount: 300USD, provider: aws}, {name: two, amount: 9k MXN}]\n"
        "workloads:\n  - {name: m, kind: machine, on: 'h100:8', provider: aws, hours: 10h}\n"
    )
    # 500 less 300, then 200 of the 450 that the peso credit is worth
    assert amounts(quote)[("two", "credit")] == Decimal("-200.00")
    assert quote.totals.usd == 0


def test_reference_workloads_are_quoted_and_not_counted(price: Price) -> None:
    quote = price(
        "workloads:\n  - {name: a, kind: machine, on: 'h100:8', hours: 10h}\n"
        "  - {name: b, kind: machine, on: 'h200:8', hours: 10h, reference: true}\n"
    )
    assert quote.totals.usd == 500
    assert [line.workload for line in quote.lines] == ["a"]
    assert [workload.name for workload in quote.workloads] == ["a", "b"]
    assert quote.plan is not None
    assert [(p.name, p.counted, p.totals.usd) for p in quote.plan.phases] == [
        ("a", True, Decimal("500.00")),
        ("b", False, Decimal("800.00")),
    ]


def test_phases_add_up_to_the_total(price: Price) -> None:
    quote = price(
        "credits: [{name: c, amount: 7USD}]\nworkloads:\n"
        "  - {name: a, phase: p, kind: machine, on: 'h100:8', hours: 10h}\n"
        "  - {name: b, phase: p, kind: machine, on: 'h200:8', hours: 3h}\n"
        "  - {name: d, kind: one-off, cost: 90MXN}\n"
    )
    assert quote.plan is not None
    phases = quote.plan.phases
    assert [phase.name for phase in phases] == ["p", "d", "c"]
    for name in ("usd", "usd_low", "usd_high", "mxn", "mxn_low", "mxn_high"):
        total = sum(getattr(phase.totals, name) for phase in phases)
        assert total == getattr(quote.totals, name)


def test_one_off_work_pays_back_after_whole_runs(price: Price) -> None:
    quote = price(
        "workloads:\n"
        "  - {name: old, kind: machine, on: 'h200:8', hours: 10h, reference: true}\n"
        "  - {name: new, kind: machine, on: 'h100:8', hours: 10h, runs_per_month: 5}\n"
        "  - {name: port, kind: one-off, hours: 10, rate: 1801MXN, "
        "pays_back: {before: old, after: new}}\n"
    )
    estimate = quote.workloads[2].estimate
    # USD 900.50 over a saving of 800 - 500 a run
    assert amounts(quote)[("port", "one-off")] == Decimal("900.50")
    assert (estimate.saving_per_run_usd, estimate.runs_to_pay_back) == (Decimal("300.00"), 4)


def test_one_off_work_that_saves_nothing_never_pays_back(price: Price) -> None:
    quote = price(
        "workloads:\n"
        "  - {name: old, kind: machine, on: 'h100:8', hours: 10h, reference: true}\n"
        "  - {name: new, kind: machine, on: 'h200:8', hours: 10h}\n"
        "  - {name: port, kind: one-off, cost: 5USD, pays_back: {before: old, after: new}}\n"
    )
    assert quote.workloads[2].estimate.runs_to_pay_back is None
    assert "never_pays_back" in [item.code for item in quote.notices]


OWNED = (
    "workloads:\n  - {name: o, kind: owned, months: 10, life_months: 40, purchase: 400kUSD, "
    "residual: 20%, maintenance: 6%, staff: 40k MXN, staff_share: 50%, hosting: 500USD, "
    "power: 10kW, load: 50%, pue: 1.2, "
)


def test_own_hardware_with_a_flat_price_of_electricity(price: Price) -> None:
    found = amounts(price(OWNED + "electricity_price: 2MXN}\n"))
    assert found == {
        ("o", "hardware"): Decimal("80000.00"),  # 400,000 x 80 % / 40 x 10
        ("o", "maintenance"): Decimal("20000.00"),  # 400,000 x 6 % / 12 x 10
        ("o", "hosting"): Decimal("5000.00"),
        ("o", "staff"): Decimal("10000.00"),  # 40,000 MXN / 20 x 50 % x 10
        ("o", "energy"): Decimal("4380.00"),  # 10 kW x 1.2 x 50 % x 730 h x 10 at USD 0.10
    }


def test_own_hardware_on_the_hourly_tariff_of_cfe(price: Price) -> None:
    quote = price(OWNED + "tariff: cfe-gdmth-bajio}\n")
    found = {line.item: line for line in quote.lines}
    kwh = Decimal(43_800)
    for item, share, mxn in (
        ("energy-base", "0.35", "1.0228"),
        ("energy-intermediate", "0.55", "1.8107"),
        ("energy-peak", "0.10", "2.062"),
    ):
        assert found[item].quantity == kwh * Decimal(share)
        assert found[item].unit_price_usd == Decimal(mxn) / 20
    # 6 kW on average: billed demand is 6 / 0.57 kW, below the peak of 12 kW
    assert found["demand-capacity"].quantity == Decimal("105.2632")
    assert found["demand-capacity"].unit_price_usd == Decimal("377.17") / 20
    assert found["demand-distribution"].unit_price_usd == Decimal("97.88") / 20
    assert found["supply"].amount_usd == money.cents(Decimal("427.19") / 20 * 10)
    assert found["energy-base"].as_of == date(2026, 8, 1)
    estimate = quote.workloads[0].estimate
    assert (estimate.energy_kwh, estimate.billed_kw) == (kwh, Decimal("10.5263"))
    assert quote.workloads[0].inputs["prices_mxn"]["energy-base"] == Decimal("1.0228")


def test_a_constant_load_is_billed_its_highest_demand() -> None:
    tariff = Tariff(
        "t", "T", "MXN", {}, None, None, None, Decimal("0.57"), "s", DAY, "listed", None
    )
    hours = Decimal(730)
    assert billed_demand(tariff, Decimal(12), 12 * hours, hours) == 12
    assert billed_demand(tariff, Decimal(12), Decimal("5.7") * hours, hours) == 10


def test_storage_and_transfer_fall_into_the_steps_of_a_month(price: Price) -> None:
    quote = price(
        "workloads:\n"
        "  - {name: s, kind: storage, provider: aws, region: us-east-1, size: 60TiB, months: 2}\n"
        "  - {name: t, kind: transfer, provider: aws, region: us-east-1, size: 1100GiB, "
        "runs_per_month: 10, months: 2}\n"
    )
    stored = [line for line in quote.lines if line.workload == "s"]
    # 61,440 GB of 2^30 bytes: 51,200 at 0.023, the rest at 0.022
    assert [(line.quantity, line.unit_price_usd) for line in stored] == [
        (Decimal("102400.0000"), Decimal("0.023")),
        (Decimal("20480.0000"), Decimal("0.022")),
    ]
    sent = [line for line in quote.lines if line.workload == "t"]
    assert [(line.quantity, line.unit_price_usd) for line in sent] == [
        (Decimal("200.0000"), Decimal("0")),
        (Decimal("20280.0000"), Decimal("0.09")),
        (Decimal("1520.0000"), Decimal("0.085")),
    ]


def test_prices_of_ones_own_need_no_catalog(price: Price) -> None:
    quote = price(
        "workloads:\n"
        "  - {name: s, kind: storage, provider: nube, size: 3TB, price: 0.4MXN, months: 2}\n"
        "  - {name: t, kind: transfer, provider: nube, size: 500GB, price: 0.05USD}\n"
    )
    assert amounts(quote) == {("s", "storage"): Decimal(120), ("t", "transfer"): Decimal(25)}


def test_a_region_without_a_price_is_a_failure_that_names_where_there_is_one(
    catalog: Catalog,
) -> None:
    text = HEAD + (
        "workloads:\n"
        "  - {name: t, kind: transfer, provider: aws, region: mx-central-1, size: 1TB}\n"
        "  - {name: s, kind: storage, provider: gcp, region: queretaro, size: 1TB}\n"
    )
    plan = read_plan(safeyaml.load(text, "p").data, "p")
    quote = quote_plan(plan, catalog, Terms(fx=catalog.rate(DAY), as_of=DAY))
    assert quote.plan is not None
    (failure,) = quote.plan.failures
    assert (failure.workload, failure.error.exit_status) == ("t", 4)
    assert "us-east-1" in failure.error.message("en")
    assert [line.region for line in quote.lines] == ["northamerica-south1"]


def test_mxn_lines_are_usd_cents_times_the_rate(price: Price) -> None:
    quote = price("workloads:\n  - {name: o, kind: one-off, hours: 3, rate: 333.33MXN}\n")
    (line,) = quote.lines
    assert line.unit_price_usd == Decimal("16.6665")
    assert line.amount_usd == Decimal("50.00")
    assert line.amount_mxn == Decimal("1000.00")


def line(workload: str, usd: Decimal, provider: str) -> Line:
    return money.line(
        workload=workload,
        item="x",
        unit="u",
        unit_price_usd=usd,
        quantity_middle=Decimal(1),
        usd_mxn=Decimal(20),
        provider=provider,
    )


AMOUNTS = st.decimals(0, 10_000, places=2)


@settings(deadline=None)
@given(
    st.lists(st.tuples(AMOUNTS, st.sampled_from(["aws", "gcp"])), max_size=5),
    st.lists(
        st.tuples(st.decimals("0.01", 10_000, places=2), st.sampled_from(["aws", "gcp", None])),
        max_size=4,
    ),
)
def test_credits_lower_each_bill_to_zero_at_most(
    bills: list[tuple[Decimal, str]], gifts: list[tuple[Decimal, str | None]]
) -> None:
    lines = [line(f"w{n}", usd, provider) for n, (usd, provider) in enumerate(bills)]
    credits = [
        Credit(name=f"c{n}", amount=Money(usd, "USD"), provider=provider)
        for n, (usd, provider) in enumerate(gifts)
    ]
    found = list(credit_lines(credits, lines, Decimal(20)))
    assert len(found) == len(credits)
    total = sum((item.amount_usd for item in [*lines, *found]), Decimal(0))
    assert total >= 0
    for credit, item in zip(credits, found, strict=True):
        assert -credit.amount.amount <= item.amount_usd <= 0
    for provider in ("aws", "gcp"):
        own = [item for item in [*lines, *found] if item.provider == provider]
        assert sum((item.amount_usd for item in own), Decimal(0)) >= 0


@given(st.decimals("0.0001", 10**9, places=4), st.decimals(5, 50, places=4))
def test_a_price_in_pesos_keeps_twelve_digits_in_dollars(mxn: Decimal, rate: Decimal) -> None:
    usd = usd_price(mxn, rate)
    assert len(usd.as_tuple().digits) == 12
    assert abs(usd * rate / mxn - 1) < Decimal("1e-11")


def test_nothing_is_said_of_steps_that_the_data_do_not_reach(price: Price) -> None:
    text = (
        "workloads:\n  - {{name: s, kind: storage, provider: aws, region: us-east-1, size: {0}}}\n"
    )
    codes = [[item.code for item in price(text.format(size)).notices] for size in ("1TB", "90TB")]
    # the second step of S3 in us-east-1 is an estimate
    assert ["estimated_price" in found for found in codes] == [False, True]
