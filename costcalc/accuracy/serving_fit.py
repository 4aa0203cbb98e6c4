"""Fits the constants of the serving model to measurements. Needs NumPy.

Penalised robust least squares on logarithms, as for training: Levenberg-Marquardt steps over all
constants together. Each has a weak prior around a value that physics or the literature suggests; an
engine's own factors are drawn towards those that all engines share, more strongly the fewer rows it
has. Rows of one group (model, accelerator) share a weight, far outliers count less, and no
randomness is used: the same rows give the same constants.

The step, prefill and load formulas are those of `costcalc.estimate`, on arrays.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from costcalc.accuracy.serving_options import options
from costcalc.accuracy.serving_rows import METRICS, ServingCase
from costcalc.estimate.decode import step_seconds
from costcalc.estimate.prefill import lone_prompt_seconds, prefill_seconds
from costcalc.estimate.serving_calibration import MAX_SHARE, EngineConstants
from costcalc.estimate.serving_load import (
    loaded_first_token,
    lone_first_token,
    request_rate,
    static_rate,
    token_seconds,
)
from costcalc.estimate.serving_numbers import ReplicaNumbers, WorkNumbers

Floats = NDArray[np.float64]

OPEN_SHARE = 0.95
"""Share of the saturated rate in an open system: published server runs reach 93 to 98 % of the same
system's offline rate where latency does not bind."""


@dataclass(frozen=True, slots=True)
class Prior:
    """Where a constant starts and how far its logarithm may wander."""

    value: float
    sd: float
    reason: str


SHARED = {
    "fixed_s": Prior(2.4e-3, 0.7, "two-parameter fits of small batches: 1.8 to 7.6 ms"),
    "mixture_layer_s": Prior(35e-6, 0.7, "routing and grouping kernels"),
    "collective_s": Prior(47e-6, 0.7, "all-reduce latency, 10 to 100 us with its launch"),
    "sequence_s": Prior(39e-6, 0.7, "scheduling, sampling and detokenising on the host"),
    "prompt_s": Prior(13e-3, 0.7, "tokenising, scheduling, streaming of a first token"),
    "link_decode_share": Prior(0.54, 0.7, "bus bandwidth of all-reduces of some MB"),
    "link_prefill_share": Prior(0.7, 0.5, "bus bandwidth of large all-reduces"),
    "expert_decode_power": Prior(0.42, 0.7, "grouped matmuls of small experts"),
    "expert_prefill_power": Prior(0.79, 0.7, "grouped matmuls of small experts"),
    "eight_gain": Prior(0.92, 0.7, "quantisation of activations"),
    "four_gain": Prior(0.83, 0.7, "quantisation of activations"),
    "eight_read": Prior(1.0, 0.3, "block-scaled experts"),
    "four_read": Prior(1.0, 0.3, "block-scaled experts"),
    "interference": Prior(0.72, 0.5, "chunked prefill delays running sequences"),
    "gap_interference": Prior(0.10, 0.7, "the median gap hides most of it"),
    "first_prompt": Prior(1.3, 0.4, "chunking, batching with others"),
    "first_steps": Prior(2.0, 0.5, "the step that runs, and the one that computes the prompt"),
    "first_wave": Prior(0.5, 0.7, "runs that start with all users at once"),
    "attention_decode_share": Prior(0.4, 0.5, "absorbed MLA kernels"),
    "attention_prefill_ratio": Prior(0.8, 0.4, "FlashAttention against matmuls"),
    "tail": Prior(1.2, 0.1, "published p99 over p50 of time per token: 1.05 to 1.46"),
}
ENGINE = {
    "bandwidth_share": (Prior(0.78, 0.5, "dense models at small batches: 0.5 to 0.85"), 0.25),
    "decode_share": (Prior(0.6, 0.5, "skinny matmuls"), 0.4),
    "prefill_share": (Prior(0.45, 0.5, "maximum-throughput runs: 0.15 to 0.65"), 0.4),
    "overhead": (Prior(1.0, 0.5, "an engine's fixed times over the shared ones"), 0.5),
    "sequence_overhead": (Prior(1.0, 0.5, "its host time per sequence"), 0.7),
    "first_factor": (Prior(1.0, 0.5, "its time to first token"), 0.8),
}
"""Factors that differ by engine: the shared level, and how far an engine may differ from it."""

STRENGTH = 0.08
"""Weight of the priors against one row."""
OUTLIER = {"tpot_ms": 0.25, "ttft_ms": 0.12, "output_tokens_per_second": 0.25}
WEIGHT = {"tpot_ms": 1.0, "ttft_ms": 0.4, "output_tokens_per_second": 1.0}
LIMITED_WEIGHT = 0.3
"""Time per token of a run at its limits says little: rate and time are steep against each other."""
GROUP_POWER = -0.25
_STEPS = 25
_TRIES = 9
_LARGEST_STEP = 0.7
_GRID = 20


@dataclass(frozen=True, slots=True)
class Fitted:
    """Constant sets by name, and the vector behind them."""

    engines: Mapping[str, EngineConstants]
    vector: Floats


class Table:
    """Cases as arrays, one entry per case and layout that may have served it."""

    def __init__(self, cases: Sequence[ServingCase]) -> None:
        self.cases = list(cases)
        self.names = sorted({case.engine for case in cases})
        self.engine = np.array([self.names.index(case.engine) for case in cases])
        replicas: dict[str, list[float]] = {f.name: [] for f in fields(ReplicaNumbers)}
        work: dict[str, list[float]] = {f.name: [] for f in fields(WorkNumbers)}
        owner: list[int] = []
        limits: list[float] = []
        data: list[float] = []
        self.starts = [0]
        for index, case in enumerate(cases):
            for layout, numbers, each, limit in options(case):
                for name, column in replicas.items():
                    column.append(float(getattr(numbers, name)))
                for name, column in work.items():
                    column.append(float(getattr(each, name)))
                owner.append(index)
                limits.append(limit)
                data.append(float(layout.data))
            self.starts.append(len(owner))
        self.replica = ReplicaNumbers(**{k: np.array(v) for k, v in replicas.items()})
        self.work = WorkNumbers(**{k: np.array(v) for k, v in work.items()})
        self.owner = np.array(owner)
        self.limit = np.array(limits)
        self.data = np.array(data)
        self.entry_engine = self.engine[self.owner]

        def flag(test: Callable[[ServingCase], bool]) -> NDArray[np.bool_]:
            return np.asarray(np.array([test(case) for case in cases])[self.owner])

        self.users = np.array([case.users for case in cases])[self.owner] / self.data
        self.batch = np.maximum(np.minimum(self.users, self.limit), 1.0)
        self.static = flag(lambda case: case.load == "static")
        self.burst = flag(lambda case: case.load == "burst")
        self.gaps = flag(lambda case: case.gaps)
        self.mean = flag(lambda case: case.mean_first)
        self.limited = flag(lambda case: case.load == "limits")
        self.total_users = np.array([case.users for case in cases])[self.owner]
        chosen = np.nonzero(self.limited)[0]
        self.chosen = chosen
        span = np.linspace(0.0, 1.0, _GRID)[None, :]
        self.grid = np.exp(span * np.log(np.maximum(self.limit[chosen][:, None], 1.0001)))
        self.grid_replica = ReplicaNumbers(
            **{
                f.name: getattr(self.replica, f.name)[chosen][:, None]
                for f in fields(ReplicaNumbers)
            }
        )
        self.grid_work = WorkNumbers(
            **{f.name: getattr(self.work, f.name)[chosen][:, None] for f in fields(WorkNumbers)}
        )
        both = np.array([case.limits_s for case in cases])[self.owner][chosen]
        self.first_limit, self.token_limit = both[:, 0][:, None], both[:, 1][:, None]
        self.measured = {metric: np.full(len(cases), np.nan) for metric in METRICS}
        for index, case in enumerate(cases):
            if case.load == "open":
                continue
            for metric, value in case.measured:
                self.measured[metric][index] = math.log(value)
        sizes = Counter(case.group for case in cases)
        self.scale = np.array([sizes[case.group] for case in cases], dtype=float) ** GROUP_POWER
        self.limited_case = np.array([case.load == "limits" for case in cases])

    def predict(self, constants: EngineConstants, grid: EngineConstants) -> dict[str, Floats]:
        """Figures of every case, on the layout with the highest rate."""
        k, r, w = constants, self.replica, self.work
        prefill = prefill_seconds(r, w, k, np)
        lone = lone_prompt_seconds(r, k, prefill, np)
        step = step_seconds(r, w, k, self.batch, np)
        out = w.output_tokens
        rate: Floats = np.asarray(
            np.where(
                self.static,
                static_rate(lone, prefill, step, out, self.batch),
                request_rate(prefill, step, out, self.batch),
            ),
            dtype=np.float64,
        )
        busy = np.minimum(self.data, np.maximum(self.total_users, 1.0))
        total = rate * busy * out
        token = np.where(
            self.static,
            step,
            np.where(
                self.gaps,
                step + k.gap_interference * (self.batch - 1.0) * prefill / out,
                token_seconds(k, step, prefill, out, self.batch),
            ),
        )
        first = self._first(k, lone, prefill, token, rate)
        if len(self.chosen):
            self._limited(grid, total, token, first)
        best = np.array(
            [
                begin + int(np.argmax(total[begin:end]))
                for begin, end in zip(self.starts[:-1], self.starts[1:], strict=True)
            ]
        )
        return {
            "tpot_ms": token[best],
            "ttft_ms": first[best],
            "output_tokens_per_second": total[best],
        }

    def _first(
        self, k: EngineConstants, lone: Floats, prefill: Floats, token: Floats, rate: Floats
    ) -> Floats:
        share = np.minimum(rate * prefill, 0.95)
        places = np.minimum(np.maximum(self.users - self.batch, 0.0), 1000.0) / rate
        queue = np.where(
            self.mean,
            k.first_wave * (np.minimum(self.users, self.batch) - 1.0) * prefill,
            share * prefill / (2.0 * (1.0 - share)),
        )
        loaded = loaded_first_token(k, lone, token, places + queue)
        alone = lone_first_token(k, lone)
        ahead = (np.minimum(self.users, 1e3) - 1.0) / 2.0 * prefill
        burst = alone + k.first_factor * (ahead + places / 2.0)
        static = alone + k.first_factor * (self.batch - 1.0) * prefill
        found = np.where(self.users <= 1.5, alone, loaded)
        return np.asarray(np.where(self.static, static, np.where(self.burst, burst, found)))

    def _limited(self, k: EngineConstants, total: Floats, token: Floats, first: Floats) -> None:
        r, w, grid = self.grid_replica, self.grid_work, self.grid
        prefill = prefill_seconds(r, w, k, np)
        lone = lone_prompt_seconds(r, k, prefill, np)
        step = step_seconds(r, w, k, grid, np)
        rate = request_rate(prefill, step, w.output_tokens, grid)
        each = token_seconds(k, step, prefill, w.output_tokens, grid)
        share = np.minimum(rate * prefill, 0.98)
        mean = share * prefill / (2.0 * (1.0 - share))
        tail = prefill / (2.0 * (1.0 - share)) * np.log(np.maximum(100.0 * share, 1.0))
        half = loaded_first_token(k, lone, each, mean)
        most = loaded_first_token(k, lone, each + each / k.first_steps, np.maximum(mean, tail))
        over = np.log(np.maximum(k.tail * each / self.token_limit, most / self.first_limit))
        over = np.maximum.accumulate(over, axis=1)
        count = over.shape[1]
        high = np.clip((over < 0).sum(axis=1), 1, count - 1)
        row = np.arange(len(over))
        below, above = over[row, high - 1], over[row, high]
        part = np.where(above > below, -below / np.maximum(above - below, 1e-9), 1.0)
        part = np.clip(part, 0.0, 1.0)

        def at(values: Floats) -> Floats:
            low_end, high_end = np.log(values[row, high - 1]), np.log(values[row, high])
            return np.asarray(np.exp(low_end * (1.0 - part) + high_end * part))

        # beyond its limits even alone: the further, the less (keeps the fit smooth)
        penalty = np.where(over[:, 0] > 0, np.exp(-over[:, 0]), 1.0)
        usable = np.minimum(at(rate) * penalty, np.ravel(k.open_share) * rate.max(axis=1))
        total[self.chosen] = usable * self.data[self.chosen] * self.work.output_tokens[self.chosen]
        token[self.chosen] = at(each)
        first[self.chosen] = at(half)


class Fitter:
    """Fits a table, or parts of it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.shared = list(SHARED)
        self.levels = list(ENGINE)
        self.engines = len(table.names)
        self.heads = len(self.shared) + len(self.levels)
        self.middle = np.concatenate(
            [
                [math.log(prior.value) for prior in SHARED.values()],
                [math.log(prior.value) for prior, _ in ENGINE.values()],
                np.zeros(len(self.levels) * self.engines),
            ]
        )
        self.spread = np.concatenate(
            [
                [prior.sd for prior in SHARED.values()],
                [prior.sd for prior, _ in ENGINE.values()],
                np.repeat([sd for _, sd in ENGINE.values()], self.engines),
            ]
        )

    def constants(self, vector: Floats, engine: Floats | int | None = None) -> EngineConstants:
        """The set of an engine, of every entry of an index array, or the shared level (None)."""
        shared = {name: np.exp(vector[index]) for index, name in enumerate(self.shared)}
        own = {}
        for index, name in enumerate(self.levels):
            level = vector[len(self.shared) + index]
            start = self.heads + index * self.engines
            offset = 0.0 if engine is None else vector[start : start + self.engines][engine]
            own[name] = np.exp(level + offset)
        overhead = own["overhead"]
        prefill = np.minimum(own["prefill_share"], MAX_SHARE)
        return EngineConstants(
            fixed_s=shared["fixed_s"] * overhead,
            mixture_layer_s=shared["mixture_layer_s"] * overhead,
            collective_s=shared["collective_s"] * overhead,
            sequence_s=shared["sequence_s"] * own["sequence_overhead"],
            prompt_s=shared["prompt_s"] * overhead,
            bandwidth_share=np.minimum(own["bandwidth_share"], MAX_SHARE),
            decode_share=np.minimum(own["decode_share"], MAX_SHARE),
            prefill_share=prefill,
            attention_decode_share=shared["attention_decode_share"],
            attention_prefill_share=prefill * shared["attention_prefill_ratio"],
            link_decode_share=shared["link_decode_share"],
            link_prefill_share=shared["link_prefill_share"],
            eight_gain=shared["eight_gain"],
            four_gain=shared["four_gain"],
            eight_read=shared["eight_read"],
            four_read=shared["four_read"],
            expert_decode_power=shared["expert_decode_power"],
            expert_prefill_power=shared["expert_prefill_power"],
            interference=shared["interference"],
            gap_interference=shared["gap_interference"],
            first_prompt=shared["first_prompt"],
            first_steps=shared["first_steps"],
            first_wave=shared["first_wave"],
            first_factor=own["first_factor"],
            tail=shared["tail"],
            open_share=OPEN_SHARE,
        )

    def predict(self, vector: Floats) -> dict[str, Floats]:
        """Figures of every case of the table."""
        table = self.table
        whole = self.constants(vector, table.entry_engine)
        grid = self.constants(vector, table.entry_engine[table.chosen][:, None])
        return table.predict(whole, grid)

    def fit(self, rows: NDArray[np.bool_], *, pooled: bool = False) -> Fitted:
        """Constants from the cases where `rows` is true.

        Args:
            rows: which cases to use.
            pooled: one set for all engines, called `unknown`.
        """
        table = self.table
        used = {m: rows & ~np.isnan(values) for m, values in table.measured.items()}
        limited = np.where(table.limited_case, LIMITED_WEIGHT, 1.0)
        weight = np.concatenate(
            [
                WEIGHT[m] * table.scale[k] * (limited[k] if m == "tpot_ms" else 1.0)
                for m, k in used.items()
            ]
        )
        outlier = np.concatenate([np.full(int(k.sum()), OUTLIER[m]) for m, k in used.items()])
        engine = np.concatenate([table.engine[k] for k in used.values()])
        member = engine[:, None] == np.arange(self.engines)[None, :]
        spread = self.spread.copy()
        if pooled:
            spread[self.heads :] = 1e-4
        pull = (STRENGTH / spread) ** 2

        def residuals(vector: Floats) -> Floats:
            found = self.predict(vector)
            return np.concatenate(
                [np.log(found[m][k]) - table.measured[m][k] for m, k in used.items()]
            )

        def cost(r: Floats, vector: Floats) -> float:
            robust = 2.0 * outlier**2 * (np.sqrt(1.0 + (r / outlier) ** 2) - 1.0)
            return float((weight**2 * robust).sum() + (pull * (vector - self.middle) ** 2).sum())

        vector = self.middle.copy()
        r = residuals(vector)
        best = cost(r, vector)
        damping = 1e-2
        for _ in range(_STEPS):
            slopes = np.zeros((len(r), len(vector)))
            for column in range(self.heads):
                shifted = vector.copy()
                shifted[column] += 1e-3
                slope = (residuals(shifted) - r) / 1e-3
                slopes[:, column] = slope
                if column >= len(self.shared):
                    start = self.heads + (column - len(self.shared)) * self.engines
                    slopes[:, start : start + self.engines] = slope[:, None] * member
            importance = weight**2 / np.sqrt(1.0 + (r / outlier) ** 2)
            curvature = slopes.T @ (importance[:, None] * slopes) + np.diag(pull)
            gradient = slopes.T @ (importance * r) + pull * (vector - self.middle)
            step = None
            for _ in range(_TRIES):
                step = -np.linalg.solve(curvature + damping * np.diag(np.diag(curvature)), gradient)
                step = np.clip(step, -_LARGEST_STEP, _LARGEST_STEP)
                trial = residuals(vector + step)
                reached = cost(trial, vector + step)
                if reached < best:
                    break
                damping *= 6.0
                step = None
            if step is None:
                break
            gained = best - reached
            vector, r, best = vector + step, trial, reached
            damping = max(damping / 5.0, 1e-6)
            if gained < 1e-4 * best:
                break
        return Fitted(self._sets(vector, pooled=pooled), vector)

    def _sets(self, vector: Floats, *, pooled: bool) -> dict[str, EngineConstants]:
        if pooled:
            return {"unknown": _floats(self.constants(vector))}
        return {
            name: _floats(self.constants(vector, index))
            for index, name in enumerate(self.table.names)
            if name != "unknown"
        }


def _floats(constants: EngineConstants) -> EngineConstants:
    return EngineConstants(
        **{
            field.name: float(f"{float(getattr(constants, field.name)):.6g}")
            for field in fields(EngineConstants)
        }
    )
