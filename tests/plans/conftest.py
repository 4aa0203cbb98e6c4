"""A catalog with two providers at round prices, so that every amount can be checked by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from command import Result, Run
from plan_prices import make_catalog_folder

from costcalc.cli.main import run as run_here

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
def run(
    costcalc: Run,
    folder: Path,
    data_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Plans:
    """`costcalc ARGS…` in a temporary folder, on the test's catalog.

    Inside this process, which is ten times faster, unless `process=True` or an environment or a
    language is asked for.
    """
    monkeypatch.chdir(tmp_path)
    for name, value in (
        ("COSTCALC_DATA_DIR", str(data_dir)),
        ("SOURCE_DATE_EPOCH", "1796083200"),
        ("COLUMNS", "80"),
    ):
        monkeypatch.setenv(name, value)
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "GITHUB_STEP_SUMMARY", "COSTCALC_CATALOG"):
        monkeypatch.delenv(name, raising=False)

    def call(
        *arguments: str, catalog: Path | None = None, process: bool = False, **options: object
    ) -> Result:
        words = (*arguments, "--catalog", str(catalog or folder))
        if process or options or "--lang" in arguments:
            return costcalc(*words, cwd=tmp_path, **options)
        capsys.readouterr()
        status = run_here(list(words))
        found = capsys.readouterr()
        return Result(status, found.out, found.err)

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
