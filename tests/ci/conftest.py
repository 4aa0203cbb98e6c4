"""A check of one plan, in a temporary folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ci_cases import CASES, Case, machine
from command import Result, Run
from plan_prices import make_catalog_folder


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The catalog of the plan tests."""
    return make_catalog_folder(tmp_path_factory.mktemp("catalog"))


def write(case: Case, place: Path) -> None:
    """The plan of a case and the baseline of those that have one."""
    (place / "plan.yaml").write_text(case.text, encoding="utf-8")
    base = machine("{total: 1000USD}").replace("10h", "8h")
    (place / "base.yaml").write_text(base, encoding="utf-8")


Check = Callable[..., Result]


@pytest.fixture
def check(costcalc: Run, folder: Path, tmp_path: Path) -> Check:
    """`costcalc check plan.yaml …` of a case, in a temporary folder."""

    def call(case: Case, *arguments: str, **options: object) -> Result:
        write(case, tmp_path)
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


@dataclass(frozen=True)
class Told:
    """One check told in every CI format at once."""

    case: Case
    status: int
    commands: str
    comment: str
    summary: str
    junit: str
    sarif: str
    gitlab: str
    metrics: str


@pytest.fixture(scope="session", params=CASES, ids=list(CASES))
def told(
    request: pytest.FixtureRequest,
    costcalc: Run,
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Told:
    case, place = CASES[request.param], tmp_path_factory.mktemp("told")
    write(case, place)
    (place / "summary").write_text("before\n", encoding="utf-8")
    kinds = ("junit", "sarif", "gitlab", "metrics")
    reports = [word for kind in kinds for word in ("--report", f"{kind}={kind}")]
    done = costcalc(
        *("check", "plan.yaml", *case.options, "--catalog", str(folder)),
        *("--format", "github", "--output", "comment", *reports),
        cwd=place,
        env={"GITHUB_STEP_SUMMARY": str(place / "summary")},
    )
    files = {
        name: (place / name).read_text(encoding="utf-8") for name in (*kinds, "comment", "summary")
    }
    return Told(case, done.status, done.out, **files)
