"""Comparación de una corrida en todas las ofertas."""

MESSAGES = {
    "all_regions": "Todas las regiones de una máquina, no solo la más barata.",
    "at_peak": "PFLOP-h/USD pico",
    "below_top": "sirven y quedan más abajo (--top)",
    "budget_option": "Deja fuera lo que cuesta más; sin fecha límite cada oferta toma todos los "
    "chips que puede pagar.",
    "chips": "Chips",
    "confidence_estimated": "ESTIMADO",
    "confidence_listed": "de lista",
    "confidence_quoted": "de terceros",
    "cost_range": "{currency}, rango",
    "deadline": "ninguna oferta termina a tiempo; la más rápida tarda {days} días.",
    "deadline_option": "Cada oferta toma la menor cantidad que termina a tiempo.",
    "excluded": "Fuera de la lista, una por una",
    "flop_note": "PFLOP-h/USD: pico denso de la precisión por dólar de precio, y FLOP del modelo "
    "de esta corrida por dólar.",
    "hours": "Horas",
    "hours_range": "Horas, rango",
    "left_out": "Fuera de la lista",
    "limit_budget": "{value} como máximo",
    "limit_deadline": "listo en {value}",
    "limit_max_chips": "{value} chips como máximo",
    "limit_software": "código para {value}",
    "limits": "Límites",
    "max_chips": "No busca cantidades mayores.",
    "not_in_region": "ninguna oferta que pueda hacer esta corrida está en {region}. Las más "
    "cercanas: {near}.",
    "notes": "Notas",
    "nothing": "ninguna oferta puede hacer esta corrida; fuera: {reasons}.",
    "nothing_left_out": "nada",
    "offer": "Oferta",
    "old_prices": "precios de más de 90 días: {count}; sus fechas están en la tabla",
    "on": (
        "Chips o máquinas por comparar; se puede repetir. Sin ella: todos los chips, con la menor "
        "cantidad que sirve."
    ),
    "over_budget": "todas las ofertas que pueden hacer la corrida cuestan más que {budget}; la "
    "más barata cuesta USD {cheapest}.",
    "panel_limits": "Límites y orden",
    "pareto_note": "* nada más en la lista es a la vez más barato y más rápido.",
    "payback": "{number}: portar cuesta {usd} y se recupera en la corrida {runs}",
    "payback_never": "{number}: portar cuesta {usd} y nunca se recupera: la corrida no es más "
    "barata que en chips que ejecutan el código tal cual",
    "porting": "Portar el código",
    "porting_hours": "Horas de trabajo para portar el código a otra plataforma.",
    "porting_needs": "portar necesita las tres opciones --software, --porting-hours y "
    "--porting-rate.",
    "porting_rate": "Precio de una hora de ese trabajo.",
    "price": "Precio",
    "purchase": (
        "Forma de compra; any las compara todas. Sin ella: bajo demanda, o lo que se venda en su "
        "lugar."
    ),
    "rank": "Según qué se ordena.",
    "rank_cost": "costo",
    "rank_cost_time": "costo x tiempo",
    "rank_time": "tiempo",
    "ranked_by": "Ordenado por",
    "rate": "Tipo de cambio",
    "ratio": "Razón",
    "ratio_note": (
        "Razón: costo frente al de la primera. Su rango supone el mismo tipo de software en ambos "
        "lados y que los errores de chips distintos son independientes. Los rangos contienen el "
        "80% de las corridas."
    ),
    "ratio_range": "Razón, rango",
    "realised": "logrado",
    "regions_note": "(+N): otras N regiones venden la misma máquina a este precio o más; "
    "--all-regions las lista.",
    "run": "Corrida",
    "run_text": "{model} · {tokens} tokens · {method} · {precision}",
    "show_excluded": "Lista lo que quedó fuera, con el motivo.",
    "software": "Para qué está escrito el código; otros chips necesitan portarlo.",
    "title": "Entrenamiento comparado",
    "top": (
        "Ofertas que se muestran; 0 son todas. Predeterminado: 10 para personas, todas para "
        "programas."
    ),
    "why": "Por qué",
    "why_budget": "cuestan más que el presupuesto",
    "why_deadline": "no terminan a tiempo",
    "why_dearer_region": "son otras regiones de una máquina de la lista",
    "why_market": "son de un mercado que no se pidió",
    "why_max_accelerators": "necesitan más de lo que se sabe que se renta",
    "why_max_chips": "necesitan más chips de los que se buscan",
    "why_memory": "no caben en la memoria",
    "why_no_datasheet": "son chips sin ficha técnica publicada",
    "why_no_peak": "son chips sin pico bf16 publicado",
    "why_no_precision": "son chips sin esta precisión",
    "why_no_scaleout": "necesitan varias máquinas y no tienen red para eso",
    "why_no_slice": "son cantidades de TPU sin rebanada",
    "why_not_sold_in_practice": "tienen precio pero no se venden así",
    "why_other_machine": "son otros chips u otras máquinas",
    "why_part_of_host": "son partes de hosts que ninguna red une",
    "why_provider": "son de otros proveedores",
    "why_purchase": "son otras formas de compra",
    "why_region": "están en otras regiones",
    "why_residency": "están en otros países, o en ningún lugar conocido",
    "why_retired": "son chips retirados",
    "why_scaleout_unknown": "necesitan varias máquinas y ninguna fuente menciona una red",
    "why_serves_only": "son chips que no entrenan",
    "why_software": "necesitan portar el código",
    "why_spot_service": "solo se venden como spot, que no es base para un servicio",
    "why_targets": "no cumplen los objetivos con ningún número de réplicas",
    "why_too_long": "terminan antes que la corrida",
    "why_trains_only": "son chips que no sirven modelos",
    "why_uniform_price": "son un solo precio para todas las regiones: no prueba nada de esta",
}
