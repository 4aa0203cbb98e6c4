"""Reports by the command line: every quote command writes every form."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from command import Run

TRAIN = ("train", "--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8")
COMPARE = ("compare", "train", "--model", "llama-3.1-8b", "--tokens", "15B", "--top", "5")
SERVE = ("serve", "--model", "llama-3.1-8b", "--on", "h100:1", "--rps", "20")
COMPARE_SERVE = ("compare", "serve", "--model", "llama-3.1-8b", "--rps", "20", "--top", "5")
PLAN = """\
version: 1
name: prueba
workloads:
  - {name: ajuste, kind: train, model: llama-3.1-8b, on: "h100:8", tokens: 1B}
  - {name: datos, kind: storage, provider: gcp, region: us-central1, size: 2TB, months: 3}
"""


@pytest.fixture
def plan(tmp_path: Path) -> str:
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN, encoding="utf-8")
    return str(path)


def commands(plan: str) -> dict[str, tuple[str, ...]]:
    return {
        "train": TRAIN,
        "compare train": COMPARE,
        "serve": SERVE,
        "compare serve": COMPARE_SERVE,
        "quote": ("quote", plan),
    }


@pytest.mark.parametrize("name", ["train", "compare train", "serve", "compare serve", "quote"])
@pytest.mark.parametrize("form", ["html", "xlsx", "focus"])
def test_every_quote_command_has_every_form(
    costcalc: Run, plan: str, tmp_path: Path, name: str, form: str
) -> None:
    target = tmp_path / f"out.{form}"
    done = costcalc(*commands(plan)[name], "--format", form, "--output", str(target))
    assert done.status == 0, done.err
    assert done.out == ""
    content = target.read_bytes()
    if form == "html":
        assert content.startswith(b"<!DOCTYPE html>")
        assert (b'id="alternatives"' in content) is (name != "quote")
    elif form == "xlsx":
        assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    else:
        assert content.startswith(b"\xef\xbb\xbfBillingPeriodStart,")
        assert "warning [" in done.err


def test_the_same_call_gives_the_same_bytes(costcalc: Run, tmp_path: Path) -> None:
    for form in ("html", "xlsx"):
        written = []
        for number in range(2):
            target = tmp_path / f"{number}.{form}"
            assert costcalc(*TRAIN, "--format", form, "--output", str(target)).status == 0
            written.append(target.read_bytes())
        assert written[0] == written[1]


def test_a_workbook_goes_into_a_pipe_but_not_to_a_terminal(
    costcalc: Run, data_dir: Path, tmp_path: Path
) -> None:
    command = [sys.executable, "-P", "-m", "costcalc", *TRAIN, "--format", "xlsx"]
    env = {
        "PATH": os.environ["PATH"],
        "COSTCALC_DATA_DIR": str(data_dir),
        "LANG": "C.UTF-8",
        "SOURCE_DATE_EPOCH": "1796083200",
    }
    done = subprocess.run(command, capture_output=True, env=env, check=True, timeout=60)
    assert zipfile.ZipFile(io.BytesIO(done.stdout)).testzip() is None
    main, other = pty.openpty()
    refused = subprocess.run(
        command, stdout=other, stderr=subprocess.PIPE, env=env, check=False, timeout=60
    )
    os.close(other)
    os.close(main)
    assert refused.returncode == 2
    assert b"--output" in refused.stderr


def test_chart_files(costcalc: Run, plan: str, tmp_path: Path) -> None:
    for name, arguments in commands(plan).items():
        target = tmp_path / f"{name}.svg"
        done = costcalc(*arguments, "--chart", str(target), "--format", "json")
        assert done.status == 0, done.err
        assert target.read_text(encoding="utf-8").startswith("<?xml")
        json.loads(done.out)
    done = costcalc(*TRAIN, "--chart", "quote.pdf")
    assert done.status == 2
    assert ".svg or .png" in done.err


def test_charts_stay_out_of_json(costcalc: Run) -> None:
    record = json.loads(costcalc(*TRAIN, "--format", "json").out)
    assert "offers" not in record
    assert "sensitivity" not in record


def test_plot_in_the_terminal(costcalc: Run) -> None:
    done = costcalc(*COMPARE, "--plot")
    plain = costcalc(*COMPARE)
    assert done.out.startswith(plain.out)
    drawn = done.out[len(plain.out) :].strip().splitlines()
    assert drawn[0] == "Cost of each offer, USD"
    assert len(drawn) == 6
    assert all(len(line) <= 80 for line in drawn)
    served = costcalc(*COMPARE_SERVE, "--plot")
    assert served.out.count("Cost of each offer, USD") == 1
    mxn = costcalc(*COMPARE, "--plot", "--currency", "mxn", "--lang", "es")
    assert "Costo de cada oferta, MXN" in mxn.out


def test_sensitivity_of_a_run(costcalc: Run) -> None:
    record = json.loads(costcalc(*TRAIN, "--sensitivity", "--format", "json").out)
    swings = record["sensitivity"]
    assert {item["name"] for item in swings} == {
        "tuning",
        "goodput",
        "time_model",
        "global_batch",
        "tokens",
        "seq_len",
        "price",
        "usd_mxn",
    }
    assert [item["swing_mxn"] for item in swings] == sorted(
        (item["swing_mxn"] for item in swings), reverse=True
    )
    total = record["totals"]["usd"]
    for item in swings:
        assert item["workload"] == ("" if item["name"] == "usd_mxn" else "train")
        found = [item["usd_at_low"], item["usd_at_high"], total]
        known = [value for value in found if value is not None]
        assert item["swing_usd"] == pytest.approx(max(known) - min(known), abs=0.011)
    by_name = {item["name"]: item for item in swings}
    assert by_name["usd_mxn"]["swing_usd"] == 0
    assert by_name["usd_mxn"]["swing_mxn"] > 0
    # each end is the quote that says so
    tuned = json.loads(costcalc(*TRAIN, "--tuning", "tuned", "--format", "json").out)
    assert by_name["tuning"]["usd_at_low"] == tuned["totals"]["usd"]
    longer = json.loads(costcalc(*TRAIN, "--seq-len", "8192", "--format", "json").out)
    assert by_name["seq_len"]["usd_at_high"] == longer["totals"]["usd"]
    more = json.loads(costcalc(*TRAIN, "--tokens", "16.5B", "--format", "json").out)
    assert by_name["tokens"]["usd_at_high"] == more["totals"]["usd"]


def test_sensitivity_of_a_service(costcalc: Run) -> None:
    arguments = (*SERVE, "--tpot", "40ms", "--months", "3", "--output-tokens", "500")
    record = json.loads(costcalc(*arguments, "--sensitivity", "--format", "json").out)
    swings = {item["name"]: item for item in record["sensitivity"]}
    assert set(swings) >= {
        "rps",
        "input_tokens",
        "output_tokens",
        "tpot",
        "months",
        "price",
        "usd_mxn",
    }
    for name, changed in (
        ("months", ("--months", "3.3")),
        ("rps", ("--rps", "22")),
        ("output_tokens", ("--output-tokens", "550")),
        ("tpot", ("--tpot", "44ms")),
    ):
        again = json.loads(costcalc(*arguments, *changed, "--format", "json").out)
        assert swings[name]["usd_at_high"] == again["totals"]["usd"], name


def test_sensitivity_of_a_plan(costcalc: Run, plan: str) -> None:
    record = json.loads(costcalc("quote", plan, "--sensitivity", "--format", "json").out)
    names = {(item["workload"], item["name"]) for item in record["sensitivity"]}
    assert names >= {
        ("ajuste", "tokens"),
        ("ajuste", "tuning"),
        ("ajuste", "estimate"),
        ("datos", "size"),
        ("datos", "months"),
        ("", "usd_mxn"),
    }
    by_name = {(item["workload"], item["name"]): item for item in record["sensitivity"]}
    changed = costcalc("quote", plan, "--set", "workloads.datos.months=3.3", "--format", "json")
    assert by_name["datos", "months"]["usd_at_high"] == json.loads(changed.out)["totals"]["usd"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_sensitivity_in_the_terminal(costcalc: Run, language: str) -> None:
    done = costcalc(*TRAIN, "--sensitivity", "--lang", language)
    title = {"en": "What moves the total most", "es": "Qué mueve más el total"}[language]
    assert title in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())


def test_price_history_is_drawn(costcalc: Run) -> None:
    arguments = ("prices", "history", "h100", "--provider", "aws")
    plain, done = costcalc(*arguments), costcalc(*arguments, "--plot")
    assert done.status == 0
    assert done.out.startswith(plain.out)
    drawn = done.out[len(plain.out) :]
    assert "USD per machine and hour" in drawn
    assert "█" in drawn
    assert all(len(line) <= 80 for line in drawn.splitlines())


def test_a_sensitivity_fits_the_schema(costcalc: Run, plan: str) -> None:
    import jsonschema

    schema = json.loads(costcalc("schema", "quote").out)
    for arguments in (TRAIN, ("quote", plan)):
        record = json.loads(costcalc(*arguments, "--sensitivity", "--format", "json").out)
        assert record["sensitivity"]
        jsonschema.validate(record, schema)
        record["sensitivity"][0]["swing_usd"] = "12"
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(record, schema)
