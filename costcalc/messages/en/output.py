"""Writing results."""

MESSAGES = {
    "cannot_write": "--output: cannot write {path}: {reason}.",
    "warning": "warning [{code}]: {text}",
}
