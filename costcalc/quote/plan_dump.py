"""A plan back in the form of its file: JSON values that read into the same plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from costcalc.quote.plan import Plan
from costcalc.quote.plan_fields import FieldType


def plan_to_mapping(plan: Plan) -> dict[str, Any]:
    """`plan` as JSON values in the file's form; keys that hold their default are left out."""
    mapping: dict[str, Any] = _dump(plan, None)
    return mapping


@cache
def field_types(cls: Any) -> dict[str, Any]:
    """Field name -> its annotation, markers included."""
    return get_type_hints(cls, include_extras=True)


def field_type(annotation: Any) -> FieldType | None:
    """The field type that an annotation carries, if any."""
    for part in _parts(annotation):
        if isinstance(part, FieldType):
            return part
    return None


def _parts(annotation: Any) -> list[Any]:
    found = [*getattr(annotation, "__metadata__", ())]
    for argument in get_args(annotation):
        if argument not in found and not isinstance(argument, FieldType):
            found.extend(_parts(argument))
    return found


def _dump(value: Any, annotation: Any) -> Any:
    if (
        dataclasses.is_dataclass(value)
        and not isinstance(value, type)
        and type(value).__module__.endswith("quote.plan")
    ):
        hints = field_types(type(value))
        return {
            item.name: _dump(getattr(value, item.name), hints[item.name])
            for item in dataclasses.fields(value)
            if item.name == "kind" or not _is_default(item, getattr(value, item.name))
        }
    if isinstance(value, tuple):
        return [_dump(item, None) for item in value]
    if isinstance(value, Mapping):
        inner = _value_annotation(annotation)
        return {name: _dump(item, inner) for name, item in value.items()}
    kind = field_type(annotation) if annotation is not None else None
    return value if kind is None or value is None else kind.dump(value)


def _value_annotation(annotation: Any) -> Any:
    base = annotation
    while hasattr(base, "__metadata__"):
        base = get_args(base)[0]
    arguments = get_args(base)
    return arguments[1] if get_origin(base) is not None and len(arguments) == 2 else None


def _is_default(item: dataclasses.Field[Any], value: Any) -> bool:
    if item.default is not dataclasses.MISSING:
        return bool(value == item.default)
    if item.default_factory is not dataclasses.MISSING:
        return bool(value == item.default_factory())
    return False
