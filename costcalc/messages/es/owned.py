"""Equipo propio."""

MESSAGES = {
    "no_tariff": "el catálogo no tiene tarifa eléctrica {name!r}; hay: {names}.",
}
