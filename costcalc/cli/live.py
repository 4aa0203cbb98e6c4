"""What the commands that ask live sources share: time limits and progress bars."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.cli.language import t
from costcalc.units import parse_milliseconds

if TYPE_CHECKING:
    from costcalc.sources.limits import Limits

Progress = Callable[[str, float, float | None, str], None]


def limits_of(timeout: str | None) -> Limits:
    """The limits for `--timeout`, the longest silence of a source.

    A whole answer may take twice as long, and a feed stalls after four times as long.
    """
    from costcalc.sources.limits import Limits

    limits = Limits()
    if timeout is None:
        return limits
    seconds = float(Decimal(str(parse_milliseconds(timeout, "--timeout"))) / 1000)
    return replace(
        limits,
        connect_seconds=min(limits.connect_seconds, seconds),
        silence_seconds=seconds,
        answer_seconds=2 * seconds,
        stall_seconds=4 * seconds,
        longest_wait_seconds=min(limits.longest_wait_seconds, 4 * seconds),
    )


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """A bar per feed on stderr while it is a terminal; nothing at all otherwise."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.progress import (
        Progress as Bars,
    )

    with Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        tasks: dict[str, TaskID] = {}

        def progress(feed: str, done: float, total: float | None, unit: str) -> None:
            shown, all_of_it, name = _scaled(done, total, unit)
            if feed not in tasks:
                label = t(f"sources.feed_{feed}")
                tasks[feed] = bars.add_task(label, total=all_of_it, unit=name)
            bars.update(tasks[feed], completed=shown, total=all_of_it)

        yield progress


def _scaled(done: float, total: float | None, unit: str) -> tuple[float, float | None, str]:
    """Bytes as whole megabytes."""
    if unit != "bytes":
        return done, total, unit
    return done // 10**6, None if total is None else total // 10**6, "MB"
