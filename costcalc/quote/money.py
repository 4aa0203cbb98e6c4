"""Lines and totals: Decimal from unit price to total, rounded once, so that cents always add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal

from costcalc.quote.types import BudgetResult, IvaMode, Line, Totals
from costcalc.units import Money

CENT = Decimal("0.01")
QUANTUM = Decimal("0.0001")
ZERO = Decimal(0)
DEFAULT_IVA_RATE = Decimal(16)
rounded = Context(prec=28, rounding=ROUND_HALF_EVEN).quantize
"""`rounded(amount, CENT)`: half-even, whatever rounding mode a caller's context has."""
DEFAULT_WARN_AT = Decimal("0.9")


def cents(amount: Decimal) -> Decimal:
    """`amount` to 0.01, half-even."""
    return rounded(amount, CENT)


def quantity(value: float | Decimal, times: int | Decimal = 1) -> Decimal:
    """`value` x `times` as a Decimal with 4 places, half-even (hours x instances)."""
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    return rounded(exact * times, QUANTUM)


def line(
    *,
    workload: str,
    item: str,
    unit: str,
    unit_price_usd: Decimal,
    quantity_middle: Decimal,
    quantity_low: Decimal | None = None,
    quantity_high: Decimal | None = None,
    usd_mxn: Decimal,
    provider: str | None = None,
    region: str | None = None,
    sku: str | None = None,
    as_of: date | None = None,
    source: str | None = None,
    confidence: str | None = None,
) -> Line:
    """A line from its quantities (4 places) and unit price; low and high default to the middle.

    A negative unit price (a discount) keeps low <= middle <= high by swapping the bounds.
    """
    low = quantity_middle if quantity_low is None else quantity_low
    high = quantity_middle if quantity_high is None else quantity_high
    usd = cents(quantity_middle * unit_price_usd)
    usd_low, usd_high = sorted((cents(low * unit_price_usd), cents(high * unit_price_usd)))
    return Line(
        workload=workload,
        item=item,
        provider=provider,
        region=region,
        sku=sku,
        quantity=quantity_middle,
        unit=unit,
        unit_price_usd=unit_price_usd,
        amount_usd=usd,
        low_usd=usd_low,
        high_usd=usd_high,
        amount_mxn=cents(usd * usd_mxn),
        low_mxn=cents(usd_low * usd_mxn),
        high_mxn=cents(usd_high * usd_mxn),
        as_of=as_of,
        source=source,
        confidence=confidence,
    )


def share_of(base: Line, fraction: Decimal, item: str, usd_mxn: Decimal, source: str) -> Line:
    """A line of `fraction` of another one: a negative fraction is a discount, a positive one a fee.

    Its quantity is the base's amount in USD, its unit price the fraction. Low and high belong to
    the low and high of the base, so that a total's low is the low run less its own discount.
    """
    usd, low, high = (
        cents(value * fraction) for value in (base.amount_usd, base.low_usd, base.high_usd)
    )
    return Line(
        workload=base.workload,
        item=item,
        provider=base.provider,
        region=base.region,
        sku=None,
        quantity=base.amount_usd.quantize(QUANTUM),
        unit="USD",
        unit_price_usd=fraction,
        amount_usd=usd,
        low_usd=low,
        high_usd=high,
        amount_mxn=cents(usd * usd_mxn),
        low_mxn=cents(low * usd_mxn),
        high_mxn=cents(high * usd_mxn),
        as_of=None,
        source=source,
        confidence="quoted",
    )


def bounded(base: Line, low_usd: Decimal, high_usd: Decimal, usd_mxn: Decimal) -> Line:
    """`base` with another range; its middle stays."""
    low, high = sorted((cents(low_usd), cents(high_usd)))
    return replace(
        base,
        low_usd=low,
        high_usd=high,
        low_mxn=cents(low * usd_mxn),
        high_mxn=cents(high * usd_mxn),
    )


def summed(lines: Sequence[Line]) -> Line:
    """Lines as one, for a share of their sum."""
    return replace(
        lines[0],
        amount_usd=sum((line.amount_usd for line in lines), ZERO),
        low_usd=sum((line.low_usd for line in lines), ZERO),
        high_usd=sum((line.high_usd for line in lines), ZERO),
    )


def totals(
    lines: Iterable[Line], iva_mode: IvaMode = "none", iva_rate: Decimal = DEFAULT_IVA_RATE
) -> Totals:
    """Sums of the rounded lines, and IVA as `iva_mode` says.

    `none`: no tax is shown. `add`: IVA on top. `self-assessed`: import of services (LIVA 24-V):
    charged and credited in the same month, so the total with IVA equals the total.
    """
    rows = list(lines)
    usd = sum((row.amount_usd for row in rows), ZERO)
    mxn = sum((row.amount_mxn for row in rows), ZERO)
    rate = ZERO if iva_mode == "none" else iva_rate
    iva_usd, iva_mxn = cents(usd * rate / 100), cents(mxn * rate / 100)
    added = iva_mode == "add"
    return Totals(
        usd=usd,
        usd_low=sum((row.low_usd for row in rows), ZERO),
        usd_high=sum((row.high_usd for row in rows), ZERO),
        mxn=mxn,
        mxn_low=sum((row.low_mxn for row in rows), ZERO),
        mxn_high=sum((row.high_mxn for row in rows), ZERO),
        iva_rate=rate,
        iva_mode=iva_mode,
        iva_usd=iva_usd,
        iva_mxn=iva_mxn,
        usd_with_iva=usd + iva_usd if added else usd,
        mxn_with_iva=mxn + iva_mxn if added else mxn,
    )


def against_budget(
    quote_totals: Totals, budget: Money, warn_at: Decimal = DEFAULT_WARN_AT
) -> BudgetResult:
    """The middle total against `budget`, with IVA only where it is added."""
    spent = quote_totals.usd_with_iva if budget.currency == "USD" else quote_totals.mxn_with_iva
    fraction = spent / budget.amount
    if spent > budget.amount:
        return BudgetResult(budget, fraction, "over")
    return BudgetResult(budget, fraction, "warn" if fraction >= warn_at else "ok")
