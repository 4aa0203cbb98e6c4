"""Own runs pull the estimate towards them: visibly with three, wholly with many, never past."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training_world import CALIBRATION, CATALOG, MODELS, TRAINABLE

from costcalc.accuracy.own import with_own_runs
from costcalc.accuracy.predict import seconds_per_token
from costcalc.accuracy.runs import TrainingCase, training_case
from costcalc.accuracy.sizes import ModelSizes
from costcalc.estimate.training import TrainingJob, estimate_training

SIZES = ModelSizes(CATALOG, [])
BASE = training_case(
    {
        "id": "x",
        "accelerator": "h100",
        "accelerator_count": "8",
        "model": "llama-3.1-8b",
        "seq_len": "8192",
        "global_batch_tokens": "1048576",
        "tuning": "tuned",
        "tokens_per_s_per_chip": "1",
    },
    CATALOG,
    SIZES,
)
assert isinstance(BASE, TrainingCase)
EXPECTED = 1 / seconds_per_token(BASE, CALIBRATION)


def runs(count: int, factor: float) -> list[TrainingCase]:
    """Runs that are `factor` times as fast as the shipped constants say."""
    return [replace(BASE, id=str(i), measured=EXPECTED * factor) for i in range(count)]


def pulled(count: int, factor: float) -> float:
    """How much faster the pulled calibration is than the shipped one."""
    own = with_own_runs(CALIBRATION, runs(count, factor), "0" * 64)
    return 1 / seconds_per_token(BASE, own) / EXPECTED


def test_three_runs_pull_most_of_the_way() -> None:
    assert 0.70 < pulled(3, 0.7) < 0.78
    assert pulled(1, 0.7) < 0.87
    assert pulled(50, 0.7) == pytest.approx(0.7, abs=0.005)


@given(st.integers(1, 40), st.floats(0.4, 2.5))
def test_never_past_the_runs(count: int, factor: float) -> None:
    found = pulled(count, factor)
    low, high = sorted((1.0, factor))
    assert low - 1e-4 <= found <= high + 1e-4


@settings(max_examples=20)
@given(st.integers(1, 20), st.floats(0.5, 2.0))
def test_more_runs_pull_more(count: int, factor: float) -> None:
    less, more = (abs(math.log(pulled(n, factor))) for n in (count, count + 1))
    assert more >= less - 1e-4


def test_a_quote_follows_and_says_so() -> None:
    job = TrainingJob(MODELS["llama-3.1-8b"], 15e9, 8192, 1_048_576, tuning="tuned")
    own = with_own_runs(CALIBRATION, runs(3, 0.7), "abcdef12" + "0" * 56)
    before, after = (
        estimate_training(job, TRAINABLE["h100-sxm"], 8, calibration)
        for calibration in (CALIBRATION, own)
    )
    assert after.hours > 1.25 * before.hours
    assert "own_calibration" in {item.code for item in after.notices}
    # what all runs of a user share reaches chips without own runs too, but less
    other_before, other_after = (
        estimate_training(job, TRAINABLE["b200"], 8, calibration)
        for calibration in (CALIBRATION, own)
    )
    gain = other_after.hours / other_before.hours
    assert 1.05 < gain < after.hours / before.hours


def test_learning_again_starts_from_the_shipped_effects() -> None:
    once = with_own_runs(CALIBRATION, runs(3, 0.7), "1" * 64)
    twice = with_own_runs(once, runs(3, 0.7), "1" * 64)
    assert twice.effects == once.effects
    shipped = {k: v for k, v in twice.effects.items() if not k.startswith("own")}
    assert shipped == dict(CALIBRATION.effects)


def test_a_run_in_another_unit_cannot_run_away() -> None:
    assert pulled(1, 1000.0) <= math.e
