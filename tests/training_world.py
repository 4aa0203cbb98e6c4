"""The shipped catalog and calibration, loaded once for the tests of the time model."""

from __future__ import annotations

import tempfile
from pathlib import Path

from costcalc import catalog
from costcalc.estimate.calibration import training_calibration

ROOT = Path(__file__).resolve().parent.parent
_CACHE = tempfile.TemporaryDirectory(prefix="costcalc-test-")
CATALOG = catalog.load(ROOT / "pricing", cache_dir=Path(_CACHE.name))
CALIBRATION = training_calibration(CATALOG.calibration("training"))
CHIPS = {name: item.chip for name, item in CATALOG.accelerators().items() if item.chip.can_train}
TRAINABLE = {name: chip for name, chip in CHIPS.items() if chip.peak_tflops.get("bf16")}
MODELS = dict(CATALOG.models())
