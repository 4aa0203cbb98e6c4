"""A catalog with two providers at round prices, so that every amount can be checked by hand."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Result, Run

ROOT = Path(__file__).resolve().parents[2]
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

MakeCatalog = Callable[..., Path]


@pytest.fixture(scope="session")
def make_catalog(tmp_path_factory: pytest.TempPathFactory) -> MakeCatalog:
    """A folder with the shipped catalog's chips, models and regions, and prices of the test."""

    def make(*, aws: str = "50", rate: str = "20", confidence: str = "listed") -> Path:
        folder = tmp_path_factory.mktemp("catalog") / "pricing"
        shutil.copytree(ROOT / "pricing", folder, ignore=shutil.ignore_patterns("offers"))
        offers = folder / "offers"
        offers.mkdir()
        for provider, name, accelerator, region, price, day in (
            ("aws", "p5.48xlarge", "h100-sxm", "us-east-1", aws, "2026-11-01"),
            ("gcp", "a3-ultragpu-8g", "h200-sxm", "us-central1", "80", "2026-08-01"),
        ):
            (offers / f"{provider}.yaml").write_text(
                OFFERS.format(
                    provider=provider,
                    name=name,
                    accelerator=accelerator,
                    region=region,
                    price=price,
                    day=day,
                    confidence=confidence if provider == "aws" else "listed",
                )
            )
        (folder / "rates.yaml").write_text(RATES.format(rate=rate), encoding="utf-8")
        return folder

    return make


@pytest.fixture(scope="session")
def folder(make_catalog: MakeCatalog) -> Path:
    """The catalog of most tests: aws USD 50/h, gcp USD 80/h, 20 MXN per USD."""
    return make_catalog()


Plans = Callable[..., Result]


@pytest.fixture
def run(costcalc: Run, folder: Path, tmp_path: Path) -> Plans:
    """`costcalc ARGS…` in a temporary folder, on the test's catalog."""

    def call(*arguments: str, catalog: Path | None = None, **options: object) -> Result:
        return costcalc(*arguments, "--catalog", str(catalog or folder), cwd=tmp_path, **options)

    return call


PLAN = """\
version: 1
name: Prueba
budgets:
  total: {total}
workloads:
  - name: horas
    kind: machine
    on: h100:8
    hours: 10h
"""


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., Path]:
    """A plan file of one workload that costs USD 500, or of the text given."""

    def write(text: str | None = None, *, total: str = "1000USD", name: str = "plan.yaml") -> Path:
        path = tmp_path / name
        path.write_text(PLAN.format(total=total) if text is None else text, encoding="utf-8")
        return path

    return write
