"""Other ways to do the run of a training quote: what a report shows beside it.

Each accelerator's cheapest offers that end within half, once, twice and four times the quoted
hours, so that the picture shows what speed costs and what patience saves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from costcalc.errors import NoOfferError
from costcalc.quote.compare import compare
from costcalc.quote.compare_types import CompareRequest
from costcalc.quote.ranking import quote_comparison
from costcalc.quote.train import TrainRequest, inputs

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.terms import Terms

PACES = (0.5, 1.0, 2.0, 4.0)
PER_PACE = 12
SHOWN = 20
_KEY = ("provider", "region", "instance_type", "accelerator_count", "purchase")


def alternatives(
    request: TrainRequest, hours: float, catalog: Catalog, terms: Terms
) -> tuple[Mapping[str, Any], ...]:
    """Records like those of a comparison (`costcalc.quote.ranking.record`), cheapest first.

    Args:
        hours: of the quoted run.
        terms: of the quote; its budget leaves nothing out here.
    """
    placement = request.placement
    free = replace(terms, budget=None)
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for pace in PACES:
        asked = CompareRequest(
            job=request.job(),
            inputs=inputs(request),
            provider=placement.provider,
            region=None if placement.nearest else placement.region,
            purchase=placement.purchase,
            market=placement.market,
            residency=placement.residency,
            deadline_hours=hours * pace,
        )
        try:
            ranked = compare(asked, catalog, free, top=PER_PACE)
        except NoOfferError:
            continue
        for offer in quote_comparison(asked, ranked, catalog, free).offers:
            found.setdefault(tuple(offer[name] for name in _KEY), dict(offer))
    return tuple(_ranked(found.values()))


def _ranked(offers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cheapest first, the Pareto set marked; that set, then the cheapest others are kept."""
    rows = sorted(offers, key=lambda offer: (offer["usd"], offer["hours"], str(offer["provider"])))
    fastest = float("inf")
    for offer in rows:
        offer["pareto"] = offer["hours"] < fastest
        fastest = min(fastest, offer["hours"])
    front = [offer for offer in rows if offer["pareto"]]
    others = [offer for offer in rows if not offer["pareto"]]
    kept = {id(offer) for offer in [*front, *others][:SHOWN]}
    rows = [offer for offer in rows if id(offer) in kept]
    for number, offer in enumerate(rows, 1):
        offer["rank"] = number
        offer["usd_ratio"] = (offer["usd"] / rows[0]["usd"]) if rows[0]["usd"] else None
    return rows
