"""Energy, carbon and water of accelerators that run: plain arithmetic on measured shares.

An accelerator draws a share of its power limit that depends on the load; its server draws more
besides; the building multiplies both by its PUE. Carbon and the water of power plants follow the
energy of the whole building, cooling water on site that of the computers alone.
"""

from __future__ import annotations

import math
from typing import NamedTuple

WATTS_PER_KW = 1000.0
GRAMS_PER_KG = 1000.0


class Impact(NamedTuple):
    """What running costs the world; None where no factor is known.

    Attributes:
        energy_kwh: of the whole building, PUE included.
        co2e_kg: location-based.
        water_l: on site and at the power plants together.
    """

    energy_kwh: float
    co2e_kg: float | None
    water_l: float | None


def computer_kwh(
    limit_w: float, accelerator_share: float, server_share: float, accelerator_hours: float
) -> float:
    """Energy of accelerators and their servers, kWh.

    Args:
        limit_w: power limit of one accelerator, W.
        accelerator_share: share of it that the accelerator draws.
        server_share: what the rest of its server draws, as a share of the same limit.
        accelerator_hours: accelerators x hours.
    """
    return limit_w * (accelerator_share + server_share) * accelerator_hours / WATTS_PER_KW


def busy_share(mean_requests: float) -> float:
    """Share of the time in which at least one request is there.

    Requests that arrive at random and find no queue are in number Poisson with mean
    `mean_requests`, so that none is there for exp(-mean_requests) of the time.
    """
    return -math.expm1(-mean_requests)


def serving_share(busy: float, loaded: float, idle: float) -> float:
    """Mean share of the power limit while serving.

    Args:
        busy: share of the time with a request to work on.
        loaded, idle: share of the power limit with one, and without.
    """
    return busy * loaded + (1.0 - busy) * idle


def impact(
    computer_energy_kwh: float,
    pue: float,
    grid_g_per_kwh: float | None,
    site_l_per_kwh: float | None,
    grid_l_per_kwh: float | None,
) -> Impact:
    """What `computer_energy_kwh` means for the building, the grid and the water.

    Args:
        pue: energy of the building over that of the computers, at least 1.
        grid_g_per_kwh: g CO2e per kWh of the building.
        site_l_per_kwh: litres on site per kWh of the computers.
        grid_l_per_kwh: litres at the power plants per kWh of the building.
    """
    building = computer_energy_kwh * pue
    carbon = None if grid_g_per_kwh is None else building * grid_g_per_kwh / GRAMS_PER_KG
    water = None
    if site_l_per_kwh is not None and grid_l_per_kwh is not None:
        water = computer_energy_kwh * site_l_per_kwh + building * grid_l_per_kwh
    return Impact(building, carbon, water)
