"""Azure Retail Prices API: one list of meters, of which few are what they look like.

Spot and Low Priority rows are "Consumption" rows with another name; Windows rows share the meter's
name with Linux rows; a reservation's price is that of the whole term though its unit is one hour.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from costcalc.sources import endpoints
from costcalc.sources.amounts import HOURS_PER_YEAR, price, quotient
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.paging import Pages
from costcalc.sources.rows import FeedContext, FeedResult, list_of, mapping_of, offer, text_at

PATH = "/api/retail/prices"
API_VERSION = "2023-01-01-preview"
SERVICE = "Virtual Machines"
_GPU_SKU = re.compile(r"Standard_N[A-Z]+[0-9].*")
_SPOT, _LOW_PRIORITY = " Spot", " Low Priority"
_OTHER_PRODUCT = re.compile(r"Windows|Cloud ?Services|Dedicated Host|Promo", re.I)
_YEARS = {"1 Year": 1, "3 Years": 3}
_HOUR = "1 Hour"


@dataclass(frozen=True, slots=True)
class _Meter:
    """A row that prices a machine: when it took effect, whether it is the main meter, how much."""

    started: str
    primary: bool
    usd: Decimal
    where: str
    sku: str


_Meters = dict[tuple[str, str, str, str, str], list[_Meter]]
"""By (SKU, region, purchase, term, as listed)."""


class AzureTable:
    """The table `feeds/azure.yaml`."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.skus: Mapping[str, Any] = raw["skus"]
        self._ignored = [re.compile(pattern) for pattern in raw["ignored"]]

    def ignored(self, sku: str) -> bool:
        """Whether a SKU is left out on purpose."""
        return any(pattern.fullmatch(sku) for pattern in self._ignored)


def query(context: FeedContext) -> dict[str, str]:
    """The parameters of the first request.

    The currency is a parameter of its own: inside `$filter` it makes the answer empty. Values in
    `$filter` are case-sensitive in this version of the API.
    """
    wanted = [f"serviceName eq '{SERVICE}'", "startswith(armSkuName, 'Standard_N')"]
    if context.regions is not None:
        regions = " or ".join(f"armRegionName eq '{name}'" for name in sorted(context.regions))
        wanted.append(f"({regions})")
    return {
        "api-version": API_VERSION,
        "currencyCode": "'USD'",
        "$filter": " and ".join(wanted),
    }


def fetch(context: FeedContext) -> FeedResult:
    """On-demand, spot, reservation and savings-plan prices of Linux machines with accelerators.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    base = endpoints.AZURE.base(context.environ)
    table = AzureTable(context.tables["azure"])
    result = FeedResult(
        source=f"Azure Retail Prices API {API_VERSION} ({endpoints.shown(base)})",
        regions=context.regions,
    )
    meters: _Meters = defaultdict(list)
    count = 0
    for item in _items(base, context):
        count += 1
        _take(item, table, context, result, meters)
    if not count and context.regions is None:
        raise FeedError("sources.empty_list")
    for key, rows in sorted(meters.items()):
        _add(key, rows, table, context, result)
    return result


def _items(base: str, context: FeedContext) -> Iterator[Mapping[str, Any]]:
    url = endpoints.join(base, PATH)
    params: dict[str, str] | None = query(context)
    pages = Pages(context.pulse)
    seen = 0
    while True:
        page = mapping_of(context.web.get_json(url, params), "page")
        if "Items" not in page:
            raise FeedError("sources.shape", where="Items")
        currency = page.get("BillingCurrency")
        if currency != "USD":
            raise FeedError(
                "sources.currency", expected="USD", found=excerpt(currency), where="BillingCurrency"
            )
        items = list_of(page["Items"], "Items")
        if page.get("Count") not in (None, len(items)):
            raise FeedError("sources.page_short", said=page.get("Count"), came=len(items))
        link = page.get("NextPageLink")
        pages.turn(link or None, tuple(map(repr, items)) or None)
        for item in items:
            yield mapping_of(item, "Items")
        seen += len(items)
        context.pulse.step(seen, None, "meters")
        if not link:
            return
        try:
            url, params = endpoints.next_link(str(link), base, endpoints.AZURE.hosts), None
        except ValueError:
            raise FeedError("sources.foreign_link", link=excerpt(link, context.secrets)) from None


def _take(
    item: Mapping[str, Any],
    table: AzureTable,
    context: FeedContext,
    result: FeedResult,
    meters: _Meters,
) -> None:
    sku = str(item.get("armSkuName") or "")
    if not sku and not str(item.get("meterName") or ""):
        raise FeedError("sources.missing_attribute", name="armSkuName", where="Items")
    if sku not in table.skus:
        if not _GPU_SKU.fullmatch(sku):
            result.skip("no_accelerator")
        elif table.ignored(sku):
            result.skip("ignored")
        else:
            region = str(item.get("armRegionName") or "")
            result.doubt("unmatched", [region], row=f"{sku} {region}")
        return
    kind = text_at(item, "type", sku)
    product = text_at(item, "productName", sku)
    names = (text_at(item, "skuName", sku), text_at(item, "meterName", sku))
    region = text_at(item, "armRegionName", sku)
    where = f"{sku} {region} {names[1]}"
    if not context.wants(region):
        result.skip("other_region")
        return
    if (
        kind not in ("Consumption", "Reservation")
        or _OTHER_PRODUCT.search(product)
        or any(name.endswith(_LOW_PRIORITY) for name in names)
        or item.get("serviceName") != SERVICE
    ):
        result.skip("other_product")
        return
    if item.get("currencyCode") != "USD":
        raise FeedError(
            "sources.currency",
            expected="USD",
            found=excerpt(item.get("currencyCode")),
            where=excerpt(where),
        )
    if item.get("unitOfMeasure") != _HOUR:
        raise FeedError(
            "sources.unit", unit=excerpt(item.get("unitOfMeasure")), where=excerpt(where)
        )
    _read_prices(item, kind, names, where, meters)


def _read_prices(
    item: Mapping[str, Any], kind: str, names: tuple[str, str], where: str, meters: _Meters
) -> None:
    sku, region = str(item["armSkuName"]), str(item["armRegionName"])
    usd = price(item.get("retailPrice"), where)
    started = str(item.get("effectiveStartDate") or "")
    primary = item.get("isPrimaryMeterRegion") is not False
    identity = str(item.get("skuId") or item.get("meterId") or sku)

    def note(purchase: str, term: str, as_listed: str, amount: Decimal) -> None:
        meter = _Meter(started, primary, amount, where, identity)
        meters[sku, region, purchase, term, as_listed].append(meter)

    if kind == "Reservation":
        years = _YEARS.get(str(item.get("reservationTerm")))
        if years:
            hourly = quotient(usd, years * HOURS_PER_YEAR)
            note(f"commit-{years}y", f"{years}y, reservation", "reservation", hourly)
        return
    if any(name.endswith(_SPOT) for name in names):
        note("spot", "", "spot", usd)
        return
    note("on-demand", "", "on-demand", usd)
    for raw in list_of(item.get("savingsPlan") or [], where):
        plan = mapping_of(raw, where)
        years = _YEARS.get(str(plan.get("term")))
        if years:
            hourly = price(plan.get("retailPrice"), where)
            note(f"commit-{years}y", f"{years}y, savings plan", "savings plan", hourly)


def _add(
    key: tuple[str, str, str, str, str],
    rows: list[_Meter],
    table: AzureTable,
    context: FeedContext,
    result: FeedResult,
) -> None:
    sku, region, purchase, term, as_listed = key
    about = table.skus[sku]
    chosen = [row for row in rows if row.primary] or rows
    newest = max(row.started for row in chosen)
    current = [row for row in chosen if row.started == newest]
    # of two meters with the same date the dearer one: it cannot disappoint
    taken = max(current, key=lambda row: row.usd)
    others = sorted({row.usd for row in rows} - {taken.usd})
    note = ""
    if others:
        note = f"also listed at {', '.join(map(str, others))} USD"
    if about["accelerator"] not in context.accelerators:
        result.find("unmatched", row=f"{sku} {region}")
        return
    entry = offer(
        provider="azure",
        instance_type=sku,
        accelerator=about["accelerator"],
        count=about["count"],
        region=region,
        purchase=purchase,
        purchase_as_listed=as_listed,
        term=term,
        usd=taken.usd,
        as_of=context.today,
        source=result.source,
        note=note,
    )
    result.add(entry, excerpt(taken.sku), taken.where)
