"""Palabras para lo que recibe una opción, como las muestran la ayuda y la línea de uso."""

MESSAGES = {
    "ACCEL": "ACEL",
    "AFTER": "DESPUÉS",
    "ARGS": "ARGUMENTOS",
    "BEFORE": "ANTES",
    "COMMAND": "COMANDO",
    "COUNT": "CANTIDAD",
    "DATE": "FECHA",
    "DIR": "CARPETA",
    "FILE": "ARCHIVO",
    "FORMAT": "FORMATO",
    "KEY": "CLAVE",
    "NAME": "NOMBRE",
    "OPTIONS": "OPCIONES",
    "OUT": "SALIDA",
    "PERCENT": "PORCENTAJE",
    "PROVIDER": "PROVEEDOR",
    "RATE": "TASA",
    "TEXT": "TEXTO",
    "VALUE": "VALOR",
}
