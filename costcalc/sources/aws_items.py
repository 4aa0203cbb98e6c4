"""One product of an AWS price list, as the Price List API and the public files write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from costcalc.sources.amounts import HOURS_PER_MONTH, HOURS_PER_YEAR, price, quotient
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.rows import FeedContext, FeedResult, mapping_of, offer, text_at

WANTED = {
    "operatingSystem": "Linux",
    "tenancy": "Shared",
    "preInstalledSw": "NA",
    "capacitystatus": "Used",
    "licenseModel": "No License required",
    "marketoption": "OnDemand",
}
"""Attributes of "Linux, on demand, shared". Without `marketoption` each machine that is also sold
as Capacity Blocks has a second product at 0.00."""
ACCELERATED = ("GPU instance", "Machine Learning ASIC Instances")
"""Values of `instanceFamily` under which machines with accelerators are listed."""
_GPU_FAMILY = ACCELERATED[0]
_PLACES = ("AWS Region", None)
_HOURLY = "Hrs"
_UPFRONT = "Quantity"
_YEARS = {"1yr": 1, "3yr": 3}


@dataclass(frozen=True, slots=True)
class Machine:
    """The accelerators of an instance type."""

    accelerator: str
    as_listed: str
    count: int


class AwsTable:
    """The table `feeds/aws.yaml`."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._families: Mapping[str, Any] = raw["families"]
        self.ignored: Mapping[str, str] = raw["ignored"]
        self.bulk_regions: tuple[str, ...] = tuple(raw["bulk_regions"])
        self.block_types: tuple[str, ...] = tuple(raw["capacity_blocks"]["types"])
        self.block_hours: int = raw["capacity_blocks"]["hours"]

    def family(self, instance_type: str) -> str:
        """`p5` of `p5.48xlarge`."""
        return instance_type.partition(".")[0]

    def types(self) -> dict[str, Machine]:
        """Every instance type whose count the table knows."""
        return {
            name: Machine(family["accelerator"], family["as_listed"], count)
            for family in self._families.values()
            for name, count in family["counts"].items()
        }

    def machine(self, instance_type: str, listed_count: int | None) -> Machine | None:
        """The accelerators of a type; a size that the table lacks has the count that is listed."""
        family = self._families.get(self.family(instance_type))
        if family is None:
            return None
        count = family["counts"].get(instance_type, listed_count)
        return Machine(family["accelerator"], family["as_listed"], count) if count else None


@dataclass(frozen=True, slots=True)
class Product:
    """What a price list says about one product, whatever file it came in.

    Attributes:
        sku: AWS's id.
        attributes: as the API names them; a missing key and an empty text mean the same.
    """

    sku: str
    attributes: Mapping[str, str]

    def get(self, name: str) -> str:
        """An attribute, empty when it is not there."""
        value = self.attributes.get(name)
        return value.strip() if isinstance(value, str) else ""

    @property
    def where(self) -> str:
        """The product as a message names it."""
        parts = (self.get("instanceType"), self.get("regionCode"), f"SKU {self.sku}")
        return " ".join(part for part in parts if part)


def priced_machine(
    product: Product, table: AwsTable, context: FeedContext, result: FeedResult
) -> Machine | None:
    """The machine that a product prices on demand with Linux, or None when it is another product.

    What does not fit is counted or noted in `result`.

    Raises:
        FeedError: a product of a known family lacks an attribute.
    """
    instance_type = product.get("instanceType")
    listed = product.get("gpu")
    count = int(listed) if listed.isdigit() else None
    # chips of AWS's own are counted here too; machines without any say nothing, or NA
    accelerated = product.get("instanceFamily") in ACCELERATED or bool(count)
    if not instance_type:
        if accelerated:
            raise FeedError("sources.missing_attribute", name="instanceType", where=product.where)
        result.skip("no_instance")
        return None
    family = table.family(instance_type)
    known = table.machine(instance_type, 1) is not None
    if not known and not accelerated:
        result.skip("no_accelerator")
        return None
    for name, wanted in WANTED.items():
        value = product.get(name)
        if not value and known:
            raise FeedError("sources.missing_attribute", name=name, where=excerpt(product.where))
        if value != wanted:
            result.skip("other_product")
            return None
    if (product.attributes.get("locationType") or None) not in _PLACES:
        result.skip("other_place")
        return None
    region = text_at(product.attributes, "regionCode", product.where)
    if not context.wants(region):
        result.skip("other_region")
        return None
    if family in table.ignored:
        result.skip("ignored")
        return None
    machine = table.machine(instance_type, count)
    if machine is None:
        row = f"{product.where}, {listed or '?'} accelerators"
        result.doubt("unmatched", [region], row=row)
        return None
    if machine.accelerator not in context.accelerators:
        result.find("unmatched", row=product.where)
        return None
    if count not in (None, machine.count) and product.get("instanceFamily") == _GPU_FAMILY:
        result.doubt("mismatch", [region], row=product.where, listed=count, expected=machine.count)
        return None
    return machine


def add_offer(
    product: Product,
    machine: Machine,
    result: FeedResult,
    context: FeedContext,
    *,
    usd: Decimal,
    purchase: str = "on-demand",
    as_listed: str = "on-demand",
    term: str = "",
    note: str = "",
) -> None:
    """Put the price of a product into `result`."""
    row = offer(
        provider="aws",
        instance_type=product.get("instanceType"),
        accelerator=machine.accelerator,
        count=machine.count,
        region=product.get("regionCode"),
        purchase=purchase,
        purchase_as_listed=as_listed,
        term=term,
        usd=usd,
        as_of=context.today,
        source=result.source,
        note=note,
        vcpus=_number(product.get("vcpu")),
        memory_gib=_memory(product.get("memory")),
        as_listed=machine.as_listed,
    )
    result.add(row, product.sku, product.where)


def usd_of(per_unit: object, region: str, where: str) -> Decimal | None:
    """The price in USD of `pricePerUnit`, or None in China, where prices are in CNY.

    Raises:
        FeedError: no price at all, or another currency elsewhere.
    """
    amounts = mapping_of(per_unit, where)
    if "USD" in amounts:
        return price(amounts["USD"], where)
    if not amounts:
        raise FeedError("sources.no_price", where=excerpt(where))
    if region.startswith("cn-"):
        return None
    raise FeedError(
        "sources.currency", expected="USD", found=excerpt(", ".join(amounts)), where=excerpt(where)
    )


def on_demand_usd(terms: Mapping[str, Any], product: Product) -> Decimal | None:
    """USD per hour of the on-demand term; 0 when there is none, None when priced in CNY.

    Raises:
        FeedError: the term has another shape, or no price.
    """
    where = product.where
    offers = mapping_of(terms.get("OnDemand", {}), where)
    if not offers:
        return Decimal(0)
    amounts = [
        usd
        for term in offers.values()
        for unit, usd in _dimensions(term, product)
        if unit == _HOURLY
    ]
    if not amounts:
        raise FeedError("sources.missing_attribute", name="Hrs", where=excerpt(where))
    if None in amounts:
        return None
    return amounts[-1]


@dataclass(frozen=True, slots=True)
class ReservedRate:
    """A reservation spread over its hours.

    Attributes:
        years: 1 or 3.
        offering_class: `standard` or `convertible`.
        payment: `No Upfront`, `Partial Upfront`, `All Upfront`.
        usd_per_hour: hourly part plus the upfront part over all hours of the term.
    """

    years: int
    offering_class: str
    payment: str
    usd_per_hour: Decimal


def reserved_rates(terms: Mapping[str, Any], product: Product) -> list[ReservedRate]:
    """Every reservation of a product in USD; a term has an hourly part, an upfront part or both.

    Raises:
        FeedError: a term has another shape.
    """
    found = []
    for term in mapping_of(terms.get("Reserved", {}), product.where).values():
        about = mapping_of(mapping_of(term, product.where).get("termAttributes"), product.where)
        years = _YEARS.get(str(about.get("LeaseContractLength")))
        if years is None:
            continue
        hourly = upfront = Decimal(0)
        for unit, usd in _dimensions(term, product):
            if usd is None:
                break
            if unit == _HOURLY:
                hourly += usd
            elif unit == _UPFRONT:
                upfront += usd
            else:
                raise FeedError("sources.unit", unit=excerpt(unit), where=excerpt(product.where))
        else:
            rate = hourly + quotient(upfront, years * HOURS_PER_YEAR)
            found.append(
                ReservedRate(
                    years,
                    str(about.get("OfferingClass", "")),
                    str(about.get("PurchaseOption", "")),
                    rate,
                )
            )
    return found


def _dimensions(term: object, product: Product) -> Iterator[tuple[str, Decimal | None]]:
    """(unit, USD or None in CNY) of a term; of hourly tiers the one that a full month is in."""
    region = product.get("regionCode")
    hourly: list[tuple[Decimal, Decimal | None]] = []
    dimensions = mapping_of(mapping_of(term, product.where).get("priceDimensions"), product.where)
    for raw in dimensions.values():
        dimension = mapping_of(raw, product.where)
        unit = text_at(dimension, "unit", product.where)
        usd = usd_of(dimension.get("pricePerUnit"), region, product.where)
        if unit == _HOURLY:
            hourly.append((price(dimension.get("beginRange") or "0", product.where), usd))
        else:
            yield unit, usd
    reached = [tier for tier in hourly if tier[0] <= HOURS_PER_MONTH]
    if reached:
        yield _HOURLY, max(reached, key=lambda tier: tier[0])[1]


def _number(text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        return None


def _memory(text: str) -> float | None:
    amount, _, unit = text.replace(",", "").partition(" ")
    return _number(amount) if unit.strip() == "GiB" else None
