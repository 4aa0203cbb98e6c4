"""Prices of hosted models: the model meant, the provider meant, the day, and what is refused."""

from __future__ import annotations

import builtins
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from costcalc.errors import InputError
from costcalc.quote.api_prices import RequestShape
from costcalc.sources import api_catalog
from costcalc.sources.api_catalog import hosted_price

DAY = date(2026, 12, 1)
CHAT = RequestShape(1000, 300)


@pytest.mark.parametrize(
    ("asked", "resolved", "usd"),
    [
        # USD per million tokens, in / out: 0.15 / 0.60
        ("gpt-oss-120b@groq", "openai/gpt-oss-120b@groq", "0.00033"),
        ("GPT-OSS-120B@Together", "openai/gpt-oss-120b@together", "0.00033"),
        # a model that the package's own look-up by name does not find at this provider
        ("gpt-oss-120b@fireworks", "gpt-oss-120b@fireworks", "0.00033"),
        # 0.59 / 0.79
        ("llama-3.3-70b-versatile@groq", "llama-3.3-70b-versatile@groq", "0.000827"),
        # 0.88 / 0.88; two names at one price
        (
            "llama-3.3-70b@together",
            "meta-llama/Llama-3.3-70B-Instruct-Turbo@together",
            "0.001144",
        ),
        # 0.135 / 0.40 since 2026-10-18
        ("llama-3.3-70b@novita", "meta-llama/llama-3.3-70b-instruct@novita", "0.000255"),
        # the maker's own API needs no provider: 1.25 / 10
        ("gpt-5", "gpt-5@openai", "0.00425"),
        ("gemini-2.5-flash", "gemini-2.5-flash@google", "0.00105"),
    ],
)
def test_one_request(asked: str, resolved: str, usd: str) -> None:
    found = hosted_price(asked, CHAT, DAY)
    assert found.name == resolved
    assert found.usd_per_request == Decimal(usd)
    assert found.input_usd + found.output_usd == found.usd_per_request
    assert (found.asked, found.as_of) == (asked, DAY)
    assert found.source.startswith("genai-prices ")


def test_prices_are_those_of_the_day() -> None:
    before = hosted_price("llama-3.3-70b@novita", CHAT, date(2026, 10, 1))
    after = hosted_price("llama-3.3-70b@novita", CHAT, date(2026, 10, 18))
    # 0.39 / 0.39, then 0.135 / 0.40
    assert (before.usd_per_request, after.usd_per_request) == (
        Decimal("0.000507"),
        Decimal("0.000255"),
    )


def test_tiers_apply_to_a_request_not_to_a_million_tokens() -> None:
    short = hosted_price("claude-sonnet-4-5@anthropic", RequestShape(1000, 300), DAY)
    long = hosted_price("claude-sonnet-4-5@anthropic", RequestShape(300_000, 300), DAY)
    # 3 / 15 per million below 200,000 tokens of input
    assert short.usd_per_request == Decimal("0.0075")
    assert long.usd_per_request > 300 * short.input_usd


def test_a_price_by_the_hour_is_the_mean_of_a_day() -> None:
    found = hosted_price("deepseek-v4-pro@deepseek", CHAT, DAY)
    assert found.by_hour
    lowest = 1000 * Decimal("0.66") / 10**6 + 300 * Decimal("1.98") / 10**6
    highest = 1000 * Decimal("1.32") / 10**6 + 300 * Decimal("3.96") / 10**6
    assert lowest < found.usd_per_request < highest
    assert not hosted_price("gpt-oss-120b@groq", CHAT, DAY).by_hour


def test_cached_tokens_cost_less() -> None:
    whole = hosted_price("gpt-5@openai", RequestShape(10_000, 300), DAY)
    cached = hosted_price("gpt-5@openai", RequestShape(10_000, 300, 8_000), DAY)
    # 1.25 per million, 0.125 from the cache
    assert whole.usd_per_request - cached.usd_per_request == Decimal("0.009")


def test_a_retired_model_is_marked() -> None:
    assert hosted_price("llama-3.3-70b@cerebras", CHAT, DAY).retired
    assert not hosted_price("gpt-oss-120b@cerebras", CHAT, DAY).retired


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("gpt-oss-120b@grok", "No hosted provider 'grok'. Nearest: groq."),
        ("llama-9@groq", "groq hosts no 'llama-9'. Nearest: "),
        ("nothing-like-it", "No hosted model 'nothing-like-it'. Nearest: "),
        ("llama-3.3-70b@groq", "llama-3.3-70b-specdec@groq, llama-3.3-70b-versatile@groq."),
        ("llama-3.3-70b", "name one of: llama-3.3-70b@"),
        ("openai/gpt-oss-120b:free@openrouter", "has no price: it is given away"),
        ("@groq", "names no model; it is MODEL@PROVIDER"),
        ("", "names no model; it is MODEL@PROVIDER"),
    ],
)
def test_what_is_refused(asked: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        hosted_price(asked, CHAT, DAY)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_the_package_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *arguments: Any, **named: Any) -> Any:
        if name.split(".")[0] == "genai_prices":
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(InputError) as caught:
        hosted_price("gpt-oss-120b@groq", CHAT, DAY)
    assert "pip install 'costcalc[api]'" in str(caught.value)
    assert "pip install 'costcalc[api]'" in caught.value.message("es")
    assert "\n" not in str(caught.value)


def test_the_package_is_not_imported_before_it_is_needed() -> None:
    import subprocess
    import sys

    code = f"import {api_catalog.__name__}, sys; print('genai_prices' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
