"""Short forms of a plan: `total: 500USD` for `total: {amount: 500USD}`, and workloads by kind.

Like the field types these hang in annotations and import pydantic only when a plan is validated.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from costcalc.quote.plan_fields import FieldType, Number

_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Short:
    """A mapping that may be written as the value of its one important key."""

    def __init__(self, key: str, value: FieldType) -> None:
        self.key, self.value = key, value

    def expand(self, value: Any) -> Any:
        """The mapping that the short form stands for."""
        return value if isinstance(value, dict) else {self.key: value}

    def schema(self, long: dict[str, Any]) -> dict[str, Any]:
        """JSON Schema of both forms."""
        return {"anyOf": [self.value.schema(), long]}

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return self.schema(handler(schema))


class FxShort(Short):
    """`fx: catalog`, `fx: 18.75`, `fx: 2026-10-30`, or the mapping."""

    def __init__(self) -> None:
        super().__init__("rate", Number(0, 1000, above=True))

    def expand(self, value: Any) -> Any:
        if value == "catalog":
            return {}
        if isinstance(value, str) and _ISO_DATE.fullmatch(value.strip()):
            return {"date": value}
        return super().expand(value)

    def schema(self, long: dict[str, Any]) -> dict[str, Any]:
        return {
            "anyOf": [
                {"const": "catalog"},
                {"type": "string", "format": "date", "pattern": f"^{_ISO_DATE.pattern}$"},
                self.value.schema(),
                long,
            ]
        }


class ByProvider:
    """A mapping by provider, whose names are lower case however they are written."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import PydanticCustomError, core_schema

        from costcalc.errors import InputError

        def lowered(value: Any) -> Any:
            if not isinstance(value, dict):
                return value
            found = {name.strip().lower(): item for name, item in value.items()}
            if len(found) < len(value):
                error = InputError("plan.same_provider", what="")
                raise PydanticCustomError("costcalc", "same", {"error": error})
            return found

        return core_schema.no_info_before_validator_function(lowered, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        found: dict[str, Any] = handler(schema)
        return found


class NotEmpty:
    """A list with at least one item."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import PydanticCustomError, core_schema

        from costcalc.errors import InputError

        def check(value: Any) -> Any:
            if value is None or (isinstance(value, list) and not value):
                error = InputError("plan.empty_list", what="")
                raise PydanticCustomError("costcalc", "empty", {"error": error})
            return value

        return core_schema.no_info_before_validator_function(check, handler(source))

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        long: dict[str, Any] = handler(schema)
        return {**long, "minItems": 1}


class ByKind:
    """A union of workload classes told apart by their `kind`."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        from costcalc.quote.plan import KINDS

        allowed = set(get_args(source))
        return core_schema.tagged_union_schema(
            choices={kind: handler(cls) for kind, cls in KINDS.items() if cls in allowed},
            discriminator="kind",
        )
