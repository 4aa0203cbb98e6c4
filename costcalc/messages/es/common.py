"""Palabras que se usan en muchos lugares."""

MESSAGES = {
    "or": "o",
    "months": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
    ),
    "day": "{day} de {month} de {year}",
    "yes": "sí",
    "no": "no",
}
