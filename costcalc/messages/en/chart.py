"""Charts."""

MESSAGES = {
    "suffix": "--chart: {path} must end in .svg or .png.",
    "not_installed": "--chart needs matplotlib: pip install 'costcalc[charts]'.",
    "option": "Draw a chart into this file, .svg or .png (needs the extra charts).",
    "plot": "Draw the ranking in the terminal, after the tables.",
    "plot_title": "Cost of each offer, {currency}",
}
