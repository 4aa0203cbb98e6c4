"""AWS Savings Plans rates (`DescribeSavingsPlansOfferingRates`), without payment in advance.

A rate is never derived from a reservation or another plan: they look alike and are not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from costcalc.sources.amounts import price
from costcalc.sources.aws_client import NO_UPFRONT, Clients, host_of, translated
from costcalc.sources.aws_items import AwsTable, Machine
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.paging import Pages
from costcalc.sources.rows import FeedContext, FeedResult, list_of, mapping_of, offer, text_at

PLANS = {"Compute": "Compute Savings Plan", "EC2Instance": "EC2 Instance Savings Plan"}
_YEARS = {31_536_000: 1, 94_608_000: 3}
_BOX = "BoxUsage:"


def fetch(context: FeedContext) -> FeedResult:
    """Savings Plans rates per instance type, region, plan and term.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    table = AwsTable(context.tables["aws"])
    machines = table.types()
    plans = Clients(context).get("savingsplans", "us-east-1")
    result = FeedResult(
        source=f"AWS DescribeSavingsPlansOfferingRates ({host_of(plans)})",
        regions=context.regions,
    )
    filters = [
        {"name": "productDescription", "values": ["Linux/UNIX"]},
        {"name": "tenancy", "values": ["shared"]},
        {"name": "instanceType", "values": sorted(machines)},
    ]
    if context.regions:
        filters.append({"name": "region", "values": sorted(context.regions)})
    pages = Pages(context.pulse)
    token = ""
    while True:
        more = {"nextToken": token} if token else {}
        # this operation has no paginator in the SDK
        with translated(context):
            page = plans.describe_savings_plans_offering_rates(
                savingsPlanPaymentOptions=[NO_UPFRONT],
                savingsPlanTypes=sorted(PLANS),
                products=["EC2"],
                serviceCodes=["AmazonEC2"],
                filters=filters,
                **more,
            )
        if "searchResults" not in page:
            raise FeedError("sources.shape", where="searchResults")
        rows = list_of(page["searchResults"], "searchResults")
        token = page.get("nextToken") or ""
        pages.turn(token or None, tuple(map(repr, rows)) or None)
        for row in rows:
            _read(mapping_of(row, "searchResults"), machines, context, result)
        context.pulse.step(pages.count, None, "pages")
        if not token:
            return result


def _read(
    row: Mapping[str, Any],
    machines: Mapping[str, Machine],
    context: FeedContext,
    result: FeedResult,
) -> None:
    usage = text_at(row, "usageType", "searchResults")
    properties = {
        str(item.get("name")): str(item.get("value"))
        for item in (mapping_of(raw, usage) for raw in list_of(row.get("properties"), usage))
    }
    name = properties.get("instanceType", "")
    region = properties.get("region", "")
    machine = machines.get(name)
    if (
        machine is None
        or not usage.endswith(_BOX + name)
        or "Unused" in usage
        or row.get("operation") != "RunInstances"
        or properties.get("productDescription") != "Linux/UNIX"
        or properties.get("tenancy") != "shared"
    ):
        result.skip("other_product")
        return
    where = f"{name} {region}"
    if not region:
        raise FeedError("sources.missing_attribute", name="region", where=excerpt(usage))
    if not context.wants(region):
        result.skip("other_region")
        return
    plan = mapping_of(row.get("savingsPlanOffering"), where)
    years = _YEARS.get(plan.get("durationSeconds", 0))
    kind = str(plan.get("planType"))
    if years is None or kind not in PLANS or plan.get("paymentOption") != NO_UPFRONT:
        result.skip("other_product")
        return
    if row.get("unit") != "Hrs":
        raise FeedError("sources.unit", unit=excerpt(row.get("unit")), where=where)
    if plan.get("currency") != "USD":
        if region.startswith("cn-"):
            result.skip("cny")
            return
        raise FeedError(
            "sources.currency", expected="USD", found=excerpt(plan.get("currency")), where=where
        )
    if machine.accelerator not in context.accelerators:
        result.find("unmatched", row=where)
        return
    entry = offer(
        provider="aws",
        instance_type=name,
        accelerator=machine.accelerator,
        count=machine.count,
        region=region,
        purchase=f"commit-{years}y",
        purchase_as_listed=f"{PLANS[kind]}, no upfront",
        term=f"{years}y, {PLANS[kind]}",
        usd=price(row.get("rate"), where),
        as_of=context.today,
        source=result.source,
        as_listed=machine.as_listed,
    )
    result.add(entry, excerpt(plan.get("offeringId", "")), where)
