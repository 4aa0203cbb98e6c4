"""Advertencias de una cotización; las claves son los códigos del JSON."""

MESSAGES: dict[str, str] = {}
