"""Palabras pequeñas de las cifras."""

MESSAGES = {
    "days": "{days} días",
}
