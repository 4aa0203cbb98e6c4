"""How long and how much a source may take. Every limit can be set, so that tests are quick."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from costcalc.sources.faults import FeedError


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one feed.

    Attributes:
        connect_seconds: to reach the server.
        silence_seconds: longest pause between two pieces of an answer.
        answer_seconds: longest time for one whole answer (a page); a server that sends a byte a
            second never pauses, and yet never ends.
        stall_seconds: longest time without a finished page, whatever library asks.
        feed_seconds: longest time for the whole feed.
        slowest_bytes_per_second: a long download that stays below this for `silence_seconds` ends.
        attempts: how often one answer is asked for when the server is busy or breaks off; one that
            did not answer in time is asked once more.
        first_wait_seconds: wait before the second attempt; it doubles from then on.
        longest_wait_seconds: longest wait that a server may ask for (`Retry-After`).
        answer_bytes: largest answer that is held in memory.
        pages: most pages of one list.
    """

    connect_seconds: float = 10.0
    silence_seconds: float = 15.0
    answer_seconds: float = 30.0
    stall_seconds: float = 60.0
    feed_seconds: float = 1800.0
    slowest_bytes_per_second: float = 20_000.0
    attempts: int = 4
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0
    answer_bytes: int = 64_000_000
    pages: int = 1_000


def _nothing(*_: object) -> None:
    return None


@dataclass(slots=True)
class Pulse:
    """Sign of life of a feed: what it has done so far, and when it last got on.

    Attributes:
        on_progress: called with (done, total or None, unit) after each step; for a progress bar.
        stopped: set by the supervisor when it gave up; the feed ends at its next step.
    """

    limits: Limits
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    on_progress: Callable[[float, float | None, str], None] = _nothing
    started: float = field(default=0.0)
    last: float = field(default=0.0)
    stopped: bool = False

    def __post_init__(self) -> None:
        self.started = self.last = self.monotonic()

    def beat(self) -> None:
        """Note that the feed got on.

        Raises:
            FeedError: the supervisor has given up on this feed.
        """
        if self.stopped:
            raise FeedError("sources.stopped")
        self.last = self.monotonic()

    def step(self, done: float, total: float | None, unit: str) -> None:
        """`beat`, and tell how far the feed is."""
        self.beat()
        self.on_progress(done, total, unit)

    def pause(self, seconds: float) -> None:
        """Wait before another attempt; waiting on request is no stall."""
        self.beat()
        self.last += seconds
        self.sleep(seconds)
        self.beat()

    def verdict(self) -> FeedError | None:
        """Why the supervisor should give up now, if it should."""
        now = self.monotonic()
        if now - self.started > self.limits.feed_seconds:
            return FeedError("sources.too_long", seconds=_whole(self.limits.feed_seconds))
        if now - self.last > self.limits.stall_seconds:
            return FeedError("sources.stalled", seconds=_whole(self.limits.stall_seconds))
        return None


def _whole(seconds: float) -> str:
    return f"{seconds:g}"
