"""Data kept for some months."""

from __future__ import annotations

from costcalc.quote import money
from costcalc.quote.data_lines import price_notices, prices, rows_for, step_lines
from costcalc.quote.own_price import own_line
from costcalc.quote.plan import Storage
from costcalc.quote.plan_kinds import Priced, Setting, about, months
from costcalc.quote.types import WorkloadQuote

ITEM = "storage"
UNIT = "GB-month"


def quote(workload: Storage, setting: Setting) -> Priced:
    """GB x months at the provider's list price, or at a price of one's own.

    Raises:
        WorkloadError: no such provider, region, tier, or no price.
    """
    times = months(workload.months)
    inputs = {
        "medium": workload.medium,
        "tier": workload.tier,
        "size_gb": workload.size,
        "months": times,
        "provider": workload.provider,
        "region": workload.region,
    }
    if workload.price is not None:
        line, native = own_line(
            workload=workload.name,
            item=ITEM,
            unit=UNIT,
            quantity=money.quantity(workload.size, times),
            price=workload.price,
            setting=setting,
            provider=workload.provider.lower(),
            region=workload.region,
        )
        return Priced(
            WorkloadQuote(workload.name, workload.kind, {**inputs, **native}, None, None), (line,)
        )
    with about("region"):
        steps = rows_for(
            prices(setting, "storage"),
            provider=workload.provider,
            region=workload.region,
            kind=workload.medium,
            tier=workload.tier,
            setting=setting,
        )
    lines = step_lines(
        steps,
        workload=workload.name,
        item=ITEM,
        unit=UNIT,
        gb=workload.size,
        times=times,
        usd_mxn=setting.usd_mxn,
    )
    return Priced(
        WorkloadQuote(workload.name, workload.kind, inputs, None, None),
        tuple(lines),
        # one line per step that the data reach: nothing is said of prices that were not used
        tuple(price_notices(steps[: len(lines)], setting)),
    )
