"""What vendors and articles claim about costs and chips (`claims.yaml`); used in no calculation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PublicClaim:
    """A claim, and the evidence that it is to be held against.

    Attributes:
        text, by, against, depends_on: by language: what is claimed, who says so, what it compares,
            and what decides when some of the evidence agrees and some does not.
        said: ISO date, month or year; None where nobody can say.
        source: where it was read, and when.
        universal: the claim says "always": one figure against it is enough.
        withdrawn: its own authors took it back.
        evidence: parameters, each with its `kind`.
    """

    id: str
    text: Mapping[str, str]
    by: Mapping[str, str]
    said: str | None
    source: str
    against: Mapping[str, str]
    universal: bool
    withdrawn: bool
    depends_on: Mapping[str, str]
    evidence: tuple[Mapping[str, Any], ...]


def build_claims(raw: Mapping[str, Any]) -> dict[str, PublicClaim]:
    """Claims by id from the compiled room."""
    return {
        identity: PublicClaim(id=identity, **{**row, "evidence": tuple(row["evidence"])})
        for identity, row in raw["claims"].items()
    }
