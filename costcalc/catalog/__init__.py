"""What the files in `pricing/` say: accelerators, offers, models, rates, regions, tables."""

from __future__ import annotations

from pathlib import Path

from costcalc.catalog.accelerators import Accelerator, Claim, Figure, SliceRule
from costcalc.catalog.catalog import Catalog
from costcalc.catalog.hardware import Hardware
from costcalc.catalog.offers import Offer, OfferTable
from costcalc.catalog.rates import ExchangeRate, IvaRate
from costcalc.catalog.store import find

__all__ = [
    "Accelerator",
    "Catalog",
    "Claim",
    "ExchangeRate",
    "Figure",
    "Hardware",
    "IvaRate",
    "Offer",
    "OfferTable",
    "SliceRule",
    "load",
]


def load(directory: Path | None = None, *, cache_dir: Path | None = None) -> Catalog:
    """A catalog.

    Args:
        directory: a catalog folder; by default the catalog that came with costcalc (in a checkout,
            its `pricing/` folder).
        cache_dir: where rooms compiled from a folder are kept; by default the platform's cache
            folder. A folder that cannot be written is no fault.

    Raises:
        InputError: not a catalog folder. Faults inside its files are raised when a room is used.
    """
    return Catalog(find(directory, cache_dir))
