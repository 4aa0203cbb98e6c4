"""Por qué una oferta no puede ejecutar algo."""

MESSAGES = {
    "max_accelerators": "se sabe que se rentan como máximo {largest} aceleradores para un solo "
    "trabajo",
    "no_scaleout": "una máquina tiene {largest} aceleradores y no hay red entre máquinas",
    "no_slice": "no existe una partición (slice) de {chips} chips; las más cercanas son {below} "
    "y {above}",
    "other_machine": "se pidió otra máquina",
    "part_of_host": "solo se ofrecen {largest} aceleradores de un host y ninguna red los une",
    "scaleout_unknown": "una máquina tiene {largest} aceleradores; ninguna fuente menciona una "
    "red entre máquinas",
    "too_long": "{purchase} termina a los {days} días; la corrida tarda {needed} días",
}
