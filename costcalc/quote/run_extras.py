"""What a training run costs besides its machines, where asked: lines of their own.

Work around the run, data that moves, checkpoints that are kept, support and credits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.errors import NoOfferError
from costcalc.notices import Notice, notice
from costcalc.quote import money
from costcalc.quote.types import Line
from costcalc.units import Money

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.estimate.training import TrainingEstimate
    from costcalc.quote.geography import Near
    from costcalc.quote.select import Selection
    from costcalc.quote.terms import Terms
    from costcalc.quote.train import TrainRequest

HOURS_PER_MONTH = Decimal(730)
CHECKPOINT_BYTES = {"low": Decimal(12), "middle": Decimal(14), "high": Decimal(16)}
"""Bytes per trained weight of a checkpoint with optimizer state: 12 (fp32 master and moments) to 16
(with bf16 weights and gradients); published checkpoints lie in between (BLOOM 176B: 2.3 TB, 13)."""
WEIGHT_BYTES = Decimal(2)
TOKEN_BYTES = Decimal(4)
"""A token id as a 32-bit number."""
GB = Decimal(10**9)


@dataclass(frozen=True, slots=True)
class Extras:
    """Wishes beyond the run itself; the defaults ask for nothing.

    Attributes:
        programme_factor: cost of everything around the run as a multiple of it; 1 is this run only.
        dataset_gb: size of the data, 10^9 bytes; None assumes 4 bytes per token where it moves.
        checkpoints: checkpoints that are kept at once.
        checkpoint_months: how long; None is the length of the run.
        egress_gb: data sent out of the region over the internet.
        support: support fee by provider, as a fraction.
        credit: credit that lowers the bill, never below zero.
    """

    programme_factor: Decimal = Decimal(1)
    dataset_gb: Decimal | None = None
    checkpoints: int = 0
    checkpoint_months: Decimal | None = None
    egress_gb: Decimal | None = None
    support: Mapping[str, Decimal] = field(default_factory=dict)
    credit: Money | None = None


NOTHING = Extras()


@dataclass(slots=True)
class _Work:
    request: TrainRequest
    extras: Extras
    estimate: TrainingEstimate
    selection: Selection
    catalog: Catalog
    terms: Terms
    lines: list[Line] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def extra_lines(
    request: TrainRequest,
    extras: Extras,
    estimate: TrainingEstimate,
    selection: Selection,
    compute: Line,
    catalog: Catalog,
    terms: Terms,
) -> tuple[list[Line], list[Notice]]:
    """Lines besides the machines, before discounts, support and credits.

    Raises:
        InputError: a region that the price tables do not know.
    """
    work = _Work(request, extras, estimate, selection, catalog, terms)
    if extras.programme_factor != 1:
        source = f"--programme-factor {extras.programme_factor:f}"
        work.lines.append(
            money.share_of(
                compute, extras.programme_factor - 1, "programme", terms.fx.usd_mxn, source
            )
        )
    if extras.checkpoints:
        _checkpoints(work)
    if extras.egress_gb is not None:
        _sent(work, "egress", extras.egress_gb, selection.choice.provider, selection.choice.region)
    if selection.moved is not None:
        _moved(work, selection.moved)
    return work.lines, work.notices


def closing_lines(extras: Extras, lines: list[Line], terms: Terms) -> list[Line]:
    """Support fees on what each provider bills, then the credit."""
    from costcalc.quote.plan import Credit
    from costcalc.quote.plan_quote import credit_lines

    found: list[Line] = []
    for provider, share in extras.support.items():
        own = [line for line in lines if line.provider == provider]
        if own:
            source = f"--support {provider}={(share * 100).normalize():f}%"
            base = money.summed(own)
            found.append(money.share_of(base, share, "support", terms.fx.usd_mxn, source))
    if extras.credit is not None:
        credit = Credit(name=lines[0].workload, amount=extras.credit, provider=None)
        found.extend(credit_lines([credit], [*lines, *found], terms.fx.usd_mxn))
    return found


def checkpoint_gb(estimate: TrainingEstimate, request: TrainRequest) -> dict[str, Decimal]:
    """Size of one checkpoint in GB (10^9 bytes): low, middle, high."""
    weights = Decimal(estimate.params_total)
    if request.method != "full":
        weights = Decimal(int(request.architecture.lora_params(request.lora_rank)))
    return {end: weights * size / GB for end, size in CHECKPOINT_BYTES.items()}


def _checkpoints(work: _Work) -> None:
    sizes = checkpoint_gb(work.estimate, work.request)
    choice, count = work.selection.choice, work.extras.checkpoints
    months = work.extras.checkpoint_months
    if months is None:
        months = Decimal(repr(work.estimate.hours)) / HOURS_PER_MONTH
    rows = _lines(
        work,
        "storage",
        "checkpoints",
        sizes["middle"] * count,
        months,
        choice.provider,
        choice.region,
    )
    if rows is None:
        return
    for row in rows:
        low, high = (row.amount_usd * sizes[end] / sizes["middle"] for end in ("low", "high"))
        work.lines.append(money.bounded(row, low, high, work.terms.fx.usd_mxn))
    work.notices.append(
        notice(
            "checkpoints_assumed",
            count=count,
            gb=f"{sizes['middle']:,.0f}",
            months=f"{months:.2f}",
        )
    )


def _moved(work: _Work, near: Near) -> None:
    """Data set out of the home region and kept near the machines, weights sent back."""
    data = work.extras.dataset_gb
    if data is None:
        data = Decimal(work.request.tokens) * TOKEN_BYTES / GB
        work.notices.append(notice("dataset_assumed", gb=f"{data:,.0f}"))
    home = next(
        (
            key
            for key in work.catalog.regions()
            if key == f"{near.region.provider}/{near.origin.code}"
        ),
        None,
    )
    if home is None:
        own = near.region.provider
        work.notices.append(notice("home_unpriced", provider=own, region=near.origin.code))
    else:
        work.notices.append(
            notice("internet_price", provider=near.region.provider, region=near.origin.code)
        )
        _sent(work, "data_out", data, near.region.provider, near.origin.code)
    months = Decimal(repr(work.estimate.hours)) / HOURS_PER_MONTH
    kept = _lines(
        work, "storage", "data_kept", data, months, near.region.provider, near.region.code
    )
    work.lines.extend(kept or ())
    weights = Decimal(work.estimate.params_total) * WEIGHT_BYTES / GB
    if work.request.method != "full":
        weights = Decimal(int(work.request.architecture.lora_params(work.request.lora_rank)))
        weights = weights * WEIGHT_BYTES / GB
    _sent(work, "weights_back", weights, near.region.provider, near.region.code)


def _sent(work: _Work, item: str, gb: Decimal, provider: str, region: str | None) -> None:
    """Data out of a region; the internet price, since no price into Mexico is published."""
    work.lines.extend(_lines(work, "transfer", item, gb, Decimal(1), provider, region) or ())


def _lines(
    work: _Work,
    group: str,
    item: str,
    gb: Decimal,
    times: Decimal,
    provider: str,
    region: str | None,
) -> list[Line] | None:
    """Priced steps, or None and a warning when the price is not known."""
    from costcalc.quote.data_lines import price_notices, prices, rows_for, step_lines
    from costcalc.quote.plan import Assumptions
    from costcalc.quote.plan_kinds import Setting

    setting = Setting(work.catalog, work.terms, Assumptions())
    storage = group == "storage"
    try:
        steps = rows_for(
            prices(setting, "storage" if storage else "transfer"),
            provider=provider,
            region=region,
            kind="object" if storage else "internet",
            tier=None,
            setting=setting,
        )
    except NoOfferError:
        work.notices.append(
            notice("price_unknown", item=item, provider=provider, region=region or "–")
        )
        return None
    work.notices.extend(price_notices(steps, setting))
    return step_lines(
        steps,
        workload=work.request.name,
        item=item,
        unit="GB-month" if storage else "GB",
        gb=gb,
        times=times,
        usd_mxn=work.terms.fx.usd_mxn,
    )
