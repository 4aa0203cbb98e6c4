"""How many replicas a load needs, and on which layout: the cheapest that keeps the targets.

A replica is what `--on` names: some chips with one or more copies of the model. Requests that
arrive at random are given at most 85 % of what replicas are predicted to do within the targets,
because the prediction may be high and a queue grows without bound near its limit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from costcalc.errors import NoOfferError
from costcalc.estimate.decode import floor_seconds
from costcalc.estimate.prefill import floor_prefill_seconds
from costcalc.estimate.serving_calibration import MAX_SHARE
from costcalc.estimate.serving_job import (
    Setup,
    copies_on,
    lighter,
    smallest_count,
    with_weights,
)
from costcalc.estimate.serving_layout import ServingLayout
from costcalc.estimate.serving_load import Copy, Point, lone_first_token, tail_factor

TARGET_UTILISATION = 0.85
SHARE = 0.95
"""Share of the requests that must keep the targets."""
_MORE = 1.5
_WIDER = (2, 4, 8, 16)


@dataclass(frozen=True, slots=True)
class Sized:
    """A load on replicas.

    Attributes:
        layout, copy: of one replica and one of its copies.
        replicas: how many.
        point: one copy under the load.
        capacity: requests per second of one replica within the targets.
        utilisation: load over capacity; 1 for a batch job.
        first_p50_s, first_p95_s: time to first token; None for a batch job.
    """

    layout: ServingLayout
    copy: Copy
    replicas: int
    point: Point
    capacity: float
    utilisation: float
    first_p50_s: float | None
    first_p95_s: float | None


def fitting_copies(setup: Setup, count: int) -> list[tuple[ServingLayout, Copy]]:
    """Layouts of `count` chips that hold the model.

    Raises:
        NoOfferError: none does; the message says how many chips would, or which precision.
    """
    found = copies_on(setup, count)
    if found:
        return found
    enough = smallest_count(setup)
    architecture = setup.job.architecture
    told = {
        "model": architecture.name,
        "chip": setup.chip.id,
        "weights": setup.weights,
        "context": f"{setup.job.context:,}",
    }
    if enough is None:
        fits = [p for p in lighter(setup) if smallest_count(with_weights(setup, p)) is not None]
        if fits:
            raise NoOfferError("serving.never_fits_lighter", lighter=fits[0], **told)
        raise NoOfferError("serving.never_fits", **told)
    if enough <= count:
        heads = max(group.heads for group in architecture.attention)
        near = f"{setup.chip.id}:{1 << (count.bit_length() - 1)}"
        raise NoOfferError(
            "serving.no_layout",
            model=architecture.name,
            chip=setup.chip.id,
            count=count,
            heads=heads,
            enough=near,
        )
    raise NoOfferError(
        "serving.does_not_fit", count=count, enough=f"{setup.chip.id}:{enough}", **told
    )


def size(setup: Setup, count: int) -> Sized:
    """The load of the setup's job on replicas of `count` chips.

    Raises:
        NoOfferError: it does not fit, no replica meets a target (the message says which, and what
            would meet it), or the number of replicas that was given is too small.
    """
    copies = fitting_copies(setup, count)
    job = setup.job
    _check_floors(setup, count, copies)
    if job.requests_per_s is not None:
        return _open(setup, count, copies, job.requests_per_s)
    if job.users is not None:
        return _closed(setup, count, copies, job.users)
    return _batch(setup, copies)


def _limits(setup: Setup) -> tuple[float, float]:
    job = setup.job
    return job.first_token_s or math.inf, job.token_s or math.inf


def _check_floors(setup: Setup, count: int, copies: list[tuple[ServingLayout, Copy]]) -> None:
    """Refuse targets that no software could meet on these chips."""
    first_limit, token_limit = _limits(setup)
    job = setup.job
    drafted = job.draft.tokens_per_step() if job.draft.tokens else 1.0
    floor = min(floor_seconds(copy.numbers, copy.work, 1.0) for _, copy in copies) / drafted
    if token_limit < floor:
        raise _refusal(
            "token_floor",
            setup,
            count,
            model=job.architecture.name,
            limit=f"{token_limit * 1e3:g}",
            floor=f"{floor * 1e3:.3g}",
            weights=setup.weights,
        )
    lowest = min(floor_prefill_seconds(copy.numbers, copy.work) for _, copy in copies)
    if first_limit < lowest:
        raise _refusal(
            "first_floor",
            setup,
            count,
            limit=f"{first_limit * 1e3:g}",
            floor=f"{lowest * 1e3:.3g}",
            tokens=f"{job.input_tokens:,}",
        )


def _refusal(key: str, setup: Setup, count: int, **params: str | int) -> NoOfferError:
    """The error `key`, with what would meet the targets, or its sister that nothing would."""
    options = _meeting(setup, count)
    told = {"chip": setup.chip.id, "count": count, **params}
    if options:
        return NoOfferError(f"serving.{key}", options=", ".join(options), **told)
    return NoOfferError(f"serving.{key}_nothing", **told)


def _meeting(setup: Setup, count: int) -> tuple[str, ...]:
    """Wider replicas, and lighter weights, that keep the targets for a lone request."""
    found = []
    domain = setup.chip.max_scaleup_chips or setup.chip.chips_per_host or 8
    for times in _WIDER:
        if count * times <= domain and _meets(setup, count * times):
            found.append(f"{setup.chip.id}:{count * times}")
            break
    for precision in lighter(setup):
        if _meets(with_weights(setup, precision), count):
            found.append(f"--precision {precision}")
            break
    return tuple(found)


def _meets(setup: Setup, count: int) -> bool:
    first_limit, token_limit = _limits(setup)
    return any(
        copy.within(
            token_limit_s=token_limit,
            first_limit_s=first_limit,
            share=SHARE,
            arrival_cv=setup.job.arrival_cv,
        )
        is not None
        for _, copy in copies_on(setup, count)
    )


def _unmet(setup: Setup, count: int, copies: list[tuple[ServingLayout, Copy]]) -> NoOfferError:
    """Which target no replica keeps, even for a lone request, and what would keep it."""
    first_limit, token_limit = _limits(setup)
    job = setup.job
    token = min(copy.at(1.0).token_s * tail_factor(copy.k, SHARE) for _, copy in copies)
    if token > token_limit:
        return _refusal(
            "token_limit",
            setup,
            count,
            model=job.architecture.name,
            share=f"{SHARE:.0%}",
            limit=f"{token_limit * 1e3:g}",
            best=f"{token * 1e3:.3g}",
        )
    first = min(float(lone_first_token(copy.k, copy.lone_s)) for _, copy in copies)
    if first > first_limit:
        return _refusal(
            "first_limit",
            setup,
            count,
            share=f"{SHARE:.0%}",
            limit=f"{first_limit * 1e3:g}",
            best=f"{first * 1e3:.3g}",
            tokens=f"{job.input_tokens:,}",
        )
    return _refusal("both_limits", setup, count)


def _open(setup: Setup, count: int, copies: list[tuple[ServingLayout, Copy]], rate: float) -> Sized:
    """Requests that arrive at random."""
    first_limit, token_limit = _limits(setup)
    job = setup.job
    best: tuple[float, ServingLayout, Copy] | None = None
    for layout, copy in copies:
        point = copy.within(
            token_limit_s=token_limit,
            first_limit_s=first_limit,
            share=SHARE,
            arrival_cv=job.arrival_cv,
        )
        if point is not None and (best is None or point.rate * layout.data > best[0]):
            best = (point.rate * layout.data, layout, copy)
    if best is None or best[0] <= 0:
        raise _unmet(setup, count, copies)
    capacity, layout, copy = best
    needed = max(math.ceil(rate / (TARGET_UTILISATION * capacity) - 1e-9), 1)
    if job.replicas is not None:
        if rate >= capacity * job.replicas:
            raise NoOfferError(
                "serving.overloaded",
                replicas=f"{job.replicas:,}",
                capacity=f"{capacity * job.replicas:.3g}",
                rate=f"{rate:g}",
                needed=f"{needed:,}",
            )
        return _at(setup, layout, copy, job.replicas, capacity, rate)
    found = _at(setup, layout, copy, needed, capacity, rate)
    if _kept(found, first_limit, token_limit):
        return found
    # queues of few replicas: a little more room keeps their tails
    low, high = needed, math.ceil(needed * _MORE) + 1
    while high - low > 1:
        middle = (low + high) // 2
        trial = _at(setup, layout, copy, middle, capacity, rate)
        if _kept(trial, first_limit, token_limit):
            high = middle
        else:
            low = middle
    return _at(setup, layout, copy, high, capacity, rate)


def _kept(found: Sized, first_limit: float, token_limit: float) -> bool:
    token = found.point.token_s * tail_factor(found.copy.k, SHARE)
    first = found.first_p95_s if found.first_p95_s is not None else 0.0
    return token <= token_limit and first <= first_limit


def _at(
    setup: Setup, layout: ServingLayout, copy: Copy, replicas: int, capacity: float, rate: float
) -> Sized:
    number = replicas * layout.data
    point = copy.open(rate / number)
    if point is None:
        # cannot be: capacity is below the saturated rate
        point = copy.best()
    cv = setup.job.arrival_cv
    return Sized(
        layout=layout,
        copy=copy,
        replicas=replicas,
        point=point,
        capacity=capacity,
        utilisation=rate / (replicas * capacity),
        first_p50_s=copy.first_token_s(point, 0.5, copies=number, arrival_cv=cv),
        first_p95_s=copy.first_token_s(point, 0.95, copies=number, arrival_cv=cv),
    )


def _closed(
    setup: Setup, count: int, copies: list[tuple[ServingLayout, Copy]], users: int
) -> Sized:
    """Users that each send the next request when the last one is done."""
    first_limit, token_limit = _limits(setup)
    job = setup.job
    best: Sized | None = None
    for layout, copy in copies:
        if job.replicas is not None:
            found = _with_users(layout, copy, job.replicas, users)
        else:
            # every user has a place in some batch
            replicas = max(math.ceil(users / (layout.data * copy.limit) - 1e-9), 1)
            found = _with_users(layout, copy, replicas, users)
            if not _kept(found, first_limit, token_limit):
                most = max(math.ceil(users / layout.data), replicas)
                if not _kept(_with_users(layout, copy, most, users), first_limit, token_limit):
                    continue
                found = _fewest(layout, copy, users, replicas, most, first_limit, token_limit)
        if best is None or _order(found) < _order(best):
            best = found
    if best is None:
        raise _unmet(setup, count, copies)
    return best


def _fewest(
    layout: ServingLayout,
    copy: Copy,
    users: int,
    low: int,
    high: int,
    first_limit: float,
    token_limit: float,
) -> Sized:
    while low < high:
        middle = (low + high) // 2
        if _kept(_with_users(layout, copy, middle, users), first_limit, token_limit):
            high = middle
        else:
            low = middle + 1
    return _with_users(layout, copy, high, users)


def _order(found: Sized) -> tuple[float, float]:
    """Fewer replicas first, then the higher rate."""
    return (found.replicas, -found.point.rate * found.layout.data)


def _with_users(layout: ServingLayout, copy: Copy, replicas: int, users: int) -> Sized:
    number = replicas * layout.data
    each = users / number
    point = copy.closed(each)
    best = copy.best()
    busy = min(number, users) / number
    waiting = max(each - point.batch, 0.0) / point.rate
    share = min(point.prompt_share, MAX_SHARE)
    queue = share * point.prefill_s / (2.0 * (1.0 - share))
    k = copy.k
    if each <= 1.0:
        half = tail = float(lone_first_token(k, copy.lone_s))
    else:
        base = k.first_prompt * copy.lone_s + k.first_steps * point.token_s
        half = float(k.first_factor * (base + queue + waiting))
        # P(wait > x) falls as exp(-2 (1 - share) x / prefill) from `share` on
        late = max(math.log(share / (1.0 - SHARE)), 0.0) * point.prefill_s / (2.0 * (1.0 - share))
        tail = float(k.first_factor * (base + point.token_s + max(queue, late) + 2.0 * waiting))
    return Sized(
        layout=layout,
        copy=copy,
        replicas=replicas,
        point=point,
        capacity=best.rate * layout.data,
        utilisation=point.rate * busy / best.rate,
        first_p50_s=half,
        first_p95_s=max(tail, half),
    )


def _batch(setup: Setup, copies: list[tuple[ServingLayout, Copy]]) -> Sized:
    """A batch job: as fast as it goes."""
    layout, copy = max(copies, key=lambda pair: pair[1].best().rate * pair[0].data)
    point = copy.best()
    return Sized(
        layout=layout,
        copy=copy,
        replicas=setup.job.replicas or 1,
        point=point,
        capacity=point.rate * layout.data,
        utilisation=1.0,
        first_p50_s=None,
        first_p95_s=None,
    )
