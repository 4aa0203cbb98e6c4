"""Other offers that can carry the load of a serving quote: what a report shows beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from costcalc.errors import NoOfferError
from costcalc.quote.compare_serve import ServeCompareRequest, compare_serving
from costcalc.quote.serve import ServeRequest
from costcalc.quote.serve_ranking import quote_serve_comparison

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.terms import Terms

SHOWN = 20


def serve_alternatives(
    request: ServeRequest, catalog: Catalog, terms: Terms
) -> tuple[Mapping[str, Any], ...]:
    """Records like those of `compare serve`, best first.

    Args:
        terms: of the quote; its budget leaves nothing out here.
    """
    placement = request.placement
    if placement.nearest:
        placement = replace(placement, region=None, nearest=False)
    asked = ServeCompareRequest(base=replace(request, placement=placement))
    free = replace(terms, budget=None)
    try:
        found = compare_serving(asked, catalog, free, top=SHOWN)
    except NoOfferError:
        return ()
    return quote_serve_comparison(asked, found, catalog, free, {}).offers
