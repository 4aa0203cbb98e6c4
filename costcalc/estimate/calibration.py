"""The fitted constants of the training-time model, and how a chip's own effect is put together.

`pricing/calibration/training.yaml` holds them with the date, the digest of the runs that they were
fitted on and the figures of the fit; `tools/calibrate.py` makes that file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from costcalc.errors import InputError
from costcalc.estimate.step import StepConstants

EFFECT_KINDS = (
    "vendor",
    "family",
    "vendor_low",
    "family_low",
    "family_mixture",
    "family_stack",
    "own",
    "own_family",
)
"""Kinds of effect: what all chips of a maker share, what one design shows, what the user's own runs
show on all chips and on one family."""


LOW_FLOATS = ("fp8", "fp4")
"""Precisions below 16 bits that a chip's own effect covers; int8 has a gain of its own."""


@dataclass(frozen=True, slots=True)
class SpreadConstants:
    """Width of the interval: standard residual of a kind of run, as a logarithm of a factor.

    `ln s = base + sum of what applies + thin / (1 + clusters measured on that chip)`; the interval
    of the time is [middle x exp(low x s), middle x exp(high x s)], low negative. See
    `costcalc.estimate.uncertainty`.
    """

    base: float
    mixture: float
    billed: float
    default: float
    out_of_box: float
    frozen: float
    long_context: float
    four_bit: float
    thin: float
    low: float
    high: float
    new_source: float


@dataclass(frozen=True, slots=True)
class TrainingCalibration:
    """Everything that was fitted.

    Attributes:
        date: the software date that quotes assume, and the date of the fit.
        digest: of the runs table that the constants were fitted on.
        runs, clusters: how many rows and independent groups of rows.
        constants: the same for every chip.
        effects: log time factor by `kind:name`, see `effect_names`.
        matmul_shares: best measured bf16 matmul over dense peak, by chip family, for its members
            that nobody measured.
        family_clusters: independent groups of published runs by chip family.
        spread: the interval's width.
        own: digest of the user's own runs when they were mixed in, else empty.
    """

    date: date
    digest: str
    runs: int
    clusters: int
    constants: StepConstants
    effects: Mapping[str, float]
    matmul_shares: Mapping[str, float]
    family_clusters: Mapping[str, int]
    spread: SpreadConstants
    own: str = ""

    @property
    def year(self) -> float:
        """The software date as a decimal year."""
        return decimal_year(self.date)

    def effect_log(self, names: tuple[str, ...]) -> float:
        """Sum of the effects that are known among `names`; an unknown one is 0, the middle."""
        get = self.effects.get
        return sum(get(name, 0.0) for name in names)


def decimal_year(day: date) -> float:
    """2026-07-01 is 2026.5 (months and days in proportion)."""
    return day.year + (day.month - 1 + (day.day - 1) / 31) / 12


def effect_names(
    vendor: str, family: str, *, low: bool, mixture: bool, stack: str
) -> tuple[str, ...]:
    """Names of the effects that apply to a chip in one kind of work.

    Args:
        vendor, family: of the chip.
        low: precision is one of `LOW_FLOATS`.
        mixture: the model routes tokens to experts.
        stack: `tuned`, `mlperf` (the same), `default`, `out-of-box` or `whole-run`.
    """
    stack = "tuned" if stack == "mlperf" else stack
    names = [
        f"vendor:{vendor}",
        f"family:{family}",
        f"family_stack:{family}/{stack}",
        "own:all",
        f"own_family:{family}",
    ]
    if low:
        names += [f"vendor_low:{vendor}", f"family_low:{family}"]
    if mixture:
        names.append(f"family_mixture:{family}")
    return tuple(names)


def training_calibration(raw: Mapping[str, Any]) -> TrainingCalibration:
    """Build the calibration from the mapping of its file.

    Raises:
        InputError: a key is missing, unknown or no number; the message names it.
    """
    spread = _numbers(raw, "spread", SpreadConstants)
    constants = _numbers(raw, "constants", StepConstants)
    effects = _section(raw, "effects")
    shares = _section(raw, "matmul_shares")
    clusters = _section(raw, "family_clusters")
    for name in effects:
        if str(name).partition(":")[0] not in EFFECT_KINDS:
            raise InputError("training.calibration_unknown", name=f"effects.{name}")
    try:
        day = raw["date"]
        return TrainingCalibration(
            date=day if isinstance(day, date) else date.fromisoformat(str(day)),
            digest=str(raw["digest"]),
            runs=int(raw["runs"]),
            clusters=int(raw["clusters"]),
            constants=StepConstants(**constants),
            effects={str(name): float(value) for name, value in effects.items()},
            matmul_shares={str(name): float(value) for name, value in shares.items()},
            family_clusters={str(name): int(value) for name, value in clusters.items()},
            spread=SpreadConstants(**spread),
            own=str(raw.get("own", "")),
        )
    except KeyError as missing:
        raise InputError("training.calibration_key", name=missing.args[0]) from None
    except (TypeError, ValueError) as fault:
        raise InputError("training.calibration_value", fault=str(fault)) from None


def _section(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = raw.get(name)
    if not isinstance(section, Mapping):
        raise InputError("training.calibration_key", name=name)
    return section


def _numbers(raw: Mapping[str, Any], name: str, kind: type) -> dict[str, float]:
    section = _section(raw, name)
    wanted = [field.name for field in fields(kind)]
    for key in wanted:
        value = section.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError("training.calibration_key", name=f"{name}.{key}")
    for key in section:
        if key not in wanted:
            raise InputError("training.calibration_unknown", name=f"{name}.{key}")
    return {key: float(section[key]) for key in wanted}
