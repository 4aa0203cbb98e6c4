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
    "api_provider": (
        "No hay ningún proveedor de modelos alojados {name!r}. Los más parecidos: {names}."
    ),
    "api_unknown": "No hay ningún modelo alojado {name!r}. Los más parecidos: {names}.",
    "api_model": "{provider} no aloja {name!r}. Los más parecidos: {names}.",
    "api_several": "{name!r} puede ser varios modelos alojados; indique uno de: {names}.",
    "api_empty": "--versus-api {name!r} no nombra ningún modelo; es MODELO@PROVEEDOR, por ejemplo {example}.",
    "versus": "Rentar, tener o llamar a una API",
    "way": "Forma",
    "usd_month": "USD/mes",
    "mxn_month": "MXN/mes",
    "usd_million": "USD/M sal.",
    "even": "Equilibrio",
    "way_rented": "rentado",
    "way_api": "API",
    "way_owned": "propio",
    "not_served": "las máquinas no lo atienden",
    "versus_notes": "Cómo leerlo",
    "versus_traffic": "{requests} peticiones al mes ({hours} horas), cada una de {input} tokens de entrada y {output} de salida; se cotiza una petición y se multiplica.",
    "versus_source": "Precios de API: {source}.",
    "volume": "Peticiones",
    "own_month": "máquinas",
    "price_at": "API al {share}",
    "grid": "{api}: tokens más baratos, más uso (USD al mes; * las máquinas no cuestan más)",
    "versus_needs_rate": "{option} necesita peticiones por segundo (--rps): el mes de una API se cuenta en peticiones.",
    "versus_no_owned": "{path} no tiene equipo propio{name}.",
    "used": "En uso",
    "used_of": "{share} de {replicas}",
    "never": "nunca",
    "even_api": "{requests} peticiones/mes",
    "even_owned": "{months} meses",
    "even_owned_late": "{months} meses, tras depreciarse",
    "hours_owned": "{share} de las horas",
    "versus_reading": "Equilibrio: las peticiones al mes desde las que las máquinas no cuestan más que la API; las máquinas vienen enteras, así que una réplica más puede invertirlo otra vez. En uso: las peticiones entre lo que tantas réplicas pueden atender dentro de los objetivos.",
    "versus_owned": (
        "Un sistema propio es una réplica del mismo equipo. Equilibrio: los meses de rentarlo día "
        "y noche que cuestan lo mismo que comprarlo; en uso: la parte de las horas en la que "
        "rentar cuesta lo mismo que tener."
    ),
    "assume_trains_only": "{name} no atiende peticiones: está anunciado solo para entrenar.",
    "assume_needs_rate": "--assume dimensiona un servicio por peticiones por segundo: indique --rps.",
    "assume_overloaded": "{replicas} réplicas no atienden eso al ritmo supuesto; {needed} sí.",
    "assumed_load": "{rate} peticiones por segundo, {input} tokens de entrada, {output} de salida",
    "assumed_replicas": (
        "{replicas} x {each} = {accelerators} chips · {use} en uso, si el supuesto se cumple; sin "
        "latencia"
    ),
    "assumed_tokens": "USD {output} por millón, USD {input} por millón de tokens de entrada",
}
