"""Supuestos, modelos alojados junto a máquinas propias, punto de equilibrio."""

MESSAGES = {
    "assume_without": "--assume no admite {options}: nadie renta ese chip. Quite esa opción.",
    "assume_missing": "A --assume le falta {names}, por ejemplo {example}.",
    "assume_rentable": "{name} se puede rentar: el catálogo tiene sus precios y el modelo su ritmo. "
    "--assume es para chips que solo están anunciados.",
    "assume_serves_only": "{name} no entrena: está anunciado solo para inferencia.",
    "assumed": "SUPUESTO",
    "assumed_basis": "USD {usd} por acelerador y hora, {rate} tokens/s por acelerador; lo supone "
    "usted, nadie lo ofrece",
    "assumed_system": "{accelerators} x {accelerator}, solo anunciado",
    "assumed_time": "{hours}, si el supuesto se cumple; sin rango",
    "no_extra": "--versus-api necesita genai-prices: pip install 'costcalc[api]'.",
    "api_free": "{name} no tiene precio: se regala con límites sobre los que no se puede planear ningún tráfico.",
    "api_provider": "No hay proveedor de modelos alojados {name!r}. Parecidos: {names}.",
    "api_unknown": "No hay modelo alojado {name!r}. Parecidos: {names}.",
    "api_model": "{provider} no aloja {name!r}. Parecidos: {names}.",
    "api_several": "{name!r} puede ser varios modelos alojados; indique uno de: {names}.",
    "api_empty": "--versus-api {name!r} no nombra ningún modelo; es MODELO@PROVEEDOR, por ejemplo {example}.",
}
