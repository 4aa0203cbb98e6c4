"""Factors of energy, carbon and water, each with its year, source and kind (`energy.yaml`).

Named tuples: every quote reads this module, and they are made in a fraction of a dataclass's time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

GRID_KINDS = ("official", "operational", "life-cycle")
"""Kinds of grid factors, all location-based, in the order in which they are preferred."""


class EnergyFigure(NamedTuple):
    """One factor.

    Attributes:
        year: the year that the figure speaks of, as the source gives it (`2024`, `FY2025`).
        kind: `measured`, `reported` (by the company), `assumption` (it stands in for what nobody
            published), or a grid factor's `official`, `operational` or `life-cycle`.
    """

    value: float
    year: str
    source: str
    kind: str


class GridCarbon(NamedTuple):
    """Carbon of a place's electricity, g CO2e per kWh: the factor in use, and the others known."""

    used: EnergyFigure
    others: tuple[EnergyFigure, ...]


class Energy:
    """The factors of a catalog.

    Args:
        raw: the compiled room `energy`.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._raw = raw

    def _figure(self, row: Mapping[str, Any], kind: str) -> EnergyFigure:
        source = self._raw["sources"][row["source"]]
        note = row.get("note")
        return EnergyFigure(
            row["value"], row["year"], f"{source}; {note}" if note else source, kind
        )

    def accelerator_share(self, family: str, load: str, batch: float | None = None) -> EnergyFigure:
        """Share of its power limit that a chip draws.

        Args:
            load: `training`, `serving` or `idle`.
            batch: requests in the batch, for `serving`; None is a large batch.
        """
        rows = [
            row
            for row in self._raw["accelerator_power"]
            if row["load"] == load
            and (row["batch_up_to"] is None or (batch is not None and batch <= row["batch_up_to"]))
        ]
        return self._of_family(rows, family)

    def server_share(self, family: str) -> EnergyFigure:
        """What a server draws besides its accelerators, as a share of their power limit."""
        return self._of_family(self._raw["server_power"], family)

    def _of_family(self, rows: Iterable[Mapping[str, Any]], family: str) -> EnergyFigure:
        ranked = sorted(rows, key=lambda row: row["of"] == "default")
        for row in ranked:
            if row["of"] == "default" or family in row["of"]:
                return self._figure(row, row["kind"])
        raise LookupError(family)

    def pue(self, provider: str) -> EnergyFigure:
        """All of a building's energy over that of its computers."""
        return self._of_provider("pue", provider)

    def site_water(self, provider: str) -> EnergyFigure:
        """Litres of cooling water on site per kWh of the computers."""
        return self._of_provider("site_water", provider)

    def _of_provider(self, room: str, provider: str) -> EnergyFigure:
        rows = self._raw[room]
        row = rows.get(provider) or rows["default"]
        return self._figure(row, row["kind"])

    def grid_carbon(self, provider: str, region: str | None, country: str) -> GridCarbon | None:
        """The grid factors of a place, None when none is known.

        The factor of the best kind is used, its newest year. The others are the remaining kinds,
        of the same year where there is one, so that they can be compared.
        """
        places = self._raw["grid_carbon"]
        key = f"{provider}/{region}"
        found = [*places.get(country, ()), *places.get(key, ())]
        same = self._raw["same_grid"].get(country)
        if same is not None and same != key:
            found += places[same]
        if not found:
            return None
        best: list[EnergyFigure] = []
        for kind in GRID_KINDS:
            rows = [row for row in found if row["kind"] == kind]
            if rows:
                alike = [row for row in rows if best and row["year"] == best[0].year]
                row = alike[0] if alike else max(rows, key=lambda item: item["year"])
                best.append(self._figure(row, kind))
        return GridCarbon(best[0], tuple(best[1:]))

    def grid_water(self, country: str) -> EnergyFigure | None:
        """Litres that power plants consume for a kWh, None when not known."""
        row = self._raw["grid_water"].get(country)
        return None if row is None else self._figure(row, "life-cycle")
