"""A quote in columns shaped like FOCUS 1.2 (FinOps Open Cost and Usage Specification).

FOCUS describes bills; a quote is none. What is billed is therefore 0, every row names its estimate,
and the rows are "FOCUS-shaped", not conformant. Own columns begin with `x_`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from costcalc import messages
from costcalc.quote import money
from costcalc.quote.types import Line, Quote, WorkloadQuote
from costcalc.reports.csv_report import table
from costcalc.reports.xlsx_formulas import bases

COLUMNS = (
    "BillingPeriodStart",
    "BillingPeriodEnd",
    "ChargePeriodStart",
    "ChargePeriodEnd",
    "BillingAccountId",
    "BillingAccountName",
    "BillingCurrency",
    "ChargeCategory",
    "ChargeClass",
    "ChargeDescription",
    "Provider",
    "Publisher",
    "InvoiceIssuer",
    "ServiceCategory",
    "ServiceName",
    "SkuId",
    "SkuPriceId",
    "RegionId",
    "RegionName",
    "ResourceType",
    "PricingCategory",
    "PricingQuantity",
    "PricingUnit",
    "ListUnitPrice",
    "ListCost",
    "ContractedCost",
    "EffectiveCost",
    "BilledCost",
    "x_EstimateId",
    "x_PriceDate",
    "x_PriceSource",
    "x_FxUsdMxn",
    "x_CostMxn",
)
PROVIDERS = {"aws": "AWS", "gcp": "Google Cloud", "azure": "Microsoft", "oci": "Oracle"}
SERVICES = {
    "aws": "Amazon EC2",
    "gcp": "Compute Engine",
    "azure": "Virtual Machines",
    "oci": "Compute",
}
PRICING = {"on-demand": "Standard", "spot": "Dynamic", "commit-1y": "Committed"}
PRICING |= {"commit-3y": "Committed", "capacity-block": "Committed", "flex-start": "Dynamic"}
UNITS = {"instance-hour": "Hours", "GB": "GB", "GB-month": "GB-Months", "kWh": "kWh"}
UNITS |= {"month": "Months", "person-hour": "Hours"}
_SERVICE_OF_ITEM = {
    "compute": "Compute",
    "machines": "Compute",
    "spot_redone": "Compute",
    "storage": "Storage",
    "checkpoints": "Storage",
    "transfer": "Networking",
    "egress": "Networking",
}
HOURS_PER_DAY = 24


@dataclass(frozen=True, slots=True)
class _Row:
    """One charge: a line, its discount taken off in `contracted`."""

    line: Line
    category: str
    listed: Decimal
    contracted: Decimal
    mxn: Decimal


def render(quote: Quote) -> str:
    """The quote as CSV; tax is a charge of its own."""
    return table(COLUMNS, records(quote))


def records(quote: Quote) -> Iterator[dict[str, Any]]:
    """One record per charge: lines with their discounts, then credits, then tax."""
    workloads = {workload.name: workload for workload in quote.workloads}
    for row in _rows(quote.lines):
        yield _record(quote, row, workloads.get(row.line.workload))
    totals = quote.totals
    if totals.iva_mode == "none":
        return
    name = f"IVA {totals.iva_rate.normalize():f}%"
    yield _tax(quote, name, totals.iva_usd, totals.iva_mxn)
    if totals.iva_mode == "self-assessed":
        yield _tax(quote, f"{name}, credited", -totals.iva_usd, -totals.iva_mxn)


def _rows(lines: tuple[Line, ...]) -> list[_Row]:
    """Lines as charges; a discount lowers the contracted cost of what it is a discount on."""
    found: dict[int, _Row] = {}
    for number, (line, base) in enumerate(zip(lines, bases(lines), strict=True)):
        if line.item == "discount" and len(base) == 1 and base[0] in found:
            row = found[base[0]]
            contracted = row.contracted + line.amount_usd
            mxn = row.mxn + line.amount_mxn
            found[base[0]] = _Row(row.line, row.category, row.listed, contracted, mxn)
            continue
        category = {"credit": "Credit", "discount": "Adjustment"}.get(line.item, "Usage")
        # only usage has a list price; credits and corrections have none
        listed = line.amount_usd if category == "Usage" else money.ZERO
        found[number] = _Row(line, category, listed, line.amount_usd, line.amount_mxn)
    return list(found.values())


def _record(quote: Quote, row: _Row, workload: WorkloadQuote | None) -> dict[str, Any]:
    line = row.line
    offer = None if workload is None else workload.offer
    provider = PROVIDERS.get(line.provider or "", line.provider)
    purchase = offer.purchase if offer is not None and line.sku == offer.instance_type else None
    words = [messages.area("en", "items").get(line.item.replace("-", "_"), line.item)]
    words = [line.sku, purchase.replace("-", " ")] if purchase and line.sku else words
    usage = row.category == "Usage"
    # whatever runs on the rented machines is computing
    service = "Compute" if purchase else _SERVICE_OF_ITEM.get(line.item, "Other")
    return {
        **_frame(quote, _days(workload)),
        "ChargeCategory": row.category,
        "ChargeDescription": f"{line.workload}: {' '.join(word for word in words if word)}",
        "Provider": provider,
        "Publisher": provider,
        "InvoiceIssuer": provider,
        "ServiceCategory": service,
        "ServiceName": (
            SERVICES.get(line.provider or "", provider) if service == "Compute" else line.item
        ),
        "RegionId": line.region,
        "ResourceType": line.sku,
        "PricingCategory": PRICING[purchase] if purchase else ("Standard" if usage else None),
        "PricingQuantity": line.quantity if usage else None,
        "PricingUnit": UNITS.get(line.unit, line.unit) if usage else None,
        "ListUnitPrice": line.unit_price_usd if usage else None,
        "ListCost": row.listed,
        "ContractedCost": row.contracted,
        "EffectiveCost": row.contracted,
        "x_EstimateId": line.workload,
        "x_PriceDate": line.as_of,
        "x_PriceSource": line.source,
        "x_CostMxn": row.mxn,
    }


def _tax(quote: Quote, name: str, usd: Decimal, mxn: Decimal) -> dict[str, Any]:
    return {
        **_frame(quote, 1),
        "ChargeCategory": "Tax",
        "ChargeDescription": name,
        "ListCost": money.ZERO,
        "ContractedCost": usd,
        "EffectiveCost": usd,
        "x_EstimateId": "tax",
        "x_CostMxn": mxn,
    }


def _frame(quote: Quote, days: int) -> dict[str, Any]:
    """What is alike in all rows: periods, currency, nothing billed."""
    start = quote.as_of
    month = start.replace(day=1)
    after = (month + timedelta(days=32)).replace(day=1)
    return {
        "BillingPeriodStart": _midnight(month),
        "BillingPeriodEnd": _midnight(after),
        "ChargePeriodStart": _midnight(start),
        "ChargePeriodEnd": _midnight(start + timedelta(days=days)),
        "BillingAccountId": "estimate",
        "BillingCurrency": "USD",
        "BilledCost": 0,
        "x_FxUsdMxn": quote.fx.usd_mxn,
    }


def _midnight(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _days(workload: WorkloadQuote | None) -> int:
    """Days that a workload takes, at least one."""
    hours = getattr(workload.estimate, "hours", None) if workload is not None else None
    return 1 if hours is None else max(math.ceil(hours / HOURS_PER_DAY), 1)
