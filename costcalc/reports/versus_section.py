"""Rent, own, or call an API: as JSON and as tables for people."""

from __future__ import annotations

from typing import Any

from costcalc import messages
from costcalc.quote.break_even import Point
from costcalc.quote.types import Quote
from costcalc.quote.versus import Row, Versus
from costcalc.reports import wording
from costcalc.reports.document import Block, Notes, Table
from costcalc.reports.json_report import plain, row
from costcalc.reports.wording import percent

ROW_COLUMNS = (
    "kind",
    "name",
    "usd_per_month",
    "mxn_per_month",
    "usd_per_request",
    "usd_per_million_output_tokens",
    "replicas",
    "utilisation",
    "break_even_requests_per_month",
    "break_even_replicas",
    "break_even_usd_per_month",
    "break_even_utilisation",
    "purchase_usd",
    "running_usd_per_month",
    "months_to_break_even",
    "within_life",
    "break_even_hours_share",
    "as_of",
    "source",
)
POINT_COLUMNS = (
    "price_factor",
    "volume_factor",
    "requests_per_month",
    "replicas",
    "own_usd",
    "api_usd",
    "cheaper",
)


def record(found: Versus) -> dict[str, Any]:
    """The key `versus` of a quote."""
    traffic = found.traffic
    return {
        "request": row(traffic.shape, ("input_tokens", "output_tokens", "cached_tokens")),
        "requests_per_month": plain(traffic.requests_per_month),
        "hours_per_month": plain(traffic.hours_per_month),
        "rows": [row_record(item) for item in found.rows],
        "sensitivity": [
            {"name": name, **row(point, POINT_COLUMNS)}
            for name, points in found.sensitivity.items()
            for point in points
        ],
    }


def row_record(item: Row) -> dict[str, Any]:
    """One way to serve the traffic; what does not apply to it is null."""
    even, owning = item.break_even, item.ownership
    values: dict[str, Any] = {name: getattr(item, name, None) for name in ROW_COLUMNS}
    if even is not None:
        values |= {
            "break_even_requests_per_month": even.requests_per_month,
            "break_even_replicas": even.replicas,
            "break_even_usd_per_month": even.usd_per_month,
            "break_even_utilisation": even.utilisation,
        }
    if owning is not None:
        values |= {
            "purchase_usd": owning.purchase_usd,
            "running_usd_per_month": owning.running_usd,
            "months_to_break_even": owning.months,
            "within_life": owning.within_life,
            "break_even_hours_share": owning.hours_share,
        }
    return {name: plain(values[name]) for name in ROW_COLUMNS}


def blocks(quote: Quote, language: str) -> list[Block]:
    """The comparison, what it rests on, and what falling prices and growing use do to it."""
    found = quote.versus
    if found is None:
        return []
    return [
        _rows(quote, found, language),
        Notes(_t("versus_notes", language), _notes(found, language)),
        *(_grid(name, points, language) for name, points in found.sensitivity.items()),
    ]


def _t(name: str, language: str, **params: object) -> str:
    return messages.text(f"economics.{name}", language, **params)


def _amount(value: Any, digits: int = 2) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _rows(quote: Quote, found: Versus, language: str) -> Table:
    shown = wording.currencies(quote)
    rows = tuple(
        (
            f"{_t(f'way_{item.kind}', language)}: {item.name}",
            *(
                _amount(item.usd_per_month if currency == "USD" else item.mxn_per_month)
                for currency in shown
            ),
            _amount(item.usd_per_million_output_tokens, 3),
            *_even(item, language),
        )
        for item in found.rows
    )
    columns = (
        _t("way", language),
        *(_t(f"{currency.lower()}_month", language) for currency in shown),
        _t("usd_million", language),
        _t("even", language),
        _t("used", language),
    )
    numeric = frozenset(range(1, len(shown) + 2))
    return Table(_t("versus", language), columns, rows, numeric)


def _even(item: Row, language: str) -> tuple[str, str]:
    """From where the rented machines, or the bought ones, cost no more; and how used they are."""
    if item.kind == "rented":
        if item.replicas is None or item.utilisation is None:
            return _t("not_served", language), ""
        return "–", _used(item.utilisation, item.replicas, language)
    if item.kind == "api":
        even = item.break_even
        if even is None:
            return _t("never", language), "–"
        volume = _t("even_api", language, requests=f"{even.requests_per_month:,}")
        return volume, _used(even.utilisation, even.replicas, language)
    owning = item.ownership
    assert owning is not None
    if owning.months is None or owning.hours_share is None:
        return _t("never", language), "–"
    key = "even_owned" if owning.within_life else "even_owned_late"
    return (
        _t(key, language, months=f"{owning.months:,}"),
        _t("hours_owned", language, share=percent(float(owning.hours_share))),
    )


def _used(share: Any, replicas: int, language: str) -> str:
    return _t("used_of", language, share=percent(float(share)), replicas=f"{replicas:,}")


def _notes(found: Versus, language: str) -> tuple[str, ...]:
    traffic = found.traffic
    items = [
        _t(
            "versus_traffic",
            language,
            requests=f"{traffic.requests_per_month:,.0f}",
            input=f"{traffic.shape.input_tokens:,}",
            output=f"{traffic.shape.output_tokens:,}",
            hours=f"{traffic.hours_per_month:,}",
        ),
        _t("versus_reading", language),
    ]
    if any(item.kind == "owned" for item in found.rows):
        items.append(_t("versus_owned", language))
    sources = dict.fromkeys(
        f"{item.source}, {item.as_of.isoformat()}"
        for item in found.rows
        if item.kind == "api" and item.as_of is not None
    )
    items += [_t("versus_source", language, source=source) for source in sources]
    return tuple(items)


def _grid(name: str, points: tuple[Point, ...], language: str) -> Table:
    """API costs by price and volume; `*` where the machines cost no more."""
    factors = list(dict.fromkeys(point.price_factor for point in points))
    rows = []
    for volume in dict.fromkeys(point.volume_factor for point in points):
        line = [point for point in points if point.volume_factor == volume]
        rows.append(
            (
                f"x {volume.normalize():f}",
                _amount(line[0].own_usd),
                *(
                    f"{_amount(point.api_usd)}{'' if point.cheaper == 'api' else ' *'}"
                    for point in line
                ),
            )
        )
    columns = (
        _t("volume", language),
        _t("own_month", language),
        *(_t("price_at", language, share=percent(float(factor))) for factor in factors),
    )
    numeric = frozenset(range(1, len(columns)))
    return Table(_t("grid", language, api=name), columns, tuple(rows), numeric)
