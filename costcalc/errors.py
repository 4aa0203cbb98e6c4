"""The one exception tree. Each class carries the exit status that the command line returns.

An error holds a message key and its parameters, not a sentence, so that the same fault can be told
in every language of `costcalc.messages`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from costcalc import messages


class CostcalcError(Exception):
    """A fault that costcalc can explain.

    Args:
        key: message key, `area.name`, present in every language of `costcalc.messages`.
        params: values for the placeholders of that message.
    """

    exit_status: ClassVar[int] = 1

    def __init__(self, key: str, **params: Any) -> None:
        super().__init__(key, params)
        self.key = key
        self.params = params

    def message(self, language: str = "en") -> str:
        """The sentence that tells a person what is wrong and what would be right."""
        return messages.text(self.key, language, **self.params)

    def __str__(self) -> str:
        return self.message("en")


class InputError(CostcalcError):
    """Wrong usage or invalid input: an option, a plan, a config, a catalog file."""

    exit_status = 2


class OverBudgetError(CostcalcError):
    """The quote is complete and exceeds its budget."""

    exit_status = 3


class NoOfferError(CostcalcError):
    """No offer, no price, or the workload does not fit; the message says what would."""

    exit_status = 4


class SourceError(CostcalcError):
    """A live source failed; what had been stored stays as it was."""

    exit_status = 5
