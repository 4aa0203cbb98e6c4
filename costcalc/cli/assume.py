"""`--assume`: a price and a rate for a chip that is only announced."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.cli import options as o
from costcalc.errors import InputError
from costcalc.units import parse_number

if TYPE_CHECKING:
    from costcalc.quote.assume import Assumed

KEYS = ("usd_per_hour", "tokens_per_second")
EXAMPLE = o.ASSUME_EXAMPLE
LOWEST, HIGHEST = Decimal("0.000001"), 1_000_000_000
UNSET: tuple[object, ...] = (None, False, (), [], "1", "0%")
"""Values of options that nobody gave."""
FORMATS = ("table", "json", "csv", "markdown")


def assumed(text: str, form: str, given: Mapping[str, object]) -> Assumed:
    """`usd_per_hour=…,tokens_per_second=…`, both per accelerator.

    Args:
        form: the format asked for; a what-if has no sheet and no page of its own.
        given: options that an assumption leaves no room for, by name, as they were given.

    Raises:
        InputError: a key too many or too few, no number, another option that would do nothing.
    """
    from costcalc.quote.assume import Assumed

    o.choice(form, "--format (with --assume)", FORMATS)
    idle = [name for name, value in given.items() if value not in UNSET]
    if idle:
        raise InputError("economics.assume_without", options=", ".join(idle))
    values = o.pairs(text.split(","), "--assume", EXAMPLE)
    for name in values:
        o.choice(name, "--assume", KEYS)
    missing = [name for name in KEYS if name not in values]
    if missing:
        raise InputError("economics.assume_missing", names=", ".join(missing), example=EXAMPLE)
    usd, rate = (
        parse_number(values[name], f"--assume {name}", low=LOWEST, high=HIGHEST) for name in KEYS
    )
    return Assumed(usd, rate)
