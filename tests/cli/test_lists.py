"""The catalog's commands: lists, details, the exchange rate."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal

import pytest
from command import Run

OFFER_KEYS = [
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


def test_prices_list_filters_and_counts_what_it_hides(costcalc: Run) -> None:
    everything = json.loads(costcalc("prices", "list", "--format", "json").out)
    assert list(everything[0])[: len(OFFER_KEYS)] == OFFER_KEYS
    found = json.loads(
        costcalc(
            "prices",
            "list",
            "--accelerator",
            "h100",
            "--provider",
            "aws",
            "--purchase",
            "on-demand",
            "--format",
            "json",
        ).out
    )
    assert found
    assert {row["accelerator"] for row in found} == {"h100-sxm"}
    assert {row["provider"] for row in found} == {"aws"}
    assert {row["purchase"] for row in found} == {"on-demand"}
    prices = [row["usd_per_accelerator_hour"] for row in found]
    assert prices == sorted(prices)
    table = costcalc("prices", "list", "--limit", "5").out
    assert f"More offers that match: {len(everything) - 5:,};" in table
    assert all(len(line) <= 80 for line in table.splitlines())


def test_prices_list_sorts_both_ways(costcalc: Run) -> None:
    up = json.loads(costcalc("prices", "list", "--sort", "instance-price", "--format", "json").out)
    down = json.loads(
        costcalc(
            "prices", "list", "--sort", "instance-price", "--descending", "--format", "json"
        ).out
    )
    prices = [row["usd_per_instance_hour"] for row in up]
    assert prices == sorted(prices)
    assert [row["usd_per_instance_hour"] for row in down] == sorted(prices, reverse=True)


def test_prices_list_knows_queretaro(costcalc: Run) -> None:
    rows = json.loads(costcalc("prices", "list", "--region", "queretaro", "--format", "json").out)
    assert {row["provider"] for row in rows} == {"azure"}
    assert {row["accelerator"] for row in rows} == {"h200-sxm", "a10"}
    h200 = [row for row in rows if row["accelerator"] == "h200-sxm"]
    assert [row["usd_per_instance_hour"] for row in h200] == [93.28]
    none = costcalc("prices", "list", "--region", "queretaro", "--accelerator", "h100")
    assert none.status == 0
    assert "No offer" in none.out


def test_prices_list_as_of_an_earlier_day(costcalc: Run) -> None:
    def price(day: str) -> set[float]:
        out = costcalc(
            "prices",
            "list",
            "--instance-type",
            "p5.48xlarge",
            "--region",
            "us-east-1",
            "--purchase",
            "on-demand",
            "--as-of",
            day,
            "--format",
            "json",
        ).out
        return {row["usd_per_instance_hour"] for row in json.loads(out)}

    assert price("2026-12-01") == {55.04}
    assert price("2020-01-01") == set()


def test_prices_show_tells_history_and_source(costcalc: Run) -> None:
    shown = costcalc("prices", "show", "p5.48xlarge", "--lang", "es")
    assert shown.status == 0
    assert "55.04" in shown.out
    assert "karpenter" in shown.out
    rows = json.loads(costcalc("prices", "show", "h100", "--format", "json").out)
    assert {row["accelerator"] for row in rows} == {"h100-sxm"}
    assert {row["current"] for row in rows} == {True, False}


def test_accelerators(costcalc: Run) -> None:
    rows = json.loads(costcalc("accelerators", "list", "--format", "json").out)
    assert len(rows) == 40
    by_id = {row["id"]: row for row in rows}
    assert by_id["h100-sxm"]["peak_bf16_tflops"] == 989
    assert by_id["jalapeno"]["status"] == "announced"
    assert by_id["jalapeno"]["peak_bf16_tflops"] is None
    assert by_id["inferentia2"]["train"] is False
    figures = json.loads(costcalc("accelerators", "show", "trillium", "--format", "json").out)
    assert {row["id"] for row in figures} == {"tpu-v6e"}
    assert all(row["source"] and row["date"] for row in figures)
    claims = costcalc("accelerators", "show", "jalapeno").out
    assert "not specs" in claims
    assert "substantially better" in claims


def test_models(costcalc: Run) -> None:
    rows = {
        row["id"]: row for row in json.loads(costcalc("models", "list", "--format", "json").out)
    }
    assert len(rows) >= 50
    assert rows["llama-3.1-8b"]["params_total"] == 8_030_261_248
    assert rows["llama-2-70b"]["params_total"] == 68_976_648_192
    assert rows["mixtral-8x7b"]["params_active"] < rows["mixtral-8x7b"]["params_total"]
    some = costcalc("models", "list", "--match", "gemma").out
    assert "hidden" in some
    shown = json.loads(
        costcalc("models", "show", "meta-llama/Llama-3.1-8B-Instruct", "--format", "json").out
    )[0]
    assert shown["id"] == "llama-3.1-8b"
    # 2 x 32 layers x 8 KV heads x 128 x 2 bytes
    assert shown["kv_bytes_per_token_bf16"] == 131_072


def test_fx_show(costcalc: Run) -> None:
    (row,) = json.loads(costcalc("fx", "show", "--format", "json").out)
    assert row["usd_mxn"] == 18.9077
    assert row["date"] == "2026-10-30"
    assert row["age_days"] == 32
    assert "ECB" in row["source"]
    early = json.loads(costcalc("fx", "show", "--as-of", "2026-08-18", "--format", "json").out)
    assert early[0]["usd_mxn"] == 17.0535
    assert costcalc("fx", "show", "--as-of", "2001-01-01").status == 2


@pytest.mark.parametrize(
    "command",
    [
        ("prices", "list", "--limit", "3"),
        ("prices", "show", "trn2.48xlarge"),
        ("accelerators", "list"),
        ("accelerators", "show", "h100"),
        ("models", "list"),
        ("models", "show", "deepseek-v3"),
        ("fx", "show"),
    ],
    ids=" ".join,
)
def test_every_list_reads_well_in_both_languages(costcalc: Run, command: tuple[str, ...]) -> None:
    seen = []
    for language in ("en", "es"):
        result = costcalc(*command, "--lang", language)
        assert result.status == 0
        assert result.err == ""
        assert all(len(line) <= 80 for line in result.out.splitlines())
        assert "\x1b" not in result.out
        seen.append(result.out)
    assert seen[0] != seen[1]
    rows = list(csv.reader(io.StringIO(costcalc(*command, "--format", "csv").out)))
    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("prices", "list", "--accelerator", "h10"), ["h100"]),
        (("prices", "list", "--provider", "awss"), ["aws"]),
        (("prices", "list", "--sort", "prise"), ["--sort"]),
        (("prices", "list", "--limit", "-1"), ["--limit"]),
        (("prices", "list", "--region", "querétaroo"), ["queretaro"]),
        (("prices", "show", "p5.48xlargee"), ["p5.48xlarge"]),
        (("accelerators", "show", "h10"), ["h100"]),
        (("accelerators", "list", "--vendor", "nvidea"), ["nvidia"]),
        (("models", "show", "lama-3.1-8b"), ["llama-3.1-8b"]),
        (("models", "show", "/nonexistent/config.json"), ["/nonexistent/config.json"]),
        (("models", "show", "llama-3.1-8b", "--seq-len", "0"), ["--seq-len"]),
        (("fx", "show", "--fx", "-1"), ["--fx"]),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_bad_names_tell_the_nearest(
    costcalc: Run, command: tuple[str, ...], words: list[str]
) -> None:
    result = costcalc(*command)
    assert result.status == 2, result.out + result.err
    assert result.out == ""
    assert len(result.err.strip().splitlines()) == 1
    for word in words:
        assert word in result.err


def test_unit_prices_keep_their_digits(costcalc: Run) -> None:
    out = costcalc("prices", "list", "--instance-type", "p4d.24xlarge", "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert Decimal("21.957642") in {Decimal(row["usd_per_instance_hour"]) for row in rows}
