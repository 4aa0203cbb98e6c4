"""Validates `accelerators/*.yaml` and turns them into the compact form that is compiled."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from costcalc.catalog.fields import Fields, fault, mapping, sequence
from costcalc.catalog.names import nearest, normal
from costcalc.catalog.yamlfile import Node

STATUSES = ("available", "announced", "retired")
CONFIDENCES = ("published", "measured", "estimated")
FIGURES = (
    "peak_bf16_tflops",
    "peak_fp8_tflops",
    "peak_fp4_tflops",
    "peak_int8_tops",
    "matmul_bf16_tflops",
    "matmul_fp8_tflops",
    "hbm_gb",
    "hbm_gbps",
    "scaleup_gbps",
    "scaleout_gbps",
    "tdp_w",
    "chips_per_host",
    "max_scaleup_chips",
)
_WHOLE = ("chips_per_host", "max_scaleup_chips")
_TOP = ("sources", "accelerators")
_KEYS = (
    "name",
    "vendor",
    "family",
    "status",
    "since",
    "train",
    "serve",
    "software",
    "aliases",
    "figures",
    "slices",
    "machine_types",
    "claims",
    "not_published",
    "note",
)


def compile_accelerators(files: Iterable[Node]) -> dict[str, Any]:
    """All accelerators of the room, with their alias index.

    Raises:
        InputError: a fault, with file, line and key.
    """
    entries: dict[str, Any] = {}
    places: dict[str, Node] = {}
    for root in files:
        top = Fields(root, "accelerators", _TOP)
        sources = source_table(top)
        for identity, node in mapping(top.at("accelerators"), "accelerators").items():
            if identity in entries:
                raise fault(node, identity, "duplicate_entry", name=identity)
            if normal(identity) != identity:
                raise fault(node, identity, "bad_id", name=identity, right=normal(identity))
            entries[identity] = _accelerator(identity, node, sources)
            places[identity] = node
    return {"accelerators": entries, "aliases": _alias_index(entries, places)}


def source_table(top: Fields) -> dict[str, tuple[str, str]]:
    """The `sources:` table of a file: short name -> (text, date)."""
    table: dict[str, tuple[str, str]] = {}
    if "sources" not in top:
        return table
    for name, node in mapping(top.at("sources"), "sources").items():
        fields = Fields(node, name, ("text", "date"))
        table[name] = (fields.text("text"), fields.date("date"))
    return table


def find_source(
    fields: Fields, sources: dict[str, tuple[str, str]], key: str = "source"
) -> tuple[str, str]:
    """The source that an entry names, with the entry's own `date` where it has one."""
    name = fields.text(key)
    if name not in sources:
        near = ", ".join(nearest(name, sources) or sorted(sources))
        raise fault(fields.at(key), key, "unknown_source", name=name, names=near)
    text, date = sources[name]
    return text, fields.date("date") if "date" in fields else date


def _accelerator(identity: str, node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    fields = Fields(node, identity, _KEYS)
    status = fields.choice("status", STATUSES)
    entry: dict[str, Any] = {
        "name": fields.text("name"),
        "vendor": fields.text("vendor"),
        "family": fields.text("family"),
        "status": status,
        "since": fields.optional_text("since"),
        "train": fields.boolean("train", default=False),
        "serve": fields.boolean("serve", default=False),
        "software": fields.list_of_texts("software"),
        "aliases": fields.list_of_texts("aliases"),
        "figures": _figures(fields, sources),
        "note": fields.optional_text("note"),
    }
    if "slices" in fields:
        entry["slices"] = _slices(fields.at("slices"))
    if "machine_types" in fields:
        entry["machine_types"] = {
            name: Fields(child, name, ("chips",)).whole("chips", high=4096)
            for name, child in mapping(fields.at("machine_types"), "machine_types").items()
        }
    if "claims" in fields:
        entry["claims"] = [
            _claim(child, sources) for child in sequence(fields.at("claims"), "claims")
        ]
    if "not_published" in fields:
        entry["not_published"] = fields.list_of_texts("not_published")
    return entry


def _figures(fields: Fields, sources: dict[str, tuple[str, str]]) -> dict[str, list[Any]]:
    figures: dict[str, list[Any]] = {}
    if "figures" not in fields:
        return figures
    group = Fields(fields.at("figures"), "figures", FIGURES)
    for name, node in group.children.items():
        if node.value is None:
            continue
        figure = Fields(node, name, ("value", "source", "date", "confidence", "note"))
        value = figure.decimal("value", low=Decimal("0.001"), high=10**9)
        if name in _WHOLE and value != value.to_integral_value():
            raise fault(figure.at("value"), name, "want_whole")
        text, date = find_source(figure, sources)
        default = "measured" if name.startswith("matmul_") else "published"
        confidence = figure.choice("confidence", CONFIDENCES, default=default)
        number = int(value) if value == value.to_integral_value() else float(value)
        figures[name] = [number, text, date, confidence, figure.optional_text("note")]
    _check_rates(figures, group)
    return figures


def _check_rates(figures: dict[str, list[Any]], group: Fields) -> None:
    """A measured matmul rate above the dense peak means that one of the two is wrong."""
    for precision in ("bf16", "fp8"):
        peak = figures.get(f"peak_{precision}_tflops")
        measured = figures.get(f"matmul_{precision}_tflops")
        if peak and measured and measured[0] > peak[0]:
            raise fault(
                group.at(f"matmul_{precision}_tflops"),
                f"matmul_{precision}_tflops",
                "matmul_above_peak",
                value=measured[0],
                peak=peak[0],
            )


def _slices(node: Node) -> dict[str, Any]:
    fields = Fields(
        node, "slices", ("prefixes", "suffix_counts", "cores_per_chip", "sizes", "cube", "largest")
    )
    counts = fields.choice("suffix_counts", ("chips", "cores"))
    sizes = [_size(item) for item in sequence(fields.at("sizes"), "sizes")]
    if sizes != sorted(set(sizes)):
        raise fault(fields.at("sizes"), "sizes", "want_rising")
    return {
        "prefixes": fields.list_of_texts("prefixes"),
        "cores_per_chip": fields.whole("cores_per_chip", high=8) if counts == "cores" else 1,
        "sizes": sizes,
        "cube": fields.optional_whole("cube"),
        "largest": fields.optional_whole("largest") or sizes[-1],
    }


def _size(node: Node) -> int:
    value = node.scalar()
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise fault(node, "sizes", "want_whole")
    return value


def _claim(node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    fields = Fields(node, "claims", ("text", "by", "date", "baseline", "verified", "source"))
    text, _ = find_source(fields, sources)
    return {
        "text": fields.text("text"),
        "by": fields.text("by"),
        "date": fields.text("date"),
        "baseline": fields.optional_text("baseline"),
        "verified": fields.boolean("verified", default=False),
        "source": text,
    }


def _alias_index(entries: dict[str, Any], places: dict[str, Node]) -> dict[str, str]:
    """Normal form of every id and alias, with and without the vendor's name, to its id."""
    index: dict[str, str] = {}
    for identity in entries:
        index[normal(identity)] = identity
    for identity, entry in entries.items():
        for alias in (*entry["aliases"], entry["name"]):
            form = normal(alias)
            owner = index.setdefault(form, identity)
            if owner != identity:
                raise fault(places[identity], "aliases", "alias_taken", alias=alias, owner=owner)
    for identity, entry in entries.items():
        for form in [form for form, owner in index.items() if owner == identity]:
            index.setdefault(f"{entry['vendor']}-{form}", identity)
    return index
