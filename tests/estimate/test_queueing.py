"""Queues against values that are known in closed form."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.estimate.queueing import Queue, erlang_c, queue


@pytest.mark.parametrize(
    ("servers", "load", "expected"),
    [
        (1, 0.3, 0.3),
        (2, 1.0, 1 / 3),
        (3, 2.0, 4 / 9),
        (10, 7.0, 0.22173),
        (5, 0.0, 0.0),
        (5, 5.0, 1.0),
        (5, 9.0, 1.0),
    ],
)
def test_chance_of_waiting(servers: int, load: float, expected: float) -> None:
    assert erlang_c(servers, load) == pytest.approx(expected, abs=1e-5)


def test_many_servers_join_the_limit_smoothly() -> None:
    for share in (0.9, 0.97, 0.99, 0.999):
        exact, limit = erlang_c(2000, 2000 * share), erlang_c(2001, 2001 * share)
        assert limit == pytest.approx(exact, abs=0.01)


def test_one_server_is_pollaczek_khinchine() -> None:
    # M/D/1: mean wait rho x service / (2 (1 - rho)); M/M/1: twice that
    rate, service = 3.0, 0.25
    rho = rate * service
    constant = queue(1, rate, service)
    assert constant.mean_s == pytest.approx(rho * service / (2 * (1 - rho)))
    exponential = queue(1, rate, service, service_cv=1.0)
    assert exponential.mean_s == pytest.approx(rho * service / (1 - rho))
    bursty = queue(1, rate, service, arrival_cv=2.0)
    assert bursty.mean_s == pytest.approx(4 * constant.mean_s)


def test_quantiles_of_the_tail() -> None:
    found = Queue(waits=0.5, scale_s=2.0)
    assert found.quantile_s(0.5) == 0
    assert found.quantile_s(0.95) == pytest.approx(2.0 * math.log(10))
    assert Queue(0.01, 5.0).quantile_s(0.95) == 0


def test_overload_waits_for_ever() -> None:
    assert math.isinf(queue(2, 10.0, 0.2).mean_s)
    assert queue(2, 0.0, 0.2).mean_s == 0


@given(st.integers(1, 3000), st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_more_load_never_waits_less(servers: int, a: float, b: float) -> None:
    low, high = sorted((a, b))
    one, two = erlang_c(servers, low * servers), erlang_c(servers, high * servers)
    assert 0 <= one <= two + 1e-9 <= 1 + 1e-9


@given(st.integers(1, 64), st.floats(0.05, 0.95))
def test_pooling_never_waits_longer(servers: int, share: float) -> None:
    alone = queue(1, share, 1.0)
    together = queue(servers, share * servers, 1.0)
    assert together.mean_s <= alone.mean_s + 1e-9
