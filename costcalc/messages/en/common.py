"""Words used in many places."""

MESSAGES = {
    "or": "or",
    "yes": "yes",
    "no": "no",
}
