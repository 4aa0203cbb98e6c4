"""Comparación de un servicio en todas las ofertas."""

MESSAGES = {
    "chips": "Chips",
    "cost_note": (
        "USD por millón de tokens de salida lleva toda la cuenta, a la carga promedio. Los rangos "
        "contienen el 80% de las mediciones."
    ),
    "engine": "Motor",
    "evidence": "Evidencia",
    "first_time": "Primer token p95, ms",
    "load_batch": "trabajo por lotes",
    "load_closed": "{users} usuarios a la vez",
    "load_open": "{rate} peticiones por segundo",
    "not_in_region": (
        "ninguna oferta que pueda dar este servicio está en {region}. Las más cercanas: {near}."
    ),
    "notes": "Notas",
    "nothing": "ninguna oferta puede dar este servicio; descartadas: {reasons}.",
    "offer": "Oferta",
    "on": (
        "Réplicas que se comparan (chips, porciones o máquinas); se puede repetir. Sin ella: todos "
        "los chips, con las máquinas más pequeñas en que cabe una réplica."
    ),
    "over_budget": (
        "toda oferta que puede dar el servicio cuesta más de {budget}; la más barata cuesta USD "
        "{cheapest}."
    ),
    "pareto_note": "* nada más en la lista es a la vez más barato y más rápido por token.",
    "per_million": "USD/M sal.",
    "per_million_range": "USD/M sal., rango",
    "price": "Precio",
    "rank": "Según qué se ordena.",
    "rank_cost": "costo del periodo",
    "rank_token_cost": "costo por millón de tokens de salida con esta carga",
    "rank_token_time": "tiempo por token",
    "ranked_by": "Orden",
    "rate": "Tipo de cambio",
    "replicas": "Réplicas",
    "service": "Servicio",
    "service_value": "{model} · {load} · {input} tokens de entrada, {output} de salida{targets}",
    "target_tpot_ms": "cada token en {limit} ms",
    "target_ttft_ms": "primer token en {limit} ms",
    "tier_chip": "motor medido en otros chips",
    "tier_engine": "motor y chip medidos",
    "tier_measured": "modelo y chip medidos",
    "tier_pooled": "conjunta",
    "title": "Servicios comparados",
    "token_time": "ms por token",
    "used": "Uso",
}
