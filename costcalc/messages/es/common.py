"""Palabras que se usan en muchos lugares."""

MESSAGES = {
    "or": "o",
    "did_you_mean": "¿Quiso decir {names}?",
    "yes": "sí",
    "no": "no",
    "unknown": "no se conoce",
}
