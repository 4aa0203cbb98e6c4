"""Advertencias de una cotización; las claves son los códigos del JSON."""

MESSAGES: dict[str, str] = {
    "ai_zone": "{accelerator} en {region} está en una zona de IA ({zones}): el acceso es "
    "restringido",
    "amount_named": "{provider} nombra {most} aceleradores como el trabajo más grande de este "
    "tipo; que haya tantos libres no está probado",
    "amount_unproven": "nadie publica cuántas {instance_type} puede rentar {provider} a la vez; "
    "{instances} no están probadas",
    "architecture_approximate": "{model} mezcla tipos de capas que la aritmética cuenta de forma "
    "aproximada: el intervalo es más ancho",
    "batch_assumed": "sin --global-batch: se supusieron {tokens} tokens por paso del "
    "optimizador; un lote menor es más lento",
    "batch_below_chips": "el lote tiene menos secuencias de las que {count} chips pueden "
    "repartirse: algunos esperan",
    "capacity_unproven": "la lista de precios de {provider} muestra {instance_type} en {region}; "
    "eso no prueba que haya capacidad ni cuota ahí",
    "chip_unmeasured": "no hay entrenamientos públicos en {chip}: el tiempo se estima de su pico "
    "y de otros chips de su fabricante, y el intervalo es más ancho",
    "data_leaves": "los datos, puntos de control y registros salen de {home} hacia {country}; "
    "las reglas sobre dónde se guardan los datos deben permitirlo",
    "estimated_price": "el precio de {what} es una estimación, no un precio de lista ({source})",
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
    "never_pays_back": "{name}: una corrida ahorra {saving}, así que el trabajo nunca se paga solo",
    "not_sold_in_practice": "{instance_type} tiene precio como {purchase}, pero {provider} solo "
    "la vende como {sold}",
    "not_sold_on_demand": "{accelerator} no se vende bajo demanda; se cotiza como {purchase}",
    "nothing_checked": "el plan no tiene presupuestos (budgets) y no se dio ningún límite: no se "
    "revisó nada",
    "old_price": "el precio de {what} es del {date}, tiene {days} días; los precios se mueven",
    "old_rate": "el tipo de cambio es del {date}, tiene {days} días",
    "opt_in_region": "{provider} {region} está apagada hasta que la cuenta la activa",
    "precision_no_gain": "{precision} no es más rápido que bf16 en {chip}: sus picos son iguales",
    "region_unknown": "el catálogo no sabe dónde está {provider} {region}",
    "retired": "{accelerator} está retirado: su precio sigue en la lista, pero ninguna fuente "
    "muestra una región que lo ofrezca",
    "smallest_counts": "cada oferta tiene la menor cantidad que sirve; las corridas pueden "
    "tardar años: use --deadline, --budget o --max-chips",
    "tpu_zone_unproven": "{provider} tiene precio para {accelerator} en {region}, pero las zonas "
    "del catálogo (Norteamérica y europe-west4) no muestran ninguna para él ahí",
    "tuning_assumed": "no se conoce el software: el valor medio supone uno común (default) y el "
    "intervalo va de uno afinado a uno sin ajustar; --tuning lo reduce",
    "uniform_price": "{provider} publica un solo precio para muchas regiones ({scope}): prueba "
    "el precio, no que el acelerador esté en una región dada",
    "unproven_there": "{provider} publica un solo precio para todas sus regiones; eso no es "
    "evidencia para {region} y no se usó",
    "whole_machines": "se pidieron {asked} aceleradores; las máquinas completas traen {rented}, "
    "y todos se pagan",
    "whole_run": "las horas son las que se facturaron en entrenamientos publicados de principio "
    "a fin (con reinicios, software antiguo y tiempo ocioso) en vez del goodput",
}
