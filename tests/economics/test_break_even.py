"""Break-even of whole replicas against a price per request, in exact decimals."""

from __future__ import annotations

from datetime import date
from decimal import ROUND_CEILING, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.quote.api_prices import HostedPrice
from costcalc.quote.break_even import (
    Fleet,
    break_even,
    largest,
    ownership,
    sensitivity,
)

D = Decimal
prices = st.decimals("0.00001", "1", places=8)
costs = st.decimals("100", "1000000", places=2)
rooms = st.integers(1_000, 100_000_000)


def fleet(usd_per_replica_month: Decimal, room: int) -> Fleet:
    """Replicas that serve `room` requests a month each."""
    return Fleet(
        usd_per_month=lambda replicas: usd_per_replica_month * replicas,
        replicas_for=lambda requests: max(
            1, int((requests / room).to_integral_value(ROUND_CEILING))
        ),
        room=lambda replicas: D(replicas * room),
        capacity=lambda replicas: D(replicas * room) / D("0.8"),
    )


def hosted(usd: str) -> HostedPrice:
    return HostedPrice(
        "m@p", "p", "m", D(usd), D(usd), D(0), False, False, date(2026, 12, 1), "x 1"
    )


def test_one_replica_by_hand() -> None:
    # USD 14,600 a month over USD 0.00033 a request: 44,242,424.24 requests, of 60 million it can do
    found = break_even(D("0.00033"), fleet(D(14600), 60_000_000))
    assert found is not None
    assert found.requests_per_month == D("44242425")
    assert (found.replicas, found.usd_per_month) == (1, D("14600.00"))
    # a fifth of the capacity is reserve: 60 million are given to a replica that could do 75
    assert found.utilisation == D("44242425") / D(75_000_000)


def test_below_full_replicas_the_api_may_win_everywhere() -> None:
    # the same replica does 40 million only: each of its requests costs more than the API's
    assert break_even(D("0.00033"), fleet(D(14600), 40_000_000)) is None
    assert break_even(D(0), fleet(D(14600), 40_000_000)) is None


def test_pooling_can_make_two_replicas_pay_where_one_does_not() -> None:
    # one replica serves 30, two 100: 2 x 100 USD / 3 USD = 67 requests
    def room(replicas: int) -> Decimal:
        return D({1: 30, 2: 100}.get(replicas, 0))

    pooled = Fleet(lambda replicas: D(100) * replicas, lambda requests: 1, room, room)
    found = break_even(D(3), pooled)
    assert found is not None
    assert (found.replicas, found.requests_per_month) == (2, D(67))


@given(prices, costs, rooms)
def test_the_break_even_is_where_the_api_first_costs_as_much(
    price: Decimal, cost: Decimal, room: int
) -> None:
    own = fleet(cost, room)
    found = break_even(price, own)
    if found is None:
        assert cost / price > room - 1
        return
    volume = found.requests_per_month
    assert volume * price >= found.replicas * cost
    assert (volume - 1) * price < found.replicas * cost
    assert own.replicas_for(volume) == found.replicas
    assert 0 < found.utilisation <= D("0.8")


@given(prices, costs, rooms, st.decimals("0.1", "0.99", places=2))
def test_cheaper_tokens_move_it_up(price: Decimal, cost: Decimal, room: int, cut: Decimal) -> None:
    before, after = (break_even(p, fleet(cost, room)) for p in (price, price * cut))
    if after is not None:
        assert before is not None
        assert before.requests_per_month <= after.requests_per_month


def test_price_and_volume_together() -> None:
    points = sensitivity(hosted("0.001"), D(1_000_000), fleet(D(900), 1_500_000))
    assert len(points) == 16
    table = {(p.volume_factor, p.price_factor): p for p in points}
    today = table[D(1), D(1)]
    assert (today.own_usd, today.api_usd, today.replicas, today.cheaper) == (
        D("900.00"),
        D("1000.00"),
        1,
        "own",
    )
    # the API at a quarter of its price, with eight times the use: 6 replicas against USD 2,000
    later = table[D(8), D("0.25")]
    assert (later.own_usd, later.api_usd, later.replicas, later.cheaper) == (
        D("5400.00"),
        D("2000.00"),
        6,
        "api",
    )


def test_a_volume_that_no_fleet_serves_goes_to_the_api() -> None:
    none = Fleet(
        lambda replicas: D(900), lambda requests: None, lambda replicas: D(0), lambda replicas: D(0)
    )
    points = sensitivity(hosted("0.001"), D(10), none)
    assert {point.cheaper for point in points} == {"api"}
    assert {point.own_usd for point in points} == {None}
    assert none.month(D(10)) is None


def test_owning_by_hand() -> None:
    # USD 250,000, nothing left after 36 months, USD 3,000 a month to run; rented USD 15,000
    found = ownership(D(250_000), D(36), D(3000), D(15_000))
    assert found.owned_usd == D("9944.44")
    # 250,000 / 12,000 a month saved
    assert found.months == D("20.9")
    assert found.within_life
    # rented machines may run 66 % of the hours and cost the same
    assert found.hours_share == D("9944.44") / D(15_000)


def test_owning_never_pays_when_running_costs_as_much_as_the_rent() -> None:
    found = ownership(D(250_000), D(36), D(15_000), D(15_000))
    assert found.months is None
    assert not found.within_life
    assert found.hours_share is not None
    assert found.hours_share > 1


def test_owning_may_pay_too_late() -> None:
    found = ownership(D(250_000), D(36), D(3000), D(8000))
    assert (found.months, found.within_life) == (D("50.0"), False)


@given(st.integers(0, 10**9), st.integers(1, 10**6))
def test_the_largest_volume(limit: int, start: int) -> None:
    assert largest(lambda volume: volume <= limit, D(start)) == limit


def test_a_month_is_a_request_times_their_number() -> None:
    price = hosted("0.00033")
    assert price.month(D(1_000_000)) == D("330.00")
    assert price.month(D(1_000_000), D("0.5")) == D("165.00")
    assert price.month(D(3)) == D("0.00")
    assert price.name == "m@p"


@pytest.mark.parametrize("requests", [0, 1, 44_200_000])
def test_below_it_the_api_is_cheaper(requests: int) -> None:
    own = fleet(D(14600), 60_000_000)
    month = own.month(D(requests))
    assert month is not None
    assert hosted("0.00033").month(D(requests)) < month
