"""Quotes made by hand, with figures that do not move when prices or constants do."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.catalog.accelerators import Claim
from costcalc.catalog.rates import ExchangeRate
from costcalc.estimate.explain import step
from costcalc.estimate.layout import Layout
from costcalc.estimate.memory import MemoryPerChip
from costcalc.estimate.training import TrainingEstimate
from costcalc.notices import notice
from costcalc.quote import money
from costcalc.quote.plan_summary import Phase, PlanSummary
from costcalc.quote.sensitivity import Swing
from costcalc.quote.types import CatalogStamp, Line, OfferChoice, Quote, WorkloadQuote
from costcalc.reports.claimed import Claimed
from costcalc.units import Money

DAY = date(2026, 12, 1)
FX = ExchangeRate(Decimal("18.9077"), date(2026, 10, 30), "ECB cross of the test")
STAMP = CatalogStamp("2026-09-06+0badcafe", date(2026, 9, 6), date(2024, 1, 5), "2026-12-01")
OFFER = OfferChoice(
    provider="aws",
    region="us-east-1",
    instance_type="p5.48xlarge",
    accelerator="h100-sxm",
    accelerator_count=8,
    instances=2,
    purchase="on-demand",
    market="hyperscaler",
    usd_per_instance_hour=Decimal("55.04"),
    as_of=date(2026, 7, 20),
    source="https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/AmazonEC2/current/us-east-1/index.json",
    confidence="listed",
)
GIB = 1 << 30
ESTIMATE = TrainingEstimate(
    params_total=8_030_261_248,
    params_active=8_030_261_248,
    flops_per_token=4.8e10,
    total_flops=7.2e20,
    tokens_per_second_per_accelerator=7570.5,
    mfu=0.369,
    hfu=0.369,
    mfu_peak_tflops=989.4,
    tuning="default",
    goodput=0.95,
    hours=36.21,
    hours_low=27.2,
    hours_high=85.5,
    accelerator_hours=579.36,
    accelerator_hours_low=435.2,
    accelerator_hours_high=1368.0,
    interval=0.8,
    memory=MemoryPerChip(15 * GIB, 15 * GIB, 6 * GIB, 7 * GIB, 2 * GIB),
    layout=Layout(8, 2, 1, 1, 1, "none", "zero-1", 4),
    global_batch_tokens=262_144.0,
    assumptions=(("tuning", "default"),),
    notices=(),
    steps=(
        step(
            "params", 8.03e9, "weights", "sum over layers", "catalog", total="8.03B", active="8.03B"
        ),
        step("total", 7.2e20, "FLOP", "FLOP/token x tokens", "", tokens="15B", total="7.2e+20"),
    ),
)
INPUTS: dict[str, Any] = {
    "model": "llama-3.1-8b",
    "tokens": 15_000_000_000,
    "epochs": Decimal(1),
    "seq_len": 4096,
    "global_batch_tokens": None,
    "method": "full",
    "lora_rank": None,
    "precision": "bf16",
    "tuning": None,
    "whole_run": False,
    "on": "h100:16",
    "accelerator": "h100-sxm",
    "accelerators": 16,
    "provider": None,
    "region": None,
    "programme_factor": 1,
}
CLAIMS = (
    Claimed(
        "H100 SXM",
        Claim("up to 9x faster <training>", "NVIDIA", "2022-03-22", "A100", False, "press release"),
    ),
)


def compute(name: str = "train", hours: str = "72.4200") -> Line:
    """Machine hours with a range."""
    quantity = Decimal(hours)
    return money.line(
        workload=name,
        item="compute",
        unit="instance-hour",
        unit_price_usd=OFFER.usd_per_instance_hour,
        quantity_middle=quantity,
        quantity_low=money.quantity(quantity * Decimal("0.75")),
        quantity_high=money.quantity(quantity * Decimal("2.36")),
        usd_mxn=FX.usd_mxn,
        provider=OFFER.provider,
        region=OFFER.region,
        sku=OFFER.instance_type,
        as_of=OFFER.as_of,
        source=OFFER.source,
        confidence=OFFER.confidence,
    )


def offer(rank: int, provider: str, accelerator: str, count: int, hours: float, usd: str) -> Any:
    """A record of a ranking."""
    cost = Decimal(usd)
    return {
        "rank": rank,
        "provider": provider,
        "region": "us-east-1" if provider == "aws" else None,
        "instance_type": "p5.48xlarge" if provider == "aws" else f"{accelerator}.8",
        "accelerator": accelerator,
        "accelerator_count": count,
        "purchase": "on-demand",
        "market": "hyperscaler",
        "hours": hours,
        "usd": cost,
        "usd_low": cost * Decimal("0.75"),
        "usd_high": cost * Decimal("2.5"),
        "mxn": money.cents(cost * FX.usd_mxn),
        "usd_ratio": cost / Decimal("1500.10"),
        "pflop_hours_per_usd": 0.5,
        "as_of": date(2026, 7, 20),
        "confidence": "listed",
        "fits": True,
        "reason": None,
        "pareto": rank in (1, 3),
    }


OFFERS = (
    offer(1, "oci", "mi355x", 8, 61.5, "1500.10"),
    offer(2, "gcp", "tpu-v6e", 32, 70.0, "2750.00"),
    offer(3, "aws", "h100-sxm", 16, 36.21, "3985.99"),
)
SWINGS = (
    Swing(
        "tuning",
        "train",
        "default",
        "tuned",
        "out-of-box",
        "stacks",
        Decimal("2900.50"),
        Decimal("6100.25"),
        Decimal("54841.78"),
        Decimal("115341.70"),
        Decimal("3199.75"),
        Decimal("60499.92"),
    ),
    Swing(
        "usd_mxn",
        "",
        "18.9077",
        "16.898",
        "19.5",
        "rates_year",
        Decimal("3507.68"),
        Decimal("3507.68"),
        Decimal("59272.61"),
        Decimal("68399.57"),
        Decimal(0),
        Decimal("9126.96"),
    ),
)


def training(**changes: Any) -> Quote:
    """A training run with a discount, IVA, a budget, alternatives and a sensitivity."""
    line = compute()
    source = "--discount aws=12%"
    lines = (line, money.share_of(line, Decimal("-0.12"), "discount", FX.usd_mxn, source))
    totals = money.totals(lines, "add")
    quote = Quote(
        kind="train",
        as_of=DAY,
        catalog=STAMP,
        fx=FX,
        workloads=(WorkloadQuote("train", "train", INPUTS, OFFER, ESTIMATE),),
        lines=lines,
        totals=totals,
        notices=(notice("tuning_assumed"), notice("old_rate", date=FX.date, days=32)),
        budget=money.against_budget(totals, Money(Decimal(5000), "USD")),
        offers=OFFERS,
        sensitivity=SWINGS,
    )
    return replace(quote, **changes)


def plan(**changes: Any) -> Quote:
    """A plan with two phases, several kinds of line, a credit; no tax."""
    train = compute("ajuste")
    disk = money.line(
        workload="datos",
        item="storage",
        unit="GB-month",
        unit_price_usd=Decimal("0.026"),
        quantity_middle=Decimal("2000.0000"),
        usd_mxn=FX.usd_mxn,
        provider="gcp",
        region="northamerica-south1",
        as_of=date(2025, 3, 6),
        source="gcp list of the test",
        confidence="estimated",
    )
    support = money.share_of(train, Decimal("0.03"), "support", FX.usd_mxn, "support_percent.aws")
    credit = money.line(
        workload="arranque",
        item="credit",
        unit="credit",
        unit_price_usd=Decimal("-250.00"),
        quantity_middle=Decimal("1.0000"),
        usd_mxn=FX.usd_mxn,
        provider="aws",
        source="credits",
    )
    lines = (train, support, disk, credit)
    phases = (
        Phase("ajuste", ("ajuste",), money.totals([train, support])),
        Phase("datos", ("datos",), money.totals([disk])),
        Phase("arranque", ("arranque",), money.totals([credit])),
    )
    quote = Quote(
        kind="plan",
        as_of=DAY,
        catalog=STAMP,
        fx=FX,
        workloads=(
            WorkloadQuote("ajuste", "train", {**INPUTS, "runs": 1}, OFFER, ESTIMATE),
            WorkloadQuote("datos", "storage", {"size": Decimal(2000)}, None, None),
        ),
        lines=lines,
        totals=money.totals(lines),
        notices=(notice("old_rate", date=FX.date, days=32),),
        plan=PlanSummary("plan de prueba", Decimal(730), phases),
    )
    return replace(quote, **changes)
