"""Figures that sum up predictions against measurements."""

from __future__ import annotations

import math
from collections.abc import Sequence


def abs_pct_error(log_ratio: float) -> float:
    """|predicted / measured - 1| in percent, from the logarithm of that ratio."""
    return 100.0 * abs(math.expm1(log_ratio))


def quantile(values: Sequence[float], share: float) -> float:
    """The `share` quantile with linear interpolation (as NumPy's default); NaN without values."""
    ordered = sorted(values)
    if not ordered:
        return math.nan
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def rounded(value: float | None, digits: int = 4) -> float | None:
    """A figure for JSON: None where there is none."""
    if value is None or not math.isfinite(value):
        return None
    return round(value, digits)
