"""Properties of serving estimates over chips, models and loads of the shipped catalog."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from serving_world import CALIBRATION, MODELS, SERVING, copies, estimate, job

from costcalc.errors import NoOfferError
from costcalc.estimate.decode import floor_seconds
from costcalc.estimate.prefill import floor_prefill_seconds
from costcalc.estimate.serving import ServingEstimate
from costcalc.estimate.serving_load import Copy
from costcalc.estimate.serving_sizing import TARGET_UTILISATION
from costcalc.estimate.speculation import Draft

CHIP = st.sampled_from(sorted(SERVING))
MODEL = st.sampled_from(sorted(MODELS))
COUNT = st.sampled_from([1, 2, 4, 8])
WEIGHTS = st.sampled_from(["bf16", "fp8", "int8", "fp4"])
INPUT = st.integers(1, 20_000)
OUTPUT = st.integers(1, 2_000)
BATCH = st.floats(1.0, 2_000.0)
SLACK = 1.0 + 1e-9


def some_copies(model: str, chip: str, count: int, **given: Any) -> list[Copy]:
    context = given.get("input_tokens", 512) + given.get("output_tokens", 128)
    assume((MODELS[model].max_context or 10**9) >= context)
    found = [copy for _, copy in copies(model, chip, count, **given)]
    assume(found)
    return found


def estimated(model: str, chip: str, count: int, **given: Any) -> ServingEstimate:
    context = given.get("input_tokens", 512) + given.get("output_tokens", 128)
    assume((MODELS[model].max_context or 10**9) >= context)
    try:
        return estimate(model, chip, count, **given)
    except NoOfferError:
        assume(False)
        raise


@settings(deadline=None)
@given(MODEL, CHIP, COUNT, WEIGHTS, INPUT, OUTPUT, BATCH)
def test_never_faster_than_the_datasheet(
    model: str, chip: str, count: int, weights: str, inputs: int, outputs: int, batch: float
) -> None:
    for copy in some_copies(
        model, chip, count, weights=weights, input_tokens=inputs, output_tokens=outputs
    ):
        floor = floor_seconds(copy.numbers, copy.work, batch)
        assert copy.step_s(batch) * SLACK >= floor
        assert copy.prefill_s * SLACK >= copy.work.prompt_flops / copy.numbers.peak
        assert copy.lone_s * SLACK >= floor_prefill_seconds(copy.numbers, copy.work)
        # tokens of a copy at its best, over all chips' peak
        point = copy.at(batch)
        work = copy.work.prompt_flops + outputs * copy.numbers.flops
        assert point.rate * work <= copy.numbers.peak * SLACK


@settings(deadline=None)
@given(MODEL, CHIP, COUNT, BATCH, BATCH)
def test_more_requests_are_slower_each_and_faster_together(
    model: str, chip: str, count: int, a: float, b: float
) -> None:
    few, many = sorted((a, b))
    for copy in some_copies(model, chip, count):
        small, large = copy.at(few), copy.at(many)
        assert large.step_s * SLACK >= small.step_s
        assert large.token_s * SLACK >= small.token_s
        assert large.rate * SLACK >= small.rate


@settings(deadline=None)
@given(MODEL, CHIP, COUNT, INPUT, INPUT, BATCH)
def test_a_longer_context_is_never_faster(
    model: str, chip: str, count: int, a: int, b: int, batch: float
) -> None:
    short, long = sorted((a, b))
    some_copies(model, chip, count, input_tokens=long)
    pairs = zip(
        copies(model, chip, count, input_tokens=short),
        copies(model, chip, count, input_tokens=long),
        strict=False,
    )
    for (first, one), (second, two) in pairs:
        if first != second:
            continue
        assert two.at(batch).token_s * SLACK >= one.at(batch).token_s
        assert two.prefill_s * SLACK >= one.prefill_s
        assert two.limit <= one.limit * SLACK


@settings(deadline=None)
@given(MODEL, CHIP, COUNT, st.floats(0.001, 1.2))
def test_a_rate_finds_its_own_batch(model: str, chip: str, count: int, share: float) -> None:
    for copy in some_copies(model, chip, count):
        rate = share * copy.best().rate
        point = copy.open(rate)
        if share >= 1:
            assert point is None
            continue
        assert point is not None
        assert point.rate == rate
        alone = copy.at(1.0).rate
        if rate > alone:
            # the fixed point: this many running finish exactly at this rate (Little's law)
            assert copy.at(point.batch).rate == pytest.approx(rate, rel=1e-6)
        else:
            assert point.batch == 1.0


@settings(deadline=None)
@given(MODEL, CHIP, COUNT, st.integers(1, 100_000))
def test_users_never_receive_more_than_their_tokens_allow(
    model: str, chip: str, count: int, users: int
) -> None:
    found = estimated(model, chip, count, users=users, replicas=1)
    total = found.output_tokens_per_second_per_replica * found.replicas
    step_s = found.tpot_ms / 1e3
    assert total * step_s <= users * SLACK * 1.4  # a token also waits for others' prompts
    assert found.max_concurrency >= 1
    assert 0 < found.utilisation <= 1.0 + 1e-9


@settings(max_examples=60, deadline=None)
@given(
    MODEL,
    CHIP,
    COUNT,
    st.floats(0.01, 500.0),
    st.floats(0.01, 500.0),
    st.sampled_from([None, 0.05, 0.2]),
    st.sampled_from([None, 0.5, 5.0]),
)
def test_a_larger_load_never_needs_fewer_replicas(
    model: str,
    chip: str,
    count: int,
    a: float,
    b: float,
    token_s: float | None,
    first_s: float | None,
) -> None:
    low, high = sorted((a, b))
    targets = {"token_s": token_s, "first_token_s": first_s}
    small = estimated(model, chip, count, requests_per_s=low, **targets)
    large = estimated(model, chip, count, requests_per_s=high, **targets)
    assert large.replicas >= small.replicas
    for found in (small, large):
        assert found.utilisation <= TARGET_UTILISATION * SLACK
        assert found.replicas_low <= found.replicas <= found.replicas_high
        assert found.accelerators == found.replicas * count
        if token_s is not None:
            assert found.tpot_ms <= token_s * 1e3 * SLACK
        if first_s is not None:
            assert found.ttft_ms_p95 is not None
            assert found.ttft_ms_p95 <= first_s * 1e3 * 1.02


@settings(max_examples=60, deadline=None)
@given(MODEL, CHIP, COUNT, WEIGHTS, st.sampled_from(["open", "closed", "batch"]))
def test_intervals_hold_the_middle(
    model: str, chip: str, count: int, weights: str, load: str
) -> None:
    given_load: dict[str, Any] = {
        "open": {"requests_per_s": 3.0},
        "closed": {"users": 16},
        "batch": {},
    }[load]
    found = estimated(model, chip, count, weights=weights, **given_load)
    names = ["tpot_ms", "output_tokens_per_second_per_replica", "utilisation"]
    if load == "batch":
        assert found.ttft_ms_p50 is None
    else:
        names += ["ttft_ms_p50", "ttft_ms_p95"]
        assert found.ttft_ms_p50 is not None
        assert found.ttft_ms_p95 is not None
        assert found.ttft_ms_p50 <= found.ttft_ms_p95 * SLACK
    for name in names:
        low, middle, high = (getattr(found, f"{name}{end}") for end in ("_low", "", "_high"))
        assert 0 < low <= middle * SLACK
        assert middle <= high * SLACK
        assert math.isfinite(high)


@given(st.sampled_from(["tpot", "throughput", "ttft"]), st.sampled_from([True, False]))
def test_less_evidence_is_never_narrower(metric: str, mixture: bool) -> None:
    before = (1.0, 1.0)
    for tier in ("measured", "engine", "chip", "pooled"):
        low, high = CALIBRATION.factors(metric, tier, mixture=mixture)
        assert low <= before[0]
        assert high >= before[1]
        before = (low, high)


@settings(deadline=None)
@given(MODEL, CHIP, COUNT, st.floats(0.0, 0.95), st.floats(0.0, 0.95))
def test_a_prefix_cache_never_slows_down(
    model: str, chip: str, count: int, a: float, b: float
) -> None:
    low, high = sorted((a, b))
    some_copies(model, chip, count)
    for (_, one), (_, two) in zip(
        copies(model, chip, count, cached_share=low),
        copies(model, chip, count, cached_share=high),
        strict=True,
    ):
        assert two.prefill_s <= one.prefill_s * SLACK
        assert two.best().rate * SLACK >= one.best().rate


@pytest.mark.parametrize("model", ["llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b"])
def test_the_gain_of_a_draft_shrinks_with_the_batch(model: str) -> None:
    plain = copies(model, "h100-sxm", 4)[0][1]
    drafted = copies(model, "h100-sxm", 4, draft=Draft(4, 0.7, 0.02))[0][1]
    gains = [plain.step_s(batch) / drafted.step_s(batch) for batch in (1.0, 64.0, 1024.0)]
    # several tokens touch more experts, so that a mixture gains less
    assert gains[0] > (1.1 if MODELS[model].is_moe else 1.5)
    assert gains[2] < gains[0]
    # tokens per step are the ceiling
    assert all(gain <= Draft(4, 0.7).tokens_per_step() for gain in gains)


def test_tokens_per_step_of_a_draft() -> None:
    assert Draft(0, 0.7).tokens_per_step() == pytest.approx(1.0)
    assert Draft(2, 0.5).tokens_per_step() == pytest.approx(1 + 0.5 + 0.25)
    assert Draft(3, 1.0).tokens_per_step() == 4


def test_bursts_wait_longer() -> None:
    smooth = estimate("llama-3.1-70b", "h100-sxm", 8, requests_per_s=15.0, replicas=1)
    bursty = estimate(
        "llama-3.1-70b", "h100-sxm", 8, requests_per_s=15.0, replicas=1, arrival_cv=3.0
    )
    assert smooth.ttft_ms_p95 is not None
    assert bursty.ttft_ms_p95 is not None
    assert bursty.ttft_ms_p95 > smooth.ttft_ms_p95
    assert bursty.tpot_ms == smooth.tpot_ms


def test_a_busy_service_is_said() -> None:
    found = estimate("llama-3.1-70b", "h100-sxm", 8, requests_per_s=1.0, replicas=1)
    assert "serving_busy" not in {item.code for item in found.notices}
    rate = 0.95 * found.capacity_requests_per_s.middle
    busy = estimate("llama-3.1-70b", "h100-sxm", 8, requests_per_s=rate, replicas=1)
    assert "serving_busy" in {item.code for item in busy.notices}
    assert busy.utilisation == pytest.approx(0.95)


def test_defaults_are_stated() -> None:
    found = estimate("gpt-oss-120b", "h100-sxm", 1, users=4)
    assert found.weights == "fp4"  # published in MXFP4
    assert dict(found.assumptions) == {
        "engine": "vllm",
        "precision": "fp4",
        "kv_precision": "bf16",
    }
    codes = {item.code for item in found.notices}
    assert {"engine_assumed", "weights_only"} <= codes
    engines = {
        chip: estimate("llama-3.1-8b", chip, 4, users=4).engine
        for chip in ("tpu-v6e", "mi300x", "inferentia2", "gaudi3", "trainium2")
    }
    assert engines == {
        "tpu-v6e": "vllm-tpu",
        "mi300x": "vllm",
        "inferentia2": "neuron",
        "gaudi3": "optimum-habana",
        "trainium2": "neuron",
    }


def test_steps_tell_the_whole_story() -> None:
    found = estimate("llama-3.1-8b", "h100-sxm", 1, requests_per_s=4.0)
    keys = [step.key for step in found.steps]
    assert keys == [
        "serve_weights",
        "serve_room",
        "serve_prefill",
        "serve_step",
        "serve_rate",
        "serve_replicas",
    ]
    for language in ("en", "es"):
        assert all("{" not in step.message(language) for step in found.steps)
    assert job("llama-3.1-8b").context == 640
