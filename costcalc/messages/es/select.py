"""Por qué no se pudo tomar ninguna oferta."""

MESSAGES = {
    "announced": "{name} solo está anunciado: no se puede rentar y no tiene precio.",
    "announced_claims": "{name} solo está anunciado: no se puede rentar y no tiene precio. "
    "Afirmado, no medido: {claims}.",
    "purchase_not_sold": "nadie en el catálogo vende {count} x {name} como {purchase}; se vende "
    "como {sold}.",
    "no_price": "el catálogo no tiene precio para {name}.",
    "not_there": "ninguna oferta de {count} x {name} cumple con el proveedor, la región y el "
    "mercado pedidos; lo ofrecen {providers}.",
    "no_scale_out": "ninguna oferta del catálogo une {count} x {name} en un solo sistema; la "
    "máquina más grande tiene {largest}.",
    "no_slice": (
        "{name} no tiene una rebanada (slice) de {chips} chips; las más cercanas son {below} y "
        "{above}."
    ),
    "not_in_region": "ninguna oferta de {count} x {name} está en {region}. Las más cercanas: "
    "{near}. --nearest toma la primera.",
    "not_in_region_none": "ninguna oferta de {count} x {name} está en {region}, y de ninguna se "
    "conoce el lugar.",
    "not_in_region_unproven": "no está probado que alguna oferta de {count} x {name} esté en "
    "{region}: {unproven} publica un solo precio para todas sus regiones, lo cual no es "
    "evidencia y no se cotiza ahí. Las más cercanas: {near}. --nearest toma la primera.",
    "not_in_region_unproven_none": "no está probado que alguna oferta de {count} x {name} esté "
    "en {region}: {unproven} publica un solo precio para todas sus regiones, lo cual no es "
    "evidencia y no se cotiza ahí.",
    "residency": (
        "no se conoce ninguna oferta de {count} x {name} en {country}; la ofrecen en otro lugar "
        "{providers}."
    ),
    "too_long": "{count} x {name}: {purchase} termina a los {days} días y la corrida tarda "
    "{needed} días; se vende como {sold}. Con más aceleradores la corrida es más corta.",
}
