"""Items and units of a quote's lines."""

MESSAGES = {
    "compute": "compute",
    "discount": "discount",
    "unit_instance_hour": "inst-h",
    "unit_USD": "USD",
}
