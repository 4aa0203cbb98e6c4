"""Listas de precios."""

MESSAGES = {
    "accelerator_option": "Solo este acelerador; se puede repetir.",
    "instance_option": "Solo este tipo de instancia; se puede repetir.",
    "provider_option": "Solo este proveedor; se puede repetir.",
    "market_option": "Solo este tipo de vendedor. Sin ella: todos.",
    "sort_option": "accelerator-price, instance-price, accelerator, count, provider, region, "
    "purchase, market o date.",
    "descending_option": "En orden inverso.",
    "limit_option": (
        "Máximo de filas; 0 son todas. Sin ella una tabla muestra 40; los demás formatos, todas."
    ),
    "name_argument": "Tipo de instancia (p5.48xlarge) o acelerador (h100).",
    "title": "Ofertas ({matched} de {known})",
    "show_title": "{name}: ofertas de hoy ({count})",
    "column_where": "Dónde",
    "column_machine": "Máquina",
    "column_purchase": "Compra",
    "column_chip_hour": "chip-h",
    "column_machine_hour": "máquina-h",
    "column_date": "Fecha",
    "mark_listed": "",
    "mark_quoted": "c",
    "mark_estimated": "EST",
    "units": "USD por hora de acelerador (chip-h) y por hora de máquina.",
    "marks": "c: citado por un tercero; EST: una estimación; – como región: un precio para muchas.",
    "hidden": "Más ofertas que coinciden: {hidden}; --limit 0 las muestra todas.",
    "none": "Ninguna oferta coincide.",
    "current": "Hoy",
    "before": "Entradas anteriores",
    "sources": "Fuentes de los precios de hoy",
    "remarks": "Observaciones",
}
