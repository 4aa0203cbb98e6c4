"""How long a comparison takes inside the process: `python benchmarks/compare.py`.

The catalog is compiled and loaded beforehand; each case runs on a fresh search, the minimum of the
rounds is printed with the number of offers and of full estimates.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog
from costcalc.estimate.training import TrainingJob
from costcalc.quote.compare import compare
from costcalc.quote.compare_types import CompareRequest
from costcalc.quote.terms import Terms

DAY = date(2026, 12, 1)
CASES: list[tuple[str, str, float, dict[str, Any], dict[str, Any]]] = [
    ("70B, 1T tokens", "llama-3.1-70b", 1e12, {}, {}),
    ("70B, 15B tokens, LoRA", "llama-3.1-70b", 15e9, {"method": "lora"}, {}),
    ("405B, 1T tokens, 60 days", "llama-3.1-405b", 1e12, {}, {"deadline_hours": 1440.0}),
    ("8B, fastest on 1,024", "llama-3.1-8b", 1e12, {}, {"rank": "time", "max_chips": 1024}),
    ("8B, every option", "llama-3.1-8b", 1e11, {}, {"purchase": "any", "all_regions": True}),
]


def main() -> None:
    """Measure each case and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        opened = catalogs.load(
            Path(__file__).resolve().parent.parent / "pricing", cache_dir=Path(folder)
        )
        terms = Terms(fx=opened.rate(DAY), as_of=DAY)
        list(opened.current_offers(DAY))
        print(f"{'case':<28}{'ms':>8}{'ranked':>8}{'left out':>10}")
        for name, model, tokens, run, wish in CASES:
            best, found = _measure(opened, terms, rounds, model, tokens, run, wish)
            print(f"{name:<28}{best * 1000:>8.0f}{found.fitting:>8}{len(found.excluded):>10}")


def _measure(
    opened: Catalog,
    terms: Terms,
    rounds: int,
    model: str,
    tokens: float,
    run: dict[str, Any],
    wish: dict[str, Any],
) -> tuple[float, Any]:
    from costcalc.estimate.layout import find_layout

    job = TrainingJob(opened.model(model), tokens, 4096, **run)
    best, found = float("inf"), None
    for _ in range(rounds):
        find_layout.cache_clear()
        start = time.perf_counter()
        found = compare(CompareRequest(job=job, inputs={}, **wish), opened, terms, top=10)
        best = min(best, time.perf_counter() - start)
    return best, found


if __name__ == "__main__":
    main()
