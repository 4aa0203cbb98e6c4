"""Hardware of one's own: write-off, electricity by tariff, people, place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.catalog.tariffs import Tariff, find_tariff
from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.own_price import PLAN_SOURCE, own_line
from costcalc.quote.plan import Assumptions, Owned
from costcalc.quote.plan_kinds import ONE, Priced, Setting, about
from costcalc.quote.terms import OLD_PRICE_DAYS
from costcalc.quote.types import Line, WorkloadQuote
from costcalc.units import Money

MONTHS_PER_YEAR = Decimal(12)


@dataclass(frozen=True, slots=True)
class OwnedEstimate:
    """Electricity of own hardware and what an hour of it costs.

    Attributes:
        energy_kwh: over the schedule, cooling included (PUE).
        billed_kw: demand that a tariff bills each month; None without one.
        usd_per_hour: all lines over all hours of the schedule.
    """

    hours: Decimal
    energy_kwh: Decimal
    billed_kw: Decimal | None
    usd_per_hour: Decimal


@dataclass(frozen=True, slots=True)
class _Charge:
    item: str
    unit: str
    quantity: Decimal
    price: Money
    as_of: date | None = None
    source: str = PLAN_SOURCE
    confidence: str = "quoted"
    sku: str | None = None


def quote(workload: Owned, setting: Setting) -> Priced:
    """Every cost of `workload` over its months.

    Raises:
        WorkloadError: no such tariff.
    """
    hours = setting.assumptions.hours_per_month * workload.months
    charges = [_write_off(workload), *_monthly(workload)]
    kwh = money.ZERO
    billed: Decimal | None = None
    notices: list[Notice] = []
    if workload.power is not None:
        electricity, kwh, billed, notices = _electricity(workload, workload.power, setting)
        charges += electricity
    lines: list[Line] = []
    prices_mxn: dict[str, Any] = {}
    for charge in charges:
        line, native = own_line(
            workload=workload.name,
            item=charge.item,
            unit=charge.unit,
            quantity=money.quantity(charge.quantity),
            price=charge.price,
            setting=setting,
            provider=None if workload.provider is None else workload.provider.lower(),
            region=workload.region,
            sku=charge.sku,
            as_of=charge.as_of,
            source=charge.source,
            confidence=charge.confidence,
        )
        lines.append(line)
        prices_mxn.update(native.get("prices_mxn", {}))
    total = sum((line.amount_usd for line in lines), money.ZERO)
    return Priced(
        workload=WorkloadQuote(
            name=workload.name,
            kind=workload.kind,
            inputs=_inputs(workload, prices_mxn),
            offer=None,
            estimate=OwnedEstimate(
                hours=hours,
                energy_kwh=money.quantity(kwh),
                billed_kw=None if billed is None else money.quantity(billed),
                usd_per_hour=money.quantity(total / hours),
            ),
        ),
        lines=tuple(lines),
        notices=tuple(notices),
    )


def _write_off(workload: Owned) -> _Charge:
    life = workload.life_months or workload.months
    amount = workload.purchase.amount * (ONE - workload.residual) / life
    return _Charge(
        "hardware", "month", workload.months, Money(_digits(amount), workload.purchase.currency)
    )


def _digits(amount: Decimal) -> Decimal:
    """A monthly rate to 12 significant digits: cents stay exact, the unit price stays readable."""
    if not amount:
        return amount
    return amount.quantize(Decimal(1).scaleb(amount.adjusted() - 11))


def _monthly(workload: Owned) -> list[_Charge]:
    found: list[_Charge] = []
    if workload.maintenance:
        yearly = workload.purchase.amount * workload.maintenance
        monthly = Money(_digits(yearly / MONTHS_PER_YEAR), workload.purchase.currency)
        found.append(_Charge("maintenance", "month", workload.months, monthly))
    if workload.hosting is not None:
        found.append(_Charge("hosting", "month", workload.months, workload.hosting))
    if workload.staff is not None:
        found.append(
            _Charge("staff", "person-month", workload.months * workload.staff_share, workload.staff)
        )
    return found


def _electricity(
    workload: Owned, power_kw: Decimal, setting: Setting
) -> tuple[list[_Charge], Decimal, Decimal | None, list[Notice]]:
    peak_kw = power_kw * (workload.pue or ONE)
    monthly_kwh = peak_kw * workload.load * setting.assumptions.hours_per_month
    kwh = monthly_kwh * workload.months
    if workload.tariff is None:
        assert workload.electricity_price is not None
        return [_Charge("energy", "kWh", kwh, workload.electricity_price)], kwh, None, []
    with about("tariff"):
        tariff = find_tariff(setting.catalog.table("electricity"), workload.tariff)
    billed = billed_demand(tariff, peak_kw, monthly_kwh, setting.assumptions.hours_per_month)
    charges = _tariff_charges(tariff, workload.months, kwh, billed, setting.assumptions)
    notices: list[Notice] = []
    age = (setting.terms.as_of - tariff.as_of).days
    if age > OLD_PRICE_DAYS:
        notices.append(notice("old_price", what=tariff.name, date=tariff.as_of, days=age))
    return charges, kwh, billed, notices


def billed_demand(
    tariff: Tariff, peak_kw: Decimal, monthly_kwh: Decimal, hours_per_month: Decimal
) -> Decimal:
    """The kW that a tariff bills: the highest measured, at most kWh / (load factor x hours)."""
    if tariff.load_factor is None:
        return peak_kw
    return min(peak_kw, monthly_kwh / (tariff.load_factor * hours_per_month))


def _tariff_charges(
    tariff: Tariff,
    over_months: Decimal,
    kwh: Decimal,
    billed_kw: Decimal,
    assumptions: Assumptions,
) -> list[_Charge]:
    def charge(item: str, unit: str, quantity: Decimal, price: Decimal) -> _Charge:
        return _Charge(
            item,
            unit,
            quantity,
            Money(price, tariff.currency),
            tariff.as_of,
            tariff.source,
            tariff.confidence,
            tariff.id,
        )

    shares: Mapping[str, tuple[str, Decimal]] = {
        "flat": ("energy", ONE),
        "base": ("energy-base", assumptions.base_share),
        "intermediate": ("energy-intermediate", assumptions.intermediate_share),
        "peak": ("energy-peak", assumptions.peak_share),
    }
    found = [
        charge(shares[period][0], "kWh", kwh * shares[period][1], price)
        for period, price in tariff.energy.items()
    ]
    if tariff.capacity_per_kw is not None:
        found.append(
            charge("demand-capacity", "kW-month", billed_kw * over_months, tariff.capacity_per_kw)
        )
    if tariff.distribution_per_kw is not None:
        found.append(
            charge(
                "demand-distribution",
                "kW-month",
                billed_kw * over_months,
                tariff.distribution_per_kw,
            )
        )
    if tariff.fixed_per_month is not None:
        found.append(charge("supply", "month", over_months, tariff.fixed_per_month))
    return found


def _inputs(workload: Owned, prices_mxn: Mapping[str, Any]) -> dict[str, Any]:
    def text(amount: Money | None) -> str | None:
        return None if amount is None else str(amount)

    return {
        "purchase": text(workload.purchase),
        "residual": workload.residual,
        "life_months": workload.life_months or workload.months,
        "months": workload.months,
        "power_kw": workload.power,
        "load": workload.load,
        "pue": workload.pue,
        "tariff": workload.tariff,
        "electricity_price": text(workload.electricity_price),
        "staff": text(workload.staff),
        "staff_share": workload.staff_share,
        "hosting": text(workload.hosting),
        "maintenance": workload.maintenance,
        "provider": workload.provider,
        "region": workload.region,
        **({"prices_mxn": dict(prices_mxn)} if prices_mxn else {}),
    }
