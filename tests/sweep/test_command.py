"""`costcalc sweep` on the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

from command import Run

GRID = ("--model", "llama-3.1-8b", "--tokens", "1B,15B", "--on", "h100:8..16")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_one_header_one_line_a_point_equal_to_train(costcalc: Run) -> None:
    done = costcalc("sweep", *GRID, "--seq-len", "4096,8192")
    assert done.status == 0
    assert done.err == ""
    found = rows(done.out)
    assert len(found) == 8
    assert done.out.count("model,method") == 1
    for row in (found[0], found[-1]):
        args = ("--tokens", row["tokens"], "--on", row["on"], "--seq-len", row["seq_len"])
        single = costcalc("train", "--model", "llama-3.1-8b", *args, "--format", "json")
        quote = json.loads(single.out)
        estimate = quote["workloads"][0]["estimate"]
        assert float(row["hours"]) == estimate["hours"]
        assert float(row["hours_high"]) == estimate["hours_high"]
        assert float(row["mfu"]) == estimate["mfu"]
        assert float(row["usd"]) == quote["totals"]["usd"]
        assert float(row["mxn_low"]) == quote["totals"]["mxn_low"]


def test_jsonl(costcalc: Run) -> None:
    done = costcalc("sweep", *GRID, "--format", "jsonl")
    assert [json.loads(line)["status"] for line in done.out.splitlines()] == ["ok"] * 4


def test_output_file(costcalc: Run, tmp_path: Path) -> None:
    target = tmp_path / "grid.csv"
    done = costcalc("sweep", *GRID, "--output", str(target))
    assert (done.status, done.out) == (0, "")
    content = target.read_bytes()
    assert content.startswith(b"\xef\xbb\xbfmodel,")
    assert content.count(b"\n") == 5
    assert [path.name for path in tmp_path.iterdir()] == ["grid.csv"]


def test_a_grid_without_any_price_leaves_with_4(costcalc: Run) -> None:
    done = costcalc("sweep", "--model", "llama-3.1-405b", "--tokens", "1B", "--on", "h100:1..2")
    assert done.status == 4
    assert len(rows(done.out)) == 2
    assert "does_not_fit" in done.err


def test_bad_values_name_their_place(costcalc: Run) -> None:
    for changed, named in (
        (("--tokens", "2T..1T"), "--tokens"),
        (("--format", "xml"), "--format"),
        (("--on", "h100:8..x"), "--on"),
        (("--seq-len", "0"), "--seq-len"),
    ):
        done = costcalc("sweep", *GRID, *changed)
        assert done.status == 2
        assert done.out == ""
        assert named in done.err
        assert "Traceback" not in done.err


def test_a_closed_pipe_is_no_fault(costcalc: Run, data_dir: Path) -> None:
    command = [sys.executable, "-P", "-m", "costcalc", "sweep", *GRID, "--global-batch"]
    process = subprocess.Popen(
        [*command, "1M..900M+1000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "COSTCALC_DATA_DIR": str(data_dir), "LANG": "C.UTF-8"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b"model,")
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr.read() == b""


def test_the_progress_bar_is_for_terminals_only(data_dir: Path, tmp_path: Path) -> None:
    """With stderr on a terminal and the points in a file there is a bar."""
    main, other = pty.openpty()
    target = tmp_path / "grid.csv"
    command = [sys.executable, "-P", "-m", "costcalc", "sweep", *GRID, "--output", str(target)]
    environment = {
        "PATH": os.environ["PATH"],
        "COSTCALC_DATA_DIR": str(data_dir),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLUMNS": "80",
    }
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=other, env=environment)
    os.close(other)
    seen = b""
    try:
        while chunk := os.read(main, 4096):
            seen += chunk
    except OSError:
        pass  # the other end is closed
    os.close(main)
    assert process.wait(timeout=60) == 0
    assert b"4/4" in seen
    assert len(rows(target.read_text(encoding="utf-8-sig"))) == 4
