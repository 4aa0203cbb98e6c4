"""Write the figures of `docs/accuracy-serving.md` from the calibration file.

    python tools/serving_report.py            # say whether the page is up to date
    python tools/serving_report.py --update   # write it

The figures are those that tools/calibrate_serving.py computed by cross-validation; they stand
between `<!-- serving figures -->` and `<!-- /serving figures -->`.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "accuracy-serving.md"
CALIBRATION = ROOT / "pricing" / "calibration" / "serving.yaml"
BEGIN, END = "<!-- serving figures -->", "<!-- /serving figures -->"
METRICS = {
    "tpot_ms": "time per token",
    "output_tokens_per_second": "tokens/s",
    "ttft_ms": "time to first token",
}
WAYS = {
    "row": "one row of twelve (its model and chip measured otherwise)",
    "cluster": "model and accelerator",
    "cluster_dense": "the same, dense models",
    "cluster_mixture": "the same, mixtures of experts",
    "family": "design of chip",
    "source": "who measured",
    "source_pooled": "who measured, one set of constants for all engines",
    "mlperf_limits": "all of MLPerf: capacity under its p99 limits",
    "cluster_every_row": "model and accelerator, rows that no fit uses scored too",
    "family_every_row": "design of chip, rows that no fit uses scored too",
}


def row(label: str, found: Mapping[str, Mapping[str, float]], metric: str) -> str | None:
    """One line of a table, None where nothing was measured."""
    values = found.get(metric)
    if values is None:
        return None
    share = f"{values['interval_coverage']:.2f}".removeprefix("0")
    errors = f"{values['median_abs_pct_error']:.1f} % | {values['p90_abs_pct_error']:.0f} %"
    return f"| {label} | {METRICS[metric]} | {values['rows']} | {errors} | {share} |"


def table(head: str, groups: Mapping[str, Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """A table of groups by metric."""
    lines = [
        f"| {head} | figure | rows | median error | 90th percentile | in the 80 % interval |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, label in names.items():
        for metric in METRICS:
            line = row(label, groups[name], metric)
            if line is not None:
                lines.append(line)
    return "\n".join(lines)


def figures(content: Mapping[str, Any]) -> str:
    """The generated part of the page."""
    by_accelerator = content["held_out_by_accelerator"]
    return "\n".join(
        [
            BEGIN,
            "### By what was left out",
            "",
            table("left out of the fit", content["held_out"], WAYS),
            "",
            "### By accelerator",
            "",
            "Model and accelerator left out of the fit.",
            "",
            table("accelerator", by_accelerator, {name: name for name in by_accelerator}),
            END,
        ]
    )


def render(page: str, content: Mapping[str, Any]) -> str:
    """The page with the figures of the calibration file."""
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
    return pattern.sub(lambda _: figures(content), page)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the page")
    options = parser.parse_args()
    page = PAGE.read_text("utf-8")
    text = render(page, yaml.safe_load(CALIBRATION.read_text("utf-8")))
    if options.update:
        PAGE.write_text(text, "utf-8")
        return 0
    if text != page:
        sys.stderr.write(f"{PAGE} is out of date: run tools/serving_report.py --update\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
