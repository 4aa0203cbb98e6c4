"""Claims about the hardware of a quote: shown apart, used in no figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.accelerators import Claim
    from costcalc.quote.types import Quote


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim and the accelerator that it is about, by the name people know."""

    accelerator: str
    claim: Claim


def claims_of(quote: Quote, catalog: Catalog) -> tuple[Claimed, ...]:
    """What vendors and articles claim of the accelerators that the quote rents."""
    known = catalog.accelerators()
    identities = dict.fromkeys(
        workload.offer.accelerator for workload in quote.workloads if workload.offer is not None
    )
    return tuple(
        Claimed(known[identity].name, claim)
        for identity in identities
        if identity in known
        for claim in known[identity].claims
    )
