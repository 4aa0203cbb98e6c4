"""Feeds side by side, each in a thread of its own that is given up when it no longer gets on.

A library that reads an answer of a byte a second never times out by itself. The thread of a feed is
a daemon and never touches the store, so that giving it up leaves nothing half done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from costcalc.errors import CostcalcError
from costcalc.sources.faults import FeedError, clean, excerpt
from costcalc.sources.limits import Pulse

T = TypeVar("T")
_LOOK_SECONDS = 0.05


@dataclass(slots=True)
class Job(Generic[T]):
    """One thing to fetch.

    Attributes:
        name: id of the feed.
        pulse: its sign of life.
        run: fetches it; runs in the thread.
        secrets: credentials that must not appear in any message.
    """

    name: str
    pulse: Pulse
    run: Callable[[], T]
    secrets: tuple[str, ...] = ()
    result: T | None = None
    error: CostcalcError | None = None
    done: bool = field(default=False)


def each_finished(jobs: Sequence[Job[T]]) -> Iterator[Job[T]]:
    """Run all jobs side by side and give each when it ends, with its result or its error."""
    ended: SimpleQueue[Job[T]] = SimpleQueue()
    for job in jobs:
        threading.Thread(
            target=_work, args=(job, ended), name=f"costcalc-{job.name}", daemon=True
        ).start()
    waiting = list(jobs)
    while waiting:
        try:
            job = ended.get(timeout=_LOOK_SECONDS)
        except Empty:
            given_up = [job for job in waiting if _give_up(job)]
        else:
            given_up = [job] if job in waiting else []
        for job in given_up:
            waiting.remove(job)
            yield job


def _work(job: Job[T], ended: SimpleQueue[Job[T]]) -> None:
    try:
        job.result = job.run()
    except CostcalcError as error:
        job.error = job.error or clean(error, job.secrets)
    except Exception as error:  # noqa: BLE001 - one feed's surprise must not end the others
        detail = excerpt(f"{type(error).__name__}: {error}", job.secrets)
        job.error = job.error or FeedError("sources.unexpected", detail=detail)
    ended.put(job)


def _give_up(job: Job[T]) -> bool:
    verdict = job.pulse.verdict()
    if verdict is None:
        return False
    job.pulse.stopped = True
    job.error = verdict
    job.result = None
    return True
