"""A plan's quote against its limits: budgets, increase over a baseline, price age, confidence.

Each limit gives one `Verdict`. A verdict that is not `ok` or `warn` carries the exit status of its
kind, so that "over budget" (3) and "no price that may be used" (4) never look alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from costcalc.quote import money
from costcalc.quote.plan import Budgets, PlanBudget
from costcalc.quote.types import BudgetResult, IvaMode, Line
from costcalc.units import Currency, Money

Threshold = Literal["middle", "high"]
VerdictKind = Literal["budget", "increase", "price-age", "confidence"]
VerdictStatus = Literal["ok", "warn", "over", "no-price"]
CONFIDENCES = ("listed", "quoted", "estimated")


@dataclass(frozen=True, slots=True)
class Verdict:
    """One limit and how the quote stands against it.

    Attributes:
        kind: what was limited.
        scope: `total`, `workload` or `provider`.
        subject: the workload or provider; empty for the total.
        status: `over` is exit status 3, `no-price` is 4.
        limit: what was allowed, as text with its unit: `USD 2,000.00`, `90 d`, `listed`.
        value: what was found, in the same form.
        amount, limit_amount: the same as money where it is money.
        fraction: value / limit where both are amounts, else None.
    """

    kind: VerdictKind
    scope: Literal["total", "workload", "provider"]
    subject: str
    status: VerdictStatus
    limit: str
    value: str
    amount: Money | None = None
    limit_amount: Money | None = None
    fraction: Decimal | None = None

    @property
    def passed(self) -> bool:
        """True unless the limit is broken."""
        return self.status in ("ok", "warn")


@dataclass(frozen=True, slots=True)
class Measure:
    """How amounts are compared with limits.

    Attributes:
        threshold: the middle of the estimate or its high end.
        iva_mode, iva_rate: limits compare without IVA unless it is added.
    """

    threshold: Threshold = "middle"
    iva_mode: IvaMode = "none"
    iva_rate: Decimal = money.DEFAULT_IVA_RATE

    def amount(self, lines: Iterable[Line], currency: Currency) -> Decimal:
        """What `lines` come to in `currency`."""
        high = self.threshold == "high"
        if currency == "USD":
            values = [line.high_usd if high else line.amount_usd for line in lines]
        else:
            values = [line.high_mxn if high else line.amount_mxn for line in lines]
        total = sum(values, money.ZERO)
        if self.iva_mode == "add":
            total += money.cents(total * self.iva_rate / 100)
        return total


def budget_verdicts(budgets: Budgets, lines: Sequence[Line], measure: Measure) -> list[Verdict]:
    """One verdict per budget: the total's first, then workloads, then providers."""
    found: list[Verdict] = []
    if budgets.total is not None:
        found.append(_budget("total", "", budgets.total, lines, budgets.warn_at, measure))
    for name, budget in budgets.workloads.items():
        own = [line for line in lines if line.workload == name]
        found.append(_budget("workload", name, budget, own, budgets.warn_at, measure))
    for name, budget in budgets.providers.items():
        own = [line for line in lines if line.provider == name]
        found.append(_budget("provider", name, budget, own, budgets.warn_at, measure))
    return found


def _budget(
    scope: Literal["total", "workload", "provider"],
    subject: str,
    budget: PlanBudget,
    lines: Sequence[Line],
    warn_at: Decimal,
    measure: Measure,
) -> Verdict:
    limit = budget.amount
    spent = Money(measure.amount(lines, limit.currency), limit.currency)
    fraction = spent.amount / limit.amount
    status: VerdictStatus = "ok"
    if spent.amount > limit.amount:
        status = "over"
    elif fraction >= (warn_at if budget.warn_at is None else budget.warn_at):
        status = "warn"
    return Verdict(
        kind="budget",
        scope=scope,
        subject=subject,
        status=status,
        limit=str(limit),
        value=str(spent),
        amount=spent,
        limit_amount=limit,
        fraction=fraction,
    )


def total_budget(verdicts: Iterable[Verdict]) -> BudgetResult | None:
    """The verdict on the plan's total budget in the form that every quote has."""
    for verdict in verdicts:
        if verdict.kind == "budget" and verdict.scope == "total":
            assert verdict.limit_amount is not None
            assert verdict.fraction is not None
            assert verdict.status != "no-price"
            return BudgetResult(verdict.limit_amount, verdict.fraction, verdict.status)
    return None


def increase_verdict(
    before: Decimal, after: Decimal, limit: Decimal | Money, usd_mxn: Decimal
) -> Verdict:
    """How much the total grew over a baseline.

    Args:
        before, after: both totals in USD, middle or high alike.
        limit: a fraction of `before`, or an amount.
        usd_mxn: the one rate at which an MXN limit is compared.

    A baseline of zero has no percentage: any growth over it breaks a percentage limit.
    """
    growth = after - before
    if isinstance(limit, Money):
        allowed, currency = limit.amount, limit.currency
        grown = growth if currency == "USD" else money.cents(growth * usd_mxn)
        return Verdict(
            kind="increase",
            scope="total",
            subject="",
            status="over" if grown > allowed else "ok",
            limit=f"+{limit}",
            value=signed(Money(grown, currency)),
            amount=Money(grown, currency),
            limit_amount=limit,
            fraction=grown / allowed,
        )
    share = growth / before if before else None
    over = growth > 0 and (share is None or share > limit)
    shown = "" if share is None else f" ({share * 100:+.1f}%)"
    return Verdict(
        kind="increase",
        scope="total",
        subject="",
        status="over" if over else "ok",
        limit=f"+{limit * 100:f}%",
        value=signed(Money(growth, "USD")) + shown,
        amount=Money(growth, "USD"),
        fraction=share,
    )


def signed(value: Money) -> str:
    """`+USD 5.00` or `-USD 5.00`: the sign in front of the currency."""
    return f"{'-' if value.amount < 0 else '+'}{Money(abs(value.amount), value.currency)}"


def price_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines whose unit price comes from the catalog; shares and the plan's own figures do not."""
    return (line for line in lines if line.as_of is not None)


def age_verdicts(lines: Iterable[Line], as_of: date, max_days: int) -> list[Verdict]:
    """One verdict per workload: the age of its oldest price."""
    ages: dict[str, int] = {}
    for line in price_lines(lines):
        assert line.as_of is not None
        ages[line.workload] = max(ages.get(line.workload, 0), (as_of - line.as_of).days)
    return [
        Verdict(
            kind="price-age",
            scope="workload",
            subject=name,
            status="no-price" if days > max_days else "ok",
            limit=f"{max_days} d",
            value=f"{days} d",
        )
        for name, days in ages.items()
    ]


def confidence_verdicts(lines: Iterable[Line], required: str) -> list[Verdict]:
    """One verdict per workload: its least certain price against the confidence required."""
    worst: dict[str, int] = {}
    for line in price_lines(lines):
        rank = CONFIDENCES.index(line.confidence) if line.confidence in CONFIDENCES else 2
        worst[line.workload] = max(worst.get(line.workload, 0), rank)
    return [
        Verdict(
            kind="confidence",
            scope="workload",
            subject=name,
            status="no-price" if rank > CONFIDENCES.index(required) else "ok",
            limit=required,
            value=CONFIDENCES[rank],
        )
        for name, rank in worst.items()
    ]


def exit_status(verdicts: Iterable[Verdict], failures: int = 0) -> int:
    """0, 3 (over) or 4 (no price, or a workload that could not be quoted); 4 goes before 3."""
    statuses = {verdict.status for verdict in verdicts}
    if failures or "no-price" in statuses:
        return 4
    return 3 if "over" in statuses else 0
