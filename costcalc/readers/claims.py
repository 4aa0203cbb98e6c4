"""How a reader says that a file is in its format, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Claim:
    """A reader's claim to a file.

    Attributes:
        keys: the keys that speak for the format, as evidence for the message.
        certain: True when no other known format has such keys; a weak claim gives way to a
            certain one.
    """

    keys: tuple[str, ...]
    certain: bool = True


def by_keys(
    mapping: Mapping[str, Any] | None,
    *,
    own: Iterable[str],
    shared: Iterable[str] = (),
    need: int = 2,
    gate: Iterable[str] = (),
) -> Claim | None:
    """A claim from the keys of a flat config.

    Args:
        own: keys that only this format has.
        shared: keys that other formats have as well.
        need: how many keys must be there in all.
        gate: at least one of these must be there, when given.
    """
    if mapping is None:
        return None
    gates = list(gate)
    if gates and not any(key in mapping for key in gates):
        return None
    mine = tuple(key for key in own if key in mapping)
    common = tuple(key for key in shared if key in mapping)
    if len(mine) + len(common) < need:
        return None
    return Claim((*mine, *common), certain=bool(mine))
