"""A calibration as the content of its file, and what identifies the table behind it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from costcalc.catalog import Catalog
from costcalc.estimate.calibration import TrainingCalibration


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
