"""Cross-validation of the serving model, and the widths of its intervals.

Groups are `cluster` (model and accelerator: near-duplicates share them), `source` (who measured) or
`family` (one design of chips). Every row is predicted by constants that have not seen its group;
its interval comes from residuals of rows of other folds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from costcalc.accuracy.scores import quantile
from costcalc.accuracy.serving_fit import Fitter, Table
from costcalc.accuracy.serving_predict import predict
from costcalc.accuracy.serving_rows import METRICS, ServingCase
from costcalc.estimate.serving_calibration import TIERS, EngineConstants

GROUPS: Mapping[str, Callable[[ServingCase], str]] = {
    "cluster": lambda case: case.group,
    "source": lambda case: case.source,
    "family": lambda case: case.chip.family,
}
FOLDS = 12
"""Groups are dealt out to so many fits: each fit leaves a twelfth of them out."""
INTERVAL = 0.8
NEW_SOURCE = 1.1
"""A user is always a new source, with a stack and a way to count of their own: every interval is a
tenth wider (in logarithms) than held-out residuals alone ask for."""
METRIC_NAMES = {"tpot_ms": "tpot", "ttft_ms": "ttft", "output_tokens_per_second": "throughput"}
_FEWEST = 30
_NARROWEST = 0.05

Factors = dict[tuple[str, str, str], tuple[float, float]]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """One figure of a measurement that the constants had not seen.

    Attributes:
        case: the measurement. metric: `tpot_ms`, `ttft_ms`, `output_tokens_per_second`.
        group, fold: what was left out.
        measured, predicted: in seconds, or tokens per second.
    """

    case: ServingCase
    metric: str
    group: str
    fold: int
    measured: float
    predicted: float

    @property
    def residual(self) -> float:
        """ln(measured / predicted)."""
        return math.log(self.measured / self.predicted)

    @property
    def kind(self) -> str:
        """`dense` or `mixture`."""
        return "mixture" if self.case.mixture else "dense"


def fold_of(names: Sequence[str], folds: int) -> dict[str, int]:
    """Groups dealt out in the order of their names."""
    return {name: index % folds for index, name in enumerate(sorted(set(names)))}


class Validator:
    """Refits on a table of cases, leaving groups out."""

    def __init__(self, cases: Sequence[ServingCase]) -> None:
        self.cases = list(cases)
        self.fitter = Fitter(Table(self.cases))

    def engines(self, keep: Callable[[ServingCase], bool]) -> Mapping[str, EngineConstants]:
        """Constants fitted on the cases that `keep` accepts."""
        mask = np.array([keep(case) for case in self.cases])
        return self.fitter.fit(mask).engines

    def pooled(self, keep: Callable[[ServingCase], bool]) -> EngineConstants:
        """One set for all engines, likewise."""
        mask = np.array([keep(case) for case in self.cases])
        return self.fitter.fit(mask, pooled=True).engines["unknown"]

    def held_out(
        self, grouping: str, targets: Sequence[ServingCase], *, pooled: bool = False
    ) -> list[HeldOut]:
        """Every figure of the targets, predicted without its group."""
        return self.held_out_by(GROUPS[grouping], targets, pooled=pooled, grouping=grouping)

    def held_out_by(
        self,
        group_of: Callable[[ServingCase], str],
        targets: Sequence[ServingCase],
        *,
        pooled: bool = False,
        grouping: str = "cluster",
    ) -> list[HeldOut]:
        """The same for any way to group."""
        names = [group_of(case) for case in (*self.cases, *targets)]
        count = FOLDS if grouping == "cluster" else len(set(names))
        folds = fold_of(names, count)
        wanted = sorted({folds[group_of(case)] for case in targets})
        found: list[HeldOut] = []
        for fold in wanted:

            def keep(case: ServingCase, fold: int = fold) -> bool:
                return folds[group_of(case)] != fold

            if pooled:
                engines: Mapping[str, EngineConstants] = {"unknown": self.pooled(keep)}
            else:
                engines = dict(self.engines(keep))
                kept = {case.engine for case in self.cases if keep(case)}
                # an engine without a row left has learnt nothing of its own
                for name in set(engines) - kept:
                    del engines[name]
                if any(case.engine not in engines for case in targets):
                    engines["unknown"] = self.pooled(keep)
            for case in targets:
                if folds[group_of(case)] == fold:
                    found.extend(_figures(case, engines, group_of(case), fold))
        return found


def _figures(
    case: ServingCase,
    engines: Mapping[str, EngineConstants],
    group: str,
    fold: int,
) -> list[HeldOut]:
    values = predict(case, engines)
    if values is None:
        return []
    return [
        HeldOut(case, metric, group, fold, measured, values[metric])
        for metric, measured in case.measured
    ]


def width(residuals: Sequence[float]) -> tuple[float, float]:
    """Factors from the middle to the low and high end, from residuals of one kind."""
    tail = (1.0 - INTERVAL) / 2.0
    low = min(quantile(residuals, tail), -_NARROWEST) * NEW_SOURCE
    high = max(quantile(residuals, 1.0 - tail), _NARROWEST) * NEW_SOURCE
    return math.exp(low), math.exp(high)


def widths(found: Sequence[HeldOut]) -> dict[tuple[str, str], tuple[float, float]]:
    """(metric, kind) -> factors; a kind with few rows takes those of all."""
    result = {}
    for metric in METRICS:
        every = [item.residual for item in found if item.metric == metric]
        for kind in ("dense", "mixture"):
            own = [item.residual for item in found if item.metric == metric and item.kind == kind]
            result[METRIC_NAMES[metric], kind] = width(own if len(own) >= _FEWEST else every)
    return result


def spreads(
    rows: Sequence[HeldOut],
    groups: Sequence[HeldOut],
    families: Sequence[HeldOut],
    pooled: Sequence[HeldOut],
) -> Factors:
    """Factors of all tiers; a tier with less evidence is never narrower than one with more.

    Args:
        rows: held out one by one: model and chip measured otherwise.
        groups: held out by model and accelerator.
        families: held out by design of chip.
        pooled: held out by source, with one set for all engines.
    """
    found: Factors = {}
    before: dict[tuple[str, str], tuple[float, float]] = {}
    for tier, evidence in zip(TIERS, (rows, groups, families, pooled), strict=True):
        current = widths(evidence)
        for key, (low, high) in current.items():
            if key in before:
                low, high = min(low, before[key][0]), max(high, before[key][1])
            current[key] = (low, high)
            found[key[0], tier, key[1]] = (low, high)
        before = current
    return found


def coverage(found: Sequence[HeldOut], factors: Callable[[HeldOut], tuple[float, float]]) -> float:
    """Share of the figures that lie in their interval; NaN without any."""
    if not found:
        return math.nan
    inside = 0
    for item in found:
        low, high = factors(item)
        inside += item.predicted * low <= item.measured <= item.predicted * high
    return inside / len(found)
