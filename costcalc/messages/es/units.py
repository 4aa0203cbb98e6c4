"""Cantidades que no se pudieron leer."""

MESSAGES = {
    "number": "{what}: {text!r} no es un número; escriba por ejemplo {example}.",
    "count_range": "{what}: {text!r} debe ser un número entero de {low:,} a {high:,}.",
    "number_range": "{what}: {text!r} debe estar entre {low:,} y {high:,}.",
    "duration": "{what}: {text!r} no es una duración; escriba por ejemplo {example}.",
    "money_currency": "{what}: {text!r} no dice la moneda; escriba {example}USD o {example}MXN.",
    "money": "{what}: {text!r} no es un monto; escriba por ejemplo 20000USD.",
    "percent": "{what}: {text!r} no es un porcentaje de 0% a {high}%; escriba por ejemplo 12%.",
    "date": "{what}: {text!r} no es una fecha; escriba por ejemplo 2026-12-01.",
}
