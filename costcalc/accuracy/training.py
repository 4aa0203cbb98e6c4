"""Scores a table of training runs: predicted against measured, with or without refitting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from costcalc.accuracy.mapping import matmul_shares, table_digest
from costcalc.accuracy.predict import kind_of, seconds_per_token
from costcalc.accuracy.runs import TrainingCase, training_cases
from costcalc.accuracy.scored import Scored, ScoredRow
from costcalc.accuracy.sizes import ModelSizes
from costcalc.accuracy.tables import shipped_runs, used_runs
from costcalc.catalog import Catalog
from costcalc.estimate.calibration import SpreadConstants, TrainingCalibration
from costcalc.estimate.uncertainty import INTERVAL, Kind, factors

METRIC = "tokens_per_second_per_accelerator"
NEEDED = ("accelerator", "model")
CROSS_VALIDATIONS = ("cluster", "source", "family")
GROUPINGS = ("tuning", "kind")


def score_training(
    rows: Sequence[Mapping[str, str]],
    catalog: Catalog,
    calibration: TrainingCalibration,
    *,
    cross_validate: str | None = None,
) -> Scored:
    """Score the rows of a file.

    Args:
        rows: runs, in the columns of the runs table.
        catalog: chips, models and the shipped table of runs.
        calibration: constants to predict with, unless `cross_validate` refits them.
        cross_validate: `cluster`, `source` or `family`: predict every row with constants, and an
            interval, that have not seen its group. They are fitted on the shipped table together
            with the file; a row of the file that the shipped table holds is taken once, with its
            corrections, and one that it leaves out is not fitted on.

    Raises:
        InputError: see `costcalc.accuracy.runs.training_case`.
    """
    shipped = shipped_runs(catalog)
    sizes = ModelSizes(catalog, shipped)
    cases, skipped = training_cases(rows, catalog, sizes)
    known = {_key(row) for row in used_runs(shipped)}
    if cross_validate is None:
        own = bool(calibration.own) and calibration.own == table_digest(rows)
        scored = []
        for case in cases:
            seconds = seconds_per_token(case, calibration)
            kind = kind_of(case, calibration.family_clusters.get(case.chip.family, 0))
            in_sample = own or (case.id, case.accelerator) in known
            scored.append(_row(case, seconds, kind, calibration.spread, in_sample, None))
        return Scored(
            INTERVAL, tuple(scored), tuple(skipped), None, GROUPINGS, bool(calibration.own)
        )

    from costcalc.accuracy.crossval import Validator

    fitted, _ = training_cases(used_runs(shipped), catalog, sizes)
    held = {row.get("id") for row in shipped}
    validator = Validator(
        [*fitted, *(case for case in cases if case.id not in held)],
        matmul_shares(catalog),
        calibration.date,
    )
    found = validator.held_out(cross_validate, cases)
    return Scored(
        INTERVAL,
        tuple(
            _row(item.case, item.predicted_s, item.residual.kind, item.spread, False, item.group)
            for item in found
        ),
        tuple(skipped),
        cross_validate,
        (*GROUPINGS, "group"),
    )


def _key(row: Mapping[str, str]) -> tuple[str, str]:
    return (row.get("id") or "").strip(), (row.get("accelerator") or "").strip()


def _row(
    case: TrainingCase,
    seconds: float,
    kind: Kind,
    spread: SpreadConstants,
    in_sample: bool,
    group: str | None,
) -> ScoredRow:
    low, high = factors(kind, spread)
    groups = [("tuning", case.stack), ("kind", case.kind or "unknown")]
    if group is not None:
        groups.append(("group", group))
    return ScoredRow(
        id=case.id,
        accelerator=case.accelerator,
        metric=METRIC,
        measured=case.measured,
        predicted=1.0 / seconds,
        low=1.0 / (seconds * high),
        high=1.0 / (seconds * low),
        in_sample=in_sample,
        groups=tuple(groups),
    )
