"""Prices per GB with steps: which rows hold in a place, and how a month's GB fall into them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from costcalc.catalog.tariffs import DataPrice, data_prices
from costcalc.errors import NoOfferError
from costcalc.notices import Notice, notice
from costcalc.quote import geography, money
from costcalc.quote.plan_kinds import Setting
from costcalc.quote.terms import OLD_PRICE_DAYS
from costcalc.quote.types import Line

if TYPE_CHECKING:
    from costcalc.catalog.regions import RegionScope

BYTES_PER_GB = Decimal(10**9)


def prices(setting: Setting, group: Literal["storage", "transfer"]) -> list[DataPrice]:
    """The catalog's rows, read once per plan."""
    if group not in setting.cache:
        setting.cache[group] = data_prices(setting.catalog.table("storage"), group)
    rows: list[DataPrice] = setting.cache[group]
    return rows


def rows_for(
    rows: Sequence[DataPrice],
    *,
    provider: str,
    region: str | None,
    kind: str,
    tier: str | None,
    setting: Setting,
) -> list[DataPrice]:
    """The steps of one price: of the region asked for, else of the provider's cheapest place.

    Raises:
        NoOfferError: the catalog knows no such price; the message says which it knows.
    """
    of_provider = [row for row in rows if row.provider == provider.lower()]
    if not of_provider:
        names = ", ".join(sorted({row.provider for row in rows}))
        raise NoOfferError("storage.no_provider", provider=provider, names=names)
    of_kind = [row for row in of_provider if row.kind == kind]
    if tier is None:
        of_tier = [row for row in of_kind if row.standard]
    else:
        of_tier = [row for row in of_kind if row.tier.lower() == tier.lower()]
        if not of_tier:
            tiers = list(dict.fromkeys(row.tier for row in of_kind))
            near = difflib.get_close_matches(tier, tiers, n=3) or tiers
            raise NoOfferError(
                "storage.no_tier", provider=provider, tier=tier, names=", ".join(near)
            )
    if region is None:
        places = {row.place: row for row in reversed(of_tier)}
    else:
        scope = geography.scope_of(setting.catalog, region)
        places = {row.place: row for row in reversed(of_tier) if _holds(row, scope, setting)}
    if not places:
        raise NoOfferError(
            "storage.no_price",
            provider=provider,
            kind=kind,
            region=region or "",
            names=", ".join(sorted({row.place for row in of_tier})) or "–",
        )
    cheapest = min(places.values(), key=lambda row: (row.usd_per_gb, row.place))
    steps = [row for row in of_tier if row.place == cheapest.place and row.tier == cheapest.tier]
    return sorted(steps, key=lambda row: row.from_gb)


def _holds(row: DataPrice, scope: RegionScope, setting: Setting) -> bool:
    if row.region is not None:
        return scope.holds(row.provider, row.region)
    own = [key for key in scope.regions if key.startswith(f"{row.provider}/")]
    if not row.countries:
        return bool(own)
    regions = setting.catalog.regions()
    return any(key in regions and regions[key].country in row.countries for key in own)


def step_lines(
    steps: Sequence[DataPrice],
    *,
    workload: str,
    item: str,
    unit: str,
    gb: Decimal,
    times: Decimal,
    usd_mxn: Decimal,
) -> list[Line]:
    """One line per step that a month's data reach.

    Args:
        gb: 10^9 bytes of one month; converted into what the provider calls a GB.
        times: months.
    """
    billed = gb * BYTES_PER_GB / steps[0].bytes_per_gb
    bounds = [step.from_gb for step in steps[1:]] + [None]
    lines = []
    for step, upper in zip(steps, bounds, strict=True):
        inside = (billed if upper is None else min(billed, upper)) - step.from_gb
        if inside <= 0:
            break
        lines.append(
            money.line(
                workload=workload,
                item=item,
                unit=unit,
                unit_price_usd=step.usd_per_gb,
                quantity_middle=money.quantity(inside, times),
                usd_mxn=usd_mxn,
                provider=step.provider,
                region=step.place,
                sku=f"{step.tier or step.kind} >= {step.from_gb:f} GB"
                if len(steps) > 1
                else step.tier or step.kind,
                as_of=step.as_of,
                source=step.source,
                confidence=step.confidence,
            )
        )
    return lines


def price_notices(steps: Sequence[DataPrice], setting: Setting) -> list[Notice]:
    """The age of prices and who vouches for them."""
    found: list[Notice] = []
    for step in steps:
        what = f"{step.provider} {step.place} {step.tier or step.kind}"
        age = (setting.terms.as_of - step.as_of).days
        if age > OLD_PRICE_DAYS:
            found.append(notice("old_price", what=what, date=step.as_of, days=age))
        if step.confidence == "estimated":
            found.append(notice("estimated_price", what=what, source=step.source))
    return list(dict.fromkeys(found))
