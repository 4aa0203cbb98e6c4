"""Ayuda de las opciones comunes a todos los comandos, y errores en sus valores."""

MESSAGES = {
    "panel_where": "Dónde y cómo rentar",
    "panel_money": "Dinero",
    "panel_output": "Salida",
    "panel_run": "El entrenamiento",
    "model": "Modelo del catálogo, un alias suyo o un config.json de Hugging Face.",
    "on": "Aceleradores (h100:8), una rebanada de TPU (v5p-8 son 4 chips) o máquinas "
    "(p5.48xlarge:4).",
    "provider": (
        "Renta solo con este proveedor. Sin ella: la oferta más barata que sirve, con su nombre."
    ),
    "nearest": "Si no hay oferta en --region, toma la más cercana y lo dice.",
    "region": "Renta solo en esta región; queretaro y mexico nombran las mexicanas.",
    "residency": "Solo ofertas en este país (código ISO): los datos se quedan ahí.",
    "purchase": "Forma de compra. Sin ella: bajo demanda, o lo que se venda si nadie vende así.",
    "market": "Tipo de vendedor. Sin ella: hyperscaler y neocloud.",
    "currency": "Lo que muestra el reporte; el JSON siempre trae las dos.",
    "fx": "MXN por un USD, en vez del tipo de cambio del catálogo.",
    "iva": "IVA: sin él, sumado, o por cuenta propia (se causa y se acredita).",
    "iva_rate": "Tasa del IVA, en por ciento.",
    "discount": "Descuento negociado, en su propio renglón; se puede repetir.",
    "budget": "Termina con estado 3 si el total lo excede; se escribe con su moneda.",
    "assume": (
        "Supuesto para un chip que solo está anunciado: precio y ritmo de usted, ambos por "
        "acelerador."
    ),
    "as_of": "Día desde el que se cuentan antigüedades y se eligen precios. Predeterminado: hoy.",
    "format": "table, json, csv, markdown; las cotizaciones también html, xlsx, focus (CSV con columnas FOCUS).",
    "output": "Escribe aquí en vez de en la salida estándar.",
    "lang": "Idioma. Predeterminado: el de la configuración regional; si no, inglés.",
    "catalog": "Otra carpeta de catálogo.",
    "tokens": "Tokens de entrenamiento: 15T, 70B, 1.5e12.",
    "epochs": "Pasadas sobre esos tokens.",
    "seq_len": "Tokens por secuencia.",
    "global_batch": "Tokens por paso del optimizador, entre todos los chips.",
    "method": "full, lora o qlora.",
    "lora_rank": "Rango de los adaptadores LoRA.",
    "precision": "Precisión de los productos de matrices.",
    "tuning": "Qué tan afinado está el software; sin ella el intervalo cubre los tres casos.",
    "whole_run": "Aplica la penalización publicada de corridas completas en vez del goodput.",
    "explain": "Muestra cada paso de la estimación con su número, fórmula y fuente.",
    "choice": "{option}: {value!r} no es uno de {names}.",
    "choice_near": "{option}: {value!r} no es uno de {names}. ¿Quiso decir {near}?",
    "pair": "{option}: {value!r} no tiene la forma {example}.",
    "panel_around": "Alrededor de la corrida",
    "programme_factor": "Costo de todo el trabajo alrededor (ablaciones, corridas fallidas) como múltiplo; publicado: 1.2 a 2.",
    "dataset": "Tamaño de los datos, si hay que moverlos.",
    "checkpoints": "Puntos de control que se guardan a la vez, con precio de almacenamiento.",
    "checkpoint_months": "Cuánto tiempo se guardan; sin ella, lo que dura la corrida.",
    "egress": "Datos que salen de la región por internet.",
    "support": "Cargo de soporte de un proveedor sobre su factura.",
    "credit": "Crédito que reduce la factura.",
    "size": "{option}: {text!r} no es un tamaño; escriba por ejemplo 500GB o 2TB.",
    "versus_api": (
        "El mismo tráfico también por un modelo alojado (se puede repetir; necesita el extra api)."
    ),
    "versus_owned": (
        "Al lado, el equipo propio de un plan: PLAN.yaml o PLAN.yaml:CARGA (se puede repetir)."
    ),
}
