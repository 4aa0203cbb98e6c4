"""Properties of the training-time model over every chip and every model of the catalog."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training_world import CALIBRATION, MODELS, TRAINABLE

from costcalc.errors import NoOfferError
from costcalc.estimate.chip import Chip
from costcalc.estimate.goodput import goodput
from costcalc.estimate.training import (
    TUNINGS,
    RunTimes,
    TrainingEstimate,
    TrainingJob,
    default_batch_tokens,
    estimate_training,
)

CHIP = st.sampled_from(sorted(TRAINABLE))
MODEL = st.sampled_from(sorted(MODELS))
METHOD = st.sampled_from(["full", "lora", "qlora"])
TUNING = st.sampled_from([None, *TUNINGS])
COUNT = st.one_of(st.integers(1, 256), st.integers(1, 100_000))
SEQ_LEN = st.integers(128, 1_048_576)
BATCH = st.integers(12, 27).map(lambda power: float(2**power))
SLACK = 1.0 + 1e-9


def times(
    chip: str, model: str, *, method: str = "full", precision: str = "bf16", **more: object
) -> RunTimes:
    job = TrainingJob(MODELS[model], 1e12, 4096, method=method, precision=precision, **more)  # type: ignore[arg-type]
    return RunTimes(job, TRAINABLE[chip], CALIBRATION)


def precisions_of(chip: Chip) -> list[str]:
    return [name for name in ("bf16", "fp8", "fp4") if chip.peak_tflops.get(name)]


@given(CHIP, MODEL, METHOD, TUNING, COUNT, COUNT, BATCH, SEQ_LEN)
def test_more_chips_are_never_cheaper_per_token(
    chip: str, model: str, method: str, tuning: str | None, a: int, b: int, batch: float, seq: int
) -> None:
    few, many = sorted((a, b))
    model_times = times(chip, model, method=method, tuning=tuning)
    small, large = model_times.at(few, batch, seq), model_times.at(many, batch, seq)
    assert large.steady * SLACK >= small.steady
    assert large.billed * SLACK >= small.billed
    assert large.billed_low * SLACK >= small.billed_low
    assert large.billed_high * SLACK >= small.billed_high


@given(CHIP, MODEL, METHOD, TUNING, COUNT, COUNT, SEQ_LEN)
def test_more_chips_are_never_cheaper_with_the_assumed_batch(
    chip: str, model: str, method: str, tuning: str | None, a: int, b: int, seq: int
) -> None:
    few, many = sorted((a, b))
    model_times = times(chip, model, method=method, tuning=tuning)
    small = method != "full"
    costs = [
        model_times.at(n, default_batch_tokens(float(n), float(seq), small=small), seq).billed
        for n in (few, many)
    ]
    assert costs[1] * SLACK >= costs[0]


@given(CHIP, MODEL, METHOD, TUNING, COUNT, BATCH, BATCH, SEQ_LEN)
def test_a_larger_batch_is_never_slower(
    chip: str, model: str, method: str, tuning: str | None, count: int, a: float, b: float, seq: int
) -> None:
    low, high = sorted((a, b))
    model_times = times(chip, model, method=method, tuning=tuning)
    assert model_times.at(count, high, seq).steady <= SLACK * model_times.at(count, low, seq).steady


@given(CHIP, MODEL, METHOD, TUNING, COUNT, BATCH, SEQ_LEN, SEQ_LEN)
def test_a_longer_context_is_never_cheaper(
    chip: str, model: str, method: str, tuning: str | None, count: int, batch: float, a: int, b: int
) -> None:
    short, long = sorted((a, b))
    model_times = times(chip, model, method=method, tuning=tuning)
    here, there = model_times.at(count, batch, short), model_times.at(count, batch, long)
    assert there.steady * SLACK >= here.steady
    assert there.billed_high * SLACK >= here.billed_high


@given(CHIP, MODEL, METHOD, TUNING, COUNT, SEQ_LEN, SEQ_LEN)
def test_a_longer_context_is_never_cheaper_with_the_assumed_batch(
    chip: str, model: str, method: str, tuning: str | None, count: int, a: int, b: int
) -> None:
    short, long = sorted((a, b))
    model_times = times(chip, model, method=method, tuning=tuning)
    small = method != "full"
    costs = [
        model_times.at(count, default_batch_tokens(float(count), float(s), small=small), s).steady
        for s in (short, long)
    ]
    assert costs[1] * SLACK >= costs[0]


@given(CHIP, MODEL, METHOD, TUNING, COUNT, BATCH, SEQ_LEN)
def test_a_lower_precision_is_never_slower(
    chip: str, model: str, method: str, tuning: str | None, count: int, batch: float, seq: int
) -> None:
    steady = [
        times(chip, model, method=method, tuning=tuning, precision=precision)
        .at(count, batch, seq)
        .steady
        for precision in precisions_of(TRAINABLE[chip])
    ]
    for slower, faster in pairwise(steady):
        assert faster <= slower * SLACK


@given(CHIP, MODEL, METHOD, TUNING, COUNT, BATCH, SEQ_LEN)
def test_nothing_trains_above_the_best_measured_matmul(
    chip: str, model: str, method: str, tuning: str | None, count: int, batch: float, seq: int
) -> None:
    known = TRAINABLE[chip]
    factor = 4.0 if method != "full" else 6.0
    flops = factor * MODELS[model].matmul_params()
    for precision in precisions_of(known):
        steady = times(chip, model, method=method, tuning=tuning, precision=precision).at(
            count, batch, seq
        )
        rates = [
            known.matmul_tflops.get(name, known.peak_tflops[name])
            for name in precisions_of(known)
            if precision == name or name == "bf16" or (precision == "fp4" and name == "fp8")
        ]
        assert flops / steady.steady <= SLACK * 1e12 * max(rates)


@given(CHIP, MODEL, TUNING, COUNT, BATCH, SEQ_LEN)
def test_lora_is_never_slower_than_full(
    chip: str, model: str, tuning: str | None, count: int, batch: float, seq: int
) -> None:
    for precision in precisions_of(TRAINABLE[chip]):
        full, lora = (
            times(chip, model, method=method, tuning=tuning, precision=precision)
            for method in ("full", "lora")
        )
        assert lora.at(count, batch, seq).steady <= SLACK * full.at(count, batch, seq).steady


@given(CHIP, MODEL, METHOD, COUNT, BATCH, SEQ_LEN)
def test_stacks_keep_their_order_and_an_unknown_one_covers_them(
    chip: str, model: str, method: str, count: int, batch: float, seq: int
) -> None:
    tuned, default, untuned = (
        times(chip, model, method=method, tuning=tuning).at(count, batch, seq)
        for tuning in ("tuned", "default", "out-of-box")
    )
    assert tuned.billed <= default.billed * SLACK <= untuned.billed * SLACK**2
    unknown = times(chip, model, method=method).at(count, batch, seq)
    assert unknown.billed == default.billed
    assert unknown.billed_low <= tuned.billed
    assert unknown.billed_high >= untuned.billed
    assert unknown.billed_low <= default.billed_low
    assert unknown.billed_high >= default.billed_high


@given(CHIP, MODEL, METHOD, TUNING, st.booleans(), COUNT, BATCH, SEQ_LEN)
def test_the_interval_holds_the_middle(
    chip: str,
    model: str,
    method: str,
    tuning: str | None,
    whole_run: bool,
    count: int,
    batch: float,
    seq: int,
) -> None:
    found = times(chip, model, method=method, tuning=tuning, whole_run=whole_run).at(
        count, batch, seq
    )
    assert 0 < found.billed_low < found.billed < found.billed_high < math.inf
    assert found.steady <= found.billed
    assert found.useful == pytest.approx(found.steady / found.billed)
    assert 0 < found.useful <= 1


@given(MODEL, METHOD, TUNING, COUNT, BATCH, SEQ_LEN)
def test_the_interval_is_wider_for_a_chip_without_data(
    model: str, method: str, tuning: str | None, count: int, batch: float, seq: int
) -> None:
    job = TrainingJob(MODELS[model], 1e12, 4096, method=method, tuning=tuning)

    def width(name: str) -> float:
        found = RunTimes(job, TRAINABLE[name], CALIBRATION).at(count, batch, seq)
        return found.billed_high / found.billed_low

    unmeasured = [n for n, c in TRAINABLE.items() if not CALIBRATION.family_clusters.get(c.family)]
    assert unmeasured, "every chip has data: this test can be dropped"
    widest_measured = max(width(n) for n in TRAINABLE if n not in unmeasured)
    assert all(width(name) > widest_measured for name in unmeasured)


@given(st.integers(1, 1 << 20), st.integers(1, 1 << 20))
def test_goodput_falls_with_size(a: int, b: int) -> None:
    few, many = sorted((a, b))
    assert 0.5 <= goodput(float(many)) <= goodput(float(few)) <= 0.95


@settings(max_examples=60)
@given(CHIP, MODEL, METHOD, TUNING, st.integers(0, 12).map(lambda p: 2**p))
def test_an_estimate_is_whole_or_says_how_many_chips_would_hold_it(
    chip: str, model: str, method: str, tuning: str | None, count: int
) -> None:
    job = TrainingJob(MODELS[model], 3e9, 4096, method=method, tuning=tuning)
    try:
        found = estimate_training(job, TRAINABLE[chip], count, CALIBRATION)
    except NoOfferError as refusal:
        refused = refusal
    else:
        check(found, job, chip, count)
        return
    assert refused.key in ("training.does_not_fit", "training.never_fits")
    enough = refused.params["enough"]
    if enough is not None:
        assert estimate_training(job, TRAINABLE[chip], enough, CALIBRATION).memory is not None


def check(found: TrainingEstimate, job: TrainingJob, chip: str, count: int) -> None:
    """What holds for every estimate."""
    assert found.hours_low < found.hours < found.hours_high
    assert found.accelerator_hours == pytest.approx(found.hours * count)
    steady_hours = job.tokens / (found.tokens_per_second_per_accelerator * count * 3600)
    assert found.hours * found.goodput == pytest.approx(steady_hours)
    assert 0 < found.mfu <= found.hfu
    assert found.mfu < 1
    layout = found.layout
    if layout is not None and found.memory is not None:
        assert layout.data * layout.tensor * layout.pipeline * layout.context == count
        assert found.memory.total <= 0.95 * (TRAINABLE[chip].hbm_gb or 0) * 1e9
        assert found.memory.total == pytest.approx(
            sum(list(found.memory.gib().values())[1:]) * 2**30
        )
