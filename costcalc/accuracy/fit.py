"""Fits the constants of the time model to a table of runs. The only module that needs NumPy.

Penalised robust least squares on the logarithm of the time: Gauss-Newton steps over the constants
and the chips' effects together. Each constant has a weak prior around a value that physics or the
literature suggests; each effect is drawn towards zero, more strongly the fewer rows show it. Rows
of one cluster are near-duplicates and share a weight that grows with the fourth root of their
number short of it; far outliers count less (pseudo-Huber). No randomness: the same rows give the
same constants.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costcalc.accuracy.runs import TrainingCase
from costcalc.estimate.calibration import LOW_FLOATS, effect_names
from costcalc.estimate.step import (
    StepConstants,
    StepInputs,
    chip_numbers,
    shape_numbers,
    step_model,
)
from costcalc.estimate.training import stack_flags

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Prior:
    """Where a constant starts and how far it may wander.

    Attributes:
        value: starting point and middle of the prior.
        sd: standard deviation, of the logarithm for a positive constant.
        positive: the constant is a rate, share or cost that cannot change sign.
        reason: where value and width come from.
    """

    value: float
    sd: float
    positive: bool
    reason: str


PRIORS = {
    "matmul_share": Prior(0.60, 0.3, True, "best reported MFU over best measured matmul"),
    "low_gain": Prior(0.85, 0.2, False, "transformer layers keep some work in bf16"),
    "four_bit_gain": Prior(0.46, 0.2, False, "NVFP4 trains 1.2 to 1.5 x as fast as FP8"),
    "integer_gain": Prior(0.4, 0.2, False, "int8 training (AQT) is 1.2 to 1.4 x as fast as bf16"),
    "head_cost": Prior(1.5, 0.5, True, "softmax and loss move fp32 numbers besides the matmul"),
    "attention_share": Prior(0.41, 0.4, True, "FlashAttention-2 and -3 papers, backward included"),
    "attention_untuned_log": Prior(0.54, 0.4, False, "older attention kernels"),
    "fixed_s": Prior(126e-6, 0.7, True, "tens of kernels and several collectives per layer"),
    "split_bytes": Prior(20.0, 1.0, True, "a few 2-byte activations each way and layer"),
    "routed_bytes": Prior(2.4, 1.0, True, "two activations each way, partly hidden"),
    "sharding_share": Prior(0.24, 0.7, True, "most of the traffic is overlapped"),
    "tensor_bytes": Prior(112.0, 0.7, True, "Korthikanti et al. 2022, all-gathers per layer"),
    "default_log": Prior(0.09, 0.1, False, "a tenth slower than a vendor's recipe"),
    "out_of_box_log": Prior(0.94, 0.5, False, "2 to 3 times slower, few rows"),
    "untuned_size_log": Prior(0.0, 0.1, False, "none known"),
    "billed_log": Prior(0.46, 0.3, False, "restarts, evaluations and old stacks on the bill"),
    "mixture_log": Prior(0.5, 0.4, False, "routing, imbalance, small matmuls"),
    "mixture_size_log": Prior(-0.15, 0.1, False, "larger experts fill the chip better"),
    "mixture_experts_log": Prior(0.16, 0.15, False, "more experts, more traffic"),
    "mixture_four_bit_log": Prior(0.36, 0.2, False, "fp4 buys a mixture little"),
    "low_year_log": Prior(-0.08, 0.1, False, "low-precision kernels still improve"),
}
EFFECT_SD = {
    "vendor": 0.15,
    "family": 0.15,
    "vendor_low": 0.10,
    "family_low": 0.10,
    "family_mixture": 0.15,
    "family_stack": 0.10,
}
"""Standard deviation of each kind of chip effect; halving or doubling any of them changes the
cross-validated median by less than 0.5 points."""

OUTLIER = 0.10
"""Residual (logarithm) beyond which a row's weight falls."""
CLUSTER_POWER = -0.25
NOISE = 0.12
"""Residual of a single row that the effects' priors are weighed against."""
_STEPS = 12
_LARGEST_STEP = 0.5
_SETTLED = 1e-5
_SHIFT = 1e-5


@dataclass(frozen=True, slots=True)
class Table:
    """Runs as arrays, one value per row."""

    inputs: StepInputs
    chips: Floats
    batch: Floats
    seq_len: Floats
    attention: Floats
    log_time: Floats
    effects: Floats
    names: tuple[str, ...]
    scale: Floats

    def rows(self, chosen: NDArray[np.bool_]) -> Table:
        """The part of the table where `chosen` is true."""
        inputs = StepInputs(
            **{f.name: getattr(self.inputs, f.name)[chosen] for f in fields(StepInputs)}
        )
        return Table(
            inputs,
            self.chips[chosen],
            self.batch[chosen],
            self.seq_len[chosen],
            self.attention[chosen],
            self.log_time[chosen],
            self.effects[chosen],
            self.names,
            self.scale[chosen],
        )


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a fit gives: constants, effects, and the vectors to start a similar fit from."""

    constants: StepConstants
    effects: dict[str, float]
    vector: Floats


def table_of(cases: Sequence[TrainingCase], shares: dict[str, float], year: float) -> Table:
    """The cases as arrays.

    Args:
        cases: runs with a measured rate.
        shares: matmul share by chip family, see `TrainingCalibration.matmul_shares`.
        year: date of the calibration; later software counts as of that day.
    """
    columns: dict[str, list[float]] = {f.name: [] for f in fields(StepInputs)}
    names: dict[str, int] = {}
    rows: list[list[int]] = []
    for case in cases:
        numbers: dict[str, Any] = {
            **shape_numbers(case.shape, case.method),
            **chip_numbers(case.chip, case.precision, shares),
            **stack_flags(case.stack),
            "year": min(case.year, year),
        }
        for name, column in columns.items():
            column.append(float(numbers[name]))
        found = effect_names(
            case.chip.vendor,
            case.chip.family,
            low=case.precision in LOW_FLOATS,
            mixture=case.shape.is_moe,
            stack=case.stack,
        )
        rows.append(
            [
                names.setdefault(name, len(names))
                for name in found
                if name.partition(":")[0] in EFFECT_SD
            ]
        )
    design = np.zeros((len(cases), len(names)))
    for index, marks in enumerate(rows):
        design[index, marks] = 1.0
    sizes = Counter(case.cluster for case in cases)
    return Table(
        StepInputs(**{name: np.array(column) for name, column in columns.items()}),
        np.array([case.chips for case in cases]),
        np.array([case.batch_tokens for case in cases]),
        np.array([case.seq_len for case in cases]),
        np.array([3.0 * case.shape.score_flops(case.seq_len) for case in cases]),
        -np.log(np.array([case.measured for case in cases])),
        design,
        tuple(names),
        np.array([sizes[case.cluster] for case in cases], dtype=float) ** CLUSTER_POWER,
    )


def fit(table: Table, start: Fitted | None = None) -> Fitted:
    """Constants and effects of a table.

    Args:
        table: the runs.
        start: a fit of a similar table with the same effects, to begin from.
    """
    names = fields(StepConstants)
    priors = [PRIORS[field.name] for field in names]
    count = len(priors)
    middle = np.array([math.log(p.value) if p.positive else p.value for p in priors])
    effects = len(table.names)
    pull = np.concatenate(
        [
            np.array([p.sd**-2 for p in priors]),
            np.array([EFFECT_SD[name.partition(":")[0]] ** -2 for name in table.names]),
        ]
    )
    centre = np.concatenate([middle, np.zeros(effects)])
    vector = centre.copy() if start is None else start.vector.copy()
    base_weight = table.scale**2 / NOISE**2
    # logarithms of factors enter the logarithm of the time as they are: one slope for all steps
    linear = [f.name.endswith("_log") and f.name != "attention_untuned_log" for f in names]
    design = np.hstack([np.empty((len(table.log_time), count)), table.effects])
    for number in range(_STEPS):
        predicted = _log_time(table, vector[:count])
        residual = table.log_time - predicted - table.effects @ vector[count:]
        for column in range(count):
            if number and linear[column]:
                continue
            shifted = vector[:count].copy()
            shifted[column] += _SHIFT
            design[:, column] = (_log_time(table, shifted) - predicted) / _SHIFT
        weight = base_weight / np.sqrt(1.0 + (residual * table.scale / OUTLIER) ** 2)
        curvature = design.T @ (design * weight[:, None])
        curvature[np.diag_indices(count + effects)] += pull
        gradient = design.T @ (weight * residual) - pull * (vector - centre)
        step = np.linalg.solve(curvature, gradient)
        np.clip(step, -_LARGEST_STEP, _LARGEST_STEP, out=step)
        vector = vector + step
        if float(np.max(np.abs(step))) < _SETTLED:
            break
    return Fitted(
        _constants(vector[:count]),
        {name: float(vector[count + i]) for i, name in enumerate(table.names)},
        vector,
    )


def _constants(vector: Floats) -> StepConstants:
    values = {}
    for field, value in zip(fields(StepConstants), vector, strict=True):
        prior = PRIORS[field.name]
        values[field.name] = math.exp(value) if prior.positive else float(value)
    return StepConstants(**values)


def _log_time(table: Table, vector: Floats) -> Floats:
    model = step_model(table.inputs, _constants(vector), 0.0, np)
    time: Floats = model.seconds_per_token(
        table.chips, table.batch, table.seq_len, table.attention, np
    )
    return np.log(time)
