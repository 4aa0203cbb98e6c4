"""Gráficas."""

MESSAGES = {
    "suffix": "--chart: {path} debe terminar en .svg o .png.",
    "not_installed": "--chart necesita matplotlib: pip install 'costcalc[charts]'.",
    "option": "Dibuja una gráfica en este archivo, .svg o .png (necesita el extra charts).",
    "plot": "Dibuja la clasificación en la terminal, después de las tablas.",
    "plot_title": "Costo de cada oferta, {currency}",
    "history": "Dibuja los precios que se movieron, después de la tabla.",
    "history_title": "{name}: USD por máquina y hora",
    "history_nothing": "ningún precio se movió: no hay nada que dibujar.",
}
