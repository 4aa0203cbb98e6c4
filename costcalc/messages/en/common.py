"""Words used in many places."""

MESSAGES = {
    "or": "or",
    "did_you_mean": "Did you mean {names}?",
    "yes": "yes",
    "no": "no",
    "unknown": "not known",
}
