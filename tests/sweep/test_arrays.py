"""The time model is written once, for floats and for arrays: both give the same."""

from __future__ import annotations

import random

import numpy
import pytest

from costcalc.catalog import Catalog
from costcalc.estimate.calibration import training_calibration
from costcalc.estimate.goodput import goodput
from costcalc.estimate.training import Rate, RunTimes, TrainingJob


@pytest.mark.parametrize("seed", range(12))
def test_floats_and_arrays_agree(shipped: Catalog, seed: int) -> None:
    pick = random.Random(seed)
    calibration = training_calibration(shipped.calibration("training"))
    names = [
        item.id
        for item in shipped.accelerators().values()
        if item.chip.can_train and item.chip.peak_tflops.get("bf16")
    ]
    chip = shipped.accelerator(pick.choice(names)).chip
    precision = "fp8" if chip.peak_tflops.get("fp8") else "bf16"
    stack = pick.choice(["tuned", "default", "out-of-box"])
    job = TrainingJob(
        shipped.model(pick.choice(list(shipped.models()))),
        1e12,
        4096,
        method=pick.choice(["full", "lora", "qlora"]),
        precision=precision,
        tuning=stack,
    )
    points = [
        (float(1 << pick.randrange(14)), float(pick.randrange(128, 200_000))) for _ in range(200)
    ]
    batches = [seq * pick.randrange(1, 5000) for _, seq in points]
    rate = Rate(job, chip, calibration, stack)
    chips, seq_lens = (numpy.array(column) for column in zip(*points, strict=True))
    whole = rate.seconds_per_token(chips, seq_lens, numpy.array(batches), numpy)  # type: ignore[arg-type]
    useful = goodput(chips, numpy)  # type: ignore[arg-type]
    times = RunTimes(job, chip, calibration)
    for index, ((count, seq_len), batch) in enumerate(zip(points, batches, strict=True)):
        single = rate.seconds_per_token(count, seq_len, batch)
        assert whole[index] == pytest.approx(single, rel=1e-12)
        at = times.at(int(count), batch, int(seq_len))
        assert at.steady == single
        assert at.useful == pytest.approx(float(useful[index]), rel=1e-12)
        assert at.billed_low < at.billed < at.billed_high
