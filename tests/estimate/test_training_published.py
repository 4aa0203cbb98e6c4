"""Estimates against published bills: none of them has a special case, here or in the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from training_world import CALIBRATION, CHIPS, MODELS, TRAINABLE

from costcalc.errors import InputError, NoOfferError
from costcalc.estimate.chip import Chip
from costcalc.estimate.training import (
    Rate,
    RunTimes,
    TrainingEstimate,
    TrainingJob,
    estimate_training,
)


def estimate(model: str, chip: str, count: int, tokens: float, **more: object) -> TrainingEstimate:
    job = TrainingJob(MODELS[model], tokens, **{"seq_len": 4096, **more})  # type: ignore[arg-type]
    return estimate_training(job, TRAINABLE[chip], count, CALIBRATION)


# Touvron et al. 2023 (arXiv 2307.09288, table 2) and the Llama 3.1 model card: GPU-hours as billed
LLAMA_2 = ("llama-2-70b", "a100-80gb", 2e12, 4096, 4_194_304, 1_720_320.0)
LLAMA_31 = ("llama-3.1-405b", "h100-sxm", 15.6e12, 8192, 16_777_216, 30.84e6)


@pytest.mark.parametrize(
    ("run", "count"),
    [(LLAMA_2, 1024), (LLAMA_2, 2048), (LLAMA_31, 8192), (LLAMA_31, 16384)],
)
@pytest.mark.parametrize("batch", [True, False])
def test_published_bills(
    run: tuple[str, str, float, int, int, float], count: int, batch: bool
) -> None:
    model, chip, tokens, seq_len, batch_tokens, hours = run
    given = {"seq_len": seq_len, "global_batch_tokens": batch_tokens if batch else None}
    tuned = estimate(model, chip, count, tokens, tuning="tuned", **given)
    assert tuned.accelerator_hours == pytest.approx(hours, rel=0.15)
    whole = estimate(model, chip, count, tokens, whole_run=True, **given)
    assert whole.accelerator_hours_low <= hours <= whole.accelerator_hours_high
    assert whole.accelerator_hours > tuned.accelerator_hours
    # the penalty of whole runs contains goodput: it replaces it
    assert whole.goodput < tuned.goodput
    assert whole.tokens_per_second_per_accelerator == tuned.tokens_per_second_per_accelerator


@pytest.mark.parametrize(("chip", "count", "hours"), [("tpu-v5p", 4, 3.34), ("h100-sxm", 2, 5.39)])
def test_the_gemma_pair(chip: str, count: int, hours: float) -> None:
    """arXiv 2605.25645: 1,244 steps of 8 x 4,096 slots, LoRA of rank 64, nothing tuned."""
    found = estimate(
        "gemma-4-31b",
        chip,
        count,
        1244 * 8 * 4096,
        global_batch_tokens=8 * 4096,
        method="lora",
        lora_rank=64,
        tuning="out-of-box",
    )
    assert found.hours_low <= hours <= found.hours_high


def test_what_is_assumed_is_said() -> None:
    bare = estimate("llama-3.1-8b", "h100-sxm", 8, 15e9)
    assert dict(bare.assumptions) == {"tuning": "default", "global_batch_tokens": 4_194_304.0}
    assert {"tuning_assumed", "batch_assumed"} <= {item.code for item in bare.notices}
    told = estimate(
        "llama-3.1-8b", "h100-sxm", 8, 15e9, tuning="tuned", global_batch_tokens=1_048_576
    )
    assert told.assumptions == ()
    assert told.notices == ()
    assert told.hours_high / told.hours_low < bare.hours_high / bare.hours_low


def test_fp8_says_its_peak_and_where_it_gains_nothing() -> None:
    fp8 = estimate("llama-3.1-70b", "h100-sxm", 64, 1e12, precision="fp8")
    assert fp8.mfu_peak_tflops == 1979
    assert "mfu_peak" in {item.code for item in fp8.notices}
    bf16 = estimate("llama-3.1-70b", "tpu-v6e", 256, 1e12)
    equal = estimate("llama-3.1-70b", "tpu-v6e", 256, 1e12, precision="fp8")
    assert equal.hours == bf16.hours
    assert "precision_no_gain" in {item.code for item in equal.notices}


def test_a_chip_without_measurements_says_so() -> None:
    found = estimate("llama-3.1-70b", "trainium2", 64, 1e12, tuning="default")
    assert "chip_unmeasured" in {item.code for item in found.notices}
    # Trainium1's public runs, all of ordinary stacks, reach 0.22 to 0.37 of its peak
    assert 0.22 < found.mfu < 0.40


def test_recomputation_counts_for_hfu_only() -> None:
    small = {"seq_len": 8192, "tuning": "tuned", "global_batch_tokens": 65_536}
    lora = estimate("llama-3.1-8b", "a10", 1, 1e8, method="lora", **{**small, "seq_len": 4096})
    assert lora.layout is not None
    assert lora.layout.recompute == "full"
    # the forward pass is half of what LoRA needs, a third of full training
    assert lora.hfu == pytest.approx(lora.mfu * 3 / 2)
    some = estimate("llama-3.1-8b", "a100-40gb", 4, 1e9, **small)
    assert some.layout is not None
    assert some.layout.recompute == "selective"
    assert some.mfu < some.hfu < some.mfu * 4 / 3
    roomy = estimate("llama-3.1-8b", "h100-sxm", 64, 1e9, **small)
    assert roomy.hfu == roomy.mfu


def test_refusals() -> None:
    job = TrainingJob(MODELS["llama-3.1-405b"], 1e12, 4096)
    with pytest.raises(NoOfferError, match="chips would hold it") as small:
        estimate_training(job, TRAINABLE["h100-sxm"], 8, CALIBRATION)
    assert small.value.params["enough"] >= 16 * 405.8e9 / (0.95 * 80e9)
    with pytest.raises(NoOfferError, match="trains in bf16"):
        estimate_training(replace(job, precision="fp8"), TRAINABLE["a100-80gb"], 512, CALIBRATION)
    serving = replace(TRAINABLE["h100-sxm"], can_train=False)
    with pytest.raises(NoOfferError, match="does not train"):
        estimate_training(job, serving, 512, CALIBRATION)
    unknown = replace(TRAINABLE["h100-sxm"], peak_tflops={})
    with pytest.raises(NoOfferError, match="no published bf16 peak"):
        estimate_training(job, unknown, 512, CALIBRATION)
    for wrong in (
        {"method": "dora"},
        {"precision": "fp6"},
        {"tuning": "best"},
        {"tokens": 0},
        {"global_batch_tokens": 100},
    ):
        with pytest.raises(InputError):
            estimate_training(replace(job, **wrong), TRAINABLE["h100-sxm"], 512, CALIBRATION)


def test_every_chip_that_trains_gives_an_estimate_or_the_reason() -> None:
    job = TrainingJob(MODELS["qwen3-0.6b"], 1e9, 2048, tuning="tuned", global_batch_tokens=65536)
    for chip in CHIPS.values():
        if chip.peak_tflops.get("bf16"):
            found = estimate_training(job, chip, 8, CALIBRATION)
            assert 0 < found.hours_low < found.hours_high
            assert found.memory is not None or chip.hbm_gb is None
        else:
            with pytest.raises(NoOfferError):
                estimate_training(job, chip, 8, CALIBRATION)


def test_a_chip_of_unknown_memory_and_links_is_estimated_and_said() -> None:
    bare = Chip(
        id="mystery",
        vendor="nobody",
        family="mystery",
        peak_tflops={"bf16": 500.0},
        matmul_tflops={},
        hbm_gb=None,
        hbm_gbps=None,
        scaleup_gbps=None,
        scaleout_gbps=None,
        tdp_w=None,
        chips_per_host=None,
        max_scaleup_chips=None,
        status="available",
        can_train=True,
        can_serve=True,
    )
    job = TrainingJob(MODELS["llama-3.1-70b"], 1e12, 4096)
    found = estimate_training(job, bare, 64, CALIBRATION)
    assert found.memory is None
    assert found.layout is None
    codes = {item.code for item in found.notices}
    assert {"memory_unknown", "chip_unmeasured"} <= codes


def test_arrays_give_what_floats_give() -> None:
    job = TrainingJob(MODELS["gpt-oss-120b"], 1e12, 4096, precision="fp8", tuning="tuned")
    rate = Rate(job, TRAINABLE["b200"], CALIBRATION, "tuned")
    chips = np.array([1.0, 8.0, 64.0, 4096.0])
    seqs = np.array([128.0, 4096.0, 8192.0, 131072.0])
    batches = np.array([1e6, 4e6, 1e5, 2e7])
    together = rate.seconds_per_token(chips, seqs, batches, np)
    one_by_one = [
        rate.seconds_per_token(n, s, b)
        for n, s, b in zip(chips.tolist(), seqs.tolist(), batches.tolist(), strict=True)
    ]
    assert together == pytest.approx(one_by_one, rel=1e-12)
    assumed = rate.seconds_per_token(chips, seqs, None, np)
    assert assumed == pytest.approx(
        [rate.seconds_per_token(n, s) for n, s in zip(chips.tolist(), seqs.tolist(), strict=True)]
    )
    times = RunTimes(job, TRAINABLE["b200"], CALIBRATION)
    assert times.at(64, 1e5, 8192).steady == one_by_one[2]


def test_steps_explain_the_figures_in_both_languages() -> None:
    found = estimate("llama-3.1-70b", "h100-sxm", 512, 1e12, tuning="tuned", precision="fp8")
    steps = {step.key: step for step in found.steps}
    assert len(steps) == len(found.steps) <= 14
    for step in found.steps:
        for language in ("en", "es"):
            assert step.message(language)
        assert step.formula
    assert steps["total"].value == pytest.approx(found.total_flops)
    assert steps["steady"].value == found.tokens_per_second_per_accelerator
    assert steps["hours"].value == found.hours
    assert steps["goodput"].value == found.goodput
    parts = sum(steps[key].value or 0.0 for key in ("matmul", "attention", "fixed", "sharding"))
    multiplier = steps["multiplier"].value or 0.0
    assert 1e6 / found.tokens_per_second_per_accelerator == pytest.approx(parts * multiplier)
    unmeasured = estimate("llama-3.1-70b", "trainium2", 64, 1e12)
    assumed = next(step for step in unmeasured.steps if step.key == "matmul_assumed")
    assert "assumed to be 500 TFLOP/s" in assumed.message("en")
    whole = estimate("llama-3.1-70b", "h100-sxm", 512, 1e12, whole_run=True)
    assert "whole_run" in {step.key for step in whole.steps}
    assert hash(found.steps) == hash(tuple(found.steps))
    assert found.steps == tuple(found.steps)
