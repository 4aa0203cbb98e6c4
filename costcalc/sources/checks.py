"""What must hold before a fetch is stored: the catalog's own rules, and that nothing was lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from costcalc.catalog.offers import Offer
from costcalc.errors import InputError
from costcalc.sources.faults import FeedError
from costcalc.sources.rows import FeedResult, Key

SMALL = 20
"""Below this many rows, any number of them may go away at once."""
LARGEST_LOSS = 0.5
REGION_SMALL = 5
"""A region with fewer rows may lose all of them."""


class InvalidRowsError(FeedError):
    """Rows that the catalog's own validation refuses."""

    def __init__(self, cause: InputError) -> None:
        super().__init__("sources.invalid_rows", detail=str(cause))
        self.cause = cause

    def message(self, language: str = "en") -> str:
        """The sentence, with the catalog's own sentence inside."""
        from costcalc import messages

        detail = self.cause.message(language)
        return messages.text("sources.invalid_rows", language, detail=detail)


def check_zeros(result: FeedResult, known: Callable[[Key], bool]) -> None:
    """A price of 0 means "not sold this way", which is no news for something never sold so.

    Raises:
        FeedError: something that had a price has the price 0 now.
    """
    for key, where in result.zeros.items():
        if key in result.rows:
            continue
        if known(key):
            raise FeedError("sources.zero_price", where=where)
        result.find("not_sold", row=where)


def check_losses(
    result: FeedResult, live: Mapping[Key, Offer], *, accept: bool, whole_regions: bool
) -> None:
    """A list that was cut off looks like a list that became short.

    Args:
        live: what the feed listed before.
        accept: the person said that this may be.
        whole_regions: the feed is a price list, from which a region does not drop out as a whole.

    Raises:
        FeedError: more than half of the rows, or all rows of a region, are gone.
    """
    expected = {
        key: held
        for key, held in live.items()
        if (result.regions is None or held.region is None or held.region in result.regions)
        and held.region not in result.kept_regions
        and held.region not in result.doubtful
        and key not in result.kept
    }
    if accept or not expected:
        return
    lost = [key for key in expected if key not in result.rows]
    if len(expected) >= SMALL and len(lost) > LARGEST_LOSS * len(expected):
        raise FeedError("sources.lost_most", lost=len(lost), rows=len(expected))
    if not whole_regions:
        return
    had = Counter(held.region for held in expected.values())
    have = {row.offer.region for row in result.rows.values()}
    for region, count in had.items():
        if region not in have and count >= REGION_SMALL:
            raise FeedError("sources.lost_region", region=region or "*", rows=count)


def find_empty_regions(
    result: FeedResult, regions: Iterable[str], shipped: Iterable[Offer], provider: str
) -> None:
    """Note each region that was asked for, has prices in the catalog, and came back empty."""
    have = {row.offer.region for row in result.rows.values()} | result.kept_regions
    listed = Counter(
        held.region
        for held in shipped
        if held.provider == provider and held.purchase == "on-demand"
    )
    for region in regions:
        if region not in have and listed[region]:
            result.find("region_empty", region=region, rows=listed[region])


def check_rows(result: FeedResult, accelerators: Collection[str], feed: str) -> None:
    """Hold the rows against the rules that every file of the catalog has to pass.

    Raises:
        InvalidRowsError: they break one.
    """
    from costcalc.catalog.compile_offers import compile_offers
    from costcalc.catalog.yamlfile import Node
    from costcalc.sources.catalog_form import provider_data

    def tree(value: Any) -> Node:
        if isinstance(value, dict):
            value = {key: tree(child) for key, child in value.items()}
        elif isinstance(value, list):
            value = [tree(child) for child in value]
        elif value is not None and not isinstance(value, str):
            value = str(value)
        return Node(value, feed, 0, True)

    by_provider: dict[str, list[Offer]] = {}
    for row in result.rows.values():
        by_provider.setdefault(row.offer.provider, []).append(row.offer)
    try:
        compile_offers(
            [tree(provider_data(name, rows)) for name, rows in sorted(by_provider.items())],
            accelerators,
        )
    except InputError as error:
        raise InvalidRowsError(error) from None
