"""Lectura de archivos de otras herramientas."""

MESSAGES = {
    "too_many_choices": "{where}: más de {limit} alternativas.",
    "nothing_of_format": "{name} no contiene nada propio de {format}; quite --as para ver qué es.",
    "is_plan": "{name} ya es un plan; úselo con costcalc quote.",
    "open_line": "abierto: {name}{at}: {text}",
    "read_as": "{file} se lee como {format}",
    "origin_default": "{place}, valor predeterminado del formato",
    "origin_derived": "calculado: {place}",
    "origin_given": "{place}",
    "two_values": "{name} aparece dos veces: {first} dice {first_value}, {second} dice "
    "{second_value}; deje solo uno.",
    "json_duplicate": "{name}: la clave {entry!r} está dos veces en un mismo objeto; deje solo una.",
    "json_number": "{name}: {text} no es un número con el que se pueda calcular.",
    "json_syntax": "{name}, línea {line}, columna {column}: no es JSON válido ({problem}).",
    "toml_syntax": "{name}: no es TOML válido ({problem}).",
    "not_whole": "{where}: {text} debe ser un número entero.",
    "out_of_range": "{where}: {text} debe estar entre {low} y {high}.",
    "not_number": "{where}: {text} no es un número.",
    "not_flag": "{where}: {text} debe ser true o false.",
    "not_text": "{where}: {text} debe ser texto.",
    "not_power_of_two": "{where}: {text} debe ser una potencia de dos.",
    "two_resources": "{where}: un pod pide varios tipos de aceleradores ({names}); costcalc "
    "cotiza un tipo por pod.",
    "no_format": "No existe el formato {name!r}; los más parecidos son {names}.",
    "foreign_broken": "No se puede usar el lector {name} de otro paquete: {reason}.",
    "unknown_file": "{name}: no se reconoce como ninguno de {names}; indique su formato con --as.",
    "ambiguous_file": "{name} podría ser de más de un formato: {evidence}. Indique cuál, por "
    "ejemplo --as {first}.",
    "empty_file": "{name} está vacío.",
    "not_a_mapping": "{name} no es un archivo de {format}: debe ser un mapa de claves a valores.",
    "terraform_no_plan": "{name} no tiene planned_values ni resource_changes; genérelo con: "
    "terraform show -json PLAN",
    "terraform_modules": "{name}: más de {limit:,} módulos, o módulos demasiado anidados.",
    "nothing_to_quote": "Nada en {names} se puede cotizar: no hay modelo ni aceleradores.",
    "too_many_tokens": "{value} tokens rebasan lo que se puede calcular; revise el lote, los "
    "pasos y la longitud de secuencia.",
    "too_many_files": "Se pueden leer juntos {limit} archivos como máximo.",
    "no_set_key": "No hay nada llamado {name!r} que fijar; lo más parecido es {names}.",
    "blanks": "Los archivos dejan abierto: {keys}. Complételo con las opciones de ese nombre o con "
    "--set CLAVE=VALOR.{detail}",
    "open_on": "qué aceleradores y cuántos; por ejemplo h100:8",
    "open_which_accelerator": "qué acelerador; el archivo dice cuántos ({at}: {chips}); por "
    "ejemplo --set accelerator=NOMBRE",
    "open_how_many": "cuántos; el archivo nombra {name} ({at}); por ejemplo --set chips=8",
    "open_nodes": "qué acelerador y cuántos nodos; el archivo dice {chips} por nodo; por "
    "ejemplo h100:8",
    "open_any_of": "uno de {names}; el archivo deja abierta la elección",
    "open_several": "cuáles de las máquinas de los archivos usa la corrida: {names}",
    "open_two_launchers": "los archivos {names} dicen cada uno en qué se lanza la corrida; dé "
    "uno solo, o fíjelo",
    "open_layout": "{chips} chips no alcanzan para los grados de paralelismo del archivo "
    "({parallel}); fije el número que de verdad corre",
    "open_conflict": "{first} dice {first_value}, {second} dice {second_value}",
    "open_model": "qué modelo: un nombre del catálogo o la ruta de su config.json",
    "open_model_unknown": "el catálogo no tiene el modelo {name} ({at}); dé la ruta de su "
    "config.json",
    "open_model_unknown_near": "el catálogo no tiene el modelo {name} ({at}); los más parecidos"
    " son {names}; o dé la ruta de su config.json",
    "open_dimensions": "las dimensiones del archivo no están completas, falta {keys}; nombre el"
    " modelo",
    "open_seq_len": "tokens por secuencia; por ejemplo 4096",
    "open_tokens": "cuántos tokens; por ejemplo 1B",
    "open_tokens_epoch": "tokens de una pasada por los datos; el archivo cuenta épocas",
    "open_tokens_dataset": "tokens de una pasada por {names}",
    "open_tokens_at_most": "tokens de una pasada por {names}; por los límites del archivo, "
    "{most:,} como máximo",
    "open_tokens_steps": "se dan {steps:,} pasos; con el número de chips salen los tokens, o "
    "fíjelos",
    "open_hours": "horas que dura una corrida; por ejemplo 36h",
    "open_method": "{name} no es full, lora ni qlora; fije el más cercano",
    "open_method_missing": "full, lora o qlora",
    "open_precision": "{name} ({at}) no es una precisión para la que haya velocidad; fije bf16,"
    " fp8 o fp4",
    "open_precision_missing": "bf16, fp8 o fp4",
    "open_lora_rank": "rango de los adaptadores; por ejemplo 16",
}
