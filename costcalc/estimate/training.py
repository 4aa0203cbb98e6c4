"""One training run on one cluster: time, memory, layout, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from costcalc.errors import InputError, NoOfferError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.calibration import LOW_FLOATS, TrainingCalibration, effect_names
from costcalc.estimate.chip import Chip
from costcalc.estimate.explain import Step
from costcalc.estimate.goodput import goodput
from costcalc.estimate.layout import Demand, Layout, find_layout, smallest_count
from costcalc.estimate.memory import MemoryPerChip, memory_shape
from costcalc.estimate.ops import FLOATS, Array, Ops
from costcalc.estimate.shape import TrainingShape, shape_of
from costcalc.estimate.step import StepInputs, chip_numbers, shape_numbers, step_model
from costcalc.estimate.throughput import StepModel, fastest, slowest_stack
from costcalc.estimate.training_steps import LazySteps, StepFacts
from costcalc.estimate.uncertainty import INTERVAL, Kind, factors
from costcalc.notices import Notice, notice

METHODS = ("full", "lora", "qlora")
PRECISIONS = ("bf16", "fp8", "fp4")
TUNINGS = ("tuned", "default", "out-of-box")
DEFAULT_LORA_RANK = 16
LONG_CONTEXT = 32_768
DEFAULT_BATCH = 4_194_304.0
SMALL_BATCH_PER_CHIP = 4096.0
STACK_TAIL = 0.41
"""Without a known stack, tuned, default and out-of-box ones count as equally likely: 10 % of all
outcomes lie below the 30 % quantile of the tuned ones, 0.41 (0.52 / 1.28 standard deviations) of
the way from their middle to their own 10 % quantile; above, likewise."""

_FALLBACKS = {
    "bf16": ("bf16",),
    "fp8": ("fp8", "bf16"),
    "fp4": ("fp4", "fp8", "bf16"),
    "int8": ("int8", "bf16"),
}


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """What is to be trained.

    Attributes:
        architecture: the model.
        tokens: tokens of the whole run, all epochs.
        seq_len: tokens of one sequence.
        global_batch_tokens: tokens of one optimizer step, None for the stated assumption.
        method: `full`, `lora` or `qlora`.
        lora_rank: rank of the adapter (ignored for `full`).
        precision: `bf16`, `fp8` or `fp4`; master weights stay in higher precision.
        tuning: `tuned`, `default`, `out-of-box`, or None when not known.
        whole_run: hours as billed for published runs from start to end, instead of goodput.
    """

    architecture: Architecture
    tokens: float
    seq_len: int
    global_batch_tokens: float | None = None
    method: str = "full"
    lora_rank: int = DEFAULT_LORA_RANK
    precision: str = "bf16"
    tuning: str | None = None
    whole_run: bool = False


@dataclass(frozen=True, slots=True)
class TrainingEstimate:
    """The answer. Hours are wall-clock hours of the cluster; accelerator-hours are hours x chips.

    Attributes:
        params_total, params_active: weights.
        flops_per_token, total_flops: model FLOPs, recomputation not counted.
        tokens_per_second_per_accelerator: steady rate, before goodput.
        mfu, hfu: model and hardware FLOPs utilisation against `mfu_peak_tflops`; the second counts
            the recomputation of the printed layout.
        mfu_peak_tflops: dense peak that they are measured against, that of the precision.
        tuning: the stack that the middle assumes.
        goodput: useful share of the hours (with `whole_run`: what the penalty amounts to).
        hours, hours_low, hours_high: as above, `interval` of the runs lie between the ends.
        interval: 0.8.
        memory: bytes on the fullest chip, by part; None for a chip of unknown memory.
        layout: how the work is split; None likewise.
        global_batch_tokens: given or assumed.
        assumptions: what was assumed because it was not given, (name, value).
        notices: what a quote must say.
        steps: how the figures came about, for `--explain`.
    """

    params_total: int
    params_active: int
    flops_per_token: float
    total_flops: float
    tokens_per_second_per_accelerator: float
    mfu: float
    hfu: float
    mfu_peak_tflops: float
    tuning: str
    goodput: float
    hours: float
    hours_low: float
    hours_high: float
    accelerator_hours: float
    accelerator_hours_low: float
    accelerator_hours_high: float
    interval: float
    memory: MemoryPerChip | None
    layout: Layout | None
    global_batch_tokens: float
    assumptions: tuple[tuple[str, str | float], ...]
    notices: tuple[Notice, ...]
    steps: Sequence[Step]


def default_batch_tokens(chips: Array, seq_len: Array, *, small: bool, ops: Ops = FLOATS) -> Array:
    """Tokens of an optimizer step where none are given.

    Args:
        chips: number of chips.
        seq_len: at least one sequence fits in a step.
        small: fine-tuning: 4,096 tokens per chip. Otherwise 4 Mi tokens (4,194,304), the median of
            published pretraining runs, and at least 1,024 per chip.
    """
    if small:
        return ops.maximum(chips * SMALL_BATCH_PER_CHIP, seq_len)
    return ops.maximum(ops.maximum(chips * 1024.0, DEFAULT_BATCH), seq_len)


def precisions(chip: Chip, precision: str) -> tuple[str, ...]:
    """Precisions that a run asked for in `precision` may use on `chip`: it or a higher one.

    One whose peak is not above bf16's gains nothing and is left out.

    Raises:
        NoOfferError: the chip has no published peak for it, or none for bf16.
    """
    if not chip.peak_tflops.get("bf16"):
        raise NoOfferError("training.no_peak", chip=chip.id)
    if not chip.peak_tflops.get(precision):
        known = ", ".join(p for p in ("bf16", "fp8", "fp4") if chip.peak_tflops.get(p))
        raise NoOfferError(
            "training.precision_unsupported", chip=chip.id, precision=precision, known=known
        )
    bf16 = chip.peak_tflops["bf16"]
    return tuple(
        name
        for name in _FALLBACKS[precision]
        if name == "bf16" or chip.peak_tflops.get(name, 0.0) > bf16
    )


STACKS_BEFORE = {
    "tuned": (),
    "mlperf": (),
    "default": ("tuned",),
    "out-of-box": ("tuned", "default"),
    "whole-run": ("tuned",),
}
"""Stacks that are never slower than the one named. Effects of a chip's stacks are fitted one by
one; where the few runs published as tuned happen to be slow, an ordinary stack is no faster."""


def stack_flags(stack: str) -> dict[str, float]:
    """Flags of `StepInputs` for a kind of stack (a tuning, `mlperf` or `whole-run`)."""
    return {
        "default": 1.0 if stack == "default" else 0.0,
        "out_of_box": 1.0 if stack == "out-of-box" else 0.0,
        "billed": 1.0 if stack == "whole-run" else 0.0,
    }


def models_for(
    shape: TrainingShape,
    chip: Chip,
    calibration: TrainingCalibration,
    *,
    method: str,
    precision: str,
    stack: str,
    year: float | None = None,
) -> tuple[StepModel, ...]:
    """Step models of all precisions that the run may use; the fastest counts.

    Args:
        shape: the model to train.
        chip: the accelerator.
        calibration: fitted constants.
        method: `full`, `lora`, `qlora`.
        precision: as asked for.
        stack: `tuned`, `default`, `out-of-box`, `mlperf` or `whole-run`.
        year: software date as a decimal year; the calibration's own when None.
    """
    sizes = shape_numbers(shape, method)
    flags = stack_flags(stack)
    found = []
    for used in precisions(chip, precision):
        names = effect_names(
            chip.vendor,
            chip.family,
            low=used in LOW_FLOATS,
            mixture=shape.is_moe,
            stack=stack,
        )
        inputs = StepInputs(
            **sizes,
            **chip_numbers(chip, used, calibration.matmul_shares),
            **flags,
            year=calibration.year if year is None else min(year, calibration.year),
        )
        found.append(step_model(inputs, calibration.constants, calibration.effect_log(names)))
    return tuple(found)


class Rate:
    """Steady rate of one job on one chip as a function of chips, batch and context.

    Everything that does not depend on those three is worked out once, so that a call costs a few
    microseconds, or one pass over arrays (`ops=numpy`).
    """

    def __init__(
        self, job: TrainingJob, chip: Chip, calibration: TrainingCalibration, stack: str
    ) -> None:
        self.shape = _shape(job.architecture)
        self.stacks = tuple(
            models_for(
                self.shape,
                chip,
                calibration,
                method=job.method,
                precision=job.precision,
                stack=name,
            )
            for name in (stack, *STACKS_BEFORE[stack])
        )
        self.small = job.method != "full"

    def seconds_per_token(
        self, chips: Array, seq_len: Array, batch_tokens: Array | None = None, ops: Ops = FLOATS
    ) -> Array:
        """Chip-seconds per token; the default batch when none is given."""
        if batch_tokens is None:
            batch_tokens = default_batch_tokens(chips, seq_len, small=self.small, ops=ops)
        attention = 3.0 * self.shape.score_flops(seq_len, ops)
        return slowest_stack(self.stacks, chips, batch_tokens, seq_len, attention, ops)


@dataclass(frozen=True, slots=True)
class BilledTime:
    """Chip-seconds per token of one job: steady, and as paid for.

    Attributes:
        steady: at the steady rate.
        useful: share of the paid time that is useful work.
        billed, billed_low, billed_high: paid for: the middle and the ends of the interval.
    """

    steady: float
    useful: float
    billed: float
    billed_low: float
    billed_high: float


class RunTimes:
    """Time of one job on one chip, with its interval, for any chips, batch and context.

    What does not depend on those three is worked out once; `job.tokens`, `job.seq_len` and
    `job.global_batch_tokens` are not looked at.
    """

    def __init__(self, job: TrainingJob, chip: Chip, calibration: TrainingCalibration) -> None:
        self.job, self.chip, self.calibration = job, chip, calibration
        self.shape = _shape(job.architecture)
        stack = job.tuning or "default"
        self.base = "tuned" if job.whole_run and job.tuning is None else stack
        self.spreads = job.tuning is None and not job.whole_run
        asked = [self.base]
        if self.spreads:
            asked += ["tuned", "out-of-box"]
        if job.whole_run:
            asked.append("whole-run")
        self._needed = sorted({*asked, *(b for name in asked for b in STACKS_BEFORE[name])})
        # how the stacks of a chip compare is not known either where nothing was measured on it
        self._clusters = calibration.family_clusters.get(chip.family, 0)
        self._tail = STACK_TAIL if self._clusters else 1.0
        self._models: dict[str, tuple[StepModel, ...]] = {}
        self._ends: dict[tuple[str, bool], tuple[float, float]] = {}
        self._attention = (0, 0.0)
        self._useful = (0, 0.0)

    def models(self, stack: str) -> tuple[StepModel, ...]:
        """Step models of a kind of stack, one per precision that the run may use."""
        found = self._models.get(stack)
        if found is None:
            found = self._models[stack] = models_for(
                self.shape,
                self.chip,
                self.calibration,
                method=self.job.method,
                precision=self.job.precision,
                stack=stack,
            )
        return found

    def _interval(self, stack: str, seq_len: int) -> tuple[float, float]:
        key = stack, seq_len >= LONG_CONTEXT
        found = self._ends.get(key)
        if found is None:
            kind = Kind(
                mixture=self.shape.is_moe,
                billed=self.job.whole_run,
                stack=stack,
                frozen_base=self.job.method != "full",
                long_context=key[1],
                four_bit=self.job.precision == "fp4",
                clusters=self._clusters,
                approximate=self.shape.approximate,
            )
            found = self._ends[key] = factors(kind, self.calibration.spread)
        return found

    def decisive(self, count: int, batch_tokens: float, seq_len: int) -> tuple[StepModel, str]:
        """The step model that the steady time comes from, and its precision."""
        attention = 3.0 * self.shape.score_flops(float(seq_len))
        work = (float(count), batch_tokens, float(seq_len), attention)
        names = precisions(self.chip, self.job.precision)

        def fastest_of(stack: str) -> tuple[float, int]:
            models = self.models(stack)
            times = [model.seconds_per_token(*work) for model in models]
            return min(times), times.index(min(times))

        stack = max((self.base, *STACKS_BEFORE[self.base]), key=lambda name: fastest_of(name)[0])
        index = fastest_of(stack)[1]
        return self.models(stack)[index], names[index]

    def at(self, count: int, batch_tokens: float, seq_len: int) -> BilledTime:
        """Times on `count` chips, with `batch_tokens` per optimizer step."""
        if self._attention[0] != seq_len:
            self._attention = (seq_len, 3.0 * self.shape.score_flops(float(seq_len)))
        if self._useful[0] != count:
            self._useful = (count, goodput(float(count)))
        attention, useful = self._attention[1], self._useful[1]
        work = (float(count), batch_tokens, float(seq_len), attention)
        # a stack's time counts only where it is not below that of a better one
        alone = {name: fastest(self.models(name), *work) for name in self._needed}

        def seconds(stack: str) -> float:
            time: float = alone[stack]
            for better in STACKS_BEFORE[stack]:
                time = max(time, alone[better])
            return time

        steady = seconds(self.base)
        billed = steady / useful
        low, high = self._interval(self.base, seq_len)
        if self.job.whole_run:
            # the fast end is at least a run in which nothing but the usual goodput was lost
            undisturbed = billed
            billed = max(seconds("whole-run"), steady)
            useful = steady / billed
            return BilledTime(steady, useful, billed, min(billed * low, undisturbed), billed * high)
        billed_low, billed_high = billed * low, billed * high
        if self.spreads:
            tuned_low = self._interval("tuned", seq_len)[0]
            untuned_high = self._interval("out-of-box", seq_len)[1]
            billed_low = min(billed_low, alone["tuned"] / useful * tuned_low**self._tail)
            untuned = seconds("out-of-box") / useful
            billed_high = max(billed_high, untuned * untuned_high**self._tail)
        return BilledTime(steady, useful, billed, billed_low, billed_high)


_TIMES: dict[tuple[object, ...], RunTimes] = {}
_TIMES_KEPT = 256


def _run_times(job: TrainingJob, chip: Chip, calibration: TrainingCalibration) -> RunTimes:
    """`RunTimes` of a job, kept for the next estimate that differs in chips, tokens or batch."""
    key = (
        job.architecture,
        job.method,
        job.precision,
        job.tuning,
        job.whole_run,
        # the entry keeps both alive, so that the ids stay theirs
        id(chip),
        id(calibration),
    )
    found = _TIMES.get(key)
    if found is None:
        if len(_TIMES) >= _TIMES_KEPT:
            _TIMES.clear()
        found = _TIMES[key] = RunTimes(job, chip, calibration)
    return found


def _adapter_params(job: TrainingJob) -> float:
    return 0.0 if job.method == "full" else float(job.architecture.lora_params(job.lora_rank))


def demand(job: TrainingJob, chip: Chip, batch_tokens: float) -> Demand | None:
    """What has to fit on `chip`; None when its memory is not known."""
    if chip.hbm_gb is None:
        return None
    return Demand(
        memory_shape(job.architecture),
        float(job.seq_len),
        max(int(batch_tokens // job.seq_len), 1),
        job.method,
        _adapter_params(job),
        chip.hbm_gb * 1e9,
        chip.max_scaleup_chips or chip.chips_per_host or 8,
    )


def check_job(job: TrainingJob) -> None:
    """Refuse what is no job.

    Raises:
        InputError: an unknown method, precision or tuning, or a batch below one sequence.
    """
    for name, value, known in (
        ("method", job.method, METHODS),
        ("precision", job.precision, (*PRECISIONS, "int8")),
        ("tuning", job.tuning or "default", TUNINGS),
    ):
        if value not in known:
            raise InputError(
                "training.unknown_choice", name=name, value=value, known=", ".join(known)
            )
    if not job.tokens > 0 or job.seq_len < 1:
        raise InputError("training.no_tokens")
    if job.global_batch_tokens is not None and job.global_batch_tokens < job.seq_len:
        raise InputError(
            "training.batch_below_sequence",
            batch=int(job.global_batch_tokens),
            seq_len=job.seq_len,
        )


@lru_cache(maxsize=1024)
def _shape(architecture: Architecture) -> TrainingShape:
    return shape_of(architecture)


def estimate_training(
    job: TrainingJob, chip: Chip, count: int, calibration: TrainingCalibration
) -> TrainingEstimate:
    """Time, memory and interval of a job on `count` chips.

    Raises:
        InputError: see `check_job`.
        NoOfferError: the chip does not train, has no peak for the precision, or the job does not
            fit; the message says how many chips would hold it.
    """
    check_job(job)
    if not chip.can_train:
        raise NoOfferError("training.serves_only", chip=chip.id)
    shape = _shape(job.architecture)
    assumptions: list[tuple[str, str | float]] = []
    notices: list[Notice] = []

    stack = job.tuning or "default"
    if job.tuning is None and not job.whole_run:
        assumptions.append(("tuning", stack))
        notices.append(notice("tuning_assumed"))
    frozen = job.method != "full"
    batch = job.global_batch_tokens
    if batch is None:
        batch = default_batch_tokens(float(count), float(job.seq_len), small=frozen)
        assumptions.append(("global_batch_tokens", batch))
        notices.append(notice("batch_assumed", tokens=f"{batch:,.0f}"))

    need = demand(job, chip, batch)
    fit = None
    precisions(chip, job.precision)
    if need is None:
        notices.append(notice("memory_unknown", chip=chip.id))
    else:
        fit = find_layout(need, count)
        if fit is None:
            enough = smallest_count(need)
            key = "training.does_not_fit" if enough else "training.never_fits"
            raise NoOfferError(
                key, model=job.architecture.name, chip=chip.id, count=count, enough=enough
            )
        if not fit.layout.fills:
            notices.append(notice("batch_below_chips", count=count))

    times = _run_times(job, chip, calibration)
    base = times.base
    at = times.at(count, batch, job.seq_len)
    steady, useful, billed = at.steady, at.useful, at.billed
    billed_low, billed_high = at.billed_low, at.billed_high
    clusters = calibration.family_clusters.get(chip.family, 0)
    if job.whole_run:
        notices.append(notice("whole_run"))

    to_hours = job.tokens / count / 3600.0
    flops = job.architecture.training_flops_per_token(job.seq_len, frozen_base=frozen)
    peak = chip.peak_tflops[job.precision]
    rate = 1.0 / steady
    mfu = flops * rate / (peak * 1e12)
    redone = _redone_share(job, fit.layout if fit else None, need)
    if calibration.own:
        notices.append(notice("own_calibration", digest=calibration.own[:8]))
    if clusters == 0:
        notices.append(notice("chip_unmeasured", chip=chip.id))
    if job.precision != "bf16":
        bf16 = chip.peak_tflops["bf16"]
        if peak <= bf16:
            notices.append(notice("precision_no_gain", precision=job.precision, chip=chip.id))
        notices.append(
            notice("mfu_peak", precision=job.precision, peak=f"{peak:,.0f}", bf16=f"{bf16:,.0f}")
        )
    if job.architecture.approximate:
        notices.append(notice("architecture_approximate", model=job.architecture.name))

    hours = billed * to_hours
    facts = StepFacts(
        architecture=job.architecture,
        chip=chip,
        calibration=calibration,
        decisive=partial(times.decisive, count, batch, job.seq_len),
        chips=count,
        batch_tokens=batch,
        seq_len=job.seq_len,
        tokens=job.tokens,
        attention_flops=3.0 * shape.score_flops(float(job.seq_len)),
        frozen_base=frozen,
        method=job.method,
        adapter_params=need.adapter_params if need else _adapter_params(job),
        stack=base,
        flops_per_token=flops,
        rate=rate,
        mfu=mfu,
        peak_tflops=peak,
        useful=useful,
        whole_run=job.whole_run,
        hours=hours,
    )
    return TrainingEstimate(
        params_total=job.architecture.params_total(),
        params_active=job.architecture.params_active(),
        flops_per_token=flops,
        total_flops=flops * job.tokens,
        tokens_per_second_per_accelerator=rate,
        mfu=mfu,
        hfu=mfu * (1.0 + redone),
        mfu_peak_tflops=peak,
        tuning=base,
        goodput=useful,
        hours=hours,
        hours_low=billed_low * to_hours,
        hours_high=billed_high * to_hours,
        accelerator_hours=billed * job.tokens / 3600.0,
        accelerator_hours_low=billed_low * job.tokens / 3600.0,
        accelerator_hours_high=billed_high * job.tokens / 3600.0,
        interval=INTERVAL,
        memory=fit.memory if fit else None,
        layout=fit.layout if fit else None,
        global_batch_tokens=batch,
        assumptions=tuple(assumptions),
        notices=tuple(notices),
        steps=LazySteps(facts),
    )


def _redone_share(job: TrainingJob, layout: Layout | None, need: Demand | None) -> float:
    """FLOPs spent again on recomputation, as a share of the model FLOPs."""
    if layout is None or need is None or layout.recompute == "none":
        return 0.0
    forward_share = 1 / 3 if job.method == "full" else 1 / 2
    if layout.recompute == "full":
        return forward_share
    return forward_share * need.shape.recompute_selective
