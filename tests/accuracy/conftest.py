"""Cross-validation of the shipped table: some seconds of work, done once for all tests."""

from __future__ import annotations

import os
from collections.abc import Mapping

import pytest

# small matrices: a second thread of the linear algebra library only waits
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from training_world import CALIBRATION, CATALOG

from costcalc.accuracy.scored import Scored
from costcalc.accuracy.tables import shipped_runs
from costcalc.accuracy.training import CROSS_VALIDATIONS, score_training


@pytest.fixture(scope="session")
def held_out() -> Mapping[str, Scored]:
    """Every row of the shipped table by grouping, predicted without its group."""
    rows = shipped_runs(CATALOG)
    return {
        grouping: score_training(rows, CATALOG, CALIBRATION, cross_validate=grouping)
        for grouping in CROSS_VALIDATIONS
    }
