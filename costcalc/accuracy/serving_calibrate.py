"""From a table of measurements to a serving calibration, and the figures of its fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from costcalc.accuracy.scores import abs_pct_error, quantile
from costcalc.accuracy.serving_rows import METRICS, ServingCase
from costcalc.accuracy.serving_validate import (
    METRIC_NAMES,
    HeldOut,
    Validator,
    coverage,
    spreads,
)
from costcalc.estimate.serving_calibration import METRICS as SPREAD_METRICS
from costcalc.estimate.serving_calibration import TIERS, ServingCalibration

_ROW_FOLDS = 12


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration and what its fit shows.

    Attributes:
        calibration: what estimates use.
        figures: by way of holding out, by metric: rows, median and 90th percentile of the absolute
            error in percent, coverage of the interval.
        by_accelerator: the same of `cluster`, by accelerator.
    """

    calibration: ServingCalibration
    figures: Mapping[str, Mapping[str, Mapping[str, float]]]
    by_accelerator: Mapping[str, Mapping[str, Mapping[str, float]]]


def calibrate(
    cases: Sequence[ServingCase],
    stored: Mapping[str, str],
    day: date,
    digest: str,
    others: Sequence[ServingCase] = (),
) -> Calibrated:
    """Fit everything to `cases`.

    Args:
        cases: measurements to use.
        stored: models published in fewer than 16 bits.
        day: date of the calibration.
        digest: of the table.
        others: measurements that nothing is fitted to, to be scored all the same.
    """
    validator = Validator(cases)
    engines = dict(validator.engines(_all))
    engines["unknown"] = validator.pooled(_all)
    row_of = {id(case): str(index % _ROW_FOLDS) for index, case in enumerate(cases)}
    rows = validator.held_out_by(lambda case: row_of[id(case)], cases, grouping="rows")
    sizes = Counter(case.group for case in cases)
    rows = [item for item in rows if sizes[item.case.group] > 1]
    groups = validator.held_out("cluster", cases)
    pooled = validator.held_out("source", cases, pooled=True)
    families = validator.held_out("family", cases)
    factors = spreads(rows, groups, families, pooled)
    factors = {
        key: (float(f"{low:.4g}"), float(f"{high:.4g}")) for key, (low, high) in factors.items()
    }
    calibration = ServingCalibration(
        date=day,
        digest=digest,
        runs=len(cases),
        groups=len(sizes),
        engines=engines,
        spreads=factors,
        measured=frozenset(f"{case.architecture.name}|{case.accelerator}" for case in cases),
        measured_engines=dict(sorted(Counter(case.engine for case in cases).items())),
        stored=dict(stored),
    )

    def at(tier: str) -> Callable[[HeldOut], tuple[float, float]]:
        return lambda item: factors[METRIC_NAMES[item.metric], tier, item.kind]

    sources = validator.held_out("source", cases)
    figures = {
        "row": summary(rows, at("measured")),
        "cluster": summary(groups, at("engine")),
        "cluster_dense": summary([i for i in groups if i.kind == "dense"], at("engine")),
        "cluster_mixture": summary([i for i in groups if i.kind == "mixture"], at("engine")),
        "family": summary(families, at("chip")),
        "source": summary(sources, at("engine")),
        "source_pooled": summary(pooled, at("pooled")),
        "mlperf_limits": summary(without_mlperf(validator), at("engine")),
        "cluster_every_row": summary(
            [*groups, *validator.held_out("cluster", others)], at("engine")
        ),
        "family_every_row": summary([*families, *validator.held_out("family", others)], at("chip")),
    }
    names = sorted({item.case.accelerator for item in groups})
    by_accelerator = {
        name: summary([i for i in groups if i.case.accelerator == name], at("engine"))
        for name in names
    }
    return Calibrated(calibration, figures, by_accelerator)


def _all(_: ServingCase) -> bool:
    return True


def without_mlperf(validator: Validator) -> list[HeldOut]:
    """Capacity under MLPerf's latency limits, by constants that saw no row of MLPerf."""
    limited = [case for case in validator.cases if case.load == "limits"]
    found = validator.held_out_by(
        lambda case: "mlperf" if case.source.startswith("mlperf") else "other",
        limited,
        grouping="mlperf",
    )
    return [item for item in found if item.metric == "output_tokens_per_second"]


def summary(
    found: Sequence[HeldOut], factors: Callable[[HeldOut], tuple[float, float]]
) -> dict[str, dict[str, float]]:
    """Figures by metric."""
    result = {}
    for metric in METRICS:
        own = [item for item in found if item.metric == metric]
        if not own:
            continue
        errors = [abs_pct_error(-item.residual) for item in own]
        result[metric] = {
            "rows": len(own),
            "median_abs_pct_error": round(quantile(errors, 0.5), 2),
            "p90_abs_pct_error": round(quantile(errors, 0.9), 2),
            "interval_coverage": round(coverage(own, factors), 3),
        }
    return result


def to_mapping(calibrated: Calibrated, stored: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a calibration file."""
    calibration = calibrated.calibration
    return {
        "date": calibration.date,
        "digest": calibration.digest,
        "runs": calibration.runs,
        "groups": calibration.groups,
        "held_out": {
            name: {metric: dict(values) for metric, values in found.items()}
            for name, found in calibrated.figures.items()
        },
        "held_out_by_accelerator": {
            name: {metric: dict(values) for metric, values in found.items()}
            for name, found in calibrated.by_accelerator.items()
        },
        "stored": {name: dict(value) for name, value in stored.items()},
        "engines": {
            name: asdict(constants) for name, constants in sorted(calibration.engines.items())
        },
        "spreads": {
            metric: {
                tier: {
                    kind: list(calibration.spreads[metric, tier, kind])
                    for kind in ("dense", "mixture")
                }
                for tier in TIERS
            }
            for metric in SPREAD_METRICS
        },
        "measured_engines": dict(calibration.measured_engines),
        "measured": sorted(calibration.measured),
    }
