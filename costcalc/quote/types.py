"""What a quote is made of. The shapes follow the JSON that `docs/reference.md` documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from costcalc.catalog.rates import ExchangeRate
from costcalc.notices import Notice
from costcalc.units import Currency, Money

if TYPE_CHECKING:
    from costcalc.quote.plan_summary import PlanSummary
    from costcalc.quote.sensitivity import Swing
    from costcalc.quote.versus import Versus

ASSUMED_SOURCE = "assumption by the user (--assume)"
"""Source of every price that is an assumption, so that reports can mark it."""

IvaMode = Literal["none", "add", "self-assessed"]
BudgetStatus = Literal["ok", "warn", "over"]


@dataclass(frozen=True, slots=True)
class OfferChoice:
    """The offer that a workload was priced on, and how many machines of it.

    Attributes:
        accelerator_count: accelerators in one machine.
        instances: machines rented.
        usd_per_instance_hour: USD for one machine and hour, all digits kept.
    """

    provider: str
    region: str | None
    instance_type: str
    accelerator: str
    accelerator_count: int
    instances: int
    purchase: str
    market: str
    usd_per_instance_hour: Decimal
    as_of: date
    source: str
    confidence: str

    @property
    def accelerators(self) -> int:
        """Accelerators rented in all."""
        return self.accelerator_count * self.instances

    @property
    def usd_per_hour(self) -> Decimal:
        """USD per hour of all machines together."""
        return self.usd_per_instance_hour * self.instances


@dataclass(frozen=True, slots=True)
class Line:
    """One priced thing: quantity x unit price, in both currencies, with its range.

    `quantity` has 4 decimals; `amount_usd` is quantity x unit price, half-even to 0.01;
    `amount_mxn` is `amount_usd` x the rate, half-even to 0.01.
    """

    workload: str
    item: str
    provider: str | None
    region: str | None
    sku: str | None
    quantity: Decimal
    unit: str
    unit_price_usd: Decimal
    amount_usd: Decimal
    low_usd: Decimal
    high_usd: Decimal
    amount_mxn: Decimal
    low_mxn: Decimal
    high_mxn: Decimal
    as_of: date | None
    source: str | None
    confidence: str | None


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums of the rounded lines. IVA is zero unless asked for.

    Attributes:
        iva_rate: percent, 16 for 16 %; 0 in mode `none`.
        iva_usd, iva_mxn: the tax shown; in mode `self-assessed` it is charged and credited, so
            `usd_with_iva` equals `usd`.
    """

    usd: Decimal
    usd_low: Decimal
    usd_high: Decimal
    mxn: Decimal
    mxn_low: Decimal
    mxn_high: Decimal
    iva_rate: Decimal
    iva_mode: IvaMode
    iva_usd: Decimal
    iva_mxn: Decimal
    usd_with_iva: Decimal
    mxn_with_iva: Decimal


@dataclass(frozen=True, slots=True)
class WorkloadQuote:
    """One workload of a quote.

    Attributes:
        inputs: what was asked, defaults filled in; plain JSON values.
        offer: None for workloads that rent nothing.
        estimate: the physics: a `TrainingEstimate`, a serving estimate, or None.
    """

    name: str
    kind: str
    inputs: Mapping[str, Any]
    offer: OfferChoice | None
    estimate: Any | None


@dataclass(frozen=True, slots=True)
class BudgetResult:
    """A quote against its budget.

    Attributes:
        budget: the limit with its currency.
        spent_fraction: total / budget in the budget's currency.
        status: `over` above the limit, `warn` from `warn_at` on, else `ok`.
    """

    budget: Money
    spent_fraction: Decimal
    status: BudgetStatus


@dataclass(frozen=True, slots=True)
class CatalogStamp:
    """Which catalog a quote rests on."""

    version: str
    prices_newest: date | None
    prices_oldest: date | None
    calibration: str | None


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the footprint, named with its year and source.

    Attributes:
        what: stable name: `power_limit`, `accelerator_power_training`, `pue`, `grid_carbon`, ...
        subject: what it is of: an accelerator, a provider, a region, a country.
        kind: `measured`, `published`, `reported`, `unverified`, `assumption`, `stated`; grid
            factors, all location-based: `official`, `operational`, `life-cycle`.
        used: False for a factor that is named beside the one in use.
    """

    what: str
    subject: str
    kind: str
    value: float
    unit: str
    year: str
    source: str
    used: bool = True


@dataclass(frozen=True, slots=True)
class Footprint:
    """Energy, carbon and water of a quote; `None` where no factor is known."""

    energy_kwh: float
    co2e_kg: float | None
    water_l: float | None
    factors: tuple[Factor, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """An estimate priced.

    Attributes:
        kind: `train`, `serve`, `plan`, `compare`.
        as_of: the day from which ages are counted and dated prices chosen.
        offers: the ranking of a `compare`; in other quotes the alternatives that a report for
            people shows beside it, mostly none.
        requested_currency: what the report shows; the figures hold both always.
        plan: phases, limits and failures of a plan; None otherwise.
        versus: the same traffic through APIs and on bought hardware; None when nobody asked.
        sensitivity: what each assumption does to the total; None when nobody asked.
    """

    kind: str
    as_of: date
    catalog: CatalogStamp
    fx: ExchangeRate
    workloads: tuple[WorkloadQuote, ...]
    lines: tuple[Line, ...]
    totals: Totals
    notices: tuple[Notice, ...]
    footprint: Footprint | None = None
    budget: BudgetResult | None = None
    offers: tuple[Mapping[str, Any], ...] = ()
    requested_currency: Currency | Literal["both"] = "both"
    plan: PlanSummary | None = None
    sensitivity: tuple[Swing, ...] | None = None
    versus: Versus | None = None
