"""Axes of a sweep as people type them: `1T,2T`, `64..4096` (doubling), `1T..15T+1T` (steps)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import overload

from costcalc.errors import InputError

# the plus of `1e+12` belongs to its number
MAX_VALUES = 10**12
MAX_HARDWARE = 100_000
_RANGE = re.compile(r"(.+?)\.\.(.+?)(?:(?<![eE])\+(.+))?")


class Axis(Sequence[int]):
    """Values in the order typed; ranges are not spelled out, so that an axis takes no memory."""

    def __init__(self, parts: Sequence[Sequence[int]]) -> None:
        self._parts = tuple(parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[int]:
        for part in self._parts:
            yield from part

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index + len(self) if index < 0 else index
        for part in self._parts:
            if 0 <= number < len(part):
                return part[number]
            number -= len(part)
        raise IndexError(index)


def doubling(first: int, last: int) -> tuple[int, ...]:
    """`first`, twice that and so on up to `last`, which always is the end."""
    values = [first]
    while values[-1] * 2 < last:
        values.append(values[-1] * 2)
    return (*values, last) if last > first else tuple(values)


def stepping(first: int, last: int, step: int) -> Sequence[int]:
    """From `first` in steps, not beyond `last`."""
    return range(first, last + 1, step)


def axis(text: str, what: str, count: Callable[[str, str], int]) -> Axis:
    """An axis from a list of values and ranges.

    Args:
        what: the option, for messages.
        count: reads one value; its arguments are the text and `what`.

    Raises:
        InputError: an empty item, a value that is none, a range that runs backwards.
    """
    return Axis([_part(item, what, count) for item in text.split(",")])


def _part(item: str, what: str, count: Callable[[str, str], int]) -> Sequence[int]:
    match = _RANGE.fullmatch(item.strip())
    if match is None:
        return (count(item, what),)
    first, last = count(match[1], what), count(match[2], what)
    if last < first:
        raise InputError("sweep.backwards", option=what, text=item.strip())
    if match[3] is None:
        return doubling(first, last)
    step = count(match[3], what)
    if (last - first) // step >= MAX_VALUES:
        raise InputError("sweep.too_many", option=what, most=f"{MAX_VALUES:,}")
    return stepping(first, last, step)


def hardware_texts(values: Sequence[str], count: Callable[[str, str], int]) -> Iterator[str]:
    """Each `--on` with its ranges spelled out: `h100:64..256` is `h100:64`, `h100:128`, `h100:256`.

    Raises:
        InputError: see `axis`.
    """
    for value in values:
        for item in value.split(","):
            name, colon, number = item.strip().rpartition(":")
            if not colon or ".." not in number:
                yield item.strip()
                continue
            counts = _part(number, "--on", count)
            if len(counts) > MAX_HARDWARE:
                raise InputError("sweep.too_many", option="--on", most=f"{MAX_HARDWARE:,}")
            for chips in counts:
                yield f"{name}:{chips}"
