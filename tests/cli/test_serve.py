"""`costcalc serve` and `compare serve` as people and scripts run them."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command import Run

PAPER = ("--concurrency", "64", "--input-tokens", "128", "--output-tokens", "256")
SERVICE = (
    "--model",
    "llama-3.1-70b",
    "--precision",
    "fp8",
    "--rps",
    "20",
    "--input-tokens",
    "1000",
    "--output-tokens",
    "300",
    "--ttft",
    "500ms",
    "--tpot",
    "50ms",
)
PREDICTED = (
    "tpot_ms",
    "ttft_ms_p50",
    "ttft_ms_p95",
    "output_tokens_per_second_per_replica",
    "replicas",
    "accelerators",
    "utilisation",
    "usd_per_million_output_tokens",
    "usd_per_million_input_tokens",
)


def quote(costcalc: Run, *arguments: str) -> dict[str, Any]:
    found = costcalc("serve", *arguments, "--format", "json")
    assert found.status == 0, found.err
    content: dict[str, Any] = json.loads(found.out)
    return content


def estimate_of(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["workloads"][0]["estimate"]
    return found


@pytest.mark.parametrize(
    ("on", "rate", "token_ms"), [("v6e-8", 3253.0, 18.71), ("h100:2", 3158.0, 18.42)]
)
def test_the_papers_load(costcalc: Run, on: str, rate: float, token_ms: float) -> None:
    content = quote(costcalc, "--model", "gemma-4-31b", "--on", on, *PAPER)
    found = estimate_of(content)
    assert found["tpot_ms_low"] <= token_ms <= found["tpot_ms_high"]
    low, high = (found[f"output_tokens_per_second_per_replica_{end}"] for end in ("low", "high"))
    assert low <= rate <= high
    assert found["replicas"] == 1
    assert found["max_concurrency"] >= 64


@pytest.fixture(scope="module")
def service(costcalc: Run) -> dict[str, Any]:
    return quote(costcalc, *SERVICE, "--on", "h100:8", "--average-load", "40%", "--months", "3")


def test_keys_of_the_contract(service: dict[str, Any]) -> None:
    assert service["kind"] == "serve"
    found = estimate_of(service)
    for name in PREDICTED:
        low, middle, high = (found[f"{name}{end}"] for end in ("_low", "", "_high"))
        assert 0 < low <= middle <= high
    assert found["max_concurrency"] > 0
    assert found["utilisation"] <= 0.85
    inputs = service["workloads"][0]["inputs"]
    assert inputs["hours_per_month"] == 730
    assert inputs["average_load"] == 0.4
    assert (inputs["ttft_ms"], inputs["tpot_ms"]) == (500, 50)


def test_the_json_holds_to_its_schema(costcalc: Run, service: dict[str, Any]) -> None:
    schema = json.loads(costcalc("schema", "quote").out)
    jsonschema.validate(service, schema)
    batch = quote(costcalc, "--model", "llama-3.1-8b", "--on", "h100:1")
    jsonschema.validate(batch, schema)
    assert estimate_of(batch)["ttft_ms_p95"] is None
    assert "serving_batch" in {item["code"] for item in batch["warnings"]}


def test_the_bill_and_its_tokens(service: dict[str, Any]) -> None:
    (line,) = service["lines"]
    offer = service["workloads"][0]["offer"]
    hours = Decimal(730) * 3 * offer["instances"]
    assert Decimal(str(line["quantity"])) == hours
    assert line["amount_usd"] == pytest.approx(float(hours) * line["unit_price_usd"], abs=0.01)
    assert service["totals"]["usd"] == line["amount_usd"]
    found = estimate_of(service)
    # 20 requests a second at the peak, 40 % of them on average
    tokens = 20 * 0.4 * 3 * 730 * 3600
    assert found["usd_per_million_output_tokens"] == pytest.approx(
        line["amount_usd"] / (tokens * 300) * 1e6
    )
    assert found["usd_per_million_input_tokens"] == pytest.approx(
        line["amount_usd"] / (tokens * 1000) * 1e6
    )
    full = found["capacity_requests_per_s"] * 3 * 730 * 3600 * 300
    assert found["usd_per_million_output_tokens_at_capacity"] == pytest.approx(
        line["amount_usd"] / full * 1e6
    )
    assert found["requests_per_s"] / found["capacity_requests_per_s"] == pytest.approx(
        found["utilisation"]
    )


def test_report_for_people(costcalc: Run) -> None:
    for language, words in (
        ("en", ("Time per token", "Replicas", "headroom", "at capacity", "730 hours")),
        ("es", ("Tiempo por token", "Réplicas", "holgura", "a plena capacidad", "730 horas")),
    ):
        found = costcalc("serve", *SERVICE, "--on", "h100:8", "--lang", language, "--explain")
        assert found.status == 0, found.err
        assert all(word in found.out for word in words)
        assert all(len(line) <= 80 for line in found.out.splitlines())


def test_other_formats(costcalc: Run, tmp_path: Path) -> None:
    rows = costcalc("serve", *SERVICE, "--on", "h100:8", "--format", "csv")
    (line,) = list(csv.DictReader(io.StringIO(rows.out)))
    assert line["item"] == "compute"
    page = costcalc("serve", *SERVICE, "--on", "h100:8", "--format", "html")
    assert page.status == 0, page.err
    assert "<html" in page.out
    book = tmp_path / "quote.xlsx"
    made = costcalc("serve", *SERVICE, "--on", "h100:8", "--format", "xlsx", "--output", str(book))
    assert made.status == 0, made.err
    assert book.read_bytes()[:2] == b"PK"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--on", "h100:1", "--rps", "0"), 2, "--rps"),
        (("--on", "h100:1", "--rps", "1e9"), 2, "1,000,000"),
        (("--on", "h100:1", "--rps", "1", "--concurrency", "2"), 2, "one of them"),
        (("--on", "h100:1", "--input-tokens", "0"), 2, "--input-tokens"),
        (("--on", "h100:1", "--output-tokens", "0"), 2, "--output-tokens"),
        (("--on", "h100:1", "--input-tokens", "200k"), 2, "131,072"),
        (("--on", "h100:1", "--engine", "vlm"), 2, "vllm"),
        (("--on", "h100:1", "--ttft", "0ms"), 2, "--ttft"),
        (("--on", "h100:1", "--prefix-hit", "100%"), 2, "--prefix-hit"),
        (("--on", "h100:1", "--average-load", "0%"), 2, "--average-load"),
        (("--on", "h100:1", "--concurrency", "8", "--tpot", "1ms"), 4, "physical floor"),
        (("--on", "h100:1", "--rps", "500", "--replicas", "1"), 4, "would be needed"),
        (
            (
                "--on",
                "jalapeno:1",
            ),
            4,
            "announced",
        ),
        (("--on", "h100:1", "--budget", "100USD"), 3, "of the budget"),
        (("--on", "h100:8", "--region", "qro"), 4, "Nearest"),
    ],
)
def test_refusals(costcalc: Run, arguments: tuple[str, ...], status: int, words: str) -> None:
    found = costcalc("serve", "--model", "llama-3.1-8b", *arguments)
    assert found.status == status, found.err
    assert words in found.err
    assert "Traceback" not in found.err
    faults = [line for line in found.err.splitlines() if not line.startswith("warning")]
    assert len(faults) == 1


def test_spot_is_taken_only_when_asked(costcalc: Run) -> None:
    wish = ("--model", "llama-3.1-8b", "--on", "h100:1", "--concurrency", "8")
    plain = quote(costcalc, *wish)
    assert plain["workloads"][0]["offer"]["purchase"] == "on-demand"
    asked = quote(costcalc, *wish, "--purchase", "spot")
    assert asked["workloads"][0]["offer"]["purchase"] == "spot"
    codes = {item["code"] for item in asked["warnings"]}
    assert "spot_serving" in codes
    assert "spot_assumed" not in codes
    assert not [line for line in asked["lines"] if line["item"] == "spot_redone"]


def test_commitment_and_data(costcalc: Run) -> None:
    content = quote(
        costcalc,
        "--model",
        "llama-3.1-8b",
        "--on",
        "h100:8",
        "--concurrency",
        "8",
        "--purchase",
        "commit-1y",
        "--provider",
        "gcp",
        "--months",
        "12",
        "--storage",
        "100GB",
        "--egress",
        "1TB",
        "--discount",
        "gcp=10%",
    )
    items = [line["item"] for line in content["lines"]]
    assert items[:3] == ["compute", "storage", "egress"]
    assert items.count("discount") == 3
    assert content["workloads"][0]["offer"]["purchase"] == "commit-1y"
    # 100 GB of 10^9 bytes, in GB of 2^30, for 12 months
    storage = content["lines"][1]
    assert storage["quantity"] == pytest.approx(100e9 / 2**30 * 12, abs=1e-4)
    assert content["totals"]["usd"] == pytest.approx(
        sum(line["amount_usd"] for line in content["lines"]), abs=1e-6
    )


def test_a_replica_never_straddles_a_machine(costcalc: Run) -> None:
    content = quote(
        costcalc,
        "--model",
        "llama-3.1-8b",
        "--on",
        "h100:5",
        "--concurrency",
        "4",
        "--replicas",
        "2",
        "--provider",
        "aws",
    )
    offer = content["workloads"][0]["offer"]
    # five of eight twice: ten accelerators, but two machines
    assert offer["accelerator_count"] * offer["instances"] == 16


def test_serving_in_a_plan(costcalc: Run, tmp_path: Path) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        """\
version: 1
name: service
assumptions: {hours_per_month: 700}
workloads:
  - name: chat
    kind: serve
    model: llama-3.1-8b
    on: h100:1
    rps: 3
    input_tokens: 800
    output_tokens: 200
    ttft: 1s
    tpot: 40ms
    months: 2
""",
        encoding="utf-8",
    )
    found = costcalc("quote", str(plan), "--format", "json")
    assert found.status == 0, found.err
    content = json.loads(found.out)
    (workload,) = content["workloads"]
    assert workload["kind"] == "serve"
    assert workload["estimate"]["utilisation"] <= 0.85
    assert content["lines"][0]["quantity"] == 700 * 2 * workload["offer"]["instances"]
    shown = costcalc("quote", str(plan))
    assert shown.status == 0, shown.err
    plan.write_text(plan.read_text("utf-8").replace("tpot: 40ms", "tpot: 1ms"), "utf-8")
    refused = costcalc("quote", str(plan))
    assert refused.status == 4
    assert "physical floor" in refused.err


def test_every_offer_ranked(costcalc: Run) -> None:
    found = costcalc("compare", "serve", *SERVICE, "--format", "json", "--top", "20")
    assert found.status == 0, found.err
    content = json.loads(found.out)
    offers = content["offers"]
    assert content["kind"] == "compare"
    assert [offer["rank"] for offer in offers] == list(range(1, len(offers) + 1))
    costs = [offer["usd"] for offer in offers]
    assert costs == sorted(costs)
    assert offers[0]["usd"] == content["totals"]["usd"]
    assert offers[0]["usd_ratio"] == 1
    for offer in offers:
        assert offer["fits"]
        assert offer["tpot_ms"] <= 50
        assert offer["ttft_ms_p95"] <= 510
        assert offer["utilisation"] <= 0.85
        assert offer["usd_low"] <= offer["usd"] <= offer["usd_high"]
    schema = json.loads(costcalc("schema", "quote").out)
    jsonschema.validate(content, schema)


def test_a_compared_offer_costs_what_its_quote_costs(costcalc: Run) -> None:
    compared = json.loads(
        costcalc(
            "compare", "serve", *SERVICE, "--on", "h100:8", "--on", "v6e-8", "--format", "json"
        ).out
    )
    for accelerator, on in (("h100-sxm", "h100:8"), ("tpu-v6e", "v6e-8")):
        first = next(o for o in compared["offers"] if o["accelerator"] == accelerator)
        alone = quote(costcalc, *SERVICE, "--on", on)
        assert first["usd"] == alone["totals"]["usd"]
        assert first["replicas"] == estimate_of(alone)["replicas"]


def test_comparison_for_people(costcalc: Run) -> None:
    for language, words in (
        ("en", ("Services compared", "USD/M out", "Left out")),
        ("es", ("Servicios comparados", "Réplicas", "Fuera de la lista")),
    ):
        found = costcalc("compare", "serve", *SERVICE, "--top", "3", "--lang", language)
        assert found.status == 0, found.err
        assert all(word in found.out for word in words)
    shown = costcalc("compare", "serve", *SERVICE, "--top", "2", "--show-excluded")
    assert "no replica meets the targets" in " ".join(shown.out.split())


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("--model", "llama-3.1-8b", "--concurrency", "4", "--tpot", "1ms"), 4, "targets"),
        (
            ("--model", "llama-3.1-405b", "--rps", "2", "--budget", "100USD", "--precision", "fp8"),
            3,
            "cheapest",
        ),
        (
            (
                "--model",
                "llama-3.1-8b",
                "--rps",
                "2",
                "--on",
                "v6e-8",
                "--region",
                "qro",
            ),
            4,
            "Nearest",
        ),
    ],
)
def test_nothing_to_compare(
    costcalc: Run, arguments: tuple[str, ...], status: int, words: str
) -> None:
    found = costcalc("compare", "serve", *arguments)
    assert found.status == status, found.err
    assert words in found.err
    assert len(found.err.splitlines()) == 1
