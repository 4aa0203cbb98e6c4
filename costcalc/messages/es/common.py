"""Palabras que se usan en muchos lugares."""

MESSAGES = {
    "or": "o",
    "yes": "sí",
    "no": "no",
}
