"""Scores a table of serving measurements: predicted against measured, with or without refitting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from costcalc.accuracy.runs import Skipped
from costcalc.accuracy.scored import Scored, ScoredRow
from costcalc.accuracy.serving_predict import impossible, predict
from costcalc.accuracy.serving_rows import ServingCase, serving_cases
from costcalc.accuracy.serving_validate import (
    INTERVAL,
    METRIC_NAMES,
    HeldOut,
    Validator,
    widths,
)
from costcalc.accuracy.tables import USED
from costcalc.catalog import Catalog
from costcalc.catalog.csvfile import records
from costcalc.estimate.serving_calibration import ServingCalibration, serving_calibration

GROUPINGS = ("metric", "kind", "source")
_MILLI = {"tpot_ms": 1e3, "ttft_ms": 1e3, "output_tokens_per_second": 1.0}


def score_serving(
    rows: Sequence[Mapping[str, str]],
    catalog: Catalog,
    *,
    cross_validate: str | None = None,
) -> Scored:
    """Score the rows of a file.

    Args:
        rows: measurements, in the columns of the shipped table.
        catalog: chips, models, the calibration and the shipped table of measurements.
        cross_validate: `cluster` (model and accelerator), `source` or `family` (of chips): predict
            every row with constants, and an interval, that have not seen its group. They are fitted
            on the shipped table together with the file.

    Raises:
        InputError: a cell that cannot be read.
    """
    calibration = serving_calibration(catalog.calibration("serving"))
    cases, skipped = possible_cases(rows, catalog, calibration)
    shipped = shipped_measurements(catalog)
    used = [row for row in shipped if row.get("calibration") == USED]
    if cross_validate is None:
        known = {row["id"] for row in used}
        scored = [
            row for case in cases for row in _plain(case, calibration, in_sample=case.id in known)
        ]
        return Scored(INTERVAL, tuple(scored), tuple(skipped), None, GROUPINGS)

    fitted, _ = serving_cases(used, catalog, calibration.stored)
    held = {row["id"] for row in shipped}
    validator = Validator([*fitted, *(case for case in cases if case.id not in held)])
    targets = {case.id for case in cases}
    others = [case for case in validator.cases if case.id not in targets]
    found = validator.held_out(cross_validate, cases)
    pool = [*found, *validator.held_out(cross_validate, others)]
    factors = {
        fold: widths([item for item in pool if item.fold != fold] or pool)
        for fold in {item.fold for item in found}
    }
    order = {case.id: index for index, case in enumerate(cases)}
    scored = [
        _held(item, factors[item.fold])
        for item in sorted(found, key=lambda item: order[item.case.id])
    ]
    return Scored(INTERVAL, tuple(scored), tuple(skipped), cross_validate, (*GROUPINGS, "group"))


def possible_cases(
    rows: Sequence[Mapping[str, str]], catalog: Catalog, calibration: ServingCalibration
) -> tuple[list[ServingCase], list[Skipped]]:
    """The cases of a table; rows that physics rules out, or that a draft sped up, are skipped."""
    cases, skipped = serving_cases(rows, catalog, calibration.stored)
    kept = []
    for case in cases:
        reason = "speculative" if case.speculative else impossible(case)
        if reason is None:
            kept.append(case)
        else:
            skipped.append(Skipped(case.id, reason))
    return kept, skipped


def shipped_measurements(catalog: Catalog) -> list[dict[str, str]]:
    """All rows of the catalog's table of serving measurements; none when it has no such table."""
    if not catalog.has_table("runs/serving"):
        return []
    return records(catalog.table("runs/serving"))


def tier_of(case: ServingCase, calibration: ServingCalibration) -> str:
    """How much is known of a case, see `costcalc.estimate.serving_calibration.TIERS`."""
    if case.architecture.approximate == "counts":
        return "pooled"
    rows = calibration.measured_engines.get(case.engine, 0)
    return calibration.tier(case.architecture.name, case.accelerator, engine_rows=rows)


def _plain(
    case: ServingCase, calibration: ServingCalibration, *, in_sample: bool
) -> list[ScoredRow]:
    values = predict(case, calibration.engines)
    if values is None:
        return []
    tier = tier_of(case, calibration)
    return [
        _row(
            case,
            metric,
            measured,
            values[metric],
            calibration.factors(METRIC_NAMES[metric], tier, mixture=case.mixture),
            in_sample=in_sample,
        )
        for metric, measured in case.measured
    ]


def _held(item: HeldOut, factors: Mapping[tuple[str, str], tuple[float, float]]) -> ScoredRow:
    return _row(
        item.case,
        item.metric,
        item.measured,
        item.predicted,
        factors[METRIC_NAMES[item.metric], item.kind],
        in_sample=False,
        group=item.group,
    )


def _row(
    case: ServingCase,
    metric: str,
    measured: float,
    predicted: float,
    factors: tuple[float, float],
    *,
    in_sample: bool,
    group: str | None = None,
) -> ScoredRow:
    unit = _MILLI[metric]
    low, high = factors
    groups = [
        ("metric", metric),
        ("kind", "mixture" if case.mixture else "dense"),
        ("source", case.source),
    ]
    if group is not None:
        groups.append(("group", group))
    return ScoredRow(
        id=case.id,
        accelerator=case.label,
        metric=metric,
        measured=measured * unit,
        predicted=predicted * unit,
        low=predicted * unit * low,
        high=predicted * unit * high,
        in_sample=in_sample,
        groups=tuple(groups),
    )
