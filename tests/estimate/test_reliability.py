"""Interruptions and checkpoints: Young's interval is the best one, and losses grow as they must."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.estimate import reliability as r

HOURS = st.floats(1e-4, 10.0)
RATE = st.floats(1e-6, 1.0)


@given(HOURS, RATE, st.floats(0.05, 20.0))
def test_no_other_interval_loses_less(save: float, per_hour: float, factor: float) -> None:
    def loss(interval: float) -> float:
        return save / interval + per_hour * interval / 2

    best = r.young_interval_hours(save, per_hour)
    assert loss(best) <= loss(best * factor) * (1 + 1e-12)
    assert min(loss(best), 1.0) == pytest.approx(r.lost_share(save, 0.0, per_hour))


@given(HOURS, HOURS, st.floats(0.0, 1.0), RATE, RATE)
def test_losses_grow_and_never_exceed_all(
    save: float, more: float, restart: float, a: float, b: float
) -> None:
    rare, often = sorted((a, b))
    few = r.lost_share(save, restart, rare)
    assert 0 < few <= r.lost_share(save, restart, often) <= 1
    assert few <= r.lost_share(save + more, restart, rare)
    assert few <= r.lost_share(save, restart + more, rare)


def test_nothing_interrupts_nothing_is_lost() -> None:
    assert r.lost_share(0.1, 0.2, 0.0) == 0.0
    assert math.isinf(r.young_interval_hours(0.1, 0.0))
    assert r.lost_per_interruption_hours(0.1, 0.2, 0.0) == 0.2
    assert r.lost_share(0.0, 0.25, 0.01) == pytest.approx(0.0025)


def test_published_figures() -> None:
    # Llama 3: 419 unexpected interruptions of 16,384 H100 in 54 days
    assert r.failures_per_hour(16384) * 54 * 24 == pytest.approx(419, rel=0.02)
    # BLOOM: checkpoints of 2.3 TB for 176e9 weights
    assert r.checkpoint_bytes(176.25e9, 0.0, "full") == pytest.approx(2.3e12, rel=0.1)
    assert r.checkpoint_bytes(70e9, 1e8, "lora") == pytest.approx(1.4e9)
    assert r.save_hours(3.6e12, 10, 1e9) == pytest.approx(0.1)
