"""Errores en las variables de entorno."""

MESSAGES = {
    "source_date_epoch": "SOURCE_DATE_EPOCH: {value!r} no es un número de segundos desde 1970.",
}
