"""Regions: where a provider's machines stand, and what is listed there on which evidence."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from costcalc.catalog.names import nearest, normal
from costcalc.errors import InputError

EARTH_RADIUS_KM = 6371.0088
"""Mean radius of the Earth, km (IUGG 1980)."""
FIBRE_KM_PER_MS = 200.0
"""Light in glass travels about 200 km in a millisecond (refractive index about 1.5)."""


@dataclass(frozen=True, slots=True)
class Listing:
    """An accelerator that a source lists in a region, without a price.

    Attributes:
        accelerator: catalog id, or the listed name where the catalog has no such chip.
        instance_type: machine or machine family, as listed.
        evidence: what the source shows (`offered`, `listed`, ...).
        as_of: ISO date of the source.
    """

    accelerator: str
    instance_type: str
    evidence: str
    source: str
    as_of: str
    note: str


@dataclass(frozen=True, slots=True)
class TpuZone:
    """A zone in which Google documents a TPU. An AI zone is for invited customers."""

    accelerator: str
    zone: str
    ai_zone: bool
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class PriceRatio:
    """What ordinary machines of a region cost against another region of the provider."""

    against: str
    ratio: Decimal
    basis: str
    source: str
    as_of: str


@dataclass(frozen=True, slots=True)
class Region:
    """A provider's region.

    Attributes:
        id: `provider/code`; two providers may use one code (`us-central1`).
        name: as the provider writes it.
        place: the place that the provider names, where it differs from `name`.
        country: ISO 3166-1 alpha-2.
        city: the provider's city, or the one that stands for a named area; None when not known.
        latitude, longitude: degrees, of `city`; None when not known.
        precision: `city` (the provider names it) or `area` (it names a state or a country).
        launched: ISO date, month or year.
        opt_in: True when an account must turn the region on; None when the provider has no such
            switch.
    """

    id: str
    provider: str
    code: str
    name: str
    place: str
    country: str
    city: str | None
    latitude: float | None
    longitude: float | None
    precision: str
    launched: str | None
    launched_source: str | None
    opt_in: bool | None
    note: str
    listed: tuple[Listing, ...]
    tpu_zones: tuple[TpuZone, ...]
    machine_price_ratios: tuple[PriceRatio, ...]

    def zones_of(self, accelerator: str) -> tuple[TpuZone, ...]:
        """The documented TPU zones of one accelerator here."""
        return tuple(zone for zone in self.tpu_zones if zone.accelerator == accelerator)


@dataclass(frozen=True, slots=True)
class RegionGroup:
    """A name for several regions: `queretaro`, `mexico`."""

    id: str
    name: str
    aliases: tuple[str, ...]
    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RegionScope:
    """What `--region` asked for.

    Attributes:
        text: as typed.
        label: group id or region code, as reports show it.
        group: id of the group, None for a region of its own.
        regions: ids, `provider/code`.
    """

    text: str
    label: str
    group: str | None
    regions: tuple[str, ...]

    def holds(self, provider: str, code: str | None) -> bool:
        """True when this region of this provider is meant. No region is never meant."""
        return code is not None and f"{provider}/{code}" in self.regions


def folded(name: str) -> str:
    """The form in which region names are compared: without case, accents and double spaces."""
    plain = unicodedata.normalize("NFKD", name)
    return normal("".join(char for char in plain if not unicodedata.combining(char)))


class Regions(Mapping[str, Region]):
    """All regions by id, and their names; a region is built when it is first looked at.

    Args:
        raw: compiled rows by id.
        groups: by id.
    """

    def __init__(
        self, raw: Mapping[str, Mapping[str, Any]], groups: Mapping[str, RegionGroup]
    ) -> None:
        self._raw = raw
        self._built: dict[str, Region] = {}
        self.groups = dict(groups)

    def __getitem__(self, key: str) -> Region:
        if key not in self._built:
            self._built[key] = _region(key, self._raw[key])
        return self._built[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def find(self, provider: str, code: str | None) -> Region | None:
        """The region of an offer, None when the catalog does not know it."""
        return None if code is None else self.get(f"{provider}/{code}")

    def country(self, provider: str, code: str | None) -> str | None:
        """ISO country of an offer's region, None when not known."""
        row = None if code is None else self._raw.get(f"{provider}/{code}")
        return None if row is None else str(row["country"])

    def resolve(self, text: str, extra: Iterable[tuple[str, str]] = ()) -> RegionScope:
        """What a person means by `text`: a group, a code, `provider/code` or a city.

        Args:
            text: `queretaro`, `us-central1`, `gcp/us-central1`, `Dallas`; case and accents do not
                matter. A name matches whole: `me` is not Mexico.
            extra: (provider, code) of regions that offers name and this table does not hold.

        Raises:
            InputError: no such region; the message names the nearest ones.
        """
        wanted = folded(text)
        for group in self.groups.values():
            if wanted in (group.id, folded(group.name), *map(folded, group.aliases)):
                return RegionScope(text, group.id, group.id, group.regions)
        pairs = [(key.partition("/")[0], key.partition("/")[2]) for key in self._raw]
        pairs += [pair for pair in dict.fromkeys(extra) if "/".join(pair) not in self._raw]
        found = [
            f"{provider}/{code}"
            for provider, code in pairs
            if wanted in (folded(code), folded(f"{provider}/{code}"))
        ]
        if not found:
            found = [
                key
                for key, row in self._raw.items()
                if row.get("city") is not None and folded(row["city"]) == wanted
            ]
        if found:
            codes = {region_id.split("/", 1)[1] for region_id in found}
            label = codes.pop() if len(codes) == 1 else text.strip()
            return RegionScope(text, label, None, tuple(found))
        known = [*self.groups, *dict.fromkeys(code for _, code in pairs)]
        names = nearest(wanted, known) or list(self.groups)
        raise InputError("regions.unknown", text=text, names=", ".join(names))


def distance_km(one: Region, other: Region) -> float | None:
    """Great-circle distance in km, None when either place is not known."""
    if one.latitude is None or one.longitude is None:
        return None
    if other.latitude is None or other.longitude is None:
        return None
    return great_circle_km(one.latitude, one.longitude, other.latitude, other.longitude)


def great_circle_km(
    latitude: float, longitude: float, other_latitude: float, other_longitude: float
) -> float:
    """Haversine distance between two points given in degrees, km."""
    here, there = math.radians(latitude), math.radians(other_latitude)
    half_lat = (there - here) / 2
    half_lon = math.radians(other_longitude - longitude) / 2
    root = math.sin(half_lat) ** 2 + math.cos(here) * math.cos(there) * math.sin(half_lon) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, root)))


def round_trip_floor_ms(kilometres: float) -> float:
    """Lower bound of a round trip over `kilometres` of straight fibre, ms. Real paths take more."""
    return 2 * kilometres / FIBRE_KM_PER_MS


def build_regions(raw: Mapping[str, Any]) -> Regions:
    """Regions from the compiled room (`{"regions": {...}, "groups": {...}}`)."""
    groups = {
        key: RegionGroup(key, row["name"], tuple(row["aliases"]), tuple(row["regions"]))
        for key, row in raw.get("groups", {}).items()
    }
    return Regions(raw.get("regions", {}), groups)


def _region(key: str, row: Mapping[str, Any]) -> Region:
    provider, code = key.split("/", 1)
    latitude, longitude = row.get("latitude"), row.get("longitude")
    return Region(
        id=key,
        provider=provider,
        code=code,
        name=row["name"],
        place=row.get("place", ""),
        country=row["country"],
        city=row.get("city"),
        latitude=None if latitude is None else float(latitude),
        longitude=None if longitude is None else float(longitude),
        precision=row.get("precision", "area"),
        launched=row.get("launched"),
        launched_source=row.get("launched_source"),
        opt_in=row.get("opt_in"),
        note=row.get("note", ""),
        listed=tuple(Listing(**item) for item in row.get("listed", ())),
        tpu_zones=tuple(TpuZone(**item) for item in row.get("tpu_zones", ())),
        machine_price_ratios=tuple(
            PriceRatio(
                item["against"],
                Decimal(item["ratio"]),
                item["basis"],
                item["source"],
                item["as_of"],
            )
            for item in row.get("machine_price_ratios", ())
        ),
    )
