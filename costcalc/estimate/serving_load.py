"""A copy under load: continuous batching made self-consistent.

With `B` sequences running, a copy finishes `B` requests in the time of one: its own tokens at the
pace of the steps, and the prompts of the others that are computed in between. So the rate is

    X(B) = 1 / (prompt + output_tokens x step(B) / B)

which rises with B. A closed loop of C users runs B = min(C, room). Requests that arrive at a rate
run the B at which X(B) is that rate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from costcalc.estimate.decode import step_seconds
from costcalc.estimate.ops import Array
from costcalc.estimate.prefill import lone_prompt_seconds, prefill_seconds
from costcalc.estimate.queueing import Queue, queue
from costcalc.estimate.serving_calibration import EngineConstants
from costcalc.estimate.serving_numbers import ReplicaNumbers, WorkNumbers
from costcalc.estimate.speculation import NO_DRAFT, Draft, speculative_step

_Z = {0.5: 0.0, 0.95: 1.645, 0.99: 2.326}
_BISECTIONS = 40


def tail_factor(k: EngineConstants, share: float) -> float:
    """Time per token that `share` of the requests stay below, over the median (0.5, 0.95, 0.99)."""
    return math.pow(float(k.tail), _Z[share] / _Z[0.99])


def request_rate(prefill: Array, step: Array, output_tokens: Array, batch: Array) -> Array:
    """Requests per second of a copy that keeps `batch` sequences running."""
    return 1.0 / (prefill + output_tokens * step / batch)


def static_rate(
    lone: Array, prefill: Array, step: Array, output_tokens: Array, batch: Array
) -> Array:
    """Requests per second of batches that start and end together."""
    return batch / (lone + (batch - 1.0) * prefill + output_tokens * step)


def token_seconds(
    k: EngineConstants, step: Array, prefill: Array, output_tokens: Array, batch: Array
) -> Array:
    """Time per output token of a request: the steps, and prompts of others in between."""
    return step + k.interference * (batch - 1.0) * prefill / output_tokens


def loaded_first_token(k: EngineConstants, lone: Array, token: Array, wait: Array) -> Array:
    """Time to first token on a busy copy: own prompt, steps before it is its turn, queue."""
    return k.first_factor * (k.first_prompt * lone + k.first_steps * token + wait)


def lone_first_token(k: EngineConstants, lone: Array) -> Array:
    """Time to first token on an idle copy."""
    return k.first_factor * k.first_prompt * lone


@dataclass(frozen=True, slots=True)
class Point:
    """A copy at work.

    Attributes:
        batch: sequences running on average, at least 1.
        step_s, token_s: one step; time per output token of a request.
        rate: requests per second.
        prefill_s, lone_s: a prompt among others; a prompt alone.
    """

    batch: float
    step_s: float
    token_s: float
    rate: float
    prefill_s: float
    lone_s: float

    @property
    def prompt_share(self) -> float:
        """Share of the copy's time that goes into prompts."""
        return min(self.rate * self.prefill_s, 1.0)


class Copy:
    """One copy of a model with its engine's constants, for one kind of request."""

    def __init__(
        self,
        numbers: ReplicaNumbers,
        work: WorkNumbers,
        k: EngineConstants,
        *,
        limit: float,
        draft: Draft = NO_DRAFT,
    ) -> None:
        self.numbers, self.work, self.k, self.draft = numbers, work, k, draft
        self.limit = limit
        self.prefill_s = float(prefill_seconds(numbers, work, k))
        self.lone_s = float(lone_prompt_seconds(numbers, k, self.prefill_s))

    def step_s(self, batch: float) -> float:
        """Seconds per output token of a step, speculation included."""
        if self.draft.tokens:
            return speculative_step(self.numbers, self.work, self.k, batch, self.draft)
        return float(step_seconds(self.numbers, self.work, self.k, batch))

    def at(self, batch: float) -> Point:
        """The copy with `batch` sequences running (at least 1)."""
        running = max(batch, 1.0)
        step = self.step_s(running)
        out = float(self.work.output_tokens)
        return Point(
            batch=running,
            step_s=step,
            token_s=float(token_seconds(self.k, step, self.prefill_s, out, running)),
            rate=float(request_rate(self.prefill_s, step, out, running)),
            prefill_s=self.prefill_s,
            lone_s=self.lone_s,
        )

    def best(self) -> Point:
        """The copy with as many sequences as it holds: its highest rate."""
        return self.at(self.limit)

    def closed(self, users: float) -> Point:
        """`users` that each send the next request when the last one is done."""
        return self.at(min(users, self.limit))

    def open(self, rate: float) -> Point | None:
        """Requests that arrive at `rate` per second; None when that is more than it can do."""
        best = self.best()
        if rate >= best.rate:
            return None
        alone = self.at(1.0)
        if rate <= alone.rate:
            # mostly one at a time: the pace of one, less than all the time
            return Point(1.0, alone.step_s, alone.token_s, rate, self.prefill_s, self.lone_s)
        low, high = 0.0, math.log(max(self.limit, 1.0))
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2.0
            if self.at(math.exp(middle)).rate < rate:
                low = middle
            else:
                high = middle
        found = self.at(math.exp(high))
        return Point(found.batch, found.step_s, found.token_s, rate, self.prefill_s, self.lone_s)

    def prompt_queue(self, point: Point, copies: int, arrival_cv: float = 1.0) -> Queue:
        """The queue of prompts at `copies` copies that share the load."""
        return queue(copies, point.rate * copies, self.prefill_s, arrival_cv=arrival_cv)

    def place_queue(self, point: Point, copies: int, arrival_cv: float = 1.0) -> Queue:
        """The queue for a place in the batch of `copies` copies."""
        held = point.lone_s + float(self.work.output_tokens) * point.token_s
        places = max(int(self.limit), 1) * copies
        return queue(places, point.rate * copies, held, arrival_cv=arrival_cv, service_cv=1.0)

    def first_token_s(
        self,
        point: Point,
        share: float,
        *,
        copies: int = 1,
        arrival_cv: float = 1.0,
        places: bool = True,
    ) -> float:
        """Time to first token that `share` (0.5, 0.95, 0.99) of the requests stay below.

        Half of the requests wait the mean; the tail adds the tail of the queues, and one more step
        for a request that has just missed one.

        Args:
            point: the copy at work.
            share: of the requests.
            copies: that share the load.
            arrival_cv: see `queue`.
            places: count the queue for a place in the batch.
        """
        queues = [self.prompt_queue(point, copies, arrival_cv)]
        if places:
            queues.append(self.place_queue(point, copies, arrival_cv))
        wait = sum(each.mean_s for each in queues)
        steps = point.token_s
        if share > 0.5:
            wait = max(wait, sum(each.quantile_s(share) for each in queues))
            steps += point.token_s / float(self.k.first_steps)
        # a copy that is mostly idle has no steps to wait for
        busy = min(point.rate / self.at(1.0).rate, 1.0) if point.batch <= 1.0 else 1.0
        return float(loaded_first_token(self.k, self.lone_s, busy * steps, wait))

    def within(
        self,
        *,
        token_limit_s: float = math.inf,
        first_limit_s: float = math.inf,
        share: float = 0.95,
        arrival_cv: float = 1.0,
    ) -> Point | None:
        """The busiest this copy can be while `share` of the requests keep both limits.

        Requests arrive at random, so that at most `open_share` of the saturated rate is used. None
        when even a lone request breaks a limit.
        """
        factor = tail_factor(self.k, share)

        def keeps(batch: float) -> bool:
            point = self.at(batch)
            return (
                point.token_s * factor <= token_limit_s
                and self.first_token_s(point, share, arrival_cv=arrival_cv, places=False)
                <= first_limit_s
            )

        alone = self.at(1.0)
        if alone.token_s * factor > token_limit_s:
            return None
        if float(lone_first_token(self.k, self.lone_s)) > first_limit_s:
            return None
        if not keeps(1.0):
            return self._seldom(alone, first_limit_s, share, arrival_cv)
        high = math.log(max(self.limit, 1.0))
        if keeps(math.exp(high)):
            point = self.at(math.exp(high))
        else:
            low = 0.0
            for _ in range(_BISECTIONS):
                middle = (low + high) / 2.0
                if keeps(math.exp(middle)):
                    low = middle
                else:
                    high = middle
            point = self.at(math.exp(low))
        most = float(self.k.open_share) * self.best().rate
        return Point(
            point.batch,
            point.step_s,
            point.token_s,
            min(point.rate, most),
            self.prefill_s,
            self.lone_s,
        )

    def _seldom(self, alone: Point, first_limit_s: float, share: float, arrival_cv: float) -> Point:
        """Requests so far apart that one mostly finds the copy idle, and keeps its limit."""

        def at(part: float) -> Point:
            return replace(alone, rate=part * alone.rate)

        low, high = 0.0, 1.0
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2.0
            first = self.first_token_s(at(middle), share, arrival_cv=arrival_cv, places=False)
            if first <= first_limit_s:
                low = middle
            else:
                high = middle
        return at(low)


def burst_first_token_s(
    k: EngineConstants, lone: float, prefill: float, requests: float, waiting: float
) -> float:
    """Mean time to first token of `requests` that arrive at once; `waiting` is for places."""
    return float(k.first_factor) * (
        float(k.first_prompt) * lone + (requests - 1.0) / 2.0 * prefill + waiting / 2.0
    )
