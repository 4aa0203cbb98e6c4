"""How long a check of a plan of 1,000 workloads takes, whole process, in units of F.

    python benchmarks/plan_check.py [--workloads 1000] [--rounds 5] [--profile]

F is the time of a Python process that imports what the command line is built on, so that the
figure means the same on a slow and on a fast machine. Both are the minimum of the rounds, measured
in turns, as wall-clock time and as CPU time. The goal is at most 6 F for 1,000 workloads.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = (
    "import typer, yaml; from rich.console import Console; from rich.table import Table; "
    "from pydantic import BaseModel"
)
MODELS = ("llama-3.1-8b", "llama-3.1-70b", "qwen3-30b-a3b", "gemma-3-27b", "mixtral-8x7b")
HARDWARE = ("h100:16", "h100:64", "h200:16", "tpu-v5p:64", "mi300x:8", "a100-80gb:16", "b200:8")


def plan(workloads: int) -> str:
    """A plan of training runs that differ in model, hardware, tokens, length and schedule."""
    draw = random.Random(1)
    rows = ["version: 1", "name: benchmark", "budgets: {total: 900B USD}", "workloads:"]
    for number in range(workloads):
        rows += [
            f"  - name: w{number}",
            "    kind: train",
            f"    model: {draw.choice(MODELS)}",
            f"    on: {draw.choice(HARDWARE)}",
            f"    tokens: {draw.randint(1, 900)}B",
            f"    seq_len: {draw.choice((2048, 4096, 8192))}",
            f"    method: {draw.choice(('full', 'lora'))}",
            f"    runs_per_month: {draw.randint(1, 5)}",
            f"    months: {draw.randint(1, 12)}",
        ]
    return "\n".join(rows) + "\n"


def measure(arguments: list[str], environ: dict[str, str]) -> tuple[float, float]:
    """Wall-clock and CPU seconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    wall = time.perf_counter() - start
    if done.returncode not in (0, 4):
        raise SystemExit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workloads", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plan.yaml"
        path.write_text(plan(options.workloads), encoding="utf-8")
        environ = {**os.environ, "COSTCALC_DATA_DIR": folder, "SOURCE_DATE_EPOCH": "1796083200"}
        check = ["-m", "costcalc", "check", str(path)]
        # the first run of a checkout compiles the catalog
        measure(check, environ)
        if options.profile:
            subprocess.run(
                [sys.executable, "-m", "cProfile", "-s", "cumtime", *check],
                env=environ,
                check=False,
            )
            return
        rounds = [
            (measure(["-c", BASE], environ), measure(check, environ)) for _ in range(options.rounds)
        ]
    for name, which in (("wall", 0), ("CPU", 1)):
        unit = min(base[which] for base, _ in rounds)
        taken = min(run[which] for _, run in rounds)
        print(f"{name:<5} F {unit:.3f} s   check {taken:.3f} s   {taken / unit:.2f} F")


if __name__ == "__main__":
    main()
