"""The few functions that the time model needs beyond `+ - * /`, for floats or for arrays.

The model is written once. With `FLOATS` it computes one estimate in microseconds; given the `numpy`
module, which has the same names, it computes a whole grid or a table of runs at once.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

Array = Any
"""A float, or an array of floats."""


class Ops(Protocol):
    """Functions of one or two floats or arrays; the `numpy` module is one."""

    def exp(self, x: Array, /) -> Array:
        """e to the power x."""

    def log2(self, x: Array, /) -> Array:
        """Logarithm to base 2."""

    def minimum(self, x: Array, y: Array, /) -> Array:
        """The smaller of the two, element by element."""

    def maximum(self, x: Array, y: Array, /) -> Array:
        """The larger of the two, element by element."""


class _Floats:
    exp = staticmethod(math.exp)
    log2 = staticmethod(math.log2)

    @staticmethod
    def minimum(x: float, y: float, /) -> float:
        return x if x < y else y

    @staticmethod
    def maximum(x: float, y: float, /) -> float:
        return x if x > y else y


FLOATS: Ops = _Floats()
