"""How many chips: the counts that an offer can run, and the search for the right one.

Time and memory come from the lean functions of `costcalc.estimate.training`; a full estimate is
made only of what is shown. Hours fall and cost rises with the count, so that the smallest count
that fits is the cheapest and the largest that can be paid for the fastest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from costcalc.estimate.goodput import goodput
from costcalc.estimate.layout import find_layout
from costcalc.estimate.memory import (
    GRADIENT_BYTES,
    OPTIMIZER_BYTES,
    RUNTIME_BYTES,
    USABLE,
    WEIGHT_BYTES,
)
from costcalc.estimate.training import (
    Rate,
    default_batch_tokens,
    demand,
    estimate_training,
)

if TYPE_CHECKING:
    from costcalc.catalog.accelerators import Accelerator
    from costcalc.estimate.calibration import TrainingCalibration
    from costcalc.estimate.chip import Chip
    from costcalc.estimate.training import TrainingEstimate, TrainingJob

HIGHEST_COUNT = 131_072
"""Chips beyond which no count is looked for."""
GAIN = 0.999
"""A doubling that leaves more than this share of the hours brings nothing."""
_FIT_TRIES = 32
STATE_BYTES = {
    "full": WEIGHT_BYTES["full"] + GRADIENT_BYTES + OPTIMIZER_BYTES,
    "lora": WEIGHT_BYTES["lora"],
    "qlora": WEIGHT_BYTES["qlora"],
}
"""Bytes per weight that training keeps on some chip at least."""


@dataclass(frozen=True, slots=True)
class Ladder:
    """Counts that an offer can run as one system, by rung from 1.

    Attributes:
        unit: accelerators of one rung.
        slices: TPU slices in chips, ascending; empty for everything else.
        rungs: the highest rung.
    """

    unit: int
    rungs: int
    slices: tuple[int, ...] = ()

    def count(self, rung: int) -> int:
        """Accelerators on a rung."""
        return self.slices[rung - 1] if self.slices else rung * self.unit

    def rung_holding(self, count: int) -> int | None:
        """The lowest rung with at least `count`, None when none is."""
        if self.slices:
            return next(
                (number for number, size in enumerate(self.slices, 1) if size >= count), None
            )
        rung = -(-count // self.unit)
        return rung if rung <= self.rungs else None


class Sizer:
    """Time and memory of one job on any chip and count, each worked out once."""

    def __init__(self, job: TrainingJob, calibration: TrainingCalibration) -> None:
        self.job = job
        self.calibration = calibration
        self._rates: dict[str, Rate] = {}
        self._hours: dict[tuple[str, int], float] = {}
        self._fits: dict[tuple[str, int], bool] = {}
        self._estimates: dict[tuple[str, int], TrainingEstimate] = {}
        self._smallest: dict[tuple[str, Ladder], int | None] = {}

    def estimate(self, chip: Chip, count: int) -> TrainingEstimate:
        """The full estimate.

        Raises:
            NoOfferError: the job does not fit, or the chip cannot train it.
        """
        key = (chip.id, count)
        if key not in self._estimates:
            self._estimates[key] = estimate_training(self.job, chip, count, self.calibration)
        return self._estimates[key]

    def known_stack(self, chip: Chip, count: int) -> TrainingEstimate:
        """The full estimate with the assumed stack taken as given, the same on every chip."""
        job = self.job
        if job.tuning is not None or job.whole_run:
            return self.estimate(chip, count)
        return estimate_training(
            replace(job, tuning=self.estimate(chip, count).tuning), chip, count, self.calibration
        )

    def hours(self, chip: Chip, count: int) -> float:
        """Hours of the run, the middle of the estimate.

        Raises:
            NoOfferError: the chip has no published peak for the precision.
        """
        key = (chip.id, count)
        if key not in self._hours:
            self._hours[key] = self._run_hours(chip, count)
        return self._hours[key]

    def _run_hours(self, chip: Chip, count: int) -> float:
        if self.job.whole_run:
            return self.estimate(chip, count).hours
        rate = self._rates.get(chip.id)
        if rate is None:
            stack = self.job.tuning or "default"
            rate = self._rates[chip.id] = Rate(self.job, chip, self.calibration, stack)
        seconds = rate.seconds_per_token(
            float(count), float(self.job.seq_len), self.job.global_batch_tokens
        )
        # the order of operations of `estimate_training`, so that both give the same float
        billed: float = seconds / goodput(float(count))
        return billed * (self.job.tokens / count / 3600.0)

    def fits(self, chip: Chip, count: int) -> bool:
        """True when the memory of `count` chips holds the job."""
        key = (chip.id, count)
        if key not in self._fits:
            batch = self.job.global_batch_tokens
            if batch is None:
                batch = default_batch_tokens(
                    float(count), float(self.job.seq_len), small=self.job.method != "full"
                )
            need = demand(self.job, chip, batch)
            self._fits[key] = need is None or find_layout(need, count) is not None
        return self._fits[key]

    def smallest_rung(self, chip: Chip, ladder: Ladder) -> int | None:
        """The lowest rung whose memory holds the job."""
        key = (chip.id, ladder)
        if key not in self._smallest:
            self._smallest[key] = self._find_smallest(chip, ladder)
        return self._smallest[key]

    def _find_smallest(self, chip: Chip, ladder: Ladder) -> int | None:
        least = self.least_count(chip)
        start = ladder.rung_holding(least) if ladder.rungs > 0 else None
        return None if start is None else self.fitting_from(chip, ladder, start)

    def least_count(self, chip: Chip) -> int:
        """Chips below which the training state alone is too large; no layout is tried."""
        if chip.hbm_gb is None:
            return 1
        room = USABLE * chip.hbm_gb * 1e9 - RUNTIME_BYTES
        weights = self.job.architecture.params_total()
        state = STATE_BYTES[self.job.method] * weights
        return max(math.ceil(state / room), 1) if room > 0 else HIGHEST_COUNT + 1

    def fitting_from(self, chip: Chip, ladder: Ladder, start: int) -> int | None:
        """The lowest fitting rung from `start` on; after a few, only a doubling is tried."""
        rung = start
        for tries in range(_FIT_TRIES):
            if rung > ladder.rungs:
                return None
            if self.fits(chip, ladder.count(rung)):
                return rung
            rung = rung + 1 if tries < _FIT_TRIES // 2 or ladder.slices else rung * 2
        return None


def climb(
    sizer: Sizer, chip: Chip, ladder: Ladder, start: int, enough: Callable[[int], bool]
) -> int | None:
    """The lowest rung from `start` on where `enough` holds; None when more chips do not help.

    `enough` must turn true once as the hours fall.
    """
    if enough(ladder.count(start)):
        return start
    low, high = start, start
    while True:
        if high == ladder.rungs:
            return None
        low, high = high, min(high * 2, ladder.rungs)
        if enough(ladder.count(high)):
            break
        before, after = (sizer.hours(chip, ladder.count(rung)) for rung in (low, high))
        if after > before * GAIN and high < ladder.rungs:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if enough(ladder.count(middle)):
            high = middle
        else:
            low = middle
    return high


def fastest_hours(sizer: Sizer, chip: Chip, ladder: Ladder, start: int) -> float:
    """The fewest hours that more chips bring, at doublings of the count."""
    best = sizer.hours(chip, ladder.count(start))
    rung = start
    while rung < ladder.rungs:
        rung = min(rung * 2, ladder.rungs)
        best = min(best, sizer.hours(chip, ladder.count(rung)))
    return best


def meeting(
    sizer: Sizer,
    chip: Chip,
    ladder: Ladder,
    start: int,
    deadline_hours: float,
    stretch: Callable[[int], float],
) -> int | None:
    """The lowest fitting rung that ends within `deadline_hours`.

    Args:
        stretch: wall-clock hours per useful hour at a count.
    """

    def in_time(count: int) -> bool:
        return sizer.hours(chip, count) * stretch(count) <= deadline_hours

    rung = climb(sizer, chip, ladder, start, in_time)
    return None if rung is None else sizer.fitting_from(chip, ladder, rung)


def fastest_within(
    sizer: Sizer, chip: Chip, ladder: Ladder, start: int, affordable: Callable[[int], bool]
) -> int | None:
    """The highest fitting rung that `affordable` allows and that still makes the run faster."""
    if not affordable(ladder.count(start)):
        return None
    last = start
    low, high = start, start
    while high < ladder.rungs:
        low, high = high, min(high * 2, ladder.rungs)
        before, after = (sizer.hours(chip, ladder.count(rung)) for rung in (low, high))
        if not affordable(ladder.count(high)) or after > before * GAIN:
            break
        last = high
    else:
        return _fitting_down(sizer, chip, ladder, last, start)
    low = last
    best = sizer.hours(chip, ladder.count(low))
    while high - low > 1:
        middle = (low + high) // 2
        hours = sizer.hours(chip, ladder.count(middle))
        if affordable(ladder.count(middle)) and hours <= best:
            low, best = middle, hours
        else:
            high = middle
    return _fitting_down(sizer, chip, ladder, low, start)


def _fitting_down(sizer: Sizer, chip: Chip, ladder: Ladder, rung: int, start: int) -> int:
    for candidate in range(rung, max(start, rung - _FIT_TRIES), -1):
        if sizer.fits(chip, ladder.count(candidate)):
            return candidate
    return start


def best_rung(
    sizer: Sizer,
    chip: Chip,
    ladder: Ladder,
    start: int,
    score: Callable[[int], float],
) -> int:
    """The fitting rung with the lowest `score` on a grid of about 8 rungs per doubling."""
    best, best_score = start, score(ladder.count(start))
    rung = start
    while rung < ladder.rungs:
        rung = min(max(rung + 1, rung * 9 // 8), ladder.rungs)
        count = ladder.count(rung)
        value = score(count)
        if value < best_score and sizer.fits(chip, count):
            best, best_score = rung, value
    return best


def ladder_of(
    accelerator: Accelerator, unit: int, joins: bool, most: int, slices: tuple[int, ...] = ()
) -> Ladder:
    """The counts of one offer.

    Args:
        unit: accelerators of one host.
        joins: whether hosts can be joined.
        most: chips that must not be exceeded.
        slices: TPU slices, where the accelerator has them.
    """
    if accelerator.slices is not None:
        kept = tuple(size for size in slices if unit <= size <= most)
        return Ladder(unit, len(kept), kept)
    rungs = most // unit
    return Ladder(unit, rungs if joins else min(rungs, 1))
