"""A check of one plan, in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ci_cases import CASES, Case, machine
from command import Result, Run
from plan_prices import make_catalog_folder


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalog of the plan tests."""
    return make_catalog_folder(tmp_path_factory.mktemp("catalog"))


Check = Callable[..., Result]


@pytest.fixture
def check(costcalc: Run, folder: Path, tmp_path: Path) -> Check:
    """`costcalc check plan.yaml …` of a case, in a temporary folder."""

    def call(case: Case, *arguments: str, **options: object) -> Result:
        (tmp_path / "plan.yaml").write_text(case.text, encoding="utf-8")
        base = machine("{total: 1000USD}").replace("10h", "8h")
        (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
        done = costcalc(
            "check",
            "plan.yaml",
            *case.options,
            *arguments,
            "--catalog",
            str(folder),
            cwd=tmp_path,
            **options,
        )
        assert done.status == case.status, done.err
        return done

    return call


@pytest.fixture(params=CASES, ids=list(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]
