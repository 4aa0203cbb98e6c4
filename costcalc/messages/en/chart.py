"""Charts."""

MESSAGES = {
    "suffix": "--chart: {path} must end in .svg or .png.",
    "not_installed": "--chart needs matplotlib: pip install 'costcalc[charts]'.",
    "option": "Draw a chart into this file, .svg or .png (needs the extra charts).",
    "plot": "Draw the ranking in the terminal, after the tables.",
    "plot_title": "Cost of each offer, {currency}",
    "history": "Draw the prices that moved, after the table.",
    "history_title": "{name}: USD per machine and hour",
    "history_nothing": "no price moved: nothing to draw.",
}
