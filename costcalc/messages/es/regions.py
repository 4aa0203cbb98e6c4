"""Regiones y lugares."""

MESSAGES = {
    "residency": "--residency: el catálogo no conoce ninguna región en {text!r}; países "
    "conocidos: {names}.",
    "unknown": "no hay ninguna región llamada {text!r}. Las más parecidas: {names}.",
}
