"""European Central Bank, daily reference rates: USD/MXN by way of the euro, without an account."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from xml.etree import ElementTree

from costcalc.sources import endpoints
from costcalc.sources.banxico import HIGHEST, LOWEST, read_day
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.rates import ECB, Rate
from costcalc.sources.rows import FeedContext

PATH = "/stats/eurofxref/eurofxref-daily.xml"
_CUBE = "{http://www.ecb.int/vocabulary/2002-08-01/eurofxref}Cube"
_FOUR_PLACES = Decimal("0.0001")


def fetch(context: FeedContext) -> list[Rate]:
    """The newest rate.

    Raises:
        FeedError: unreachable, no XML, a currency is missing, or a figure is no rate.
    """
    base = endpoints.ECB.base(context.environ)
    return [read(context.web.get(endpoints.join(base, PATH)).body)]


def read(document: bytes) -> Rate:
    """MXN per USD: both are given per euro, so one divided by the other, at four places.

    Raises:
        FeedError: no XML, a currency is missing, or a figure is no rate.
    """
    # a document type could declare entities that grow without end
    if b"<!DOCTYPE" in document or b"<!ENTITY" in document:
        raise FeedError("sources.html")
    try:
        root = ElementTree.fromstring(document)
    except ElementTree.ParseError as error:
        raise FeedError("sources.not_xml", detail=excerpt(error)) from None
    for day in root.iter(_CUBE):
        when = day.get("time")
        if when is None:
            continue
        rates = {cube.get("currency"): cube.get("rate") for cube in day.iter(_CUBE)}
        values = {name: _per_euro(name, rates.get(name)) for name in ("USD", "MXN")}
        usd_mxn = (values["MXN"] / values["USD"]).quantize(_FOUR_PLACES)
        if not LOWEST <= usd_mxn <= HIGHEST:
            raise FeedError("sources.bad_rate", where=f"ECB {when}", value=str(usd_mxn))
        return Rate(ECB, read_day(when), usd_mxn)
    raise FeedError("sources.no_rates")


def _per_euro(currency: str, text: str | None) -> Decimal:
    try:
        rate = Decimal(text or "")
    except InvalidOperation:
        raise FeedError("sources.bad_rate", where=currency, value=excerpt(text or "?")) from None
    if not rate.is_finite() or rate <= 0:
        raise FeedError("sources.bad_rate", where=currency, value=excerpt(text or "?"))
    return rate
