"""Evidence from the serving model: latency and cost per token on one chip and on another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from costcalc.errors import NoOfferError
from costcalc.quote.claims import SEPARATOR, Figure, Setting
from costcalc.quote.claims_prices import PURCHASE, bought_at
from costcalc.quote.select import Placement
from costcalc.quote.serve import ServeRequest, choose, estimate_request


@dataclass(frozen=True, slots=True)
class _Service:
    """A service on one system: time to first token, and USD per million output tokens when full."""

    first_token_ms: float | None
    usd_per_million: float
    offer: str


def serving(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """The same requests on each system of `of` and of `against`: how much sooner, how much cheaper.

    Ratios are those of `against` over `of`. Cost is per output token at capacity.
    """
    for place in row["places"]:
        found = {
            on: _service(row["requests"], on, place, setting)
            for on in dict.fromkeys([*row["of"], *row["against"]])
        }
        for of in row["of"]:
            for against in row["against"]:
                yield from _pair(row, place, of, against, found[of], found[against])


def _service(requests: Mapping[str, Any], on: str, place: str, setting: Setting) -> _Service | None:
    """None where it does not fit or nobody sells it that way."""
    rate, users = requests.get("rps"), requests.get("concurrency")
    where_sold = bought_at(place)
    request = ServeRequest(
        architecture=setting.catalog.model(requests["model"]),
        placement=Placement(
            hardware=setting.catalog.hardware(on),
            purchase=PURCHASE,
            provider=where_sold["provider"],
            market=where_sold["market"],
        ),
        input_tokens=int(requests["input_tokens"]),
        output_tokens=int(requests["output_tokens"]),
        precision=requests.get("precision"),
        requests_per_s=None if rate is None else float(rate),
        concurrency=None if users is None else int(users),
    )
    try:
        estimate = estimate_request(request, setting.catalog)
        choice = choose(request, estimate, setting.catalog, setting.terms).choice
    except NoOfferError:
        return None
    tokens = estimate.capacity_requests_per_s.middle * request.job().output_tokens * 3600.0
    where = f"{choice.provider} {choice.region or '*'} {choice.purchase}"
    return _Service(
        first_token_ms=estimate.ttft_ms_p50,
        usd_per_million=float(choice.usd_per_hour) * 1e6 / tokens,
        offer=f"{where} USD {choice.usd_per_hour:f}/h {choice.as_of}",
    )


def _pair(
    row: Mapping[str, Any],
    place: str,
    of: str,
    against: str,
    one: _Service | None,
    other: _Service | None,
) -> Iterator[Figure]:
    params: dict[str, Any] = {"of": of, "against": against, "place": place}
    params["model"] = row["requests"]["model"]
    if one is None or other is None:
        yield Figure("serving", "run_not_sold", tuple(params.items()), source="catalog")
        return
    params |= {
        "of_usd": f"{one.usd_per_million:,.3g}",
        "against_usd": f"{other.usd_per_million:,.3g}",
        "of_ms": "–" if one.first_token_ms is None else f"{one.first_token_ms:,.0f}",
        "against_ms": "–" if other.first_token_ms is None else f"{other.first_token_ms:,.0f}",
    }
    source = SEPARATOR.join(("serving model", f"{of}: {one.offer}", f"{against}: {other.offer}"))
    sooner = None
    if one.first_token_ms is not None and other.first_token_ms is not None:
        sooner = other.first_token_ms / one.first_token_ms
    for key, value, label in (
        ("first_token_at_least", sooner, "serving_first_token"),
        ("saving_at_least", other.usd_per_million / one.usd_per_million, "serving_cost"),
    ):
        least = row.get(key)
        if least is not None:
            yield Figure(
                kind="serving",
                label=label,
                params=tuple(params.items()),
                value=value,
                unit="ratio",
                claimed=f">= {least:g}",
                holds=None if value is None else value >= least,
                source=source,
            )
