"""Warnings of a quote. The keys are the closed list of codes of the JSON (docs/reference.md)."""

MESSAGES: dict[str, str] = {}
