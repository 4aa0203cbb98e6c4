"""What people type becomes exact numbers, or one clear sentence."""

from __future__ import annotations

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.errors import InputError
from costcalc.units import (
    parse_count,
    parse_date,
    parse_hours,
    parse_milliseconds,
    parse_money,
    parse_number,
    parse_percent,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("15T", 15_000_000_000_000),
        ("70B", 70_000_000_000),
        ("70G", 70_000_000_000),
        ("8k", 8_000),
        ("8Ki", 8_192),
        ("1.5e12", 1_500_000_000_000),
        ("25_000", 25_000),
        ("25,000", 25_000),
        ("1", 1),
        (" 2 M ", 2_000_000),
    ],
)
def test_counts(text: str, value: int) -> None:
    assert parse_count(text, "--tokens") == value


@pytest.mark.parametrize(
    "text",
    ["", "T", "abc", "1e400", "nan", "inf", "-3", "0", "0.5", "1.5", "15X", "1e", "--", "1 2", "٣"],
)
def test_bad_counts_name_the_place(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_count(text, "--tokens")
    assert "--tokens" in caught.value.message("en")
    assert "--tokens" in caught.value.message("es")
    assert caught.value.exit_status == 2


@given(st.integers(1, 10**20))
def test_a_count_reads_back(value: int) -> None:
    assert parse_count(str(value), "x") == value
    assert parse_count(f"{value:_}", "x") == value
    assert parse_count(f"{value:,}", "x") == value


@given(st.text(max_size=30))
def test_any_text_is_a_number_or_an_input_error(text: str) -> None:
    for parse in (parse_count, parse_hours, parse_milliseconds, parse_money, parse_percent):
        with contextlib.suppress(InputError):
            parse(text, "place")


def test_durations() -> None:
    assert parse_hours("30d", "x") == 720.0
    assert parse_hours("36h", "x") == 36.0
    assert parse_hours("2w", "x") == 336.0
    assert parse_hours("90min", "x") == 1.5
    assert parse_milliseconds("500ms", "x") == 500.0
    assert parse_milliseconds("2s", "x") == 2000.0
    for text in ("30", "0h", "-1d", "1y", "1e30d"):
        with pytest.raises(InputError):
            parse_hours(text, "--deadline")


def test_money_always_names_its_currency() -> None:
    assert parse_money("20000USD", "x").amount == Decimal(20_000)
    assert parse_money("USD 20,000.50", "x").amount == Decimal("20000.50")
    assert parse_money("350k mxn", "x").currency == "MXN"
    for text in ("20000", "$20000", "20000EUR", "USD", "-5USD", "0USD", "nanUSD", "1e99USD"):
        with pytest.raises(InputError):
            parse_money(text, "--budget")


def test_percentages_are_fractions() -> None:
    assert parse_percent("12%", "x") == Decimal("0.12")
    assert parse_percent("12.5", "x") == Decimal("0.125")
    for text in ("-1%", "101%", "12k", "abc", ""):
        with pytest.raises(InputError):
            parse_percent(text, "--discount")


def test_numbers_keep_their_bounds() -> None:
    assert parse_number("18.75", "--fx", low=1, high=100) == Decimal("18.75")
    with pytest.raises(InputError):
        parse_number("0", "--fx", low=1, high=100)


def test_dates() -> None:
    assert parse_date("2026-12-01", "--as-of").isoformat() == "2026-12-01"
    for text in ("01/12/2026", "2026-13-01", "tomorrow", ""):
        with pytest.raises(InputError):
            parse_date(text, "--as-of")
