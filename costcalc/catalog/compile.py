"""From YAML to one compact JSON per room. Imported only when a room has to be made anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any

from costcalc.catalog.compile_accelerators import compile_accelerators
from costcalc.catalog.compile_claims import compile_claims
from costcalc.catalog.compile_energy import compile_energy
from costcalc.catalog.compile_models import compile_models
from costcalc.catalog.compile_offers import compile_offers
from costcalc.catalog.compile_rates import compile_rates
from costcalc.catalog.compile_regions import compile_regions
from costcalc.catalog.csvfile import parse_table
from costcalc.catalog.yamlfile import Node, parse


def compile_room(
    room: str, files: Mapping[str, bytes], shown: str, accelerators: Callable[[], Collection[str]]
) -> str:
    """The JSON text of a room.

    Args:
        room: `accelerators`, `offers`, `models`, `rates`, or any further file or folder.
        files: its files by path inside the catalog folder, in order: YAML, or one CSV table.
        shown: the folder's name as errors show it.
        accelerators: gives the valid accelerator ids; called for `offers` only.

    Raises:
        InputError: a fault in a file, with file, line and key.
    """
    data: Any
    first, content = next(iter(files.items()))
    if first == f"{room}.csv":
        data = parse_table(content, f"{shown}/{first}")
        return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    trees = {path: parse(data, f"{shown}/{path}") for path, data in files.items()}
    if room == "accelerators":
        data = compile_accelerators(trees.values())
    elif room == "offers":
        data = compile_offers(trees.values(), accelerators())
    elif room == "models":
        data = compile_models(trees.values())
    elif room == "regions":
        data = compile_regions(trees.values())
    elif room == "rates":
        data = compile_rates(_only(trees))
    elif room == "energy":
        data = compile_energy(_only(trees))
    elif room == "claims":
        data = compile_claims(_only(trees))
    elif room == "regions":
        data = compile_regions(trees.values())
    else:
        data = _only(trees).plain_data()
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=False)


def _only(trees: Mapping[str, Node]) -> Node:
    return next(iter(trees.values()))
