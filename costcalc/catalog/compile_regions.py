"""Validates `regions/*.yaml` and turns them into the compact form that `regions.build` reads.

Imported only when a catalog is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from costcalc.catalog.compile_accelerators import find_source, source_table
from costcalc.catalog.fields import Fields, fault, mapping, sequence
from costcalc.catalog.yamlfile import Node

_REGION_KEYS = (
    "name",
    "place",
    "country",
    "city",
    "latitude",
    "longitude",
    "precision",
    "launched",
    "launched_source",
    "opt_in",
    "note",
    "listed",
    "tpu_zones",
    "machine_price_ratios",
)
_PRECISIONS = ("city", "area")


def compile_regions(roots: Iterable[Node]) -> dict[str, Any]:
    """All files of the room as one JSON-ready mapping.

    Raises:
        InputError: an unknown key, a missing or impossible value, a region that two files hold, a
            group that names no region; the message names file, line and key.
    """
    regions: dict[str, Any] = {}
    groups: dict[str, Any] = {}
    group_nodes: list[tuple[str, Node]] = []
    for root in roots:
        top = Fields(root, "regions", ("sources", "regions", "groups"))
        sources = source_table(top)
        if "regions" in top:
            for key, node in mapping(top.at("regions"), "regions").items():
                provider, _, code = key.partition("/")
                if not provider or not code:
                    raise fault(node, key, "want_region_id")
                if key in regions:
                    raise fault(node, key, "duplicate_entry", name=key)
                regions[key] = _region(key, node, sources)
        if "groups" in top:
            for key, node in mapping(top.at("groups"), "groups").items():
                if key in groups:
                    raise fault(node, key, "duplicate_entry", name=key)
                group = Fields(node, key, ("name", "aliases", "regions"))
                groups[key] = {
                    "name": group.text("name"),
                    "aliases": group.list_of_texts("aliases"),
                    "regions": group.list_of_texts("regions"),
                }
                group_nodes.append((key, group.at("regions")))
    for key, node in group_nodes:
        for name in groups[key]["regions"]:
            if name not in regions:
                raise fault(node, name, "unknown_region")
    return {"regions": regions, "groups": groups}


def _region(key: str, node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    fields = Fields(node, key, _REGION_KEYS)
    row: dict[str, Any] = {"name": fields.text("name"), "country": _country(fields)}
    for name in ("place", "city", "launched", "launched_source", "note"):
        if name in fields:
            row[name] = fields.text(name)
    if "latitude" in fields or "longitude" in fields:
        row["latitude"] = float(fields.decimal("latitude", low=-90, high=90))
        row["longitude"] = float(fields.decimal("longitude", low=-180, high=180))
        row["precision"] = fields.choice("precision", _PRECISIONS)
    if "opt_in" in fields:
        row["opt_in"] = fields.boolean("opt_in")
    if "listed" in fields:
        row["listed"] = [
            _listing(item, sources) for item in sequence(fields.at("listed"), "listed")
        ]
    if "tpu_zones" in fields:
        row["tpu_zones"] = [
            _zone(item, sources) for item in sequence(fields.at("tpu_zones"), "tpu_zones")
        ]
    if "machine_price_ratios" in fields:
        row["machine_price_ratios"] = [
            _ratio(item)
            for item in sequence(fields.at("machine_price_ratios"), "machine_price_ratios")
        ]
    return row


def _country(fields: Fields) -> str:
    country = fields.text("country")
    if len(country) != 2 or not country.isascii() or not country.isupper():
        raise fault(fields.at("country"), "country", "want_country")
    return country


def _listing(node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    fields = Fields(node, "listed", ("accelerator", "instance_type", "evidence", "source", "note"))
    source, as_of = find_source(fields, sources)
    return {
        "accelerator": fields.text("accelerator"),
        "instance_type": fields.text("instance_type"),
        "evidence": fields.text("evidence"),
        "source": source,
        "as_of": as_of,
        "note": fields.optional_text("note"),
    }


def _zone(node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    fields = Fields(node, "tpu_zones", ("accelerator", "zone", "ai_zone", "source"))
    source, as_of = find_source(fields, sources)
    return {
        "accelerator": fields.text("accelerator"),
        "zone": fields.text("zone"),
        "ai_zone": bool(fields.boolean("ai_zone", default=False)),
        "source": source,
        "as_of": as_of,
    }


def _ratio(node: Node) -> dict[str, Any]:
    fields = Fields(node, "machine_price_ratios", ("against", "ratio", "basis", "source", "as_of"))
    return {
        "against": fields.text("against"),
        "ratio": str(fields.decimal("ratio", low=0, high=100)),
        "basis": fields.text("basis"),
        "source": fields.text("source"),
        "as_of": fields.date("as_of"),
    }
