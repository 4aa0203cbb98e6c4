"""Banco de México, SIE API: the FIX by the day it settles debts, and by the day it was set."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from costcalc.sources import endpoints
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.rates import DOF, FIX, Rate
from costcalc.sources.rows import FeedContext, list_of, mapping_of, text_at

PATH = "/SieAPIRest/service/v1/series/{series}/datos/{start}/{end}"
LATEST = "/SieAPIRest/service/v1/series/{series}/datos/oportuno"
SERIES = (DOF, FIX)
TOKEN = "BANXICO_TOKEN"
DAYS_BACK = timedelta(days=21)
DAYS_AHEAD = timedelta(days=7)
LOWEST, HIGHEST = Decimal(1), Decimal(1000)
_TOKEN_SHAPE = re.compile(r"[\x21-\x7e]+")
_NOT_PUBLISHED = "N/E"


def fetch(context: FeedContext) -> list[Rate]:
    """The rates of the last three weeks, and those already published for the days ahead.

    Raises:
        FeedError: no token, a refused one, no rate, a rate that cannot be one.
    """
    token = context.environ.get(TOKEN, "").strip()
    if not token:
        raise FeedError("sources.no_banxico_token")
    if not _TOKEN_SHAPE.fullmatch(token):
        raise FeedError("sources.bad_banxico_token")
    base = endpoints.BANXICO.base(context.environ)
    headers = {"Bmx-Token": token}
    names = ",".join(SERIES)
    start, end = context.today - DAYS_BACK, context.today + DAYS_AHEAD
    url = base + PATH.format(series=names, start=start.isoformat(), end=end.isoformat())
    explain = _explainer(context)
    rates = read(context.web.get_json(url, headers=headers, explain=explain), context)
    if not rates:
        # an empty range is no fault of the API: ask for the newest rate there is
        url = base + LATEST.format(series=names)
        rates = read(context.web.get_json(url, headers=headers, explain=explain), context)
    if not rates:
        raise FeedError("sources.no_rates")
    return rates


def read(answer: object, context: FeedContext) -> list[Rate]:
    """The rates of an answer, oldest first.

    `datos` may be missing (an empty range), a value may be `N/E` (not published yet) and may have
    a comma for thousands; dates come as dd/mm/yyyy or yyyy-mm-dd.

    Raises:
        FeedError: an error body, another shape, a zero, or a figure that is no rate.
    """
    page = mapping_of(answer, "answer")
    if "error" in page:
        raise _refused(mapping_of(page["error"], "error"), context)
    found: list[Rate] = []
    body = mapping_of(page.get("bmx"), "bmx")
    for raw in list_of(body.get("series"), "series"):
        series = mapping_of(raw, "series")
        name = text_at(series, "idSerie", "series")
        if name not in SERIES:
            continue
        for raw_point in list_of(series.get("datos") or [], name):
            point = mapping_of(raw_point, name)
            text = text_at(point, "dato", name)
            if text.upper() == _NOT_PUBLISHED:
                continue
            day = read_day(text_at(point, "fecha", name))
            found.append(Rate(name, day, read_rate(text, f"{name} {day}")))
    return sorted(found, key=lambda rate: (rate.day, rate.series))


def read_day(text: str) -> date:
    """`30/10/2026` (as answers write it) or `2026-10-30` (as requests do).

    Raises:
        FeedError: no date.
    """
    parts = text.split("/")
    try:
        if len(parts) == 3:
            return date(int(parts[2]), int(parts[1]), int(parts[0]))
        return date.fromisoformat(text)
    except ValueError:
        raise FeedError("sources.bad_date", value=excerpt(text)) from None


def read_rate(text: str, where: str) -> Decimal:
    """`18.7342` or `1,234.50` as a rate.

    Raises:
        FeedError: no number, zero, or no rate that the peso can have.
    """
    try:
        rate = Decimal(text.replace(",", ""))
    except InvalidOperation:
        raise FeedError("sources.bad_rate", where=excerpt(where), value=excerpt(text)) from None
    if not rate.is_finite() or not LOWEST <= rate <= HIGHEST:
        raise FeedError("sources.bad_rate", where=excerpt(where), value=excerpt(text))
    return rate


def _explainer(context: FeedContext) -> Any:
    def explain(_: int, body: bytes) -> FeedError | None:
        try:
            page = json.loads(body)
        except ValueError:
            return None
        if isinstance(page, Mapping) and isinstance(page.get("error"), Mapping):
            return _refused(page["error"], context)
        return None

    return explain


def _refused(error: Mapping[str, Any], context: FeedContext) -> FeedError:
    message = excerpt(error.get("mensaje", "?"), context.secrets)
    seconds = error.get("secondsToReset")
    if seconds is not None:
        return FeedError("sources.banxico_limit", detail=message, seconds=excerpt(seconds))
    detail = excerpt(error.get("detalle", ""), context.secrets)
    return FeedError("sources.banxico_refused", detail=message, more=detail)
