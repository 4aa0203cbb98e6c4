"""`--on`: what people write for hardware, resolved to an accelerator and a number of chips."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from costcalc.catalog.accelerators import Accelerator, SliceRule
from costcalc.catalog.names import nearest, normal
from costcalc.errors import InputError
from costcalc.units import parse_count

if TYPE_CHECKING:
    from costcalc.catalog.catalog import Catalog

MAX_ACCELERATORS = 1_000_000
_SLICE = re.compile(r"(.+?)-([0-9]{1,6}|[0-9]{1,3}x[0-9]{1,3}(?:x[0-9]{1,3})?)")


@dataclass(frozen=True, slots=True)
class Hardware:
    """Accelerators that a person asked for.

    Attributes:
        accelerator: which.
        count: how many chips in all.
        instance_type: the machine that was named, None when a chip was.
        slice_name: the TPU slice that was named, None otherwise.
        slices: how many slices or instances of that name; 1 when a number of chips was given.
        text: what was typed.
    """

    accelerator: Accelerator
    count: int
    instance_type: str | None
    slice_name: str | None
    slices: int
    text: str


def resolve_hardware(text: str, catalog: Catalog) -> Hardware:
    """Hardware as people write it.

    `h100:8` is 8 chips; `v5p-8` a slice (4 chips, since the suffix counts cores), `v5p-8:2` two of
    them, `v5p-2x2x2` a topology in chips; `p5.48xlarge` one instance, `p5.48xlarge:4` four.

    Raises:
        InputError: no such name (nearest ones are told), no count, a count that is not a whole
            number from 1 to 1,000,000, or a slice that does not exist.
    """
    name, colon, number = text.strip().rpartition(":")
    if not colon:
        name, number = number, ""
    name = name.strip()
    if not name:
        raise InputError("catalog.hardware_empty", text=text)
    count = parse_count(number, "--on", high=MAX_ACCELERATORS, example="8") if colon else None
    identity = catalog.accelerator_aliases().get(normal(name))
    if identity is not None:
        accelerator = catalog.accelerators()[identity]
        if count is None:
            raise InputError("catalog.hardware_count", name=name)
        return Hardware(accelerator, count, None, None, 1, text)
    times = 1 if count is None else count
    found = _slice(name, times, text, catalog) or _machine(name, times, text, catalog)
    if found is None:
        raise _unknown(name, catalog)
    if found.count > MAX_ACCELERATORS:
        raise InputError("units.count_range", what="--on", text=text, low=1, high=MAX_ACCELERATORS)
    return found


def _slice(name: str, times: int, text: str, catalog: Catalog) -> Hardware | None:
    match = _SLICE.fullmatch(normal(name))
    if match is None:
        return None
    prefix, suffix = match[1], match[2]
    for accelerator in catalog.accelerators().values():
        rule = accelerator.slices
        if rule is None or prefix not in rule.prefixes:
            continue
        chips = _chips(suffix, rule)
        if chips is None or not rule.is_slice(chips):
            raise InputError(
                "catalog.not_a_slice", name=name, names=", ".join(_near_slices(suffix, rule))
            )
        return Hardware(accelerator, chips * times, None, rule.name(chips), times, text)
    return None


def _chips(suffix: str, rule: SliceRule) -> int | None:
    if "x" in suffix:  # a topology counts chips, whatever the name counts
        chips = 1
        for side in suffix.split("x"):
            chips *= int(side)
        return chips
    number = int(suffix)
    return None if number % rule.cores_per_chip else number // rule.cores_per_chip


def _near_slices(suffix: str, rule: SliceRule) -> list[str]:
    chips = 1
    for side in suffix.split("x"):
        chips *= int(side)
    if "x" not in suffix:
        chips = chips // rule.cores_per_chip
    below, above = rule.largest_within(chips), rule.smallest_holding(chips + 1)
    return [rule.name(size) for size in (below, above) if size]


def _machine(name: str, times: int, text: str, catalog: Catalog) -> Hardware | None:
    listed = catalog.machines(name)
    kinds = sorted({(accelerator, count) for _, _, accelerator, count in listed})
    if len(kinds) > 1:
        names = ", ".join(f"{accelerator}:{count * times}" for accelerator, count in kinds)
        raise InputError("catalog.ambiguous_machine", name=name, names=names)
    if kinds:
        identity, count = kinds[0]
        accelerator = catalog.accelerators()[identity]
        return Hardware(accelerator, count * times, listed[0][1], None, times, text)
    for accelerator in catalog.accelerators().values():
        for machine, chips in accelerator.machine_types.items():
            if machine.casefold() == name.casefold():
                return Hardware(accelerator, chips * times, None, None, times, text)
    return None


def _unknown(name: str, catalog: Catalog) -> InputError:
    aliases = catalog.accelerator_aliases()
    machines = {listed[0][1]: listed[0][1] for listed in catalog.offers().instance_types.values()}
    known = {**machines, **aliases}
    near = nearest(name, known)
    names = list(dict.fromkeys(known[found] for found in near))
    if not names:
        names = list(catalog.accelerators())
    return InputError("catalog.no_accelerator", name=name, names=", ".join(names))
