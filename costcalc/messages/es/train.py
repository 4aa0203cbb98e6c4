"""Cotizaciones de entrenamiento."""

MESSAGES = {
    "over_budget": "excede el presupuesto: {share} de {budget}.",
    "serves_only": "{name} solo sirve modelos; estos entrenan: {trains}.",
}
