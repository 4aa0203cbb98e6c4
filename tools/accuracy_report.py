"""Write the figures of `docs/accuracy.md` about training: cross-validation, by chip, worst cases.

    python tools/accuracy_report.py [--check]

Replaces what stands between the marks in the page; the words around them are written by hand.
`--check` writes nothing and fails when the page is not what the shipped table gives.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from costcalc import catalog
from costcalc.accuracy.scored import Scored, ScoredRow, Summary, summarize
from costcalc.accuracy.tables import shipped_runs
from costcalc.accuracy.training import CROSS_VALIDATIONS, score_training
from costcalc.estimate.calibration import training_calibration

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "accuracy.md"
BEGIN = "<!-- training figures: tools/accuracy_report.py -->"
END = "<!-- end of training figures -->"
WORST = 12
GROUP_NAMES = {
    "cluster": "cluster (chip family, model and source)",
    "source": "source (all rounds of MLPerf are one)",
    "family": "chip family",
}


def _percent(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f} %"


def _share(value: float) -> str:
    return f"{value:.2f}".lstrip("0") if value < 1 else "1.00"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows)]


def _cells(found: Summary) -> list[str]:
    return [
        str(found.runs),
        _percent(found.median_abs_pct_error),
        _percent(found.p90_abs_pct_error),
        _share(found.interval_coverage),
    ]


def section(held_out: Mapping[str, Scored], rows: Sequence[Mapping[str, str]]) -> str:
    """The figures as Markdown.

    Args:
        held_out: the shipped table scored by grouping.
        rows: the shipped table.
    """
    head = ["median error", "90th percentile", "in the 80 % interval"]
    lines = ["### New runs, new sources, new chips", ""]
    lines += _table(
        ["left out of the fit", "groups", "runs", *head],
        [
            [
                GROUP_NAMES[name],
                str(len({row.group("group") for row in scored.rows})),
                *_cells(summarize(scored.rows)),
            ]
            for name, scored in held_out.items()
        ],
    )
    cluster, family = held_out["cluster"], held_out["family"]
    lines += ["", "### By accelerator", ""]
    cold = family.by(lambda row: row.accelerator)
    lines += _table(
        ["accelerator", "runs", *head, "median error without its chip family"],
        [
            [name, *_cells(found), _percent(cold[name].median_abs_pct_error)]
            for name, found in cluster.by(lambda row: row.accelerator).items()
        ],
    )
    for title, grouping in (("stack", "tuning"), ("kind of run", "kind")):
        lines += ["", f"### By {title}", ""]

        def key(row: ScoredRow, name: str = grouping) -> str | None:
            return row.group(name)

        lines += _table(
            [title, "runs", *head],
            [[name, *_cells(found)] for name, found in cluster.by(key).items()],
        )
    lines += ["", "### The worst cases", ""]
    lines += _worst(cluster, {row["id"]: row for row in rows})
    lines += ["", "### Rows left out of the fit, and rows corrected", ""]
    lines += _edited(rows)
    return "\n".join(lines)


def _worst(scored: Scored, rows: Mapping[str, Mapping[str, str]]) -> list[str]:
    def distance(row: ScoredRow) -> float:
        return max(row.predicted / row.measured, row.measured / row.predicted)

    worst = sorted(scored.rows, key=distance, reverse=True)[:WORST]
    cells = []
    for row in worst:
        known = rows[row.id]
        what = f"{known['model']}, {known['accelerator_count'] or '?'} x {row.accelerator}"
        how = f"{known['precision']}, {known['tuning']}, {known['framework']}".rstrip(", ")
        why = "left out of every fit" if known["calibration"] != "use" else ""
        cells.append([f"{row.id}: {what}", how, f"{row.error_pct:+.0f} %", why])
    lines = ["| run | how | error | |", "| --- | --- | ---: | --- |"]
    return [*lines, *("| " + " | ".join(row) + " |" for row in cells)]


def _edited(rows: Sequence[Mapping[str, str]]) -> list[str]:
    groups: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row["calibration"] != "use":
            groups.setdefault(("left out", row["reason"]), []).append(row["id"])
        elif row["correction"]:
            groups.setdefault(("corrected", row["reason"]), []).append(row["id"])
    return [f"- {', '.join(ids)}: {what}. {why}." for (what, why), ids in sorted(groups.items())]


def render(page: str, text: str) -> str:
    """The page with its figures replaced.

    Raises:
        ValueError: the page lacks the marks.
    """
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    return f"{page[:start]}\n{text}\n{page[end:]}"


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail when the page is out of date")
    options = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    shipped = catalog.load(ROOT / "pricing")
    rows = shipped_runs(shipped)
    calibration = training_calibration(shipped.calibration("training"))
    held_out = {
        name: score_training(rows, shipped, calibration, cross_validate=name)
        for name in CROSS_VALIDATIONS
    }
    old = PAGE.read_text("utf-8")
    new = render(old, section(held_out, rows))
    if options.check:
        if new != old:
            sys.stderr.write(f"{PAGE} is out of date: run tools/accuracy_report.py\n")
            return 1
        return 0
    PAGE.write_text(new, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
