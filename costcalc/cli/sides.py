"""The two sides of a diff, and the baseline of a check: the JSON of a quote, or a plan."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from costcalc import safeyaml
from costcalc.catalog.rates import ExchangeRate
from costcalc.cli import output
from costcalc.cli.plan_file import PlanCall, UnpricedError, load, quote_loaded
from costcalc.cli.plan_reading import belongs_to_reader
from costcalc.cli.reading import split_paths
from costcalc.cli.session import as_of_date
from costcalc.errors import InputError
from costcalc.quote import stored
from costcalc.quote.stored import StoredQuote

LIMIT_BYTES = 32 * 1024 * 1024
# each of these begins a value: a bound on memory before anything is parsed
MOST_VALUES = 1_500_000
_VALUES = re.compile(r"[\[{,:]")


def load_side(call: PlanCall, fx: ExchangeRate | None = None) -> StoredQuote:
    """The quote that a file holds or, for a plan, its quote now.

    Args:
        fx: the rate for a plan; its own if None.

    Raises:
        InputError: neither a quote nor a plan, or an incomplete quote.
        UnpricedError: a workload of the plan has no price.
    """
    if len(split_paths(call.path)) > 1:
        return _plan_side(call, fx)
    text = safeyaml.read_file(call.path, limit_bytes=LIMIT_BYTES)
    if text.lstrip().startswith("{"):
        data = parse_json(text, call.path)
        if stored.looks_stored(data):
            return stored.from_json(data, call.path)
    if len(text) > safeyaml.DEFAULT_LIMIT_BYTES and not belongs_to_reader(call.path):
        raise InputError("diff.not_a_quote", name=call.path)
    return _plan_side(call, fx)


def _plan_side(call: PlanCall, fx: ExchangeRate | None) -> StoredQuote:
    """The quote of a plan, or of other tools' files, now."""
    loaded = load(call.path, call.overrides, call.catalog)
    output.warn(output.take_held())
    quote, _ = quote_loaded(loaded, call, as_of_date(call.as_of), fx=fx)
    assert quote.plan is not None
    if quote.plan.failures:
        raise UnpricedError(loaded, quote.plan.failures)
    return stored.from_quote(quote, call.path)


def parse_json(text: str, name: str) -> Any:
    """JSON with exact decimals, bounded.

    Raises:
        InputError: not JSON, nested too deep, too many values, or NaN.
    """
    if sum(1 for _ in _VALUES.finditer(text)) > MOST_VALUES:
        raise InputError("diff.bad_json", name=name, line=1, problem="too many values")
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    except RecursionError:
        raise InputError("diff.bad_json", name=name, line=1, problem="nesting") from None
    except json.JSONDecodeError as error:
        raise InputError("diff.bad_json", name=name, line=error.lineno, problem=error.msg) from None
    except ValueError as error:
        # NaN, or an integer of thousands of digits
        raise InputError("diff.bad_json", name=name, line=1, problem=str(error)) from None


def _refuse(name: str) -> Any:
    raise ValueError(name)
