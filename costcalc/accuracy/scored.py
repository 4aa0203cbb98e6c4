"""Rows of predicted against measured, and what they come to; the same for training and serving."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from costcalc.accuracy.runs import Skipped
from costcalc.accuracy.scores import quantile, rounded


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One measurement and its prediction, in the same unit.

    Attributes:
        id, accelerator: of the row in the file.
        metric: what was measured, `tokens_per_second_per_accelerator`, `tpot_ms`.
        measured, predicted, low, high: figures; the interval is `Scored.interval` wide.
        in_sample: the constants were fitted on this row.
        groups: further names by which rows are summed up, (`tuning`, `tuned`).
    """

    id: str
    accelerator: str
    metric: str
    measured: float
    predicted: float
    low: float
    high: float
    in_sample: bool
    groups: tuple[tuple[str, str], ...] = ()

    @property
    def error_pct(self) -> float:
        """100 x (predicted / measured - 1)."""
        return 100.0 * (self.predicted / self.measured - 1.0)

    @property
    def inside(self) -> bool:
        """The measurement lies in the interval."""
        return self.low <= self.measured <= self.high

    def group(self, name: str) -> str | None:
        """The row's value of a grouping, None without one."""
        return dict(self.groups).get(name)


@dataclass(frozen=True, slots=True)
class Summary:
    """A set of rows in four figures; the last three are NaN without rows."""

    runs: int
    median_abs_pct_error: float
    p90_abs_pct_error: float
    interval_coverage: float

    def plain(self) -> dict[str, Any]:
        """For JSON; None where there is no figure."""
        return {
            "runs": self.runs,
            "median_abs_pct_error": rounded(self.median_abs_pct_error, 2),
            "p90_abs_pct_error": rounded(self.p90_abs_pct_error, 2),
            "interval_coverage": rounded(self.interval_coverage, 3),
        }


def summarize(rows: Sequence[ScoredRow]) -> Summary:
    """Median and 90th percentile of the absolute error in percent, and the interval's coverage."""
    errors = [abs(row.error_pct) for row in rows]
    inside = sum(row.inside for row in rows) / len(rows) if rows else math.nan
    return Summary(len(rows), quantile(errors, 0.5), quantile(errors, 0.9), inside)


@dataclass(frozen=True, slots=True)
class Scored:
    """A file of measurements, scored.

    Attributes:
        interval: share of measurements that the intervals are to hold.
        rows: in the order of the file.
        skipped: rows without a figure to compare.
        cross_validated: `cluster`, `source` or `family` when every row was predicted by constants
            that have not seen its group, else None.
        groupings: names in `ScoredRow.groups` to sum up besides the accelerator.
        own: the constants follow a user's own runs.
    """

    interval: float
    rows: tuple[ScoredRow, ...]
    skipped: tuple[Skipped, ...]
    cross_validated: str | None = None
    groupings: tuple[str, ...] = ()
    own: bool = False

    def by(self, key: Callable[[ScoredRow], str | None]) -> dict[str, Summary]:
        """Summaries by a key of the row; rows without one are left out."""
        groups: dict[str, list[ScoredRow]] = {}
        for row in self.rows:
            name = key(row)
            if name is not None:
                groups.setdefault(name, []).append(row)
        return {name: summarize(groups[name]) for name in sorted(groups)}

    def plain(self) -> dict[str, Any]:
        """The content of `--format json`."""
        whole = summarize(self.rows).plain()
        content: dict[str, Any] = {
            "interval": self.interval,
            "runs": whole["runs"],
            "cross_validate": self.cross_validated,
            "skipped": [{"id": row.id, "reason": row.reason} for row in self.skipped],
            "median_abs_pct_error": whole["median_abs_pct_error"],
            "p90_abs_pct_error": whole["p90_abs_pct_error"],
            "interval_coverage": whole["interval_coverage"],
            "by_accelerator": {
                name: found.plain() for name, found in self.by(lambda row: row.accelerator).items()
            },
        }
        for grouping in self.groupings:

            def key(row: ScoredRow, name: str = grouping) -> str | None:
                return row.group(name)

            content[f"by_{grouping}"] = {
                name: found.plain() for name, found in self.by(key).items()
            }
        content["rows"] = [
            {
                "id": row.id,
                "accelerator": row.accelerator,
                "metric": row.metric,
                "measured": _figure(row.measured),
                "predicted": _figure(row.predicted),
                "low": _figure(row.low),
                "high": _figure(row.high),
                "error_pct": rounded(row.error_pct, 2),
                "in_sample": row.in_sample,
            }
            for row in self.rows
        ]
        return content


def _figure(value: float) -> float | None:
    """Six significant digits."""
    return float(f"{value:.6g}") if math.isfinite(value) else None
