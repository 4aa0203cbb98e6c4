"""The JSON Schema of a plan file, from the classes that validate it."""

from __future__ import annotations

import dataclasses
from typing import Any

from costcalc.quote import plan as plans
from costcalc.quote.plan_dump import field_type, field_types
from costcalc.quote.plan_validation import adapter

SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def plan_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) that editors complete plans with."""
    schema: dict[str, Any] = adapter().json_schema()
    for name, definition in schema.get("$defs", {}).items():
        _tidy(definition, getattr(plans, name, None))
    _tidy(schema, plans.Plan)
    for name in ("defaults", "fx", "budgets"):
        schema["properties"][name].pop("default", None)
    # a key without a value counts as left out, in every mapping
    return {"$schema": SCHEMA_ID, "title": "costcalc plan", **schema}


def _tidy(definition: dict[str, Any], cls: Any) -> None:
    """Drop pydantic's titles, and give defaults in the file's own form."""
    definition.pop("title", None)
    text = definition.get("description")
    if text:
        definition["description"] = text.partition("\n")[0]
    notes = _attribute_notes(text or "")
    hints = {} if cls is None else field_types(cls)
    for name, value in definition.get("properties", {}).items():
        value.pop("title", None)
        if notes.get(name):
            value["description"] = notes[name]
        kind = field_type(hints[name]) if name in hints else None
        default = _default(cls, name)
        if "default" in value and kind is not None and default is not None:
            value["default"] = kind.dump(default)
        elif value.get("default", 0) is None:
            del value["default"]
    kind_schema = definition.get("properties", {}).get("kind")
    if kind_schema is not None:
        # a key that `defaults` may give is not missing from the workload
        given = set(plans.inheritable(kind_schema["default"]))
        required = [name for name in definition.get("required", ()) if name not in given]
        definition["required"] = ["kind", *(name for name in required if name != "kind")]


def _default(cls: Any, name: str) -> Any:
    if not dataclasses.is_dataclass(cls):
        return None
    for item in dataclasses.fields(cls):
        if item.name == name and item.default is not dataclasses.MISSING:
            return item.default
    return None


def _attribute_notes(text: str) -> dict[str, str]:
    """The `Attributes:` of a docstring by name."""
    found: dict[str, str] = {}
    _, _, section = text.partition("Attributes:\n")
    names: list[str] = []
    for line in section.splitlines():
        head, separator, rest = line.strip().partition(": ")
        if line.startswith("    ") and not line.startswith("     ") and separator:
            names = [name.strip() for name in head.split(",")]
            for name in names:
                found[name] = rest
        elif line.strip():
            for name in names:
                found[name] += f" {line.strip()}"
    return found
