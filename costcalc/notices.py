"""What a quote must say besides its figures: warnings from a closed list of codes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from costcalc import messages


@dataclass(frozen=True)
class Notice:
    """A warning. Its text is the message `warnings.<code>`; the codes are a closed list there.

    Attributes:
        code: stable code that scripts match on.
        params: values for the placeholders of the message.
    """

    code: str
    params: tuple[tuple[str, Any], ...] = ()

    def message(self, language: str = "en") -> str:
        """The warning as a sentence."""
        return messages.text(f"warnings.{self.code}", language, **dict(self.params))


def notice(code: str, **params: Any) -> Notice:
    """A `Notice` from keyword parameters."""
    return Notice(code, tuple(sorted(params.items())))
