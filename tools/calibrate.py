"""Fit the constants of the training-time model to `pricing/runs/training.csv`.

    python tools/calibrate.py [--check]

Writes `pricing/calibration/training.yaml`; the same table gives the same bytes. `--check` writes
nothing and fails when the file is not what the table gives. The date stays as it is in the file
unless `--date 2026-12-01` sets another: it is the software date that quotes assume.
"""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path

import yaml

from costcalc import catalog
from costcalc.accuracy.calibrate import calibrate
from costcalc.accuracy.mapping import matmul_shares, table_digest, to_mapping
from costcalc.accuracy.runs import training_cases
from costcalc.accuracy.sizes import ModelSizes
from costcalc.catalog.csvfile import parse_table, records

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "pricing" / "runs" / "training.csv"
TARGET = ROOT / "pricing" / "calibration" / "training.yaml"
HEADER = """\
# Constants of the training-time model, fitted by tools/calibrate.py to pricing/runs/training.csv.
# Not edited by hand. What each one means: costcalc/estimate/step.py and calibration.py. `held_out`
# are the figures of runs that the constants had not seen, by the group that was left out.
"""


def render(day: date) -> str:
    """The calibration file for the runs table as it is."""
    shipped = catalog.load(ROOT / "pricing")
    rows = records(parse_table(RUNS.read_bytes(), "pricing/runs/training.csv"))
    used = [row for row in rows if row["calibration"] == "use"]
    cases, skipped = training_cases(used, shipped, ModelSizes(shipped, rows))
    if skipped:
        names = ", ".join(f"{row.id} ({row.reason})" for row in skipped)
        raise SystemExit(f"rows marked `use` that give no rate: {names}")
    done = calibrate(cases, matmul_shares(shipped), day, table_digest(used))
    content = to_mapping(done.calibration, done.figures)
    return HEADER + yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when the file is out of date")
    parser.add_argument("--date", type=date.fromisoformat, help="software date (default: as it is)")
    options = parser.parse_args()
    old = TARGET.read_text("utf-8") if TARGET.exists() else ""
    day = options.date or (yaml.safe_load(old)["date"] if old else None)
    if day is None:
        parser.error("no calibration file yet: --date is needed")
    text = render(day)
    if options.check:
        if text != old:
            sys.stderr.write(f"{TARGET} is not what {RUNS} gives: run tools/calibrate.py\n")
            return 1
        return 0
    TARGET.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
