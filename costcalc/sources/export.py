"""The store as catalog YAML: what a maintainer adds to `pricing/offers/`, and should look at.

A price change is a new dated entry beside the old one; nothing that a file holds is rewritten, so
comments and order stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.catalog.offers import Offer
from costcalc.catalog.yamlfile import Node, parse
from costcalc.errors import InputError
from costcalc.sources.catalog_form import instance_data, price_list, provider_data
from costcalc.sources.rows import Key
from costcalc.sources.yaml_text import lines

REVIEW_PCT = Decimal(20)


@dataclass(frozen=True, slots=True)
class Review:
    """Something that a person should check before the new file is used.

    Attributes:
        before: the price before, None when the source no longer lists the offer.
    """

    offer: Offer
    before: Offer | None

    @property
    def change_pct(self) -> Decimal | None:
        """How far the price moved, None for an offer that is gone."""
        if self.before is None:
            return None
        return (self.offer.usd_per_instance_hour / self.before.usd_per_instance_hour - 1) * 100


@dataclass(frozen=True, slots=True)
class Additions:
    """What the catalog lacks.

    Attributes:
        offers: dated entries, oldest first; one that ended carries `ended`.
    """

    offers: tuple[Offer, ...]
    reviews: tuple[Review, ...]


def additions(
    shipped: Iterable[Offer], current: Iterable[Offer], history: Iterable[Offer]
) -> Additions:
    """The store's prices that a catalog does not hold.

    Args:
        shipped: every dated price of the catalog.
        current: what holds now, each with the day of its last confirmation, and what is gone.
        history: every price of the store, each with the day on which it was first seen.
    """
    held: dict[Key, dict[date, Offer]] = {}
    for offer in shipped:
        held.setdefault(offer.key, {})[offer.as_of] = offer
    wanted: dict[Key, dict[date, Offer]] = {}
    for offer in history:
        wanted.setdefault(offer.key, {})[offer.as_of] = replace(offer, ended=None)
    for offer in current:
        days = wanted.setdefault(offer.key, {})
        if offer.ended is None:
            # the newest price with the day on which it was last seen
            newest = max(days, default=offer.as_of)
            days.pop(newest, None)
            days[offer.as_of] = offer
        elif days:
            newest = max(days)
            days[newest] = replace(days[newest], ended=max(offer.ended, newest))
    found: list[Offer] = []
    reviews: list[Review] = []
    for key, days in sorted(wanted.items()):
        known = held.get(key, {})
        before = known[max(known)] if known else None
        for day in sorted(days):
            offer = days[day]
            if known and day <= max(known):
                continue
            found.append(offer)
            if offer.ended is not None:
                reviews.append(Review(offer, None))
            elif before is not None and before.usd_per_instance_hour:
                review = Review(offer, before)
                if abs(review.change_pct or Decimal(0)) > REVIEW_PCT:
                    reviews.append(review)
            before = offer
    return Additions(tuple(found), tuple(reviews))


def new_file(provider: str, offers: Sequence[Offer]) -> str:
    """A whole `offers/<provider>.yaml`."""
    head = f"# Prices of {provider}, fetched by costcalc. A price change is a new dated entry.\n"
    return head + "\n".join(lines(provider_data(provider, offers))) + "\n"


def extended_file(text: str, shown: str, offers: Sequence[Offer]) -> str:
    """`text` with further dated prices: below the machines that it has, new machines at its end.

    Args:
        text: an `offers/<provider>.yaml`.
        shown: the file's name as errors show it.

    Raises:
        InputError: the file cannot be read, or a machine's `prices` is not its last key.
    """
    root = parse(text.encode(), shown)
    rows = text.split("\n")
    while rows and not rows[-1].strip():
        rows.pop()
    names, sources = _sources(root, offers)
    inserts: dict[int, list[str]] = {}
    further: list[str] = []
    places = _places(root, rows, shown)
    groups: dict[tuple[str, str, int], list[Offer]] = {}
    for offer in offers:
        machine = (offer.instance_type, offer.accelerator, offer.accelerator_count)
        groups.setdefault(machine, []).append(offer)
    for machine, group in groups.items():
        if machine in places:
            after, indent = places[machine]
            inserts.setdefault(after, []).extend(lines(price_list(group, names), indent))
        else:
            indent = _indent_of_instances(root, rows)
            further += lines([instance_data(group, names)], indent)
    if sources:
        head = [] if "sources" in root.value else ["sources:"]
        inserts.setdefault(_line_of(rows, "instances") - 1, []).extend([*head, *lines(sources, 2)])
    result: list[str] = []
    for number, row in enumerate(rows, start=1):
        if number == 1 and 0 in inserts:
            result += inserts[0]
        result.append(row)
        result += inserts.get(number, [])
    return "\n".join([*result, *further]) + "\n"


def _sources(
    root: Node, offers: Sequence[Offer]
) -> tuple[dict[tuple[str, str], str], dict[str, Any]]:
    """Names of all sources by (text, day), and those that the file does not have yet."""
    known: dict[str, Node] = root.value.get("sources", Node({}, "", 0, True)).value
    names: dict[tuple[str, str], str] = {}
    for name, node in known.items():
        text, day = node.value.get("text"), node.value.get("date")
        if text is not None and day is not None:
            names[str(text.value), str(day.value)] = name
    added: dict[str, Any] = {}
    for offer in offers:
        day = offer.as_of.isoformat()
        if (offer.source, day) in names:
            continue
        number = 1
        while (name := f"fetched-{day}" + (f"-{number}" if number > 1 else "")) in {
            **known,
            **added,
        }:
            number += 1
        names[offer.source, day] = name
        added[name] = {"text": offer.source, "date": day}
    return names, added


def _places(
    root: Node, rows: Sequence[str], shown: str
) -> dict[tuple[str, str, int], tuple[int, int]]:
    """After which line a machine's next price goes, and how far it is indented."""
    instances: list[Node] = root.value["instances"].value
    places: dict[tuple[str, str, int], tuple[int, int]] = {}
    for position, node in enumerate(instances):
        fields: dict[str, Node] = node.value
        prices = fields["prices"]
        if prices.line < max(child.line for child in fields.values()):
            raise InputError("sources.export_layout", path=shown, line=node.line)
        end = instances[position + 1].line - 1 if position + 1 < len(instances) else len(rows)
        while not rows[end - 1].strip() or rows[end - 1].lstrip().startswith("#"):
            end -= 1
        first = rows[prices.value[0].line - 1]
        indent = len(first) - len(first.lstrip())
        machine = (
            str(fields["instance_type"].value),
            str(fields["accelerator"].value),
            int(fields["accelerator_count"].value),
        )
        places.setdefault(machine, (end, indent))
    return places


def _indent_of_instances(root: Node, rows: Sequence[str]) -> int:
    instances: list[Node] = root.value["instances"].value
    if not instances:
        return 2
    first = rows[instances[0].line - 1]
    return len(first) - len(first.lstrip())


def _line_of(rows: Sequence[str], key: str) -> int:
    """The number of the line on which a top-level key stands."""
    pattern = re.compile(rf"{key}\s*:")
    return next(number for number, row in enumerate(rows, start=1) if pattern.match(row))
