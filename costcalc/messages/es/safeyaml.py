"""Archivos que no se pudieron leer con seguridad: YAML, y archivos de texto en general."""

MESSAGES = {
    "missing": "{name}: no existe ese archivo.",
    "directory": "{name} es una carpeta; indique un archivo.",
    "not_regular": (
        "{name} no es un archivo regular (es una tubería, un dispositivo o un socket); "
        "guárdelo primero en un archivo."
    ),
    "unreadable": "No se pudo leer {name}: {reason}.",
    "symlink_loop": "{name} es un enlace simbólico que regresa a sí mismo.",
    "too_large": "{name} mide más de {limit}, el máximo que se lee de un archivo así.",
    "encoding": "{name} está escrito en {encoding}; guárdelo como UTF-8.",
    "binary": "{name}, línea {line}: hay un byte NUL; no es un archivo de texto.",
    "not_utf8": "{name}, línea {line}: no es UTF-8 válido; guarde el archivo como UTF-8.",
    "control": ("{name}, línea {line}: YAML no admite el carácter de control {code}; quítelo."),
    "syntax": "{name}, línea {line}, columna {column}: no es YAML válido ({problem}).",
    "several": (
        "{name} contiene {count} documentos YAML (el segundo empieza en la línea {line}); "
        "se espera uno solo."
    ),
    "documents": "{name}, línea {line}: más de {limit:,} documentos YAML en un archivo.",
    "values": (
        "{name}, línea {line}: más de {limit:,} valores, contando lo que repiten los alias; "
        "acorte el archivo o use menos alias."
    ),
    "depth": "{name}, línea {line}: más de {limit} niveles de anidamiento.",
    "duplicate": (
        "{name}, línea {line}: la clave {entry!r} ya está en la línea {first}; deje solo una."
    ),
    "complex_key": (
        "{name}, línea {line}: una clave debe ser texto simple, no una lista ni un mapa."
    ),
    "tag": (
        "{name}, línea {line}: no se acepta la etiqueta YAML {tag}; escriba el valor sin ella."
    ),
    "tag_value": "{name}, línea {line}: {text!r} no corresponde a su etiqueta {tag}.",
    "number": (
        "{name}, línea {line}: el número {text} es demasiado largo o demasiado grande; "
        "póngalo entre comillas si es texto."
    ),
    "alias_unknown": "{name}, línea {line}: *{anchor} se refiere a un ancla que no está definida.",
    "alias_recursive": "{name}, línea {line}: *{anchor} se contiene a sí mismo.",
    "merge": "{name}, línea {line}: << admite un mapa o una lista de mapas.",
}
