"""`costcalc check PLAN.yaml`: quote a plan against its limits; the exit status tells CI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import check_output as out
from costcalc.cli import options as o
from costcalc.cli import plan_options as p
from costcalc.cli.language import current, t
from costcalc.cli.main import say
from costcalc.cli.plan_file import LoadedPlan, Overrides, PlanCall, UnpricedError, quote_file
from costcalc.cli.session import as_of_date
from costcalc.errors import CostcalcError, InputError, NoOfferError, OverBudgetError
from costcalc.quote import budget
from costcalc.quote.plan_errors import PlanError, Problem
from costcalc.units import Money, parse_hours, parse_money, parse_percent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from costcalc.quote.budget import Verdict
    from costcalc.quote.diff import Diff
    from costcalc.quote.types import Quote

THRESHOLDS = ("middle", "high")
_LIMITS = t("check_options.panel")
MOST_PERCENT = 1_000_000
MOST_NAMED = 5


def command(
    plans: Annotated[
        list[str], typer.Argument(help=t("check_options.plans"), metavar="PLAN.yaml...")
    ],
    threshold: Annotated[
        str,
        typer.Option(
            "--threshold",
            help=t("check_options.threshold"),
            metavar="middle|high",
            rich_help_panel=_LIMITS,
        ),
    ] = "middle",
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            help=t("check_options.baseline"),
            metavar="FILE",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    max_increase: Annotated[
        str | None,
        typer.Option(
            "--max-increase",
            help=t("check_options.max_increase"),
            metavar="10%|500USD",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    max_age: Annotated[
        str | None,
        typer.Option(
            "--max-age", help=t("check_options.max_age"), metavar="90d", rich_help_panel=_LIMITS
        ),
    ] = None,
    require: Annotated[
        str | None,
        typer.Option(
            "--require",
            help=t("check_options.require"),
            metavar="|".join(budget.CONFIDENCES),
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    sets: p.Set = None,
    profile: p.Profile = None,
    currency: p.Currency = None,
    fx: o.Fx = None,
    iva_mode: p.Iva = None,
    iva_rate: p.IvaRate = None,
    discount: o.Discount = None,
    locked: p.Locked = False,
    lock_file: p.LockFile = p.DEFAULT_LOCK,
    as_of: o.AsOf = None,
    form: Annotated[
        str, typer.Option("--format", help=t("check_options.format"), metavar="NAME")
    ] = "table",
    output: o.Output = None,
    report: Annotated[
        list[str] | None,
        typer.Option("--report", help=t("check_options.report"), metavar="FORMAT=FILE"),
    ] = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    targets = out.targets(form, output, report or ())
    limits = Limits(
        threshold=o.choice(threshold, "--threshold", THRESHOLDS),  # type: ignore[arg-type]
        increase=_increase(baseline, max_increase),
        days=None if max_age is None else _days(max_age),
        confidence=o.optional_choice(require, "--require", budget.CONFIDENCES),
    )
    overrides = Overrides(
        sets=tuple(sets or ()),
        profile=profile,
        currency=currency,
        fx=fx,
        iva=iva_mode,
        iva_rate=iva_rate,
        discounts=tuple(discount or ()),
    )
    if len(plans) > 1 and (baseline is not None or {item.form for item in targets} != {"table"}):
        raise InputError("check.one_plan")
    faults = [
        fault
        for path in plans
        if (
            fault := check_one(
                PlanCall(path, overrides, as_of, catalog, locked, lock_file),
                limits,
                baseline,
                targets,
            )
        )
        is not None
    ]
    if not faults:
        return
    worst = min(faults, key=lambda fault: _ORDER.index(fault.exit_status))
    for fault in faults:
        if fault is not worst:
            say(fault.message(current()))
    raise worst


# where several faults hold, the exit status is that of the first one here
_ORDER = (2, 4, 3)


def check_one(
    call: PlanCall, limits: Limits, baseline: str | None, targets: Sequence[out.Target]
) -> CostcalcError | None:
    """Check one plan and print its report; what is wrong with it, or None."""
    try:
        loaded, quote, _ = quote_file(call, limits.threshold)
        diff = None if baseline is None else _against(baseline, call, quote)
    except InputError as error:
        out.show_invalid(call.path, as_of_date(call.as_of), problems(call.path, error), targets)
        return error
    quote = limits.judged(quote, diff)
    assert quote.plan is not None
    status = budget.exit_status(quote.plan.verdicts, len(quote.plan.failures))
    out.show(loaded, quote, diff, status, targets)
    return _verdict(loaded, quote, status)


class Limits:
    """What the command line limits besides the plan's own budgets."""

    def __init__(
        self,
        threshold: budget.Threshold,
        increase: Decimal | Money | None,
        days: int | None,
        confidence: str | None,
    ) -> None:
        self.threshold: budget.Threshold = threshold
        self.increase, self.days, self.confidence = increase, days, confidence

    def judged(self, quote: Quote, diff: Diff | None) -> Quote:
        """The quote with a verdict for every limit, and a warning when there is none."""
        from dataclasses import replace

        from costcalc.notices import notice

        summary = quote.plan
        assert summary is not None
        found: list[Verdict] = list(summary.verdicts)
        if diff is not None and self.increase is not None:
            high = self.threshold == "high"
            sums = diff.totals
            before, after = sums.before_usd, sums.after_usd
            if high:
                before, after = diff.before.usd_high, diff.after.usd_high
            found.append(budget.increase_verdict(before, after, self.increase, quote.fx.usd_mxn))
        if self.days is not None:
            found += budget.age_verdicts(quote.lines, quote.as_of, self.days)
        if self.confidence is not None:
            found += budget.confidence_verdicts(quote.lines, self.confidence)
        notices = quote.notices if found else (*quote.notices, notice("nothing_checked"))
        return replace(quote, plan=replace(summary, verdicts=tuple(found)), notices=notices)


def _increase(baseline: str | None, text: str | None) -> Decimal | Money | None:
    if text is None:
        if baseline is not None:
            raise InputError("check.baseline_without_limit")
        return None
    if baseline is None:
        raise InputError("check.max_increase_without_baseline")
    if text.strip().endswith("%"):
        return parse_percent(text, "--max-increase", high=MOST_PERCENT)
    return parse_money(text, "--max-increase")


def _days(text: str) -> int:
    try:
        hours = parse_hours(f"{text.strip()}d" if text.strip().isdigit() else text, "--max-age")
    except InputError:
        raise InputError("check.max_age", what="--max-age", text=text) from None
    return int(hours // 24)


def _against(baseline: str, call: PlanCall, quote: Quote) -> Diff:
    """The quote against its baseline, at the quote's rate."""
    from dataclasses import replace

    from costcalc.cli.sides import load_side
    from costcalc.quote.diff import compare
    from costcalc.quote.stored import from_quote

    filled = Overrides(fills=call.overrides.sets)
    base = load_side(replace(call, path=baseline, overrides=filled), quote.fx)
    return compare(base, from_quote(quote, call.path))


def problems(path: str, error: InputError) -> Sequence[Problem]:
    """An error of a plan as problems with a place; a file that cannot be read is one problem."""
    if isinstance(error, PlanError):
        return error.problems
    line = error.params.get("line")
    return [
        Problem(path, line if isinstance(line, int) else None, path, error.key, error.params)
        if "what" not in error.params and "name" in error.params
        else Problem(path, None, path, error.key, error.params, error=error)
    ]


def _verdict(loaded: LoadedPlan, quote: Quote, status: int) -> CostcalcError | None:
    """The fault that gives the contract's exit status, told after the report."""
    assert quote.plan is not None
    if quote.plan.failures:
        return UnpricedError(loaded, quote.plan.failures)
    if status == 0:
        return None
    wanted = "no-price" if status == 4 else "over"
    broken = [item for item in quote.plan.verdicts if item.status == wanted]
    names = ", ".join(out.verdict_name(item, current()) for item in broken[:MOST_NAMED])
    if len(broken) > MOST_NAMED:
        names += f" … +{len(broken) - MOST_NAMED}"
    if status == 4:
        return NoOfferError("check.no_price", names=names)
    key = "check.over" if len(broken) > 1 else "check.over_one"
    return OverBudgetError(key, count=len(broken), names=names)
