"""Almacenamiento y transferencia de datos."""

MESSAGES = {
    "no_price": "el catálogo no tiene precio de {kind} en {provider} {region}; se conoce "
    "para: {names}. Puede dar un precio propio con la clave price.",
    "no_provider": "el catálogo no tiene precios de datos de {provider!r}; hay: {names}. Puede "
    "dar un precio propio con la clave price.",
    "no_tier": "{provider} no tiene clase de almacenamiento {tier!r}; hay: {names}.",
}
