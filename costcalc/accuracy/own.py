"""A user's own runs pull the shipped constants towards them, in closed form.

What all own runs have in common (stack, way to count) and what those on one chip family have are
two normal effects with known spreads; runs scatter around them. The posterior means are the
solution of a few linear equations, so that one run pulls a little, three pull most of the way and
many all of it. Nothing else of the calibration moves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from costcalc.accuracy.predict import seconds_per_token
from costcalc.accuracy.runs import TrainingCase
from costcalc.estimate.calibration import TrainingCalibration

COMMON_SD = 0.20
FAMILY_SD = 0.15
RUN_SD = 0.15
"""Spread (logarithm of a time factor) between users, between a user's chips, and between runs of
one user on one chip; the published runs scatter by 0.2 between sources and 0.1 within one."""
OUTLIER = 1.0
"""A residual beyond this (a factor e) counts as this: such a run was counted in another unit."""


def with_own_runs(
    calibration: TrainingCalibration, cases: Sequence[TrainingCase], digest: str
) -> TrainingCalibration:
    """The calibration with the effects `own:all` and `own_family:<family>` of these runs.

    Args:
        calibration: shipped, or one that holds earlier own effects, which are replaced.
        cases: the user's runs.
        digest: of their table.
    """
    kept = {
        name: value
        for name, value in calibration.effects.items()
        if name.partition(":")[0] not in ("own", "own_family")
    }
    plain = replace(calibration, effects=kept, own="")
    families = sorted({case.chip.family for case in cases})
    size = 1 + len(families)
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    matrix[0][0] = COMMON_SD**-2
    for index in range(1, size):
        matrix[index][index] = FAMILY_SD**-2
    for case in cases:
        residual = -math.log(case.measured * seconds_per_token(case, plain))
        residual = max(-OUTLIER, min(OUTLIER, residual))
        place = 1 + families.index(case.chip.family)
        for row in (0, place):
            right[row] += residual / RUN_SD**2
            for column in (0, place):
                matrix[row][column] += RUN_SD**-2
    solved = _solve(matrix, right)
    own = {"own:all": round(solved[0], 4)}
    own |= {
        f"own_family:{family}": round(value, 4)
        for family, value in zip(families, solved[1:], strict=True)
    }
    clusters = dict(plain.family_clusters)
    for family in families:
        groups = {case.cluster for case in cases if case.chip.family == family}
        clusters[family] = clusters.get(family, 0) + len(groups)
    return replace(
        plain, effects={**kept, **own}, family_clusters=clusters, own=digest if cases else ""
    )


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination; the matrix is symmetric and positive definite."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for pivot in range(size):
        for below in range(pivot + 1, size):
            ratio = rows[below][pivot] / rows[pivot][pivot]
            if ratio:
                rows[below] = [x - ratio * y for x, y in zip(rows[below], rows[pivot], strict=True)]
    solution = [0.0] * size
    for index in range(size - 1, -1, -1):
        rest = sum(rows[index][j] * solution[j] for j in range(index + 1, size))
        solution[index] = (rows[index][size] - rest) / rows[index][index]
    return solution
