"""FOCUS-shaped rows: the columns of the specification's 1.2, tax apart, nothing billed."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
import small_quotes
from hypothesis import given
from hypothesis import strategies as st

from costcalc.quote import money
from costcalc.quote.types import IvaMode, Quote
from costcalc.reports import focus

MANDATORY = {
    "BilledCost",
    "BillingAccountId",
    "BillingAccountName",
    "BillingCurrency",
    "BillingPeriodEnd",
    "BillingPeriodStart",
    "ChargeCategory",
    "ChargeClass",
    "ChargeDescription",
    "ChargePeriodEnd",
    "ChargePeriodStart",
    "ContractedCost",
    "EffectiveCost",
    "InvoiceIssuer",
    "ListCost",
    "PricingQuantity",
    "PricingUnit",
    "Provider",
    "Publisher",
    "ServiceCategory",
    "ServiceName",
}
"""Of FOCUS 1.2 (2025-05-29)."""


def rows(quote: Quote) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(focus.render(quote))))


def with_iva(mode: IvaMode) -> Quote:
    quote = small_quotes.training()
    return replace(quote, totals=money.totals(quote.lines, mode))


def added(found: list[dict[str, str]], column: str, *categories: str) -> Decimal:
    return sum(
        (Decimal(row[column]) for row in found if row["ChargeCategory"] in categories), Decimal(0)
    )


def test_columns() -> None:
    found = rows(small_quotes.training())
    assert set(found[0]) >= MANDATORY
    own = set(found[0]) - MANDATORY
    assert {name for name in own if name.startswith("x_")} == {
        "x_EstimateId",
        "x_PriceDate",
        "x_PriceSource",
        "x_FxUsdMxn",
        "x_CostMxn",
    }


def test_a_day_of_one_machine() -> None:
    """24 hours of a p5.48xlarge at USD 55.04 on 2026-12-01, at 18.9077 MXN/USD."""
    line = small_quotes.compute("llama-8b-sft", "24.0000")
    quote = small_quotes.training(lines=(line,), totals=money.totals([line]))
    workload = replace(quote.workloads[0], name="llama-8b-sft")
    workload = replace(workload, estimate=replace(workload.estimate, hours=24.0))
    (row,) = rows(replace(quote, workloads=(workload,)))
    assert row["ChargePeriodStart"] == "2026-12-01T00:00:00Z"
    assert row["ChargePeriodEnd"] == "2026-12-02T00:00:00Z"
    assert row["BillingPeriodEnd"] == "2027-01-01T00:00:00Z"
    assert (row["Provider"], row["ServiceName"]) == ("AWS", "Amazon EC2")
    assert row["ChargeDescription"] == "llama-8b-sft: p5.48xlarge on demand"
    assert Decimal(row["PricingQuantity"]) == 24
    assert row["ListCost"] == row["EffectiveCost"] == "1320.96"
    assert row["BilledCost"] == "0"
    assert row["x_CostMxn"] == "24976.32"


def test_a_discount_lowers_what_is_contracted_not_what_is_listed() -> None:
    usage = [row for row in rows(small_quotes.training()) if row["ChargeCategory"] == "Usage"]
    assert len(usage) == 1
    assert usage[0]["ListCost"] == "3986.00"
    assert usage[0]["ContractedCost"] == "3507.68"


@pytest.mark.parametrize("mode", ["none", "add", "self-assessed"])
def test_tax_is_a_row_of_its_own(mode: IvaMode) -> None:
    quote = with_iva(mode)
    found = rows(quote)
    taxes = [row for row in found if row["ChargeCategory"] == "Tax"]
    assert len(taxes) == {"none": 0, "add": 1, "self-assessed": 2}[mode]
    everything = added(found, "EffectiveCost", "Usage", "Tax", "Credit", "Adjustment")
    assert everything == quote.totals.usd_with_iva
    assert sum(Decimal(row["x_CostMxn"]) for row in found) == quote.totals.mxn_with_iva


def test_a_credit_is_no_usage() -> None:
    found = rows(small_quotes.plan())
    credit = [row for row in found if row["ChargeCategory"] == "Credit"]
    assert [row["EffectiveCost"] for row in credit] == ["-250.00"]
    assert credit[0]["PricingQuantity"] == ""
    assert added(found, "EffectiveCost", "Usage", "Credit") == small_quotes.plan().totals.usd


@pytest.mark.parametrize(
    ("purchase", "category"),
    [("on-demand", "Standard"), ("spot", "Dynamic"), ("commit-1y", "Committed")],
)
def test_pricing_category(purchase: str, category: str) -> None:
    quote = small_quotes.training()
    offer = replace(small_quotes.OFFER, purchase=purchase)
    workload = replace(quote.workloads[0], offer=offer)
    assert rows(replace(quote, workloads=(workload,)))[0]["PricingCategory"] == category


@given(
    st.lists(
        st.tuples(
            st.decimals(0, Decimal(1000), places=4),
            st.sampled_from(["compute", "storage", "credit"]),
        ),
        max_size=6,
    )
)
def test_rows_always_add_up_to_the_quote(items: list[tuple[Decimal, str]]) -> None:
    lines: list[Any] = []
    for quantity, item in items:
        line = money.line(
            workload="w",
            item=item,
            unit="instance-hour",
            unit_price_usd=Decimal("3.337"),
            quantity_middle=quantity,
            usd_mxn=small_quotes.FX.usd_mxn,
            provider="aws",
        )
        lines.append(line)
        lines.append(money.share_of(line, Decimal("-0.1"), "discount", Decimal("18.9"), "d"))
    quote = small_quotes.training(lines=tuple(lines), totals=money.totals(lines))
    found = rows(quote)
    assert sum(Decimal(row["ContractedCost"]) for row in found) == quote.totals.usd
    assert sum(Decimal(row["x_CostMxn"]) for row in found) == quote.totals.mxn
