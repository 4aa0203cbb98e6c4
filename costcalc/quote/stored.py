"""A quote as it comes back from its JSON: what a baseline and a diff need of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from costcalc.catalog.rates import ExchangeRate
from costcalc.errors import InputError
from costcalc.quote.types import Quote

SCHEMA_PREFIX = "costcalc.quote/"
SCHEMA_VERSION = "1"


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A line of a quote, as far as a diff looks at it.

    Attributes:
        price_mxn: the unit price in MXN where the price itself is in MXN, else None.
    """

    workload: str
    item: str
    provider: str | None
    region: str | None
    sku: str | None
    quantity: Decimal
    unit: str
    unit_price_usd: Decimal
    amount_usd: Decimal
    high_usd: Decimal
    price_mxn: Decimal | None = None


@dataclass(frozen=True, slots=True)
class StoredWorkload:
    """What was asked of a workload and which offer it got, as plain values."""

    inputs: Mapping[str, Any]
    offer: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class StoredQuote:
    """A quote, from JSON or just made.

    Attributes:
        catalog: version of the catalog. calibration: date of its time model.
    """

    name: str
    as_of: date
    catalog: str
    calibration: str | None
    fx: ExchangeRate
    workloads: Mapping[str, StoredWorkload]
    lines: tuple[StoredLine, ...]

    @property
    def usd(self) -> Decimal:
        """Sum of the lines."""
        return sum((line.amount_usd for line in self.lines), Decimal(0))

    @property
    def usd_high(self) -> Decimal:
        """Sum of the lines' high ends."""
        return sum((line.high_usd for line in self.lines), Decimal(0))


def looks_stored(data: Any) -> bool:
    """True when `data` is the JSON of a quote rather than a plan."""
    schema = data.get("schema") if isinstance(data, dict) else None
    return isinstance(schema, str) and schema.startswith("costcalc.")


def from_quote(quote: Quote, name: str) -> StoredQuote:
    """A quote just made, in the form of a stored one."""
    workloads = {
        item.name: StoredWorkload(
            item.inputs,
            None
            if item.offer is None
            else {key: getattr(item.offer, key) for key in _OFFER_IDENTITY},
        )
        for item in quote.workloads
    }
    lines = tuple(
        StoredLine(
            workload=line.workload,
            item=line.item,
            provider=line.provider,
            region=line.region,
            sku=line.sku,
            quantity=line.quantity,
            unit=line.unit,
            unit_price_usd=line.unit_price_usd,
            amount_usd=line.amount_usd,
            high_usd=line.high_usd,
            price_mxn=_price_mxn(workloads, line.workload, line.item),
        )
        for line in quote.lines
    )
    return StoredQuote(
        name=name,
        as_of=quote.as_of,
        catalog=quote.catalog.version,
        calibration=quote.catalog.calibration,
        fx=quote.fx,
        workloads=workloads,
        lines=lines,
    )


_OFFER_IDENTITY = ("provider", "region", "instance_type", "purchase", "market")


def _price_mxn(workloads: Mapping[str, StoredWorkload], workload: str, item: str) -> Decimal | None:
    found = workloads.get(workload)
    prices = found.inputs.get("prices_mxn") if found is not None else None
    value = prices.get(item) if isinstance(prices, Mapping) else None
    return None if value is None else Decimal(str(value))


class _Reader:
    """Reads keys of a stored quote; every fault names the file and the key."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fault(self, where: str) -> InputError:
        return InputError("diff.bad_key", name=self.name, where=where)

    def mapping(self, data: Any, where: str) -> Mapping[str, Any]:
        if not isinstance(data, dict):
            raise self.fault(where)
        return data

    def items(self, data: Any, where: str) -> list[Any]:
        if not isinstance(data, list):
            raise self.fault(where)
        return data

    def text(self, data: Mapping[str, Any], key: str, where: str) -> str:
        value = data.get(key)
        if not isinstance(value, str):
            raise self.fault(f"{where}{key}")
        return value

    def optional_text(self, data: Mapping[str, Any], key: str, where: str) -> str | None:
        return None if data.get(key) is None else self.text(data, key, where)

    def number(self, data: Mapping[str, Any], key: str, where: str) -> Decimal:
        value = data.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise self.fault(f"{where}{key}")
        number = Decimal(str(value))
        if not number.is_finite() or abs(number) >= Decimal(10) ** 18:
            raise self.fault(f"{where}{key}")
        return number

    def day(self, data: Mapping[str, Any], key: str, where: str) -> date:
        try:
            return date.fromisoformat(self.text(data, key, where))
        except ValueError:
            raise self.fault(f"{where}{key}") from None


def from_json(data: Any, name: str) -> StoredQuote:
    """The stored quote that `data` (parsed JSON) holds.

    Raises:
        InputError: not a quote, another schema version, or a key that is missing or of another
            type; the key is named.
    """
    read = _Reader(name)
    if not looks_stored(data):
        raise InputError("diff.not_a_quote", name=name)
    schema = data["schema"]
    if schema != f"{SCHEMA_PREFIX}{SCHEMA_VERSION}":
        raise InputError("diff.schema", name=name, schema=schema)
    plan = data.get("plan")
    if isinstance(plan, dict) and plan.get("failures"):
        raise InputError("diff.incomplete", name=name)
    catalog = read.mapping(data.get("catalog"), "catalog")
    fx = read.mapping(data.get("fx"), "fx")
    rate = read.number(fx, "usd_mxn", "fx.")
    if rate <= 0:
        raise read.fault("fx.usd_mxn")
    workloads = _workloads(read, data)
    lines = tuple(
        _line(read, read.mapping(item, f"lines[{index}]"), f"lines[{index}].", workloads)
        for index, item in enumerate(read.items(data.get("lines"), "lines"))
    )
    return StoredQuote(
        name=name,
        as_of=read.day(data, "as_of", ""),
        catalog=read.text(catalog, "version", "catalog."),
        calibration=read.optional_text(catalog, "calibration", "catalog."),
        fx=ExchangeRate(
            rate,
            None if fx.get("date") is None else read.day(fx, "date", "fx."),
            read.text(fx, "source", "fx."),
        ),
        workloads=workloads,
        lines=lines,
    )


def _workloads(read: _Reader, data: Mapping[str, Any]) -> dict[str, StoredWorkload]:
    found: dict[str, StoredWorkload] = {}
    for index, item in enumerate(read.items(data.get("workloads"), "workloads")):
        where = f"workloads[{index}]"
        workload = read.mapping(item, where)
        offer = workload.get("offer")
        identity = None
        if offer is not None:
            full = read.mapping(offer, f"{where}.offer")
            identity = {key: full.get(key) for key in _OFFER_IDENTITY}
        found[read.text(workload, "name", f"{where}.")] = StoredWorkload(
            read.mapping(workload.get("inputs"), f"{where}.inputs"), identity
        )
    return found


def _line(
    read: _Reader,
    data: Mapping[str, Any],
    where: str,
    workloads: Mapping[str, StoredWorkload],
) -> StoredLine:
    workload, item = read.text(data, "workload", where), read.text(data, "item", where)
    return StoredLine(
        workload=workload,
        item=item,
        provider=read.optional_text(data, "provider", where),
        region=read.optional_text(data, "region", where),
        sku=read.optional_text(data, "sku", where),
        quantity=read.number(data, "quantity", where),
        unit=read.text(data, "unit", where),
        unit_price_usd=read.number(data, "unit_price_usd", where),
        amount_usd=read.number(data, "amount_usd", where),
        high_usd=read.number(data, "high_usd", where),
        price_mxn=_price_mxn(workloads, workload, item),
    )
