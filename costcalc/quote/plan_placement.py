"""Where a plan's rented workloads run; equal wishes are looked up once per plan."""

from __future__ import annotations

from costcalc.catalog.hardware import Hardware
from costcalc.errors import InputError
from costcalc.quote.limits import Renting
from costcalc.quote.plan import Rented
from costcalc.quote.plan_kinds import Setting, about
from costcalc.quote.select import Placement, Selection, rules_of, select


def placement(workload: Rented, hardware: Hardware, setting: Setting) -> Placement:
    """The wishes of a workload.

    Raises:
        WorkloadError: the catalog knows no such provider.
    """
    return Placement(
        hardware=hardware,
        provider=None if workload.provider is None else provider(workload.provider, setting),
        region=workload.region,
        purchase=workload.purchase,
        market=workload.market,
        residency=workload.residency,
        nearest=workload.nearest,
    )


def hardware_of(text: str, setting: Setting) -> Hardware:
    """The hardware that `on` names."""
    key = ("hardware", text)
    if key not in setting.cache:
        with about("on"):
            setting.cache[key] = setting.catalog.hardware(text)
    found: Hardware = setting.cache[key]
    return found


def provider(name: str, setting: Setting) -> str:
    """`name` as the catalog spells it.

    Raises:
        WorkloadError: no offer and no price of such a provider.
    """
    import difflib

    known = known_providers(setting)
    lowered = name.strip().lower()
    if lowered in known:
        return lowered
    near = difflib.get_close_matches(lowered, known, n=3) or known
    with about("provider"):
        raise InputError("plan.unknown_provider", what="", name=name, names=", ".join(near))


def known_providers(setting: Setting) -> list[str]:
    """Every provider with an offer, sorted."""
    if "providers" not in setting.cache:
        setting.cache["providers"] = sorted({offer.provider for offer in setting.catalog.offers()})
    known: list[str] = setting.cache["providers"]
    return known


def selection(
    wish: Placement, setting: Setting, hours: float | None = None, hours_high: float | None = None
) -> Selection:
    """`select`, remembered for equal wishes whose hours are past the same purchases' limits."""
    renting = rules(setting)
    late = tuple(
        (hours is not None and hours > limit, hours_high is not None and hours_high > limit)
        for limit in _longest(renting)
    )
    key = (
        "selection",
        wish.hardware.text,
        wish.provider,
        wish.region,
        wish.purchase,
        wish.market,
        wish.residency,
        wish.nearest,
        hours is None,
        late,
    )
    if key in setting.cache:
        found: Selection = setting.cache[key]
        return found
    found = select(wish, setting.catalog, setting.terms.as_of, hours=hours, hours_high=hours_high)
    purchase = found.choice.purchase
    limit = renting.purchase_limits.get(purchase)
    within = limit is None or limit.max_hours is None or (hours_high or 0) <= limit.max_hours
    # a warning that names the hours holds for these hours only
    if within and purchase not in renting.term_hours:
        setting.cache[key] = found
    return found


def _longest(rules: Renting) -> list[float]:
    return [
        limit.max_hours for limit in rules.purchase_limits.values() if limit.max_hours is not None
    ]


def rules(setting: Setting) -> Renting:
    """The catalog's rules of renting, read once per plan."""
    if "rules" not in setting.cache:
        setting.cache["rules"] = rules_of(setting.catalog)
    found: Renting = setting.cache["rules"]
    return found
