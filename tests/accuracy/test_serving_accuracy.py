"""Serving, predicted against measured: rows, physics, cross-validation, the shipped fit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import Run
from serving_world import CALIBRATION, CATALOG

from costcalc.accuracy.mapping import table_digest
from costcalc.accuracy.runs import Skipped
from costcalc.accuracy.serving import score_serving, shipped_measurements
from costcalc.accuracy.serving_options import options
from costcalc.accuracy.serving_predict import impossible, predict
from costcalc.accuracy.serving_rows import ServingCase, serving_case, serving_cases
from costcalc.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
ROWS = {row["id"]: row for row in shipped_measurements(CATALOG)}
HELD_OUT = CATALOG.calibration("serving")["held_out"]
PAPER = "gem4-31b-v6e8-128-256-burst"


def case(row: Mapping[str, str]) -> ServingCase:
    found = serving_case(row, CATALOG, CALIBRATION.stored)
    assert isinstance(found, ServingCase)
    return found


def changed(name: str, **cells: str) -> dict[str, str]:
    return {**ROWS[name], **cells}


def test_constants_belong_to_the_shipped_table() -> None:
    used = [row for row in ROWS.values() if row["calibration"] == "use"]
    assert table_digest(used) == CALIBRATION.digest, "run tools/calibrate_serving.py"
    assert len(used) == CALIBRATION.runs
    assert all(row["reason"] for row in ROWS.values() if row["calibration"] != "use")
    assert all(row["source"] and row["source_date"] for row in ROWS.values())


def test_suspect_and_impossible_rows_are_not_fitted_on() -> None:
    used = [row for row in ROWS.values() if row["calibration"] == "use"]
    assert not {row["quality"] for row in used} & {"suspect", "implausible"}
    cases, skipped = serving_cases(used, CATALOG, CALIBRATION.stored)
    assert not skipped
    assert not [found.id for found in cases if impossible(found) or found.speculative]


@pytest.mark.parametrize(
    ("way", "metric", "most"),
    [
        ("cluster", "tpot_ms", 16.0),
        ("cluster", "output_tokens_per_second", 18.0),
        ("cluster", "ttft_ms", 44.0),
        ("cluster_every_row", "tpot_ms", 16.0),
        ("cluster_every_row", "output_tokens_per_second", 18.0),
        ("cluster_every_row", "ttft_ms", 44.0),
        ("family", "tpot_ms", 21.0),
        ("family", "output_tokens_per_second", 21.0),
        ("mlperf_limits", "output_tokens_per_second", 18.0),
    ],
)
def test_held_out_errors_stay_where_they_were(way: str, metric: str, most: float) -> None:
    assert HELD_OUT[way][metric]["median_abs_pct_error"] <= most


@pytest.mark.parametrize("metric", ["tpot_ms", "output_tokens_per_second", "ttft_ms"])
def test_intervals_hold_their_share(metric: str) -> None:
    assert 0.75 <= HELD_OUT["cluster"][metric]["interval_coverage"] <= 0.88
    assert 0.75 <= HELD_OUT["cluster_every_row"][metric]["interval_coverage"] <= 0.88
    assert 0.75 <= HELD_OUT["family"][metric]["interval_coverage"] <= 0.88


def test_page_shows_the_figures_of_the_calibration() -> None:
    import importlib.util

    path = ROOT / "tools" / "serving_report.py"
    spec = importlib.util.spec_from_file_location("serving_report", path)
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    page = (ROOT / "docs" / "accuracy-serving.md").read_text("utf-8")
    content = yaml.safe_load((ROOT / "pricing/calibration/serving.yaml").read_text("utf-8"))
    assert tool.render(page, content) == page, "run tools/serving_report.py --update"


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return score_serving(list(ROWS.values()), CATALOG).plain()


def test_one_row_for_each_figure_that_was_measured(whole: dict[str, Any]) -> None:
    ids = {(row["id"], row["metric"]) for row in whole["rows"]}
    assert len(ids) == len(whole["rows"])
    left_out = {row["id"] for row in whole["skipped"]}
    columns = {
        "tpot_ms": "tpot_ms",
        "ttft_ms": "ttft_ms",
        "output_tokens_per_second": "out_tok_s_total",
    }
    for name, row in ROWS.items():
        if name in left_out or row["load_mode"].startswith(("qps_sweep", "burst", "batch1")):
            continue
        for metric, column in columns.items():
            assert ((name, metric) in ids) == bool(row[column])
    for row in whole["rows"]:
        expected = 100 * (row["predicted"] / row["measured"] - 1)
        assert row["error_pct"] == pytest.approx(expected, abs=0.01)
        assert row["low"] < row["predicted"] < row["high"]
        assert row["in_sample"] == (ROWS[row["id"]]["calibration"] == "use")


def test_server_rows_of_mlperf_lie_in_their_intervals(whole: dict[str, Any]) -> None:
    rows = [
        row
        for row in whole["rows"]
        if row["id"].startswith("mlp") and row["id"].endswith(("server", "interactive"))
    ]
    assert len(rows) > 150
    inside = sum(row["low"] <= row["measured"] <= row["high"] for row in rows) / len(rows)
    assert 0.75 <= inside <= 0.95


def test_the_paper_is_met(whole: dict[str, Any]) -> None:
    rows = [row for row in whole["rows"] if row["id"] in (PAPER, "gem4-31b-2xh100-128-256-burst")]
    assert len(rows) == 6
    assert all(row["low"] <= row["measured"] <= row["high"] for row in rows)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"ttft_ms": "0.5", "load_mode": "closed_loop_1"}, "above_peak"),
        ({"tpot_ms": "1.0"}, "above_bandwidth"),
        ({"out_tok_s_total": "900000"}, "above_peak"),
        (
            {"load_mode": "closed_loop", "out_tok_s_total": "4500", "tpot_ms": "18.7"},
            "above_users",
        ),
    ],
)
def test_physics_refuses_a_row_and_says_so(cells: dict[str, str], reason: str) -> None:
    row = changed(PAPER, **cells)
    assert impossible(case(row)) == reason
    scored = score_serving([row], CATALOG)
    assert [(item.id, item.reason) for item in scored.skipped] == [(PAPER, reason)]


def test_claims_above_the_peak_are_refused() -> None:
    names = [name for name in ROWS if name.startswith("gem4") and "15360" in name]
    assert len(names) == 2
    assert all(impossible(case(ROWS[name])) == "above_peak" for name in names)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"input_tokens": ""}, "lengths_unknown"),
        ({"chips": ""}, "chips_unknown"),
        ({"tpot_ms": "", "ttft_ms": "", "out_tok_s_total": ""}, "nothing_measured"),
        ({"load_mode": "closed_loop", "concurrency_or_batch": ""}, "load_unknown"),
        ({"model": "nobody/knows", "model_group": "", "params_total_b": ""}, "model_size_unknown"),
        ({"accelerator_key": "no-such-chip", "accelerator": "?"}, "accelerator_unknown"),
        ({"load_mode": "closed_loop", "concurrency_or_batch": "many"}, "load_unknown"),
        ({"accelerator_key": "jalapeno", "accelerator": "jalapeno"}, "no_datasheet"),
    ],
)
def test_rows_that_say_too_little(cells: dict[str, str], reason: str) -> None:
    found = serving_case(changed(PAPER, **cells), CATALOG, CALIBRATION.stored)
    assert isinstance(found, Skipped)
    assert found.reason == reason


def test_cells_that_are_no_numbers() -> None:
    with pytest.raises(InputError, match="tpot_ms"):
        case(changed(PAPER, tpot_ms="fast"))


def test_a_model_that_nobody_knows_is_taken_by_its_counts() -> None:
    row = changed(
        PAPER, model="new-30b", model_group="new-30b", params_total_b="30", params_active_b="30"
    )
    found = case(row)
    assert found.architecture.approximate
    known, guessed = (
        predict(case(ROWS[PAPER]), CALIBRATION.engines),
        predict(found, CALIBRATION.engines),
    )
    assert known is not None
    assert guessed is not None
    assert guessed["tpot_ms"] == pytest.approx(known["tpot_ms"], rel=0.3)


def test_layouts_as_rows_state_them() -> None:
    stated = {
        "trtllm_v1.2-DeepSeek-R1-0528-GB200-186GB-DEP4-1000-1000": ("attention-data", 4, 1),
        "dst-405b-8xMi300x__2FP8-amd-q16": ("tensor", 4, 2),
        "onv-llama3.1-8b-Trainium1-dp4-synchronous": ("tensor", 4, 4),
        "trtllm_v1.2-Llama-3.3-70B-RTX-TP1_PP2-1000-1000": ("pipeline", 2, 1),
        "mle-lm-a-Llama_3.1_70B_Instruct-H100x4-TP4EP1DP1-b8": ("tensor", 4, 1),
    }
    for name, expected in stated.items():
        (layout,) = case(ROWS[name]).layouts
        assert (layout.mode, layout.chips, layout.data) == expected
    searched = case(ROWS["mlp51-0001-llama2-70b-99-server"])
    assert {found.layout.chips for found in options(searched)} == {1, 2, 4, 8}


def test_a_group_is_predicted_without_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    # one source is enough to refit on, and takes seconds
    few = [row for row in ROWS.values() if row["family"] == "ml.energy_v3"]
    monkeypatch.setattr("costcalc.accuracy.serving.shipped_measurements", lambda _: few)
    names = [name for name in ROWS if name.startswith("mle-lm-a-Qwen_3_8B-H100x1")]
    assert len(names) == 3
    rows = [ROWS[name] for name in names]
    held = score_serving(rows, CATALOG, cross_validate="cluster")
    plain = score_serving(rows, CATALOG)
    assert held.cross_validated == "cluster"
    assert {row.group("group") for row in held.rows} == {"qwen3-8b|h100-sxm"}
    assert not any(row.in_sample for row in held.rows)
    assert [row.id for row in held.rows] == [row.id for row in plain.rows]
    assert any(
        abs(a.predicted / b.predicted - 1) > 1e-4
        for a, b in zip(held.rows, plain.rows, strict=True)
    )
    assert all(
        0.5 < a.predicted / b.predicted < 2 for a, b in zip(held.rows, plain.rows, strict=True)
    )


def test_the_command(costcalc: Run, tmp_path: Path) -> None:
    table = tmp_path / "rows.csv"
    names = [PAPER, "gem4-31b-v6e8-15360-512-qps_sweep_peak"]
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(ROWS[PAPER]))
        writer.writeheader()
        writer.writerows(ROWS[name] for name in names)
    found = costcalc("accuracy", "--serving", str(table), "--format", "json")
    assert found.status == 0, found.err
    content = json.loads(found.out)
    assert [row["metric"] for row in content["rows"]] == [
        "tpot_ms",
        "ttft_ms",
        "output_tokens_per_second",
    ]
    assert content["skipped"] == [{"id": names[1], "reason": "above_peak"}]
    assert content["by_metric"].keys() == {"tpot_ms", "ttft_ms", "output_tokens_per_second"}
    people = costcalc("accuracy", "--serving", str(table), "--lang", "es")
    assert people.status == 0
    assert "rechazada" in people.out
    lines = costcalc("accuracy", "--serving", str(table), "--format", "csv")
    assert len(list(csv.reader(io.StringIO(lines.out)))) == 4
