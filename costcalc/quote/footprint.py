"""Energy, carbon and water of what a quote rents, with every factor named.

The hours are those that are paid for. Without a region there is no carbon and no water: a world
average would be a guess that looks like a fact.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.catalog.energy import Energy, EnergyFigure
from costcalc.estimate import footprint as physics
from costcalc.notices import Notice, notice
from costcalc.quote.types import Factor, Footprint, Line, OfferChoice, WorkloadQuote

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator, Catalog

MACHINE_UNIT = "instance-hour"
# shares of the machines' own cost that stand for more hours of them
MORE_HOURS = ("spot_redone", "programme")
UNVERIFIED = "unverified"


# the footprint of one workload; a plain tuple, because this module is read by every quote
_Part = tuple[physics.Impact, tuple[Factor, ...], tuple[Notice, ...]]


def footprint(
    workloads: Iterable[WorkloadQuote], lines: Sequence[Line], catalog: Catalog
) -> tuple[Footprint | None, list[Notice]]:
    """What the workloads of a quote use, and what must be said about it.

    Only workloads with a line in `lines` count. Carbon and water of several workloads are known
    only where they are known for each.

    Returns:
        The footprint, None where no energy is known at all; warnings.
    """
    if not catalog.has_table("energy"):
        return None, [notice("footprint_no_table")]
    energy = Energy(catalog.table("energy"))
    parts: list[_Part] = []
    left_out: list[str] = []
    said: list[Notice] = []
    by_workload: dict[str, list[Line]] = {}
    for line in lines:
        by_workload.setdefault(line.workload, []).append(line)
    for workload in workloads:
        own = by_workload.get(workload.name)
        if not own:
            continue
        part = _part(workload, own, catalog, energy)
        if isinstance(part, tuple):
            parts.append(part)
            said += part[2]
        elif part is not None:
            said.append(part)
            left_out.append(workload.name)
        elif workload.kind == "machine":
            left_out.append(workload.name)
    if not parts:
        return None, said
    if left_out:
        said.append(notice("footprint_partial", names=", ".join(left_out)))
    factors = dict.fromkeys(factor for part in parts for factor in part[1])
    return (
        Footprint(
            energy_kwh=sum(part[0].energy_kwh for part in parts),
            co2e_kg=_total(part[0].co2e_kg for part in parts),
            water_l=_total(part[0].water_l for part in parts),
            factors=tuple(factors),
        ),
        said,
    )


def _total(values: Iterable[float | None]) -> float | None:
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def _part(
    workload: WorkloadQuote, lines: Sequence[Line], catalog: Catalog, energy: Energy
) -> _Part | Notice | None:
    """The footprint of a workload; a warning where it is not known, None where it has none."""
    if workload.kind == "owned":
        return _owned(workload, catalog, energy)
    if workload.offer is None or workload.kind not in ("train", "serve"):
        return None
    offer = workload.offer
    accelerator = catalog.accelerators().get(offer.accelerator)
    if accelerator is None or accelerator.chip.tdp_w is None:
        name = offer.accelerator if accelerator is None else accelerator.name
        return notice("footprint_no_power", accelerator=name)
    share, loads = _load(workload, accelerator.chip.family, energy)
    server = energy.server_share(accelerator.chip.family)
    used = physics.computer_kwh(
        accelerator.chip.tdp_w, share, server.value, accelerator_hours(offer, lines)
    )
    factors = [
        _limit(accelerator, accelerator.chip.tdp_w),
        *(_factor(f"accelerator_power_{load}", accelerator.id, "", item) for load, item in loads),
        _factor("server_power", accelerator.id, "", server),
    ]
    pue = energy.pue(offer.provider)
    factors.append(_factor("pue", offer.provider, "", pue))
    site = (offer.provider, offer.region, catalog.country_of(offer.provider, offer.region))
    return _placed(used, pue.value, site, energy.site_water(offer.provider), factors, energy)


def _load(
    workload: WorkloadQuote, family: str, energy: Energy
) -> tuple[float, list[tuple[str, EnergyFigure]]]:
    """Mean share of the power limit, and the figures behind it."""
    if workload.kind == "train":
        figure = energy.accelerator_share(family, "training")
        return figure.value, [("training", figure)]
    busy, batch = _at_work(workload)
    loaded = energy.accelerator_share(family, "serving", batch)
    idle = energy.accelerator_share(family, "idle")
    share = physics.serving_share(busy, loaded.value, idle.value)
    return share, [("serving", loaded), ("idle", idle)]


def _at_work(workload: WorkloadQuote) -> tuple[float, float]:
    """Share of the time in which a copy of the model has requests, and how many it then has."""
    found: Any = workload.estimate
    estimate = found.serving
    average = float(workload.inputs["average_load"])
    copies = estimate.replicas * estimate.layout.data
    if estimate.load == "open":
        held_ms = estimate.ttft_ms_p50 + estimate.tpot_ms * workload.inputs["output_tokens"]
        there = estimate.requests_per_s.middle * average * held_ms / 1000.0 / copies
        busy = physics.busy_share(there)
        return busy, there / busy
    users = workload.inputs["concurrency"] if estimate.load == "closed" else None
    busy = 1.0 if users is None else min(users / copies, 1.0)
    return busy * average, estimate.batch


def accelerator_hours(offer: OfferChoice, lines: Iterable[Line]) -> float:
    """Accelerator-hours that `lines` pay for, work done again and around the run included."""
    hours = Decimal(0)
    for line in lines:
        if line.unit == MACHINE_UNIT:
            hours += line.quantity
        elif line.item in MORE_HOURS and offer.usd_per_instance_hour > 0:
            hours += line.amount_usd / offer.usd_per_instance_hour
    return float(hours) * offer.accelerator_count


def _limit(accelerator: Accelerator, tdp_w: float) -> Factor:
    figure = accelerator.figures["tdp_w"]
    return Factor(
        what="power_limit",
        subject=accelerator.id,
        kind=UNVERIFIED if figure.confidence == "estimated" else figure.confidence,
        value=tdp_w,
        unit="W",
        year=figure.date[:4],
        source=f"{figure.source}, {figure.date}",
    )


def _factor(
    what: str, subject: str, unit: str, figure: EnergyFigure, *, used: bool = True
) -> Factor:
    return Factor(
        what=what,
        subject=subject,
        kind=figure.kind,
        value=figure.value,
        unit=unit or "ratio",
        year=figure.year,
        source=figure.source,
        used=used,
    )


def _placed(
    computer_kwh: float,
    pue: float,
    site: tuple[str, str | None, str | None],
    site_water: EnergyFigure,
    factors: Sequence[Factor],
    energy: Energy,
) -> _Part:
    """Energy of the building, and carbon and water where the place is known.

    Args:
        site: provider, region, country; None where not known.
    """
    provider, region, country = site
    if country is None:
        where = "footprint_no_region" if region is None else "footprint_unknown_region"
        said = notice(where, provider=provider, region=region or "")
        found = physics.impact(computer_kwh, pue, None, None, None)
        return found, tuple(factors), (said,)
    notices: list[Notice] = []
    named = list(factors)
    place = f"{provider}/{region}" if region else country
    carbon = energy.grid_carbon(provider, region, country)
    water = energy.grid_water(country)
    if carbon is None:
        notices.append(notice("footprint_no_grid", region=place, country=country))
    else:
        named.append(_factor("grid_carbon", place, "g/kWh", carbon.used))
        named += [
            _factor("grid_carbon", place, "g/kWh", other, used=False) for other in carbon.others
        ]
    if water is None:
        notices.append(notice("footprint_no_water", region=place, country=country))
    else:
        named.append(_factor("site_water", provider, "L/kWh", site_water))
        named.append(_factor("grid_water", country, "L/kWh", water))
    found = physics.impact(
        computer_kwh,
        pue,
        None if carbon is None else carbon.used.value,
        None if water is None else site_water.value,
        None if water is None else water.value,
    )
    return found, tuple(named), tuple(notices)


def _owned(workload: WorkloadQuote, catalog: Catalog, energy: Energy) -> _Part | Notice | None:
    """Own hardware: its energy is the plan's, building included; the place is the plan's too."""
    kwh = getattr(workload.estimate, "energy_kwh", None)
    if not kwh:
        return None
    inputs = workload.inputs
    pue = float(inputs.get("pue") or 1)
    stated = EnergyFigure(pue, "", "plan", "assumption" if inputs.get("pue") is None else "stated")
    provider = str(inputs.get("provider") or "own")
    region = inputs.get("region")
    site = (provider, region, _own_country(catalog, provider, region))
    factors = [_factor("pue", workload.name, "", stated)]
    return _placed(float(kwh) / pue, pue, site, energy.site_water(provider), factors, energy)


def _own_country(catalog: Catalog, provider: str, region: str | None) -> str | None:
    """The country of own machines: their region's, or that of a group such as `queretaro`."""
    known = catalog.country_of(provider, region)
    if known is not None or region is None:
        return known
    regions = catalog.regions()
    from costcalc.errors import InputError

    try:
        scope = regions.resolve(region)
    except InputError:
        return None
    countries = {regions[key].country for key in scope.regions if key in regions}
    return countries.pop() if len(countries) == 1 else None
