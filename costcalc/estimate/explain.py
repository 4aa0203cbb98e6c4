"""The steps of a training estimate, for `--explain`: a sentence, a number, a formula, a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from costcalc import messages


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an estimate.

    Attributes:
        key: the sentence is the message `explain.<key>`.
        value: the number that the step arrives at, None when it has none.
        unit: unit of the value.
        formula: how it was computed, in symbols (the same in every language).
        source: where its inputs come from.
        params: values for the sentence's placeholders.
    """

    key: str
    value: float | None
    unit: str
    formula: str
    source: str
    params: tuple[tuple[str, Any], ...] = ()

    def message(self, language: str = "en") -> str:
        """The sentence."""
        return messages.text(f"explain.{self.key}", language, **dict(self.params))


def step(
    key: str, value: float | None, unit: str, formula: str, source: str, **params: Any
) -> Step:
    """A `Step` from keyword parameters."""
    return Step(key, value, unit, formula, source, tuple(sorted(params.items())))


def quantity(value: float) -> str:
    """A number with a suffix that people read: 70.6B, 15.0T, 3.81e24."""
    for limit, divisor, suffix in ((1e15, 1e12, "T"), (1e12, 1e12, "T"), (1e9, 1e9, "B")):
        if limit == 1e15 and value >= limit:
            return f"{value:.3g}"
        if value >= limit:
            return f"{value / divisor:.3g}{suffix}"
    return f"{value / 1e6:.3g}M" if value >= 1e6 else f"{value:,.0f}"
