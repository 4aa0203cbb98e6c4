"""El tipo de cambio."""

MESSAGES = {
    "title": "Tipo de cambio USD/MXN",
    "rate": "Cambio",
    "rate_value": "{rate} MXN por USD",
    "date": "Fecha",
    "date_value": "{date} (hace {days} días)",
    "source": "Fuente",
}
