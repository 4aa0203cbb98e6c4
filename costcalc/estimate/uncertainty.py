"""How wide an estimate is: an 80 % interval from runs that the constants had not seen.

Residuals of held-out groups of published runs differ by kind of work: routed experts, bills of
whole runs, stacks that nobody tuned and chips with few measurements spread more. The width is a
standard residual per kind (fitted, `SpreadConstants`) times the quantiles of the standardised
residuals, a little wider again for every quote, because a user is always a new source.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from costcalc.estimate.calibration import SpreadConstants

INTERVAL = 0.8
"""Share of the runs that the interval is to hold."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What decides the width of an estimate."""

    mixture: bool
    billed: bool
    stack: str
    frozen_base: bool
    long_context: bool
    four_bit: bool
    clusters: int
    approximate: bool = False


def spread(kind: Kind, k: SpreadConstants) -> float:
    """Standard residual of the logarithm of the time."""
    log_spread = k.base + k.thin / (1.0 + kind.clusters)
    if kind.mixture or kind.approximate:
        log_spread += k.mixture
    if kind.billed:
        log_spread += k.billed
    if kind.stack == "default":
        log_spread += k.default
    elif kind.stack == "out-of-box":
        log_spread += k.out_of_box
    if kind.frozen_base:
        log_spread += k.frozen
    if kind.long_context:
        log_spread += k.long_context
    if kind.four_bit:
        log_spread += k.four_bit
    return math.exp(log_spread)


def factors(kind: Kind, k: SpreadConstants, *, new_source: bool = True) -> tuple[float, float]:
    """Factors from the middle time to the low and the high end of the interval.

    Args:
        kind: the work.
        k: fitted constants.
        new_source: False only to score runs whose source is among the fitted ones.
    """
    s = spread(kind, k) * (k.new_source if new_source else 1.0)
    return math.exp(k.low * s), math.exp(k.high * s)
