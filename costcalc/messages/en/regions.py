"""Regions and places."""

MESSAGES = {
    "residency": "--residency: the catalog knows no region in {text!r}; known countries: {names}.",
    "unknown": "there is no region named {text!r}. Nearest: {names}.",
}
