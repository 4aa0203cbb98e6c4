"""Palabras del marco de la línea de comandos."""

MESSAGES = {
    "default": "predeterminado: {default}",
    "env": "variable de entorno: {var}",
    "required": "obligatorio",
    "arguments": "Argumentos",
    "options": "Opciones",
    "commands": "Comandos",
    "dynamic": "(dinámico)",
}
