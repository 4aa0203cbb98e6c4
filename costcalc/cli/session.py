"""What a command needs from outside: the clock, the environment, the catalog, the exchange rate.

This is the only module that reads the clock and the environment on behalf of commands.
"""

from __future__ import annotations

import os
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from costcalc.cli.options import choice
from costcalc.errors import InputError
from costcalc.units import parse_date, parse_number

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.rates import ExchangeRate
    from costcalc.quote.types import IvaMode

IVA_MODES = ("none", "add", "self-assessed")
FX_BOUNDS = (Decimal("0.01"), Decimal(10_000))


def today() -> date:
    """Today's date in UTC, or the day of `SOURCE_DATE_EPOCH` for reproducible output."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC).date()
        except (ValueError, OverflowError, OSError):
            raise InputError("session.source_date_epoch", value=epoch) from None
    return datetime.now(UTC).date()


def as_of_date(option: str | None) -> date:
    """`--as-of`, else today."""
    return today() if option is None else parse_date(option, "--as-of")


def data_directory() -> Path:
    """Where fetched prices are kept: `COSTCALC_DATA_DIR`, else the platform's user data folder."""
    chosen = os.environ.get("COSTCALC_DATA_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("costcalc", appauthor=False))


def cache_directory() -> Path:
    """Where compiled catalogs are kept: under `COSTCALC_DATA_DIR`, else the user cache folder."""
    chosen = os.environ.get("COSTCALC_DATA_DIR")
    if chosen:
        return Path(chosen) / "cache"
    import platformdirs

    return Path(platformdirs.user_cache_dir("costcalc", appauthor=False))


def open_catalog(option: str | None) -> Catalog:
    """The catalog of `--catalog`, of `COSTCALC_CATALOG`, or the shipped one."""
    from costcalc import catalog

    chosen = option or os.environ.get("COSTCALC_CATALOG")
    return catalog.load(Path(chosen) if chosen else None, cache_dir=cache_directory())


def exchange_rate(option: str | None, catalog: Catalog, as_of: date) -> ExchangeRate:
    """The rate of `--fx`, else the catalog's newest one not after `as_of`."""
    from costcalc.catalog.rates import ExchangeRate

    if option is None:
        return catalog.rate(as_of)
    low, high = FX_BOUNDS
    rate = parse_number(option, "--fx", low=low, high=high, example="18.75")
    return ExchangeRate(usd_mxn=rate, date=None, source="--fx")


def iva(mode: str, rate: str) -> tuple[IvaMode, Decimal]:
    """`--iva` and `--iva-rate`."""
    chosen: IvaMode = choice(mode, "--iva", IVA_MODES)  # type: ignore[assignment]
    percent = parse_number(rate.strip().removesuffix("%"), "--iva-rate", low=0, high=100)
    return chosen, percent
