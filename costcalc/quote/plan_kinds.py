"""What a kind of workload must bring to be quoted in a plan, and who brings it.

A new kind is one class in `costcalc.quote.plan.KINDS` and one row of `QUOTERS`: a module with a
function `quote(workload, setting) -> Priced`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from costcalc.errors import CostcalcError, InputError
from costcalc.notices import Notice
from costcalc.quote.plan import Assumptions
from costcalc.quote.terms import Terms
from costcalc.quote.types import Line, WorkloadQuote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

ONE = Decimal(1)
# the unit of lines that are a share of other lines: discounts, support, spot work done again
SHARE_UNIT = "USD"

QUOTERS: dict[str, str] = {
    "train": "costcalc.quote.plan_train",
    "serve": "costcalc.quote.plan_serve",
    "machine": "costcalc.quote.machine",
    "storage": "costcalc.quote.storage",
    "transfer": "costcalc.quote.transfer",
    "owned": "costcalc.quote.owned",
    "one-off": "costcalc.quote.oneoff",
}


@dataclass(frozen=True, slots=True)
class Priced:
    """A workload priced over its whole schedule, before discounts, support and credits.

    Attributes:
        runs: runs over the schedule; None for what goes on all month.
    """

    workload: WorkloadQuote
    lines: tuple[Line, ...]
    notices: tuple[Notice, ...] = ()
    runs: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What every kind is priced with.

    Attributes:
        terms: rate, date, discounts. Kinds do not apply discounts; the plan does, to all lines.
        per_run_usd: cost of one run by workload, filled before one-off work is priced.
        cache: results shared between workloads of one plan, by a key of the kind's own.
    """

    catalog: Catalog
    terms: Terms
    assumptions: Assumptions
    per_run_usd: Mapping[str, Decimal] = field(default_factory=dict)
    cache: dict[Any, Any] = field(default_factory=dict)

    @property
    def usd_mxn(self) -> Decimal:
        """MXN per USD of the whole quote."""
        return self.terms.fx.usd_mxn


Quoter: TypeAlias = Callable[[Any, Setting], Priced]


class WorkloadError(Exception):
    """A fault of one workload, and the key of the plan that it is about.

    Attributes:
        key: None for the workload as a whole.
    """

    def __init__(self, key: str | None, error: CostcalcError) -> None:
        super().__init__(key, error)
        self.key, self.error = key, error


@contextmanager
def about(key: str | None) -> Iterator[None]:
    """Say which key a fault inside the block is about."""
    try:
        yield
    except CostcalcError as error:
        raise WorkloadError(key, error) from None


def quoter(kind: str) -> Quoter:
    """The function that prices workloads of `kind`.

    Raises:
        WorkloadError: nobody prices such workloads.
    """
    if kind not in QUOTERS:
        with about("kind"):
            raise InputError("plan.kind_without_price", what="", kind=kind)
    found: Quoter = import_module(QUOTERS[kind]).quote
    return found


def months(value: Decimal | None) -> Decimal:
    """Months of a schedule; one if not given."""
    return ONE if value is None else value


def runs(runs_per_month: Decimal | None, over_months: Decimal | None) -> Decimal:
    """Runs of a schedule; one if neither is given."""
    return (ONE if runs_per_month is None else runs_per_month) * months(over_months)
