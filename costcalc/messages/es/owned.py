"""Equipo propio."""

MESSAGES = {
    "no_tariff": "el catálogo no tiene ninguna tarifa eléctrica {name!r}; hay: {names}.",
}
