"""A plan file from disk: bounded reading, overrides, terms, and its quote."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costcalc import messages, safeyaml
from costcalc.catalog.rates import ExchangeRate
from costcalc.cli import options as o
from costcalc.cli import output
from costcalc.cli.lock import check_lock
from costcalc.cli.reading import with_file_models
from costcalc.cli.session import as_of_date, exchange_rate, open_catalog
from costcalc.errors import CostcalcError, InputError, NoOfferError
from costcalc.quote.budget import Measure
from costcalc.quote.plan import Plan, Serve, Train
from costcalc.quote.plan_errors import MAX_SHOWN, PlanError, PlanPath, Problem, place
from costcalc.quote.plan_summary import Failure
from costcalc.quote.terms import Terms
from costcalc.quote.types import Quote

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.estimate.architecture import Architecture
    from costcalc.quote.budget import Threshold


@dataclass(frozen=True, slots=True)
class Overrides:
    """Options that stand above what the plan says; None leaves it to the plan.

    `fills` are `--set` texts that only fill what files of other tools leave open.
    """

    sets: tuple[str, ...] = ()
    fills: tuple[str, ...] = ()
    profile: str | None = None
    currency: str | None = None
    fx: str | None = None
    iva: str | None = None
    iva_rate: str | None = None
    discounts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedPlan:
    """A plan and where its keys are."""

    path: str
    plan: Plan
    document: safeyaml.Document
    models: Mapping[str, Architecture] = field(default_factory=dict)

    def line(self, path: PlanPath) -> int:
        """The 1-based line of a key."""
        return self.document.line(path)


def load(path: str, overrides: Overrides, catalog: str | None = None) -> LoadedPlan:
    """Read and validate a plan, or the files of other tools that stand in its place.

    Raises:
        PlanError: every problem of the plan, each with its line.
        InputError: the file cannot be read, or an override leads nowhere.
    """
    from costcalc.cli import plan_reading

    try:
        document = safeyaml.load(safeyaml.read_file(path), path)
    except InputError:
        if not plan_reading.belongs_to_reader(path):
            raise
        return from_files(path, overrides, catalog)
    if not plan_reading.is_plan(document.data) and plan_reading.belongs_to_reader(path):
        return from_files(path, overrides, catalog)
    return from_document(path, document, overrides)


def from_files(path: str, overrides: Overrides, catalog: str | None) -> LoadedPlan:
    """`load`, for files of other tools."""
    from costcalc.cli import plan_reading

    draft, sets = plan_reading.draft_of(
        path, overrides.sets, overrides.fills, open_catalog(catalog)
    )
    document = plan_reading.document_of(draft, path)
    loaded = from_document(path, document, replace(overrides, sets=tuple(sets)))
    return replace(loaded, models=draft.models)


def from_document(path: str, document: safeyaml.Document, overrides: Overrides) -> LoadedPlan:
    """`load`, for a file that has been read already."""
    # pydantic is imported here, so that no other command pays for it; its search for plugins would
    # read the metadata of every installed package
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from costcalc.quote.plan_validation import read_plan

    plan = read_plan(
        document.data,
        path,
        document=document,
        profile=overrides.profile,
        sets=[parse_set(text) for text in overrides.sets],
    )
    return LoadedPlan(path, changed(plan, overrides), document)


def parse_set(text: str) -> tuple[str, Any]:
    """`workloads.ajuste.on=h100:16` as a path and a plain value (YAML).

    Raises:
        InputError: no `=`, or a value that is not YAML.
    """
    path, separator, value = text.partition("=")
    if not separator or not path.strip():
        raise InputError("plan.set_value", text=text)
    return path.strip(), safeyaml.load(value, f"--set {path.strip()}").data


def changed(plan: Plan, overrides: Overrides) -> Plan:
    """The plan with the money options of the command line."""
    from costcalc.cli.session import IVA_MODES
    from costcalc.units import parse_number

    changes: dict[str, Any] = {}
    if overrides.currency is not None:
        changes["currency"] = o.choice(overrides.currency, "--currency", o.CURRENCIES)
    if overrides.iva is not None:
        changes["iva"] = o.choice(overrides.iva, "--iva", IVA_MODES)
    if overrides.iva_rate is not None:
        text = overrides.iva_rate.strip().removesuffix("%")
        changes["iva_rate"] = parse_number(text, "--iva-rate", low=0, high=100)
    if overrides.discounts:
        extra = o.percent_pairs(overrides.discounts, "--discount")
        changes["discounts"] = {**plan.discounts, **extra}
    return replace(plan, **changes)


def rate_of(plan: Plan, fx: str | None, catalog: Catalog, as_of: date) -> ExchangeRate:
    """`--fx`, else the plan's rate, else the catalog's rate of the plan's day or of `as_of`."""
    if fx is not None:
        return exchange_rate(fx, catalog, as_of)
    policy = plan.fx
    if policy.rate is not None:
        return ExchangeRate(policy.rate, policy.date, policy.source or "plan")
    return catalog.rate(policy.date or as_of)


def terms_of(plan: Plan, fx: ExchangeRate, as_of: date) -> Terms:
    """How the plan is priced."""
    currency = plan.currency
    return Terms(
        fx=fx,
        as_of=as_of,
        iva_mode=plan.iva,  # type: ignore[arg-type]
        iva_rate=plan.iva_rate,
        currency="both" if currency == "both" else currency.upper(),  # type: ignore[arg-type]
    )


@dataclass(frozen=True, slots=True)
class PlanCall:
    """What every command that quotes plans was asked."""

    path: str
    overrides: Overrides
    as_of: str | None
    catalog: str | None
    locked: bool
    lock_file: str


def quote_file(
    call: PlanCall, threshold: Threshold = "middle", fx: ExchangeRate | None = None
) -> tuple[LoadedPlan, Quote, Catalog]:
    """Load and quote a plan; workloads without price are in `Quote.plan.failures`.

    Raises:
        PlanError: a problem of the plan, found in the file or against the catalog.
        InputError: the file cannot be read, or the catalog is not the locked one.
    """
    day = as_of_date(call.as_of)
    loaded = load(call.path, call.overrides, call.catalog)
    quote, catalog = quote_loaded(loaded, call, day, threshold, fx)
    return loaded, replace(quote, notices=(*quote.notices, *output.take_held())), catalog


def quote_loaded(
    loaded: LoadedPlan,
    call: PlanCall,
    day: date,
    threshold: Threshold = "middle",
    fx: ExchangeRate | None = None,
) -> tuple[Quote, Catalog]:
    """Quote a plan that has been read."""
    from costcalc.quote.plan_quote import quote_plan

    catalog = open_catalog(call.catalog)
    if call.locked:
        check_lock(Path(call.lock_file), catalog)
    plan = loaded.plan
    models = [item.model for item in plan.workloads if isinstance(item, Train | Serve)]
    catalog = with_file_models(catalog.with_models(loaded.models), models)
    rate = fx or rate_of(plan, call.overrides.fx, catalog, day)
    measure = Measure(threshold, plan.iva, plan.iva_rate)  # type: ignore[arg-type]
    quote = quote_plan(plan, catalog, terms_of(plan, rate, day), measure)
    assert quote.plan is not None
    invalid = [item for item in quote.plan.failures if item.error.exit_status == 2]
    if invalid:
        raise PlanError([_problem(loaded, item.path, item.error) for item in invalid])
    return quote, catalog


def _problem(loaded: LoadedPlan, path: PlanPath, error: CostcalcError) -> Problem:
    where = place(path, loaded.document.data)
    # these sentences were written for options: they do not name the key themselves
    return Problem(loaded.path, loaded.line(path), where, error.key, error.params, error=error)


class UnpricedError(NoOfferError):
    """Workloads of a plan that have no price; each is told with its line."""

    def __init__(self, loaded: LoadedPlan, failures: Sequence[Failure]) -> None:
        super().__init__(failures[0].error.key, **failures[0].error.params)
        self.loaded, self.failures = loaded, tuple(failures)

    def message(self, language: str = "en") -> str:
        lines = [
            f"{self.loaded.path}:{self.loaded.line(item.path)}: {item.workload}: "
            f"{item.error.message(language)}"
            for item in self.failures[:MAX_SHOWN]
        ]
        hidden = len(self.failures) - len(lines)
        if hidden:
            lines.append(messages.text("plan.more_problems", language, count=hidden))
        return "\n".join(lines)
