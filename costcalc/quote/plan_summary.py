"""What the quote of a plan says besides lines and totals: phases, limits, failures."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from costcalc.errors import CostcalcError
from costcalc.quote.budget import Verdict
from costcalc.quote.plan_errors import PlanPath
from costcalc.quote.types import Totals


@dataclass(frozen=True, slots=True)
class Phase:
    """Workloads of one phase, added up; without tax.

    Attributes:
        counted: False for workloads quoted for comparison only, which are in no total.
    """

    name: str
    workloads: tuple[str, ...]
    totals: Totals
    counted: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """A workload that could not be quoted.

    Attributes:
        path: the key of the plan that it is about.
    """

    workload: str
    path: PlanPath
    error: CostcalcError


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """The plan's part of its quote.

    Attributes:
        hours_per_month: the assumption that months were counted with.
        verdicts: one per limit; empty for a plan without limits.
        failures: workloads that are missing from lines and totals.
    """

    name: str
    hours_per_month: Decimal
    phases: tuple[Phase, ...]
    verdicts: tuple[Verdict, ...] = ()
    failures: tuple[Failure, ...] = ()
