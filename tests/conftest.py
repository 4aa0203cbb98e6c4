"""Fixtures shared by all tests: the command line as a subprocess, the catalogs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from command import Result, Run

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder of the test run's own: no test sees or touches the user's."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def costcalc(data_dir: Path) -> Run:
    """Run `costcalc ARGS…` as a subprocess, on a fixed day, in English, 80 columns wide."""

    def run(
        *arguments: str,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        stdin: str | None = None,
    ) -> Result:
        base = {
            "PATH": os.environ["PATH"],
            "HOME": str(data_dir),
            "COSTCALC_DATA_DIR": str(data_dir),
            "SOURCE_DATE_EPOCH": "1796083200",  # 2026-12-01
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, "-P", "-m", "costcalc", *arguments],
            env={**base, **(env or {})},
            cwd=cwd,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return Result(done.returncode, done.stdout, done.stderr)

    return run
