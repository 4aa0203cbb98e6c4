"""Work done once, such as porting PyTorch to JAX, and the runs after which it has paid off."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Any

from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.own_price import in_usd, own_line
from costcalc.quote.plan import OneOff
from costcalc.quote.plan_kinds import ONE, Priced, Setting
from costcalc.quote.types import WorkloadQuote
from costcalc.units import Money


@dataclass(frozen=True, slots=True)
class PaybackEstimate:
    """When one-off work has paid off.

    Attributes:
        saving_per_run_usd: what one run costs less afterwards; None where nothing was said.
        runs_to_pay_back: whole runs; None where they save nothing.
    """

    saving_per_run_usd: Decimal | None
    runs_to_pay_back: int | None


def quote(workload: OneOff, setting: Setting) -> Priced:
    """Hours x rate, or the cost as a whole; once, however long the schedule is."""
    if workload.cost is not None:
        unit, quantity, price = "once", ONE, workload.cost
    else:
        # the plan's rules make sure that hours and rate come together
        assert workload.hours is not None
        assert workload.rate is not None
        unit, quantity, price = "person-hour", Decimal(repr(workload.hours)), workload.rate
    line, native = own_line(
        workload=workload.name,
        item="one-off",
        unit=unit,
        quantity=money.quantity(quantity),
        price=price,
        setting=setting,
    )
    estimate, notices = payback(workload, line.amount_usd, setting)
    inputs: dict[str, Any] = {
        "hours": workload.hours,
        "rate": None if workload.rate is None else str(workload.rate),
        "cost": None if workload.cost is None else str(workload.cost),
        "saving_per_run": None if workload.saving_per_run is None else str(workload.saving_per_run),
        "before": None if workload.pays_back is None else workload.pays_back.before,
        "after": None if workload.pays_back is None else workload.pays_back.after,
        **native,
    }
    return Priced(
        WorkloadQuote(workload.name, workload.kind, inputs, None, estimate),
        (line,),
        tuple(notices),
    )


def payback(
    workload: OneOff, cost_usd: Decimal, setting: Setting
) -> tuple[PaybackEstimate, list[Notice]]:
    """The runs that pay `cost_usd` back: the cost over what a run saves, rounded up."""
    saving = _saving(workload, setting)
    if saving is None:
        return PaybackEstimate(None, None), []
    if saving <= 0:
        return PaybackEstimate(saving, None), [
            notice("never_pays_back", name=workload.name, saving=str(Money(saving, "USD")))
        ]
    runs = int((cost_usd / saving).to_integral_value(rounding=ROUND_CEILING))
    return PaybackEstimate(saving, runs), []


def _saving(workload: OneOff, setting: Setting) -> Decimal | None:
    if workload.saving_per_run is not None:
        return money.cents(in_usd(workload.saving_per_run, setting.usd_mxn))
    if workload.pays_back is None:
        return None
    before = setting.per_run_usd.get(workload.pays_back.before)
    after = setting.per_run_usd.get(workload.pays_back.after)
    # a workload that could not be quoted is told as its own failure
    return None if before is None or after is None else money.cents(before - after)
