"""A plan: workloads, schedules, assumptions and budgets, as plain frozen dataclasses.

The annotations carry the field types (`costcalc.quote.plan_fields`) by which
`costcalc.quote.plan_validation` reads a YAML or JSON mapping into these classes and describes them
as JSON Schema; this module itself needs neither pydantic nor YAML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, TypeAlias

from costcalc.quote.plan_fields import (
    Amount,
    Choice,
    Count,
    Day,
    Flag,
    Hours,
    Milliseconds,
    Number,
    Percent,
    Power,
    Size,
    Text,
    Version,
)
from costcalc.quote.plan_shapes import ByKind, ByProvider, FxShort, NotEmpty, Short
from costcalc.units import Money

PLAN_VERSION = 1
EVERY_PROVIDER = "*"
HOURS_PER_MONTH = Decimal(730)
DEFAULT_WARN_AT = Decimal("0.9")

PURCHASES = ("on-demand", "spot", "commit-1y", "commit-3y", "capacity-block", "flex-start")
MARKETS = ("hyperscaler", "neocloud", "marketplace", "any")
METHODS = ("full", "lora", "qlora")
TUNINGS = ("out-of-box", "default", "tuned")
TRAIN_PRECISIONS = ("bf16", "fp8", "fp4")
SERVE_PRECISIONS = ("bf16", "fp8", "int8", "fp4")
DESTINATIONS = ("internet", "internet-australia", "internet-china", "inter-region")

_Word: TypeAlias = Annotated[str, Text(120)]
_Date: TypeAlias = Annotated[date, Day()]
_Purchase: TypeAlias = Annotated[str, Choice(*PURCHASES)]
_Market: TypeAlias = Annotated[str, Choice(*MARKETS)]
_Flag: TypeAlias = Annotated[bool, Flag()]
_Money: TypeAlias = Annotated[Money, Amount()]
_Runs: TypeAlias = Annotated[Decimal, Number(0, 1_000_000, above=True)]
_Months: TypeAlias = Annotated[Decimal, Number(0, 600, above=True)]
_Precision: TypeAlias = Annotated[str, Choice(*SERVE_PRECISIONS)]

# Read by pydantic; a key that no class knows is an error with the nearest known key.
_STRICT: dict[str, Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FxPolicy:
    """Which exchange rate a plan is quoted at.

    Nothing given: the catalog's newest rate not after the quote's date. `rate`: that rate, with
    the `date` and `source` that the plan names for it. `date` alone: the catalog's rate of that
    day.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    rate: Annotated[Decimal, Number(0, 1000, above=True)] | None = None
    date: _Date | None = None
    source: _Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Named assumptions, printed with the quote.

    Attributes:
        hours_per_month: hours that a month of continuous use has.
        base_share, intermediate_share, peak_share: how the hours of a flat load fall into the
            periods of an hourly electricity tariff; they add up to 100 %.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    hours_per_month: Annotated[Decimal, Number(1, 744)] = HOURS_PER_MONTH
    base_share: Annotated[Decimal, Percent()] = Decimal("0.35")
    intermediate_share: Annotated[Decimal, Percent()] = Decimal("0.55")
    peak_share: Annotated[Decimal, Percent()] = Decimal("0.1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Defaults:
    """Values for every workload that does not set the key itself and whose kind has it.

    `region` is inherited only where the provider is not another one than the default's.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    model: _Word | None = None
    on: _Word | None = None
    provider: _Word | None = None
    region: _Word | None = None
    purchase: _Purchase | None = None
    market: _Market | None = None
    residency: _Word | None = None
    nearest: _Flag | None = None
    runs_per_month: _Runs | None = None
    months: _Months | None = None
    method: Annotated[str, Choice(*METHODS)] | None = None
    precision: _Precision | None = None
    tuning: Annotated[str, Choice(*TUNINGS)] | None = None
    engine: _Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Credit:
    """Promotional or prepaid credit: it lowers the bill, never below zero.

    Attributes:
        provider: the only provider it can be spent at; None for any.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    name: _Word
    amount: _Money
    provider: _Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanBudget:
    """A limit and the fraction of it from which a check warns."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    amount: _Money
    warn_at: Annotated[Decimal, Percent()] | None = None


_Budget: TypeAlias = Annotated[PlanBudget, Short("amount", Amount())]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """Limits on the plan as a whole, on workloads and on providers; over the whole schedule."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    total: _Budget | None = None
    workloads: Mapping[str, _Budget] = field(default_factory=dict)
    providers: Annotated[Mapping[str, _Budget], ByProvider()] = field(default_factory=dict)
    warn_at: Annotated[Decimal, Percent()] = DEFAULT_WARN_AT


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What every kind of workload has.

    Attributes:
        phase: workloads with the same phase are added up in the report; the name if not given.
        reference: quoted for comparison only; it does not count in lines and totals.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    name: _Word
    phase: _Word | None = None
    note: Annotated[str, Text()] | None = None
    reference: _Flag = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rented(Workload):
    """A workload on rented machines."""

    provider: _Word | None = None
    region: _Word | None = None
    purchase: _Purchase | None = None
    market: _Market | None = None
    residency: _Word | None = None
    nearest: _Flag = False
    months: _Months | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Train(Rented):
    """Training or fine-tuning runs; the keys are the options of `costcalc train`."""

    kind: Annotated[str, Choice("train")] = "train"
    model: _Word
    on: _Word
    tokens: Annotated[int, Count()]
    epochs: Annotated[Decimal, Number(0, 10_000, above=True)] | None = None
    seq_len: Annotated[int, Count(1, 100_000_000)] | None = None
    global_batch: Annotated[int, Count()] | None = None
    method: Annotated[str, Choice(*METHODS)] | None = None
    lora_rank: Annotated[int, Count(1, 65_536)] | None = None
    precision: Annotated[str, Choice(*TRAIN_PRECISIONS)] | None = None
    tuning: Annotated[str, Choice(*TUNINGS)] | None = None
    whole_run: _Flag = False
    programme_factor: Annotated[Decimal, Number(1, 100)] | None = None
    dataset: Annotated[Decimal, Size()] | None = None
    checkpoints: Annotated[int, Count(1, 100_000)] | None = None
    checkpoint_months: _Months | None = None
    egress: Annotated[Decimal, Size()] | None = None
    runs_per_month: _Runs | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Serve(Rented):
    """Serving a model around the clock; the keys are the options of `costcalc serve`."""

    kind: Annotated[str, Choice("serve")] = "serve"
    model: _Word
    on: _Word
    engine: _Word | None = None
    precision: _Precision | None = None
    input_tokens: Annotated[int, Count()] | None = None
    output_tokens: Annotated[int, Count()] | None = None
    rps: Annotated[Decimal, Number(0, 10**9, above=True)] | None = None
    concurrency: Annotated[int, Count()] | None = None
    ttft: Annotated[float, Milliseconds()] | None = None
    tpot: Annotated[float, Milliseconds()] | None = None
    replicas: Annotated[int, Count(1, 1_000_000)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine(Rented):
    """Plain machine hours.

    Attributes:
        hours: hours of one run; without it the machines run all month.
    """

    kind: Annotated[str, Choice("machine")] = "machine"
    on: _Word
    hours: Annotated[float, Hours()] | None = None
    runs_per_month: _Runs | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage(Workload):
    """Data kept for some months.

    Attributes:
        tier: the provider's name of the storage class; without it the cheapest listed standard one.
        price: a price of one's own, per GB and month.
    """

    kind: Annotated[str, Choice("storage")] = "storage"
    provider: _Word
    region: _Word | None = None
    medium: Annotated[str, Choice("object", "block")] = "object"
    tier: _Word | None = None
    size: Annotated[Decimal, Size()]
    price: _Money | None = None
    months: _Months | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer(Workload):
    """Data sent out of a region.

    Attributes:
        size: data of one run; one run a month unless `runs_per_month` says otherwise.
        to: over the internet (China and Australia apart), or to another region of the provider.
        price: a price of one's own, per GB.
    """

    kind: Annotated[str, Choice("transfer")] = "transfer"
    provider: _Word
    region: _Word | None = None
    to: Annotated[str, Choice(*DESTINATIONS)] = "internet"
    size: Annotated[Decimal, Size()]
    price: _Money | None = None
    runs_per_month: _Runs | None = None
    months: _Months | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned(Workload):
    """Hardware of one's own.

    Attributes:
        purchase: what the hardware costs.
        residual: share of the purchase that it is still worth after `life_months`.
        life_months: months over which it is written off; the schedule's `months` if not given.
        power: electric power of the hardware under load, without cooling.
        load: average share of `power` over the month.
        pue: power usage effectiveness of the place.
        tariff: an electricity tariff of the catalog, such as `cfe-gdmth-bajio`.
        electricity_price: a price of one's own per kWh, instead of a tariff.
        staff: monthly cost of the people, of whom `staff_share` works on this.
        hosting: monthly rent of the place. maintenance: share of the purchase per year.
    """

    kind: Annotated[str, Choice("owned")] = "owned"
    provider: _Word | None = None
    region: _Word | None = None
    months: _Months
    purchase: _Money
    residual: Annotated[Decimal, Percent()] = Decimal(0)
    life_months: _Months | None = None
    power: Annotated[Decimal, Power()] | None = None
    load: Annotated[Decimal, Percent()] = Decimal(1)
    pue: Annotated[Decimal, Number(1, 4)] | None = None
    tariff: _Word | None = None
    electricity_price: _Money | None = None
    staff: _Money | None = None
    staff_share: Annotated[Decimal, Percent(10_000)] = Decimal(1)
    hosting: _Money | None = None
    maintenance: Annotated[Decimal, Percent()] = Decimal(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Payback:
    """Two workloads of the plan: a one-off effort lets `after` take the place of `before`."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    before: _Word
    after: _Word


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOff(Workload):
    """Work done once, such as porting PyTorch to JAX.

    Attributes:
        hours, rate: person hours and the price of one; or `cost` as a whole.
        saving_per_run: what one run costs less from then on; or `pays_back`, which computes it.
    """

    kind: Annotated[str, Choice("one-off")] = "one-off"
    hours: Annotated[float, Hours()] | None = None
    rate: _Money | None = None
    cost: _Money | None = None
    saving_per_run: _Money | None = None
    pays_back: Payback | None = None


AnyWorkload: TypeAlias = Train | Serve | Machine | Storage | Transfer | Owned | OneOff

KINDS: dict[str, type[AnyWorkload]] = {
    "train": Train,
    "serve": Serve,
    "machine": Machine,
    "storage": Storage,
    "transfer": Transfer,
    "owned": Owned,
    "one-off": OneOff,
}

# `purchase` of own hardware is an amount of money, not a purchase option.
_NOT_INHERITED: dict[str, frozenset[str]] = {
    "owned": frozenset({"purchase", "provider", "region"}),
}


def inheritable(kind: str) -> tuple[str, ...]:
    """Keys of `defaults` that a workload of `kind` takes over."""
    own = {item.name for item in fields(KINDS[kind])}
    barred = _NOT_INHERITED.get(kind, frozenset())
    return tuple(
        item.name for item in fields(Defaults) if item.name in own and item.name not in barred
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan file, read and checked; defaults are already in the workloads.

    Attributes:
        currency: what the report shows, `usd`, `mxn` or `both`.
        iva: `none`, `add` or `self-assessed`. iva_rate: percent.
        catalog: the catalog version that the plan is pinned to.
        discounts: provider -> fraction off its list prices.
        support_percent: provider -> fraction of its bill; `*` is every other provider.
        profiles: name -> changes, as nested mappings with workloads by name.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT

    version: Annotated[int, Version()]
    name: _Word
    currency: Annotated[str, Choice("usd", "mxn", "both")] = "both"
    fx: Annotated[FxPolicy, FxShort()] = FxPolicy()
    iva: Annotated[str, Choice("none", "add", "self-assessed")] = "none"
    iva_rate: Annotated[Decimal, Number(0, 100)] = Decimal(16)
    catalog: _Word | None = None
    defaults: Defaults = Defaults()
    assumptions: Assumptions = Assumptions()
    discounts: Annotated[Mapping[str, Annotated[Decimal, Percent()]], ByProvider()] = field(
        default_factory=dict
    )
    credits: tuple[Credit, ...] = ()
    support_percent: Annotated[
        Mapping[str, Annotated[Decimal, Percent()]],
        ByProvider(),
        Short(EVERY_PROVIDER, Percent()),
    ] = field(default_factory=dict)
    budgets: Budgets = Budgets()
    profiles: Mapping[str, Any] = field(default_factory=dict)
    workloads: Annotated[tuple[Annotated[AnyWorkload, ByKind()], ...], NotEmpty()]
