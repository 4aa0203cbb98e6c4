"""Gráficas."""

MESSAGES = {
    "suffix": "--chart: {path} debe terminar en .svg o .png.",
    "not_installed": "--chart necesita matplotlib: pip install 'costcalc[charts]'.",
    "option": "Dibujar una gráfica en este archivo, .svg o .png (necesita el extra charts).",
    "plot": "Dibujar la clasificación en la terminal, después de las tablas.",
    "plot_title": "Costo de cada oferta, {currency}",
}
