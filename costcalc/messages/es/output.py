"""Escritura de resultados."""

MESSAGES = {
    "cannot_write": "--output: no se puede escribir {path}: {reason}.",
    "warning": "advertencia [{code}]: {text}",
}
