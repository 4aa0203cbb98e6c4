"""Formas de compra y tipos de vendedor, con palabras."""

MESSAGES = {
    "capacity_block": "bloque de capacidad",
    "commit_1y": "compromiso de 1 año",
    "commit_3y": "compromiso de 3 años",
    "flex_start": "inicio flexible",
    "hyperscaler": "hiperescalador",
    "marketplace": "mercado abierto",
    "neocloud": "neocloud",
    "on_demand": "bajo demanda",
    "spot": "spot",
}
