"""Lines at a price that the plan itself states, in USD or MXN."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.quote import money
from costcalc.quote.pesos import usd_price
from costcalc.quote.plan_kinds import Setting
from costcalc.quote.types import Line
from costcalc.units import Money

PLAN_SOURCE = "plan"


def in_usd(price: Money, usd_mxn: Decimal) -> Decimal:
    """A unit price in USD: as it is, or converted and kept to 12 significant digits."""
    return price.amount if price.currency == "USD" else usd_price(price.amount, usd_mxn)


def own_line(
    *,
    workload: str,
    item: str,
    unit: str,
    quantity: Decimal,
    price: Money,
    setting: Setting,
    provider: str | None = None,
    region: str | None = None,
    sku: str | None = None,
    as_of: date | None = None,
    source: str = PLAN_SOURCE,
    confidence: str = "quoted",
) -> tuple[Line, dict[str, Any]]:
    """A line at `price`, and what `inputs` must keep of it.

    A price in MXN goes into `inputs.prices_mxn` under its item, so that a diff of two quotes can
    tell a moved exchange rate from a changed price.
    """
    line = money.line(
        workload=workload,
        item=item,
        unit=unit,
        unit_price_usd=in_usd(price, setting.usd_mxn),
        quantity_middle=quantity,
        usd_mxn=setting.usd_mxn,
        provider=provider,
        region=region,
        sku=sku,
        as_of=as_of,
        source=source,
        confidence=confidence,
    )
    if price.currency == "USD":
        return line, {}
    return line, {"prices_mxn": {item: price.amount}}
