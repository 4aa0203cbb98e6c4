"""What an offer can really run: whole machines, one network, real slices, the limits of a purchase.

Pure functions on an offer. Each answers with a `Reason` why not, or None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from costcalc import messages

if TYPE_CHECKING:
    from costcalc.catalog.accelerators import Accelerator
    from costcalc.catalog.offers import Offer

HOURS_PER_DAY = 24
UNNAMED_CLUSTER = 16_384


class Reason(NamedTuple):
    """Why an offer is left out. The text is the message `limits.<code>`.

    Attributes:
        code: stable code, the same in every language.
        params: values for the placeholders of the message.
    """

    code: str
    params: tuple[tuple[str, Any], ...] = ()

    def message(self, language: str = "en") -> str:
        """The reason as a short sentence."""
        return messages.text(f"limits.{self.code}", language, **dict(self.params))


def reason(code: str, **params: Any) -> Reason:
    """A `Reason` from keyword parameters."""
    return Reason(code, tuple(sorted(params.items())))


class PurchaseLimit(NamedTuple):
    """Longest run (hours) and most machines of one job; None is no known limit."""

    max_hours: float | None
    max_instances: int | None
    source: str


class ClusterLimit(NamedTuple):
    """The largest cluster of some machines that their provider names."""

    provider: str
    instance_types: frozenset[str]
    accelerators: int
    source: str


class SoldOnlyAs(NamedTuple):
    """Machines that have prices for more purchase options than the provider sells them by."""

    provider: str
    instance_types: frozenset[str]
    purchases: frozenset[str]
    source: str


class Renting(NamedTuple):
    """The catalog's rules of renting (`pricing/renting.yaml`).

    Attributes:
        purchase_limits: by purchase option.
        cluster_limits: largest clusters named by providers.
        unnamed_cluster: accelerators beyond which no job is proposed where nobody names a limit.
        term_hours: hours billed for a commitment, used or not, by purchase option.
        managed_services: name of the managed service by provider.
        list_without_capacity: providers whose price list is no evidence of capacity.
        spot_interruptions_per_month: assumed share of machines taken back in a month.
        spot_save_hours, spot_restart_hours: assumed hours to write a checkpoint, and from an
            interruption to the first new step.
        opt_in_providers: providers some of whose regions an account must turn on.
        programme_low, programme_high, programme_source: published range of the cost of a whole
            programme over its final run.
    """

    purchase_limits: Mapping[str, PurchaseLimit]
    cluster_limits: tuple[ClusterLimit, ...]
    unnamed_cluster: int
    term_hours: Mapping[str, int]
    sold_only_as: tuple[SoldOnlyAs, ...]
    managed_services: Mapping[str, str]
    list_without_capacity: frozenset[str]
    opt_in_providers: frozenset[str]
    spot_interruptions_per_month: float
    spot_save_hours: float
    spot_restart_hours: float
    spot_source: str
    programme_low: float
    programme_high: float
    programme_source: str


def renting(raw: Mapping[str, Any]) -> Renting:
    """The rules from the raw table `renting`; a key that is missing means no such rule."""
    sources: dict[str, str] = {key: row["text"] for key, row in raw.get("sources", {}).items()}

    def source(row: Mapping[str, Any]) -> str:
        return sources.get(row.get("source", ""), "")

    programme = raw.get("programme_factor", {"low": 1, "high": 1})
    spot = raw.get("spot", {})
    return Renting(
        purchase_limits={
            purchase: PurchaseLimit(row.get("max_hours"), row.get("max_instances"), source(row))
            for purchase, row in raw.get("purchase_limits", {}).items()
        },
        cluster_limits=tuple(
            ClusterLimit(
                row["provider"],
                frozenset(row["instance_types"]),
                int(row["accelerators"]),
                source(row),
            )
            for row in raw.get("cluster_limits", ())
        ),
        unnamed_cluster=int(raw.get("unnamed_cluster", {}).get("accelerators", UNNAMED_CLUSTER)),
        term_hours={
            purchase: int(row["term_hours"]) for purchase, row in raw.get("commitments", {}).items()
        },
        sold_only_as=tuple(
            SoldOnlyAs(
                row["provider"],
                frozenset(row["instance_types"]),
                frozenset(row["purchases"]),
                source(row),
            )
            for row in raw.get("sold_only_as", ())
        ),
        managed_services={
            provider: row["name"] for provider, row in raw.get("managed_services", {}).items()
        },
        list_without_capacity=frozenset(raw.get("list_without_capacity", {})),
        opt_in_providers=frozenset(raw.get("opt_in_providers", ())),
        spot_interruptions_per_month=float(spot.get("interruptions_per_machine_month", 0)),
        spot_save_hours=float(spot.get("save_hours", 0)),
        spot_restart_hours=float(spot.get("restart_hours", 0)),
        spot_source=source(spot),
        programme_low=float(programme["low"]),
        programme_high=float(programme["high"]),
        programme_source=source(programme),
    )


def host_size(offer: Offer) -> int:
    """Accelerators of the smallest unit that is rented whole: a machine, or a node sold per GPU."""
    return max(offer.accelerator_count, offer.multiple_of)


def instances_needed(offer: Offer, accelerators: int) -> int:
    """Whole machines of `offer` that hold `accelerators`, in the multiples it is rented in."""
    unit = host_size(offer)
    return -(-accelerators // unit) * unit // offer.accelerator_count


def most_accelerators(offer: Offer, rules: Renting) -> int | None:
    """The most accelerators known to be rentable as one job, None when nobody says."""
    known = [] if offer.max_accelerators is None else [offer.max_accelerators]
    known.extend(
        limit.accelerators
        for limit in rules.cluster_limits
        if offer.provider == limit.provider and offer.instance_type in limit.instance_types
    )
    purchase = rules.purchase_limits.get(offer.purchase)
    if purchase is not None and purchase.max_instances is not None:
        known.append(purchase.max_instances * offer.accelerator_count)
    return min(known, default=None)


def together_reason(
    offer: Offer, accelerator: Accelerator, accelerators: int, rules: Renting
) -> Reason | None:
    """Why `accelerators` of this offer cannot work as one system, or None.

    A TPU slice is joined by its own network and must have a real size. Everything else is one
    machine, or whole hosts with a scale-out network; of a network that nobody states none is
    assumed.
    """
    rented = instances_needed(offer, accelerators) * offer.accelerator_count
    most = most_accelerators(offer, rules)
    if most is not None and rented > most:
        return reason("max_accelerators", largest=f"{most:,}")
    if accelerator.slices is not None:
        return slice_reason(accelerator, accelerators)
    unit = host_size(offer)
    if accelerators <= unit:
        return None
    if offer.scaleout:
        return None
    if unit < (accelerator.chip.chips_per_host or 1):
        return reason("part_of_host", largest=unit)
    if offer.scaleout is None:
        return reason("scaleout_unknown", largest=unit)
    return reason("no_scaleout", largest=unit)


def slice_reason(accelerator: Accelerator, chips: int) -> Reason | None:
    """Why a TPU run cannot have exactly `chips`: no such slice, and no whole number of slices.

    Beyond the largest slice a run joins several largest ones over the data-centre network.
    """
    rule = accelerator.slices
    if rule is None or rule.is_slice(chips):
        return None
    if chips > rule.largest and chips % rule.largest == 0:
        return None
    return reason(
        "no_slice",
        chips=chips,
        below=rule.largest_within(chips) or rule.sizes[0],
        above=rule.smallest_holding(chips) or -(-chips // rule.largest) * rule.largest,
    )


def duration_reason(offer: Offer, hours: float, rules: Renting) -> Reason | None:
    """Why a run of `hours` cannot be bought this way: it is longer than the purchase lasts."""
    limit = rules.purchase_limits.get(offer.purchase)
    if limit is None or limit.max_hours is None or hours <= limit.max_hours:
        return None
    return reason(
        "too_long",
        purchase=offer.purchase,
        days=f"{limit.max_hours / HOURS_PER_DAY:g}",
        needed=f"{hours / HOURS_PER_DAY:,.1f}",
    )


def sold_only_as(offer: Offer, rules: Renting) -> SoldOnlyAs | None:
    """The rule that says this price is not how the machine is sold in practice, or None."""
    for rule in rules.sold_only_as:
        if (
            offer.provider == rule.provider
            and offer.instance_type in rule.instance_types
            and offer.purchase not in rule.purchases
        ):
            return rule
    return None


def slice_sizes(accelerator: Accelerator, most: int) -> Iterator[int]:
    """TPU slices in chips, ascending: real slices, then several of the largest one."""
    rule = accelerator.slices
    if rule is None:
        return
    yield from (size for size in rule.sizes if size <= most)
    if rule.cube is not None:
        first = (rule.sizes[-1] // rule.cube + 1) * rule.cube
        yield from range(first, min(rule.largest, most) + 1, rule.cube)
    for slices in range(2, most // rule.largest + 1):
        yield slices * rule.largest
