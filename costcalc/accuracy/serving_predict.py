"""Predicts a measurement with the formulas that estimates use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from costcalc.accuracy.serving_options import Option, options
from costcalc.accuracy.serving_rows import UNLIMITED, ServingCase
from costcalc.estimate.decode import floor_seconds
from costcalc.estimate.prefill import floor_prefill_seconds
from costcalc.estimate.serving_calibration import EngineConstants
from costcalc.estimate.serving_load import (
    Copy,
    Point,
    burst_first_token_s,
    loaded_first_token,
    lone_first_token,
    static_rate,
)

BENCHMARK_REQUESTS = 1000.0
"""Requests of an open-loop run, which end it when more arrive than are served: the default of
vLLM's benchmark, and what the published runs used."""
TOLERANCE = 1.02
"""Rounding of published figures, in the checks against physics."""


@dataclass(frozen=True, slots=True)
class _Figures:
    token_s: float
    first_s: float
    tokens_per_s: float


def predict(case: ServingCase, engines: Mapping[str, EngineConstants]) -> dict[str, float] | None:
    """Time per token and to first token in seconds, tokens per second; by metric name.

    Among the layouts that may have run, the one with the highest rate counts. None when the
    engine's constants are not there.
    """
    k = engines.get(case.engine) or engines.get("unknown")
    if k is None:
        return None
    best: _Figures | None = None
    for layout, numbers, work, limit in options(case):
        copy = Copy(numbers, work, k, limit=limit)
        found = _figures(case, copy, float(layout.data))
        if best is None or found.tokens_per_s > best.tokens_per_s:
            best = found
    assert best is not None
    return {
        "tpot_ms": best.token_s,
        "ttft_ms": best.first_s,
        "output_tokens_per_second": best.tokens_per_s,
    }


def _figures(case: ServingCase, copy: Copy, data: float) -> _Figures:
    kinds = {"static": _static, "limits": _limits, "open": _open}
    return kinds.get(case.load, _closed)(case, copy, data)


def _static(case: ServingCase, copy: Copy, data: float) -> _Figures:
    batch = max(min(case.users / data, copy.limit), 1.0)
    point = copy.at(batch)
    rate = float(
        static_rate(point.lone_s, point.prefill_s, point.step_s, case.output_tokens, batch)
    )
    first = lone_first_token(copy.k, point.lone_s)
    first += copy.k.first_factor * (batch - 1.0) * point.prefill_s
    return _Figures(point.step_s, float(first), rate * data * case.output_tokens)


def _token(case: ServingCase, copy: Copy, point: Point) -> float:
    if not case.gaps:
        return point.token_s
    others = (point.batch - 1.0) * point.prefill_s / case.output_tokens
    return point.step_s + float(copy.k.gap_interference) * others


def _closed(case: ServingCase, copy: Copy, data: float) -> _Figures:
    users = case.users / data
    point = copy.closed(users)
    busy = min(data, max(case.users, 1.0))
    places = min(max(users - point.batch, 0.0), 1000.0) / point.rate
    token = _token(case, copy, point)
    if case.load == "burst":
        first = burst_first_token_s(copy.k, point.lone_s, point.prefill_s, min(users, 1e3), places)
    elif users <= 1.5:
        first = float(lone_first_token(copy.k, point.lone_s))
    else:
        share = min(point.prompt_share, 0.95)
        queue = share * point.prefill_s / (2.0 * (1.0 - share))
        if case.mean_first:
            ahead = min(users, point.batch) - 1.0
            queue = float(copy.k.first_wave) * ahead * point.prefill_s
        first = float(loaded_first_token(copy.k, point.lone_s, token, places + queue))
    return _Figures(token, first, point.rate * busy * case.output_tokens)


def _limits(case: ServingCase, copy: Copy, data: float) -> _Figures:
    first_limit, token_limit = case.limits_s
    point = copy.within(token_limit_s=token_limit, first_limit_s=first_limit, share=0.99)
    if point is None:
        point = copy.at(1.0)
    first = copy.first_token_s(point, 0.5, places=False)
    return _Figures(point.token_s, first, point.rate * data * case.output_tokens)


def _open(case: ServingCase, copy: Copy, data: float) -> _Figures:
    rate = case.rate / data
    point = copy.open(rate)
    if point is not None:
        first = copy.first_token_s(point, 0.5, copies=int(data))
        return _Figures(_token(case, copy, point), first, case.rate * case.output_tokens)
    # more arrive than are served: half the run's requests are there at once, prompts pile up
    waiting = BENCHMARK_REQUESTS / data / 2.0
    point = copy.closed(waiting)
    behind = max(point.prefill_s - 1.0 / rate, 0.0) * waiting
    places = max(waiting - point.batch, 0.0) / point.rate
    first = float(loaded_first_token(copy.k, point.lone_s, point.token_s, behind + places))
    return _Figures(_token(case, copy, point), first, point.rate * data * case.output_tokens)


def impossible(case: ServingCase) -> str | None:
    """Why physics or the row itself rules a measurement out, as the code of a reason.

    `above_peak`: prompts or tokens faster than the chips' peak FLOP/s; `above_bandwidth`: tokens
    faster than the weights can be read; `above_users`: more tokens than the users can receive at
    the stated time per token. Speculative runs may read weights once for several tokens.
    """
    measured = dict(case.stated)
    tests = [partial(_above, case, measured, option) for option in options(case)]
    verdicts = [test() for test in tests]
    if all(verdicts):
        return verdicts[0]
    token, rate = measured.get("tpot_ms"), measured.get("output_tokens_per_second")
    if token and rate and case.users < UNLIMITED and case.load in ("closed", "static"):
        most = case.users / token
        # a median gap leaves out the long ones, so that it allows a little more
        if rate > most * (1.1 if not case.gaps else 1.25):
            return "above_users"
    return None


def _above(case: ServingCase, measured: Mapping[str, float], option: Option) -> str | None:
    layout, numbers, work, _ = option
    first, token = measured.get("ttft_ms"), measured.get("tpot_ms")
    rate = measured.get("output_tokens_per_second")
    requests = 1.0
    if case.load == "burst" and case.users < UNLIMITED:
        requests = (case.users / layout.data + 1.0) / 2.0
    if (
        first
        and case.output_tokens
        and requests * floor_prefill_seconds(numbers, work) > (first * TOLERANCE)
    ):
        return "above_peak"
    if token and not case.speculative and floor_seconds(numbers, work, 1.0) > token * TOLERANCE:
        return "above_bandwidth"
    if rate:
        each = work.prompt_flops / case.output_tokens + numbers.flops
        if rate * each > numbers.peak * layout.data * TOLERANCE:
            return "above_peak"
    return None
