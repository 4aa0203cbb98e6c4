"""Los pasos de una estimación, para --explain."""

MESSAGES = {
    "assumed_replicas": (
        "{wanted} tokens/s de salida, como máximo el 85% de los {each} tokens/s supuestos de una "
        "réplica; réplicas: {replicas}."
    ),
    "assumed_hours": "{tokens} tokens a un ritmo supuesto de {rate} tokens/s en cada uno de {count} chips toman {hours} h.",
    "params": "El modelo tiene {total} pesos; {active} trabajan en cada token.",
    "flops": (
        "Entrenar un token cuesta {flops} GFLOP; la atención con {seq_len} tokens es el "
        "{attention}%."
    ),
    "total": "{tokens} tokens suman {total} FLOP.",
    "peak": "El pico denso del chip en {precision} es de {peak} TFLOP/s.",
    "matmul": (
        "Los productos de matrices toman {us} us por token: el entrenamiento alcanza el {share}% "
        "de la mejor tasa bf16 medida, {best} TFLOP/s."
    ),
    "matmul_assumed": (
        "Los productos de matrices toman {us} us por token: el entrenamiento alcanza el {share}% "
        "de la mejor tasa bf16, que aquí se supone de {best} TFLOP/s (nadie midió este chip)."
    ),
    "attention": "La atención toma {us} us por token, a su propia tasa.",
    "fixed": ("El trabajo fijo por capa y paso suma {us} us, con {tokens} tokens por chip y paso."),
    "sharding": "Repartir pesos, secuencias y tokens enrutados entre chips suma {us} us.",
    "multiplier": (
        "Software ({stack}), enrutamiento y efecto propio del chip ({chip}): x {factor}."
    ),
    "steady": (
        "Ritmo estable: {rate} tokens/s por chip ({us} us por token), {mfu}% de {peak} TFLOP/s."
    ),
    "goodput": "El {share}% de las horas en {chips} chips es trabajo útil.",
    "whole_run": (
        "Los entrenamientos publicados completos se facturaron al {share}% del ritmo estable."
    ),
    "reliability": (
        "Algo falla cada {failure} h; conviene escribir un punto de control ({size} GB) cada "
        "{interval} h. La evaluación, no incluida, tomó {evaluation}% más en registros publicados."
    ),
    "hours": "Son {hours} h en {chips} chips, {accelerator_hours} horas de acelerador.",
    "serve_weights": (
        "Pesos: {params} parámetros en {weights} en {chips} chips de una copia son {gib} GiB "
        "por chip."
    ),
    "serve_room": (
        "Memoria: quedan {room} GiB por chip; una petición de {context} tokens en promedio "
        "ocupa {each} MiB: {limit} a la vez."
    ),
    "serve_prefill": ("Entrada: {tokens} tokens toman {ms} ms de una copia."),
    "serve_step": (
        "Paso con {batch} peticiones: {ms} ms por token (fijo {fixed}, pesos {reading}, productos "
        "{matmul}, claves y valores {cache}, colectivas {collective}, host {host})."
    ),
    "serve_rate": (
        "Ritmo de una réplica ({copies} copias): {rate} tokens de salida por segundo; las "
        "entradas toman el {share} del tiempo."
    ),
    "serve_replicas": (
        "Réplicas: {replicas} (aceleradores por réplica: {count}); una puede con {capacity} "
        "peticiones por segundo, de las que se usa el {utilisation}."
    ),
}
