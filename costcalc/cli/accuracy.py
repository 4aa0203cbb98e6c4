"""`costcalc accuracy`: predicted against measured, row by row; own runs become a calibration."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import calibration_file, output
from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import document_text, list_format
from costcalc.cli.session import own_catalog
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.accuracy.scored import Scored
    from costcalc.catalog import Catalog
    from costcalc.estimate.calibration import TrainingCalibration

CROSS_VALIDATIONS = ("cluster", "source", "family")
COLUMNS = (
    "id",
    "accelerator",
    "metric",
    "measured",
    "predicted",
    "low",
    "high",
    "error_pct",
    "in_sample",
)


def command(
    training: Annotated[
        str | None,
        typer.Option("--training", help=t("accuracy.training_option"), metavar="FILE.csv"),
    ] = None,
    serving: Annotated[
        str | None,
        typer.Option("--serving", help=t("accuracy.serving_option"), metavar="FILE.csv"),
    ] = None,
    cross_validate: Annotated[
        str | None,
        typer.Option(
            "--cross-validate",
            help=t("accuracy.cross_validate_option"),
            metavar="|".join(CROSS_VALIDATIONS),
        ),
    ] = None,
    calibrate: Annotated[
        str | None,
        typer.Option("--calibrate", help=t("accuracy.calibrate_option"), metavar="OUT.yaml"),
    ] = None,
    calibration: calibration_file.CalibrationFile = None,
    form: o.Format = "table",
    output_path: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = list_format(form)
    groups = o.optional_choice(cross_validate, "--cross-validate", CROSS_VALIDATIONS)
    if (training is None) == (serving is None):
        raise InputError("accuracy.one_file")
    if training is None and (calibrate or calibration):
        raise InputError("accuracy.training_only")
    if groups and (calibrate or calibration):
        raise InputError("accuracy.refit_or_file")
    # the matrices are small: a second thread of the linear algebra library only waits
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    opened = own_catalog(catalog)
    if training is not None:
        scored = _training(training, opened, groups, calibrate, calibration)
    else:
        from costcalc.accuracy.serving import score_serving
        from costcalc.accuracy.tables import read_runs

        rows = read_runs(Path(str(serving)), ("accelerator", "model"))
        scored = score_serving(rows, opened, cross_validate=groups)
    _show(scored, form, output_path)


def _training(
    path: str,
    opened: Catalog,
    groups: str | None,
    calibrate: str | None,
    calibration: str | None,
) -> Scored:
    from costcalc.accuracy.tables import read_runs
    from costcalc.accuracy.training import NEEDED, score_training
    from costcalc.estimate.calibration import training_calibration

    rows = read_runs(Path(path), NEEDED)
    constants = (
        training_calibration(opened.calibration("training"))
        if calibration is None
        else calibration_file.read(calibration)
    )
    if calibrate is not None:
        constants = _own(rows, opened, constants)
        calibration_file.write(constants, calibrate)
        sys.stderr.write(t("accuracy.written", file=calibrate, runs=len(rows)) + "\n")
    return score_training(rows, opened, constants, cross_validate=groups)


def _own(
    rows: list[dict[str, str]], opened: Catalog, constants: TrainingCalibration
) -> TrainingCalibration:
    from costcalc.accuracy.mapping import table_digest
    from costcalc.accuracy.own import with_own_runs
    from costcalc.accuracy.runs import training_cases
    from costcalc.accuracy.sizes import ModelSizes
    from costcalc.accuracy.tables import shipped_runs

    cases, _ = training_cases(rows, opened, ModelSizes(opened, shipped_runs(opened)))
    if not cases:
        raise InputError("accuracy.nothing_to_learn")
    return with_own_runs(constants, cases, table_digest(rows))


def _show(scored: Scored, form: str, output_path: str | None) -> None:
    if form == "json":
        from costcalc.reports.json_report import dumps

        output.emit(dumps(scored.plain()), output_path)
    elif form == "csv":
        from costcalc.reports import csv_report

        output.emit(csv_report.table(COLUMNS, scored.plain()["rows"]), output_path, bom=True)
    else:
        from costcalc.cli.accuracy_document import document

        output.emit(document_text(document(scored), form, output_path), output_path)
