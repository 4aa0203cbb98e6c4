"""Small words of figures."""

MESSAGES = {
    "days": "{days} days",
}
