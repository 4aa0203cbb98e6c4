"""Supuestos, modelos alojados junto a máquinas propias, punto de equilibrio."""

MESSAGES = {
    "assume_without": "--assume no admite {options}: nadie renta ese chip. Quite esa opción.",
    "assume_missing": "A --assume le falta {names}, por ejemplo {example}.",
    "assume_rentable": "{name} se puede rentar: el catálogo tiene sus precios y el modelo su ritmo. "
    "--assume es para chips que solo están anunciados.",
    "assume_serves_only": "{name} no entrena: está anunciado solo para inferencia.",
    "assumed": "SUPUESTO",
    "assumed_basis": "USD {usd} por acelerador y hora, {rate} tokens/s por acelerador; lo supone "
    "usted, nadie lo ofrece",
    "assumed_system": "{accelerators} x {accelerator}, solo anunciado",
    "assumed_time": "{hours}, si el supuesto se cumple; sin rango",
}
