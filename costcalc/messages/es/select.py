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
}
