"""Claims about the hardware of a quote: shown apart, used in no figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.accelerators import Claim
    from costcalc.quote.types import Quote


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim and the accelerator that it is about, by the name people know.

    Attributes:
        withdrawn: its own authors took it back.
    """

    accelerator: str
    claim: Claim
    withdrawn: bool = False


def claims_of(quote: Quote, catalog: Catalog, language: str) -> tuple[Claimed, ...]:
    """What vendors and articles claim of the accelerators that the quote rents."""
    known = catalog.accelerators()
    identities = [
        identity
        for identity in dict.fromkeys(
            workload.offer.accelerator for workload in quote.workloads if workload.offer
        )
        if identity in known
    ]
    found = [
        Claimed(known[identity].name, claim)
        for identity in identities
        for claim in known[identity].claims
    ]
    if not identities or not catalog.has_table("claims"):
        return tuple(found)
    from costcalc.catalog.accelerators import Claim
    from costcalc.quote.claims import public_claims

    for said in public_claims(catalog).values():
        named = {name for part in said.evidence for name in _named(part)}
        about = [known[identity].name for identity in identities if identity in named]
        if about:
            claim = Claim(
                text=said.text[language],
                by=said.by[language],
                date=said.said or "",
                baseline=said.against[language],
                verified=False,
                source=said.source,
            )
            found.append(Claimed(", ".join(about), claim, said.withdrawn))
    return tuple(found)


def _named(evidence: Mapping[str, Any]) -> Iterator[str]:
    """The accelerators that a piece of evidence is computed from."""
    for key in ("of", "against"):
        value = evidence.get(key)
        if isinstance(value, str):
            yield value.partition(":")[0]
        elif isinstance(value, (list, tuple)):
            yield from (str(item).partition(":")[0] for item in value)
