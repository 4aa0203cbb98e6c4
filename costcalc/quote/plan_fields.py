"""What a value of a plan file may look like: one small class per kind of value.

A field type reads the file's form (`15T`, `20000USD`, `36h`), writes it back, and describes it as
JSON Schema. It hangs in the annotations of the plan's dataclasses (`costcalc.quote.plan`), where
pydantic finds it; nothing here imports pydantic until a plan is validated.

Every `parse` raises `InputError`; the error's `what` is filled in by whoever knows the place.
"""

from __future__ import annotations

import difflib
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from costcalc import units
from costcalc.errors import InputError

MAX_TEXT = 400
_EXAMPLE_MONEY = "20000USD"
_GB_PER_UNIT = {
    "GB": Decimal(1),
    "TB": Decimal(1000),
    "PB": Decimal(1_000_000),
    "MB": Decimal("0.001"),
    "GiB": Decimal(2**30) / 10**9,
    "TiB": Decimal(2**40) / 10**9,
    "PiB": Decimal(2**50) / 10**9,
    "MiB": Decimal(2**20) / 10**9,
}
_KW_PER_UNIT = {"W": Decimal("0.001"), "kW": Decimal(1), "MW": Decimal(1000)}
_YES_NO = frozenset({"yes", "no", "on", "off", "y", "n"})


class FieldType:
    """One kind of value. Subclasses say how it is read, written and described."""

    examples: ClassVar[tuple[Any, ...]] = ()

    def parse(self, value: Any) -> Any:
        """The file's value as the plan's value."""
        raise NotImplementedError

    def dump(self, value: Any) -> Any:
        """The plan's value as a JSON value that `parse` reads back to the same."""
        return value

    def schema(self) -> dict[str, Any]:
        """JSON Schema of the file's form."""
        raise NotImplementedError

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import PydanticCustomError, core_schema

        def validate(value: Any) -> Any:
            try:
                return self.parse(value)
            except InputError as error:
                raise PydanticCustomError("costcalc", "invalid", {"error": error}) from None

        return core_schema.no_info_plain_validator_function(validate)

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        return self.schema()


def shown(value: Any) -> str:
    """`value` in a sentence: short, on one line."""
    text = repr(value) if not isinstance(value, dict | list) else type_word(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def type_word(value: Any) -> str:
    """The YAML word for the kind of `value`."""
    if isinstance(value, dict):
        return "{...}"
    if isinstance(value, list):
        return "[...]"
    return str(value)


def _written(value: Any, key: str, **params: Any) -> str:
    """`value` as a person would have typed it; containers and truth values are refused."""
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        raise InputError(key, what="", text=shown(value), **params)
    return value if isinstance(value, str) else str(value)


class Text(FieldType):
    """One line of text; a number is no text, so that `name: 7` asks for quotes."""

    def __init__(self, longest: int = MAX_TEXT) -> None:
        self.longest = longest

    def parse(self, value: Any) -> str:
        if not isinstance(value, str):
            raise InputError("plan.text", what="", text=shown(value))
        text = value.strip()
        if not text or len(text) > self.longest or any(ord(letter) < 32 for letter in text):
            raise InputError("plan.text_length", what="", text=shown(value), longest=self.longest)
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "maxLength": self.longest}


class Choice(FieldType):
    """One of a closed list of words."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def parse(self, value: Any) -> str:
        if isinstance(value, str) and value.strip().lower() in self.names:
            return value.strip().lower()
        near = difflib.get_close_matches(str(value).lower(), self.names, n=1)
        raise InputError(
            "plan.choice_near" if near else "plan.choice",
            what="",
            text=shown(value),
            names=", ".join(self.names),
            near=near[0] if near else "",
        )

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.names)}


class Flag(FieldType):
    """`true` or `false`; `yes` and `on` are text to this reader, and the error says so."""

    def parse(self, value: Any) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in _YES_NO:
            raise InputError("plan.flag_word", what="", text=shown(value))
        raise InputError("plan.flag", what="", text=shown(value))

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Count(FieldType):
    """A whole number with an optional suffix: `15T`, `8k`, `4096`."""

    def __init__(self, low: int = 1, high: int = units.MAX_COUNT) -> None:
        self.low, self.high = low, high

    def parse(self, value: Any) -> int:
        text = _written(value, "units.number", example="15T")
        return units.parse_count(text, "", low=self.low, high=self.high)

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "integer", "minimum": self.low, "maximum": self.high},
                {"type": "number", "minimum": self.low, "maximum": self.high},
                {"type": "string", "pattern": "^[0-9][0-9_,.]*([eE][+]?[0-9]+)? *[A-Za-z]*$"},
            ],
            "examples": ["15T", "8k", 4096],
        }


class Number(FieldType):
    """A number within bounds, kept exact."""

    def __init__(self, low: Decimal | int, high: Decimal | int, above: bool = False) -> None:
        self.low, self.high, self.above = low, high, above

    def parse(self, value: Any) -> Decimal:
        text = _written(value, "units.number", example="1.5")
        number = units.parse_number(text, "", low=self.low, high=self.high)
        if self.above and number == self.low:
            raise InputError("plan.above", what="", text=shown(value), low=self.low)
        return plain(number)

    def dump(self, value: Decimal) -> Any:
        return number_out(value)

    def schema(self) -> dict[str, Any]:
        bound = "exclusiveMinimum" if self.above else "minimum"
        return {
            "anyOf": [
                {"type": "number", bound: float(self.low), "maximum": float(self.high)},
                {"type": "string", "pattern": "^[0-9.][0-9_,.]*([eE][+-]?[0-9]+)? *[A-Za-z]*$"},
            ]
        }


class Percent(FieldType):
    """A percentage, `12%` or `12`; kept as a fraction."""

    def __init__(self, high: int = 100) -> None:
        self.high = high

    def parse(self, value: Any) -> Decimal:
        text = _written(value, "units.percent", high=self.high)
        return plain(units.parse_percent(text, "", high=self.high))

    def dump(self, value: Decimal) -> str:
        return f"{plain(value * 100):f}%"

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "number", "minimum": 0, "maximum": self.high},
                {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? *%?$"},
            ],
            "examples": ["12%"],
        }


class Amount(FieldType):
    """An amount of money, which always names its currency: `20000USD`, `350k MXN`."""

    def parse(self, value: Any) -> units.Money:
        text = _written(value, "units.money")
        money = units.parse_money(text, "")
        return units.Money(plain(money.amount), money.currency)

    def dump(self, value: units.Money) -> str:
        return f"{value.amount:f} {value.currency}"

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "pattern": "^ *([Uu][Ss][Dd]|[Mm][Xx][Nn])? *[0-9.][0-9_,.eE+]* *[kKmMbB]? *"
            "([Uu][Ss][Dd]|[Mm][Xx][Nn])? *$",
            "examples": [_EXAMPLE_MONEY, "350k MXN"],
        }


class Hours(FieldType):
    """A duration: `36h`, `30d`, or a number of hours."""

    def parse(self, value: Any) -> float:
        text = _written(value, "units.duration", example="30d")
        if not isinstance(value, str):
            text += "h"
        return units.parse_hours(text, "")

    def dump(self, value: float) -> float:
        return value

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0},
                {"type": "string", "pattern": "^[0-9.][0-9_.]* *(h|d|w|min|s|ms)$"},
            ],
            "examples": ["36h", "30d"],
        }


class Milliseconds(FieldType):
    """A latency with its unit: `500ms`, `2s`."""

    def parse(self, value: Any) -> float:
        text = _written(value, "units.duration", example="500ms")
        try:
            return units.parse_milliseconds(text, "")
        except InputError:
            raise InputError(
                "units.duration", what="", text=shown(value), example="500ms"
            ) from None

    def dump(self, value: float) -> str:
        return f"{value!r}ms"

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "pattern": "^[0-9.][0-9_.]*([eE][+-]?[0-9]+)? *(ms|s|min)$",
            "examples": ["500ms"],
        }


class _WithUnit(FieldType):
    """A number and one of a few units; kept in the first unit of the table."""

    table: ClassVar[dict[str, Decimal]]
    base: ClassVar[str]
    key: ClassVar[str]

    def parse(self, value: Any) -> Decimal:
        text = _written(value, self.key, names=", ".join(self.table)).strip()
        for unit in sorted(self.table, key=len, reverse=True):
            if text.endswith(unit):
                number = text[: -len(unit)].strip()
                break
        else:
            raise InputError(self.key, what="", text=shown(value), names=", ".join(self.table))
        try:
            amount = Decimal(number.replace("_", "").replace(",", "")) * self.table[unit]
        except ArithmeticError:
            amount = Decimal(0)
        if not (amount.is_finite() and 0 < amount < 10**12):
            raise InputError(self.key, what="", text=shown(value), names=", ".join(self.table))
        return plain(amount)

    def dump(self, value: Decimal) -> str:
        return f"{value:f}{self.base}"

    def schema(self) -> dict[str, Any]:
        return {
            "type": "string",
            "pattern": f"^[0-9.][0-9_,.]* *({'|'.join(self.table)})$",
            "examples": list(self.examples),
        }


class Size(_WithUnit):
    """An amount of data: `500GB`, `2TiB`; kept in GB (10^9 bytes)."""

    table = _GB_PER_UNIT
    base = "GB"
    key = "plan.size"
    examples = ("500GB", "2TB")


class Power(_WithUnit):
    """Electric power: `10.2kW`, `700W`; kept in kW."""

    table = _KW_PER_UNIT
    base = "kW"
    key = "plan.power"
    examples = ("10.2kW",)


class Day(FieldType):
    """An ISO date."""

    def parse(self, value: Any) -> date:
        if isinstance(value, date):
            return value
        return units.parse_date(_written(value, "units.date"), "")

    def dump(self, value: date) -> str:
        return value.isoformat()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}


class Version(FieldType):
    """The version of the plan format; this costcalc reads version 1."""

    def parse(self, value: Any) -> int:
        if isinstance(value, bool) or value != 1:
            raise InputError("plan.version", what="", text=shown(value))
        return 1

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "const": 1}


def plain(value: Decimal) -> Decimal:
    """`value` without trailing zeros or exponent, so that equal numbers are equal plans."""
    normal = value.normalize()
    exponent = normal.as_tuple().exponent
    return normal.quantize(Decimal(1)) if isinstance(exponent, int) and exponent > 0 else normal


def number_out(value: Decimal) -> Any:
    """A JSON number if it holds `value` exactly, else its text."""
    if value == value.to_integral_value():
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else f"{value:f}"
