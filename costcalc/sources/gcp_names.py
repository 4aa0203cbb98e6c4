"""What a SKU description of Google Cloud says: which part, bought how.

`usageType` alone does not tell: some spot SKUs carry OnDemand. So the description decides, and
`usageType` must not contradict it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

ON_DEMAND, SPOT, FLEX, CALENDAR = "on-demand", "spot", "flex-start", "capacity-block"
TERMS = {
    ON_DEMAND: "",
    SPOT: "",
    FLEX: "up to 7 days",
    CALENDAR: "reserved by calendar",
    "commit-1y": "1y",
    "commit-3y": "3y",
}
AS_LISTED = {
    ON_DEMAND: "on-demand",
    SPOT: "spot",
    FLEX: "DWS Defined Duration (flex-start)",
    CALENDAR: "DWS Calendar Mode",
    "commit-1y": "cud-resource",
    "commit-3y": "cud-resource",
}
_USAGE = {
    ON_DEMAND: ("OnDemand",),
    SPOT: ("Preemptible", "OnDemand"),
    FLEX: ("OnDemand", "Preemptible"),
    CALENDAR: ("OnDemand",),
    "commit-1y": ("Commit1Yr",),
    "commit-3y": ("Commit3Yr",),
}
_COMMITMENT = re.compile(r"Commitment v\d+: (?P<part>.+) for (?P<years>\d) Years?", re.I)
_PLACE = re.compile(r"(?: running)? in .+$", re.I)
_OTHER_PRODUCT = re.compile(
    r"Sole Tenancy|\bCustom\b|\bPremium\b|Suspended|VM state|Windows|^Commitment", re.I
)
_SPOT = (
    re.compile(r"^(?:Spot )?Preemptible ", re.I),
    re.compile(r" attached to (?:Spot )?Preemptible VMs", re.I),
)
_FLEX = (
    re.compile(r"^DWS Defined Duration ", re.I),
    re.compile(r" attached to DWS Defined Duration VMs", re.I),
)
_CALENDAR = (
    re.compile(r"^(?:Reserved |DWS Calendar Mode )", re.I),
    re.compile(r" in Calendar Mode$", re.I),
)


@dataclass(frozen=True, slots=True)
class Named:
    """A description taken apart.

    Attributes:
        part: what is sold, as Google calls it, without place and purchase words.
        purchase: the contract's word; None for a product that is no price of a machine part.
    """

    part: str
    purchase: str | None


def read_description(description: str) -> Named:
    """`Nvidia H100 80GB GPU attached to Spot Preemptible VMs running in Iowa` as (part, purchase).

    Calendar-mode SKUs begin with `Reserved` or `DWS Calendar Mode`; one that is only `Reserved`
    is a placeholder at 0.00 of a reservation and no price.
    """
    text = " ".join(description.split())
    commitment = _COMMITMENT.fullmatch(text)
    if commitment:
        years = commitment["years"]
        part = _PLACE.sub("", commitment["part"])
        return Named(part, f"commit-{years}y" if years in "13" else None)
    if _OTHER_PRODUCT.search(text):
        return Named(_PLACE.sub("", text), None)
    purchase: str | None = ON_DEMAND
    if "calendar mode" in text.lower():
        purchase, text = CALENDAR, _without(text, _CALENDAR)
    elif text.lower().startswith("reserved "):
        purchase, text = None, text[len("reserved ") :]
    elif any(mark.search(text) for mark in _SPOT):
        purchase, text = SPOT, _without(text, _SPOT)
    elif any(mark.search(text) for mark in _FLEX):
        purchase, text = FLEX, _without(text, _FLEX)
    return Named(_PLACE.sub("", text).strip(), purchase)


def agrees(purchase: str, usage_type: str) -> bool:
    """Whether `usageType` can go with what the description says."""
    return usage_type in _USAGE[purchase]


def _without(text: str, marks: tuple[re.Pattern[str], ...]) -> str:
    for mark in marks:
        text = mark.sub("", text)
    return text
