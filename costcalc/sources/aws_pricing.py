"""AWS on-demand and reserved prices from the Price List API (`GetProducts`, needs credentials)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from costcalc.sources.aws_client import (
    NO_UPFRONT,
    PRICING_REGIONS,
    Clients,
    host_of,
    translated,
)
from costcalc.sources.aws_items import (
    ACCELERATED,
    WANTED,
    AwsTable,
    Product,
    add_offer,
    on_demand_usd,
    priced_machine,
    reserved_rates,
)
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.paging import Pages
from costcalc.sources.rows import FeedContext, FeedResult, list_of, mapping_of, text_at
from costcalc.sources.web import Answer, parse_json


def fetch(context: FeedContext) -> FeedResult:
    """On-demand (and, where listed, reserved) Linux prices of every machine with accelerators.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    table = AwsTable(context.tables["aws"])
    chosen = context.environ.get("AWS_REGION") or context.environ.get("AWS_DEFAULT_REGION") or ""
    # the region that answers has nothing to do with the region that is priced
    pricing = Clients(context).get(
        "pricing", chosen if chosen in PRICING_REGIONS else PRICING_REGIONS[0]
    )
    result = FeedResult(source="", regions=frozenset(context.region_list()))
    versions: set[str] = set()
    result.source = f"AWS Price List API GetProducts ({host_of(pricing)})"
    regions = context.region_list()
    for done, region in enumerate(regions):
        for family in ACCELERATED:
            for item in _items(pricing, region, family, context):
                versions.add(str(item.get("version", "")))
                _read(item, table, context, result)
        context.pulse.step(done + 1, len(regions), "regions")
    newest = max(versions, default="")
    if newest:
        result.source = f"AWS Price List API GetProducts {newest} ({host_of(pricing)})"
    return result


def _items(
    pricing: Any, region: str, family: str, context: FeedContext
) -> Iterator[Mapping[str, Any]]:
    wanted = {**WANTED, "regionCode": region, "instanceFamily": family}
    filters = [
        {"Type": "TERM_MATCH", "Field": name, "Value": value} for name, value in wanted.items()
    ]
    pages = Pages(context.pulse)
    paginator = pricing.get_paginator("get_products")
    batches = iter(
        paginator.paginate(ServiceCode="AmazonEC2", Filters=filters, FormatVersion="aws_v1")
    )
    while True:
        with translated(context):
            page = next(batches, None)
        if page is None:
            return
        if "PriceList" not in page:
            raise FeedError("sources.shape", where="PriceList")
        items = list_of(page["PriceList"], "PriceList")
        pages.turn(page.get("NextToken") or None, tuple(map(str, items)) or None)
        for item in items:
            yield _decoded(item, context)


def _decoded(item: object, context: FeedContext) -> Mapping[str, Any]:
    """An item of `PriceList`: JSON inside a JSON string."""
    if isinstance(item, str):
        item = parse_json(Answer(item.encode(), "application/json"), context.secrets)
    return mapping_of(item, "PriceList")


def _read(
    item: Mapping[str, Any], table: AwsTable, context: FeedContext, result: FeedResult
) -> None:
    raw = mapping_of(item.get("product"), "product")
    product = Product(
        text_at(raw, "sku", "product"), mapping_of(raw.get("attributes"), "attributes")
    )
    machine = priced_machine(product, table, context, result)
    if machine is None:
        return
    terms = mapping_of(item.get("terms"), product.where)
    usd = on_demand_usd(terms, product)
    if usd is None:
        result.skip("cny")
        return
    add_offer(product, machine, result, context, usd=usd)
    for rate in reserved_rates(terms, product):
        if rate.payment != NO_UPFRONT or rate.usd_per_hour == 0:
            continue
        add_offer(
            product,
            machine,
            result,
            context,
            usd=rate.usd_per_hour,
            purchase=f"commit-{rate.years}y",
            as_listed=excerpt(f"reserved instance, {rate.offering_class}, no upfront"),
            term=f"{rate.years}y, reserved, {rate.offering_class}",
        )
