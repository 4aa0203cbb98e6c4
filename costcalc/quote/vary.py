"""The assumptions of a quote, each with the bounds within which it is varied.

Bounds are stated, never guessed silently: what costcalc itself covers (stacks from tuned to
out-of-box, the interval of the time model), what was published (goodput, stored exchange rates,
what sellers ask), or a plain factor (a tenth, half and double).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from costcalc.errors import NoOfferError
from costcalc.quote import money
from costcalc.quote.select import Placement, by_purchase, candidates, rules_of
from costcalc.quote.sensitivity import Requote, Swing, Variation, swings
from costcalc.quote.train import TrainRequest, estimate_run, price_training
from costcalc.quote.types import Quote, Totals

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.catalog.offers import Offer
    from costcalc.estimate.training import TrainingEstimate
    from costcalc.quote.plan import Plan
    from costcalc.quote.run_extras import Extras
    from costcalc.quote.terms import Terms

TENTH = (Decimal("0.9"), Decimal("1.1"))
GOODPUT_ENDS = (0.98, 0.74)
"""Best and worst useful share of published runs that give both a steady rate and the hours charged:
SmolLM3 on 384 chips, BloombergGPT on 512 (see `costcalc.estimate.goodput`)."""
RATE_DAYS = 365
MOST_WORKLOADS = 8


def train_swings(
    request: TrainRequest,
    quote: Quote,
    catalog: Catalog,
    terms: Terms,
    extras: Extras | None = None,
) -> tuple[Swing, ...]:
    """What each assumption of a training quote does to its total."""
    return swings(quote.totals, _Training(request, quote, catalog, terms, extras).variations())


class _Training:
    def __init__(
        self,
        request: TrainRequest,
        quote: Quote,
        catalog: Catalog,
        terms: Terms,
        extras: Extras | None,
    ) -> None:
        self.request, self.quote, self.catalog = request, quote, catalog
        self.terms, self.extras = terms, extras
        self.estimate: TrainingEstimate = quote.workloads[0].estimate  # type: ignore[assignment]

    def variations(self) -> Iterator[Variation]:
        request, estimate = self.request, self.estimate
        if not request.whole_run:
            yield self._of(
                "tuning",
                estimate.tuning,
                ("tuned", self.again(tuning="tuned")),
                ("out-of-box", self.again(tuning="out-of-box")),
                "stacks",
            )
            yield self._goodput()
        yield self._time_model()
        batch = int(estimate.global_batch_tokens)
        half = max(batch // 2, request.seq_len)
        yield self._of(
            "global_batch",
            f"{batch:,}",
            (f"{batch * 2:,}", self.again(global_batch_tokens=batch * 2)),
            (f"{half:,}", self.again(global_batch_tokens=half) if half < batch else None),
            "half_double",
        )
        low, high = (int(request.tokens * factor) for factor in TENTH)
        yield self._of(
            "tokens",
            amount(request.tokens),
            (amount(low), self.again(tokens=low)),
            (amount(high), self.again(tokens=high)),
            "tenth",
        )
        low, high = request.seq_len // 2, request.seq_len * 2
        yield self._of(
            "seq_len",
            f"{request.seq_len:,}",
            (f"{low:,}", self.again(seq_len=low) if low else None),
            (f"{high:,}", self.again(seq_len=high)),
            "half_double",
        )
        yield from price_variation(
            request.placement,
            self.quote,
            self.catalog,
            self.terms,
            lambda there: self._totals(replace(request, placement=there)),
            hours=estimate.hours,
        )
        yield rate_variation(
            self.catalog, self.terms, lambda terms: self._totals(self.request, terms=terms)
        )

    def _of(
        self,
        name: str,
        base: str,
        low: tuple[str, Requote | None],
        high: tuple[str, Requote | None],
        basis: str,
    ) -> Variation:
        return Variation(name, self.request.name, base, low[0], high[0], basis, low[1], high[1])

    def again(self, **changes: Any) -> Requote:
        """The totals with another value in the request."""
        return lambda: self._totals(replace(self.request, **changes))

    def _totals(
        self,
        request: TrainRequest,
        *,
        terms: Terms | None = None,
        estimate: TrainingEstimate | None = None,
    ) -> Totals:
        used = terms or self.terms
        priced = price_training(request, self.catalog, used, extras=self.extras, estimate=estimate)
        return money.totals(priced.lines)

    def _with_hours(self, factor: float) -> Totals:
        """The run as quoted, `factor` times as long."""
        estimate = replace(
            self.estimate,
            hours=self.estimate.hours * factor,
            hours_low=self.estimate.hours_low * factor,
            hours_high=self.estimate.hours_high * factor,
        )
        return self._totals(self.request, estimate=estimate)

    def _goodput(self) -> Variation:
        useful = self.estimate.goodput
        best, worst = GOODPUT_ENDS
        return self._of(
            "goodput",
            f"{useful:.0%}",
            (f"{best:.0%}", lambda: self._with_hours(useful / best)),
            (f"{worst:.0%}", lambda: self._with_hours(useful / worst)),
            "published_runs",
        )

    def _time_model(self) -> Variation:
        """The interval with the stack taken as known: what is left is the error of the model."""
        known = self.estimate
        if self.request.tuning is None and not self.request.whole_run:
            known = estimate_run(replace(self.request, tuning=known.tuning), self.catalog)
        low, high = known.hours_low / known.hours, known.hours_high / known.hours
        return self._of(
            "time_model",
            f"{known.hours:,.1f} h",
            (f"{known.hours_low:,.1f} h", lambda: self._with_hours(low)),
            (f"{known.hours_high:,.1f} h", lambda: self._with_hours(high)),
            "interval",
        )


def price_variation(
    placement: Placement,
    quote: Quote,
    catalog: Catalog,
    terms: Terms,
    requote: Callable[[Placement], Totals],
    *,
    hours: float | None = None,
) -> Iterator[Variation]:
    """The cheapest and the dearest seller of the same chips, wherever they are.

    Args:
        placement: of the workload, its hardware as it is rented.
        requote: the totals elsewhere.
        hours: of the run; purchase options that end sooner are left out.
    """
    workload = quote.workloads[0]
    choice = workload.offer
    if choice is None:
        return
    free = replace(
        placement,
        provider=None,
        region=None,
        residency=None,
        nearest=False,
        purchase=choice.purchase,
    )
    offers = catalog.current_offers(terms.as_of).of_accelerator(choice.accelerator)
    rules = rules_of(catalog)
    try:
        sold, _ = by_purchase(free, candidates(free, offers, rules), hours, rules)
    except NoOfferError:
        return
    cheapest: dict[str, Offer] = {}
    for offer in sorted(sold, key=lambda offer: offer.usd_per_accelerator_hour):
        cheapest.setdefault(offer.provider, offer)
    ranked = sorted(cheapest.values(), key=lambda offer: offer.usd_per_accelerator_hour)
    if len(ranked) < 2:
        return

    def seller(offer: Offer) -> tuple[str, Requote]:
        text = f"USD {offer.usd_per_accelerator_hour:,.2f}/h {offer.provider}"
        return text, lambda: requote(replace(free, provider=offer.provider))

    own = choice.usd_per_instance_hour / choice.accelerator_count
    base = f"USD {own:,.2f}/h {choice.provider}"
    low, high = seller(ranked[0]), seller(ranked[-1])
    yield Variation("price", workload.name, base, low[0], high[0], "sellers", low[1], high[1])


def amount(value: Any) -> str:
    """`1.35T`, `2.7`, `4,096`: a number as people write it, all its digits kept."""
    for size, suffix in ((10**12, "T"), (10**9, "B"), (10**6, "M")):
        if value >= size:
            return f"{(Decimal(str(value)) / size).normalize():f}{suffix}"
    return f"{Decimal(str(value)).normalize():,f}"


def rate_variation(catalog: Catalog, terms: Terms, requote: Callable[[Terms], Totals]) -> Variation:
    """The exchange rate between the lowest and highest stored one of the year before."""
    fx, since = terms.fx, terms.as_of - timedelta(days=RATE_DAYS)
    known = [
        rate.usd_mxn
        for rate in catalog.rates()
        if rate.date is not None and since <= rate.date <= terms.as_of
    ]
    low, high, basis = fx.usd_mxn * TENTH[0], fx.usd_mxn * TENTH[1], "tenth"
    if len(known) > 1:
        low, high, basis = min(known), max(known), "rates_year"

    def at(rate: Decimal) -> Requote:
        return lambda: requote(replace(terms, fx=replace(fx, usd_mxn=rate)))

    base, lowest, highest = (f"{rate.normalize():f}" for rate in (fx.usd_mxn, low, high))
    return Variation("usd_mxn", "", base, lowest, highest, basis, at(low), at(high))


def amount_variations(
    request: Any,
    workload: str,
    with_value: Callable[[str, Any], Requote],
    names: Mapping[str, str] | None = None,
) -> Iterator[Variation]:
    """A tenth more and less of everything that is an amount.

    Args:
        names: stable name by field; the usual ones when None.
    """
    for key, name in (names or {key: key for key in AMOUNTS}).items():
        value = getattr(request, key, None)
        if value is None or isinstance(value, bool):
            continue
        low, high = (_scaled(value, factor) for factor in TENTH)
        yield Variation(
            name,
            workload,
            amount(value),
            amount(low),
            amount(high),
            "tenth",
            with_value(key, low),
            with_value(key, high),
        )


def plan_swings(plan: Plan, quote: Quote, catalog: Catalog, terms: Terms) -> tuple[Swing, ...]:
    """What the assumptions of a plan do to its total: of its dearest workloads, and the rate."""
    return swings(quote.totals, _plan_variations(plan, quote, catalog, terms))


def _plan_variations(
    plan: Plan, quote: Quote, catalog: Catalog, terms: Terms
) -> Iterator[Variation]:
    from costcalc.quote.plan import Train
    from costcalc.quote.plan_quote import quote_plan

    def totals(changed: Plan, used: Terms = terms) -> Totals:
        again = quote_plan(changed, catalog, used)
        if again.plan is not None and again.plan.failures:
            raise again.plan.failures[0].error
        return again.totals

    def with_value(index: int, name: str, value: Any) -> Requote:
        workloads = list(plan.workloads)
        workloads[index] = replace(workloads[index], **{name: value})
        return lambda: totals(replace(plan, workloads=tuple(workloads)))

    spent: dict[str, Decimal] = {}
    for line in quote.lines:
        spent[line.workload] = spent.get(line.workload, money.ZERO) + abs(line.amount_usd)
    dearest = sorted(spent, key=lambda name: (-spent[name], name))[:MOST_WORKLOADS]
    for index, workload in enumerate(plan.workloads):
        if workload.name not in dearest or workload.reference:
            continue
        yield from estimate_range(workload.name, quote)
        yield from amount_variations(workload, workload.name, partial(with_value, index))
        if isinstance(workload, Train) and not workload.whole_run:
            yield Variation(
                "tuning",
                workload.name,
                workload.tuning or "default",
                "tuned",
                "out-of-box",
                "stacks",
                with_value(index, "tuning", "tuned"),
                with_value(index, "tuning", "out-of-box"),
            )
    yield rate_variation(catalog, terms, lambda used: totals(plan, used))


AMOUNTS = (
    "tokens",
    "hours",
    "runs_per_month",
    "months",
    "rps",
    "concurrency",
    "input_tokens",
    "output_tokens",
    "size",
)
"""Keys of workloads that are amounts: a tenth more or less of each can be tried."""


def _scaled(value: Any, factor: Decimal) -> Any:
    """`value` times `factor`, of the same type; whole numbers stay whole and above zero."""
    if isinstance(value, int):
        return max(int(value * factor), 1)
    if isinstance(value, Decimal):
        return value * factor
    return float(Decimal(repr(value)) * factor)


def estimate_range(name: str, quote: Quote) -> Iterator[Variation]:
    """The range of one workload's own estimate, everything else at its middle."""
    lines = [line for line in quote.lines if line.workload == name]
    low, middle, high = (
        (sum((getattr(line, f"{end}_usd") for line in lines), money.ZERO))
        for end in ("low", "amount", "high")
    )
    if low == high:
        return

    def at(end: str) -> Requote:
        def totals() -> Totals:
            moved = [
                replace(
                    line,
                    amount_usd=getattr(line, f"{end}_usd"),
                    amount_mxn=getattr(line, f"{end}_mxn"),
                )
                if line.workload == name
                else line
                for line in quote.lines
            ]
            return money.totals(moved)

        return totals

    yield Variation(
        "estimate",
        name,
        f"USD {middle:,.2f}",
        f"USD {low:,.2f}",
        f"USD {high:,.2f}",
        "interval",
        at("low"),
        at("high"),
    )
