"""Golden quotes on a frozen catalog: each total is derived here from catalog and formula.

The frozen catalog (`tests/frozen_catalog/`) is a copy of `pricing/` as of 2026-12-01; a new price
or a recalibration does not touch it, so a total moves only when the arithmetic does.

Derivation of every row, by hand:

    hours     = tokens / (rate x chips x goodput) / 3600
    quantity  = hours x machines, to 4 places
    compute   = quantity x price, to the cent (half-even)
    USD       = compute + extra lines (spot: work that is done again)
    MXN       = each line x 18.9077, to the cent, summed

`rate` is the steady rate of the time model in tokens/s per chip, whose own tests are in
`tests/estimate/`; here it is a literal, so that the chain from rate to pesos is checked on its own.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest
from command import Run

FROZEN = Path(__file__).resolve().parents[1] / "frozen_catalog"
USD_MXN = Decimal("18.9077")
CENT = Decimal("0.01")
TOKENS = {"15B": 15e9, "1T": 1e12, "15.6T": 15.6e12, "14.8T": 14.8e12, "40763392": 40763392.0}


@dataclass(frozen=True)
class Golden:
    """One quote.

    Attributes:
        rate, goodput: steady tokens/s per chip, and the useful share of the hours.
        machines: count, type, provider, purchase option.
        price: USD per machine and hour.
        extra: USD of the lines after the first.
        hours: low and high.
        codes: warnings, in order.
    """

    name: str
    arguments: list[str]
    chips: int
    rate: float
    goodput: float
    machines: tuple[int, str, str, str]
    price: str
    extra: str
    usd: str
    mxn: str
    hours: tuple[float, float]
    codes: list[str]


GOLDEN = [
    Golden(
        "llama-8b-h100",
        ["--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8"],
        chips=8,
        rate=7736.845838191102,
        goodput=0.95,
        machines=(1, "H100-sxm5 8x bare metal", "voltagepark", "on-demand"),
        price="15.92",
        extra="0.00",
        usd="1128.12",
        mxn="21330.15",
        hours=(57.2419, 151.0982),
        codes=["tuning_assumed", "batch_assumed", "old_price", "old_rate"],
    ),
    Golden(
        "llama-70b-v5p",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "v5p:512"],
        chips=512,
        rate=447.4337680066754,
        goodput=0.9275,
        machines=(128, "ct5p-hightpu-4t", "gcp", "on-demand"),
        price="16.8",
        extra="0.00",
        usd="2811280.07",
        mxn="53154840.18",
        hours=(799.8346, 2722.8126),
        codes=["tuning_assumed", "batch_assumed", "managed_service", "old_price", "old_rate"],
    ),
    Golden(
        "llama-70b-v6e",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "v6e:256"],
        chips=256,
        rate=646.4527154912277,
        goodput=0.935,
        machines=(256, "ct6e-standard-1t", "gcp", "on-demand"),
        price="2.7",
        extra="0.00",
        usd="1240831.72",
        mxn="23461273.91",
        hours=(1232.6090, 3813.6960),
        codes=["tuning_assumed", "batch_assumed", "managed_service", "old_price", "old_rate"],
    ),
    Golden(
        "llama-70b-b200",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "b200:64"],
        chips=64,
        rate=1689.9623534834707,
        goodput=0.95,
        machines=(8, "BM.GPU.B200.8", "oci", "on-demand"),
        price="112",
        extra="0.00",
        usd="2422283.10",
        mxn="45799802.17",
        hours=(1775.4455, 5735.8755),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "uniform_price",
            "amount_named",
            "old_price",
            "footprint_no_region",
            "old_rate",
        ],
    ),
    Golden(
        "llama-70b-trainium1",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "trainium1:512"],
        chips=512,
        rate=113.04060514813895,
        goodput=0.9275,
        machines=(32, "trn1.32xlarge", "aws", "on-demand"),
        price="21.5",
        extra="0.00",
        usd="3560144.16",
        mxn="67314137.73",
        hours=(3367.4833, 11083.7972),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "amount_unproven",
            "managed_service",
            "old_price",
            "footprint_no_power",
            "old_rate",
        ],
    ),
    Golden(
        "llama-70b-mi300x",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "mi300x:64"],
        chips=64,
        rate=638.6820749194451,
        goodput=0.95,
        machines=(8, "Standard_ND96isr_MI300X_v5", "azure", "on-demand"),
        price="48",
        extra="0.00",
        usd="2746884.61",
        mxn="51937270.14",
        hours=(4626.9150, 15296.4685),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "capacity_unproven",
            "amount_unproven",
            "managed_service",
            "old_price",
            "old_rate",
        ],
    ),
    Golden(
        "llama-70b-gaudi2",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "gaudi2:64"],
        chips=64,
        rate=341.877850061295,
        goodput=0.95,
        machines=(8, "8x Gaudi2 node", "intel-tiber", "on-demand"),
        price="10.42",
        extra="0.00",
        usd="1113988.38",
        mxn="21062958.09",
        hours=(9272.8126, 29540.9670),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "amount_named",
            "old_price",
            "estimated_price",
            "old_rate",
        ],
    ),
    Golden(
        "llama-70b-trainium2",
        ["--model", "llama-3.1-70b", "--tokens", "1T", "--on", "trainium2:64"],
        chips=64,
        rate=420.1397794363849,
        goodput=0.95,
        machines=(4, "trn2.48xlarge", "aws", "spot"),
        price="23.0631",
        extra="6344.09",
        usd="1009521.61",
        mxn="19087731.74",
        hours=(6182.6826, 28236.1315),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "chip_unmeasured",
            "not_sold_on_demand",
            "amount_named",
            "managed_service",
            "spot_assumed",
            "old_price",
            "old_rate",
        ],
    ),
    Golden(
        "llama-405b-h100",
        ["--model", "llama-3.1-405b", "--tokens", "15.6T", "--on", "h100:16384"],
        chips=16384,
        rate=127.12092577042688,
        goodput=0.85,
        machines=(2048, "p5.48xlarge", "aws", "on-demand"),
        price="55.04",
        extra="0.00",
        usd="275914524.62",
        mxn="5216909057.16",
        hours=(1619.6404, 5219.3238),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "amount_named",
            "managed_service",
            "old_price",
            "old_rate",
        ],
    ),
    Golden(
        "deepseek-v3-h100",
        ["--model", "deepseek-v3", "--tokens", "14.8T", "--on", "h100:2048"],
        chips=2048,
        rate=571.617517137636,
        goodput=0.9066666666666667,
        machines=(256, "p5.48xlarge", "aws", "on-demand"),
        price="55.04",
        extra="0.00",
        usd="54575091.73",
        mxn="1031889461.90",
        hours=(2287.9239, 8843.0083),
        codes=[
            "tuning_assumed",
            "batch_assumed",
            "amount_named",
            "managed_service",
            "old_price",
            "old_rate",
        ],
    ),
    Golden(
        "gemma-lora-v5p",
        [
            "--model",
            "gemma-4-31b",
            "--method",
            "lora",
            "--lora-rank",
            "64",
            "--tokens",
            "40763392",
            "--seq-len",
            "4096",
            "--global-batch",
            "32768",
            "--tuning",
            "out-of-box",
            "--on",
            "v5p-8",
        ],
        chips=4,
        rate=813.8493848883718,
        goodput=0.95,
        machines=(1, "ct5p-hightpu-4t", "gcp", "on-demand"),
        price="16.8",
        extra="0.00",
        usd="61.51",
        mxn="1163.01",
        hours=(2.6950, 4.9915),
        codes=["managed_service", "old_price", "old_rate"],
    ),
    Golden(
        "gemma-lora-h100",
        [
            "--model",
            "gemma-4-31b",
            "--method",
            "lora",
            "--lora-rank",
            "64",
            "--tokens",
            "40763392",
            "--seq-len",
            "4096",
            "--global-batch",
            "32768",
            "--tuning",
            "out-of-box",
            "--on",
            "h100:2",
        ],
        chips=2,
        rate=1254.949220345607,
        goodput=0.95,
        machines=(1, "H100 4x", "latitude", "on-demand"),
        price="8.97",
        extra="0.00",
        usd="42.60",
        mxn="805.47",
        hours=(3.5106, 6.4460),
        codes=["whole_machines", "old_price", "old_rate"],
    ),
]


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_golden_quote(costcalc: Run, golden: Golden) -> None:
    result = costcalc("train", *golden.arguments, "--format", "json", "--catalog", str(FROZEN))
    assert result.status == 0, result.err
    quote = json.loads(result.out)
    (workload,) = quote["workloads"]
    offer, estimate = workload["offer"], workload["estimate"]

    # what the rest is derived from
    assert estimate["tokens_per_second_per_accelerator"] == pytest.approx(golden.rate, rel=1e-9)
    assert estimate["goodput"] == pytest.approx(golden.goodput, rel=1e-9)
    assert (
        offer["instances"],
        offer["instance_type"],
        offer["provider"],
        offer["purchase"],
    ) == golden.machines
    assert Decimal(str(offer["usd_per_instance_hour"])) == Decimal(golden.price)

    # the derivation
    tokens = TOKENS[golden.arguments[golden.arguments.index("--tokens") + 1]]
    hours = tokens / (golden.rate * golden.chips * golden.goodput) / 3600
    quantity = (Decimal(repr(hours)) * golden.machines[0]).quantize(
        Decimal("0.0001"), rounding=ROUND_HALF_EVEN
    )
    compute = (quantity * Decimal(golden.price)).quantize(CENT, rounding=ROUND_HALF_EVEN)
    extra = sum((Decimal(str(line["amount_usd"])) for line in quote["lines"][1:]), Decimal(0))
    assert extra == Decimal(golden.extra)
    assert compute + extra == pytest.approx(Decimal(golden.usd), abs=Decimal("0.02"))
    pesos = sum(
        (
            (Decimal(str(line["amount_usd"])) * USD_MXN).quantize(CENT, rounding=ROUND_HALF_EVEN)
            for line in quote["lines"]
        ),
        Decimal(0),
    )
    assert pesos == Decimal(golden.mxn)

    # and the quote itself
    assert Decimal(str(quote["totals"]["usd"])) == Decimal(golden.usd)
    assert Decimal(str(quote["totals"]["mxn"])) == Decimal(golden.mxn)
    assert (estimate["hours_low"], estimate["hours_high"]) == pytest.approx(golden.hours, abs=1e-3)
    assert [warning["code"] for warning in quote["warnings"]] == golden.codes


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--on", "inferentia2:12"], 4, ["Inferentia2", "trainium1", "h100-sxm"]),
        (["--on", "jalapeno:8"], 4, ["announced", "substantially better"]),
        (["--on", "h100:0"], 2, ["--on"]),
        (["--on", "h10:8"], 2, ["h100"]),
        (["--on", "h100:8", "--budget", "20000"], 2, ["20000USD", "20000MXN"]),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else str(value),
)
def test_golden_refusals(
    costcalc: Run, arguments: list[str], status: int, words: list[str]
) -> None:
    result = costcalc(
        "train", "--model", "llama-3.1-8b", "--tokens", "15B", *arguments, "--catalog", str(FROZEN)
    )
    assert result.status == status
    assert result.out == ""
    for word in words:
        assert word in result.err


def test_the_gemma_pair_covers_its_measured_hours(costcalc: Run) -> None:
    # arXiv 2605.25645: 1,244 steps of 8 x 4,096 slots took 3.34 h on v5p-8 and 5.39 h on 2 x H100
    for golden, measured in ((GOLDEN[-2], 3.34), (GOLDEN[-1], 5.39)):
        low, high = golden.hours
        assert low < measured < high
