"""Palabras del marco de la línea de comandos."""

MESSAGES = {
    "deprecated": "(obsoleto) ",
    "default": "[predeterminado: {}]",
    "env": "[variable de entorno: {}]",
    "required": "[obligatorio]",
    "arguments": "Argumentos",
    "options": "Opciones",
    "commands": "Comandos",
    "error": "Error",
    "aborted": "Cancelado.",
    "dynamic": "(dinámico)",
}
