"""Servicio: la cotización y su informe."""

MESSAGES = {
    "average_load_option": (
        "Proporción de la carga que hay en promedio (cuenta en el costo por token)."
    ),
    "arrival_cv_option": "Coeficiente de variación del tiempo entre peticiones (1: Poisson).",
    "concurrency_option": "Usuarios a la vez, cada uno con una petición.",
    "cost_value": "{average} por millón al {load} de la carga · {full} a plena capacidad",
    "draft_acceptance_option": "Probabilidad de que se acepte un token propuesto.",
    "draft_size_option": "Costo de un token del borrador respecto a uno del modelo.",
    "draft_tokens_option": "Tokens que un borrador propone por paso (decodificación especulativa).",
    "egress_option": "Datos que se envían a internet cada mes.",
    "engine_option": (
        "Software que sirve el modelo: {names}. Sin ella: el habitual en el acelerador."
    ),
    "first_time": "Primer token",
    "first_value": "p50 {half} ms ({half_low}–{half_high}) · p95 {tail} ms",
    "input_cost": "Tokens de entrada",
    "input_tokens_option": "Tokens de una entrada, en promedio.",
    "kv_precision_option": "Precisión de claves y valores.",
    "layout_attention_data": "{copies} x {chips} chips, expertos repartidos, atención por chip",
    "layout_pipeline": "{copies} x {chips} chips en etapas",
    "layout_tensor": "{copies} x {chips} chips (paralelismo tensorial)",
    "load": "Carga",
    "load_batch": "trabajo por lotes, {input} tokens de entrada, {output} de salida",
    "load_closed": "{users} usuarios a la vez, {input} tokens de entrada, {output} de salida{targets}",
    "load_open": (
        "{rate} peticiones por segundo, {input} tokens de entrada, {output} de salida{targets}"
    ),
    "memory": "Memoria",
    "memory_value": "{weights} GiB de pesos, {room} GiB para claves y valores por chip · {layout}",
    "model": "Modelo",
    "model_value": "{model} · {params} parámetros{active} · {precision}, caché {cache} · {engine}",
    "months_option": "Meses que funciona el servicio.",
    "on_option": "Una réplica: acelerador y cantidad, rebanada de TPU o máquina.",
    "output_cost": "Tokens de salida",
    "output_tokens_option": "Tokens de una respuesta, en promedio.",
    "over_budget": "el servicio cuesta el {share} del presupuesto de {budget}.",
    "panel_load": "Carga",
    "panel_software": "Software",
    "period": "Periodo",
    "period_value": "{months} meses de {hours} horas (supuesto)",
    "precision_option": "Precisión de los pesos.",
    "prefix_hit_option": "Proporción de tokens de entrada que están en una caché de prefijos.",
    "replica_range": " ({low}–{high})",
    "replicas": "Réplicas",
    "replicas_option": "Número de réplicas, en lugar de calcularlo.",
    "replicas_value": (
        "{replicas}{spread} x {each} = {accelerators} chips · uso {use}, holgura {headroom}"
    ),
    "rps_option": "Peticiones por segundo que llegan al azar.",
    "speed": "Rendimiento",
    "speed_most": (
        "hasta {rate} tokens de salida/s por réplica ({low}–{high}) · {most} peticiones a la vez"
    ),
    "speed_now": (
        "{rate} tokens de salida/s por réplica ({low}–{high}) · {most} peticiones a la vez como máximo"
    ),
    "spot_only": (
        "{name} solo se vende como spot, que no es base para un servicio con usuarios; pídalo con "
        "--purchase spot si acepta interrupciones."
    ),
    "storage_option": "Datos que se guardan junto a las máquinas.",
    "target_first": ", primer token en {limit} ms",
    "target_token": ", cada token en {limit} ms",
    "time_range": "{value} ms ({low}–{high}, intervalo del {share})",
    "token_time": "Tiempo por token",
    "tpot_option": "Tiempo por token de salida que debe cumplir el 95% de las peticiones.",
    "ttft_option": "Tiempo al primer token que debe cumplir el 95% de las peticiones.",
}
