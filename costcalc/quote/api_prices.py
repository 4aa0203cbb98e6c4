"""Hosted models: what one request of a given shape costs there, and a month of them.

A request is priced as it is and then multiplied, because tiers of long contexts apply per request.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from costcalc.quote import money


@dataclass(frozen=True, slots=True)
class RequestShape:
    """The tokens of one request.

    Attributes:
        cached_tokens: those of `input_tokens` that the provider has in its prompt cache.
    """

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class HostedPrice:
    """What a hosted model charges for one request.

    Attributes:
        asked: as typed, `MODEL@PROVIDER`.
        provider, model: what that was taken to mean.
        usd_per_request: for the shape asked for, all digits kept.
        input_usd, output_usd: its two parts.
        retired: the provider no longer offers the model to everybody.
        by_hour: the price differs by the hour of the day; the mean of 24 hours was taken.
        as_of: day of the price. source: package and version.
    """

    asked: str
    provider: str
    model: str
    usd_per_request: Decimal
    input_usd: Decimal
    output_usd: Decimal
    retired: bool
    by_hour: bool
    as_of: date
    source: str

    @property
    def name(self) -> str:
        """`model@provider`, as resolved."""
        return f"{self.model}@{self.provider}"

    def month(self, requests: Decimal, price_factor: Decimal = Decimal(1)) -> Decimal:
        """USD of `requests` in a month, to the cent.

        Args:
            price_factor: what the price is multiplied by, to see what a change of it does.
        """
        return money.cents(requests * self.usd_per_request * price_factor)
