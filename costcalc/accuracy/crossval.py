"""Cross-validation: every group of runs predicted by constants that have not seen it.

Groups are clusters (near-duplicates: chip family, model, source), sources (all MLPerf rounds are
one), or chip families.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from costcalc.accuracy.fit import Fitted, Table, fit, table_of
from costcalc.accuracy.predict import kind_of, seconds_per_token
from costcalc.accuracy.runs import TrainingCase
from costcalc.accuracy.spread import Residual, fit_spread
from costcalc.estimate.calibration import (
    SpreadConstants,
    TrainingCalibration,
    decimal_year,
)

GROUPS: Mapping[str, Callable[[TrainingCase], str]] = {
    "cluster": lambda case: case.cluster,
    "source": lambda case: case.source,
    "family": lambda case: case.chip.family,
}


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A run and what constants without its group say.

    Attributes:
        case: the run.
        group: the group that was left out.
        predicted_s: chip-seconds per token.
        residual: logarithm of measured over predicted time, and the kind of run.
        spread: interval constants from the other groups' residuals.
    """

    case: TrainingCase
    group: str
    predicted_s: float
    residual: Residual
    spread: SpreadConstants


class Validator:
    """Refits on a set of runs, leaving groups out.

    Args:
        runs: what the constants are fitted on.
        shares: matmul share by chip family.
        day: date of the calibration.
    """

    def __init__(
        self, runs: Sequence[TrainingCase], shares: Mapping[str, float], day: date
    ) -> None:
        self.runs = list(runs)
        self.shares = dict(shares)
        self.day = day
        self.table: Table = table_of(self.runs, self.shares, decimal_year(day))
        self.whole: Fitted = fit(self.table)

    def calibration(
        self, fitted: Fitted, kept: Sequence[TrainingCase], spread: SpreadConstants
    ) -> TrainingCalibration:
        """A calibration from a fit on the runs `kept`."""
        return TrainingCalibration(
            date=self.day,
            digest="",
            runs=len(kept),
            clusters=len({case.cluster for case in kept}),
            constants=fitted.constants,
            effects=fitted.effects,
            matmul_shares=self.shares,
            family_clusters=family_clusters(kept),
            spread=spread,
        )

    def residuals(
        self, grouping: str, targets: Sequence[TrainingCase]
    ) -> list[tuple[str, float, Residual]]:
        """Group, predicted seconds per token and residual of each target, refitted without it."""
        group_of = GROUPS[grouping]
        own = np.array([group_of(case) for case in self.runs])
        wanted: dict[str, list[int]] = {}
        for index, case in enumerate(targets):
            wanted.setdefault(group_of(case), []).append(index)
        found: list[tuple[str, float, Residual] | None] = [None] * len(targets)
        for group, indices in wanted.items():
            mask = own != group
            kept = [case for case, keep in zip(self.runs, mask, strict=True) if keep]
            fitted = self.whole if mask.all() else fit(self.table.rows(mask), self.whole)
            calibration = self.calibration(fitted, kept, _PLAIN)
            for index in indices:
                case = targets[index]
                seconds = seconds_per_token(case, calibration)
                value = float(-np.log(case.measured * seconds))
                kind = kind_of(case, calibration.family_clusters.get(case.chip.family, 0))
                found[index] = (group, seconds, Residual(value, kind))
        return [entry for entry in found if entry is not None]

    def held_out(self, grouping: str, targets: Sequence[TrainingCase]) -> list[HeldOut]:
        """Every target with its prediction and interval, neither of which has seen its group."""
        entries = self.residuals(grouping, targets)
        mine = {case.id for case in targets}
        others = [case for case in self.runs if case.id not in mine]
        pool = [(group, r) for group, _, r in entries]
        pool += [(group, r) for group, _, r in self.residuals(grouping, others)]
        spreads = {
            group: fit_spread([r for other, r in pool if other != group] or [r for _, r in pool])
            for group in {group for group, _, _ in entries}
        }
        return [
            HeldOut(case, group, seconds, residual, spreads[group])
            for case, (group, seconds, residual) in zip(targets, entries, strict=True)
        ]


_PLAIN = SpreadConstants(
    base=-2.0,
    mixture=0.0,
    billed=0.0,
    default=0.0,
    out_of_box=0.0,
    frozen=0.0,
    long_context=0.0,
    four_bit=0.0,
    thin=0.0,
    low=-1.0,
    high=1.0,
    new_source=1.0,
)


def family_clusters(cases: Sequence[TrainingCase]) -> dict[str, int]:
    """Independent groups of runs by chip family."""
    pairs = {(case.cluster, case.chip.family) for case in cases}
    return dict(sorted(Counter(family for _, family in pairs).items()))
