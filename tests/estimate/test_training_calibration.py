"""The calibration file: read strictly, applied in order, the same for a chip and its family."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from training_world import CALIBRATION, CATALOG, MODELS, TRAINABLE

from costcalc.errors import InputError
from costcalc.estimate.calibration import decimal_year, effect_names, training_calibration
from costcalc.estimate.step import matmul_share
from costcalc.estimate.training import Rate, RunTimes, TrainingJob


def raw(**changes: Any) -> dict[str, Any]:
    return {**CATALOG.calibration("training"), **changes}


def test_the_shipped_file_is_whole() -> None:
    found = training_calibration(raw())
    assert found == CALIBRATION
    assert found.runs > 400
    assert len(found.digest) == 64
    assert found.year == pytest.approx(2026 + 11 / 12)
    assert found.own == ""
    assert found.spread.low < 0 < found.spread.high


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"constants": {}}, "constants.matmul_share"),
        ({"constants": None}, "constants"),
        ({"spread": "wide"}, "spread"),
        ({"effects": []}, "effects"),
        ({"runs": "many"}, "many"),
        ({"date": "yesterday"}, "yesterday"),
        ({"family_clusters": {"h100": "x"}}, "x"),
    ],
)
def test_a_broken_file_is_named(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError) as fault:
        training_calibration(raw(**changes))
    assert named in str(fault.value)
    assert fault.value.exit_status == 2
    assert fault.value.message("es")


def test_missing_and_unknown_keys() -> None:
    short = {key: value for key, value in raw().items() if key != "digest"}
    with pytest.raises(InputError, match="digest"):
        training_calibration(short)
    more = raw(constants={**raw()["constants"], "luck": 1.0})
    with pytest.raises(InputError, match=r"constants\.luck"):
        training_calibration(more)
    odd = raw(effects={"weather:h100": 0.1})
    with pytest.raises(InputError, match="weather:h100"):
        training_calibration(odd)
    truth = raw(constants={**raw()["constants"], "matmul_share": True})
    with pytest.raises(InputError, match="matmul_share"):
        training_calibration(truth)


def test_effects_add_up_and_unknown_ones_are_the_middle() -> None:
    names = effect_names("acme", "anvil", low=True, mixture=True, stack="mlperf")
    assert "family_stack:anvil/tuned" in names
    assert CALIBRATION.effect_log(names) == 0.0
    own = replace(CALIBRATION, effects={"vendor:acme": 0.1, "own:all": 0.2})
    assert own.effect_log(names) == pytest.approx(0.3)


def test_a_worse_stack_is_never_taken_for_faster() -> None:
    odd = replace(
        CALIBRATION,
        effects={
            "family_stack:h100/tuned": 0.5,
            "family_stack:h100/default": -0.5,
            "family_stack:h100/out-of-box": -0.9,
            "family_stack:h100/whole-run": -0.9,
        },
    )
    chip = TRAINABLE["h100-sxm"]
    job = TrainingJob(MODELS["llama-3.1-8b"], 1e12, 4096)
    steady = [
        RunTimes(replace(job, tuning=tuning), chip, odd).at(8, 4e6, 4096).steady
        for tuning in ("tuned", "default", "out-of-box")
    ]
    assert steady[0] == steady[1] == steady[2]
    whole = RunTimes(replace(job, whole_run=True), chip, odd).at(8, 4e6, 4096)
    assert whole.billed == steady[0]
    assert Rate(job, chip, odd, "default").seconds_per_token(8.0, 4096.0, 4e6) == steady[0]


def test_matmul_share_of_a_chip_its_family_and_its_vendor() -> None:
    h100 = TRAINABLE["h100-sxm"]
    assert matmul_share(h100) == pytest.approx(794.5 / 989)
    nvl = TRAINABLE["h100-nvl"]
    assert not nvl.matmul_tflops
    assert matmul_share(nvl, CALIBRATION.matmul_shares) == CALIBRATION.matmul_shares["h100"]
    assert matmul_share(nvl) == 0.75
    assert matmul_share(TRAINABLE["tpu-v5p"], CALIBRATION.matmul_shares) == 0.88


def test_decimal_years() -> None:
    from datetime import date

    assert decimal_year(date(2026, 1, 1)) == 2026
    assert 2026.99 < decimal_year(date(2026, 12, 31)) < 2027
