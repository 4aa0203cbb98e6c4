"""AWS Capacity Blocks: what a block of one machine and one day costs now, per region.

Not in any price list: the offers of the moment (`DescribeCapacityBlockOfferings`) are all there is.
The fee is for the whole block and paid in advance; an operating system may cost extra.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from costcalc.sources.amounts import price, quotient
from costcalc.sources.aws_client import Clients, RegionClosedError, translated
from costcalc.sources.aws_items import AwsTable
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.paging import Pages
from costcalc.sources.rows import FeedContext, FeedResult, list_of, mapping_of, offer, text_at

TERM = "1-182 days, prepaid"
_NOT_OFFERED = ("InvalidParameterValue", "Unsupported", "InvalidParameterCombination")


def fetch(context: FeedContext) -> FeedResult:
    """The cheapest block of one machine and `capacity_blocks.hours` per type and region.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    table = AwsTable(context.tables["aws"])
    machines = table.types()
    clients = Clients(context)
    result = FeedResult(
        source="AWS EC2 DescribeCapacityBlockOfferings", regions=frozenset(context.region_list())
    )
    regions = context.region_list()
    for done, region in enumerate(regions):
        ec2 = clients.get("ec2", region)
        for name in table.block_types:
            machine = machines[name]
            try:
                blocks = _blocks(ec2, name, table.block_hours, context)
            except RegionClosedError as closed:
                result.find("region_unreachable", region=region, reason=closed)
                result.kept_regions.add(region)
                break
            prices = [found for block in blocks if (found := _hourly(block, name, region))]
            if not prices:
                continue
            usd, zone, start = min(prices)
            if machine.accelerator not in context.accelerators:
                result.find("unmatched", row=f"{name} {region}")
                continue
            row = offer(
                provider="aws",
                instance_type=name,
                accelerator=machine.accelerator,
                count=machine.count,
                region=region,
                purchase="capacity-block",
                term=TERM,
                usd=usd,
                as_of=context.today,
                source=result.source,
                note=f"{table.block_hours} h block in {zone} from {start}; reservation fee only",
                as_listed=machine.as_listed,
            )
            result.add(row, name, f"{name} {region}")
        context.pulse.step(done + 1, len(regions), "regions")
    if regions and len(result.kept_regions) == len(regions):
        raise FeedError("sources.no_region")
    return result


def _blocks(ec2: Any, name: str, hours: int, context: FeedContext) -> list[Any]:
    from botocore.exceptions import ClientError

    found: list[Any] = []
    pages = Pages(context.pulse)
    batches = iter(
        ec2.get_paginator("describe_capacity_block_offerings").paginate(
            InstanceType=name, InstanceCount=1, CapacityDurationHours=hours
        )
    )
    while True:
        with translated(context, per_region=True):
            try:
                page = next(batches, None)
            except ClientError as error:
                if error.response.get("Error", {}).get("Code") in _NOT_OFFERED:
                    return []
                raise
        if page is None:
            return found
        if "CapacityBlockOfferings" not in page:
            raise FeedError("sources.shape", where="CapacityBlockOfferings")
        rows = list_of(page["CapacityBlockOfferings"], "CapacityBlockOfferings")
        pages.turn(page.get("NextToken") or None, tuple(map(repr, rows)) or None)
        found += rows


def _hourly(raw: object, name: str, region: str) -> tuple[Decimal, str, str] | None:
    """(USD per instance-hour, zone, first day) of a block; None for another region or type."""
    block: Mapping[str, Any] = mapping_of(raw, name)
    zone = text_at(block, "AvailabilityZone", name)
    where = f"{name} {zone}"
    if not zone.startswith(region) or block.get("InstanceType") != name:
        return None
    if block.get("CurrencyCode") != "USD":
        raise FeedError(
            "sources.currency",
            expected="USD",
            found=excerpt(block.get("CurrencyCode")),
            where=excerpt(where),
        )
    hours, count = block.get("CapacityBlockDurationHours"), block.get("InstanceCount")
    if not isinstance(hours, int) or not isinstance(count, int) or hours < 1 or count < 1:
        raise FeedError(
            "sources.missing_attribute", name="CapacityBlockDurationHours", where=excerpt(where)
        )
    fee = price(block.get("UpfrontFee"), where)
    start = block.get("StartDate")
    day = start.date().isoformat() if isinstance(start, datetime) else "?"
    return quotient(fee, hours * count), zone, day
