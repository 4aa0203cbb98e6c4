"""Lists and ranges as people type them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.cli import axes
from costcalc.errors import InputError
from costcalc.units import parse_count


def values(text: str) -> list[int]:
    return list(axes.axis(text, "--tokens", parse_count))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1T", [10**12]),
        ("1T,2T", [10**12, 2 * 10**12]),
        ("64..512", [64, 128, 256, 512]),
        ("64..500", [64, 128, 256, 500]),
        ("100..100", [100]),
        ("1..10+3", [1, 4, 7, 10]),
        ("1..10+4", [1, 5, 9]),
        ("1e3..1e+3", [1000]),
        ("1e+3..2e+3+500", [1000, 1500, 2000]),
        ("8k, 1k..4k ,16k", [8000, 1000, 2000, 4000, 16000]),
    ],
)
def test_axis(text: str, wanted: list[int]) -> None:
    assert values(text) == wanted


@pytest.mark.parametrize("text", ["", "1,", "a", "1..", "..2", "1..2+", "1..2+x", "0..4", "-1"])
def test_bad_axis(text: str) -> None:
    with pytest.raises(InputError) as raised:
        values(text)
    assert "--tokens" in raised.value.message("en")


def test_backwards_and_too_many() -> None:
    with pytest.raises(InputError, match="ends before it starts"):
        values("4..1")
    with pytest.raises(InputError, match="at most"):
        values("1..1e20+1")
    with pytest.raises(InputError, match="at most"):
        list(axes.hardware_texts(["h100:1..1000000+1"], parse_count))


@given(
    st.lists(
        st.one_of(
            st.integers(1, 100).map(lambda n: (n,)),
            st.tuples(st.integers(1, 100), st.integers(1, 100), st.integers(1, 9)).map(
                lambda t: range(t[0], t[0] + t[1], t[2])
            ),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_an_axis_is_a_sequence(parts: list[range | tuple[int]]) -> None:
    axis = axes.Axis(parts)
    flat = [value for part in parts for value in part]
    assert list(axis) == flat
    assert len(axis) == len(flat)
    assert [axis[index] for index in range(len(flat))] == flat
    assert axis[-1] == flat[-1]
    assert list(axis[1:]) == flat[1:]
    with pytest.raises(IndexError):
        axis[len(flat)]


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_doubling_has_both_ends(first: int, more: int) -> None:
    found = axes.doubling(first, first + more)
    assert found[0] == first
    assert found[-1] == first + more
    assert list(found) == sorted(set(found))
    assert all(after <= 2 * before for before, after in pairwise(found))


def test_hardware() -> None:
    texts = ["h100:64..256,v5p-8", "p5.48xlarge", "mi300x:8..16+8"]
    assert list(axes.hardware_texts(texts, parse_count)) == [
        "h100:64",
        "h100:128",
        "h100:256",
        "v5p-8",
        "p5.48xlarge",
        "mi300x:8",
        "mi300x:16",
    ]
