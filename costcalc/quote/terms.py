"""Commercial terms of a quote, and the steps that every kind of quote shares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.types import (
    CatalogStamp,
    Footprint,
    IvaMode,
    Line,
    OfferChoice,
    Quote,
    WorkloadQuote,
)
from costcalc.units import Currency, Money

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.rates import ExchangeRate

OLD_PRICE_DAYS = 90
OLD_RATE_DAYS = 7


@dataclass(frozen=True, slots=True)
class Terms:
    """How a quote is priced beyond unit prices.

    Attributes:
        fx: the exchange rate of the whole quote.
        as_of: the day from which ages are counted and dated prices chosen.
        discounts: negotiated discount by provider, as a fraction.
        budget: the limit, None without one.
        currency: what reports show.
    """

    fx: ExchangeRate
    as_of: date
    iva_mode: IvaMode = "none"
    iva_rate: Decimal = money.DEFAULT_IVA_RATE
    discounts: Mapping[str, Decimal] = field(default_factory=dict)
    budget: Money | None = None
    warn_at: Decimal = money.DEFAULT_WARN_AT
    currency: Currency | Literal["both"] = "both"


def discount_lines(lines: Iterable[Line], terms: Terms) -> list[Line]:
    """A discount line for each priced line of a provider that grants one."""
    found = []
    for line in lines:
        fraction = terms.discounts.get(line.provider or "")
        if fraction is not None and line.amount_usd > 0:
            percent = f"{(fraction * 100).normalize():f}%"
            source = f"--discount {line.provider}={percent}"
            found.append(money.share_of(line, -fraction, "discount", terms.fx.usd_mxn, source))
    return found


def offer_notices(choice: OfferChoice, as_of: date) -> list[Notice]:
    """What must be said about an offer's price: its age and who vouches for it."""
    found: list[Notice] = []
    age = (as_of - choice.as_of).days
    if age > OLD_PRICE_DAYS:
        found.append(notice("old_price", what=choice.instance_type, date=choice.as_of, days=age))
    if choice.confidence == "estimated":
        found.append(notice("estimated_price", what=choice.instance_type, source=choice.source))
    return found


def rate_notices(fx: ExchangeRate, as_of: date) -> list[Notice]:
    """A rate older than a week is said with its age."""
    if fx.date is None or (as_of - fx.date).days <= OLD_RATE_DAYS:
        return []
    return [notice("old_rate", date=fx.date, days=(as_of - fx.date).days)]


def assemble(
    kind: str,
    catalog: Catalog,
    terms: Terms,
    workloads: Sequence[WorkloadQuote],
    lines: Sequence[Line],
    notices: Sequence[Notice],
    *,
    footprint: Footprint | None = None,
) -> Quote:
    """A quote from its priced lines: totals, IVA, budget, warnings without repetition."""
    sums = money.totals(lines, terms.iva_mode, terms.iva_rate)
    all_notices = [*notices, *rate_notices(terms.fx, terms.as_of)]
    return Quote(
        kind=kind,
        as_of=terms.as_of,
        catalog=stamp(catalog),
        fx=terms.fx,
        workloads=tuple(workloads),
        lines=tuple(lines),
        totals=sums,
        notices=tuple(dict.fromkeys(all_notices)),
        footprint=footprint,
        budget=money.against_budget(sums, terms.budget, terms.warn_at) if terms.budget else None,
        requested_currency=terms.currency,
    )


def stamp(catalog: Catalog) -> CatalogStamp:
    """Version and price dates of a catalog."""
    return CatalogStamp(
        version=catalog.version,
        prices_newest=catalog.prices_newest,
        prices_oldest=catalog.prices_oldest,
        calibration=str(catalog.calibration("training")["date"]),
    )
