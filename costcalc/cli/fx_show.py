"""`costcalc fx show`: the exchange rate in use, its date and its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import as_of_date, exchange_rate, open_catalog

if TYPE_CHECKING:
    from costcalc.reports.document import Document

COLUMNS = ("usd_mxn", "date", "age_days", "source")


def command(
    fx: o.Fx = None,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = list_format(form)
    day = as_of_date(as_of)
    rate = exchange_rate(fx, open_catalog(catalog), day)
    record = {
        "usd_mxn": rate.usd_mxn,
        "date": rate.date,
        "age_days": None if rate.date is None else (day - rate.date).days,
        "source": rate.source,
    }
    show_records([record], COLUMNS, lambda: _document(record), form, output)


def _document(record: Mapping[str, Any]) -> Document:
    from costcalc.reports.document import Document, Facts

    rows = [(t("fx.rate"), t("fx.rate_value", rate=record["usd_mxn"]))]
    if record["date"] is not None:
        days = record["age_days"]
        near = {0: "fx.date_today", 1: "fx.date_yesterday"}
        shown = t(near.get(days, "fx.date_value"), date=record["date"], days=days)
        rows.append((t("fx.date"), shown))
    rows.append((t("fx.source"), str(record["source"])))
    return Document(t("fx.title"), (Facts(None, tuple(rows)),))
