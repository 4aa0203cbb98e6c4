"""Por qué una oferta no puede ejecutar algo."""

MESSAGES = {
    "budget": "la corrida cuesta USD {usd}",
    "deadline": "tarda {days} días en el mejor caso",
    "dearer_region": "la misma máquina está listada en {region}",
    "market": "mercado: {market}",
    "max_accelerators": "se sabe que se rentan como máximo {largest} aceleradores para un solo "
    "trabajo",
    "max_chips": "necesita más de {most} chips",
    "memory": "no cabe en la memoria",
    "no_datasheet": "no se publica su pico, memoria o ancho de banda",
    "no_peak": "no hay pico bf16 publicado",
    "no_precision": "no hay pico publicado para {precision}",
    "no_scaleout": "una máquina tiene {largest} aceleradores y no hay red entre máquinas",
    "no_slice": (
        "no existe una rebanada (slice) de {chips} chips; las más cercanas son {below} y {above}"
    ),
    "not_sold_in_practice": "solo se vende como {sold}",
    "other_machine": "se pidió otra máquina",
    "part_of_host": "ofrece {largest} de los aceleradores de un host, y ninguna red une más de "
    "ellos",
    "provider": "otro proveedor",
    "purchase": "otra forma de compra",
    "region": "no está en {region}",
    "residency": "no se sabe que esté en {country}",
    "retired": "retirado",
    "scaleout_unknown": "una máquina tiene {largest} aceleradores; ninguna fuente menciona una "
    "red entre máquinas",
    "serves_only": "no entrena",
    "software": "no ejecuta {software}",
    "spot_service": "solo se vende como spot, que no es base para un servicio",
    "targets": "ninguna réplica cumple los objetivos",
    "too_long": "{purchase} termina a los {days} días; la corrida tarda {needed} días",
    "trains_only": "no sirve modelos",
    "uniform_price": "un solo precio para todas las regiones: no prueba nada de {region}",
}
