"""The examples in docs/catalog.md are whole files that load as they stand."""

from __future__ import annotations

import re
import shutil
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from costcalc import catalog
from costcalc.catalog import Catalog

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/catalog.md"
EXAMPLES = dict(re.findall(r"^```yaml (\S+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S))


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """A copy of the shipped catalog with every example of the page in it."""
    folder = tmp_path_factory.mktemp("docs") / "pricing"
    shutil.copytree(ROOT / "pricing", folder)
    for name, content in EXAMPLES.items():
        (folder / name).write_text(content, encoding="utf-8")
    return catalog.load(folder, cache_dir=folder.parent / "cache")


def test_every_kind_has_an_example() -> None:
    assert {name.partition("/")[0] for name in EXAMPLES} == {
        "accelerators",
        "offers",
        "models",
        "rates.yaml",
    }


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_example_loads_by_itself(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "pricing"
    shutil.copytree(ROOT / "pricing", folder)
    (folder / name).write_text(EXAMPLES[name], encoding="utf-8")
    loaded = catalog.load(folder, cache_dir=tmp_path / "cache")
    assert len(loaded.accelerators()) >= 40
    assert len(loaded.offers()) >= 1136
    assert len(loaded.models()) >= 50
    assert loaded.rates()


def test_the_accelerator(documented: Catalog) -> None:
    for name in ("ex1:8", "EX-1:8", "Example EX1:8", "example-1:8"):
        found = documented.hardware(name)
        assert (found.accelerator.id, found.count) == ("ex1", 8)
    chip = documented.accelerator("ex1").chip
    assert (chip.peak_tflops["bf16"], chip.matmul_tflops["bf16"]) == (400, 310.5)
    assert documented.accelerator("ex1").figures["tdp_w"].confidence == "estimated"
    assert documented.accelerator("ex1").claims[0].text == "half the cost of a GPU"


def test_the_slices(documented: Catalog) -> None:
    assert documented.hardware("vex-8").count == 4
    assert documented.hardware("vex-256").count == 128
    assert documented.hardware("ctex-4t:2").count == 8


def test_the_price_change(documented: Catalog) -> None:
    def price(day: date) -> list[Decimal]:
        return [
            offer.usd_per_instance_hour
            for offer in documented.current_offers(day)
            if offer.instance_type == "ex.8" and offer.region == "mx-east"
        ]

    assert price(date(2026, 9, 30)) == [Decimal("24.00")]
    assert price(date(2026, 10, 1)) == [Decimal("21.60")]
    single = [
        (offer.purchase, offer.usd_per_instance_hour, offer.region_scope)
        for offer in documented.current_offers(date(2026, 12, 1))
        if offer.instance_type == "ex.1"
    ]
    assert single == [("on-demand", Decimal("2.85"), "all regions of the provider")]


def test_the_models(documented: Catalog) -> None:
    plain = documented.model("example-org/Example-7B")
    details = documented.model_details()["example-7b"]
    assert plain.params_total() == details["published_params"] == 6_738_415_616
    mixture = documented.model("example-moe")
    assert (mixture.dense_layers, mixture.is_moe) == (1, True)


def test_the_rate(documented: Catalog) -> None:
    assert documented.rate(date(2026, 12, 1)).usd_mxn == Decimal("18.8512")
    assert documented.rate(date(2026, 11, 1)).usd_mxn == Decimal("18.9077")
