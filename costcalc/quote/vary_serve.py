"""The assumptions of a serving quote, each with the bounds within which it is varied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from costcalc.quote.select import Placement
from costcalc.quote.sensitivity import Requote, Swing, Variation, swings
from costcalc.quote.serve import (
    DEFAULT_INPUT_TOKENS,
    DEFAULT_OUTPUT_TOKENS,
    ServeRequest,
    quote_serving,
)
from costcalc.quote.types import Quote, Totals
from costcalc.quote.vary import (
    amount_variations,
    estimate_range,
    price_variation,
    rate_variation,
)

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.terms import Terms

AMOUNTS = {
    "requests_per_s": "rps",
    "concurrency": "concurrency",
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "first_token_ms": "ttft",
    "token_ms": "tpot",
    "months": "months",
    "storage_gb": "size",
    "egress_gb": "egress",
}
"""Stable name by field of the request."""


def serve_swings(
    request: ServeRequest, quote: Quote, catalog: Catalog, terms: Terms
) -> tuple[Swing, ...]:
    """What each assumption of a serving quote does to its total."""
    filled = replace(
        request,
        input_tokens=request.input_tokens or DEFAULT_INPUT_TOKENS,
        output_tokens=request.output_tokens or DEFAULT_OUTPUT_TOKENS,
    )
    return swings(quote.totals, _variations(filled, quote, catalog, terms))


def _variations(
    request: ServeRequest, quote: Quote, catalog: Catalog, terms: Terms
) -> Iterator[Variation]:
    def totals(asked: ServeRequest, used: Terms = terms) -> Totals:
        return quote_serving(asked, catalog, used).totals

    def with_value(key: str, value: Any) -> Requote:
        return lambda: totals(replace(request, **{key: value}))

    yield from estimate_range(request.name, quote)
    yield from amount_variations(request, request.name, with_value, AMOUNTS)
    hardware = request.placement.hardware
    rented: Any = quote.workloads[0].estimate
    placement = replace(
        request.placement,
        hardware=replace(hardware, count=rented.serving.accelerators),
        together=hardware.count,
    )

    def elsewhere(there: Placement) -> Totals:
        return totals(replace(request, placement=replace(there, hardware=hardware, together=None)))

    yield from price_variation(
        placement, quote, catalog, terms, elsewhere, hours=float(request.hours)
    )
    yield rate_variation(catalog, terms, lambda used: totals(request, used))
