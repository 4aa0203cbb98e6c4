"""What-ifs for chips that are only announced: marked everywhere, and never without `--assume`."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from command import Result, Run

TRAIN = ["train", "--model", "llama-3.1-70b", "--tokens", "100B", "--on"]
ASSUME = ["--assume", "usd_per_hour=5,tokens_per_second=3000"]


def record(result: Result) -> dict[str, Any]:
    assert result.status == 0, result.err
    found: dict[str, Any] = json.loads(result.out)
    return found


def test_hours_and_cost_by_hand(costcalc: Run) -> None:
    quote = record(costcalc(*TRAIN, "tpu-8t:64", *ASSUME, "--fx", "20", "--format", "json"))
    # 1e11 tokens / (3,000/s x 64 chips) = 520,833.33 s = 144.6759 h; x 64 chips x USD 5
    estimate = quote["workloads"][0]["estimate"]
    assert estimate["hours"] == pytest.approx(1e11 / (3000 * 64) / 3600)
    (line,) = quote["lines"]
    assert line["quantity"] == pytest.approx(9259.2593)
    assert (line["amount_usd"], line["amount_mxn"]) == (46296.30, 925926.00)
    assert quote["totals"]["usd"] == 46296.30


def test_everything_in_the_json_says_that_it_is_assumed(costcalc: Run) -> None:
    result = costcalc(*TRAIN, "tpu-8t:64", *ASSUME, "--format", "json")
    quote = record(result)
    (workload,) = quote["workloads"]
    assert workload["offer"] is None
    assert workload["inputs"]["assume"] == {"usd_per_hour": 5, "tokens_per_second": 3000}
    estimate = workload["estimate"]
    assert estimate["tuning"] == "assumed"
    assert [estimate[key] for key in ("mfu", "hfu", "mfu_peak_tflops", "interval")] == [None] * 4
    assert estimate["hours_low"] == estimate["hours"] == estimate["hours_high"]
    for line in quote["lines"]:
        assert line["confidence"] == "estimated"
        assert line["source"] == "assumption by the user (--assume)"
        assert (line["provider"], line["region"], line["as_of"]) == (None, None, None)
    assert quote["footprint"] is None
    assert {"assumption", "footprint_no_power"} <= {item["code"] for item in quote["warnings"]}
    assert "warning [assumption]" in result.err
    schema = record(costcalc("schema", "quote"))
    jsonschema.validate(quote, schema)


@pytest.mark.parametrize(("lang", "mark"), [("en", "ASSUMPTION"), ("es", "SUPUESTO")])
def test_reports_for_people_are_marked_in_title_facts_and_lines(
    costcalc: Run, lang: str, mark: str
) -> None:
    for form in ("table", "markdown"):
        text = costcalc(*TRAIN, "tpu-8t:64", *ASSUME, "--lang", lang, "--format", form).out
        lines = text.splitlines()
        assert mark in lines[0]
        assert len([line for line in lines if mark in line]) >= 4
    rows = list(
        csv.DictReader(io.StringIO(costcalc(*TRAIN, "tpu-8t:64", *ASSUME, "--format", "csv").out))
    )
    assert {row["source"] for row in rows} == {"assumption by the user (--assume)"}


def test_a_discount_or_a_budget_still_counts(costcalc: Run) -> None:
    over = costcalc(*TRAIN, "tpu-8t:64", *ASSUME, "--budget", "40000USD")
    assert over.status == 3
    within = record(
        costcalc(*TRAIN, "tpu-8t:64", *ASSUME, "--budget", "50000USD", "--format", "json")
    )
    assert within["budget"]["status"] == "warn"


def test_without_the_option_nothing_announced_is_quoted(costcalc: Run) -> None:
    for chip in ("tpu-8t:64", "tpu-8i:8", "jalapeno:8"):
        result = costcalc(*TRAIN, chip)
        assert (result.status, result.out) == (4, "")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["h100:64", *ASSUME], 2, "can be rented"),
        (["jalapeno:8", *ASSUME], 4, "inference only"),
        (["tpu-8t:64", "--assume", "usd_per_hour=5"], 2, "needs tokens_per_second"),
        (["tpu-8t:64", "--assume", "usd_per_hour=0,tokens_per_second=9"], 2, "usd_per_hour"),
        (["tpu-8t:64", "--assume", "usd_per_hour=x,tokens_per_second=9"], 2, "usd_per_hour"),
        (["tpu-8t:64", "--assume", "usd_per_hours=5,tokens_per_second=9"], 2, "usd_per_hour?"),
        (["tpu-8t:64", "--assume", ","], 2, "--assume"),
        (["tpu-8t:64", *ASSUME, "--region", "queretaro"], 2, "no room for --region"),
        (["tpu-8t:64", *ASSUME, "--egress", "1TB"], 2, "no room for --egress"),
        (["tpu-8t:64", *ASSUME, "--format", "html"], 2, "'html' is not one of table, json"),
    ],
)
def test_slips(costcalc: Run, words: list[str], status: int, said: str) -> None:
    result = costcalc(*TRAIN, *words)
    assert (result.status, result.out) == (status, "")
    assert said in result.err
    assert "Traceback" not in result.err


def test_a_price_keeps_its_digits(costcalc: Run) -> None:
    words = ["--assume", "usd_per_hour=0.123456789,tokens_per_second=3k"]
    (line,) = record(costcalc(*TRAIN, "tpu-8t:64", *words, "--format", "json"))["lines"]
    assert Decimal(str(line["unit_price_usd"])) == Decimal("0.123456789")


# Serving

SERVE = ["serve", "--model", "gpt-oss-120b", "--input-tokens", "1000", "--output-tokens", "250"]
RATE = ["--assume", "usd_per_hour=3,tokens_per_second=2500"]


def test_a_service_by_hand(costcalc: Run) -> None:
    words = ["--on", "jalapeno:8", "--rps", "200", *RATE, "--format", "json", "--fx", "20"]
    quote = record(costcalc(*SERVE, *words))
    # 200 x 250 = 50,000 tokens/s over 85 % of 8 x 2,500: 2.94, so 3 replicas of 8
    estimate = quote["workloads"][0]["estimate"]
    assert (estimate["replicas"], estimate["accelerators"]) == (3, 24)
    assert estimate["utilisation"] == pytest.approx(50_000 / 60_000)
    # 24 x 730 h x USD 3, over 200 x 250 x 730 x 3,600 tokens
    assert quote["totals"]["usd"] == 52_560.00
    assert estimate["usd_per_million_output_tokens"] == pytest.approx(
        52_560 / (200 * 250 * 730 * 3600 / 1e6)
    )
    assert estimate["usd_per_million_input_tokens"] == pytest.approx(
        estimate["usd_per_million_output_tokens"] / 4
    )
    assert [estimate[key] for key in ("tpot_ms", "ttft_ms_p95", "layout")] == [None] * 3
    assert estimate["tier"] == "assumed"
    assert quote["workloads"][0]["offer"] is None
    assert {line["confidence"] for line in quote["lines"]} == {"estimated"}
    assert "assumption" in {item["code"] for item in quote["warnings"]}
    jsonschema.validate(quote, record(costcalc("schema", "quote")))


@pytest.mark.parametrize(("lang", "mark"), [("en", "ASSUMPTION"), ("es", "SUPUESTO")])
def test_a_service_is_marked(costcalc: Run, lang: str, mark: str) -> None:
    words = ["--on", "tpu-8i:8", "--rps", "20", *RATE, "--lang", lang]
    lines = costcalc(*SERVE, *words).out.splitlines()
    assert mark in lines[0]
    assert len([line for line in lines if mark in line]) >= 4


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--on", "tpu-8i:8", "--rps", "20"], 4, "cannot be rented"),
        (["--on", "h100:8", "--rps", "20", *RATE], 2, "can be rented"),
        (["--on", "tpu-8t:8", "--rps", "20", *RATE], 4, "training only"),
        (["--on", "tpu-8i:8", *RATE], 2, "give --rps"),
        (["--on", "tpu-8i:8", "--rps", "2000", "--replicas", "1", *RATE], 4, "30 would"),
        (["--on", "tpu-8i:8", "--rps", "20", "--ttft", "1s", *RATE], 2, "no room for --ttft"),
        (["--on", "tpu-8i:8", "--rps", "20", "--engine", "vllm", *RATE], 2, "for --engine"),
        (
            ["--on", "tpu-8i:8", "--rps", "20", "--versus-api", "gpt-5", *RATE],
            2,
            "no room for --versus-api",
        ),
    ],
)
def test_slips_of_a_service(costcalc: Run, words: list[str], status: int, said: str) -> None:
    result = costcalc(*SERVE, *words)
    assert (result.status, result.out) == (status, "")
    assert said in result.err
    assert "Traceback" not in result.err
