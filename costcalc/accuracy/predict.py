"""What the time model says about a run whose rate was measured."""

from __future__ import annotations

from costcalc.accuracy.runs import TrainingCase
from costcalc.estimate.calibration import TrainingCalibration
from costcalc.estimate.throughput import slowest_stack
from costcalc.estimate.training import LONG_CONTEXT, STACKS_BEFORE, models_for
from costcalc.estimate.uncertainty import Kind


def seconds_per_token(case: TrainingCase, calibration: TrainingCalibration) -> float:
    """Chip-seconds per token: the steady time, or, for a billed run, the billed one.

    A steady rate is compared without goodput; the hours of a whole run with the whole-run factor,
    which contains it: never both.
    """
    work = (
        case.chips,
        case.batch_tokens,
        case.seq_len,
        3.0 * case.shape.score_flops(case.seq_len),
    )

    stacks = tuple(
        models_for(
            case.shape,
            case.chip,
            calibration,
            method=case.method,
            precision=case.precision,
            stack=stack,
            year=case.year,
        )
        for stack in (case.stack, *STACKS_BEFORE[case.stack])
    )
    seconds: float = slowest_stack(stacks, *work)
    return seconds


def kind_of(case: TrainingCase, clusters: int) -> Kind:
    """What decides the width of the interval for a run.

    Args:
        case: the run.
        clusters: independent groups of runs on chips of its family that the constants have seen.
    """
    return Kind(
        mixture=case.shape.is_moe,
        billed=case.stack == "whole-run",
        stack="tuned" if case.stack == "mlperf" else case.stack,
        frozen_base=case.method != "full" and case.stack != "mlperf",
        long_context=case.seq_len >= LONG_CONTEXT,
        four_bit=case.precision == "fp4",
        clusters=clusters,
        approximate=case.shape.approximate,
    )
