"""Training quotes."""

MESSAGES = {
    "over_budget": "over budget: {share} of {budget}.",
    "serves_only": "{name} serves models only; these train: {trains}.",
}
