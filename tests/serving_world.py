"""The shipped catalog as serving tests use it."""

from __future__ import annotations

from typing import Any

from costcalc import catalog
from costcalc.estimate.serving import ServingEstimate, estimate_serving
from costcalc.estimate.serving_calibration import serving_calibration
from costcalc.estimate.serving_job import ServingJob, copies_on, setup_of

CATALOG = catalog.load()
CALIBRATION = serving_calibration(CATALOG.calibration("serving"))
MODELS = CATALOG.models()
SERVING = {
    name: found.chip
    for name, found in CATALOG.accelerators().items()
    if found.chip.can_serve
    and found.chip.peak_tflops.get("bf16")
    and found.chip.hbm_gbps
    and found.chip.hbm_gb
}


def job(model: str, **given: Any) -> ServingJob:
    """A job with short lengths unless others are given."""
    settings: dict[str, Any] = {"input_tokens": 512, "output_tokens": 128, **given}
    return ServingJob(MODELS[model], **settings)


def estimate(model: str, chip: str, count: int, **given: Any) -> ServingEstimate:
    """An estimate from the shipped constants."""
    return estimate_serving(job(model, **given), SERVING[chip], count, CALIBRATION)


def copies(model: str, chip: str, count: int, **given: Any) -> Any:
    """All layouts on which a model fits."""
    return copies_on(setup_of(job(model, **given), SERVING[chip], CALIBRATION), count)
