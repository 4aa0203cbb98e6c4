"""How long a command takes to start, as ratios of one run: `python benchmarks/startup.py`.

F is the time of a process that only imports what every command-line tool of this kind imports:
typer, yaml, rich and pydantic. Each command is run in turn with F, the minimum of the rounds is
taken (noise only ever adds), and the ratio to F is printed beside its target. Peak memory is the
resident set of the process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

FLOOR = (
    "import typer, yaml; from rich.console import Console; from rich.table import Table; "
    "from pydantic import BaseModel"
)
TRAIN = ["train", "--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8"]
COMMANDS: list[tuple[str, list[str], float]] = [
    ("--help", ["--help"], 1.1),
    ("train, table", TRAIN, 1.2),
    ("train, JSON", [*TRAIN, "--format", "json"], 0.9),
    ("prices list", ["prices", "list"], 1.5),
    (
        "serve, JSON",
        ["serve", "--model", "llama-3.1-8b", "--on", "h100:1", "--rps", "2", "--format", "json"],
        0.9,
    ),
    (
        "compare train",
        ["compare", "train", "--model", "llama-3.1-70b", "--tokens", "1T"],
        3.0,
    ),
]
MEMORY_LIMIT_MIB = 60


def seconds_and_mib(arguments: list[str]) -> tuple[float, float]:
    """Wall time of one process and its peak resident memory."""
    start = time.perf_counter()
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
    )
    _, _, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    return elapsed, usage.ru_maxrss / scale


def main() -> None:
    """Measure in alternation and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    floor = [sys.executable, "-c", FLOOR]
    runs = {"F": floor}
    for name, words, _ in COMMANDS:
        runs[name] = [sys.executable, "-m", "costcalc", *words]
    best = dict.fromkeys(runs, (float("inf"), 0.0))
    for turn in range(rounds + 1):
        for name, arguments in runs.items():
            elapsed, mib = seconds_and_mib(arguments)
            if turn:  # the first round writes byte code and warms the file cache
                before = best[name]
                best[name] = (min(before[0], elapsed), max(before[1], mib))
    unit = best["F"][0]
    print(f"F = {unit * 1000:.0f} ms, {best['F'][1]:.0f} MiB; minimum of {rounds} rounds")
    print(f"{'command':<16}{'ratio':>8}{'target':>8}{'MiB':>8}")
    for name, _, target in COMMANDS:
        elapsed, mib = best[name]
        print(f"{name:<16}{elapsed / unit:>8.2f}{target:>8.1f}{mib:>8.0f}")
    print(f"memory target: {MEMORY_LIMIT_MIB} MiB")


if __name__ == "__main__":
    main()
