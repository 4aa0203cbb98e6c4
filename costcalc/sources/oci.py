"""Oracle's public price list: one USD price per GPU-hour and part, the same in every region."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from costcalc.catalog.offers import Offer
from costcalc.sources import endpoints
from costcalc.sources.amounts import HOURS_PER_MONTH, price
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.rows import FeedContext, FeedResult, list_of, mapping_of, offer, text_at

PATH = "/pls/apex/cetools/api/v1/products/"
PAY_AS_YOU_GO = "PAY_AS_YOU_GO"


def fetch(context: FeedContext) -> FeedResult:
    """On-demand prices of the shapes that `feeds/oci.yaml` names.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    table = context.tables["oci"]
    base = endpoints.OCI.base(context.environ)
    page = mapping_of(
        context.web.get_json(endpoints.join(base, PATH), {"currencyCode": "USD"}), "page"
    )
    if "items" not in page:
        raise FeedError("sources.shape", where="items")
    items = list_of(page["items"], "items")
    if not items:
        raise FeedError("sources.empty_list")
    result = FeedResult(source=f"Oracle Cloud price list API ({endpoints.shown(base)})")
    for done, raw in enumerate(items):
        _take(mapping_of(raw, "items"), table, context, result)
        if done % 500 == 0:
            context.pulse.step(done, len(items), "parts")
    return result


def _take(
    item: Mapping[str, Any], table: Mapping[str, Any], context: FeedContext, result: FeedResult
) -> None:
    number = text_at(item, "partNumber", "items")
    name = str(item.get("displayName") or "")
    metric = str(item.get("metricName") or "")
    about = table["parts"].get(number)
    where = f"{number} {name}"
    if any(word.casefold() in name.casefold() for word in table["left_out"]):
        result.skip("other_product")
        return
    if about is None:
        if metric != table["metric"]:
            result.skip("no_accelerator")
        elif number in table["ignored"]:
            result.skip("ignored")
        else:
            result.doubt("unmatched", [None], row=where)
        return
    if not _is_named(name, about["name"]):
        result.find("mismatch", row=number, listed=name, expected=about["name"])
        _keep(about, table, context, result)
        return
    if metric != table["metric"]:
        raise FeedError("sources.unit", unit=excerpt(metric or "?"), where=excerpt(where))
    usd = pay_as_you_go_usd(item, where)
    if about["accelerator"] not in context.accelerators:
        result.find("unmatched", row=where)
        return
    for shape, count in about["shapes"].items():
        row = _offer(about, shape, count, usd, table, context, result, number)
        result.add(row, number, where)


def _is_named(display: str, expected: str) -> bool:
    """`OCI- Compute  - GPU - A10` ends with `GPU - A10`; `GPU - A100 - v2` does not."""
    words, wanted = ([word.strip() for word in text.split(" - ")] for text in (display, expected))
    return words[-len(wanted) :] == wanted


def _keep(
    about: Mapping[str, Any], table: Mapping[str, Any], context: FeedContext, result: FeedResult
) -> None:
    for shape, count in about["shapes"].items():
        row = _offer(about, shape, count, Decimal(0), table, context, result, "")
        result.kept.add(row.key)


def _offer(
    about: Mapping[str, Any],
    shape: str,
    count: int,
    usd: Decimal,
    table: Mapping[str, Any],
    context: FeedContext,
    result: FeedResult,
    number: str,
) -> Offer:
    return offer(
        provider="oci",
        instance_type=shape,
        accelerator=about["accelerator"],
        count=count,
        region=None,
        region_scope=table["region_scope"],
        purchase="on-demand",
        usd=usd * count,
        as_of=context.today,
        source=result.source,
        note=f"part {number}, {usd} USD per GPU-hour",
    )


def pay_as_you_go_usd(item: Mapping[str, Any], where: str) -> Decimal:
    """The pay-as-you-go price in USD of the tier that a full month of one GPU is in."""
    currencies = []
    for raw in list_of(item.get("currencyCodeLocalizations"), where):
        localized = mapping_of(raw, where)
        currencies.append(str(localized.get("currencyCode")))
        if localized.get("currencyCode") != "USD":
            continue
        reached: tuple[Decimal, Decimal] | None = None
        for raw_price in list_of(localized.get("prices"), where):
            entry = mapping_of(raw_price, where)
            if entry.get("model") != PAY_AS_YOU_GO:
                continue
            start = price(entry.get("rangeMin", 0), where)
            usd = price(entry.get("value"), where)
            if start <= HOURS_PER_MONTH and (reached is None or start >= reached[0]):
                reached = (start, usd)
        if reached is None:
            raise FeedError("sources.no_price", where=excerpt(where))
        return reached[1]
    raise FeedError(
        "sources.currency",
        expected="USD",
        found=excerpt(", ".join(currencies) or "?"),
        where=excerpt(where),
    )
