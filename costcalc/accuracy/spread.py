"""Fits the width of the interval to residuals of runs that the constants had not seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from costcalc.estimate.calibration import SpreadConstants
from costcalc.estimate.uncertainty import INTERVAL, Kind, spread

FEATURES = (
    "mixture",
    "billed",
    "default",
    "out_of_box",
    "frozen",
    "long_context",
    "four_bit",
    "thin",
)
NEW_SOURCE = 1.1
"""A user is always a new source, with a stack and a way to count of their own: every interval is a
tenth wider than the residuals alone ask for."""
_PULL = 4.0
"""Rows' worth of evidence that a kind of work spreads like all others."""
_SMALLEST = 0.02
"""Residuals below this are luck, not precision."""


@dataclass(frozen=True, slots=True)
class Residual:
    """One held-out run: logarithm of measured over predicted time, and its kind."""

    value: float
    kind: Kind


def features(kind: Kind) -> list[float]:
    """The numbers of `FEATURES` for a kind of run."""
    return [
        float(kind.mixture or kind.approximate),
        float(kind.billed),
        float(kind.stack == "default"),
        float(kind.stack == "out-of-box"),
        float(kind.frozen_base),
        float(kind.long_context),
        float(kind.four_bit),
        1.0 / (1.0 + kind.clusters),
    ]


def fit_spread(residuals: Sequence[Residual]) -> SpreadConstants:
    """Width constants from held-out residuals.

    Ridge regression of the logarithm of the residual's size on what kind of run it is; then the
    10 % and 90 % quantiles of the residuals over that size, so that the interval need not be
    symmetric.
    """
    design = np.array([[1.0, *features(r.kind)] for r in residuals])
    target = np.log(np.maximum(np.abs([r.value for r in residuals]), _SMALLEST))
    pull = np.full(design.shape[1], _PULL)
    pull[0] = 0.0
    solved = np.linalg.solve(design.T @ design + np.diag(pull), design.T @ target)
    values = dict(zip(FEATURES, (max(float(v), 0.0) for v in solved[1:]), strict=True))
    constants = SpreadConstants(
        base=float(solved[0]), **values, low=-1.0, high=1.0, new_source=NEW_SOURCE
    )
    scaled = np.array([r.value / spread(r.kind, constants) for r in residuals])
    tail = (1.0 - INTERVAL) / 2.0
    low, high = np.quantile(scaled, [tail, 1.0 - tail])
    return SpreadConstants(
        base=float(solved[0]),
        **values,
        low=min(float(low), -_SMALLEST),
        high=max(float(high), _SMALLEST),
        new_source=NEW_SOURCE,
    )


def holds(value: float, kind: Kind, constants: SpreadConstants) -> bool:
    """Whether the interval of a run holds a residual."""
    width = spread(kind, constants) * constants.new_source
    return constants.low * width <= value <= constants.high * width


def coverage(residuals: Sequence[Residual], constants: SpreadConstants) -> float:
    """Share of the residuals that their intervals hold; NaN without any."""
    if not residuals:
        return math.nan
    return sum(holds(r.value, r.kind, constants) for r in residuals) / len(residuals)
