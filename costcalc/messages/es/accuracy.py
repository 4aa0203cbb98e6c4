"""Lo predicho frente a lo medido."""

MESSAGES = {
    "training_option": (
        "Entrenamientos: un CSV con las columnas de la tabla de entrenamientos incluida."
    ),
    "serving_option": "Mediciones de servicio: un CSV con las columnas de la tabla incluida.",
    "cross_validate_option": (
        "Reajusta sin el grupo, la fuente o la familia de chip de cada fila, y puntúa eso."
    ),
    "calibrate_option": "Escribe una calibración ajustada hacia estas mediciones.",
    "calibration_option": "Usa este archivo de calibración en vez del que trae el catálogo.",
    "one_file": "indique un archivo: --training ARCHIVO.csv o --serving ARCHIVO.csv.",
    "training_only": "--calibrate y --calibration van con --training.",
    "refit_or_file": "--cross-validate reajusta por sí mismo; quite --calibrate y --calibration.",
    "nothing_to_learn": "ninguna fila da un ritmo: no hay con qué calibrar.",
    "no_mapping": "{file} no contiene claves con valores",
    "own_file": (
        "Calibración propia, hecha con costcalc accuracy --calibrate; se usa con --calibration."
    ),
    "written": "{file}: calibración con mediciones propias ({runs}).",
    "table_encoding": "{file} no es texto UTF-8; guarde la tabla como CSV UTF-8.",
    "table_empty": (
        "{file} no contiene filas; una tabla de mediciones tiene una línea con los nombres de las "
        "columnas y filas."
    ),
    "table_column_twice": "{file}: la columna {column} aparece dos veces.",
    "table_row": "{file}, línea {line}: {found} celdas donde el encabezado tiene {wanted}.",
    "table_broken": "{file}, línea {line}: {fault}.",
    "table_columns": "a {file} le falta la columna {columns}.",
    "cell": "fila {row}, columna {column}: {text!r} no es un número de cero en adelante.",
    "tuning": "fila {row}, columna tuning: {text!r} no es ninguno de {known}.",
    "accelerator": (
        "fila {row}: no se conoce el acelerador {name!r}, y la fila no da peak_bf16_tflops."
    ),
    "title": "Lo predicho frente a lo medido",
    "runs": "Filas",
    "runs_value": "{runs} puntuadas, {skipped} omitidas",
    "median": "Error mediano",
    "p90": "Percentil 90",
    "coverage": "Intervalo",
    "coverage_value": "contiene el {share} de las filas (previsto: {interval})",
    "how": "Cómo",
    "how_plain": (
        "Constantes del catálogo; {seen} de estas filas están entre las usadas para ajustarlas, "
        "y no dicen nada sobre casos nuevos."
    ),
    "how_own": (
        "Constantes que siguen mediciones propias; {seen} de estas filas están entre las usadas "
        "para ajustarlas, y no dicen nada sobre casos nuevos."
    ),
    "how_cluster": (
        "Cada fila, predicha con constantes ajustadas sin su grupo (familia de chip, modelo, "
        "fuente)."
    ),
    "how_source": "Cada fila, predicha con constantes ajustadas sin ninguna fila de su fuente.",
    "how_family": (
        "Cada fila, predicha con constantes ajustadas sin ninguna fila de su familia de chip."
    ),
    "column_accelerator": "Acelerador",
    "column_tuning": "Software",
    "column_runs": "Filas",
    "column_median": "Mediana",
    "column_p90": "p90",
    "column_coverage": "En intervalo",
    "column_id": "Fila",
    "column_metric": "Métrica",
    "column_measured": "Medido",
    "column_predicted": "Predicho",
    "column_error": "Error",
    "worst": "Las peores filas",
    "skipped": "Filas omitidas",
    "reason_no_rate": "sin ritmo medido",
    "reason_model_size_unknown": "nada dice de qué tamaño es el modelo",
    "reason_nothing_measured": "no hay con qué comparar",
    "reason_accelerator_unknown": "no se conoce el acelerador",
    "reason_chips_unknown": "no se dice cuántos chips eran",
    "reason_lengths_unknown": "no se dice la longitud de la entrada ni de la respuesta",
    "reason_load_unknown": "no se dice cuánta carga hubo",
    "reason_no_datasheet": "no se publica la ficha técnica del chip",
    "reason_speculative": "un modelo borrador lo aceleró de una forma que no se dice",
    "reason_above_peak": "rechazada: más rápida que el pico de FLOP/s de sus chips",
    "reason_above_bandwidth": "rechazada: más rápida que la lectura de sus pesos",
    "reason_above_users": (
        "rechazada: más tokens de los que sus usuarios pueden recibir a su propio tiempo por token"
    ),
}
