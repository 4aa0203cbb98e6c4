"""A catalog with two providers at round prices, so that every amount can be checked by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command import Result, Run
from plan_prices import make_catalog_folder

MakeCatalog = Callable[..., Path]


@pytest.fixture(scope="session")
def make_catalog(tmp_path_factory: pytest.TempPathFactory) -> MakeCatalog:
    """Catalog folders with prices of the test."""

    def make(**prices: str) -> Path:
        return make_catalog_folder(tmp_path_factory.mktemp("catalog"), **prices)

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
