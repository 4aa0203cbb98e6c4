"""Rent, own, or call an API: the same traffic in one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.api_prices import HostedPrice, RequestShape
from costcalc.quote.break_even import (
    BreakEven,
    Fleet,
    Ownership,
    Point,
    break_even,
    ownership,
    sensitivity,
)
from costcalc.quote.own_price import in_usd
from costcalc.quote.plan import Owned, Plan
from costcalc.quote.plan_kinds import ONE, Setting, quoter
from costcalc.units import Money

if TYPE_CHECKING:
    from costcalc.quote.types import Line

RowKind = Literal["rented", "api", "owned"]
WRITE_OFF = "hardware"
MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Traffic:
    """The load that every row serves."""

    shape: RequestShape
    requests_per_month: Decimal
    hours_per_month: Decimal

    def per_million_output(self, usd_per_month: Decimal) -> Decimal | None:
        """USD per million output tokens when a month costs so much."""
        tokens = self.requests_per_month * self.shape.output_tokens
        return None if tokens <= 0 else usd_per_month * MILLION / tokens


@dataclass(frozen=True, slots=True)
class OwnedPrice:
    """Bought hardware of a plan: one system as large as a replica.

    Attributes:
        purchase_usd: price less what it is worth at the end.
        life_months: months over which it is written off.
        running_usd: USD a month besides.
    """

    name: str
    purchase_usd: Decimal
    life_months: Decimal
    running_usd: Decimal


@dataclass(frozen=True, slots=True)
class Row:
    """One way to serve the traffic.

    Attributes:
        name: the offer, `model@provider`, or the plan's workload.
        usd_per_month, mxn_per_month: for the traffic; None where it cannot be served.
        usd_per_request: of an API for one request, else the month over its requests.
        replicas, utilisation: of machines, at the traffic.
        break_even: of an API: from where the rented machines cost no more than it.
        ownership: of bought hardware, against the rented.
        as_of, source: of the price.
    """

    kind: RowKind
    name: str
    usd_per_month: Decimal | None
    mxn_per_month: Decimal | None
    usd_per_request: Decimal | None
    usd_per_million_output_tokens: Decimal | None
    replicas: int | None = None
    utilisation: Decimal | None = None
    break_even: BreakEven | None = None
    ownership: Ownership | None = None
    as_of: date | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Versus:
    """Everything that was set side by side.

    Attributes:
        rows: rented machines first, then APIs, then bought hardware.
        sensitivity: by API, every price with every volume.
    """

    traffic: Traffic
    rows: tuple[Row, ...]
    sensitivity: Mapping[str, tuple[Point, ...]]


def compare(
    traffic: Traffic,
    fleet: Fleet,
    rented_name: str,
    rented_as_of: date,
    rented_source: str,
    hosted: Sequence[HostedPrice],
    owned: Sequence[OwnedPrice],
    usd_mxn: Decimal,
) -> tuple[Versus, list[Notice]]:
    """Rented machines beside APIs and bought hardware, and what must be said about them."""
    requests = traffic.requests_per_month
    replicas = fleet.replicas_for(requests)
    used = None
    if replicas:
        room = fleet.capacity(replicas)
        used = requests / room if room > 0 else None

    def row(kind: RowKind, name: str, usd: Decimal | None, **more: object) -> Row:
        per_request = None if usd is None or requests <= 0 else usd / requests
        values: dict[str, object] = {"usd_per_request": per_request, **more}
        return Row(
            kind=kind,
            name=name,
            usd_per_month=usd,
            mxn_per_month=None if usd is None else money.cents(usd * usd_mxn),
            usd_per_million_output_tokens=(
                None if usd is None else traffic.per_million_output(usd)
            ),
            **values,  # type: ignore[arg-type]
        )

    rows = [
        row(
            "rented",
            rented_name,
            fleet.month(requests),
            replicas=replicas,
            utilisation=used,
            as_of=rented_as_of,
            source=rented_source,
        )
    ]
    rows += [
        row(
            "api",
            price.name,
            price.month(requests),
            usd_per_request=price.usd_per_request,
            break_even=break_even(price.usd_per_request, fleet),
            as_of=price.as_of,
            source=price.source,
        )
        for price in hosted
    ]
    rows += [
        row(
            "owned",
            item.name,
            None if replicas is None else money.cents(owning.owned_usd * replicas),
            replicas=replicas,
            utilisation=used,
            ownership=owning,
            source="plan",
        )
        for item in owned
        for owning in [
            ownership(
                item.purchase_usd,
                item.life_months,
                item.running_usd,
                fleet.usd_per_month(1),
            )
        ]
    ]
    points = {price.name: sensitivity(price, requests, fleet) for price in hosted}
    never = [
        notice("api_never", name=found.name)
        for found in rows
        if found.kind == "api" and found.break_even is None
    ]
    return Versus(traffic, tuple(rows), points), [*_price_notices(hosted), *never]


def _price_notices(hosted: Iterable[HostedPrice]) -> list[Notice]:
    """What a price list does not tell about hosted models."""
    found: list[Notice] = []
    for price in hosted:
        if price.retired:
            found.append(notice("api_retired", name=price.name))
        if price.by_hour:
            found.append(notice("api_by_hour", name=price.name))
    return found


def owned_prices(plan: Plan, setting: Setting, names: Iterable[str] = ()) -> list[OwnedPrice]:
    """The bought hardware of a plan, all of it or the workloads named.

    Raises:
        WorkloadError: a workload that cannot be priced.
    """
    wanted = set(names)
    return [
        _owned_price(workload, setting)
        for workload in plan.workloads
        if isinstance(workload, Owned) and (not wanted or workload.name in wanted)
    ]


def _owned_price(workload: Owned, setting: Setting) -> OwnedPrice:
    priced = quoter("owned")(workload, setting)
    running: list[Line] = [line for line in priced.lines if line.item != WRITE_OFF]
    total = sum((line.amount_usd for line in running), money.ZERO)
    kept = workload.purchase.amount * (ONE - workload.residual)
    return OwnedPrice(
        name=workload.name,
        purchase_usd=in_usd(Money(kept, workload.purchase.currency), setting.usd_mxn),
        life_months=workload.life_months or workload.months,
        running_usd=total / workload.months,
    )
