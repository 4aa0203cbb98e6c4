"""`costcalc compare train` as a command: formats, keys, exit statuses, both languages."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.command import Run

COMPARE = ("compare", "train", "--model", "llama-3.1-8b", "--tokens", "10B")
KEYS = (
    "rank",
    "provider",
    "region",
    "instance_type",
    "accelerator",
    "accelerator_count",
    "purchase",
    "market",
    "hours",
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "usd_ratio",
    "pflop_hours_per_usd",
    "as_of",
    "confidence",
    "fits",
    "reason",
)


def test_json_holds_the_contract(costcalc: Run) -> None:
    done = costcalc(*COMPARE, "--top", "5", "--format", "json")
    assert done.status == 0
    quote = json.loads(done.out)
    assert quote["kind"] == "compare"
    offers = quote["offers"]
    assert [offer["rank"] for offer in offers] == [1, 2, 3, 4, 5]
    for offer in offers:
        assert tuple(offer)[: len(KEYS)] == KEYS
        assert offer["fits"] is True
        assert offer["usd_low"] <= offer["usd"] <= offer["usd_high"]
        assert offer["usd_ratio"] == pytest.approx(offer["usd"] / offers[0]["usd"], abs=1e-5)
        assert offer["mxn"] == pytest.approx(offer["usd"] * quote["fx"]["usd_mxn"], abs=0.01)
    assert quote["totals"]["usd"] == offers[0]["usd"]
    assert {item["code"] for item in quote["warnings"]} >= {"smallest_counts"}


def test_csv_is_the_ranking(costcalc: Run) -> None:
    done = costcalc(*COMPARE, "--format", "csv", "--provider", "gcp")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert list(rows[0])[: len(KEYS)] == list(KEYS)
    assert {row["provider"] for row in rows} == {"gcp"}
    assert "warning" in done.err.lower()


def test_excluded_offers_carry_their_reason(costcalc: Run) -> None:
    done = costcalc(*COMPARE, "--format", "json", "--show-excluded", "--region", "queretaro")
    offers = json.loads(done.out)["offers"]
    left = [offer for offer in offers if not offer["fits"]]
    oci = [offer for offer in left if offer["provider"] == "oci"]
    assert oci
    assert all(offer["reason"].startswith(("uniform_price", "serves_only")) for offer in oci)
    assert all(offer["rank"] is None for offer in left)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_table_fits_a_terminal(costcalc: Run, language: str) -> None:
    done = costcalc(*COMPARE, "--show-excluded", "--provider", "aws", "--lang", language)
    assert done.status == 0
    assert all(len(line) <= 80 for line in done.out.splitlines())
    word = {"en": "Left out", "es": "Fuera de la lista"}[language]
    assert word in done.out
    assert "p5.48xlarge" in done.out


def test_markdown_has_the_same_figures(costcalc: Run) -> None:
    arguments = (*COMPARE, "--provider", "aws", "--top", "2")
    table = costcalc(*arguments, env={"COLUMNS": "200"}).out
    markdown = costcalc(*arguments, "--format", "markdown").out
    first = json.loads(costcalc(*arguments, "--format", "json").out)["offers"][0]
    amount = f"{first['usd']:,.2f}"
    assert amount in table
    assert amount in markdown


@pytest.mark.parametrize(
    ("extra", "status", "said"),
    [
        (("--budget", "1USD"), 3, "cheapest"),
        (("--deadline", "1min", "--max-chips", "64"), 4, "fastest"),
        (("--budget", "100"), 2, "USD"),
        (("--rank", "price"), 2, "cost"),
        (("--porting-hours", "10"), 2, "--porting-rate"),
        (("--software", "tensorflow"), 2, "pytorch"),
        (("--max-chips", "0"), 2, "--max-chips"),
        (("--region", "atlantis"), 2, "atlantis"),
        (("--provider", "gpc"), 2, "gcp"),
        (("--on", "inf2:12"), 4, "serves_only"),
    ],
)
def test_limits_that_nothing_meets_and_values_that_are_none(
    costcalc: Run, extra: tuple[str, ...], status: int, said: str
) -> None:
    done = costcalc(*COMPARE, *extra)
    assert done.status == status, done.err
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_porting_is_printed_with_its_payback(costcalc: Run) -> None:
    done = costcalc(
        *COMPARE, "--software", "jax", "--porting-hours", "200", "--porting-rate", "60USD",
        "--top", "0",
    )  # fmt: skip
    assert done.status == 0
    assert "12,000.00" in done.out


def test_equal_questions_get_equal_bytes(costcalc: Run) -> None:
    arguments = (*COMPARE, "--format", "json")
    assert costcalc(*arguments).out == costcalc(*arguments).out
