"""Serving a model: latency, throughput, replicas, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

from costcalc.estimate.chip import Chip
from costcalc.estimate.explain import Step
from costcalc.estimate.serving_calibration import ServingCalibration
from costcalc.estimate.serving_job import (
    ServingJob,
    Setup,
    check_job,
    setup_of,
)
from costcalc.estimate.serving_layout import ServingLayout
from costcalc.estimate.serving_memory import room_bytes_per_chip, weight_bytes_per_chip
from costcalc.estimate.serving_numbers import compute_precision, sequence_bytes
from costcalc.estimate.serving_sizing import TARGET_UTILISATION, Sized, size
from costcalc.estimate.serving_steps import serving_steps
from costcalc.notices import Notice, notice

INTERVAL = 0.8


@dataclass(frozen=True, slots=True)
class Range:
    """A prediction: middle, and the ends of its 80 % interval."""

    middle: float
    low: float
    high: float

    def times(self, factor: float) -> Range:
        """All three times a factor above zero."""
        return Range(self.middle * factor, self.low * factor, self.high * factor)


@dataclass(frozen=True, slots=True)
class ServingEstimate:
    """The answer. Times are milliseconds; `_low` and `_high` are the ends of the interval.

    Attributes:
        params_total, params_active: weights.
        load: `open` (requests arrive), `closed` (users at once) or `batch`.
        engine, weights, cache: engine and precisions, given or assumed.
        tpot_ms: time per output token of a request at this load.
        ttft_ms_p50, ttft_ms_p95: time to first token; None for a batch job.
        output_tokens_per_second_per_replica: at this load (`closed`, `batch`), or the most within
            the targets (`open`).
        max_concurrency: requests that one replica runs at once, at the average context.
        replicas, accelerators: what the load needs.
        utilisation: load over what the replicas can do within the targets.
        requests_per_s: that all replicas serve at this load. capacity_requests_per_s: that they
            could serve within the targets.
        batch: requests running in one copy on average.
        prompt_share: share of a replica's time that goes into prompts.
        layout: of one replica.
        weights_gib, room_gib: memory of one chip: weights; keys and values.
        kv_bytes_per_token: of a request at its average context, all chips together.
        tier: what the interval rests on: `measured`, `engine`, `chip`, `pooled`.
        assumptions: what was assumed because it was not given, (name, value).
        notices: what a quote must say.
        steps: how the figures came about, for `--explain`.
    """

    params_total: int
    params_active: int
    load: str
    engine: str
    weights: str
    cache: str
    tpot_ms: float
    tpot_ms_low: float
    tpot_ms_high: float
    ttft_ms_p50: float | None
    ttft_ms_p50_low: float | None
    ttft_ms_p50_high: float | None
    ttft_ms_p95: float | None
    ttft_ms_p95_low: float | None
    ttft_ms_p95_high: float | None
    output_tokens_per_second_per_replica: float
    output_tokens_per_second_per_replica_low: float
    output_tokens_per_second_per_replica_high: float
    max_concurrency: int
    replicas: int
    replicas_low: int
    replicas_high: int
    accelerators: int
    accelerators_low: int
    accelerators_high: int
    utilisation: float
    utilisation_low: float
    utilisation_high: float
    requests_per_s: Range
    capacity_requests_per_s: Range
    batch: float
    prompt_share: float
    layout: ServingLayout
    accelerators_per_replica: int
    weights_gib: float
    room_gib: float
    kv_bytes_per_token: float
    tier: str
    interval: float
    assumptions: tuple[tuple[str, str | float], ...]
    notices: tuple[Notice, ...]
    steps: tuple[Step, ...]


def estimate_serving(
    job: ServingJob, chip: Chip, count: int, calibration: ServingCalibration
) -> ServingEstimate:
    """Latency, throughput and replicas of a job on replicas of `count` chips.

    Raises:
        InputError: see `check_job`.
        NoOfferError: the chip does not serve, the model does not fit, or no replica meets a target;
            the message says what would.
    """
    check_job(job)
    setup = setup_of(job, chip, calibration)
    sized = size(setup, count)
    tier = tier_of(setup, calibration)
    mixture = job.architecture.is_moe
    rate_low, rate_high = calibration.factors("throughput", tier, mixture=mixture)
    token_low, token_high = calibration.factors("tpot", tier, mixture=mixture)
    first_low, first_high = calibration.factors("ttft", tier, mixture=mixture)
    token_ms = sized.point.token_s * 1e3
    half, tail = (
        None if value is None else value * 1e3 for value in (sized.first_p50_s, sized.first_p95_s)
    )
    load = _load(job)
    out = float(job.output_tokens)
    per_replica = (sized.capacity if load == "open" else _served(sized, job)) * out
    replicas_low, replicas_high = _replica_range(job, sized, rate_low, rate_high)
    low_use, high_use = _use_range(
        load, sized, rate_low, rate_high, replicas_low, replicas_high, job
    )
    capacity = sized.capacity * sized.replicas
    requests = _requests(job, sized, rate_low, rate_high)
    architecture = job.architecture
    layout = sized.layout
    context = job.input_tokens + out / 2.0
    held = sequence_bytes(architecture, layout, context, setup.kv_bytes) * layout.chips
    return ServingEstimate(
        params_total=architecture.params_total(),
        params_active=architecture.params_active(),
        load=load,
        engine=setup.engine,
        weights=setup.weights,
        cache=setup.cache,
        tpot_ms=token_ms,
        tpot_ms_low=max(token_ms * token_low, _floor_ms(sized)),
        tpot_ms_high=token_ms * token_high,
        ttft_ms_p50=half,
        ttft_ms_p50_low=None if half is None else half * first_low,
        ttft_ms_p50_high=None if half is None else half * first_high,
        ttft_ms_p95=tail,
        ttft_ms_p95_low=None if tail is None else tail * first_low,
        ttft_ms_p95_high=None if tail is None else tail * first_high,
        output_tokens_per_second_per_replica=per_replica,
        output_tokens_per_second_per_replica_low=per_replica * rate_low,
        output_tokens_per_second_per_replica_high=per_replica * rate_high,
        max_concurrency=max(int(sized.copy.limit * layout.data), 1),
        replicas=sized.replicas,
        replicas_low=replicas_low,
        replicas_high=replicas_high,
        accelerators=sized.replicas * count,
        accelerators_low=replicas_low * count,
        accelerators_high=replicas_high * count,
        utilisation=sized.utilisation,
        utilisation_low=low_use,
        utilisation_high=high_use,
        requests_per_s=requests,
        capacity_requests_per_s=Range(capacity, capacity * rate_low, capacity * rate_high),
        batch=sized.point.batch,
        prompt_share=sized.point.prompt_share,
        layout=layout,
        accelerators_per_replica=count,
        weights_gib=weight_bytes_per_chip(architecture, setup.weights, layout) / 2**30,
        room_gib=max(room_bytes_per_chip(architecture, chip, setup.weights, layout), 0.0) / 2**30,
        kv_bytes_per_token=held / context,
        tier=tier,
        interval=INTERVAL,
        assumptions=_assumptions(setup),
        notices=_notices(setup, sized, tier),
        steps=serving_steps(setup, sized, count),
    )


def tier_of(setup: Setup, calibration: ServingCalibration) -> str:
    """What the interval rests on.

    See `costcalc.estimate.serving_calibration.TIERS`; an architecture of which only counts are
    known is `pooled`, and a prefix cache or a draft is never `measured`.
    """
    job = setup.job
    if job.architecture.approximate == "counts":
        return "pooled"
    tier = calibration.tier(job.architecture.name, setup.chip.id, engine_rows=setup.measured)
    unusual = job.cached_share > 0 or job.draft.tokens > 0
    return "engine" if tier == "measured" and unusual else tier


def _load(job: ServingJob) -> str:
    if job.requests_per_s is not None:
        return "open"
    return "batch" if job.users is None else "closed"


def _floor_ms(sized: Sized) -> float:
    from costcalc.estimate.decode import floor_seconds

    draft = sized.copy.draft
    several = draft.tokens_per_step() if draft.tokens else 1.0
    return floor_seconds(sized.copy.numbers, sized.copy.work, sized.point.batch) / several * 1e3


def _served(sized: Sized, job: ServingJob) -> float:
    """Requests per second of one replica at this load."""
    number = sized.replicas * sized.layout.data
    busy = 1.0 if job.users is None else min(number, job.users) / number
    return sized.point.rate * sized.layout.data * busy


def _requests(job: ServingJob, sized: Sized, low: float, high: float) -> Range:
    if job.requests_per_s is not None:
        return Range(job.requests_per_s, job.requests_per_s, job.requests_per_s)
    served = _served(sized, job) * sized.replicas
    return Range(served, served * low, served * high)


def _replica_range(job: ServingJob, sized: Sized, low: float, high: float) -> tuple[int, int]:
    """Replicas if capacity is at the high (low) end of its interval."""
    if job.replicas is not None or job.requests_per_s is None:
        return sized.replicas, sized.replicas
    rate = job.requests_per_s / (TARGET_UTILISATION * sized.capacity)
    fewest = max(math.ceil(rate / high - 1e-9), 1)
    most = max(math.ceil(rate / low - 1e-9), 1)
    return min(fewest, sized.replicas), max(most, sized.replicas)


def _use_range(
    load: str,
    sized: Sized,
    low: float,
    high: float,
    replicas_low: int,
    replicas_high: int,
    job: ServingJob,
) -> tuple[float, float]:
    """Utilisation of the replicas as sized, if they can do more (less) than predicted."""
    if load != "open":
        return sized.utilisation, sized.utilisation
    return sized.utilisation / high, sized.utilisation / low


def _assumptions(setup: Setup) -> tuple[tuple[str, str | float], ...]:
    job = setup.job
    found: list[tuple[str, str | float]] = []
    if job.engine is None:
        found.append(("engine", setup.engine))
    if job.weights is None:
        found.append(("precision", setup.weights))
    if job.cache is None:
        found.append(("kv_precision", setup.cache))
    if job.requests_per_s is not None:
        found.append(("arrival_cv", job.arrival_cv))
        if job.replicas is None:
            found.append(("target_utilisation", TARGET_UTILISATION))
    return tuple(found)


def _notices(setup: Setup, sized: Sized, tier: str) -> tuple[Notice, ...]:
    job, chip = setup.job, setup.chip
    model = job.architecture.name
    found = []
    if job.engine is None:
        found.append(notice("engine_assumed", engine=setup.engine, chip=chip.id))
    if tier in ("engine", "chip"):
        found.append(notice("serving_unmeasured", model=model, chip=chip.id, engine=setup.engine))
    elif tier == "pooled":
        found.append(notice("serving_pooled", model=model, chip=chip.id))
    if job.architecture.approximate:
        found.append(notice("architecture_approximate", model=model))
    if setup.weights != "bf16" and compute_precision(chip, setup.weights) == "bf16":
        found.append(notice("weights_only", precision=setup.weights, chip=chip.id))
    if job.users is None and job.requests_per_s is None:
        found.append(notice("serving_batch"))
    elif sized.utilisation > TARGET_UTILISATION + 1e-9:
        found.append(
            notice(
                "serving_busy",
                share=f"{sized.utilisation:.0%}",
                target=f"{TARGET_UTILISATION:.0%}",
            )
        )
    if sized.first_p50_s is not None:
        found.append(notice("ttft_indicative"))
    if job.draft.tokens:
        found.append(
            notice(
                "draft_assumed",
                tokens=job.draft.tokens,
                acceptance=f"{job.draft.acceptance:g}",
                gain=f"{_draft_gain(sized):.2f}",
            )
        )
    return tuple(found)


def _draft_gain(sized: Sized) -> float:
    from costcalc.estimate.decode import step_seconds

    copy, batch = sized.copy, sized.point.batch
    plain = float(step_seconds(copy.numbers, copy.work, copy.k, batch))
    return plain / sized.point.step_s
