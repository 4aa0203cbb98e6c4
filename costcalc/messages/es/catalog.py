"""El catálogo: nombres que no existen, archivos con errores."""

MESSAGES = {
    "alias_taken": "{file}, línea {line}: el alias {alias!r} ya pertenece a {owner}.",
    "ambiguous_machine": "{name!r} nombra máquinas con aceleradores distintos; escriba {names}.",
    "approximate_compressed": "la atención comprimida se cuenta como atención completa",
    "approximate_hybrid": (
        "tres de cada cuatro capas, o algunas, son de atención lineal (gated delta nets)"
    ),
    "approximate_per_layer_inputs": (
        "se omiten los embeddings por capa y las capas que comparten claves y valores"
    ),
    "approximate_shared_width": (
        "el ancho del experto compartido no es múltiplo de un experto y se redondeó"
    ),
    "approximate_sparse": (
        "la atención dispersa se cuenta como atención completa y se omite su indexador"
    ),
    "approximate_unknown_type": "costcalc no conoce el tipo de modelo y lo cuenta como un Llama",
    "bad_id": "{file}, línea {line}: {name!r} no es un identificador válido; escriba {right!r}.",
    "config_binary": "{file} no es texto; se esperaba un config.json de Hugging Face.",
    "config_boolean": "{file}: {field} debe ser true o false.",
    "config_constant": "{file}: {value} no es un número que una configuración pueda contener.",
    "config_diffusion": (
        "{file} describe un modelo de difusión; costcalc abarca modelos de lenguaje que solo "
        "decodifican."
    ),
    "config_empty": "{file} está vacío; se esperaba un config.json de Hugging Face.",
    "config_encoder": (
        "{file} describe un codificador ({kind}) que no escribe texto; costcalc abarca "
        "modelos de lenguaje que solo decodifican."
    ),
    "config_encoder_decoder": (
        "{file} describe un modelo codificador-decodificador ({kind}); costcalc abarca "
        "modelos de lenguaje que solo decodifican."
    ),
    "config_head_dim": (
        "{file}: hidden_size {hidden} no es múltiplo de num_attention_heads {heads} y falta "
        "head_dim."
    ),
    "config_heads": (
        "{file}: num_attention_heads {heads} no es múltiplo de num_key_value_heads {kv_heads}."
    ),
    "config_inner": "{file}: {field} debe ser un objeto.",
    "config_json": "{file}, línea {line}: no es JSON válido ({reason}).",
    "config_layer_type": "{file}: layer_types contiene {value!r}; se conocen {names}.",
    "config_linear": (
        "{file}: costcalc no conoce la forma de las capas de atención lineal de {kind}."
    ),
    "config_missing": (
        "{file}: falta la clave {field}; la configuración de un decodificador la tiene."
    ),
    "config_number": "{file}: {field} debe ser un número entero de {low} a {high}, no {value}.",
    "config_numbers": "{file}: {field} debe ser una lista de números enteros.",
    "config_object": "{file}: se esperaba un objeto JSON, como en un config.json de Hugging Face.",
    "config_odd": "{file}: el JSON tiene demasiados niveles o un número demasiado largo.",
    "config_per_layer": "{file}: {field} debe ser una lista de {layers} palabras, una por capa.",
    "config_state_space": (
        "{file} describe un modelo con capas de espacio de estados o recurrentes ({kind}), "
        "cuyo trabajo no abarca la aritmética de los transformadores."
    ),
    "config_vision": (
        "{file} describe un modelo de visión ({kind}); costcalc abarca modelos de lenguaje "
        "que solo decodifican."
    ),
    "duplicate_entry": "{file}, línea {line}: {name!r} ya está definido.",
    "duplicate_offer": (
        "{file}, línea {line}: la misma oferta dos veces ({name}); la primera está en {first}."
    ),
    "ended_before": "{file}, línea {line}: ended {value} es anterior a as_of {as_of}.",
    "file_encoding": "{file}, línea {line}: el archivo no es UTF-8.",
    "file_is_folder": "{file} es una carpeta; se esperaba un archivo.",
    "file_link_loop": "{file} es un enlace que regresa a sí mismo.",
    "file_missing": "{file} no existe.",
    "file_size": "{file} mide más de {limit_mb} MB.",
    "file_suffix": "{file}: los archivos del catálogo terminan en .yaml; cámbiele el nombre.",
    "file_unreadable": "no se puede leer {file}: {reason}.",
    "folder_empty": (
        "{folder} no contiene un catálogo; se esperaban accelerators/, offers/, models/ y "
        "rates.yaml."
    ),
    "folder_missing": "{folder}: no existe esa carpeta de catálogo.",
    "hardware_count": "--on: {name!r} no dice cuántos aceleradores; escriba por ejemplo {name}:8.",
    "hardware_empty": "--on: {text!r} no nombra un acelerador; escriba por ejemplo h100:8.",
    "layers_differ": (
        "{file}, línea {line}: {field} abarca {total} capas y el modelo tiene {layers}."
    ),
    "matmul_above_peak": "{file}, línea {line}: {field} {value} supera el pico denso {peak}.",
    "missing_key": "{file}, línea {line}: falta {field}.",
    "no_accelerator": (
        "No hay ningún acelerador ni máquina llamado {name!r}. Los más parecidos: {names}."
    ),
    "no_instance": (
        "Ninguna oferta tiene el tipo de instancia {name!r}. Los más parecidos: {names}."
    ),
    "no_model": (
        "No hay ningún modelo llamado {name!r}, ni un archivo. Los más parecidos: {names}."
    ),
    "no_provider": "Ninguna oferta es de un proveedor {name!r}. Los más parecidos: {names}.",
    "no_rate": (
        "El catálogo no tiene un tipo de cambio USD/MXN tan antiguo como {as_of}; el primero "
        "es del {first}."
    ),
    "no_region": "Ninguna oferta está en una región {name!r}. Las más parecidas: {names}.",
    "no_sort": "No hay ninguna clave de orden {name!r}. Las más parecidas: {names}.",
    "not_a_slice": "No existe la rebanada {name!r}. Las más parecidas: {names}.",
    "out_of_range": "{file}, línea {line}: {field} {value} debe estar entre {low} y {high}.",
    "price_does_not_scale": (
        "{file}, línea {line}: {price} USD por {count} aceleradores no corresponde a {other} "
        "USD por {other_count} de la misma familia; ¿es el precio de un solo acelerador?"
    ),
    "price_mismatch": (
        "{file}, línea {line}: {whole} USD por hora de instancia no es {count} x {single} USD"
        " por hora de acelerador; con {count} aceleradores serían {right} cada uno."
    ),
    "regions_missing": (
        "{file}, línea {line}: {field} es un solo precio sin región; escriba un mapa de "
        "regiones, o region_scope con lo que abarca el precio."
    ),
    "room_missing": "El catálogo {folder} no tiene {room}.",
    "scope_with_regions": (
        "{file}, línea {line}: {field} enumera regiones aunque region_scope es {scope!r}."
    ),
    "unknown_accelerator": (
        "{file}, línea {line}: no existe el acelerador {name!r}. Los más parecidos: {names}."
    ),
    "unknown_key": (
        "{file}, línea {line}: clave desconocida {field!r}. Las más parecidas: {names}."
    ),
    "unknown_region": "{file}, línea {line}: no hay región {field!r} en esta carpeta.",
    "unknown_source": (
        "{file}, línea {line}: no existe la fuente {name!r} en sources. Las más parecidas: {names}."
    ),
    "want_boolean": "{file}, línea {line}: {field} debe ser true o false.",
    "want_choice": (
        "{file}, línea {line}: {field} {value!r} no es válido. Los más parecidos: {names}."
    ),
    "want_country": (
        "{file}, línea {line}: {field} debe ser un código ISO 3166 de dos mayúsculas, MX."
    ),
    "want_date": "{file}, línea {line}: {field} {value!r} debe ser una fecha como 2026-12-01.",
    "want_list": "{file}, línea {line}: {field} debe ser una lista.",
    "want_mapping": "{file}, línea {line}: {field} debe ser un mapa.",
    "want_number": "{file}, línea {line}: {field} debe ser un número.",
    "want_region_id": (
        "{file}, línea {line}: {field!r} debe ser proveedor/región, gcp/us-central1."
    ),
    "want_rising": "{file}, línea {line}: {field} debe crecer de un elemento al siguiente.",
    "want_text": "{file}, línea {line}: {field} debe ser texto.",
    "want_whole": "{file}, línea {line}: {field} debe ser un número entero.",
    "yaml": "{file}, línea {line}: no es YAML válido ({reason}).",
    "yaml_anchor": (
        "{file}, línea {line}: no se admiten alias de YAML (*nombre); escríbalo completo."
    ),
    "yaml_depth": "{file}: demasiados niveles anidados.",
    "yaml_duplicate": "{file}, línea {line}: la clave {field!r} aparece dos veces.",
    "yaml_key": "{file}, línea {line}: una clave debe ser una palabra o un texto.",
    "yaml_tag": "{file}, línea {line}: no se admite la etiqueta de YAML {tag}.",
}
