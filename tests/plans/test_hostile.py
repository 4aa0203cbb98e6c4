"""Plans from strangers: exit 2 and a clear sentence, within 200 MiB and a few seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT_MIB = 200
HEAD = "version: 1\nname: x\nworkloads:\n  - {name: m, kind: one-off, cost: 5USD}\n"


def bomb() -> str:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return HEAD + "\n".join(rows) + "\n"


HOSTILE: dict[str, tuple[bytes, str]] = {
    "deep lists": (("a: " + "[" * 200_000).encode(), "plan.yaml"),
    "deep mappings": (("{a: " * 100_000).encode(), "plan.yaml"),
    "deep blocks": ("".join(f"{' ' * n}a:\n" for n in range(2_000)).encode(), "plan.yaml"),
    "anchor bomb": (bomb().encode(), "plan.yaml"),
    "merge bomb": (
        (HEAD + "b: &b {a: 1}\n" + "".join(f"c{n}: {{<<: *b}}\n" for n in range(60_000))).encode(),
        "plan.yaml",
    ),
    "nul bytes": (HEAD.encode() + b"note: a\0b\n", "plan.yaml"),
    "utf-16": (HEAD.encode("utf-16"), "UTF-16"),
    "latin-1": ("version: 1\nname: Querétaro\n".encode("latin-1"), "plan.yaml, line 2"),
    "duplicate key": ((HEAD + "name: y\n").encode(), "plan.yaml, line 5"),
    "python tag": (
        (HEAD + "a: !!python/object/apply:os.system [id]\n").encode(),
        "plan.yaml, line 5",
    ),
    "two documents": ((HEAD + "---\n" + HEAD).encode(), "plan.yaml"),
    "huge number": ((HEAD + "iva_rate: " + "9" * 4_000 + "\n").encode(), "plan.yaml, line 5"),
    "huge exponent": ((HEAD + "iva_rate: 1e999999999\n").encode(), "plan.yaml, line 5"),
    "long name": (HEAD.replace("name: x", f"name: {'n' * 5_000}").encode(), "plan.yaml:2"),
    "control character": (HEAD.replace("name: x", 'name: "a\\nb"').encode(), "plan.yaml:2"),
    "tab": (b"version: 1\n\tname: x\n", "plan.yaml, line 2"),
    "many workloads": (
        (HEAD + "".join(f"  - {{name: w{n}}}\n" for n in range(120_000))).encode(),
        "plan.yaml",
    ),
    "many keys": (
        (HEAD + "".join(f"k{n}: 1\n" for n in range(90_000))).encode(),
        "plan.yaml",
    ),
    "long list": ((HEAD + "a: [" + "x, " * 190_000 + "x]\n").encode(), "plan.yaml:5"),
    "empty": (b"", "plan.yaml"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "plan.yaml"),
}

# the peak of this program alone: what getrusage tells begins with the size of the process that
# started it
MEASURE = """
import resource, sys
from costcalc.cli.main import run
status = run(sys.argv[1:])
try:
    with open("/proc/self/status") as file:
        peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print("peak", peak // 1024, file=sys.stderr)
sys.exit(status)
"""


def check(path: Path, data_dir: Path, folder: Path) -> tuple[int, str, str, int]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", MEASURE, "check", path.name, "--catalog", str(folder)],
        cwd=path.parent,
        env={"PATH": "/usr/bin:/bin", "COSTCALC_DATA_DIR": str(data_dir), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        # far above the few seconds that are promised, and far below "for ever"
        timeout=60,
        check=False,
    )
    *lines, last = done.stderr.splitlines()
    assert last.startswith("peak "), done.stderr
    return done.returncode, done.stdout, "\n".join(lines), int(last.split()[1])


def refused(path: Path, data_dir: Path, folder: Path, words: str) -> None:
    status, out, err, peak = check(path, data_dir, folder)
    assert (status, out) == (2, ""), err
    assert words in err
    assert "Traceback" not in err
    assert len(err) < 4_000
    assert peak < LIMIT_MIB


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_plan_is_refused(name: str, tmp_path: Path, data_dir: Path, folder: Path) -> None:
    data, words = HOSTILE[name]
    path = tmp_path / "plan.yaml"
    path.write_bytes(data)
    refused(path, data_dir, folder, words)


def test_a_file_of_200_mb_is_refused_unread(tmp_path: Path, data_dir: Path, folder: Path) -> None:
    path = tmp_path / "plan.yaml"
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)
    refused(path, data_dir, folder, "plan.yaml")


@pytest.mark.parametrize("kind", ["loop", "folder", "missing", "pipe", "device"])
def test_what_is_no_file_is_refused(
    kind: str, tmp_path: Path, data_dir: Path, folder: Path
) -> None:
    path = tmp_path / "plan.yaml"
    if kind == "loop":
        other = tmp_path / "other.yaml"
        path.symlink_to(other)
        other.symlink_to(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    refused(path, data_dir, folder, "plan.yaml")


def test_a_broken_reader_of_our_output_is_no_fault(
    tmp_path: Path, data_dir: Path, folder: Path
) -> None:
    (tmp_path / "plan.yaml").write_text(HEAD)
    done = subprocess.run(
        [
            "bash",
            "-c",
            '"$0" -P -m costcalc check plan.yaml --catalog "$1" | head -c 1; '
            'exit "${PIPESTATUS[0]}"',
            sys.executable,
            str(folder),
        ],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "COSTCALC_DATA_DIR": str(data_dir), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
