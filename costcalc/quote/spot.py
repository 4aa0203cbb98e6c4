"""Spot machines and commitments: what their price does not say.

Spot: machines are taken back; the work since the last checkpoint is done again, and everybody waits
for the restart. Commitment: billed for its whole term, used or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.estimate.reliability import lost_per_interruption_hours, lost_share
from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.limits import Renting
from costcalc.quote.types import Line, OfferChoice

if TYPE_CHECKING:
    from costcalc.catalog.offers import Offer

HOURS_PER_MONTH = 730.0
SPOT_ITEM = "spot_redone"


def redone_share(purchase: str, instances: int, rules: Renting) -> float:
    """Hours lost to interruptions per hour of useful work, 0 for everything but spot.

    Each of `instances` machines is taken back at the assumed monthly rate; each time the whole run
    does again what it did since its last checkpoint, and restarts. Checkpoints are written at the
    interval that loses least (`costcalc.estimate.reliability`).
    """
    if purchase != "spot":
        return 0.0
    return lost_share(
        rules.spot_save_hours, rules.spot_restart_hours, _interruptions_per_hour(instances, rules)
    )


def _interruptions_per_hour(instances: int, rules: Renting) -> float:
    return instances * rules.spot_interruptions_per_month / HOURS_PER_MONTH


def redone_line(
    compute: Line, choice: OfferChoice, rules: Renting, usd_mxn: Decimal
) -> Line | None:
    """The cost of work done again, as its own line; None unless the purchase is spot."""
    share = redone_share(choice.purchase, choice.instances, rules)
    if not share:
        return None
    return money.share_of(compute, share_digits(share), SPOT_ITEM, usd_mxn, rules.spot_source)


def share_digits(share: float) -> Decimal:
    """The share as lines carry it, six places."""
    return Decimal(repr(share)).quantize(Decimal("0.000001"))


def spot_notices(choice: OfferChoice, rules: Renting) -> list[Notice]:
    """The assumptions behind `redone_share`."""
    share = redone_share(choice.purchase, choice.instances, rules)
    if not share:
        return []
    return [
        notice(
            "spot_assumed",
            rate=f"{rules.spot_interruptions_per_month:.0%}",
            lost=f"{_lost_hours(choice.instances, rules):.2g}",
            machines=choice.instances,
            share=f"{share:.1%}",
        )
    ]


def _lost_hours(instances: int, rules: Renting) -> float:
    return lost_per_interruption_hours(
        rules.spot_save_hours, rules.spot_restart_hours, _interruptions_per_hour(instances, rules)
    )


def commitment_notices(
    offer: Offer,
    choice: OfferChoice,
    hours: float | None,
    others: Iterable[Offer],
    rules: Renting,
) -> list[Notice]:
    """From how many hours a commitment pays, and what is left to pay after the run.

    Args:
        hours: of the run; None when the machines run on.
        others: offers among which the on-demand price of the same machine is looked for.
    """
    term = rules.term_hours.get(offer.purchase)
    if term is None:
        return []
    on_demand = next(
        (
            other
            for other in others
            if other.purchase == "on-demand"
            and (other.provider, other.instance_type, other.region)
            == (offer.provider, offer.instance_type, offer.region)
        ),
        None,
    )
    found: list[Notice] = []
    if on_demand is not None:
        even = float(offer.usd_per_instance_hour / on_demand.usd_per_instance_hour) * term
        found.append(
            notice(
                "commitment_break_even",
                purchase=offer.purchase,
                hours=f"{even:,.0f}",
                term=f"{term:,}",
            )
        )
    if hours is not None and hours < term:
        rest = money.cents(choice.usd_per_hour * money.quantity(term - hours))
        found.append(
            notice(
                "commitment_rest",
                purchase=offer.purchase,
                hours=f"{term - hours:,.0f}",
                usd=f"{rest:,.2f}",
            )
        )
    return found
