"""Prices of hosted models, from the package genai-prices (extra `api`).

The package ships its prices and asks no network. It is imported when a price is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from costcalc.catalog.names import nearest, normal
from costcalc.errors import InputError
from costcalc.quote.api_prices import HostedPrice, RequestShape

if TYPE_CHECKING:
    from types import ModuleType

PACKAGE = "genai-prices"
HOURS = 24
# variants that are no ordinary service: rate-limited giveaways and answers within a day
VARIANTS = (":free", ":batch", ":extended")
SHOWN = 6
EXAMPLE = "gpt-oss-120b@groq"


def library() -> ModuleType:
    """The package.

    Raises:
        InputError: it is not installed; the message is one line that says how to get it.
    """
    try:
        import genai_prices
    except ImportError:
        raise InputError("economics.no_extra") from None
    module: ModuleType = genai_prices
    return module


def version() -> str:
    """`genai-prices 0.2.3`."""
    return f"{PACKAGE} {library().__version__}"


def hosted_price(asked: str, shape: RequestShape, day: date) -> HostedPrice:
    """What one request of `shape` costs on `day` at a hosted model.

    Args:
        asked: `MODEL@PROVIDER`, or a model that only its maker's API is meant by.

    Raises:
        InputError: no such provider or model, several that it could be, a price of zero, or the
            package is not installed.
    """
    module = library()
    wanted, separator, place = asked.strip().rpartition("@")
    if not separator:
        wanted, place = asked.strip(), ""
    if not wanted.strip():
        raise InputError("economics.api_empty", name=asked, example=EXAMPLE)
    provider = _provider(place) if place else _home(wanted, asked)
    model = _model(module, provider, wanted, asked, shape, day)
    by_hour = [_price(module, provider, model, shape, _at(day, hour)) for hour in range(HOURS)]
    total = sum((found[0] for found in by_hour), Decimal(0)) / HOURS
    if total <= 0:
        raise InputError("economics.api_free", name=f"{model.id}@{provider.id}")
    same = len({found[0] for found in by_hour}) == 1
    usage, asked_in, asked_out = by_hour[0] if same else _mean(by_hour)
    return HostedPrice(
        asked=asked.strip(),
        provider=provider.id,
        model=model.id,
        usd_per_request=usage,
        input_usd=asked_in,
        output_usd=asked_out,
        retired=bool(getattr(model, "deprecated", False)),
        by_hour=not same,
        as_of=day,
        source=version(),
    )


def _at(day: date, hour: int) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def _mean(prices: list[tuple[Decimal, Decimal, Decimal]]) -> tuple[Decimal, Decimal, Decimal]:
    total, inputs, outputs = (
        sum((price[part] for price in prices), Decimal(0)) / HOURS for part in range(3)
    )
    return total, inputs, outputs


def _price(
    module: ModuleType, provider: Any, model: Any, shape: RequestShape, moment: datetime
) -> tuple[Decimal, Decimal, Decimal]:
    """Total, input and output USD of one request at a moment."""
    usage = module.Usage(
        input_tokens=shape.input_tokens,
        output_tokens=shape.output_tokens,
        cache_read_tokens=shape.cached_tokens or None,
    )
    # asked of the model itself: a look-up by name may end at another provider
    found = model.calc_price(usage, provider, genai_request_timestamp=moment)
    return found.total_price, found.input_price, found.output_price


def _providers() -> list[Any]:
    library()
    from genai_prices.data import providers

    return list(providers)


def _provider(name: str) -> Any:
    """A provider by id, any case.

    Raises:
        InputError: no such provider, with the nearest names.
    """
    known = {provider.id: provider for provider in _providers()}
    found = known.get(name.strip().lower())
    if found is None:
        names = ", ".join(nearest(name, known) or sorted(known)[:SHOWN])
        raise InputError("economics.api_provider", name=name, names=names)
    return found


def _home(wanted: str, asked: str) -> Any:
    """The provider of a model that was named without one.

    Raises:
        InputError: nobody offers it, or several do, so that one must be named.
    """
    every = _providers()
    for provider in every:
        # the maker's own API, which the package knows by the model's name
        if provider.model_match is not None and provider.model_match.is_match(wanted.lower()):
            return provider
    offering = [provider for provider in every if _matches(provider, wanted)]
    if not offering:
        raise InputError("economics.api_unknown", name=asked, names=_alike(wanted))
    if len(offering) > 1:
        names = ", ".join(f"{wanted}@{provider.id}" for provider in offering[: SHOWN * 2])
        raise InputError("economics.api_several", name=asked, names=names)
    return offering[0]


def _alike(wanted: str) -> str:
    every = {model.id for provider in _providers() for model in provider.models}
    return ", ".join(nearest(wanted, every)) or EXAMPLE


def _ordinary(models: Iterable[Any]) -> list[Any]:
    return [model for model in models if not model.id.endswith(VARIANTS)]


def _last(identity: str) -> str:
    """`openai/gpt-oss-120b` as `gpt-oss-120b`, in normal form."""
    return normal(identity.rpartition("/")[2])


def _matches(provider: Any, wanted: str) -> list[Any]:
    """The models of a provider that `wanted` names: exactly, else as a part of the id."""
    form = normal(wanted)
    exact = [
        model for model in provider.models if form in (normal(model.id), normal(model.name or ""))
    ]
    exact = exact or [model for model in provider.models if model.is_match(wanted)]
    if exact:
        return exact[:1]
    models = _ordinary(provider.models)
    same = [model for model in models if _last(model.id) == _last(wanted)]
    if same:
        return same
    ends = _last(wanted)
    return [
        model
        for model in models
        if _last(model.id).startswith(f"{ends}-")
        or _last(model.id).endswith(f"-{ends}")
        or f"-{ends}-" in _last(model.id)
    ]


def _model(
    module: ModuleType, provider: Any, wanted: str, asked: str, shape: RequestShape, day: date
) -> Any:
    """One model of a provider; of several that charge the same, the first.

    Raises:
        InputError: no such model, or several with different prices.
    """
    found = _matches(provider, wanted)
    current = [model for model in found if not getattr(model, "deprecated", False)]
    found = current or found
    if not found:
        names = nearest(wanted, [model.id for model in provider.models])
        shown = ", ".join(names or sorted(model.id for model in provider.models)[:SHOWN])
        raise InputError("economics.api_model", name=wanted, provider=provider.id, names=shown)
    prices = {_price(module, provider, model, shape, _at(day, 0))[0] for model in found}
    if len(prices) > 1:
        names_of = ", ".join(f"{model.id}@{provider.id}" for model in found[:SHOWN])
        raise InputError("economics.api_several", name=asked, names=names_of)
    return found[0]
