"""The quote of a whole plan: every workload priced, then discounts, support, credits, budgets."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.errors import InputError
from costcalc.quote import money
from costcalc.quote.budget import Measure, budget_verdicts, total_budget
from costcalc.quote.footprint import footprint
from costcalc.quote.own_price import in_usd
from costcalc.quote.plan import EVERY_PROVIDER, AnyWorkload, Credit, Plan
from costcalc.quote.plan_errors import PlanPath
from costcalc.quote.plan_kinds import Priced, Setting, WorkloadError, about, quoter
from costcalc.quote.plan_placement import known_providers
from costcalc.quote.plan_summary import Failure, Phase, PlanSummary
from costcalc.quote.terms import Terms, assemble
from costcalc.quote.types import Line, Quote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

CREDIT_UNIT = "credit"


@dataclass(frozen=True, slots=True)
class _Done:
    workload: AnyWorkload
    priced: Priced
    lines: tuple[Line, ...]


def quote_plan(plan: Plan, catalog: Catalog, terms: Terms, measure: Measure | None = None) -> Quote:
    """Every workload of `plan`, with its phases and its budgets' verdicts in `Quote.plan`.

    A workload that cannot be quoted becomes a `Failure`; the rest is quoted all the same, so that
    a check can report everything, and the caller decides on the exit status.

    Args:
        terms: rate, date, IVA and currency; discounts are the plan's.
        measure: how budgets compare; the middle of the range and the terms' IVA by default.

    """
    setting = Setting(catalog=catalog, terms=terms, assumptions=plan.assumptions)
    done, failures = _price_all(plan, setting)
    failures = [*plan_faults(plan, setting), *failures]
    counted = [item for item in done if not item.workload.reference]
    lines = [line for item in counted for line in item.lines]
    credited = list(credit_lines(plan.credits, lines, terms.fx.usd_mxn))
    lines += credited
    used, said = footprint([item.priced.workload for item in counted], lines, catalog)
    quote = assemble(
        "plan",
        catalog,
        terms,
        [item.priced.workload for item in done],
        lines,
        [*(found for item in done for found in item.priced.notices), *said],
        footprint=used,
    )
    compared = measure or Measure(iva_mode=terms.iva_mode, iva_rate=terms.iva_rate)
    verdicts = budget_verdicts(plan.budgets, lines, compared)
    return replace(
        quote,
        budget=total_budget(verdicts),
        plan=PlanSummary(
            name=plan.name,
            hours_per_month=plan.assumptions.hours_per_month,
            phases=tuple(_phases(done, credited)),
            verdicts=tuple(verdicts),
            failures=tuple(failures),
        ),
    )


def plan_faults(plan: Plan, setting: Setting) -> Iterator[Failure]:
    """What is wrong with the plan as a whole in the light of the catalog."""
    found = setting.catalog.version
    if plan.catalog is not None and plan.catalog != found:
        pin = InputError("plan.catalog_pin", what="", wanted=plan.catalog, found=found)
        yield Failure("", ("catalog",), pin)
    named: list[tuple[PlanPath, str]] = [
        *((("discounts", name), name) for name in plan.discounts),
        *((("support_percent", name), name) for name in plan.support_percent),
        *((("budgets", "providers", name), name) for name in plan.budgets.providers),
        *(
            (("credits", index, "provider"), credit.provider.lower())
            for index, credit in enumerate(plan.credits)
            if credit.provider is not None
        ),
    ]
    if not named:
        return
    # a provider that no workload could have is a misspelt one, and its discount would be lost
    own = {getattr(workload, "provider", None) for workload in plan.workloads}
    known = {*known_providers(setting), *(name.lower() for name in own if name is not None)}
    for path, name in named:
        if name not in known and name != EVERY_PROVIDER:
            near = difflib.get_close_matches(name, known, n=3) or sorted(known)
            names = ", ".join(near)
            error = InputError("plan.unknown_provider", what="", name=name, names=names)
            yield Failure("", path, error)


def _price_all(plan: Plan, setting: Setting) -> tuple[list[_Done], list[Failure]]:
    """One-off work last, since what a run saves needs the price of runs; results in plan order."""
    found: dict[int, _Done] = {}
    failures: list[tuple[int, Failure]] = []
    order = sorted(range(len(plan.workloads)), key=lambda i: plan.workloads[i].kind == "one-off")
    per_run: dict[str, Decimal] = {}
    setting = replace(setting, per_run_usd=per_run)
    for index in order:
        workload = plan.workloads[index]
        try:
            if workload.kind == "one-off":
                _check_payback(workload, per_run, found.values())
            priced = quoter(workload.kind)(workload, setting)
        except WorkloadError as fault:
            tail: tuple[str, ...] = () if fault.key is None else tuple(fault.key.split("."))
            path: PlanPath = ("workloads", index, *tail)
            failures.append((index, Failure(workload.name, path, fault.error)))
            continue
        lines = tuple(with_terms(plan, priced.lines, setting.usd_mxn))
        found[index] = _Done(workload, priced, lines)
        if priced.runs is not None:
            total = sum((line.amount_usd for line in lines), money.ZERO)
            per_run[workload.name] = total / priced.runs
    return [found[index] for index in sorted(found)], [failure for _, failure in sorted(failures)]


def _check_payback(
    workload: AnyWorkload, per_run: Mapping[str, Decimal], done: Iterable[_Done]
) -> None:
    pays_back = getattr(workload, "pays_back", None)
    if pays_back is None:
        return
    names = {item.workload.name for item in done}
    for key in ("before", "after"):
        name = getattr(pays_back, key)
        if name in names and name not in per_run:
            with about(f"pays_back.{key}"):
                raise InputError("plan.no_runs", what="", name=name)


def with_terms(plan: Plan, lines: Sequence[Line], usd_mxn: Decimal) -> Iterator[Line]:
    """A workload's lines, each followed by its discount, and the support fees on them."""
    found: list[Line] = []
    for line in lines:
        found.append(line)
        discount = plan.discounts.get(line.provider or "")
        if discount and line.amount_usd > 0:
            found.append(
                money.share_of(line, -discount, "discount", usd_mxn, f"discounts.{line.provider}")
            )
    yield from found
    for provider in dict.fromkeys(line.provider for line in found):
        share = plan.support_percent.get(
            provider or "", plan.support_percent.get(EVERY_PROVIDER, money.ZERO)
        )
        if provider is None or not share:
            continue
        base = money.summed([line for line in found if line.provider == provider])
        yield money.share_of(base, share, "support", usd_mxn, f"support_percent.{provider}")


def credit_lines(
    credits: Iterable[Credit], lines: Sequence[Line], usd_mxn: Decimal
) -> Iterator[Line]:
    """Each credit as far as there is something to spend it on, at the low, middle and high."""
    spent: dict[str | None, list[Decimal]] = {}

    def left(provider: str | None, which: int) -> Decimal:
        names = ("low_usd", "amount_usd", "high_usd")
        bill = sum(
            (
                getattr(line, names[which])
                for line in lines
                if provider is None or line.provider == provider
            ),
            money.ZERO,
        )
        # a credit without provider may have been spent anywhere
        used = sum(
            (
                amounts[which]
                for name, amounts in spent.items()
                if provider is None or name in (provider, None)
            ),
            money.ZERO,
        )
        return max(money.ZERO, bill - used)

    for credit in credits:
        provider = None if credit.provider is None else credit.provider.lower()
        worth = money.cents(in_usd(credit.amount, usd_mxn))
        low, middle, high = (min(worth, left(provider, which)) for which in range(3))
        known = spent.setdefault(provider, [money.ZERO] * 3)
        for which, amount in enumerate((low, middle, high)):
            known[which] += amount
        line = money.line(
            workload=credit.name,
            item="credit",
            unit=CREDIT_UNIT,
            unit_price_usd=-middle,
            quantity_middle=money.quantity(Decimal(1)),
            usd_mxn=usd_mxn,
            provider=provider,
            source="credits",
        )
        yield replace(
            line,
            low_usd=-low,
            high_usd=-high,
            low_mxn=money.cents(-low * usd_mxn),
            high_mxn=money.cents(-high * usd_mxn),
        )


def _phases(done: Sequence[_Done], credited: Sequence[Line]) -> Iterator[Phase]:
    """Phases in the plan's order; comparisons apart, and credits as a phase of their own."""
    groups: dict[tuple[str, bool], list[_Done]] = {}
    for item in done:
        name = item.workload.phase or item.workload.name
        groups.setdefault((name, not item.workload.reference), []).append(item)
    for (name, counted), items in groups.items():
        yield Phase(
            name=name,
            workloads=tuple(item.workload.name for item in items),
            totals=money.totals(line for item in items for line in item.lines),
            counted=counted,
        )
    for line in credited:
        yield Phase(line.workload, (line.workload,), money.totals([line]))
