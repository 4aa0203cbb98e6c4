"""How fast a sweep is, as figures and as ratios of one run: `python benchmarks/sweep.py`.

- estimates: distinct training estimates (time with its interval, MFU, goodput, whether it fits) per
  second of one core, each with a sequence length and a batch of its own;
- points: lines of CSV per second, prices, totals and formatting included;
- ratio: estimates against llm-analysis 0.2.2 called in-process on a model that it accepts. It has
  old requirements, so it lives in an environment of its own:

      python -m venv /tmp/llm-analysis
      /tmp/llm-analysis/bin/pip install llm-analysis==0.2.2
      python benchmarks/sweep.py --llm-analysis /tmp/llm-analysis/bin/python

- linear: time per point and peak memory from 10^4 to 10^7 points, each in a process of its own.

Processor time, not wall time, and the best of several rounds in alternation: others' load only ever
adds to it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from costcalc.quote.sweep import Sweep

TARGET_ESTIMATES = 30_000
TARGET_POINTS = 100_000
TARGET_RATIO = 10
SIZES = (10**4, 10**5, 10**6, 10**7)

LLM_ANALYSIS = """
import logging, time
logging.disable(logging.CRITICAL)
from llm_analysis.analysis import ActivationRecomputation, DSZeRO, LLMAnalysis
from llm_analysis.config import (
    ModelConfig, ParallelismConfig, get_dtype_config_by_name, get_gpu_config_by_name,
)
model = ModelConfig(
    name="gpt-70b", num_layers=80, n_head=64, hidden_dim=8192, vocab_size=32000, max_seq_len=8192
)
analysis = LLMAnalysis(
    model,
    get_gpu_config_by_name("h100-sxm-80gb"),
    get_dtype_config_by_name("w16a16e16"),
    ParallelismConfig(tp_size=8, pp_size=8, dp_size=8),
    flops_efficiency=0.5,
    hbm_memory_efficiency=0.9,
)
def run(number):
    analysis.training(
        batch_size_per_gpu=1,
        global_batch_size=1024 + 8 * number,
        seq_len=2048 + 8 * (number % 256),
        total_num_tokens=10**12,
        activation_recomputation=ActivationRecomputation.FULL,
        ds_zero=DSZeRO.STAGE_1,
    )
for number in range(200):
    run(number)
start = time.process_time()
for number in range(2000):
    run(number)
print(2000 / (time.process_time() - start))
"""


def sweep(seq_lens: Iterable[int], batches: Iterable[int], tokens: Sequence[int]) -> Sweep:
    """A sweep of the same network on 512 H100, prices of the shipped catalog."""
    from costcalc import catalog
    from costcalc.catalog.rates import ExchangeRate
    from costcalc.estimate.architecture import Architecture, AttentionLayers
    from costcalc.quote.select import Placement
    from costcalc.quote.sweep import Sweep, SweepRequest
    from costcalc.quote.terms import Terms
    from costcalc.quote.train import TrainRequest

    opened = catalog.load()
    attention = AttentionLayers(
        kind="full", layers=80, heads=64, kv_heads=64, head_dim=128, v_head_dim=128
    )
    network = Architecture(
        name="gpt-70b",
        hidden=8192,
        layers=80,
        vocab=32_000,
        tied_embeddings=False,
        attention=(attention,),
        dense_layers=80,
        dense_ffn=4 * 8192,
        mlp_matrices=2,
    )
    hardware = opened.hardware("h100:512")
    base = TrainRequest(network, 1, Placement(hardware))
    request = SweepRequest(base, [hardware], list(seq_lens), list(batches), tokens)
    day = date(2026, 12, 1)
    rate = ExchangeRate(Decimal("18.9077"), None, "benchmark")
    return Sweep(request, opened, Terms(fx=rate, as_of=day))


def estimates_per_second() -> float:
    """Distinct estimates: 256 sequence lengths x 100 batches."""
    grid = sweep(range(2048, 4096, 8), range(10**7, 2 * 10**7, 10**5), [10**12])
    start = time.process_time()
    count = sum(1 for item in grid.configurations() if item.time is not None)
    return count / (time.process_time() - start)


def points_per_second(points: int = 200_000) -> float:
    """Lines of CSV."""
    from costcalc.reports import sweep_rows

    grid = sweep([4096], [2 * 10**6], range(10**12, 10**12 + points * 10**6, 10**6))
    start = time.process_time()
    size = sum(len(line) for line in sweep_rows.lines(grid, "csv"))
    elapsed = time.process_time() - start
    assert size > points * 100
    return points / elapsed


def llm_analysis_per_second(python: str) -> float:
    """Configurations per second of llm-analysis."""
    done = subprocess.run([python, "-c", LLM_ANALYSIS], capture_output=True, text=True, check=True)
    return float(done.stdout.strip().splitlines()[-1])


def command(points: int) -> tuple[float, float]:
    """Processor seconds and peak MiB of `costcalc sweep` with that many points."""
    last = 10**12 + (points - 1) * 10**6
    arguments = ["sweep", "--model", "llama-3.1-70b", "--on", "h100:512"]
    arguments += ["--tokens", f"{10**12}..{last}+1M", "--as-of", "2026-12-01"]
    process = subprocess.Popen(
        [sys.executable, "-m", "costcalc", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale


def main() -> None:
    """Measure in alternation and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--llm-analysis", metavar="PYTHON")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="largest grid")
    options = parser.parse_args()
    estimates = points = theirs = 0.0
    for _ in range(options.rounds):
        estimates = max(estimates, estimates_per_second())
        points = max(points, points_per_second())
        if options.llm_analysis:
            theirs = max(theirs, llm_analysis_per_second(options.llm_analysis))
    print(f"distinct estimates per second   {estimates:>10,.0f}   target {TARGET_ESTIMATES:,}")
    print(f"points per second, with CSV     {points:>10,.0f}   target {TARGET_POINTS:,}")
    if theirs:
        print(f"llm-analysis 0.2.2 per second   {theirs:>10,.0f}")
        print(
            f"ratio                           {estimates / theirs:>10.1f}   target {TARGET_RATIO}"
        )
    else:
        print("llm-analysis: not measured; see --help")
    print(f"\n{'points':>12}{'seconds':>10}{'us/point':>10}{'MiB':>6}")
    start, _ = min(command(1) for _ in range(5))
    for size in SIZES:
        if size <= options.most:
            # what is over soon is measured several times
            seconds, mib = min(command(size) for _ in range(5 if size < 10**6 else 1))
            each = (seconds - start) / size * 1e6
            print(f"{size:>12,}{seconds:>10.2f}{each:>10.2f}{mib:>6.0f}")


if __name__ == "__main__":
    main()
