"""Afirmaciones: cómo se cuentan y qué es cada cifra que se les pone al lado."""

MESSAGES = {
    "id_option": (
        "Solo esta afirmación, con todas las cifras que la respaldan o no (se puede repetir)."
    ),
    "unknown": "No hay ninguna afirmación {name!r}. Las más parecidas: {names}.",
    "unknown_kind": "{where}: tipo de evidencia desconocido {kind!r}. Los más parecidos: {names}.",
    "missing_key": "{where}: la evidencia de tipo {kind} necesita {name}.",
    "title": "Afirmaciones, frente al catálogo y al modelo",
    "id": "Id",
    "claim": "Afirmación",
    "today": "Hoy",
    "verdict": "Veredicto",
    "said_by": "Lo dice",
    "said_on": "{by}, {date}",
    "said_undated": "{by}; sin fecha, no se encontró el original",
    "against": "Compara",
    "source": "Fuente",
    "depends_on": "Depende de",
    "rule": "Regla",
    "rule_withdrawn": "la retiraron sus propios autores",
    "rule_universal": "la afirmación dice “siempre”: basta una cifra en contra",
    "rule_default": "todas las cifras coinciden: respaldada; ninguna: no respaldada; "
    "algunas: depende",
    "figure": "Cifra de hoy",
    "value": "Valor",
    "claimed": "Afirmado",
    "holds": "Coincide",
    "yes": "sí",
    "no": "no",
    "sources": "De dónde salen las cifras",
    "agreeing": "coinciden {agreeing} de {compared} cifras",
    "agreeing_range": "coinciden {agreeing} de {compared}: de {low} a {high} (afirmado {claimed})",
    "agreeing_one": "coinciden {agreeing} de {compared}: {low} (afirmado {claimed})",
    "no_figures": "no hay cifra con la cual compararla",
    "vendor_claims": "Qué más se dice de {accelerator}; no se usa en ninguna cifra",
    "vendor_claim": "“{text}” ({by}, {date}; referencia: {baseline}; sin verificar)",
    "as_of": "Precios al {as_of}; catálogo {version}; modelo de tiempo {calibration}. "
    "`costcalc claims --id ID` muestra todas las cifras de una afirmación.",
    "verdict_supported": "respaldada",
    "verdict_not_supported": "NO respaldada",
    "verdict_depends": "depende",
    "verdict_cannot_be_checked": "no se puede comprobar",
    "place_default": "cualquier hiperescalador o neocloud",
    "place_hyperscaler": "hiperescalador",
    "flops_per_usd": "{of} entre {against}, {place}: {of_pflop} entre {against_pflop} PFLOP-hora "
    "({precision}, pico denso) por USD",
    "hourly_cost": (
        "{against} entre {of}, {place}: USD {against_usd} entre {of_usd} por hora del sistema más "
        "pequeño en el que cabe"
    ),
    "run_speed": "{of} frente a {against}, {place}, software {tuning}: veces más rápido",
    "run_saving": "{of} frente a {against}, {place}, software {tuning}: veces más barato",
    "run_budget": "{of} frente a {against}, {place}: lo que allá cuesta USD {against_usd} aquí "
    "cuesta USD {of_usd}",
    "run_not_sold": "{of} frente a {against}, {place}: uno de los dos no se vende así",
    "tuning": "{model} en {on}: tiempo con software que nadie afinó entre el de uno afinado",
    "cheapest_kind": "{model}, {method}, {place}: la GPU más barata ({gpu}) entre el ASIC más "
    "barato ({asic})",
    "machine": "{provider} {machine} tiene {count} x {accelerator}",
    "sold_by": "{accelerator} lo ofrece {provider}",
    "in_region": "{accelerator} en {region}: listados, zonas y precios",
    "in_region_others": "otros aceleradores ahí: {names}",
    "nearest_home": "{accelerator} desde {region}: se ofrece en el país, {where}",
    "nearest_abroad": "{accelerator} desde {region}: la oferta más cercana está en el extranjero, "
    "{where}; la ida y vuelta toma al menos {ms} ms",
    "nearest_none": "{accelerator} desde {region}: ninguna oferta con lugar conocido",
    "announced_peaks": "{accelerator} ({status}): picos publicados",
    "announced_offers": "{accelerator} ({status}): ofertas de renta",
    "announced_verified": "{accelerator} ({status}): afirmaciones medidas por un tercero",
    "exchange_rate": "USD {usd} al tipo de cambio del {date}; la afirmación dice {mxn} MXN "
    "({implied} por USD)",
    "price_cuts": (
        "bajas entre {all} cambios de precio con fecha (petición de {input} tokens de entrada y "
        "{output} de salida)"
    ),
    "price_rises": "alzas entre {all} cambios de precio con fecha (la misma petición)",
    "price_rise": "{model} en {provider}, {date}: precio después entre precio antes",
    "published_runs": "entrenamientos publicados en chips de {vendor}, de {all}",
    "largest_run": "el mayor trabajo o clúster publicado en chips de {vendor} ({accelerator})",
    "serving_first_token": "{model}, {of} frente a {against}, {place}: primer token a los {of_ms} ms frente a {against_ms} ms",
    "serving_cost": "{model}, {of} frente a {against}, {place}: USD {of_usd} frente a {against_usd} por millón de tokens de salida a plena capacidad",
}
