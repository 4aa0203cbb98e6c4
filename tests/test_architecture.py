"""The house: arrows point one way, and offline commands import nothing heavy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("boto3", "botocore", "google", "numpy", "httpx", "pydantic", "yaml", "matplotlib")
TRAIN = ["train", "--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8"]


def test_the_rooms_import_one_way() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from importlinter.cli import lint_imports_command as c; c()"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ([*TRAIN, "--format", "json"], ()),
        ([*TRAIN, "--format", "csv"], ()),
        (TRAIN, ("rich",)),
        (["--help"], ()),
        (["prices", "list", "--format", "json"], ()),
        (["models", "list"], ("rich",)),
    ],
    ids=lambda value: " ".join(value)[:30],
)
def test_offline_commands_import_nothing_heavy(
    arguments: list[str], allowed: tuple[str, ...], data_dir: Path
) -> None:
    # the first run may compile a catalog folder, which does read YAML
    code = (
        "import sys\n"
        f"sys.argv = ['costcalc', *{arguments!r}]\n"
        "from costcalc.cli.main import run\n"
        "run(sys.argv[1:])\n"
        "print(' '.join({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={"COSTCALC_DATA_DIR": str(data_dir), "HOME": str(data_dir), "PATH": "/usr/bin"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
        )
    loaded = set(done.stderr.splitlines()[-1].split())
    assert not loaded & (set(HEAVY) | {"rich"}) - set(allowed)
