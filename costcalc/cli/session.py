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
from costcalc.errors import CostcalcError, InputError
from costcalc.notices import Notice, notice
from costcalc.units import parse_date, parse_number

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.rates import ExchangeRate
    from costcalc.quote.types import IvaMode

IVA_MODES = ("none", "add", "self-assessed")
FX_BOUNDS = (Decimal("0.01"), Decimal(10_000))


pending_notices: list[Notice] = []
"""Warnings that came up outside a quote; reports for programs add them to the quote's own."""


def now() -> datetime:
    """The time in UTC, or that of `SOURCE_DATE_EPOCH`."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        try:
            return datetime.fromtimestamp(int(epoch), UTC)
        except (ValueError, OverflowError, OSError):
            raise InputError("session.source_date_epoch", value=epoch) from None
    return datetime.now(UTC)


def today() -> date:
    """Today's date in UTC, or the day of `SOURCE_DATE_EPOCH` for reproducible output."""
    return now().date()


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
    """The catalog of `--catalog`, `COSTCALC_CATALOG`, or the shipped one, under what was fetched.

    A store that cannot be read is left out, with a warning on stderr and in `pending_notices`.
    """
    opened = own_catalog(option)
    store = store_path()
    if not store.is_file():
        return opened
    from costcalc.catalog.layers import LayeredCatalog
    from costcalc.sources.fetched import Fetched

    return LayeredCatalog(opened, Fetched(store, _store_fault))


def own_catalog(option: str | None) -> Catalog:
    """The catalog of `--catalog`, of `COSTCALC_CATALOG`, or the shipped one, as its files are."""
    from costcalc import catalog

    chosen = option or os.environ.get("COSTCALC_CATALOG")
    return catalog.load(Path(chosen) if chosen else None, cache_dir=cache_directory())


def store_path() -> Path:
    """The file with the fetched prices and rates; it may not exist."""
    return data_directory() / "prices.sqlite3"


def _store_fault(fault: CostcalcError) -> None:
    from costcalc.cli import language, output

    found = notice("store_unreadable", reason=fault.message(language.current()))
    pending_notices.append(found)
    output.warn([found])


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
