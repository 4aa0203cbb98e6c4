"""The layouts on which a measurement may have run, with the numbers of each."""

from __future__ import annotations

from typing import NamedTuple

from costcalc.accuracy.serving_rows import ServingCase
from costcalc.estimate.serving_layout import ServingLayout
from costcalc.estimate.serving_memory import batch_limit, sequences_that_fit
from costcalc.estimate.serving_numbers import (
    ReplicaNumbers,
    WorkNumbers,
    replica_numbers,
    work_numbers,
)


class Option(NamedTuple):
    """One layout: its numbers, and the most sequences that a copy runs at once."""

    layout: ServingLayout
    numbers: ReplicaNumbers
    work: WorkNumbers
    limit: float


def options(case: ServingCase) -> list[Option]:
    """Layouts that hold the model; when none seems to, the widest with one sequence: it ran."""
    found = []
    for layout in case.layouts:
        fitting = sequences_that_fit(
            case.architecture,
            case.chip,
            case.weights,
            layout,
            context=case.input_tokens + case.output_tokens / 2.0,
            kv_bytes=case.kv_bytes,
        )
        if fitting >= 1.0 or len(case.layouts) == 1:
            found.append(_option(case, layout, max(batch_limit(layout, fitting), 1.0)))
    return found or [_option(case, max(case.layouts, key=lambda each: each.chips), 1.0)]


def _option(case: ServingCase, layout: ServingLayout, limit: float) -> Option:
    return Option(
        layout,
        replica_numbers(case.architecture, case.chip, case.weights, layout),
        work_numbers(
            case.architecture,
            layout,
            input_tokens=case.input_tokens,
            output_tokens=case.output_tokens,
            kv_bytes=case.kv_bytes,
        ),
        limit,
    )
