"""From a table of runs to a calibration: constants, chip effects, interval, digest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

from costcalc.accuracy.crossval import GROUPS, Validator, family_clusters
from costcalc.accuracy.runs import TrainingCase
from costcalc.accuracy.spread import Residual, coverage, fit_spread
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


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: float(f"{value:.{_DIGITS}g}") for name, value in values.items()}


def _quantile(residuals: Sequence[Residual], share: float) -> float:
    from costcalc.accuracy.scores import abs_pct_error, quantile

    return quantile([abs_pct_error(residual.value) for residual in residuals], share)
