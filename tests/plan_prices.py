"""A catalog folder with the shipped chips, models and regions, and prices of the test."""

from __future__ import annotations

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OFFERS = """\
provider: {provider}
market: hyperscaler
sources:
  list: {{text: "{provider} list of the test", date: 2026-11-01}}
instances:
  - instance_type: {name}
    accelerator: {accelerator}
    accelerator_count: 8
    scaleout: true
    scaleout_source: list
    prices:
      - purchase: on-demand
        as_of: {day}
        source: list
        confidence: {confidence}
        usd_per_instance_hour: {{{region}: {price}}}
"""
RATES = """\
sources:
  fix: {{text: "rate of the test", date: 2026-11-30}}
usd_mxn:
  - source: fix
    rates:
      2026-11-02: 19
      2026-11-30: {rate}
iva:
  general: {{percent: 16, source: fix, note: general rate}}
"""


def make_catalog_folder(
    parent: Path, *, aws: str = "50", rate: str = "20", confidence: str = "listed"
) -> Path:
    """aws sells 8 H100 at USD 50/h, gcp 8 H200 at USD 80/h, at 20 MXN per USD."""
    folder = parent / "pricing"
    shutil.copytree(ROOT / "pricing", folder, ignore=shutil.ignore_patterns("offers"))
    offers = folder / "offers"
    offers.mkdir()
    for provider, name, accelerator, region, price, day in (
        ("aws", "p5.48xlarge", "h100-sxm", "us-east-1", aws, "2026-11-01"),
        ("gcp", "a3-ultragpu-8g", "h200-sxm", "us-central1", "80", "2026-08-01"),
    ):
        text = OFFERS.format(
            provider=provider,
            name=name,
            accelerator=accelerator,
            region=region,
            price=price,
            day=day,
            confidence=confidence if provider == "aws" else "listed",
        )
        (offers / f"{provider}.yaml").write_text(text, encoding="utf-8")
    (folder / "rates.yaml").write_text(RATES.format(rate=rate), encoding="utf-8")
    return folder
