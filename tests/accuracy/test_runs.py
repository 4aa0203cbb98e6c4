"""Rows of a runs table: what they resolve to, what is assumed, what is refused."""

from __future__ import annotations

import pytest
from training_world import CALIBRATION, CATALOG, MODELS

from costcalc.accuracy.predict import seconds_per_token
from costcalc.accuracy.runs import Skipped, TrainingCase, precision_of, source_of, training_case
from costcalc.accuracy.sizes import ModelSizes
from costcalc.accuracy.tables import shipped_runs, used_runs
from costcalc.errors import InputError
from costcalc.estimate.training import RunTimes, TrainingJob

SHIPPED = shipped_runs(CATALOG)
SIZES = ModelSizes(CATALOG, SHIPPED)
ROW = {
    "id": "a",
    "kind": "vendor-benchmark",
    "model": "llama-3.1-8b",
    "params_total_b": "8.03",
    "params_active_b": "8.03",
    "seq_len": "8192",
    "global_batch_tokens": "1048576",
    "precision": "BF16",
    "accelerator": "H100",
    "accelerator_count": "8",
    "tuning": "tuned",
    "tokens_per_s_per_chip": "9000",
}


def case(**changes: str) -> TrainingCase:
    found = training_case({**ROW, **changes}, CATALOG, SIZES)
    assert isinstance(found, TrainingCase)
    return found


def test_the_prediction_is_that_of_a_quote() -> None:
    job = TrainingJob(MODELS["llama-3.1-8b"], 1e12, 8192, tuning="tuned")
    quoted = RunTimes(job, CATALOG.accelerator("h100").chip, CALIBRATION).at(8, 1048576.0, 8192)
    assert seconds_per_token(case(), CALIBRATION) == quoted.steady
    whole = TrainingJob(MODELS["llama-3.1-8b"], 1e12, 8192, whole_run=True)
    billed = RunTimes(whole, CATALOG.accelerator("h100").chip, CALIBRATION).at(8, 1048576.0, 8192)
    assert seconds_per_token(case(tuning="whole-run"), CALIBRATION) == billed.billed


def test_measured_columns_do_not_move_the_prediction() -> None:
    plain = seconds_per_token(case(), CALIBRATION)
    other = case(
        tokens_per_s_per_chip="1",
        tflops_per_chip_published="999",
        util_published="0.1",
        step_time_s="5",
        accelerator_hours="77",
        wall_clock_hours="3",
    )
    assert seconds_per_token(other, CALIBRATION) == plain
    assert other.measured == 1.0


def test_mlperf_counts_as_tuned() -> None:
    tuned = seconds_per_token(case(), CALIBRATION)
    assert seconds_per_token(case(tuning="mlperf"), CALIBRATION) == tuned


def test_defaults_of_what_a_row_does_not_say() -> None:
    bare = case(accelerator_count="", global_batch_tokens="", seq_len="", tuning="")
    assert (bare.chips, bare.seq_len, bare.stack) == (1024, 4096, "default")
    assert bare.batch_tokens == 4_194_304
    small = case(global_batch_tokens="", kind="finetune")
    assert small.batch_tokens == 8 * 4096
    sequences = case(global_batch_tokens="", global_batch_seqs="16")
    assert sequences.batch_tokens == 16 * 8192
    assert case(experts="0", topk="0").shape.experts_per_token == 0


def test_sizes_in_order_of_trust() -> None:
    assert case().shape.hidden == 4096
    # a count that the catalog's model cannot have is believed over the name
    assert case(params_total_b="3", params_active_b="3").shape.params_total == 3e9
    assert case(params_total_b="", params_active_b="").shape.params_total > 8e9
    nano = case(model="nemotron-3-nano", params_total_b="", params_active_b="").shape
    assert nano.params_total == 31.6e9
    assert nano.is_moe
    named = case(model="somebodys-70b-a7b", params_total_b="", params_active_b="").shape
    assert (named.params_total, named.params_active) == (70e9, 7e9)
    assert named.approximate
    dense = case(model="gemma4-e2b", params_total_b="5.1", params_active_b="2.3").shape
    assert not dense.is_moe
    nothing = training_case(
        {**ROW, "model": "mystery", "params_total_b": "", "params_active_b": ""}, CATALOG, SIZES
    )
    assert nothing == Skipped("a", "model_size_unknown")


def test_a_row_without_a_rate_is_skipped() -> None:
    found = training_case({**ROW, "tokens_per_s_per_chip": ""}, CATALOG, SIZES)
    assert found == Skipped("a", "no_rate")


def test_an_accelerator_that_only_the_row_knows() -> None:
    found = case(
        accelerator="FooChip 9",
        accel_family="foo",
        peak_bf16_tflops="500",
        peak_prec_tflops="1000",
        precision="FP8",
    )
    assert found.chip.peak_tflops == {"bf16": 500.0, "fp8": 1000.0}
    assert found.precision == "fp8"
    with pytest.raises(InputError, match="FooChip 9"):
        case(accelerator="FooChip 9")


@pytest.mark.parametrize(
    ("column", "text"),
    [("seq_len", "long"), ("tokens_per_s_per_chip", "-5"), ("accelerator_count", "nan")],
)
def test_a_cell_that_is_no_number_is_named(column: str, text: str) -> None:
    with pytest.raises(InputError) as fault:
        case(**{column: text})
    assert column in str(fault.value)
    assert "row a" in str(fault.value)


def test_an_unknown_stack_is_named() -> None:
    with pytest.raises(InputError, match="out-of-box"):
        case(tuning="fancy")


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("BF16", "bf16"),
        ("FP8-CS", "fp8"),
        ("MXFP8", "fp8"),
        ("NVFP4 (+FP8 tail)", "fp4"),
        ("INT8 (AQT)", "int8"),
        ("BF16 (NF4 base)", "bf16"),
        ("", "bf16"),
    ],
)
def test_words_for_precision(text: str, precision: str) -> None:
    assert precision_of(text) == precision


def test_all_rounds_of_mlperf_are_one_source() -> None:
    rounds = {
        source_of({"source_repo": f"mlcommons/training_results_v{n}"}) for n in ("4.0", "5.1")
    }
    assert rounds == {"mlcommons"}
    assert source_of({"source_url": "https://example.org"}) == "https://example.org"
    assert source_of({}) == "unknown"


def test_rows_left_out_or_corrected_say_why() -> None:
    assert len(SHIPPED) == 435
    for row in SHIPPED:
        assert row["calibration"] in ("use", "leave-out")
        if row["calibration"] == "leave-out" or row["correction"]:
            assert row["reason"]
        assert row["source_repo"] or row["source_url"]
    assert len({row["id"] for row in SHIPPED}) == len(SHIPPED)
    assert len(used_runs(SHIPPED)) == CALIBRATION.runs
