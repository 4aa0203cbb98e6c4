"""Faults of one feed, and text from outside made safe to show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from costcalc.errors import CostcalcError, SourceError

SECRET_VARIABLES = (
    "BANXICO_TOKEN",
    "GOOGLE_API_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SHORTEST_SECRET = 4
_LONGEST_EXCERPT = 160


class FeedError(SourceError):
    """A feed cannot be trusted or reached; its stored rows stay as they are.

    The message is one sentence without the feed's name; the report puts the name before it.
    """


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The credentials in the environment, longest first, so that `redact` can take them out."""
    found = {
        value
        for name in SECRET_VARIABLES
        if len(value := environ.get(name, "").strip()) >= _SHORTEST_SECRET
    }
    return tuple(sorted(found, key=len, reverse=True))


def redact(text: str, secrets: Iterable[str]) -> str:
    """`text` without any of `secrets`: a server may send back what it was sent."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


def clean(error: CostcalcError, secrets: Iterable[str]) -> CostcalcError:
    """`error`, whose parameters may hold text from outside, without any of `secrets`."""
    for name, value in error.params.items():
        if isinstance(value, str):
            error.params[name] = redact(value, secrets)
    return error


def excerpt(text: object, secrets: Iterable[str] = ()) -> str:
    """A short, printable, secret-free piece of text that came from outside."""
    plain = _CONTROL.sub(" ", redact(str(text), secrets))
    plain = re.sub(r"\s+", " ", plain).strip()
    return plain if len(plain) <= _LONGEST_EXCERPT else plain[: _LONGEST_EXCERPT - 1] + "…"
