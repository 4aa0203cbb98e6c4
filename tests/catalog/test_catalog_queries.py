"""Lists of offers: filters, order, and the count of what is not shown."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcalc.catalog import Catalog
from costcalc.catalog.queries import SORTS, OfferQuery, select_offers
from costcalc.errors import InputError

TODAY = date(2026, 12, 1)


def test_filters(shipped: Catalog) -> None:
    query = OfferQuery(
        accelerators=("h100-sxm",),
        providers=("AWS",),
        regions=("us-east-1",),
        purchases=("on-demand",),
        markets=("hyperscaler",),
    )
    found = select_offers(shipped.offers(), query, TODAY)
    assert [offer.instance_type for offer in found.offers] == ["p5.48xlarge", "p5.4xlarge"]
    assert (found.matched, found.hidden, found.known) == (2, 0, 1086)


def test_several_values_are_alternatives(shipped: Catalog) -> None:
    query = OfferQuery(accelerators=("gaudi2", "gaudi3"))
    found = select_offers(shipped.offers(), query, TODAY)
    assert {offer.accelerator for offer in found.offers} == {"gaudi2", "gaudi3"}


def test_a_place_in_words(shipped: Catalog) -> None:
    query = OfferQuery(
        in_region=lambda provider, region: (provider, region) == ("azure", "mexicocentral")
    )
    found = select_offers(shipped.offers(), query, TODAY)
    assert {offer.accelerator for offer in found.offers} == {"h200-sxm", "a10"}


def test_history(shipped: Catalog) -> None:
    query = OfferQuery(
        instance_types=("p5en.48xlarge",), purchases=("capacity-block",), sort="date", history=True
    )
    found = select_offers(shipped.offers(), query, TODAY)
    assert [offer.as_of for offer in found.offers] == [date(2025, 12, 31), date(2026, 1, 5)]
    assert found.known == 1136


def test_a_limit_says_how_many_it_hides(shipped: Catalog) -> None:
    found = select_offers(shipped.offers(), OfferQuery(accelerators=("b200",), limit=5), TODAY)
    everything = select_offers(shipped.offers(), OfferQuery(accelerators=("b200",)), TODAY)
    assert found.offers == everything.offers[:5]
    assert found.hidden == len(everything.offers) - 5
    assert everything.hidden == 0


@pytest.mark.parametrize(
    ("query", "words"),
    [
        (OfferQuery(sort="price"), "instance-price"),
        (OfferQuery(providers=("asw",)), "aws"),
        (OfferQuery(regions=("us-east-11",)), "us-east-1"),
        (OfferQuery(instance_types=("p5.48xlarg",)), "p5.48xlarge"),
    ],
)
def test_slips(shipped: Catalog, query: OfferQuery, words: str) -> None:
    with pytest.raises(InputError) as error:
        select_offers(shipped.offers(), query, TODAY)
    assert words in error.value.message("en")


@settings(max_examples=25, deadline=None)
@given(sort=st.sampled_from(SORTS), descending=st.booleans(), limit=st.integers(0, 40))
def test_order_loses_nothing(shipped: Catalog, sort: str, descending: bool, limit: int) -> None:
    query = OfferQuery(accelerators=("h200-sxm",), sort=sort, descending=descending)
    full = select_offers(shipped.offers(), query, TODAY)
    cut = select_offers(
        shipped.offers(),
        OfferQuery(accelerators=("h200-sxm",), sort=sort, descending=descending, limit=limit),
        TODAY,
    )
    assert cut.offers == full.offers[:limit]
    assert cut.hidden + len(cut.offers) == cut.matched == len(full.offers)
    other = select_offers(
        shipped.offers(),
        OfferQuery(accelerators=("h200-sxm",), sort=sort, descending=not descending),
        TODAY,
    )
    assert sorted(map(id, full.offers)) != []
    assert {(*offer.key, offer.as_of) for offer in full.offers} == {
        (*offer.key, offer.as_of) for offer in other.offers
    }
