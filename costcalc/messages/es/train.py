"""Cotizaciones de entrenamiento."""

MESSAGES = {
    "serves_only": "{name} solo sirve modelos; estos entrenan: {trains}.",
}
