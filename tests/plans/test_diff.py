"""`costcalc diff`: every line, one rate, and a cause that is computed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from command import Result
from hypothesis import given, settings
from hypothesis import strategies as st

from costcalc.catalog.rates import ExchangeRate
from costcalc.errors import InputError
from costcalc.quote import money
from costcalc.quote.diff import CAUSES, compare
from costcalc.quote.pesos import usd_price
from costcalc.quote.plan_kinds import SHARE_UNIT
from costcalc.quote.stored import StoredLine, StoredQuote, StoredWorkload, from_json

Plans = Callable[..., Result]
Write = Callable[..., Path]
RATE = ExchangeRate(Decimal(20), date(2026, 11, 30), "test")


def line(
    quantity: str = "10",
    price: str = "50",
    *,
    workload: str = "w",
    item: str = "compute",
    sku: str = "p5",
    unit: str = "h",
    mxn: str | None = None,
    rate: Decimal = RATE.usd_mxn,
) -> StoredLine:
    unit_price = Decimal(price) if mxn is None else usd_price(Decimal(mxn), rate)
    amount = money.cents(Decimal(quantity) * unit_price)
    return StoredLine(
        workload,
        item,
        "aws",
        "us-east-1",
        sku,
        Decimal(quantity),
        unit,
        unit_price,
        amount,
        amount,
        None if mxn is None else Decimal(mxn),
    )


def quote(
    *lines: StoredLine,
    catalog: str = "a",
    inputs: dict[str, Any] | None = None,
    offer: dict[str, Any] | None = None,
    rate: Decimal = RATE.usd_mxn,
) -> StoredQuote:
    workloads = {
        item.workload: StoredWorkload(inputs or {"on": "h100:8"}, offer or {"instance_type": "p5"})
        for item in lines
    }
    fx = ExchangeRate(rate, RATE.date, RATE.source)
    return StoredQuote("q", date(2026, 12, 1), catalog, "c", fx, workloads, tuple(lines))


def only_cause(before: StoredQuote, after: StoredQuote) -> str | None:
    (row,) = compare(before, after).rows
    assert row.usage_usd + row.price_usd == row.change_usd
    return row.cause


def test_more_hours_of_a_changed_plan_are_usage() -> None:
    after = quote(line("12"), inputs={"on": "h100:8", "tokens": 5})
    assert only_cause(quote(line("10")), after) == "usage"


def test_more_hours_of_the_same_plan_come_from_the_catalog() -> None:
    assert only_cause(quote(line("10")), quote(line("12"), catalog="b")) == "catalog"
    # within one catalog nothing but the plan can have moved them
    assert only_cause(quote(line("10")), quote(line("12"))) == "usage"


def test_another_price_of_the_same_offer_comes_from_the_catalog() -> None:
    after = quote(line(price="55"), catalog="b", inputs={"on": "h100:8", "months": 2})
    assert only_cause(quote(line(price="50")), after) == "catalog"


def test_another_offer_that_the_plan_asked_for_is_price() -> None:
    after = quote(
        line(price="55", sku="p6"),
        catalog="b",
        inputs={"on": "h100:8", "purchase": "spot"},
        offer={"instance_type": "p6"},
    )
    assert only_cause(quote(line(price="50")), after) == "price"


def test_another_price_within_one_catalog_is_price() -> None:
    assert only_cause(quote(line(price="50")), quote(line(price="55"))) == "price"


@pytest.mark.parametrize(
    ("quantity", "price", "cause", "usage"),
    [("20", "51", "usage", "500.00"), ("11", "90", "price", "50.00"), ("20", "75", "usage", None)],
)
def test_where_both_moved_the_larger_part_names_the_cause(
    quantity: str, price: str, cause: str, usage: str | None
) -> None:
    before, after = quote(line("10", "50")), quote(line(quantity, price))
    (row,) = compare(before, after).rows
    assert row.cause == cause
    if usage is not None:
        assert row.usage_usd == Decimal(usage)
    assert row.usage_usd + row.price_usd == row.change_usd


def test_a_moved_exchange_rate_is_no_change_of_cost() -> None:
    before = quote(line(item="energy", mxn="2.5", rate=Decimal(17)), rate=Decimal(17))
    after = quote(line(item="energy", mxn="2.5", rate=Decimal(19)), rate=Decimal(19))
    found = compare(before, after)
    (row,) = found.rows
    assert (row.change_usd, row.cause) == (0, "rate")
    assert found.fx.usd_mxn == 19
    assert found.totals.change_usd == found.totals.change_mxn == 0
    # prices in USD do not move in USD, whatever the rate did
    dollars = compare(quote(line(), rate=Decimal(17)), quote(line(), rate=Decimal(19)))
    assert dollars.rows[0].cause is None
    assert dollars.totals.before_mxn == dollars.totals.after_mxn == 9500


def test_a_raised_price_in_pesos_shows_at_one_rate() -> None:
    before = quote(line("100", item="energy", mxn="2", rate=Decimal(16)), rate=Decimal(16))
    after = quote(line("100", item="energy", mxn="3", rate=Decimal(20)), rate=Decimal(20))
    (row,) = compare(before, after).rows
    assert (row.before_usd, row.after_usd) == (Decimal("10.00"), Decimal("15.00"))
    assert row.cause == "price"


def test_lines_that_come_and_go() -> None:
    found = compare(quote(line(workload="old")), quote(line(workload="new")))
    assert [(row.workload, row.cause, row.change_usd) for row in found.rows] == [
        ("old", "removed", Decimal("-500.00")),
        ("new", "added", Decimal("500.00")),
    ]


def test_an_unchanged_discount_follows_what_it_is_a_share_of() -> None:
    def both(quantity: str) -> StoredQuote:
        base = line(quantity)
        share = line(str(base.amount_usd), "-0.1", item="discount", sku="", unit=SHARE_UNIT)
        return quote(base, share, catalog=quantity)

    found = compare(both("10"), both("12"))
    assert [row.cause for row in found.rows] == ["catalog", "catalog"]
    assert sum(row.change_usd for row in found.rows) == Decimal("90.00")


LINES = st.lists(
    st.builds(
        line,
        st.decimals(0, 1000, places=4).map(str),
        st.decimals(-5, 200, places=3).map(str),
        workload=st.sampled_from("ab"),
        item=st.sampled_from(["x", "y"]),
        sku=st.sampled_from(["p", "q"]),
        unit=st.sampled_from(["h", SHARE_UNIT]),
    ),
    max_size=8,
)


@settings(deadline=None)
@given(LINES, LINES, st.sampled_from(["a", "b"]), st.decimals(10, 30, places=2))
def test_rows_add_up_to_workloads_and_to_the_totals(
    before: list[StoredLine], after: list[StoredLine], catalog: str, rate: Decimal
) -> None:
    old, new = quote(*before), quote(*after, catalog=catalog, rate=rate)
    found = compare(old, new)
    assert found.totals.before_usd == old.usd
    assert found.totals.after_usd == new.usd
    assert sum(row.change_usd for row in found.rows) == found.totals.change_usd
    for name in ("before_usd", "after_usd", "before_mxn", "after_mxn"):
        parts = sum(getattr(sums, name) for sums in found.by_workload.values())
        assert parts == getattr(found.totals, name)
    assert sum(found.by_cause.values()) == found.totals.change_usd
    for row in found.rows:
        assert row.usage_usd + row.price_usd == row.change_usd
        assert row.cause in (None, *CAUSES)
        if row.change_usd:
            assert row.cause is not None
    # every line of both sides is in exactly one row
    assert len(found.rows) >= max(len(before), len(after))


@given(LINES)
def test_a_quote_does_not_differ_from_itself(lines: list[StoredLine]) -> None:
    same = quote(*lines)
    found = compare(same, replace(same, name="again"))
    assert all(row.cause is None for row in found.rows)
    assert found.totals.change_usd == 0


def test_totals_stand_there_even_if_nothing_changed(run: Plans, plan: Write) -> None:
    plan()
    done = run("diff", "plan.yaml", "plan.yaml", "--format", "json")
    assert done.status == 0
    record = json.loads(done.out)
    assert record["totals"]["before_usd"] == record["totals"]["after_usd"] == 500
    assert "500.00" in run("diff", "plan.yaml", "plan.yaml").out


def test_quotes_and_plans_compare_in_every_pairing(
    run: Plans, plan: Write, make_catalog: Callable[..., Path]
) -> None:
    plan()
    run("quote", "plan.yaml", "--format", "json", "--output", "before.json")
    dearer = make_catalog(aws="60", rate="25")
    run("quote", "plan.yaml", "--format", "json", "--output", "after.json", catalog=dearer)
    for before, after in (
        ("before.json", "after.json"),
        ("before.json", "plan.yaml"),
    ):
        done = run("diff", before, after, "--format", "json", catalog=dearer)
        record = json.loads(done.out)
        (row,) = record["rows"]
        assert (row["before_usd"], row["after_usd"], row["cause"]) == (500, 600, "catalog")
        assert record["fx"]["usd_mxn"] == 25
        assert record["totals"]["before_mxn"] == 12_500
        assert (row["change_usd"], row["change_pct"]) == (100, 20)
    assert record["causes"]["catalog"] == 100


def test_set_changes_the_second_side(run: Plans, plan: Write) -> None:
    plan()
    done = run(
        "diff", "plan.yaml", "plan.yaml", "--set", "workloads.horas.hours=5h", "--format", "csv"
    )
    head, row = done.out.splitlines()
    assert dict(zip(head.split(","), row.split(","), strict=True))["cause"] == "usage"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": "costcalc.quote/9"}, "costcalc.quote/9"),
        ({"lines": 5}, "lines"),
        ({"fx": {"usd_mxn": "20", "date": None, "source": "x"}}, "fx.usd_mxn"),
        ({"fx": {"usd_mxn": 0, "date": None, "source": "x"}}, "fx.usd_mxn"),
        ({"as_of": "yesterday"}, "as_of"),
        ({"workloads": [{}]}, "workloads[0]"),
        ({"plan": {"failures": [{"workload": "w"}]}}, "incomplete"),
    ],
)
def test_a_stored_quote_that_is_none_says_which_key(
    run: Plans, plan: Write, change: dict[str, Any], words: str
) -> None:
    plan()
    record = json.loads(run("quote", "plan.yaml", "--format", "json").out)
    with pytest.raises(InputError) as caught:
        from_json({**record, **change}, "base.json")
    assert words in caught.value.message("en")
    assert "base.json" in caught.value.message("en")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"schema": NaN}',
        "{" + '"a":[' * 100_000,
        "[]",
        '{"schema": "other/1"}',
        "",
        '{"schema": ' + "9" * 5000 + "}",
    ],
)
def test_a_file_that_is_no_quote_is_2(run: Plans, plan: Write, tmp_path: Path, text: str) -> None:
    plan()
    (tmp_path / "base.json").write_text(text)
    done = run("diff", "base.json", "plan.yaml")
    assert (done.status, done.out) == (2, "")
    assert "base.json" in done.err
