"""Comparación de dos cotizaciones."""

MESSAGES = {
    "after": "Después",
    "bad_json": "{name}:{line}: no es JSON válido ({problem}).",
    "bad_key": (
        "{name}: falta la clave {where} o es de un tipo distinto; una cotización es lo que "
        "costcalc escribe con --format json."
    ),
    "before": "Antes",
    "before_rate": "La cotización anterior se hizo a {rate} MXN por USD.",
    "by_cause": "Por causa",
    "catalog": "Catálogo",
    "catalogs": "{before} → {after}",
    "cause": "Causa",
    "cause_added": "nuevo",
    "cause_catalog": "catálogo",
    "cause_price": "precio",
    "cause_rate": "tipo de cambio",
    "cause_removed": "quitado",
    "cause_usage": "uso",
    "change": "Cambio",
    "incomplete": "{name}: esta cotización está incompleta (algunas cargas no tenían "
    "precio), así que no se puede comparar.",
    "item": "Concepto",
    "no_date": "dado por usted",
    "not_a_quote": "{name}: no es ni una cotización (JSON de costcalc) ni un plan.",
    "nothing": "Nada cambió.",
    "one_rate": "Un solo tipo de cambio en ambos lados: {rate} MXN por USD, {date}; {source}",
    "percent": "%",
    "rate": "Tipo de cambio",
    "same_catalog": "{before} en ambos lados",
    "schema": "{name}: no se conoce el esquema {schema}; este costcalc lee costcalc.quote/1.",
    "title": "Cambio del costo",
    "total": "Total",
    "unchanged": "{count} sin cambio",
}
