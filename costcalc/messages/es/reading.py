"""Opciones de los comandos que reciben archivos de otras herramientas."""

MESSAGES = {
    "panel": "Archivos de otras herramientas",
    "panel_fill": "Completar lo que los archivos dejan abierto",
    "files": "Configuraciones, manifiestos o planes de otras herramientas, de una misma corrida.",
    "as": "Formato de los archivos, en vez de reconocerlo por su contenido.",
    "set": "Completa o reemplaza lo que dicen los archivos: una clave del plan, accelerator, "
    "chips, steps; NOMBRE.CLAVE para una carga entre varias. Se puede repetir.",
    "kind": "Para qué se quieren los archivos, en vez de reconocerlo por su contenido.",
    "explain": "Muestra lo que se entendió, con la clave, el archivo y la línea de donde salió.",
    "format": "yaml o json.",
    "hours": "Horas que dura una corrida.",
    "only_with_files": "{name} necesita un archivo que leer.",
}
