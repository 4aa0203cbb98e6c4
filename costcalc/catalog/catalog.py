"""The catalog: what can be rented, on which chips, at which prices; each room on demand."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from costcalc.catalog.accelerators import Accelerator, build_accelerator
from costcalc.catalog.hardware import Hardware, resolve_hardware
from costcalc.catalog.models import build_architecture, find_model
from costcalc.catalog.names import nearest, normal
from costcalc.catalog.offers import OfferTable
from costcalc.catalog.rates import ExchangeRate, IvaRate, build_iva, build_rates
from costcalc.catalog.store import Folder, Packaged
from costcalc.errors import InputError
from costcalc.estimate.architecture import Architecture

if TYPE_CHECKING:
    from costcalc.catalog.regions import Regions

if TYPE_CHECKING:
    from costcalc.catalog.regions import Regions

T = TypeVar("T")


class _Built(Mapping[str, T], Generic[T]):
    """A mapping whose values are built when first looked at."""

    def __init__(self, raw: Mapping[str, Any], build: Callable[[str, Any], T]) -> None:
        self._raw = raw
        self._build = build
        self._built: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._built:
            self._built[key] = self._build(key, self._raw[key])
        return self._built[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)


class Catalog:
    """All that the files of one catalog folder say.

    Attributes:
        directory: the folder, None for the catalog that an installed costcalc carries.
    """

    # replaced, never changed: see `with_models`
    _further_models: Mapping[str, Architecture] = MappingProxyType({})

    def __init__(self, store: Packaged | Folder) -> None:
        self._store = store
        self.directory: Path | None = store.directory
        self._current: dict[date, OfferTable] = {}
        self._own_calibrations: dict[str, Mapping[str, Any]] = {}

    @property
    def version(self) -> str:
        """Day of the newest price and a short digest of all files, `2026-09-06+1a2b3c4d`."""
        return f"{self._offers['newest'] or 'none'}+{self._store.digest[:8]}"

    @property
    def digest(self) -> str:
        """What tells these files from any others, in hexadecimal."""
        return self._store.digest

    @property
    def prices_newest(self) -> date:
        """Day of the newest price."""
        return date.fromisoformat(self._offers["newest"])

    @property
    def prices_oldest(self) -> date:
        """Day of the oldest price, history included."""
        return date.fromisoformat(self._offers["oldest"])

    @cached_property
    def _accelerators(self) -> Any:
        return self._store.room("accelerators")

    @cached_property
    def _offers(self) -> Any:
        return self._store.room("offers")

    @cached_property
    def _models(self) -> Any:
        return self._store.room("models")

    @cached_property
    def _rates(self) -> Any:
        return self._store.room("rates")

    @cached_property
    def _accelerator_map(self) -> _Built[Accelerator]:
        return _Built(self._accelerators["accelerators"], build_accelerator)

    @cached_property
    def _model_map(self) -> _Built[Architecture]:
        return _Built(self._models["models"], build_architecture)

    @cached_property
    def _offer_table(self) -> OfferTable:
        return OfferTable(self._offers)

    def accelerators(self) -> Mapping[str, Accelerator]:
        """Every accelerator by id."""
        return self._accelerator_map

    def accelerator(self, name: str) -> Accelerator:
        """An accelerator by id or alias, any case.

        Raises:
            InputError: no such name; the nearest valid ones are told.
        """
        aliases = self._accelerators["aliases"]
        identity = aliases.get(normal(name))
        if identity is None:
            near = nearest(name, aliases)
            known = list(dict.fromkeys(aliases[normal(alias)] for alias in near))
            names = ", ".join(known or self._accelerators["accelerators"])
            raise InputError("catalog.no_accelerator", name=name, names=names)
        return self._accelerator_map[identity]

    def accelerator_aliases(self) -> Mapping[str, str]:
        """Every name under which an accelerator is known, in normal form, to its id."""
        aliases: Mapping[str, str] = self._accelerators["aliases"]
        return aliases

    def hardware(self, text: str) -> Hardware:
        """What a person means by `h100:8`, `v5p-8`, `p5.48xlarge:4`; see `resolve_hardware`.

        Raises:
            InputError: no such name, no count, a count below 1, a slice that does not exist.
        """
        return resolve_hardware(text, self)

    def models(self) -> Mapping[str, Architecture]:
        """Every model architecture by id."""
        return self._model_map

    def model(self, name: str) -> Architecture:
        """An architecture by id, alias or Hugging Face id (any case), or from a `config.json`.

        A name that is a path (it ends in `.json`, or a file or folder lies there) is read as a
        Hugging Face config.

        Raises:
            InputError: no such model, or a config that cannot be read or computed.
        """
        if name in self._further_models:
            return self._further_models[name]
        aliases = self._models["aliases"]
        looks_like_path = name.endswith(".json") or name.startswith((".", "/", "~"))
        if not looks_like_path:
            identity = find_model(name, aliases)
            if identity is not None:
                return self._model_map[identity]
        if looks_like_path or Path(name).exists():
            from costcalc.catalog.huggingface import read_config

            return read_config(Path(name).expanduser())
        near = nearest(name.rpartition("/")[2], aliases)
        known = list(dict.fromkeys(aliases[normal(alias)] for alias in near))
        names = ", ".join(known or list(self._models["models"])[:8])
        raise InputError("catalog.no_model", name=name, names=names)

    def with_models(self, models: Mapping[str, Architecture]) -> Catalog:
        """This catalog, which also knows `models` under exactly these names.

        For models that only a training config describes; they are not among `models()`.
        """
        found = copy.copy(self)
        found._further_models = {**self._further_models, **models}
        return found

    def model_details(self) -> Mapping[str, Mapping[str, Any]]:
        """Source, date, note, aliases and published parameter count of every model."""
        details: Mapping[str, Mapping[str, Any]] = self._models["models"]
        return details

    def offers(self) -> OfferTable:
        """Every dated price, history included."""
        return self._offer_table

    def current_offers(self, as_of: date) -> OfferTable:
        """The newest price per offer, not after `as_of`; without prices of 0 and ended ones."""
        held = self._current.get(as_of)
        if held is None:
            held = self._current[as_of] = self._offer_table.current(as_of)
        return held

    def shipped_offers(self, as_of: date) -> OfferTable:
        """`current_offers` of the catalog's own files, without fetched prices."""
        return self.current_offers(as_of)

    def dated_offers(self, as_of: date) -> OfferTable:
        """Every dated price, history included; of fetched ones those that were known on `as_of`."""
        return self._offer_table

    def machines(self, name: str) -> Sequence[tuple[str, str, str, int]]:
        """(provider, name, accelerator, count) of an instance type, any case."""
        return self._offer_table.instance_types.get(name.casefold(), [])

    @cached_property
    def _rate_table(self) -> tuple[ExchangeRate, ...]:
        return build_rates(self._rates)

    def rates(self) -> Sequence[ExchangeRate]:
        """Every stored USD/MXN rate, oldest first."""
        return self._rate_table

    def rate(self, as_of: date) -> ExchangeRate:
        """The newest rate that is not after `as_of`.

        Raises:
            InputError: no rate is as old as that.
        """
        found = [rate for rate in self._rate_table if rate.date and rate.date <= as_of]
        if not found:
            first = self._rate_table[0].date
            raise InputError("catalog.no_rate", as_of=as_of.isoformat(), first=str(first))
        return found[-1]

    def iva_rates(self) -> Mapping[str, IvaRate]:
        """The IVA rates by name: `general`, `border`, `zero`."""
        return {rate.name: rate for rate in build_iva(self._rates)}

    @cached_property
    def _region_map(self) -> Regions:
        from costcalc.catalog.regions import build_regions

        return build_regions(self._store.room("regions"))

    def regions(self) -> Regions:
        """Every known region, by `provider/region`, and the names of groups such as `queretaro`."""
        return self._region_map

    def country_of(self, provider: str, region: str | None) -> str | None:
        """ISO country of a provider's region, None when not known; builds no region."""
        if region is None:
            return None
        row = self._region_rows.get(f"{provider}/{region}")
        return None if row is None else str(row["country"])

    @cached_property
    def _region_rows(self) -> Mapping[str, Any]:
        has = self._store.has("regions")
        rows: Mapping[str, Any] = self._store.room("regions")["regions"] if has else {}
        return rows

    def calibration(self, name: str) -> Mapping[str, Any]:
        """The raw content of `calibration/<name>.yaml`.

        Raises:
            InputError: the catalog has no such file.
        """
        return self._own_calibrations.get(name) or self.table(f"calibration/{name}")

    def use_calibration(self, name: str, data: Mapping[str, Any]) -> None:
        """Take `data`, a user's own file, in place of `calibration/<name>.yaml`."""
        self._own_calibrations[name] = data

    def table(self, name: str) -> Mapping[str, Any]:
        """The raw content of `<name>.yaml`, or of every file of the folder `<name>/` by stem.

        Raises:
            InputError: the catalog has no such file or folder.
        """
        if not self._store.has(name):
            prefix = f"{name}/"
            parts = [room for room in self._store.rooms() if room.startswith(prefix)]
            if parts:
                return {part.removeprefix(prefix): self._store.room(part) for part in parts}
        data: Mapping[str, Any] = self._store.room(name)
        return data

    def has_table(self, name: str) -> bool:
        """Whether `table(name)` exists."""
        return self._store.has(name)
