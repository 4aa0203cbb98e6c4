"""Plain machine hours of a plan: so many hours, so many runs, at the price of an offer."""

from __future__ import annotations

from decimal import Decimal

from costcalc.quote import money
from costcalc.quote.plan import Machine
from costcalc.quote.plan_kinds import ONE, Priced, Setting, about, months, runs
from costcalc.quote.plan_placement import hardware_of, placement, selection
from costcalc.quote.terms import offer_notices
from costcalc.quote.types import WorkloadQuote


def quote(workload: Machine, setting: Setting) -> Priced:
    """Hours x machines x runs; without `hours` the machines run all month, every month.

    Raises:
        WorkloadError: an unknown accelerator, no offer.
    """
    hardware = hardware_of(workload.on, setting)
    whole_month = workload.hours is None
    if workload.hours is None:
        hours = setting.assumptions.hours_per_month
        count = months(workload.months) * (workload.runs_per_month or ONE)
    else:
        hours = Decimal(repr(workload.hours))
        count = runs(workload.runs_per_month, workload.months)
    # machines that run all month are bought for the whole schedule, runs one by one
    longest = float(hours * count) if whole_month else float(hours)
    with about("on"):
        taken = selection(placement(workload, hardware, setting), setting, hours=longest)
    choice = taken.choice
    line = money.line(
        workload=workload.name,
        item="machines",
        unit="instance-hour",
        unit_price_usd=choice.usd_per_instance_hour,
        quantity_middle=money.quantity(hours, choice.instances * count),
        usd_mxn=setting.usd_mxn,
        provider=choice.provider,
        region=choice.region,
        sku=choice.instance_type,
        as_of=choice.as_of,
        source=choice.source,
        confidence=choice.confidence,
    )
    return Priced(
        workload=WorkloadQuote(
            name=workload.name,
            kind=workload.kind,
            inputs={
                "on": hardware.text,
                "accelerator": hardware.accelerator.id,
                "accelerators": hardware.count,
                "hours": hours,
                "runs_per_month": workload.runs_per_month,
                "months": workload.months,
                "runs": count,
                "provider": workload.provider,
                "region": workload.region,
                "purchase": workload.purchase,
                "market": workload.market,
                "residency": workload.residency,
                "nearest": workload.nearest,
            },
            offer=choice,
            estimate=None,
        ),
        lines=(line,),
        notices=(*taken.notices, *offer_notices(choice, setting.terms.as_of)),
        runs=None if whole_month else count,
    )
