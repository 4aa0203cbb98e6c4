"""Calibration files of users: `--calibration FILE` reads one, `accuracy --calibrate` writes one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli.language import t
from costcalc.cli.output import write_atomically
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.estimate.calibration import TrainingCalibration

CalibrationFile = Annotated[
    str | None,
    typer.Option(
        "--calibration", help=t("accuracy.calibration_option"), metavar="FILE", rich_help_panel=None
    ),
]


def read_mapping(path: str) -> Mapping[str, Any]:
    """The raw content of a calibration file.

    Raises:
        InputError: it cannot be read, is not YAML, or is not a mapping.
    """
    from costcalc import safeyaml

    document = safeyaml.load(safeyaml.read_file(path), path)
    if not isinstance(document.data, Mapping):
        raise InputError("training.calibration_value", fault=t("accuracy.no_mapping", file=path))
    return document.data


def read(path: str) -> TrainingCalibration:
    """The calibration in a file.

    Raises:
        InputError: see `read_mapping` and `training_calibration`.
    """
    from costcalc.estimate.calibration import training_calibration

    return training_calibration(read_mapping(path))


def apply(catalog: Catalog, path: str | None) -> None:
    """Quote with the calibration of `--calibration FILE`, where one is given.

    Raises:
        InputError: see `read`.
    """
    if path is not None:
        read(path)
        catalog.use_calibration("training", read_mapping(path))


def write(calibration: TrainingCalibration, path: str) -> None:
    """Write a calibration where `--calibration` will find it.

    Raises:
        InputError: the file cannot be written.
    """
    import yaml

    from costcalc.accuracy.mapping import to_mapping

    text = yaml.safe_dump(to_mapping(calibration), sort_keys=False, allow_unicode=True)
    write_atomically(Path(path), f"# {t('accuracy.own_file')}\n{text}".encode())
