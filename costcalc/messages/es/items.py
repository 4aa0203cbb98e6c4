"""Conceptos y unidades de las líneas de una cotización."""

MESSAGES = {
    "compute": "cómputo",
    "discount": "descuento",
    "unit_instance_hour": "inst-h",
    "unit_USD": "USD",
}
