"""Evidence from prices, regions, published runs and statements: one function a kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.catalog.names import normal
from costcalc.catalog.regions import round_trip_floor_ms
from costcalc.quote.claims import SEPARATOR, Figure, Setting
from costcalc.quote.geography import nearest
from costcalc.quote.listing import evidence
from costcalc.quote.plan import MARKETS
from costcalc.quote.select import markets_of

if TYPE_CHECKING:
    from costcalc.catalog.offers import Offer

DEFAULT_MARKET = "default"
PURCHASE = "on-demand"
"""Chips are compared as they are sold on demand: a spot price beside a list price says nothing."""
SHOWN_RISES = 3
REFERENCE_REQUEST = (1000, 300)
"""Input and output tokens of the request by which a price before and after is compared."""


def bought_at(place: str) -> dict[str, str | None]:
    """`provider` and `market` of a place: a market, the default markets, or one provider."""
    if place == DEFAULT_MARKET:
        return {"provider": None, "market": None}
    if place in MARKETS:
        return {"provider": None, "market": place}
    return {"provider": place, "market": "any"}


def cheapest(setting: Setting, accelerator: str, place: str) -> Offer | None:
    """The cheapest on-demand price per accelerator-hour at a place."""
    where = bought_at(place)
    provider, markets = where["provider"], markets_of(where["market"])
    offers = [
        offer
        for offer in setting.catalog.current_offers(setting.terms.as_of).of_accelerator(accelerator)
        if offer.purchase == PURCHASE
        and offer.usd_per_accelerator_hour > 0
        and (markets is None or offer.market in markets)
        and provider in (None, offer.provider)
    ]
    return min(
        offers,
        key=lambda offer: (offer.usd_per_accelerator_hour, offer.provider, offer.instance_type),
        default=None,
    )


def flops_per_usd(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """Dense peak FLOPs per USD of each chip in `of` over that of each in `against`."""
    precision, least = row["precision"], float(row["at_least"])
    for place in row["places"]:
        for of in row["of"]:
            for against in row["against"]:
                values = [_flops_per_usd(setting, name, precision, place) for name in (of, against)]
                one, other = values
                ratio = None if one is None or other is None else one[0] / other[0]
                yield Figure(
                    kind="flops_per_usd",
                    label="flops_per_usd",
                    params=tuple(
                        {
                            "of": of,
                            "against": against,
                            "place": place,
                            "precision": precision,
                            "of_pflop": _shown(one),
                            "against_pflop": _shown(other),
                        }.items()
                    ),
                    value=ratio,
                    unit="ratio",
                    claimed=f">= {least:g}",
                    holds=None if ratio is None else ratio >= least,
                    source=SEPARATOR.join(found[1] for found in (one, other) if found is not None),
                )


def _flops_per_usd(
    setting: Setting, accelerator: str, precision: str, place: str
) -> tuple[float, str] | None:
    """PFLOP-hours of dense peak per USD, and the price behind it."""
    chip = setting.catalog.accelerator(accelerator).chip
    peak = chip.peak_tflops.get(precision)
    offer = cheapest(setting, chip.id, place)
    if peak is None or offer is None:
        return None
    return peak / 1000 / float(offer.usd_per_accelerator_hour), price_source(offer)


def _shown(found: tuple[float, str] | None) -> str:
    return "–" if found is None else f"{found[0]:.3g}"


def price_source(offer: Offer) -> str:
    """An offer as the source of a figure."""
    region = offer.region or offer.region_scope
    return (
        f"{offer.provider} {offer.instance_type} {region} {offer.purchase} "
        f"USD {offer.usd_per_accelerator_hour:f} per accelerator-hour, "
        f"{offer.confidence}, {offer.as_of.isoformat()}"
    )


def machine(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """Which accelerator a machine type holds, and who sells the claimed one."""
    name, claimed = row["instance_type"], setting.catalog.accelerator(row["accelerator"]).id
    for provider, shown, accelerator, count in setting.catalog.machines(name):
        yield Figure(
            kind="machine",
            label="machine",
            params=(
                ("provider", provider),
                ("machine", shown),
                ("accelerator", accelerator),
                ("count", count),
            ),
            claimed=claimed,
            holds=accelerator == claimed,
            source="catalog",
        )
    offers = setting.catalog.current_offers(setting.terms.as_of).of_accelerator(claimed)
    for provider in sorted({offer.provider for offer in offers}):
        yield Figure(
            kind="machine",
            label="sold_by",
            params=(("accelerator", claimed), ("provider", provider)),
            value=float(min(o.usd_per_accelerator_hour for o in offers if o.provider == provider)),
            unit="USD per accelerator-hour",
            source="catalog",
        )


def in_region(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """How much shows that an accelerator stands in a region: listings, zones, prices."""
    scope = setting.catalog.regions().resolve(row["region"])
    offers = list(setting.catalog.current_offers(setting.terms.as_of))
    rows = [
        item
        for key in scope.regions
        for item in evidence(setting.catalog.regions()[key], offers)
        if item.kind != "uniform-price"
    ]
    for name in row["accelerators"]:
        accelerator = setting.catalog.accelerator(name).id
        found = [item for item in rows if item.accelerator == accelerator]
        yield Figure(
            kind="in_region",
            label="in_region",
            params=(("accelerator", accelerator), ("region", scope.label)),
            value=float(len(found)),
            unit="listings and prices",
            claimed=">= 1",
            holds=bool(found),
            source=SEPARATOR.join(dict.fromkeys(item.source for item in found)) or "catalog",
        )
    there = sorted({item.accelerator for item in rows} - set(row["accelerators"]))
    yield Figure(
        kind="in_region",
        label="in_region_others",
        params=(("region", scope.label), ("names", ", ".join(there) or "–")),
        value=float(len(there)),
        unit="accelerators",
        source="catalog",
    )


def nearest_offer(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """How far the nearest offer of an accelerator is; 0 km where it stands in the country."""
    regions = setting.catalog.regions()
    scope = regions.resolve(row["region"])
    countries = {regions[key].country for key in scope.regions}
    for name in row["accelerators"]:
        accelerator = setting.catalog.accelerator(name).id
        offers = [
            offer
            for offer in setting.catalog.current_offers(setting.terms.as_of).of_accelerator(
                accelerator
            )
            if offer.region is not None
        ]
        home = [o for o in offers if regions.country(o.provider, o.region) in countries]
        params: dict[str, Any] = {"accelerator": accelerator, "region": scope.label}
        if home:
            where = f"{home[0].provider} {home[0].region}"
            yield _distance("nearest_home", {**params, "where": where}, 0.0)
            continue
        near = nearest(offers, scope, regions)
        if not near:
            yield Figure("nearest_offer", "nearest_none", tuple(params.items()), source="catalog")
            continue
        first = near[0]
        params |= {
            "where": f"{first.region.provider} {first.region.code}",
            "ms": f"{round_trip_floor_ms(first.kilometres):.1f}",
        }
        yield _distance("nearest_abroad", params, first.kilometres)


def _distance(label: str, params: Mapping[str, Any], kilometres: float) -> Figure:
    return Figure(
        kind="nearest_offer",
        label=label,
        params=tuple(params.items()),
        value=kilometres,
        unit="km",
        claimed="0",
        holds=kilometres == 0,
        source="catalog: regions and offers",
    )


def announced(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """What could be measured or bought of a chip: peaks, prices, claims that somebody verified."""
    accelerator = setting.catalog.accelerator(row["accelerator"])
    offers = setting.catalog.current_offers(setting.terms.as_of).of_accelerator(accelerator.id)
    counts = {
        "announced_peaks": len(accelerator.chip.peak_tflops),
        "announced_offers": len(list(offers)),
        "announced_verified": sum(claim.verified for claim in accelerator.claims),
    }
    for label, count in counts.items():
        yield Figure(
            kind="announced",
            label=label,
            params=(("accelerator", accelerator.name), ("status", accelerator.status)),
            value=float(count),
            unit="count",
            source="catalog",
        )


def exchange_rate(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """The rate that two amounts imply, and what the USD amount is at the quote's rate."""
    usd, mxn = Decimal(str(row["usd"])), Decimal(str(row["mxn"]))
    rate = setting.terms.fx
    params = (
        ("usd", f"{usd:,}"),
        ("mxn", f"{mxn:,}"),
        ("implied", f"{mxn / usd:.4f}"),
        ("date", "–" if rate.date is None else rate.date.isoformat()),
    )
    yield Figure(
        kind="exchange_rate",
        label="exchange_rate",
        params=params,
        value=float(usd * rate.usd_mxn),
        unit="MXN",
        source=rate.source,
    )


def price_changes(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """How many dated changes of hosted models' prices were cuts and how many were rises."""
    table = setting.catalog.table("api_prices")
    source = f"{table['source']['text']}, {table['source']['date']}"
    known = [
        (item, _request_usd(item["before"]), _request_usd(item["after"]))
        for item in table["changes"]
        if date.fromisoformat(item["date"]) <= setting.terms.as_of
    ]
    rises = [found for found in known if found[2] > found[1]]
    inputs, outputs = REFERENCE_REQUEST
    shape = (("input", f"{inputs:,}"), ("output", f"{outputs:,}"), ("all", len(known)))
    cuts = sum(after < before for _, before, after in known)
    yield Figure("price_changes", "price_cuts", shape, float(cuts), "changes", source=source)
    yield Figure(
        "price_changes", "price_rises", shape, float(len(rises)), "changes", "0", not rises, source
    )
    for item, before, after in sorted(rises, key=lambda found: found[1] / found[2])[:SHOWN_RISES]:
        yield Figure(
            kind="price_changes",
            label="price_rise",
            params=(
                ("model", item["model"]),
                ("provider", item["provider"]),
                ("date", item["date"]),
            ),
            value=float(after / before),
            unit="ratio",
            claimed="<= 1",
            holds=False,
            source=source,
        )


def _request_usd(prices: list[float]) -> Decimal:
    """USD of a million reference requests at [input, output] USD per million tokens."""
    inputs, outputs = REFERENCE_REQUEST
    return Decimal(str(prices[0])) * inputs + Decimal(str(prices[1])) * outputs


def _runs(setting: Setting) -> list[tuple[str, str, int]]:
    """(accelerator, vendor, count) of every published training run of a chip in the catalog."""
    table = setting.catalog.table("runs/training")
    columns = {name: number for number, name in enumerate(table["columns"])}
    aliases = setting.catalog.accelerator_aliases()
    found = []
    for cells in table["rows"]:
        identity = aliases.get(normal(cells[columns["accelerator"]]))
        count = cells[columns["accelerator_count"]]
        if identity is not None and count:
            vendor = setting.catalog.accelerators()[identity].chip.vendor
            found.append((identity, vendor, int(float(count))))
    return found


def published_runs(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """Published training runs by the maker of their chips."""
    runs = _runs(setting)
    for vendor in row["vendors"]:
        yield Figure(
            kind="published_runs",
            label="published_runs",
            params=(("vendor", vendor), ("all", len(runs))),
            value=float(sum(maker == vendor for _, maker, _ in runs)),
            unit="runs",
            source="catalog: runs/training.csv",
        )


def largest_run(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """The largest published job on a vendor's chips: training runs, and clusters it names."""
    vendor, least = row["vendor"], int(row["at_least"])
    sizes = [
        (count, identity, "catalog: runs/training.csv")
        for identity, maker, count in _runs(setting)
        if maker == vendor
    ]
    rules = setting.catalog.table("renting")
    for limit in rules.get("cluster_limits", ()):
        for name in limit["instance_types"]:
            for _, _, identity, _ in setting.catalog.machines(name):
                if setting.catalog.accelerators()[identity].chip.vendor == vendor:
                    text = rules["sources"][limit["source"]]["text"]
                    sizes.append((int(limit["accelerators"]), identity, text))
    if not sizes:
        return
    count, identity, source = max(sizes)
    yield Figure(
        kind="largest_run",
        label="largest_run",
        params=(("accelerator", identity), ("vendor", vendor)),
        value=float(count),
        unit="accelerators",
        claimed=f">= {least:,}",
        holds=count >= least,
        source=source,
    )


def statement(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """What a source states; `supports` says whether it agrees with the claim."""
    value = row.get("value")
    yield Figure(
        kind="statement",
        label="statement",
        value=None if value is None else float(value),
        unit=str(row.get("unit", "")),
        claimed=str(row.get("claimed", "")),
        holds=row.get("supports"),
        source=row["source"],
        texts=row["text"],
    )
