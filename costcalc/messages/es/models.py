"""El catálogo de modelos."""

MESSAGES = {
    "title": "Modelos ({count})",
    "match_option": "Solo modelos cuyo id contiene este texto.",
    "name_argument": "Id del modelo, alias, o un config.json de Hugging Face.",
    "seq_len_option": "Tokens por secuencia, para los FLOP de la atención.",
    "column_id": "Id",
    "column_total": "Parámetros",
    "column_active": "Activos",
    "column_layers": "Capas",
    "column_context": "Contexto",
    "column_kind": "Tipo",
    "column_attention": "Atención",
    "column_heads": "Cabezas",
    "column_kv_heads": "Cabezas KV",
    "column_head_dim": "Ancho",
    "column_window": "Ventana",
    "attention_full": "completa",
    "attention_window": "ventana deslizante",
    "attention_chunk": "por bloques",
    "attention_linear": "lineal",
    "approximate_mark": "~ atención híbrida o comprimida: las cuentas son aproximadas.",
    "hidden": "Modelos que --match oculta: {hidden}.",
    "total": "Parámetros",
    "active": "Activos",
    "matmul": "En productos de matrices",
    "flops": "FLOP por token con {seq_len}",
    "flops_value": "{forward} GFLOP hacia adelante, {training} GFLOP para entrenar",
    "kv": "Bytes de caché KV por token (16 bits)",
    "shape": "Forma",
    "shape_value": "{layers} capas, ancho {hidden}, vocabulario {vocab}, embeddings atados: {tied}",
    "moe_value": (
        "{layers} capas de {experts} expertos, {active} por token, compartidos: {shared}, ancho "
        "{ffn}"
    ),
    "approximate": "Las cuentas son aproximadas",
}
