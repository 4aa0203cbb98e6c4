"""Ayuda de los comandos que leen planes."""

MESSAGES = {
    "after": "Cotización (JSON) o plan; --set y --profile cambian este.",
    "before": "Cotización (JSON) o plan.",
    "lock_check": "No escribe nada; falla cuando el catálogo no es el bloqueado.",
    "lock_file": "Archivo de bloqueo.",
    "lock_output": "Archivo de bloqueo por escribir; - es la salida estándar.",
    "locked": "Falla cuando el catálogo no es el del archivo de bloqueo.",
    "panel": "El plan",
    "plan": "Archivo de plan (YAML o JSON).",
    "profile": "Aplica un perfil (profile) del plan.",
    "schema": "Qué esquema.",
    "set": "Cambia una clave, como workloads.ajuste.on=h100:16; se puede repetir.",
}
