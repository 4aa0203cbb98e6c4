"""Fit the constants of the serving model to `pricing/runs/serving.csv`.

    python tools/calibrate_serving.py [--check]

Writes `pricing/calibration/serving.yaml`; the same table gives the same bytes. `--check` writes
nothing and fails when the file is not what the table gives. Every row is tested against physics
first: a row marked `use` that is faster than its chips' datasheet stops the tool. The date stays as
it is in the file unless `--date 2026-12-01` sets another; the section `stored` is kept.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from costcalc import catalog
from costcalc.accuracy.mapping import table_digest
from costcalc.accuracy.serving_calibrate import calibrate, to_mapping
from costcalc.accuracy.serving_predict import impossible
from costcalc.accuracy.serving_rows import serving_cases
from costcalc.catalog.csvfile import parse_table, records

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "pricing" / "runs" / "serving.csv"
TARGET = ROOT / "pricing" / "calibration" / "serving.yaml"
HEADER = """\
# Constants of the serving model, fitted by tools/calibrate_serving.py to pricing/runs/serving.csv.
# Not edited by hand, `stored` apart. What each one means: costcalc/estimate/serving_calibration.py.
# `held_out` are the figures of measurements that the constants had not seen, by what was left out;
# `mlperf_limits` is the capacity under MLPerf's p99 limits from constants without a row of MLPerf.
"""


def render(day: date, stored: dict[str, Any]) -> str:
    """The calibration file for the measurements as they are."""
    shipped = catalog.load(ROOT / "pricing")
    rows = records(parse_table(RUNS.read_bytes(), "pricing/runs/serving.csv"))
    used = [row for row in rows if row["calibration"] == "use"]
    precisions = {name: str(value["precision"]) for name, value in stored.items()}
    cases, skipped = serving_cases(used, shipped, precisions)
    refused = [f"{row.id} ({row.reason})" for row in skipped]
    refused += [f"{case.id} ({reason})" for case in cases if (reason := impossible(case))]
    if refused:
        raise SystemExit(f"rows marked `use` that cannot be used: {', '.join(refused)}")
    rest, _ = serving_cases([row for row in rows if row not in used], shipped, precisions)
    others = [case for case in rest if not case.speculative and impossible(case) is None]
    done = calibrate(cases, precisions, day, table_digest(used), others)
    content = to_mapping(done, stored)
    return HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when the file is out of date")
    parser.add_argument("--date", type=date.fromisoformat, help="software date (default: as it is)")
    options = parser.parse_args()
    old = TARGET.read_text("utf-8")
    before = yaml.safe_load(old)
    text = render(options.date or before["date"], before["stored"])
    if options.check:
        if text != old:
            sys.stderr.write(f"{TARGET} is not what {RUNS} gives: run tools/calibrate_serving.py\n")
            return 1
        return 0
    TARGET.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
