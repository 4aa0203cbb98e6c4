"""The exchange rate."""

MESSAGES = {
    "title": "Exchange rate USD/MXN",
    "rate": "Rate",
    "rate_value": "{rate} MXN per USD",
    "date": "Date",
    "date_value": "{date} ({days} days ago)",
    "date_today": "{date} (today)",
    "date_yesterday": "{date} (yesterday)",
    "source": "Source",
}
