"""What is no service: one sentence, the right exit status, and what would do."""

from __future__ import annotations

from typing import Any

import pytest
from serving_world import CALIBRATION, CATALOG, SERVING, estimate, job

from costcalc.errors import CostcalcError, InputError, NoOfferError
from costcalc.estimate.serving import estimate_serving
from costcalc.estimate.serving_calibration import serving_calibration, set_name
from costcalc.estimate.speculation import Draft


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"input_tokens": 0}, "serving.length"),
        ({"output_tokens": 0}, "serving.length"),
        ({"output_tokens": 10**9}, "serving.length"),
        ({"input_tokens": 131_072}, "serving.context"),
        ({"requests_per_s": 0.0}, "serving.rate"),
        ({"requests_per_s": -1.0}, "serving.rate"),
        ({"requests_per_s": 1e9}, "serving.rate"),
        ({"requests_per_s": float("nan")}, "serving.rate"),
        ({"users": 0}, "serving.users"),
        ({"users": 4, "requests_per_s": 1.0}, "serving.two_loads"),
        ({"users": 4, "replicas": 0}, "serving.replicas"),
        ({"users": 4, "token_s": 0.0}, "serving.limit"),
        ({"users": 4, "first_token_s": float("inf")}, "serving.limit"),
        ({"users": 4, "cached_share": 1.0}, "serving.cached"),
        ({"users": 4, "arrival_cv": -1.0}, "serving.arrival_cv"),
        ({"users": 4, "draft": Draft(99)}, "serving.draft"),
        ({"users": 4, "engine": "vlm"}, "serving.unknown_choice"),
        ({"users": 4, "weights": "fp16"}, "serving.unknown_choice"),
        ({"users": 4, "cache": "fp4"}, "serving.unknown_choice"),
    ],
)
def test_no_job(given: dict[str, Any], key: str) -> None:
    with pytest.raises(InputError) as caught:
        estimate("llama-3.1-8b", "h100-sxm", 1, **given)
    assert caught.value.key == key
    one_sentence(caught.value)


def one_sentence(error: CostcalcError) -> None:
    for language in ("en", "es"):
        text = error.message(language)
        assert "\n" not in text
        assert "{" not in text
        assert text.endswith(".")


@pytest.mark.parametrize(
    ("model", "chip", "count", "given", "key", "words"),
    [
        ("llama-3.1-70b", "h100-sxm", 1, {}, "serving.does_not_fit", "h100-sxm:2"),
        ("llama-3.1-405b", "l40s", 8, {}, "serving.never_fits_lighter", "fp4"),
        ("kimi-k2", "l40s", 8, {}, "serving.never_fits", "no scale-up domain"),
        (
            "llama-3.1-70b",
            "h100-sxm",
            2,
            {"requests_per_s": 1.0, "token_s": 0.02},
            "serving.token_floor",
            "h100-sxm:8",
        ),
        (
            "llama-3.1-70b",
            "h100-sxm",
            8,
            {"requests_per_s": 1.0, "token_s": 0.0005},
            "serving.token_floor_nothing",
            "nothing",
        ),
        (
            "llama-3.1-70b",
            "h100-sxm",
            8,
            {"users": 8, "token_s": 0.015},
            "serving.token_limit",
            "--precision",
        ),
        (
            "llama-3.1-70b",
            "h100-sxm",
            4,
            {"requests_per_s": 1.0, "input_tokens": 16_000, "first_token_s": 0.1},
            "serving.first_floor_nothing",
            "16,000",
        ),
        (
            "llama-3.1-8b",
            "h100-sxm",
            1,
            {"requests_per_s": 1.0, "input_tokens": 4_000, "first_token_s": 0.1},
            "serving.first_limit",
            "h100-sxm:4",
        ),
        (
            "llama-3.1-8b",
            "h100-sxm",
            1,
            {"requests_per_s": 500.0, "replicas": 2},
            "serving.overloaded",
            "would be needed",
        ),
        ("llama-3.1-8b", "jalapeno", 1, {}, "serving.no_datasheet", "not published"),
        ("llama-3.1-8b", "tpu-8t", 1, {}, "serving.trains_only", "not offered"),
    ],
)
def test_no_replica(
    model: str, chip: str, count: int, given: dict[str, Any], key: str, words: str
) -> None:
    found = CATALOG.accelerators()[chip].chip
    with pytest.raises(NoOfferError) as caught:
        estimate_serving(job(model, **given), found, count, CALIBRATION)
    assert caught.value.key == key
    assert words in caught.value.message("en")
    assert caught.value.exit_status == 4
    one_sentence(caught.value)


def test_what_would_meet_it_meets_it() -> None:
    targets: dict[str, Any] = {"requests_per_s": 1.0, "token_s": 0.02}
    found = estimate("llama-3.1-70b", "h100-sxm", 8, **targets)
    assert found.tpot_ms <= 20
    lighter = estimate("llama-3.1-70b", "h100-sxm", 2, weights="fp4", **targets)
    assert lighter.tpot_ms <= 20


def test_sets_of_engines() -> None:
    assert set_name("sglang", "google") == "sglang-jax"
    assert set_name("sglang", "nvidia") == "sglang"
    assert set_name("vllm", "amd", 2024) == "vllm-2024"
    assert set_name("vllm", "amd") == "vllm"
    raw = CATALOG.calibration("serving")
    broken = {**raw, "engines": {"vllm": {"fixed_s": 0.0}}}
    with pytest.raises(InputError, match=r"engines\.vllm\.fixed_s"):
        serving_calibration(broken)
    with pytest.raises(InputError, match="digest"):
        serving_calibration({key: value for key, value in raw.items() if key != "digest"})


def test_an_unknown_engine_has_a_set_of_its_own() -> None:
    known = estimate("llama-3.1-8b", "h100-sxm", 1, users=8)
    unknown = estimate("llama-3.1-8b", "h100-sxm", 1, users=8, engine="unknown")
    assert known.tier == "measured"
    assert unknown.tier == "pooled"
    assert unknown.tpot_ms_high / unknown.tpot_ms > known.tpot_ms_high / known.tpot_ms
    assert "serving_pooled" in {item.code for item in unknown.notices}
    new = estimate("llama-3.1-8b", "a100-80gb", 1, users=8)
    assert new.tier == "chip"
    assert "serving_unmeasured" in {item.code for item in new.notices}
    assert SERVING["a100-80gb"].id not in CALIBRATION.measured_chips
