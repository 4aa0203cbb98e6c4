"""Barridos: una cuadrícula de estimaciones de entrenamiento."""

MESSAGES = {
    "on": "Chips o máquinas: una lista (h100:64,h100:128), un rango que se duplica (h100:64..4096) "
    "o uno con pasos (h100:64..256+64); se puede repetir.",
    "tokens": "Tokens de entrenamiento: lista o rango (1T,2T; 1T..16T se duplica; 1T..15T+1T va por pasos).",
    "seq_len": "Tokens por secuencia, lista o rango.",
    "global_batch": "Tokens por paso del optimizador, lista o rango. Sin ella: el valor documentado.",
    "format": "csv (un encabezado) o jsonl (un objeto por línea).",
    "backwards": "{option}: el rango {text!r} termina antes de empezar; escriba primero el número menor.",
    "too_many": "{option}: un rango tiene como máximo {most} valores; use pasos más grandes.",
    "too_many_points": "la cuadrícula tiene {points} puntos, más de {most}; use menos valores o pasos "
    "más grandes.",
    "nothing": "ningún punto de la cuadrícula tiene precio; estado: {reasons}.",
}
