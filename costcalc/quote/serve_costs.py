"""What a million tokens cost: the whole bill over the tokens, at the average load and at capacity.

Both figures carry the whole bill: the cost per million output tokens is the bill over the output
tokens, the cost per million input tokens the bill over the input tokens. They do not add up; the
share of the machines' time that prompts take (`prompt_share`) divides the bill for those who need
that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.estimate.serving import Range, ServingEstimate
from costcalc.quote import money
from costcalc.quote.types import Line

if TYPE_CHECKING:
    from costcalc.quote.serve import ServeRequest

MILLION = 1e6
SECONDS_PER_HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class TokenCosts:
    """USD per million tokens.

    Attributes:
        output, input: at the average load. output_at_capacity, input_at_capacity: if the replicas
            did all that they can within the targets.
        output_tokens_per_month, input_tokens_per_month: at the average load.
    """

    output: Range
    input: Range
    output_at_capacity: Range
    input_at_capacity: Range
    output_tokens_per_month: float
    input_tokens_per_month: float


@dataclass(frozen=True, slots=True)
class ServedWorkload:
    """The estimate of a serving workload together with what its tokens cost."""

    serving: ServingEstimate
    costs: TokenCosts

    @property
    def steps(self) -> Any:
        """How the figures came about, for `--explain`."""
        return self.serving.steps

    @property
    def batch(self) -> float:
        """Requests that a copy runs at once, for the energy it takes."""
        return self.serving.batch


def token_costs(
    estimate: ServingEstimate, request: ServeRequest, lines: Sequence[Line]
) -> TokenCosts:
    """USD per million tokens from the lines of a workload, discounts included."""
    usd = _sum(line.amount_usd for line in lines)
    low = _sum(line.low_usd for line in lines)
    high = _sum(line.high_usd for line in lines)
    seconds = float(request.hours) * SECONDS_PER_HOUR
    share = float(request.average_load)
    job = request.job()
    served = estimate.requests_per_s.times(share)
    # at capacity the machines as sized count, whatever the ends of the interval would need
    capacity = estimate.capacity_requests_per_s
    averages = [
        _per_million(usd, low, high, served, seconds, tokens)
        for tokens in (job.output_tokens, job.input_tokens)
    ]
    full = [
        _per_million(usd, usd, usd, capacity, seconds, tokens)
        for tokens in (job.output_tokens, job.input_tokens)
    ]
    per_month = served.middle * float(request.hours_per_month) * SECONDS_PER_HOUR
    return TokenCosts(
        output=averages[0],
        input=averages[1],
        output_at_capacity=full[0],
        input_at_capacity=full[1],
        output_tokens_per_month=per_month * job.output_tokens,
        input_tokens_per_month=per_month * job.input_tokens,
    )


def _sum(values: Any) -> float:
    total: Decimal = sum(values, money.ZERO)
    return float(total)


def _per_million(
    usd: float, usd_low: float, usd_high: float, rate: Range, seconds: float, tokens: int
) -> Range:
    def cost(amount: float, per_second: float) -> float:
        return amount * MILLION / (per_second * seconds * tokens)

    return Range(cost(usd, rate.middle), cost(usd_low, rate.high), cost(usd_high, rate.low))
