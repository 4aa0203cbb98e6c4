"""Validates `rates.yaml`: daily USD/MXN rates and IVA."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from costcalc.catalog.compile_accelerators import find_source, source_table
from costcalc.catalog.fields import Fields, decimal_of, fault, mapping, sequence
from costcalc.catalog.yamlfile import Node, is_date

_LOW, _HIGH = Decimal(1), Decimal(1000)


def compile_rates(root: Node) -> dict[str, Any]:
    """Exchange and tax rates as rows, sorted by day.

    Raises:
        InputError: a fault, with file, line and key.
    """
    top = Fields(root, "rates", ("sources", "usd_mxn", "iva"))
    sources = source_table(top)
    texts: list[str] = []
    days: dict[str, list[Any]] = {}
    for group in sequence(top.at("usd_mxn"), "usd_mxn"):
        fields = Fields(group, "usd_mxn", ("source", "date", "rates"))
        text, _ = find_source(fields, sources)
        if text not in texts:
            texts.append(text)
        for day, node in mapping(fields.at("rates"), "rates").items():
            if not is_date(day):
                raise fault(node, day, "want_date", value=day)
            if day in days:
                raise fault(node, day, "duplicate_entry", name=day)
            value = decimal_of(node, day, low=_LOW, high=_HIGH)
            days[day] = [day, str(value), texts.index(text)]
    if not days:
        raise fault(top.at("usd_mxn"), "usd_mxn", "missing_key")
    iva = []
    for name, node in mapping(top.at("iva"), "iva").items():
        fields = Fields(node, name, ("percent", "source", "date", "note"))
        percent = fields.decimal("percent", low=0, high=100)
        text, day = find_source(fields, sources)
        iva.append([name, str(percent), text, day, fields.optional_text("note")])
    return {"sources": texts, "usd_mxn": [days[day] for day in sorted(days)], "iva": iva}
