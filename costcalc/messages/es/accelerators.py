"""El catálogo de aceleradores."""

MESSAGES = {
    "title": "Aceleradores ({count})",
    "vendor_option": "Solo este fabricante.",
    "name_argument": "Id o alias del acelerador: h100, trillium, MI300X.",
    "train": "entrenar",
    "serve": "servir",
    "status_available": "disponible",
    "status_announced": "ANUNCIADO",
    "status_retired": "retirado",
    "column_id": "Id",
    "column_status": "Estado",
    "column_use": "Uso",
    "column_bf16": "BF16",
    "column_fp8": "FP8",
    "column_memory": "GB",
    "column_bandwidth": "GB/s",
    "column_figure": "Cifra",
    "column_value": "Valor",
    "column_confidence": "Confianza",
    "column_date": "Fecha",
    "column_source": "Fuente",
    "confidence_published": "publicada",
    "confidence_measured": "medida",
    "confidence_estimated": "ESTIMADA",
    "dense": (
        "BF16 y FP8 en TFLOP/s, GB de memoria, GB/s de su ancho de banda. Los picos son densos, "
        "nunca “con dispersión”; – quiere decir no publicado."
    ),
    "aliases": "También",
    "software": "Software",
    "note": "Nota",
    "sources": "Fuentes",
    "not_published": "No publicado",
    "claims": "Afirmaciones (ni especificaciones ni mediciones; ningún cálculo las usa)",
    "claim": "{by}, {date}: {text}. Comparado con: {baseline}. {source}",
    "no_baseline": "nada en concreto",
}
