"""`fx update` without its command line: Banxico where there is a token, and the ECB."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from costcalc.errors import CostcalcError
from costcalc.sources import banxico, ecb, endpoints
from costcalc.sources.faults import FeedError, secrets_of
from costcalc.sources.limits import Limits, Pulse
from costcalc.sources.rates import Rate, best
from costcalc.sources.rows import FeedContext
from costcalc.sources.supervise import Job, each_finished
from costcalc.sources.update import Progress, open_store
from costcalc.sources.web import Web

JUMP_PCT = Decimal(10)
"""A move from one stored rate to the next that a person should look at, percent."""


@dataclass(frozen=True, slots=True)
class FxRequest:
    """What to update, and with what; see `costcalc.sources.update.UpdateRequest`."""

    store: Path
    environ: Mapping[str, str]
    now: datetime
    today: date
    limits: Limits = field(default_factory=Limits)
    progress: Progress = lambda *_: None


@dataclass(frozen=True, slots=True)
class FxReport:
    """What came in.

    Attributes:
        rate: the rate that quotes of today use from now on, None when there is none at all.
        before: the rate that they used before, None when there was none.
        new: rates that are new in the store, or corrected.
        errors: sources that failed, by name.
        skipped: sources that were not asked, with the reason as a message key.
        set_aside: where a damaged store was moved.
    """

    rate: Rate | None
    before: Rate | None
    new: tuple[Rate, ...]
    errors: Mapping[str, CostcalcError]
    skipped: Mapping[str, str]
    set_aside: Path | None

    @property
    def jump_pct(self) -> Decimal | None:
        """How far the rate moved in percent, where that is more than `JUMP_PCT`."""
        if self.rate is None or self.before is None:
            return None
        moved = (self.rate.usd_mxn / self.before.usd_mxn - 1) * 100
        return moved if abs(moved) > JUMP_PCT else None


def update_rates(request: FxRequest) -> FxReport:
    """Fetch and store rates: Banxico's with a token; the ECB's without one, or when Banxico fails.

    Raises:
        InputError: an address in the environment is not acceptable; nothing was asked then.
        StoreError: the store cannot be written.
    """
    for endpoint in (endpoints.BANXICO, endpoints.ECB):
        endpoint.base(request.environ)
    store, set_aside = open_store(request.store, request.now)
    errors: dict[str, CostcalcError] = {}
    skipped: dict[str, str] = {}
    fetched: list[Rate] = []
    with store:
        before = best(store.rates(), request.today)
        if request.environ.get(banxico.TOKEN, "").strip():
            _fetch("banxico", banxico.fetch, request, fetched, errors)
        else:
            skipped["banxico"] = "sources.no_banxico_token"
        if not fetched:
            _fetch("ecb", ecb.fetch, request, fetched, errors)
        new = tuple(store.record_rates(fetched, request.now))
        rate = best(store.rates(), request.today)
    return FxReport(rate, before, new, errors, skipped, set_aside)


def _fetch(
    name: str,
    read: Callable[[FeedContext], list[Rate]],
    request: FxRequest,
    fetched: list[Rate],
    errors: dict[str, CostcalcError],
) -> None:
    def on_progress(done: float, total: float | None, unit: str) -> None:
        request.progress(name, done, total, unit)

    pulse = Pulse(request.limits, on_progress=on_progress)
    secrets = secrets_of(request.environ)
    context = FeedContext(
        environ=request.environ,
        tables={},
        accelerators=(),
        regions=None,
        known_regions=(),
        known=lambda _: False,
        today=request.today,
        now=request.now,
        pulse=pulse,
        web=Web(pulse, secrets),
        secrets=secrets,
    )

    def run() -> list[Rate]:
        with context.web:
            return read(context)

    for job in each_finished([Job(name, pulse, run, secrets)]):
        if job.error is not None:
            errors[name] = job.error
        else:
            rates = [
                rate for rate in job.result or () if rate.day <= request.today + banxico.DAYS_AHEAD
            ]
            if not rates:
                errors[name] = FeedError("sources.no_rates")
            fetched.extend(rates)
