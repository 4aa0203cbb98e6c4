"""What is to be served, and how it is set up: the job, its checks, engine and precisions."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass, replace

from costcalc.errors import InputError, NoOfferError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.chip import Chip
from costcalc.estimate.serving_calibration import (
    ENGINES,
    EngineConstants,
    ServingCalibration,
    default_engine,
    set_name,
)
from costcalc.estimate.serving_layout import ServingLayout, layouts
from costcalc.estimate.serving_load import Copy
from costcalc.estimate.serving_memory import batch_limit, sequences_that_fit
from costcalc.estimate.serving_numbers import (
    KV_BYTES,
    WEIGHT_BYTES,
    replica_numbers,
    work_numbers,
)
from costcalc.estimate.speculation import NO_DRAFT, Draft

PRECISIONS = ("bf16", "fp8", "int8", "fp4")
MAX_RATE = 1e6
MAX_USERS = 10**8
MAX_LENGTH = 10**8
_FP8_CACHE = (("tensorrt-llm", ("fp8", "fp4")), ("optimum-habana", ("fp8", "bf16", "fp4", "int8")))


@dataclass(frozen=True, slots=True)
class ServingJob:
    """A model and its load.

    Attributes:
        architecture: the model.
        input_tokens, output_tokens: mean lengths of a prompt and an answer.
        engine: of `ENGINES`, None for the usual one of the chip's maker.
        weights: precision of the weights (`bf16`, `fp8`, `int8`, `fp4`); None for bf16, or what the
            weights are published in.
        cache: precision of keys and values (`bf16`, `fp8`); None for the engine's default.
        requests_per_s: requests that arrive per second, at random; None for another kind of load.
        users: users at once, each with one request; None likewise. Without both it is a batch job
            that runs as fast as it can.
        first_token_s: time to first token that 95 % of the requests must keep, None for no limit.
        token_s: time per output token, likewise.
        cached_share: share of a prompt whose keys and values are cached.
        draft: speculative decoding.
        arrival_cv: coefficient of variation of the times between arrivals (1 is Poisson).
        replicas: how many replicas; None sizes them.
    """

    architecture: Architecture
    input_tokens: int
    output_tokens: int
    engine: str | None = None
    weights: str | None = None
    cache: str | None = None
    requests_per_s: float | None = None
    users: int | None = None
    first_token_s: float | None = None
    token_s: float | None = None
    cached_share: float = 0.0
    draft: Draft = NO_DRAFT
    arrival_cv: float = 1.0
    replicas: int | None = None

    @property
    def context(self) -> int:
        """Tokens of a request at its end."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Setup:
    """A job with what it left open filled in.

    Attributes:
        engine: as `--engine` names it. constants: its set.
        weights: of the weights. cache: of keys and values. kv_bytes: bytes per number of them.
        measured: rows that the set was fitted on.
    """

    job: ServingJob
    chip: Chip
    engine: str
    constants: EngineConstants
    weights: str
    cache: str
    kv_bytes: float
    measured: int


def default_cache(engine: str, weights: str) -> str:
    """Precision of keys and values that an engine uses with such weights unless told otherwise."""
    for name, precisions in _FP8_CACHE:
        if engine == name and weights in precisions:
            return "fp8"
    return "bf16"


def default_kv(engine: str, weights: str) -> float:
    """Bytes per number in the cache, see `default_cache`."""
    return KV_BYTES[default_cache(engine, weights)]


def check_job(job: ServingJob) -> None:
    """Refuse what is no job, in one sentence.

    Raises:
        InputError: lengths, rates, users or shares out of range, two kinds of load at once, an
            unknown engine or precision, or a context longer than the model was made for.
    """
    for name, value in (("input_tokens", job.input_tokens), ("output_tokens", job.output_tokens)):
        if not 1 <= value <= MAX_LENGTH:
            raise InputError("serving.length", name=name, value=value, high=f"{MAX_LENGTH:,}")
    most = job.architecture.max_context
    if most is not None and job.context > most:
        raise InputError(
            "serving.context",
            model=job.architecture.name,
            context=f"{job.context:,}",
            most=f"{most:,}",
        )
    if job.requests_per_s is not None and job.users is not None:
        raise InputError("serving.two_loads")
    rate = job.requests_per_s
    if rate is not None and not 0 < rate <= MAX_RATE:
        raise InputError("serving.rate", value=f"{rate:g}", high=f"{MAX_RATE:,.0f}")
    if job.users is not None and not 1 <= job.users <= MAX_USERS:
        raise InputError("serving.users", value=job.users, high=f"{MAX_USERS:,}")
    if job.replicas is not None and not 1 <= job.replicas <= 10**6:
        raise InputError("serving.replicas", value=job.replicas)
    for name, limit in (("ttft", job.first_token_s), ("tpot", job.token_s)):
        if limit is not None and not 0 < limit < math.inf:
            raise InputError("serving.limit", name=name, value=limit)
    if not 0 <= job.cached_share < 1:
        raise InputError("serving.cached", value=job.cached_share)
    if not 0 <= job.arrival_cv <= 100:
        raise InputError("serving.arrival_cv", value=job.arrival_cv)
    if not 0 <= job.draft.tokens <= 32 or not 0 <= job.draft.acceptance <= 1:
        raise InputError(
            "serving.draft", tokens=job.draft.tokens, acceptance=f"{job.draft.acceptance:g}"
        )
    _one_of("engine", job.engine, ENGINES)
    _one_of("precision", job.weights, PRECISIONS)
    _one_of("kv_precision", job.cache, tuple(KV_BYTES))


def _one_of(name: str, value: str | None, known: tuple[str, ...]) -> None:
    if value is None or value in known:
        return
    near = difflib.get_close_matches(value, known, n=3) or known
    raise InputError("serving.unknown_choice", name=name, value=value, known=", ".join(near))


def setup_of(job: ServingJob, chip: Chip, calibration: ServingCalibration) -> Setup:
    """Fill in engine, constants and precisions.

    Raises:
        NoOfferError: the chip does not serve, or its datasheet is not published.
    """
    if not chip.can_serve:
        raise NoOfferError("serving.trains_only", chip=chip.id)
    if not chip.peak_tflops.get("bf16") or not chip.hbm_gbps or chip.hbm_gb is None:
        raise NoOfferError("serving.no_datasheet", chip=chip.id)
    engine = job.engine or default_engine(chip.vendor)
    name = set_name(engine, chip.vendor)
    if name not in calibration.engines:
        name = "unknown"
    weights = job.weights or calibration.stored.get(job.architecture.name, "bf16")
    cache = job.cache or default_cache(engine, weights)
    return Setup(
        job=job,
        chip=chip,
        engine=engine,
        constants=calibration.constants(name),
        weights=weights,
        cache=cache,
        kv_bytes=KV_BYTES[cache],
        measured=calibration.measured_engines.get(name, 0) if name != "unknown" else 0,
    )


def copy_of(setup: Setup, layout: ServingLayout) -> Copy | None:
    """The copy of a layout, or None when the model does not fit with one request of full length."""
    job, chip, architecture = setup.job, setup.chip, setup.job.architecture
    whole = sequences_that_fit(
        architecture,
        chip,
        setup.weights,
        layout,
        context=float(job.context),
        kv_bytes=setup.kv_bytes,
    )
    if whole < 1.0:
        return None
    average = sequences_that_fit(
        architecture,
        chip,
        setup.weights,
        layout,
        context=job.input_tokens + job.output_tokens / 2.0,
        kv_bytes=setup.kv_bytes,
    )
    return Copy(
        replica_numbers(architecture, chip, setup.weights, layout),
        work_numbers(
            architecture,
            layout,
            input_tokens=float(job.input_tokens),
            output_tokens=float(job.output_tokens),
            kv_bytes=setup.kv_bytes,
            cached_share=job.cached_share,
        ),
        setup.constants,
        limit=max(batch_limit(layout, average), 1.0),
        draft=job.draft,
    )


def copies_on(setup: Setup, count: int) -> list[tuple[ServingLayout, Copy]]:
    """All layouts of `count` chips on which the model fits."""
    found = []
    for layout in layouts(setup.job.architecture, setup.chip, count):
        copy = copy_of(setup, layout)
        if copy is not None:
            found.append((layout, copy))
    return found


def smallest_count(setup: Setup) -> int | None:
    """Fewest chips that hold one copy and one request, None when no scale-up domain does."""
    domain = setup.chip.max_scaleup_chips or setup.chip.chips_per_host or 8
    count = 1
    while count <= min(domain, 64):
        if copies_on(setup, count):
            return count
        count *= 2
    return None


def with_weights(setup: Setup, weights: str) -> Setup:
    """The same with other weights, the cache following the engine's default."""
    cache = setup.job.cache or default_cache(setup.engine, weights)
    return replace(setup, weights=weights, cache=cache, kv_bytes=KV_BYTES[cache])


def lighter(setup: Setup) -> list[str]:
    """Precisions with fewer bits per weight than the setup's."""
    own = WEIGHT_BYTES[setup.weights]
    return [name for name in ("fp8", "fp4") if WEIGHT_BYTES[name] < own]
