"""Advertencias de una cotización; las claves son los códigos del JSON."""

MESSAGES: dict[str, str] = {
    "ai_zone": "{accelerator} en {region} está en una zona de IA ({zones}): el acceso es "
    "restringido",
    "amount_named": "{provider} nombra {most} aceleradores como el trabajo más grande de este "
    "tipo; que haya tantos libres no está probado",
    "amount_unproven": "nadie publica cuántas {instance_type} puede rentar {provider} a la vez; "
    "{instances} no están probadas",
    "api_by_hour": "el precio de {name} cambia según la hora del día; se tomó la media de 24 horas",
    "api_never": "{name} es más barato que estas máquinas con cualquier volumen: una petición "
    "cuesta menos ahí que en una réplica llena dentro de los objetivos",
    "api_retired": "{name} está por retirarse: su precio todavía aparece, pero no se puede "
    "planear tráfico nuevo sobre él",
    "architecture_approximate": (
        "{model} mezcla tipos de capas que la aritmética cuenta de forma aproximada: el rango es "
        "más ancho"
    ),
    "assumption": "{accelerator} solo está anunciado: su precio (USD {usd} por acelerador y "
    "hora) y su ritmo ({rate} tokens/s por acelerador) son un SUPUESTO de usted, y también lo "
    "es toda cifra que se apoya en ellos",
    "batch_assumed": "sin --global-batch: se supusieron {tokens} tokens por paso del "
    "optimizador; un lote menor es más lento",
    "batch_below_chips": "el lote tiene menos secuencias de las que {count} chips pueden "
    "repartirse: algunos esperan",
    "capacity_unproven": (
        "la lista de precios de {provider} muestra {instance_type} en {region}; eso no prueba que "
        "ahí haya capacidad o cuota"
    ),
    "checkpoints_assumed": (
        "puntos de control que se guardan: {count} de {gb} GB (14 bytes por peso entrenado; de 12 "
        "a 16 en el rango); meses: {months}"
    ),
    "chip_unmeasured": (
        "no hay entrenamientos públicos en {chip}: el tiempo se estima de su pico y de otros chips "
        "de su fabricante, y el rango es más ancho"
    ),
    "commitment_break_even": "{purchase} conviene a partir de {hours} de sus {term} horas, "
    "contra bajo demanda",
    "commitment_rest": "{purchase} se factura hasta el fin de su plazo: después de esta corrida "
    "quedan {hours} horas, USD {usd}, se usen o no",
    "data_leaves": "los datos, puntos de control y registros salen de {home} hacia {country}; "
    "las reglas sobre dónde se guardan los datos deben permitirlo",
    "dataset_assumed": "sin --dataset: se supuso que se mueven {gb} GB (4 bytes por token)",
    "draft_assumed": "decodificación especulativa con {tokens} tokens propuestos y una probabilidad "
    "de aceptación de {acceptance}: los tokens salen {gain} veces más rápido con esta carga; "
    "la ventaja se reduce con la carga",
    "engine_assumed": "sin --engine: se supuso {engine}, el habitual en {chip}",
    "estimated_price": "el precio de {what} es una estimación, no un precio de lista ({source})",
    "footprint_no_grid": "sin cifra de carbono: el catálogo no tiene factor de la red para "
    "{region} ({country})",
    "footprint_no_power": "sin cifras de energía, carbono ni agua: la potencia de {accelerator} "
    "no está publicada",
    "footprint_no_region": "solo energía, sin carbono ni agua: {provider} publica un mismo "
    "precio para muchas regiones, y ambos dependen de dónde están las máquinas",
    "footprint_no_table": "sin cifras de energía, carbono ni agua: el catálogo no tiene "
    "energy.yaml",
    "footprint_no_water": "sin cifra de agua: ninguna fuente dice cuánta agua usan las centrales "
    "eléctricas de {country} ({region})",
    "footprint_partial": "las cifras de energía, carbono y agua no incluyen {names}",
    "footprint_unknown_region": "solo energía, sin carbono ni agua: el catálogo no sabe dónde "
    "está {provider} {region}",
    "home_unpriced": "{provider} no tiene región en {region}: no se sabe cuánto cuesta sacar los "
    "datos de ahí",
    "hours_per_month": "un mes cuenta como {hours} horas",
    "internet_price": "no se conoce un precio de {provider} entre {region} y sus otras regiones: "
    "los datos que se mueven se cotizan como enviados por internet",
    "lengths_assumed": "se supusieron entradas de {input} y respuestas de {output} tokens donde no "
    "se dieron; los largos deciden el costo más que nada",
    "managed_service": "los precios son de máquinas solas; {service}, el servicio administrado "
    "de {provider}, agrega sus propios cargos",
    "may_be_too_long": "{purchase} termina a los {days} días, y el extremo lento del rango es de "
    "{needed} días",
    "memory_unknown": "la memoria de {chip} no está publicada: no se comprobó si el modelo cabe",
    "mfu_peak": "la utilización (MFU) se da frente al pico {precision}, {peak} TFLOP/s; el de "
    "bf16 es {bf16}",
    "nearest_region": "no hay oferta en {asked}: se cotiza en {provider} {region} ({city}, "
    "{country}), a {km} km; un viaje de ida y vuelta tarda al menos {ms} ms (fibra en línea "
    "recta, cota inferior)",
    "never_pays_back": "{name}: una corrida ahorra {saving}, así que el trabajo nunca se recupera",
    "not_sold_in_practice": (
        "{instance_type} tiene precio como {purchase}, pero {provider} solo lo vende como {sold}"
    ),
    "not_sold_on_demand": "{accelerator} no se vende bajo demanda; se cotiza como {purchase}",
    "nothing_checked": "el plan no tiene presupuestos (budgets) y no se dio ningún límite: no se "
    "revisó nada",
    "old_price": "el precio de {what} es del {date}, tiene {days} días; los precios se mueven",
    "old_rate": "el tipo de cambio es del {date}, tiene {days} días",
    "opt_in_region": "{provider} {region} está apagada hasta que la cuenta la activa",
    "own_calibration": "los tiempos siguen sus propias mediciones (calibración {digest}), no solo "
    "las constantes incluidas",
    "precision_no_gain": "{precision} no es más rápido que bf16 en {chip}: sus picos son iguales",
    "price_unknown": (
        "no se conoce el precio de {item} de {provider} en {region}; el renglón se omite, no vale "
        "cero"
    ),
    "rate_jump": (
        "el tipo de cambio se movió {change}% respecto al del {date} ({before} → {after}); "
        "revíselo, por favor"
    ),
    "rate_source_stale": "el tipo de cambio más reciente es del {date}, {days} días antes de {today}: "
    "quizá la fuente dejó de publicar",
    "read_8bit_base": "{at}: la base congelada se carga en 8 bits; la memoria y el tiempo se "
    "cuentan como LoRA en bf16",
    "read_accelerator_meaning": "{name} se lee como {accelerator}, que es lo que el formato "
    "quiere decir",
    "read_autoscaling": "{at} escala entre {low} y {high}; se tomó el número del archivo o, si "
    "no hay, el menor",
    "read_batch_below_one": "{at} da menos de una secuencia por paso en estos chips; el lote "
    "quedó abierto",
    "read_conflict": "los archivos se contradicen sobre {name}: {first} dice {first_value}, "
    "{second} dice {second_value}; quedó abierto",
    "read_first_taken": "{name} es lo primero en el orden de preferencia del archivo y se tomó;"
    " lo demás es {names}",
    "read_fp16": "{at}: fp16 se cuenta como bf16, que todos los chips del catálogo calculan a "
    "la misma velocidad",
    "read_fraction": "{count} de {name} se cuenta como uno entero",
    "read_instance_label": "la etiqueta {at}: {value} se lee como el tipo de máquina "
    "{instance_type}",
    "read_job_waves": "deben terminar {completions} pods, de {parallelism} en {parallelism}: "
    "los chips son los de una tanda",
    "read_kind_assumed": "un modelo solo no dice si es entrenamiento o servicio; se escribió "
    "como entrenamiento (--kind serve lo escribe como servicio)",
    "read_layout_does_not_fit": "{chips} chips no son múltiplo de los grados de paralelismo del"
    " modelo ({parallel}): el lote quedó abierto",
    "read_limit_differs": "{name}: el límite es {limit} y la solicitud {request}; Kubernetes "
    "los quiere iguales, y se tomó el límite",
    "read_mig": "{name} es una fracción de una GPU, que ninguna oferta del catálogo cotiza; se "
    "dejó fuera",
    "read_mixed_purchase": "{address} mezcla máquinas spot y bajo demanda; se cotiza bajo "
    "demanda salvo que --purchase diga otra cosa",
    "read_model_approximate": "{file} da las dimensiones del modelo, pero no cómo alternan sus "
    "tipos de capas: las cuentas son aproximadas",
    "read_model_by_shape": "{file} no nombra ningún modelo; sus dimensiones son exactamente las"
    " de {names}",
    "read_model_taken_as": "el modelo {name} se toma como {model}, cuya forma indica su nombre",
    "read_neuron_cores": "{cores} NeuronCores por pod no se pueden convertir en chips sin el "
    "tipo de máquina",
    "read_no_accelerator": "{address}: {name} no es una máquina con aceleradores; se dejó fuera",
    "read_no_accelerators": "{file} no pide aceleradores",
    "read_no_vocab": "{file} no da vocab_size; se toma el valor propio de la familia del modelo",
    "read_not_given": "{address}: {at} no está en el plan",
    "read_pods_open": "{at}: el archivo no dice cuántos pods corren; cada uno toma {chips} chips",
    "read_preference_training": "{at} ({value}) es entrenamiento por preferencias o por "
    "refuerzo: un paso hace más trabajo que el estimado, que es para entrenamiento simple",
    "read_several_types": "{address} admite varios tipos de máquina ({names}); se tomó el primero",
    "read_several_values": "{at} recibe varios valores ({value}), en ramas que solo se deciden "
    "al correr; quedó abierto",
    "read_steps_at_most": "{at}: el número de pasos es una cota superior",
    "read_stored_precision": (
        "los pesos se guardan como {name}, para lo que no hay velocidad; la precisión quedó en su "
        "valor predeterminado"
    ),
    "read_tokens_at_most": "sin empaquetado una secuencia rara vez va llena: los tokens son una"
    " cota superior",
    "read_topology_differs": "la topología {topology} no divide {chips} chips; se tomaron los chips",
    "read_unknown_until_apply": "{address}: {at} solo se conoce después de aplicar el plan",
    "read_variable_default": (
        "{at} sigue el valor predeterminado que el script da a {name}; el entorno puede fijar otro"
    ),
    "read_zones_unknown": "{address}: {nodes} nodos por zona, en zonas que el plan no nombra; "
    "se contó una sola zona",
    "region_unknown": "el catálogo no sabe dónde está {provider} {region}",
    "replicas_idle": (
        "aceleradores rentados sin réplica: {idle} de {rented}; las máquinas se rentan enteras"
    ),
    "retired": "{accelerator} está retirado: su precio sigue en la lista, pero ninguna fuente "
    "muestra una región que lo ofrezca",
    "serving_batch": "sin --rps ni --concurrency: un trabajo por lotes a plena carga; la latencia "
    "no cuenta",
    "serving_busy": "las réplicas trabajan al {share} de su capacidad prevista, más del {target} "
    "que es seguro: una previsión un poco alta, o una ráfaga, hace crecer las colas",
    "serving_pooled": "no se han medido ni este motor ni {model} en {chip}: se usan las constantes "
    "de todos los motores como uno y el rango es más ancho; mida antes",
    "serving_unmeasured": "no hay medición pública de {model} en {chip}: ficha técnica y constantes "
    "de {engine}; el rango es más ancho; mida antes",
    "smallest_counts": "cada oferta tiene la menor cantidad que sirve; las corridas pueden "
    "tardar años: use --deadline, --budget o --max-chips",
    "spot_assumed": (
        "spot: se supone que en un mes se retira el {rate} de las máquinas, con {lost} h perdidas "
        "cada vez: el {share} del trabajo se repite (máquinas: {machines})"
    ),
    "spot_serving": "las máquinas spot se retiran sin preguntar: los objetivos valen solo mientras "
    "funcionan todas las réplicas",
    "store_unreadable": "{reason} Se dejaron fuera los precios y tipos de cambio consultados; "
    "costcalc prices update repara el almacén.",
    "tpu_zone_unproven": "{provider} tiene precio para {accelerator} en {region}, pero las zonas "
    "del catálogo (Norteamérica y europe-west4) no muestran ninguna para él ahí",
    "ttft_indicative": "el tiempo al primer token es indicativo: depende de cómo agrupa un motor "
    "las entradas, y los publicados difieren en varias veces",
    "tuning_assumed": (
        "no se conoce el software: el valor medio supone uno común (default) y el rango va de uno "
        "afinado a uno sin afinar; --tuning lo reduce"
    ),
    "uniform_price": "{provider} publica un solo precio para muchas regiones ({scope}): prueba "
    "el precio, no que el acelerador esté en una región dada",
    "unproven_there": "{provider} publica un solo precio para todas sus regiones; eso no es "
    "evidencia para {region} y no se usó",
    "weights_only": "{precision} es un formato de almacenamiento en {chip}: los pesos se amplían y "
    "se calcula en bf16",
    "whole_machines": "se pidieron {asked} aceleradores; las máquinas completas traen {rented}, "
    "y todos se pagan",
    "whole_run": "las horas son las que se facturaron en entrenamientos publicados de principio "
    "a fin (con reinicios, software antiguo y tiempo ocioso) en vez del goodput",
}
