"""Rules of a plan that concern more than one key."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from costcalc.quote.plan import OneOff, Owned, Plan
from costcalc.quote.plan_errors import PlanPath
from costcalc.quote.plan_fields import plain

Broken: TypeAlias = tuple[PlanPath, str, dict[str, Any]]


def broken_rules(plan: Plan) -> Iterator[Broken]:
    """Every broken rule: its place, message and parameters."""
    names: dict[str, int] = {}
    for index, workload in enumerate(plan.workloads):
        if workload.name in names:
            yield ("workloads", index, "name"), "plan.duplicate_name", {"name": workload.name}
        names.setdefault(workload.name, index)
    yield from _budget_names(plan, names)
    shares = plan.assumptions
    total = shares.base_share + shares.intermediate_share + shares.peak_share
    if total != 1:
        yield ("assumptions",), "plan.shares", {"total": f"{plain(total * 100):f}%"}
    if plan.fx.source is not None and plan.fx.rate is None:
        yield ("fx", "source"), "plan.fx_source", {}
    for index, workload in enumerate(plan.workloads):
        path: PlanPath = ("workloads", index)
        if isinstance(workload, Owned):
            yield from _owned(workload, path)
        elif isinstance(workload, OneOff):
            yield from _one_off(workload, path, names)
    for name, changes in plan.profiles.items():
        if not isinstance(changes, dict):
            yield ("profiles", name), "plan.mapping_expected", {"text": repr(changes)}


def _nearest(name: str, known: Iterable[str]) -> str:
    names = list(known)
    return ", ".join(difflib.get_close_matches(name, names, n=3) or names[:10])


def _budget_names(plan: Plan, names: dict[str, int]) -> Iterator[Broken]:
    for name in plan.budgets.workloads:
        if name not in names:
            params = {"name": name, "names": _nearest(name, names)}
            yield ("budgets", "workloads", name), "plan.no_such_workload", params


def _owned(workload: Owned, path: PlanPath) -> Iterator[Broken]:
    priced = [workload.tariff is not None, workload.electricity_price is not None]
    if all(priced):
        yield (*path, "electricity_price"), "plan.two_electricity_prices", {}
    if any(priced) and workload.power is None:
        yield path, "plan.power_missing", {}
    if workload.power is not None:
        # neither an efficiency nor a price of electricity is guessed
        if not any(priced):
            yield (*path, "power"), "plan.electricity_missing", {}
        if workload.pue is None:
            yield (*path, "power"), "plan.pue_missing", {}


def _one_off(workload: OneOff, path: PlanPath, names: dict[str, int]) -> Iterator[Broken]:
    by_hours = workload.hours is not None or workload.rate is not None
    if by_hours == (workload.cost is not None) or (
        by_hours and (workload.hours is None or workload.rate is None)
    ):
        yield path, "plan.one_off_cost", {}
    if workload.saving_per_run is not None and workload.pays_back is not None:
        yield (*path, "pays_back"), "plan.two_savings", {}
    if workload.pays_back is None:
        return
    for key, name in (("before", workload.pays_back.before), ("after", workload.pays_back.after)):
        if name not in names or name == workload.name:
            params = {"name": name, "names": _nearest(name, set(names) - {workload.name})}
            yield (*path, "pays_back", key), "plan.no_such_workload", params
