"""What a published figure means in tokens per second."""

from __future__ import annotations

import pytest

from costcalc.accuracy.measured import (
    counts_full_attention,
    counts_recompute,
    measured_rate,
    peak_in,
    refers_to_precision,
    year_of,
)


def rate(**changes: object) -> float | None:
    given = {
        "tokens_per_s": None,
        "tflops": None,
        "utilisation": None,
        "convention": "causal",
        "date": "2026-01",
        "peak_bf16": 1000.0,
        "peak_precision": 2000.0,
        "params_active": 10e9,
        "factor": 6.0,
        "attention_flops": 10e9,
    }
    return measured_rate(**{**given, **changes})  # type: ignore[arg-type]


def test_the_first_figure_counts() -> None:
    assert rate(tokens_per_s=123.0, tflops=1.0, utilisation=0.9) == 123.0
    assert rate(tflops=700.0, utilisation=0.9) == pytest.approx(700e12 / 70e9)
    assert rate(utilisation=0.7) == pytest.approx(700e12 / 70e9)
    assert rate() is None


def test_the_peak_that_a_utilisation_refers_to() -> None:
    per_precision = rate(utilisation=0.5, convention="MFU (denominator = peak of the precision)")
    assert per_precision == pytest.approx(1000e12 / 70e9)
    named = rate(utilisation=0.5, convention="eMFU over BF16 peak 2237, causal")
    assert named == pytest.approx(0.5 * 2237e12 / 70e9)
    assert rate(utilisation=0.5, peak_bf16=None) is None


def test_conventions_of_flops() -> None:
    assert rate(tflops=800.0, convention="PaLM") == pytest.approx(800e12 / 80e9)
    old = rate(tflops=800.0, convention="MFU", date="2024-05")
    assert old == pytest.approx(800e12 / 80e9)
    new = rate(tflops=700.0, convention="MFU", date="2026-05")
    assert new == pytest.approx(700e12 / 70e9)
    hardware = rate(tflops=700.0, convention="TFLOP/s incl. recompute", date="2026")
    assert hardware == pytest.approx(700e12 / 70e9 * 6 / 8)


@pytest.mark.parametrize(
    ("convention", "year", "full"),
    [
        ("Model TFLOP/s/GPU (Megatron formula, causal-halved)", 2024.0, False),
        ("MFU (torchtitan, full attention PaLM)", 2026.0, True),
        ("MFU", 2024.0, True),
        ("MFU", 2026.0, False),
        ("MFU", None, False),
    ],
)
def test_attention_counting(convention: str, year: float | None, full: bool) -> None:
    assert counts_full_attention(convention, year) is full


def test_words() -> None:
    assert counts_recompute("TFLOP/s 147 incl. recompute (HFU-like)")
    assert not counts_recompute("MFU (HFU 43.3%)")
    assert refers_to_precision("MFU (denominator = peak of the precision)")
    assert peak_in("MFU; TFLOP/s column disagrees with MFU x 459 in some rows") is None


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("2024-11", 2024 + 10.5 / 12),
        ("2024-04-22", 2024 + 3.5 / 12),
        ("2025", 2025.5),
        ("NeMo 26.06", 2026 + 5.5 / 12),
        ("2024-10 (1.18)", 2024 + 9.5 / 12),
        ("", None),
        ("soon", None),
    ],
)
def test_dates(text: str, year: float | None) -> None:
    assert year_of(text) == (None if year is None else pytest.approx(year))
