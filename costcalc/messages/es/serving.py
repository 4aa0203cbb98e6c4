"""Servicio: la estimación."""

MESSAGES = {
    "arrival_cv": "--arrival-cv {value} no es un coeficiente de variación de 0 a 100.",
    "both_limits": (
        "ninguna réplica de {count} x {chip} cumple los dos límites con carga; lo cumpliría "
        "{options}."
    ),
    "both_limits_nothing": (
        "ninguna réplica de {count} x {chip} cumple los dos límites con carga; nada en este "
        "acelerador lo cumpliría."
    ),
    "cached": "--prefix-hit {value} no es una proporción de 0 a menos de 1.",
    "calibration_key": (
        "a la calibración de servicio le falta {name}, o no es un número mayor que cero."
    ),
    "calibration_unknown": "la calibración de servicio tiene una clave desconocida, {name}.",
    "calibration_value": "no se puede leer la calibración de servicio: {fault}.",
    "context": (
        "{context} tokens de entrada y respuesta son más de los que admite {model} ({most})."
    ),
    "does_not_fit": (
        "{model} en {weights} con una petición de {context} tokens no cabe en {count} x "
        "{chip}; cabría en {enough}."
    ),
    "draft": (
        "un borrador propone de 0 a 32 tokens con una aceptación de 0 a 1, no {tokens} con "
        "{acceptance}."
    ),
    "first_floor": (
        "un tiempo al primer token de {limit} ms está por debajo del piso físico de {count} x "
        "{chip}: la entrada de {tokens} tokens toma {floor} ms al pico completo; lo cumpliría "
        "{options}."
    ),
    "first_floor_nothing": (
        "un tiempo al primer token de {limit} ms está por debajo del piso físico de {count} x "
        "{chip}: la entrada de {tokens} tokens toma {floor} ms al pico completo; nada en este "
        "acelerador lo cumpliría."
    ),
    "first_limit": (
        "ninguna réplica de {count} x {chip} empieza el {share} de las peticiones en {limit} "
        "ms: una entrada sola de {tokens} tokens toma {best} ms; lo cumpliría {options}."
    ),
    "first_limit_nothing": (
        "ninguna réplica de {count} x {chip} empieza el {share} de las peticiones en {limit} "
        "ms: una entrada sola de {tokens} tokens toma {best} ms; nada en este acelerador lo "
        "cumpliría."
    ),
    "length": "{name} {value} no es un número entero de 1 a {high}.",
    "limit": "el límite de {name} ({value}) no es un tiempo mayor que cero.",
    "never_fits": (
        "{model} en {weights} con una petición de {context} tokens no cabe en ningún dominio "
        "de enlace rápido de {chip}."
    ),
    "never_fits_lighter": (
        "{model} en {weights} con una petición de {context} tokens no cabe en ningún dominio "
        "de enlace rápido de {chip}; cabría con --precision {lighter}."
    ),
    "no_datasheet": (
        "no se publica el pico, la memoria o el ancho de banda de {chip}: no hay qué estimar."
    ),
    "no_layout": (
        "{count} x {chip} no se puede repartir por igual para {model}: sus {heads} cabezas piden "
        "un ancho que las divida; pruebe {enough}."
    ),
    "overloaded": (
        "con --replicas {replicas} se atienden {capacity} peticiones por segundo dentro de los "
        "objetivos, no {rate}; harían falta {needed}."
    ),
    "rate": "{value} peticiones por segundo no están entre 0 (sin incluirlo) y {high}.",
    "replicas": "--replicas {value} no está entre 1 y 1,000,000.",
    "token_floor": (
        "un tiempo por token de {limit} ms está por debajo del piso físico de {count} x "
        "{chip}: leer {model} en {weights} una vez toma {floor} ms a todo el ancho de banda; "
        "lo cumpliría {options}."
    ),
    "token_floor_nothing": (
        "un tiempo por token de {limit} ms está por debajo del piso físico de {count} x "
        "{chip}: leer {model} en {weights} una vez toma {floor} ms a todo el ancho de banda; "
        "nada en este acelerador lo cumpliría."
    ),
    "token_limit": (
        "ninguna réplica de {count} x {chip} da a {model} el {share} de sus tokens en {limit} "
        "ms: una petición sola toma {best} ms por token; lo cumpliría {options}."
    ),
    "token_limit_nothing": (
        "ninguna réplica de {count} x {chip} da a {model} el {share} de sus tokens en {limit} "
        "ms: una petición sola toma {best} ms por token; nada en este acelerador lo "
        "cumpliría."
    ),
    "trains_only": "{chip} no se ofrece para servir.",
    "two_loads": "--rps y --concurrency son dos clases de carga: dé una de ellas.",
    "unknown_choice": "no se conoce {name} {value!r}; lo más cercano: {known}.",
    "users": "{value} usuarios a la vez no están entre 1 y {high}.",
}
