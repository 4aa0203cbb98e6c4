"""The fit: deterministic, finds back what made a table, and the shipped file is its result."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from datetime import date

import numpy as np
import pytest
import yaml
from training_world import CALIBRATION, CATALOG, ROOT

from costcalc.accuracy.calibrate import calibrate
from costcalc.accuracy.fit import PRIORS, fit, table_of
from costcalc.accuracy.mapping import matmul_shares, table_digest, to_mapping
from costcalc.accuracy.predict import kind_of, seconds_per_token
from costcalc.accuracy.runs import TrainingCase, training_cases
from costcalc.accuracy.sizes import ModelSizes
from costcalc.accuracy.spread import Residual, coverage, fit_spread
from costcalc.accuracy.tables import shipped_runs, used_runs
from costcalc.estimate.calibration import training_calibration
from costcalc.estimate.step import StepConstants

ROWS = shipped_runs(CATALOG)
CASES, _ = training_cases(used_runs(ROWS), CATALOG, ModelSizes(CATALOG, ROWS))
SHARES = matmul_shares(CATALOG)
YEAR = CALIBRATION.year


def predicted(cases: list[TrainingCase], noise: float) -> list[TrainingCase]:
    """The cases as if the shipped constants were the truth, with a fixed scatter."""
    return [
        replace(
            case,
            measured=math.exp(noise * math.sin(7.0 * i)) / seconds_per_token(case, CALIBRATION),
        )
        for i, case in enumerate(cases)
    ]


def test_every_constant_has_a_prior_with_a_reason() -> None:
    assert set(PRIORS) == {field.name for field in fields(StepConstants)}
    assert all(prior.reason and prior.sd > 0 for prior in PRIORS.values())


def test_the_same_rows_give_the_same_constants() -> None:
    few = CASES[::6]
    first, second = (fit(table_of(few, SHARES, YEAR)) for _ in range(2))
    assert first.constants == second.constants
    assert first.effects == second.effects
    backwards = fit(table_of(few[::-1], SHARES, YEAR))
    for field in fields(StepConstants):
        assert getattr(backwards.constants, field.name) == pytest.approx(
            getattr(first.constants, field.name), rel=1e-4, abs=1e-6
        )


def test_a_warm_start_ends_at_the_same_place() -> None:
    table = table_of(CASES, SHARES, YEAR)
    whole = fit(table)
    mask = np.array([case.chip.family != "b200" for case in CASES])
    cold, warm = fit(table.rows(mask)), fit(table.rows(mask), whole)
    assert np.allclose(cold.vector, warm.vector, atol=2e-4)


def test_the_fit_finds_back_what_made_the_table() -> None:
    """Refit on a small table whose truth is known: predictions come back within the scatter."""
    small = predicted(CASES[::3], noise=0.03)
    found = fit(table_of(small, SHARES, YEAR))
    refitted = replace(CALIBRATION, constants=found.constants, effects=found.effects)
    off = [
        abs(math.log(seconds_per_token(case, refitted) / seconds_per_token(case, CALIBRATION)))
        for case in small
    ]
    assert float(np.median(off)) < 0.02
    assert float(np.quantile(off, 0.9)) < 0.06
    assert found.constants.matmul_share == pytest.approx(
        CALIBRATION.constants.matmul_share, rel=0.1
    )


def test_the_shipped_constants_are_those_of_the_shipped_table() -> None:
    found = fit(table_of(CASES, SHARES, YEAR)).constants
    for field in fields(StepConstants):
        assert getattr(CALIBRATION.constants, field.name) == pytest.approx(
            getattr(found, field.name), rel=1e-3, abs=1e-5
        )
    assert CALIBRATION.digest == table_digest(used_runs(ROWS))
    assert CALIBRATION.matmul_shares == SHARES


def test_a_calibration_survives_its_file() -> None:
    found = calibrate(CASES[::4], SHARES, date(2026, 12, 1), "0" * 64, groupings=("family",))
    assert set(found.figures) == {"family"}
    assert training_calibration(to_mapping(found.calibration, found.figures)) == found.calibration


def test_intervals_hold_as_often_as_they_say() -> None:
    kinds = [kind_of(case, 5) for case in CASES]
    residuals = [Residual(0.1 * math.sin(3.0 * i) ** 3, kind) for i, kind in enumerate(kinds)]
    found = replace(fit_spread(residuals), new_source=1.0)
    assert coverage(residuals, found) == pytest.approx(0.8, abs=0.02)
    wider = [replace(r, value=3 * r.value) if r.kind.mixture else r for r in residuals]
    assert fit_spread(wider).mixture > found.mixture
    assert math.isnan(coverage([], found))


def test_the_tool_and_the_file_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import calibrate as tool

    # the held-out figures take seconds to make; constants and effects are what a quote rests on
    monkeypatch.setattr(tool, "calibrate", _without_intervals)
    text = tool.render(CALIBRATION.date)
    fresh = training_calibration(yaml.safe_load(text))
    assert fresh.effects == pytest.approx(dict(CALIBRATION.effects), abs=2e-4)
    assert fresh.family_clusters == CALIBRATION.family_clusters


def _without_intervals(*arguments: object) -> object:
    return calibrate(*arguments, groupings=("family",))  # type: ignore[arg-type]
