"""From a steady rate to hours on the bill: the share of time that is useful work.

Restarts, checkpoints, evaluations and slow starts take time that a steady rate does not show. The
share falls with the size of the cluster, because one failure stops all of it. A run is either
quoted at its steady rate times this share, or with the penalty of whole published runs (which
contains it), never both.
"""

from __future__ import annotations

from itertools import pairwise

from costcalc.estimate.ops import FLOATS, Array, Ops

GOODPUT_POINTS = ((6.0, 0.95), (10.0, 0.92), (13.0, 0.88), (14.0, 0.85))
"""log2 of chips, useful share. Middle of published runs that give both a steady rate and the hours
charged: Llama 3.1 405B 0.89 on 16,384 chips, SmolLM3 0.98 on 384, Skywork 0.87 on 512, GLM-130B
0.78 on 768, BloombergGPT 0.74 on 512, Nemotron-4 15B 0.76 on 3,072 (model cards and papers,
2022-2025); Google's runtime goodput above 0.95 (cloud.google.com blog, 2024-04-10)."""

LOWEST_GOODPUT = 0.5


def goodput(chips: Array, ops: Ops = FLOATS) -> Array:
    """Useful share of the time on `chips` chips; never rises with their number.

    Straight lines through `GOODPUT_POINTS` in log2 of the chips, flat below the first, and the
    last slope beyond the last, down to `LOWEST_GOODPUT`.
    """
    size = ops.log2(chips)
    share: Array = GOODPUT_POINTS[0][1]
    for (x0, y0), (x1, y1) in pairwise(GOODPUT_POINTS):
        slope = (y1 - y0) / (x1 - x0)
        share = share + slope * (ops.minimum(ops.maximum(size, x0), x1) - x0)
    (x0, y0), (x1, y1) = GOODPUT_POINTS[-2:]
    share = share + (y1 - y0) / (x1 - x0) * (ops.maximum(size, x1) - x1)
    return ops.maximum(share, LOWEST_GOODPUT)
