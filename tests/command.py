"""The command line as tests run it: a subprocess with a status and two streams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """What a run of the command line left behind."""

    status: int
    out: str
    err: str


Run = Callable[..., Result]
