"""From a table of runs to a calibration: constants, chip effects, interval, digest."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from costcalc.accuracy.crossval import GROUPS, Validator, family_clusters
from costcalc.accuracy.runs import TrainingCase
from costcalc.accuracy.spread import Residual, coverage, fit_spread
from costcalc.catalog import Catalog
from costcalc.estimate.calibration import TrainingCalibration

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration and the figures of its fit.

    Attributes:
        calibration: what estimates use.
        figures: by grouping, held-out median and 90th percentile of the absolute error in percent,
            and the coverage of the interval.
    """

    calibration: TrainingCalibration
    figures: Mapping[str, Mapping[str, float]]


def table_digest(rows: Sequence[Mapping[str, str]]) -> str:
    """SHA-256 of the content of a table, independent of its line ends and column order."""
    hasher = hashlib.sha256()
    for row in rows:
        for name in sorted(row):
            hasher.update(f"{name}={row[name]}\x1f".encode())
        hasher.update(b"\x1e")
    return hasher.hexdigest()


def matmul_shares(catalog: Catalog) -> dict[str, float]:
    """Best measured bf16 matmul over dense peak by chip family, from its first measured chip."""
    shares: dict[str, float] = {}
    for accelerator in catalog.accelerators().values():
        chip = accelerator.chip
        measured, peak = chip.matmul_tflops.get("bf16"), chip.peak_tflops.get("bf16")
        if measured and peak:
            shares.setdefault(chip.family, round(measured / peak, 4))
    return dict(sorted(shares.items()))


def calibrate(
    cases: Sequence[TrainingCase],
    shares: Mapping[str, float],
    day: date,
    digest: str,
    groupings: Sequence[str] = tuple(GROUPS),
) -> Calibrated:
    """Fit everything to `cases`.

    The constants see all of them; the interval is fitted to residuals of runs that the constants
    had not seen, over all `groupings` together, so that it holds for a new run of a known kind, for
    a new source and for a new chip.

    Args:
        cases: runs to use.
        shares: see `matmul_shares`.
        day: date of the calibration and software date of quotes.
        digest: of the table, see `table_digest`.
        groupings: which groups to hold out.
    """
    validator = Validator(cases, shares, day)
    held: dict[str, list[Residual]] = {
        grouping: [residual for _, _, residual in validator.residuals(grouping, cases)]
        for grouping in groupings
    }
    spread = fit_spread([residual for residuals in held.values() for residual in residuals])
    fitted = validator.whole
    constants = replace(
        fitted.constants,
        attention_untuned_log=max(fitted.constants.attention_untuned_log, 0.0),
        untuned_size_log=max(fitted.constants.untuned_size_log, 0.0),
    )
    calibration = TrainingCalibration(
        date=day,
        digest=digest,
        runs=len(cases),
        clusters=len({case.cluster for case in cases}),
        constants=type(constants)(**_rounded(asdict(constants))),
        effects={name: round(value, 4) for name, value in sorted(fitted.effects.items())},
        matmul_shares=dict(shares),
        family_clusters=family_clusters(cases),
        spread=type(spread)(**_rounded(asdict(spread))),
    )
    figures = {
        grouping: {
            "median_abs_pct_error": round(_quantile(residuals, 0.5), 2),
            "p90_abs_pct_error": round(_quantile(residuals, 0.9), 2),
            "interval_coverage": round(coverage(residuals, spread), 3),
        }
        for grouping, residuals in held.items()
    }
    return Calibrated(calibration, figures)


def to_mapping(
    calibration: TrainingCalibration, figures: Mapping[str, Mapping[str, float]] | None = None
) -> dict[str, Any]:
    """The content of a calibration file."""
    content: dict[str, Any] = {
        "date": calibration.date,
        "digest": calibration.digest,
        "runs": calibration.runs,
        "clusters": calibration.clusters,
    }
    if calibration.own:
        content["own"] = calibration.own
    if figures:
        content["held_out"] = {name: dict(values) for name, values in figures.items()}
    content["constants"] = asdict(calibration.constants)
    content["spread"] = asdict(calibration.spread)
    content["matmul_shares"] = dict(calibration.matmul_shares)
    content["family_clusters"] = dict(calibration.family_clusters)
    content["effects"] = dict(calibration.effects)
    return content


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.{_DIGITS}g}") for name, value in values.items()}


def _quantile(residuals: Sequence[Residual], share: float) -> float:
    from costcalc.accuracy.scores import abs_pct_error, quantile

    return quantile([abs_pct_error(residual.value) for residual in residuals], share)
