"""Ayuda de check."""

MESSAGES = {
    "baseline": "Cotización (JSON) o plan con el que se compara.",
    "format": "table, json, csv, markdown, github, junit, sarif, gitlab o metrics.",
    "max_age": "Antigüedad máxima que se acepta de un precio, como 90d.",
    "max_increase": "Cuánto puede aumentar el total sobre --baseline: 10% o 500USD.",
    "panel": "Límites",
    "report": "Escribe otro formato en un archivo, como junit=junit.xml; se puede repetir.",
    "require": "Confianza mínima de cada precio.",
    "threshold": "Compara los presupuestos con el centro del rango o con su extremo alto.",
    "plans": "Archivos de plan (YAML o JSON).",
}
