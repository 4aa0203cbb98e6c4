"""Offers in the form of the catalog's `offers/*.yaml`, as plain data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from costcalc.catalog.offers import Offer


def provider_data(provider: str, offers: Iterable[Offer]) -> dict[str, Any]:
    """The content of a file with the offers of one provider; numbers stay `Decimal`."""
    rows = sorted(offers, key=lambda held: (held.key, held.as_of))
    sources = {
        name: {"text": text, "date": day} for (text, day), name in source_names(rows).items()
    }
    names = source_names(rows)
    machines: dict[tuple[str, str, int], list[Offer]] = {}
    for held in rows:
        machine = (held.instance_type, held.accelerator, held.accelerator_count)
        machines.setdefault(machine, []).append(held)
    return {
        "provider": provider,
        "market": "hyperscaler",
        "sources": sources,
        "instances": [instance_data(group, names) for group in machines.values()],
    }


def source_names(offers: Iterable[Offer]) -> dict[tuple[str, str], str]:
    """A short name for each (source, day)."""
    found: dict[tuple[str, str], str] = {}
    for held in offers:
        key = (held.source, held.as_of.isoformat())
        if key not in found:
            found[key] = f"fetched-{key[1]}" + (f"-{len(found) + 1}" if found else "")
    return found


def instance_data(group: list[Offer], names: dict[tuple[str, str], str]) -> dict[str, Any]:
    """One machine with all its prices."""
    first = group[0]
    entry: dict[str, Any] = {
        "instance_type": first.instance_type,
        "accelerator": first.accelerator,
        "accelerator_count": first.accelerator_count,
    }
    if first.accelerator_as_listed:
        entry["accelerator_as_listed"] = first.accelerator_as_listed
    if first.vcpus is not None:
        entry["vcpus"] = first.vcpus
    if first.memory_gib is not None:
        entry["memory_gib"] = first.memory_gib
    entry["family"] = family_of(first)
    entry["prices"] = price_list(group, names)
    return entry


def family_of(offer: Offer) -> str:
    """The family within which prices must follow the count of accelerators."""
    if offer.provider == "aws":
        return f"{offer.accelerator} {offer.instance_type.partition('.')[0]}"
    return offer.accelerator


def price_list(group: list[Offer], names: dict[tuple[str, str], str]) -> list[dict[str, Any]]:
    """Prices that differ in nothing but region and amount as one entry."""
    entries: dict[tuple[Any, ...], dict[str, Any]] = {}
    for held in group:
        same = (
            held.purchase,
            held.purchase_as_listed,
            held.term,
            held.market,
            held.region_scope,
            held.as_of,
            held.source,
            held.confidence,
            held.note,
            held.ended,
        )
        entry = entries.setdefault(same, _price(held, names))
        if held.region is None:
            entry["usd_per_instance_hour"] = held.usd_per_instance_hour
        else:
            entry["usd_per_instance_hour"][held.region] = held.usd_per_instance_hour
    return list(entries.values())


def _price(held: Offer, names: dict[tuple[str, str], str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"purchase": held.purchase}
    if held.purchase_as_listed != held.purchase:
        entry["purchase_as_listed"] = held.purchase_as_listed
    if held.term:
        entry["term"] = held.term
    if held.market != "hyperscaler":
        entry["market"] = held.market
    if held.region is None:
        entry["region_scope"] = held.region_scope
    entry["as_of"] = held.as_of.isoformat()
    entry["source"] = names[held.source, held.as_of.isoformat()]
    if held.confidence != "listed":
        entry["confidence"] = held.confidence
    if held.note:
        entry["note"] = held.note
    if held.ended is not None:
        entry["ended"] = held.ended.isoformat()
    entry["usd_per_instance_hour"] = {}
    return entry
