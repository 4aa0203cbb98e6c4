"""Lo que una estimación de entrenamiento rechaza, y por qué."""

MESSAGES = {
    "serves_only": "{chip} sirve modelos, pero no los entrena.",
    "no_peak": (
        "{chip} no tiene un pico bf16 publicado: no se puede estimar su tiempo de entrenamiento."
    ),
    "precision_unsupported": "{chip} no tiene un pico {precision} publicado; entrena en {known}.",
    "does_not_fit": (
        "{model} no cabe en la memoria de {count:,} x {chip}; cabría en {enough:,} chips."
    ),
    "never_fits": (
        "{model} no cabe en la memoria de {count:,} x {chip}, ni en la de más chips de ese tipo."
    ),
    "unknown_choice": "{name}: {value!r} no es ninguno de {known}.",
    "no_tokens": (
        "un entrenamiento necesita al menos un token y una secuencia de al menos un token."
    ),
    "batch_below_sequence": (
        "--global-batch {batch:,} es menor que una secuencia de {seq_len:,} tokens; "
        "indique al menos {seq_len:,}."
    ),
    "calibration_key": "archivo de calibración: falta {name} o no es un número.",
    "calibration_unknown": "archivo de calibración: no se conoce {name}.",
    "calibration_value": "archivo de calibración: {fault}.",
}
