"""Write `pricing/api_prices.yaml`: dated price changes of hosted models, from genai-prices.

    python tools/api_price_snapshot.py --day 2026-12-01

Needs the extra `api`. Routers that resell others' models are left out, so that one change counts
once; so are names that move from model to model (`-latest`), changes after the day given, and
models without an input or an output price. Of a price with tiers the base is taken: it is what a
request of ordinary length pays.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "pricing" / "api_prices.yaml"
ROUTERS = ("openrouter", "huggingface", "vercel", "requesty", "avian", "quicksilverpro")
MOVING = "-latest"


def base(price: Any) -> Decimal | None:
    """USD per million tokens; the base of a price with tiers."""
    return getattr(price, "base", price)


def dated(prices: Any) -> Iterator[tuple[date | None, Decimal, Decimal]]:
    """(first day, input, output) of a model's prices, oldest first, USD per million tokens."""
    for entry in prices:
        constraint = entry.constraint
        start = getattr(constraint, "start_date", None)
        if constraint is not None and start is None:
            continue  # a price by the time of day
        pair = base(entry.prices.input_mtok), base(entry.prices.output_mtok)
        if pair[0] is not None and pair[1] is not None:
            yield start, pair[0], pair[1]


def changes(day: date) -> Iterator[str]:
    """One line of YAML for each change of a price."""
    from genai_prices.data import providers

    for provider in sorted(providers, key=lambda item: item.id):
        if provider.id.startswith(ROUTERS):
            continue
        for model in sorted(provider.models, key=lambda item: item.id):
            if not isinstance(model.prices, list) or model.id.endswith(MOVING):
                continue
            known = sorted(dated(model.prices), key=lambda item: item[0] or date.min)
            for before, after in pairwise(known):
                if after[0] is None or after[0] > day or before[1:] == after[1:]:
                    continue
                yield (
                    f'  - {{provider: {provider.id}, model: "{model.id}", date: {after[0]}, '
                    f"before: [{before[1]:f}, {before[2]:f}], after: [{after[1]:f}, {after[2]:f}]}}"
                )


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--day", type=date.fromisoformat, required=True)
    day = parser.parse_args().day
    package = f"genai-prices {version('genai-prices')}"
    head = f"""\
# Price changes of hosted models: USD per million tokens, [input, output], before and after.
# Written by tools/api_price_snapshot.py from {package} (MIT). Current prices are not
# here: `serve --versus-api` asks the package itself.
source: {{text: "{package}, dated prices by provider", date: {day}}}
changes:
"""
    TARGET.write_text(head + "\n".join(changes(day)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
