"""AWS spot prices: the newest one of every zone, region by region (`DescribeSpotPriceHistory`)."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from decimal import Decimal
from statistics import median
from typing import Any

from costcalc.sources.amounts import price, trimmed
from costcalc.sources.aws_client import Clients, RegionClosedError, host_of, translated
from costcalc.sources.aws_items import AwsTable, Machine
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.paging import Pages
from costcalc.sources.rows import FeedContext, FeedResult, list_of, mapping_of, offer, text_at

LINUX = ("Linux/UNIX", "Linux/UNIX (Amazon VPC)")
_Newest = dict[str, dict[str, tuple[datetime, Decimal]]]


def fetch(context: FeedContext) -> FeedResult:
    """Spot prices per instance type and region.

    The offer's price is that of the cheapest zone, as everywhere in the catalog; its note holds
    the zone, the median and the number of zones.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    table = AwsTable(context.tables["aws"])
    machines = table.types()
    clients = Clients(context)
    result = FeedResult(
        source="AWS EC2 DescribeSpotPriceHistory", regions=frozenset(context.region_list())
    )
    regions = context.region_list()
    for done, region in enumerate(regions):
        ec2 = clients.get("ec2", region)
        result.source = f"AWS EC2 DescribeSpotPriceHistory ({_public_host(host_of(ec2), region)})"
        try:
            newest = _newest_per_zone(ec2, region, machines, context)
        except RegionClosedError as closed:
            result.find("region_unreachable", region=region, reason=closed)
            result.kept_regions.add(region)
            newest = {}
        for name, zones in sorted(newest.items()):
            _add(name, zones, region, machines[name], context, result)
        context.pulse.step(done + 1, len(regions), "regions")
    if regions and len(result.kept_regions) == len(regions):
        raise FeedError("sources.no_region")
    return result


def _newest_per_zone(
    ec2: Any, region: str, machines: dict[str, Machine], context: FeedContext
) -> _Newest:
    newest: _Newest = defaultdict(dict)
    pages = Pages(context.pulse)
    batches = iter(
        ec2.get_paginator("describe_spot_price_history").paginate(
            InstanceTypes=sorted(machines), ProductDescriptions=[LINUX[0]], StartTime=context.now
        )
    )
    while True:
        with translated(context, per_region=True):
            page = next(batches, None)
        if page is None:
            return newest
        if "SpotPriceHistory" not in page:
            raise FeedError("sources.shape", where="SpotPriceHistory")
        rows = list_of(page["SpotPriceHistory"], "SpotPriceHistory")
        pages.turn(page.get("NextToken") or None, tuple(map(repr, rows)) or None)
        for row in rows:
            _note_price(mapping_of(row, "SpotPriceHistory"), region, machines, newest)


def _note_price(row: Any, region: str, machines: dict[str, Machine], newest: _Newest) -> None:
    name = text_at(row, "InstanceType", "SpotPriceHistory")
    zone = text_at(row, "AvailabilityZone", name)
    if name not in machines or row.get("ProductDescription") not in LINUX:
        return
    if not zone.startswith(region):
        return
    when = row.get("Timestamp")
    if not isinstance(when, datetime):
        raise FeedError("sources.missing_attribute", name="Timestamp", where=excerpt(name))
    usd = price(row.get("SpotPrice"), f"{name} {zone}")
    held = newest[name].get(zone)
    if held is None or when > held[0]:
        newest[name][zone] = (when, usd)


def _add(
    name: str,
    zones: dict[str, tuple[datetime, Decimal]],
    region: str,
    machine: Machine,
    context: FeedContext,
    result: FeedResult,
) -> None:
    if machine.accelerator not in context.accelerators:
        result.find("unmatched", row=f"{name} {region}")
        return
    cheapest = min(zones, key=lambda zone: (zones[zone][1], zone))
    middle = trimmed(Decimal(median(usd for _, usd in zones.values())))
    row = offer(
        provider="aws",
        instance_type=name,
        accelerator=machine.accelerator,
        count=machine.count,
        region=region,
        purchase="spot",
        usd=zones[cheapest][1],
        as_of=context.today,
        source=result.source,
        note=f"lowest of {len(zones)} zones ({cheapest}); median {middle} USD",
        as_listed=machine.as_listed,
    )
    result.add(row, name, f"{name} {cheapest}")


def _public_host(host: str, region: str) -> str:
    return host.replace(region, "*")
