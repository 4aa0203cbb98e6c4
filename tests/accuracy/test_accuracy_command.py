"""`costcalc accuracy` as scripts run it: contract's JSON, own calibrations, bad input."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from command import Run
from training_world import ROOT

HEAD = [
    "interval",
    "runs",
    "cross_validate",
    "skipped",
    "median_abs_pct_error",
    "p90_abs_pct_error",
    "interval_coverage",
    "by_accelerator",
    "by_tuning",
    "by_kind",
    "rows",
]
ROW = [
    "id",
    "accelerator",
    "metric",
    "measured",
    "predicted",
    "low",
    "high",
    "error_pct",
    "in_sample",
]
RUNS = """\
id,kind,accelerator,accelerator_count,model,seq_len,global_batch_tokens,precision,tuning,tokens_per_s_per_chip,tflops_per_chip_published,util_published,util_convention
a,vendor-benchmark,H100,8,llama-3.1-8b,8192,1048576,BF16,tuned,8000,,,
b,vendor-benchmark,H100,8,llama-3.1-8b,8192,1048576,BF16,tuned,,450,,causal
c,vendor-benchmark,TPU v6e,256,llama-3.1-70b,8192,,BF16,tuned,,,0.45,MFU
d,pretrain,H100,,llama-3.1-8b,8192,,BF16,whole-run,,,,
e,vendor-benchmark,H100,8,mystery,8192,,BF16,tuned,100,,,
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A small table of own runs."""
    path = tmp_path / "mine.csv"
    path.write_text(RUNS, encoding="utf-8")
    return path


def scored(costcalc: Run, *arguments: str) -> dict[str, Any]:
    done = costcalc("accuracy", *arguments, "--format", "json")
    assert done.status == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_json_of_the_contract(costcalc: Run, table: Path) -> None:
    found = scored(costcalc, "--training", str(table))
    assert list(found) == HEAD
    assert found["interval"] == 0.8
    assert found["runs"] == 3
    assert found["skipped"] == [
        {"id": "d", "reason": "no_rate"},
        {"id": "e", "reason": "model_size_unknown"},
    ]
    assert [row["id"] for row in found["rows"]] == ["a", "b", "c"]
    for row in found["rows"]:
        assert list(row) == ROW
        assert row["metric"] == "tokens_per_second_per_accelerator"
        assert row["low"] < row["predicted"] < row["high"]
        assert row["error_pct"] == pytest.approx(
            100 * (row["predicted"] / row["measured"] - 1), abs=0.01
        )
        assert row["in_sample"] is False
    a, b, c = found["rows"]
    assert a["measured"] == 8000
    assert a["predicted"] == b["predicted"]
    flops = 6 * 8.03e9 + 6 * 32 * 4096 * 8192
    assert b["measured"] == pytest.approx(450e12 / flops, rel=2e-3)
    # an utilisation without further words is a causal one, of the bf16 peak
    assert c["measured"] == pytest.approx(
        0.45 * 918e12 / (6 * 70.55e9 + 6 * 80 * 8192 * 8192), rel=2e-3
    )
    inside = sum(row["low"] <= row["measured"] <= row["high"] for row in found["rows"]) / 3
    assert found["interval_coverage"] == pytest.approx(inside, abs=1e-3)
    assert found["by_accelerator"]["H100"]["runs"] == 2


def test_shipped_rows_are_in_sample(costcalc: Run) -> None:
    found = scored(costcalc, "--training", str(ROOT / "pricing" / "runs" / "training.csv"))
    assert found["runs"] == 432
    by_id: Mapping[str, Any] = {row["id"]: row for row in found["rows"]}
    assert by_id["tr014"]["in_sample"] is True
    assert by_id["tr411"]["in_sample"] is False
    assert sum(row["in_sample"] for row in found["rows"]) == 422


def test_cross_validation_by_the_command(costcalc: Run, table: Path) -> None:
    found = scored(costcalc, "--training", str(table), "--cross-validate", "family")
    assert found["cross_validate"] == "family"
    assert set(found["by_group"]) == {"h100", "tpu-v6e"}
    plain = scored(costcalc, "--training", str(table))
    assert [row["predicted"] for row in found["rows"]] != [
        row["predicted"] for row in plain["rows"]
    ]


def test_own_runs_become_a_calibration_that_quotes_follow(
    costcalc: Run, table: Path, tmp_path: Path
) -> None:
    slow = table.read_text(encoding="utf-8").replace(",8000,", ",5000,")
    rows = "".join(slow.splitlines(keepends=True)[:2])
    table.write_text(rows + rows.splitlines()[1].replace("a,", "a2,", 1) + "\n", encoding="utf-8")
    own = tmp_path / "own.yaml"
    done = costcalc("accuracy", "--training", str(table), "--calibrate", str(own))
    assert done.status == 0, done.err
    assert "own runs (2)" in done.err
    after = scored(costcalc, "--training", str(table), "--calibration", str(own))
    before = scored(costcalc, "--training", str(table))
    assert after["median_abs_pct_error"] < before["median_abs_pct_error"] / 2
    assert all(row["in_sample"] for row in after["rows"])

    train = ("train", "--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8")
    quotes = [
        json.loads(costcalc(*train, "--tuning", "tuned", "--format", "json", *more).out)
        for more in ((), ("--calibration", str(own)))
    ]
    hours = [quote["workloads"][0]["estimate"]["hours"] for quote in quotes]
    assert hours[1] > 1.2 * hours[0]
    assert "own_calibration" in {item["code"] for item in quotes[1]["warnings"]}


def test_formats_and_languages(costcalc: Run, table: Path) -> None:
    listed = costcalc("accuracy", "--training", str(table), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(listed.out)))
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert list(rows[0]) == ROW
    english = costcalc("accuracy", "--training", str(table)).out
    spanish = costcalc("accuracy", "--training", str(table), "--lang", "es").out
    assert "Median error" in english
    assert "Error mediano" in spanish
    assert all(len(line) <= 80 for line in english.splitlines())
    markdown = costcalc("accuracy", "--training", str(table), "--format", "markdown").out
    assert "| H100" in markdown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--training"),
        (("--training", "{table}", "--serving", "{table}"), "one file"),
        (("--training", "{folder}/none.csv"), "none.csv"),
        (("--training", "{folder}"), "folder"),
        (("--training", "{table}", "--cross-validate", "clusters"), "cluster"),
        (("--training", "{table}", "--cross-validate", "family", "--calibrate", "x"), "refits"),
        (("--serving", "{table}", "--calibrate", "x"), "--training"),
        (("--training", "{table}", "--calibration", "{table}"), "calibration"),
        (("--training", "{table}", "--format", "xlsx"), "--format"),
        (("--training", "{table}", "--calibrate", "{folder}/no/own.yaml"), "own.yaml"),
    ],
)
def test_wrong_usage(
    costcalc: Run, table: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    given = [part.format(table=table, folder=tmp_path) for part in arguments]
    done = costcalc("accuracy", *given)
    assert done.status == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no rows"),
        (b"accelerator,model\n", "no rows"),
        (b"id,model\na,b\n", "accelerator"),
        (b"accelerator,model,model\na,b,c\n", "twice"),
        (b"accelerator,model\nH100\n", "line 2"),
        (b"accelerator,model\nH100,\xff\xfe\n", "UTF-8"),
        (b"accelerator,model,seq_len\nH100,llama-3.1-8b,long\n", "seq_len"),
        (b"accelerator,model\nh101x,llama-3.1-8b\n", "h101x"),
        (b'accelerator,model\n"H100,llama\n', "line"),
    ],
)
def test_broken_tables(costcalc: Run, tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "broken.csv"
    path.write_bytes(content)
    done = costcalc("accuracy", "--training", str(path))
    assert done.status == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_broken_calibration_is_named(costcalc: Run, table: Path, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    for content in ("- 1\n", "constants: {}\n", "a: [", "\x00"):
        path.write_text(content, encoding="utf-8")
        done = costcalc("accuracy", "--training", str(table), "--calibration", str(path))
        assert done.status == 2
        assert "Traceback" not in done.err
