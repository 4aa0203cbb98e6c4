"""Data sent out of a region, over the internet or to another region."""

from __future__ import annotations

from costcalc.quote import money
from costcalc.quote.data_lines import price_notices, prices, rows_for, step_lines
from costcalc.quote.own_price import own_line
from costcalc.quote.plan import Transfer
from costcalc.quote.plan_kinds import ONE, Priced, Setting, about, months, runs
from costcalc.quote.types import WorkloadQuote

ITEM = "transfer"
UNIT = "GB"


def quote(workload: Transfer, setting: Setting) -> Priced:
    """GB of each run x runs, by the steps of a month's total, or at a price of one's own.

    Raises:
        WorkloadError: no such provider or region, or no price.
    """
    per_month = workload.size * (workload.runs_per_month or ONE)
    times = months(workload.months)
    count = runs(workload.runs_per_month, workload.months)
    inputs = {
        "to": workload.to,
        "size_gb": workload.size,
        "runs_per_month": workload.runs_per_month,
        "months": times,
        "runs": count,
        "provider": workload.provider,
        "region": workload.region,
    }
    if workload.price is not None:
        line, native = own_line(
            workload=workload.name,
            item=ITEM,
            unit=UNIT,
            quantity=money.quantity(per_month, times),
            price=workload.price,
            setting=setting,
            provider=workload.provider.lower(),
            region=workload.region,
        )
        quoted = WorkloadQuote(workload.name, workload.kind, {**inputs, **native}, None, None)
        return Priced(quoted, (line,), runs=count)
    with about("region"):
        steps = rows_for(
            prices(setting, "transfer"),
            provider=workload.provider,
            region=workload.region,
            kind=workload.to,
            tier=None,
            setting=setting,
        )
    lines = step_lines(
        steps,
        workload=workload.name,
        item=ITEM,
        unit=UNIT,
        gb=per_month,
        times=times,
        usd_mxn=setting.usd_mxn,
    )
    return Priced(
        WorkloadQuote(workload.name, workload.kind, inputs, None, None),
        tuple(lines),
        # one line per step that the data reach: nothing is said of prices that were not used
        tuple(price_notices(steps[: len(lines)], setting)),
        count,
    )
