"""Where machines of one's own, rented or bought, cost as much as the alternative.

Machines come whole, an API by the request. Where R replicas cost C(R) USD a month and a request p
USD, both cost the same at C(R) / p requests a month. The break-even is the first such volume that R
replicas can serve; below it the API is cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from typing import Literal

from costcalc.quote import money
from costcalc.quote.api_prices import HostedPrice

REPLICAS_ONE_BY_ONE = 64
MOST_REPLICAS = 4096
PRICE_FACTORS = (Decimal(1), Decimal("0.75"), Decimal("0.5"), Decimal("0.25"))
VOLUME_FACTORS = (Decimal(1), Decimal(2), Decimal(4), Decimal(8))
_ONE = Decimal(1)

Cheaper = Literal["own", "api", "same"]


@dataclass(frozen=True, slots=True)
class Fleet:
    """Replicas that serve the traffic.

    Attributes:
        usd_per_month: USD a month of the machines that so many replicas need; small replicas
            share a machine.
        replicas_for: whole replicas that so many requests a month are given; None where no number
            serves them within the targets.
        room: the most requests a month that are given to so many replicas.
        capacity: requests a month that they could serve within the targets, without reserve.
    """

    usd_per_month: Callable[[int], Decimal]
    replicas_for: Callable[[Decimal], int | None]
    room: Callable[[int], Decimal]
    capacity: Callable[[int], Decimal]

    def month(self, requests: Decimal) -> Decimal | None:
        """USD a month of the replicas that `requests` need; None where no number serves them."""
        replicas = self.replicas_for(requests)
        return None if replicas is None else money.cents(self.usd_per_month(replicas))


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The volume from which a fleet costs no more than an API.

    Attributes:
        requests_per_month: the fewest requests with which the API costs at least as much.
        replicas: the fleet that serves them.
        usd_per_month: what the fleet costs, and the API too.
        utilisation: requests over what the fleet can serve within the targets.
    """

    requests_per_month: Decimal
    replicas: int
    usd_per_month: Decimal
    utilisation: Decimal


def _fleet_sizes() -> Iterator[int]:
    yield from range(1, REPLICAS_ONE_BY_ONE + 1)
    size = REPLICAS_ONE_BY_ONE * 2
    while size <= MOST_REPLICAS:
        yield size
        size *= 2


def break_even(usd_per_request: Decimal, fleet: Fleet) -> BreakEven | None:
    """The first volume at which `fleet` costs no more than the API.

    Returns:
        None where the API is cheaper at every volume: a full replica costs more than its requests
        cost there.
    """
    if usd_per_request <= 0:
        return None
    for replicas in _fleet_sizes():
        cost = fleet.usd_per_month(replicas)
        requests = (cost / usd_per_request).quantize(_ONE, ROUND_CEILING)
        if requests <= fleet.room(replicas):
            used = requests / fleet.capacity(replicas)
            return BreakEven(requests, replicas, money.cents(cost), used)
    return None


@dataclass(frozen=True, slots=True)
class Point:
    """What both cost when prices fall and use grows together.

    Attributes:
        price_factor, volume_factor: against today's price and the traffic asked for.
        replicas, own_usd: None where no fleet serves the volume within the targets.
    """

    price_factor: Decimal
    volume_factor: Decimal
    requests_per_month: Decimal
    replicas: int | None
    own_usd: Decimal | None
    api_usd: Decimal

    @property
    def cheaper(self) -> Cheaper:
        """Who costs less."""
        if self.own_usd is None or self.api_usd < self.own_usd:
            return "api"
        return "own" if self.own_usd < self.api_usd else "same"


def sensitivity(
    price: HostedPrice,
    requests: Decimal,
    fleet: Fleet,
    price_factors: Iterable[Decimal] = PRICE_FACTORS,
    volume_factors: Iterable[Decimal] = VOLUME_FACTORS,
) -> tuple[Point, ...]:
    """Every price with every volume."""
    factors = tuple(price_factors)
    found = []
    for volume in volume_factors:
        wanted = requests * volume
        replicas = fleet.replicas_for(wanted)
        own = None if replicas is None else money.cents(fleet.usd_per_month(replicas))
        for factor in factors:
            found.append(Point(factor, volume, wanted, replicas, own, price.month(wanted, factor)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Ownership:
    """Bought hardware beside the same hardware rented.

    Attributes:
        purchase_usd: what it costs to buy, less what it is worth at the end.
        running_usd: USD a month besides: electricity, place, people, maintenance.
        owned_usd: USD a month in all, the write-off included.
        rented_usd: USD a month of the same machines rented, every hour of the month.
        months: months of renting after which buying was cheaper; None where the running costs
            alone are as high as the rent.
        within_life: whether that is within the months over which it is written off.
        hours_share: share of the hours of a month that rented machines must run to cost as much
            as the bought ones; above 1 buying never pays.
    """

    purchase_usd: Decimal
    running_usd: Decimal
    owned_usd: Decimal
    rented_usd: Decimal
    months: Decimal | None
    within_life: bool
    hours_share: Decimal | None


def ownership(
    purchase_usd: Decimal, life_months: Decimal, running_usd: Decimal, rented_usd: Decimal
) -> Ownership:
    """When bought hardware is cheaper than the same hardware rented.

    Args:
        purchase_usd: price less residual value.
        life_months: months over which it is written off.
    """
    owned = money.cents(purchase_usd / life_months + running_usd)
    saving = rented_usd - running_usd
    months = None
    if saving > 0:
        months = (purchase_usd / saving).quantize(Decimal("0.1"), ROUND_CEILING)
    return Ownership(
        purchase_usd=money.cents(purchase_usd),
        running_usd=money.cents(running_usd),
        owned_usd=owned,
        rented_usd=money.cents(rented_usd),
        months=months,
        within_life=months is not None and months <= life_months,
        hours_share=None if rented_usd <= 0 else owned / rented_usd,
    )


def largest(serves: Callable[[Decimal], bool], start: Decimal) -> Decimal:
    """The largest whole volume that `serves` allows, which must turn false once as it grows.

    Args:
        start: where to begin the search, at least 1.
    """
    low, high = Decimal(0), max(start.to_integral_value(ROUND_CEILING), _ONE)
    while serves(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = ((low + high) / 2).to_integral_value()
        if middle in (low, high):
            break
        if serves(middle):
            low = middle
        else:
            high = middle
    return low
