"""Validates `energy.yaml`: power shares, PUE, water and carbon, each with year and source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from costcalc.catalog.compile_accelerators import find_source, source_table
from costcalc.catalog.fields import Fields, fault, mapping, sequence, text_of, texts
from costcalc.catalog.yamlfile import Node

LOADS = ("training", "serving", "idle")
GRID_KINDS = ("official", "operational", "life-cycle")
SITE_KINDS = ("reported", "assumption")
SHARE_KINDS = ("measured", "reported", "assumption")
DEFAULT = "default"

_ORIGIN = ("year", "source", "note")


class _Sources:
    """Sources of the file, and the ones in use by number."""

    def __init__(self, table: dict[str, tuple[str, str]]) -> None:
        self.table = table
        self.used: list[str] = []

    def number(self, fields: Fields) -> tuple[int, str]:
        """The place of an entry's source in `used`, and its date."""
        text, date = find_source(fields, self.table)
        shown = f"{text}, {date}"
        if shown not in self.used:
            self.used.append(shown)
        return self.used.index(shown), date


def compile_energy(root: Node) -> dict[str, Any]:
    """The factors of the footprint; `source` is a number in the list `sources`.

    Raises:
        InputError: a fault, with file, line and key.
    """
    top = Fields(
        root,
        "energy",
        (
            "sources",
            "accelerator_power",
            "server_power",
            "server_measurements",
            "pue",
            "site_water",
            "grid_carbon",
            "same_grid",
            "grid_water",
        ),
    )
    sources = _Sources(source_table(top))
    carbon = mapping(top.at("grid_carbon"), "grid_carbon")
    same: dict[str, str] = {}
    if "same_grid" in top:
        for country, node in mapping(top.at("same_grid"), "same_grid").items():
            region = text_of(node, country)
            if region not in carbon:
                raise fault(node, country, "want_choice", value=region, names=", ".join(carbon))
            same[country] = region
    rooms: dict[str, Any] = {
        "accelerator_power": _rows(top, "accelerator_power", sources, _accelerator_power),
        "server_power": _rows(top, "server_power", sources, _server_power),
        "server_measurements": _rows(top, "server_measurements", sources, _measurement),
        "pue": _by_provider(top, "pue", "ratio", 1, sources),
        "site_water": _by_provider(top, "site_water", "litres_per_kwh", 0, sources),
        "grid_carbon": {
            place: [
                _carbon(Fields(item, place, ("g_per_kwh", "kind", *_ORIGIN)), sources)
                for item in sequence(node, place)
            ]
            for place, node in carbon.items()
        },
        "same_grid": same,
        "grid_water": {
            place: _figure(
                Fields(node, place, ("litres_per_kwh", *_ORIGIN)),
                "litres_per_kwh",
                sources,
                high=100,
            )
            for place, node in mapping(top.at("grid_water"), "grid_water").items()
        },
    }
    return {"sources": sources.used, **rooms}


def _rows(
    top: Fields, key: str, sources: _Sources, build: Callable[[Node, _Sources], dict[str, Any]]
) -> list[dict[str, Any]]:
    if key not in top:
        return []
    return [build(node, sources) for node in sequence(top.at(key), key)]


def _figure(
    fields: Fields, value: str, sources: _Sources, *, low: int = 0, high: int = 1
) -> dict[str, Any]:
    """A figure with its year, source and note."""
    number, date = sources.number(fields)
    found: dict[str, Any] = {
        "value": float(fields.decimal(value, low=low, high=high)),
        "year": fields.text("year") if "year" in fields else date[:4],
        "source": number,
    }
    if "note" in fields:
        found["note"] = fields.text("note")
    return found


def _meant(fields: Fields) -> dict[str, Any]:
    """Families of accelerators, or `default`, and how sure the figure is for them."""
    node = fields.at("of")
    if isinstance(node.value, str) and node.value.strip() == DEFAULT:
        return {"of": DEFAULT, "kind": fields.choice("kind", SHARE_KINDS, "assumption")}
    return {"of": texts(node, "of"), "kind": fields.choice("kind", SHARE_KINDS, "measured")}


def _accelerator_power(node: Node, sources: _Sources) -> dict[str, Any]:
    fields = Fields(
        node, "accelerator_power", ("of", "load", "batch_up_to", "share", "kind", *_ORIGIN)
    )
    return {
        **_meant(fields),
        "load": fields.choice("load", LOADS),
        "batch_up_to": fields.optional_whole("batch_up_to"),
        **_figure(fields, "share", sources),
    }


def _server_power(node: Node, sources: _Sources) -> dict[str, Any]:
    fields = Fields(node, "server_power", ("of", "share", "kind", *_ORIGIN))
    return {**_meant(fields), **_figure(fields, "share", sources, high=5)}


def _measurement(node: Node, sources: _Sources) -> dict[str, Any]:
    fields = Fields(node, "server_measurements", ("server", "load", "watts", *_ORIGIN))
    return {
        "server": fields.text("server"),
        "load": fields.text("load"),
        **_figure(fields, "watts", sources, high=1_000_000),
    }


def _by_provider(
    top: Fields, key: str, value: str, low: int, sources: _Sources
) -> dict[str, dict[str, Any]]:
    """A factor for each provider, and one for all others under `default`."""
    rows = mapping(top.at(key), key)
    if DEFAULT not in rows:
        raise fault(top.at(key), f"{key}.{DEFAULT}", "missing_key")
    found = {}
    for provider, node in rows.items():
        fields = Fields(node, provider, (value, "kind", *_ORIGIN))
        found[provider] = {
            "kind": fields.choice("kind", SITE_KINDS),
            **_figure(fields, value, sources, low=low, high=100),
        }
    return found


def _carbon(fields: Fields, sources: _Sources) -> dict[str, Any]:
    return {
        "kind": fields.choice("kind", GRID_KINDS),
        **_figure(fields, "g_per_kwh", sources, high=3000),
    }
