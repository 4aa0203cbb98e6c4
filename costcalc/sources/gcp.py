"""Google Cloud: a machine costs what its parts cost, and each part is one SKU of a price list."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from costcalc.catalog.offers import Offer
from costcalc.sources import endpoints, gcp_client
from costcalc.sources.amounts import HOURS_PER_MONTH, price, quotient
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.gcp_names import AS_LISTED, TERMS, agrees, read_description
from costcalc.sources.rows import FeedContext, FeedResult, offer

NANO = Decimal("1e-9")
_HOURS = {"h": Decimal(1), "GiBy.h": Decimal(1), "GiBy.mo": HOURS_PER_MONTH}
_ACCELERATOR_GROUPS = ("GPU", "TPU")
_LOOKS_LIKE_ONE = re.compile(r"nvidia|\btpu|gpu slice", re.I)

PartPrices = dict[tuple[str, str], dict[str, Decimal]]
"""USD per unit and hour by region, by (part, purchase)."""


class GcpTable:
    """The table `feeds/gcp.yaml`."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.parts: Mapping[str, Any] = raw["parts"]
        self.machines: Mapping[str, Any] = raw["machines"]
        self.services: Mapping[str, Any] = raw["services"]
        self._ignored = [re.compile(pattern, re.I) for pattern in raw["ignored"]]
        self._by_name = {
            name.casefold(): part for part, about in self.parts.items() for name in about["names"]
        }

    def part(self, name: str) -> str | None:
        """The id of a part by Google's name of it."""
        return self._by_name.get(name.casefold())

    def ignored(self, name: str) -> bool:
        """Whether a part is left out on purpose."""
        return any(pattern.fullmatch(name) for pattern in self._ignored)


def fetch_compute(context: FeedContext) -> FeedResult:
    """GPU machines, and TPU v5e, v5p, v6e and v7x, from the service Compute Engine.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    return _fetch("compute", context)


def fetch_tpu(context: FeedContext) -> FeedResult:
    """TPU v3 and v4 from the service Cloud TPU, which sells them per 8 cores (4 chips).

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    return _fetch("tpu", context)


def _fetch(service: str, context: FeedContext) -> FeedResult:
    host = endpoints.shown(endpoints.GCP.base(context.environ))
    table = GcpTable(context.tables["gcp"])
    about = table.services[service]
    catalog = gcp_client.client(context)
    return read(
        gcp_client.skus(catalog, about["id"], context),
        table,
        context,
        f"Google Cloud Billing Catalog API, {about['name']} ({host})",
    )


def read(skus: Iterable[Any], table: GcpTable, context: FeedContext, source: str) -> FeedResult:
    """The machines that a list of SKUs prices.

    Args:
        skus: `google.cloud.billing_v1.types.Sku` messages.

    Raises:
        FeedError: a part's price is missing, in another currency or unit, or no number.
    """
    result = FeedResult(source=source, regions=context.regions)
    prices: PartPrices = defaultdict(dict)
    for sku in skus:
        _take(sku, table, context, result, prices)
    _assemble(table, prices, context, result)
    return result


def _take(
    sku: Any, table: GcpTable, context: FeedContext, result: FeedResult, prices: PartPrices
) -> None:
    named = read_description(sku.description)
    part = table.part(named.part)
    if part is None:
        relevant = sku.category.resource_group in _ACCELERATOR_GROUPS or _LOOKS_LIKE_ONE.search(
            named.part
        )
        if not relevant or named.purchase is None:
            result.skip("other_product")
        elif table.ignored(named.part):
            result.skip("ignored")
        else:
            row = f"{sku.description} (SKU {sku.sku_id})"
            result.doubt("unmatched", sku.service_regions, row=row)
        return
    usage = sku.category.usage_type
    if named.purchase is None:
        result.skip("other_product")
        return
    if not agrees(named.purchase, usage):
        result.doubt(
            "mismatch",
            sku.service_regions,
            row=sku.description,
            listed=usage or "?",
            expected=named.purchase,
        )
        return
    usd = unit_price(sku, table.parts[part]["unit"])
    where = prices[part, named.purchase]
    for region in sku.service_regions:
        if not context.wants(region):
            continue
        held = where.get(region)
        if held is not None and held != usd:
            result.find("two_prices", row=f"{sku.description} {region}", first=held, second=usd)
            # which of the two holds is not known: the dearer one cannot disappoint
            usd = max(held, usd)
        where[region] = usd


def _assemble(
    table: GcpTable, prices: PartPrices, context: FeedContext, result: FeedResult
) -> None:
    for name, about in table.machines.items():
        parts: Mapping[str, int] = about["parts"]
        main = next(iter(parts))
        for purchase in TERMS:
            priced = {part: prices.get((part, purchase), {}) for part in parts}
            for region in sorted(set().union(*priced.values())):
                found = {part: priced[part][region] for part in parts if region in priced[part]}
                row = _machine(name, about, purchase, region, found, context, result)
                # host parts alone are no machine, except where one was sold before
                if main in found or context.known(row.key):
                    _add(row, found, about, context, result)


def _machine(
    name: str,
    about: Mapping[str, Any],
    purchase: str,
    region: str,
    found: Mapping[str, Decimal],
    context: FeedContext,
    result: FeedResult,
) -> Offer:
    """The offer of a machine as the sum of the parts that were found; 0 when one costs 0."""
    parts: Mapping[str, int] = about["parts"]
    total = sum((usd * parts[part] for part, usd in found.items()), Decimal(0))
    return offer(
        provider="gcp",
        instance_type=name,
        accelerator=about["accelerator"],
        count=about["count"],
        region=region,
        purchase=purchase,
        purchase_as_listed=AS_LISTED[purchase],
        term=TERMS[purchase],
        usd=total if all(found.values()) else Decimal(0),
        as_of=context.today,
        source=result.source,
        note=_sum_note(parts, found),
        vcpus=about.get("vcpus"),
        memory_gib=about.get("memory_gib"),
    )


def _add(
    row: Offer,
    found: Mapping[str, Decimal],
    about: Mapping[str, Any],
    context: FeedContext,
    result: FeedResult,
) -> None:
    where = f"{row.instance_type} {row.purchase} {row.region}"
    missing = [part for part in about["parts"] if part not in found]
    if row.accelerator not in context.accelerators:
        result.find("unmatched", row=where)
    elif missing:
        machine = f"{row.instance_type} {row.purchase}"
        result.find("incomplete", machine=machine, parts=", ".join(missing))
        result.kept.add(row.key)
    else:
        result.add(row, row.instance_type, where)


def _sum_note(parts: Mapping[str, int], known: Mapping[str, Decimal]) -> str:
    """`8 h100 + 208 a3-core + ...` with unit prices; empty for a machine of one part."""
    if len(parts) == 1:
        return ""
    return "sum of " + " + ".join(
        f"{amount} {part} at {known[part]}" for part, amount in parts.items() if part in known
    )


def unit_price(sku: Any, unit: str, quantity: Decimal = HOURS_PER_MONTH) -> Decimal:
    """USD per unit and hour of a SKU.

    Args:
        sku: a `Sku` message.
        unit: the usage unit that the SKU must be sold by: `h`, `GiBy.h` or `GiBy.mo`.
        quantity: usage in a month, which decides the tier. A machine part runs all month.

    Raises:
        FeedError: no price, another unit, another currency.
    """
    where = f"{sku.description} (SKU {sku.sku_id})"
    if not sku.pricing_info:
        raise FeedError("sources.no_price", where=excerpt(where))
    expression = sku.pricing_info[-1].pricing_expression
    if expression.usage_unit != unit:
        raise FeedError("sources.unit", unit=excerpt(expression.usage_unit), where=excerpt(where))
    return quotient(tier_price(expression.tiered_rates, quantity, where), _HOURS[unit])


def tier_price(tiers: Iterable[Any], quantity: Decimal, where: str) -> Decimal:
    """The unit price of the tier that `quantity` reaches: tiers are neither summed nor the first.

    Raises:
        FeedError: no tier that begins at or below `quantity`, or a price that is not in USD.
    """
    reached: tuple[Decimal, Decimal] | None = None
    for tier in tiers:
        start = Decimal(str(tier.start_usage_amount))
        amount = tier.unit_price
        if amount.currency_code != "USD":
            raise FeedError(
                "sources.currency",
                expected="USD",
                found=excerpt(amount.currency_code or "?"),
                where=excerpt(where),
            )
        if start <= quantity and (reached is None or start >= reached[0]):
            reached = (start, Decimal(amount.units) + amount.nanos * NANO)
    if reached is None:
        raise FeedError("sources.no_price", where=excerpt(where))
    return price(reached[1], where)
