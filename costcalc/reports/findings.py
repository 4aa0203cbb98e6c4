"""What a check found, one finding per limit or fault, as every CI format tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from costcalc import messages
from costcalc.quote.budget import Verdict
from costcalc.quote.diff import Diff
from costcalc.quote.plan_errors import PlanPath, Problem
from costcalc.quote.plan_summary import Failure
from costcalc.quote.types import Quote
from costcalc.reports import wording

Level = Literal["ok", "warning", "error"]
# rule ids are stable: scripts and code-scanning alerts hang on them
RULES = (
    "budget-exceeded",
    "budget-near",
    "cost-increase",
    "price-too-old",
    "price-unconfirmed",
    "no-offer",
    "invalid-plan",
)
_RULE_MESSAGE = {
    "budget-exceeded": "budget",
    "budget-near": "budget_near",
    "cost-increase": "increase",
    "price-too-old": "price_age",
    "price-unconfirmed": "confidence",
    "no-offer": "no_offer",
    "invalid-plan": "invalid",
}
_RULE_OF_KIND = {
    "budget": "budget-exceeded",
    "increase": "cost-increase",
    "price-age": "price-too-old",
    "confidence": "price-unconfirmed",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One limit that holds or not, or one fault.

    Attributes:
        rule: one of `RULES`.
        subject: workload, provider, or the plan's name.
        scope: `total`, `workload`, `provider` or `plan`.
        broken: True for a limit that does not hold; False for a fault and for what holds.
        line: 1-based line of the plan; 1 where the value is not from the file.
    """

    rule: str
    level: Level
    scope: str
    subject: str
    broken: bool
    title: str
    message: str
    line: int


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Everything that a CI format needs.

    Attributes:
        file: the plan's path as it was given.
        name: the plan's name, or the file's where the plan cannot be read.
        quote: None where the plan cannot be read.
        diff: against the baseline, if one was given.
        status: `ok`, `warn`, `over`, `no-price` or `invalid`.
    """

    file: str
    name: str
    as_of: date
    quote: Quote | None
    diff: Diff | None
    findings: tuple[Finding, ...]
    status: str

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that fail the check."""
        return tuple(item for item in self.findings if item.level == "error")


def title(rule: str, language: str) -> str:
    """The short name of a rule."""
    return messages.text(f"check.title_{_RULE_MESSAGE[rule]}", language)


def description(rule: str, language: str) -> str:
    """What a rule says, as a sentence."""
    return messages.text(f"check.rule_{_RULE_MESSAGE[rule]}", language)


def of_verdicts(
    verdicts: Iterable[Verdict],
    line_of: Callable[[Verdict], int],
    language: str,
) -> list[Finding]:
    """A finding per limit, those that hold among them."""
    found: list[Finding] = []
    for verdict in verdicts:
        rule = _RULE_OF_KIND[verdict.kind]
        level: Level = "ok"
        if verdict.status == "warn":
            rule, level = "budget-near", "warning"
        elif not verdict.passed:
            level = "error"
        plan_wide = messages.text("check.plan_wide", language)
        text = messages.text(
            f"check.{verdict.kind.replace('-', '_')}_{verdict.status.replace('-', '_')}",
            language,
            what=verdict.subject or plan_wide,
            value=verdict.value,
            limit=verdict.limit,
            share="" if verdict.fraction is None else wording.percent(float(verdict.fraction), 1),
        )
        found.append(
            Finding(
                rule=rule,
                level=level,
                scope=verdict.scope,
                subject=verdict.subject or plan_wide,
                broken=not verdict.passed,
                title=title(rule, language),
                message=text,
                line=line_of(verdict),
            )
        )
    return found


def of_failures(
    failures: Iterable[Failure], line_of: Callable[[PlanPath], int], language: str
) -> list[Finding]:
    """A finding per workload that could not be quoted."""
    return [
        Finding(
            rule="invalid-plan" if failure.error.exit_status == 2 else "no-offer",
            level="error",
            scope="workload",
            subject=failure.workload,
            broken=False,
            title=title("invalid-plan" if failure.error.exit_status == 2 else "no-offer", language),
            message=f"{failure.workload}: {failure.error.message(language)}",
            line=line_of(failure.path),
        )
        for failure in failures
    ]


def of_problems(problems: Sequence[Problem], language: str) -> list[Finding]:
    """A finding per thing that is wrong with the plan file."""
    return [
        Finding(
            rule="invalid-plan",
            level="error",
            scope="plan",
            subject=problem.place,
            broken=False,
            title=title("invalid-plan", language),
            message=(f"{problem.origin}: " if problem.origin else "") + problem.sentence(language),
            line=problem.line or 1,
        )
        for problem in problems
    ]
