"""El tipo de cambio."""

MESSAGES = {
    "title": "Tipo de cambio USD/MXN",
    "rate": "Tipo de cambio",
    "rate_value": "{rate} MXN por USD",
    "date": "Fecha",
    "date_value": "{date} (hace {days} días)",
    "date_today": "{date} (hoy)",
    "date_yesterday": "{date} (ayer)",
    "source": "Fuente",
}
