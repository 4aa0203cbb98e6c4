"""`costcalc train` as people and scripts run it: status, clean stdout, warnings, formats."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from command import Run

TRAIN = ("train", "--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8")

TOP = [
    "schema",
    "kind",
    "as_of",
    "catalog",
    "fx",
    "workloads",
    "lines",
    "totals",
    "footprint",
    "budget",
    "warnings",
]
LINE = [
    "workload",
    "item",
    "provider",
    "region",
    "sku",
    "quantity",
    "unit",
    "unit_price_usd",
    "amount_usd",
    "low_usd",
    "high_usd",
    "amount_mxn",
    "low_mxn",
    "high_mxn",
    "as_of",
    "source",
    "confidence",
]
OFFER = [
    "provider",
    "region",
    "instance_type",
    "accelerator",
    "accelerator_count",
    "instances",
    "purchase",
    "market",
    "usd_per_instance_hour",
    "as_of",
    "source",
    "confidence",
]
ESTIMATE = [
    "params_total",
    "params_active",
    "flops_per_token",
    "total_flops",
    "tokens_per_second_per_accelerator",
    "mfu",
    "hfu",
    "mfu_peak_tflops",
    "tuning",
    "goodput",
    "hours",
    "hours_low",
    "hours_high",
    "accelerator_hours",
    "accelerator_hours_low",
    "accelerator_hours_high",
    "interval",
    "memory_gib_per_accelerator",
    "layout",
]
TOTALS = [
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "mxn_low",
    "mxn_high",
    "iva_rate",
    "iva_mode",
    "iva_usd",
    "iva_mxn",
    "usd_with_iva",
    "mxn_with_iva",
]


@pytest.fixture(scope="module")
def quote(costcalc: Run) -> dict[str, Any]:
    result = costcalc(*TRAIN, "--format", "json")
    assert result.status == 0
    found: dict[str, Any] = json.loads(result.out)
    return found


def test_the_json_has_the_keys_of_the_contract(quote: dict[str, Any]) -> None:
    assert list(quote) == TOP
    assert quote["schema"] == "costcalc.quote/1"
    assert quote["kind"] == "train"
    assert quote["as_of"] == "2026-12-01"
    (workload,) = quote["workloads"]
    assert list(workload) == ["name", "kind", "inputs", "offer", "estimate"]
    assert list(workload["offer"]) == OFFER
    assert list(workload["estimate"]) == ESTIMATE
    assert list(workload["estimate"]["memory_gib_per_accelerator"]) == [
        "total",
        "weights",
        "gradients",
        "optimizer",
        "activations",
        "other",
    ]
    assert list(workload["estimate"]["layout"]) == [
        "data",
        "tensor",
        "pipeline",
        "context",
        "expert",
        "recompute",
        "sharding",
    ]
    for line in quote["lines"]:
        assert list(line) == LINE
    assert list(quote["totals"]) == TOTALS


def test_the_figures_agree_with_each_other(quote: dict[str, Any]) -> None:
    (workload,) = quote["workloads"]
    offer, estimate = workload["offer"], workload["estimate"]
    (line,) = quote["lines"]
    hours = Decimal(str(estimate["hours"]))
    assert Decimal(str(line["quantity"])) == (hours * offer["instances"]).quantize(
        Decimal("0.0001")
    )
    price = Decimal(str(line["unit_price_usd"]))
    assert (Decimal(str(line["quantity"])) * price).quantize(Decimal("0.01")) == Decimal(
        str(line["amount_usd"])
    )
    rate = Decimal(str(quote["fx"]["usd_mxn"]))
    assert (Decimal(str(line["amount_usd"])) * rate).quantize(Decimal("0.01")) == Decimal(
        str(line["amount_mxn"])
    )
    assert quote["totals"]["usd"] == line["amount_usd"]
    assert estimate["hours_low"] < estimate["hours"] < estimate["hours_high"]
    assert estimate["accelerator_hours"] == pytest.approx(estimate["hours"] * 8)
    rate_per_chip = estimate["tokens_per_second_per_accelerator"]
    seconds = 15e9 / (rate_per_chip * 8 * estimate["goodput"])
    assert estimate["hours"] == pytest.approx(seconds / 3600)
    assert estimate["total_flops"] == pytest.approx(estimate["flops_per_token"] * 15e9)
    assert estimate["mfu"] == pytest.approx(
        rate_per_chip * estimate["flops_per_token"] / (estimate["mfu_peak_tflops"] * 1e12)
    )
    assert offer["accelerator_count"] * offer["instances"] >= 8


def test_warnings_are_in_the_json_and_on_stderr(costcalc: Run) -> None:
    result = costcalc(*TRAIN, "--format", "json")
    codes = [warning["code"] for warning in json.loads(result.out)["warnings"]]
    assert "old_rate" in codes
    for code in codes:
        assert f"[{code}]" in result.err
    table = costcalc(*TRAIN)
    assert table.err == ""
    assert all(f"[{code}]" in table.out for code in codes)


def test_the_same_inputs_give_the_same_bytes(costcalc: Run) -> None:
    assert costcalc(*TRAIN, "--format", "json").out == costcalc(*TRAIN, "--format", "json").out


def test_csv_has_one_header_and_numbers(costcalc: Run, tmp_path: Path) -> None:
    result = costcalc(*TRAIN, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert list(rows[0]) == LINE
    assert Decimal(rows[0]["amount_usd"]) > 0
    assert not result.out.startswith("\ufeff")
    file = tmp_path / "quote.csv"
    assert costcalc(*TRAIN, "--format", "csv", "--output", str(file)).out == ""
    assert file.read_bytes().startswith(b"\xef\xbb\xbf")
    assert file.read_text(encoding="utf-8-sig") == result.out


def test_markdown_is_a_table(costcalc: Run) -> None:
    out = costcalc(*TRAIN, "--format", "markdown").out
    assert out.startswith("## ")
    assert "| --- |" in out


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_table_reads_well(costcalc: Run, language: str) -> None:
    result = costcalc(*TRAIN, "--lang", language)
    assert result.status == 0
    assert max(len(line) for line in result.out.splitlines()) <= 80
    assert "\x1b" not in result.out
    assert "USD" in result.out
    assert "MXN" in result.out
    assert "$" not in result.out
    assert "18.9077" in result.out
    assert ("2026-10-30" if language == "en" else "30 de octubre de 2026") in result.out


def test_the_language_comes_from_the_locale(costcalc: Run) -> None:
    assert "Cotización" in costcalc(*TRAIN, env={"LANG": "es_MX.UTF-8"}).out
    assert (
        "Cotización" in costcalc(*TRAIN, env={"LANG": "en_US.UTF-8", "LC_ALL": "es_MX.UTF-8"}).out
    )
    assert "Training" in costcalc(*TRAIN, "--lang", "en", env={"LANG": "es_MX.UTF-8"}).out
    assert "Cotiza" in costcalc("--help", env={"LANG": "es_MX.UTF-8"}).out


def test_json_keys_and_codes_are_english_in_every_language(costcalc: Run) -> None:
    english = json.loads(costcalc(*TRAIN, "--format", "json").out)
    spanish = json.loads(costcalc(*TRAIN, "--format", "json", "--lang", "es").out)
    assert [w["code"] for w in english["warnings"]] == [w["code"] for w in spanish["warnings"]]
    assert [w["message"] for w in english["warnings"]] != [
        w["message"] for w in spanish["warnings"]
    ]
    english["warnings"] = spanish["warnings"] = []
    assert english == spanish


def test_budgets(costcalc: Run) -> None:
    over = costcalc(*TRAIN, "--budget", "1USD", "--format", "json")
    assert over.status == 3
    assert json.loads(over.out)["budget"]["status"] == "over"
    within = costcalc(*TRAIN, "--budget", "90000000MXN", "--format", "json")
    assert within.status == 0
    budget = json.loads(within.out)["budget"]
    assert budget["currency"] == "MXN"
    assert budget["status"] == "ok"


def test_currency_options(costcalc: Run) -> None:
    dollars = costcalc(*TRAIN, "--currency", "usd").out
    assert "Cost  USD" in dollars
    assert "      MXN " not in dollars
    pesos = costcalc(*TRAIN, "--currency", "mxn").out
    assert "Cost  MXN" in pesos
    typed = json.loads(costcalc(*TRAIN, "--fx", "20", "--format", "json").out)
    assert typed["fx"] == {"usd_mxn": 20, "date": None, "source": "--fx"}
    assert typed["totals"]["mxn"] == pytest.approx(typed["totals"]["usd"] * 20)


def test_iva_modes(costcalc: Run) -> None:
    none = json.loads(costcalc(*TRAIN, "--format", "json").out)["totals"]
    add = json.loads(costcalc(*TRAIN, "--iva", "add", "--format", "json").out)["totals"]
    own = json.loads(costcalc(*TRAIN, "--iva", "self-assessed", "--format", "json").out)["totals"]
    border = json.loads(
        costcalc(*TRAIN, "--iva", "add", "--iva-rate", "8", "--format", "json").out
    )["totals"]
    assert none["iva_usd"] == 0
    assert add["iva_rate"] == 16
    assert add["usd_with_iva"] == pytest.approx(add["usd"] + add["iva_usd"])
    assert add["iva_usd"] == pytest.approx(add["usd"] * 0.16, abs=0.01)
    assert own["iva_usd"] == add["iva_usd"]
    assert own["usd_with_iva"] == own["usd"]
    assert border["iva_usd"] == pytest.approx(add["iva_usd"] / 2, abs=0.01)


def test_a_discount_is_a_line(costcalc: Run) -> None:
    plain = json.loads(costcalc(*TRAIN, "--provider", "aws", "--format", "json").out)
    cheaper = json.loads(
        costcalc(*TRAIN, "--provider", "aws", "--discount", "aws=12%", "--format", "json").out
    )
    assert [line["item"] for line in cheaper["lines"]] == ["compute", "discount"]
    assert cheaper["totals"]["usd"] == pytest.approx(plain["totals"]["usd"] * 0.88, abs=0.01)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--on", "h100:0"), 2, ["--on", "1"]),
        (("--on", "h100:-8"), 2, ["--on"]),
        (("--on", "h10:8"), 2, ["h10", "h100"]),
        (("--on", "h100"), 2, ["h100"]),
        (("--on", "h100:1e9"), 2, ["--on"]),
        (("--tokens", "1e400"), 2, ["--tokens"]),
        (("--tokens", "NaN"), 2, ["--tokens"]),
        (("--tokens", "-5"), 2, ["--tokens"]),
        (("--fx", "0"), 2, ["--fx"]),
        (("--fx", "abc"), 2, ["--fx"]),
        (("--budget", "20000"), 2, ["--budget", "USD", "MXN"]),
        (("--model", "llama-3.1-8bb"), 2, ["llama-3.1-8b"]),
        (("--provider", "amazonn"), 2, ["--provider"]),
        (("--format", "jsn"), 2, ["--format", "json"]),
        (("--lang", "fr"), 2, ["--lang", "es"]),
        (("--precision", "fp7"), 2, ["--precision", "fp8"]),
        (("--method", "lorra"), 2, ["--method", "lora"]),
        (("--as-of", "yesterday"), 2, ["--as-of"]),
        (("--epochs", "0"), 2, ["--epochs"]),
        (("--seq-len", "0"), 2, ["--seq-len"]),
        (("--discount", "aws"), 2, ["--discount"]),
        (("--discount", "aws=200%"), 2, ["--discount"]),
        (("--iva", "maybe"), 2, ["--iva"]),
        (("--iva-rate", "-1"), 2, ["--iva-rate"]),
        (("--nonsense",), 2, ["--nonsense"]),
        (("--on", "inferentia2:12"), 4, ["Inferentia2", "h100-sxm"]),
        (("--on", "jalapeno:8"), 4, ["Jalapeno"]),
        (("--output", "/nonexistent/folder/quote.json"), 2, ["--output"]),
        (("--output", "/"), 2, ["--output"]),
        (("--catalog", "/nonexistent"), 2, ["/nonexistent"]),
    ],
)
def test_bad_input_is_one_clear_sentence(
    costcalc: Run, arguments: tuple[str, ...], status: int, words: list[str]
) -> None:
    for language in ("en", "es"):
        result = costcalc(*TRAIN, *arguments, "--lang", language, env={"LANG": "C.UTF-8"})
        if "--lang" in arguments:
            result = costcalc(*TRAIN, *arguments)
        assert result.status == status, result.err
        assert result.out == ""
        assert "Traceback" not in result.err
        assert len(result.err.strip().splitlines()) == 1, result.err
        for word in words:
            assert word in result.err


def test_what_does_not_fit_says_what_would(costcalc: Run) -> None:
    result = costcalc("train", "--model", "llama-3.1-405b", "--tokens", "1T", "--on", "h100:8")
    assert result.status == 4
    assert result.out == ""
    assert any(
        word.strip(".,").isdigit() and int(word.strip(".,")) > 8 for word in result.err.split()
    )


def test_a_failed_quote_leaves_no_file(costcalc: Run, tmp_path: Path) -> None:
    file = tmp_path / "quote.json"
    file.write_text("before", encoding="utf-8")
    result = costcalc(*TRAIN, "--on", "h10:8", "--format", "json", "--output", str(file))
    assert result.status == 2
    assert file.read_text(encoding="utf-8") == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_closed_pipe_is_no_fault(data_dir: Path) -> None:
    shell = f"{sys.executable} -P -m costcalc models list --format json | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", shell],
        capture_output=True,
        text=True,
        env={**os.environ, "COSTCALC_DATA_DIR": str(data_dir)},
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout == "[\n"
    assert done.stderr == ""


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_a_locale_without_utf8(costcalc: Run, locale: str) -> None:
    result = costcalc(*TRAIN, "--lang", "es", env={"LC_ALL": locale, "PYTHONIOENCODING": "ascii"})
    assert result.status == 0
    assert "Traceback" not in result.err


def test_a_read_only_home(costcalc: Run, tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    folder.chmod(0o555)
    env = {"HOME": str(folder), "COSTCALC_DATA_DIR": str(folder / "data")}
    if os.geteuid() == 0:
        # root may write anywhere: a file where the folder should be has the same effect
        (folder / "data").write_text("", encoding="utf-8")
    result = costcalc(*TRAIN, "--format", "json", env=env)
    assert result.status == 0, result.err


def test_no_command_shows_the_help(costcalc: Run) -> None:
    result = costcalc()
    assert "train" in result.out
    assert "Traceback" not in result.err


def test_version(costcalc: Run) -> None:
    assert costcalc("--version").out.startswith("costcalc 0.")
