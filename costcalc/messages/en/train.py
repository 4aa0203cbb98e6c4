"""Training quotes."""

MESSAGES = {
    "serves_only": "{name} serves models only; these train: {trains}.",
}
