"""Cents that add up: lines round once, totals are sums of rounded lines."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from costcalc.quote import money
from costcalc.units import Money

amounts = st.decimals("0.0001", "1000000", places=4)
rates = st.decimals("5", "40", places=4)
hours = st.floats(0.001, 1e6, allow_nan=False)


def a_line(hours_value: float, price: Decimal, rate: Decimal, spread: float = 0.2) -> money.Line:
    return money.line(
        workload="w",
        item="compute",
        unit="instance-hour",
        unit_price_usd=price,
        quantity_middle=money.quantity(hours_value),
        quantity_low=money.quantity(hours_value * (1 - spread)),
        quantity_high=money.quantity(hours_value * (1 + spread)),
        usd_mxn=rate,
    )


def test_a_line_by_hand() -> None:
    # 51.23456 h x 2 machines = 102.46912 -> 102.4691; x 88.49 = 9067.490659 -> 9067.49
    quantity = money.quantity(51.23456, 2)
    assert quantity == Decimal("102.4691")
    line = money.line(
        workload="w",
        item="compute",
        unit="instance-hour",
        unit_price_usd=Decimal("88.49"),
        quantity_middle=quantity,
        usd_mxn=Decimal("18.9077"),
    )
    assert line.amount_usd == Decimal("9067.49")
    # 9067.49 x 18.9077 = 171445.380...
    assert line.amount_mxn == Decimal("171445.38")
    assert line.low_usd == line.amount_usd == line.high_usd


def test_half_even() -> None:
    assert money.cents(Decimal("0.125")) == Decimal("0.12")
    assert money.cents(Decimal("0.135")) == Decimal("0.14")


@given(st.lists(st.tuples(hours, amounts), min_size=1, max_size=8), rates)
def test_totals_are_sums_of_lines(rows: list[tuple[float, Decimal]], rate: Decimal) -> None:
    lines = [a_line(h, price, rate) for h, price in rows]
    totals = money.totals(lines)
    assert totals.usd == sum(line.amount_usd for line in lines)
    assert totals.mxn == sum(line.amount_mxn for line in lines)
    assert totals.usd_low <= totals.usd <= totals.usd_high
    assert totals.mxn_low <= totals.mxn <= totals.mxn_high
    for line in lines:
        # a spreadsheet that recomputes the line gets the same cents
        assert money.cents(line.quantity * line.unit_price_usd) == line.amount_usd
        assert money.cents(line.amount_usd * rate) == line.amount_mxn


@given(hours, amounts, rates, st.decimals("0", "100", places=2))
def test_iva_modes(h: float, price: Decimal, rate: Decimal, percent: Decimal) -> None:
    lines = [a_line(h, price, rate)]
    none = money.totals(lines, "none", percent)
    add = money.totals(lines, "add", percent)
    own = money.totals(lines, "self-assessed", percent)
    assert none.iva_usd == 0
    assert none.usd_with_iva == none.usd
    assert add.usd_with_iva == add.usd + add.iva_usd
    assert add.iva_usd == money.cents(add.usd * percent / 100)
    assert own.iva_usd == add.iva_usd
    assert own.usd_with_iva == own.usd
    assert own.mxn_with_iva == own.mxn


@given(hours, amounts, rates, st.decimals("0", "1", places=3))
def test_a_discount_is_its_own_line(h: float, price: Decimal, rate: Decimal, part: Decimal) -> None:
    base = a_line(h, price, rate)
    discount = money.share_of(base, -part, "discount", rate, "test")
    totals = money.totals([base, discount])
    assert totals.usd == base.amount_usd + money.cents(base.amount_usd * -part)
    assert totals.usd_low <= totals.usd <= totals.usd_high


def test_budget_statuses() -> None:
    totals = money.totals([a_line(10, Decimal(10), Decimal(20))])  # USD 100, MXN 2,000
    assert money.against_budget(totals, Money(Decimal(100), "USD")).status == "warn"
    assert money.against_budget(totals, Money(Decimal("99.99"), "USD")).status == "over"
    assert money.against_budget(totals, Money(Decimal(200), "USD")).status == "ok"
    assert money.against_budget(totals, Money(Decimal(1999), "MXN")).status == "over"
    result = money.against_budget(totals, Money(Decimal(400), "USD"))
    assert result.spent_fraction == Decimal("0.25")


def test_a_budget_includes_iva_only_when_added() -> None:
    lines = [a_line(10, Decimal(10), Decimal(20))]
    limit = Money(Decimal(110), "USD")
    assert money.against_budget(money.totals(lines, "none"), limit).status == "warn"
    assert money.against_budget(money.totals(lines, "self-assessed"), limit).status == "warn"
    assert money.against_budget(money.totals(lines, "add"), limit).status == "over"
