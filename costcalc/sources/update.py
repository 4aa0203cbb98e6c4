"""`prices update` without its command line: fetch, check, store, tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from costcalc.errors import CostcalcError
from costcalc.sources import checks, database
from costcalc.sources.database import StoreDamagedError
from costcalc.sources.faults import FeedError, clean, secrets_of
from costcalc.sources.feeds import FEEDS, Feed, check_endpoints
from costcalc.sources.limits import Limits, Pulse
from costcalc.sources.rows import FeedContext, FeedResult, Key
from costcalc.sources.store import Changes, Move, Store
from costcalc.sources.supervise import Job, each_finished
from costcalc.sources.web import Web

if TYPE_CHECKING:
    from costcalc.catalog import Catalog, Offer

Progress = Callable[[str, float, float | None, str], None]
"""Called with feed, done, total or None, unit."""


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """What to update.

    Attributes:
        providers: provider ids, each with the regions asked for (None is all of them).
        explicit: the person named the providers, so that one that cannot be asked is a fault.
        accept_removals: a list may become much shorter.
        feeds: only these feeds of the providers; None for all of them.
        store: path of the store.
        environ: the environment.
        now: the time, in UTC; today: the day that the rows get.
        progress: hears how far each feed is.
    """

    providers: Mapping[str, frozenset[str] | None]
    explicit: bool
    accept_removals: bool
    store: Path
    environ: Mapping[str, str]
    now: datetime
    today: date
    feeds: frozenset[str] | None = None
    limits: Limits = field(default_factory=Limits)
    progress: Progress = lambda *_: None

    def wants(self, feed: Feed) -> bool:
        """Whether a feed was asked for."""
        return feed.provider in self.providers and (self.feeds is None or feed.id in self.feeds)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one feed: stored (with changes), failed (error) or skipped (why)."""

    feed: str
    changes: Changes | None = None
    result: FeedResult | None = None
    error: CostcalcError | None = None
    skipped: str | None = None

    @property
    def failed(self) -> bool:
        """True when the feed's stored rows stayed as they were because of a fault."""
        return self.error is not None


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """All outcomes, in the order of the feeds.

    Attributes:
        set_aside: where a damaged store was moved, None when it was sound.
    """

    outcomes: tuple[Outcome, ...]
    set_aside: Path | None

    @property
    def failed(self) -> bool:
        """True when a feed failed."""
        return any(outcome.failed for outcome in self.outcomes)


def update(request: UpdateRequest, catalog: Catalog) -> UpdateReport:
    """Fetch the feeds of the providers asked for and store each that came in whole.

    Raises:
        InputError: an address in the environment is not acceptable; nothing was asked then.
        StoreError: the store cannot be written; nothing was asked then.
    """
    check_endpoints(request.providers, request.environ)
    store, set_aside = open_store(request.store, request.now)
    with store:
        outcomes: dict[str, Outcome] = {}
        jobs: list[Job[FeedResult | str]] = []
        contexts: dict[str, FeedContext] = {}
        by_id = {feed.id: feed for feed in FEEDS}
        shipped = {held.key: held for held in catalog.shipped_offers(request.today)}
        for feed in FEEDS:
            if request.wants(feed):
                context = _context(feed, request, catalog, store, shipped)
                contexts[feed.id] = context
                jobs.append(_job(feed, context))
        for job in each_finished(jobs):
            feed = by_id[job.name]
            if job.error is not None:
                outcomes[job.name] = Outcome(job.name, error=job.error)
            elif isinstance(job.result, str):
                outcomes[job.name] = Outcome(job.name, skipped=job.result)
            elif job.result is not None:
                outcomes[job.name] = _store_one(
                    feed, job.result, contexts[feed.id], request, shipped, store
                )
        _refuse_nothing(request, outcomes)
    return UpdateReport(
        tuple(outcomes[feed.id] for feed in FEEDS if feed.id in outcomes), set_aside
    )


def open_store(path: Path, now: datetime) -> tuple[Store, Path | None]:
    """The store for writing; a damaged one is moved aside, kept, and a new one begun.

    Raises:
        StoreError: it cannot be opened, made or moved.
    """
    try:
        store = Store.write(path)
        store.verify()
    except StoreDamagedError:
        moved = database.set_aside(path, now)
        store = Store.write(path)
        store.verify()
        return store, moved
    return store, None


def against_shipped(changes: Changes, shipped: Mapping[Key, Offer]) -> Changes:
    """What is new to the store, told against the catalog, which may know it at another price."""
    new: list[Offer] = []
    moves: list[Move] = []
    same = 0
    for offer in changes.new:
        before = shipped.get(offer.key)
        if before is None:
            new.append(offer)
        elif before.usd_per_instance_hour != offer.usd_per_instance_hour:
            moves.append(Move(before, offer))
        else:
            same += 1
    return replace(
        changes,
        new=tuple(new),
        changed=(*changes.changed, *moves),
        unchanged=changes.unchanged + same,
    )


def _context(
    feed: Feed,
    request: UpdateRequest,
    catalog: Catalog,
    store: Store,
    shipped: Mapping[Key, Offer],
) -> FeedContext:
    def on_progress(done: float, total: float | None, unit: str) -> None:
        request.progress(feed.id, done, total, unit)

    pulse = Pulse(request.limits, on_progress=on_progress)
    secrets = secrets_of(request.environ)
    prefix = f"{feed.provider}/"
    regions = request.providers[feed.provider]
    held = store.live(feed.id)
    return FeedContext(
        environ=request.environ,
        tables=catalog.table("feeds"),
        accelerators=frozenset(catalog.accelerators()),
        regions=regions,
        known_regions=tuple(
            sorted(
                name.removeprefix(prefix) for name in catalog.regions() if name.startswith(prefix)
            )
        ),
        known=lambda key: key in shipped or key in held,
        today=request.today,
        now=request.now,
        pulse=pulse,
        web=Web(pulse, secrets),
        secrets=secrets,
    )


def _job(feed: Feed, context: FeedContext) -> Job[FeedResult | str]:
    def run() -> FeedResult | str:
        missing = feed.missing(context)
        if missing is not None:
            return missing
        with context.web:
            return feed.fetch(context).finish(context.secrets)

    return Job(feed.id, context.pulse, run, context.secrets)


def _store_one(
    feed: Feed,
    result: FeedResult,
    context: FeedContext,
    request: UpdateRequest,
    shipped: Mapping[Key, Offer],
    store: Store,
) -> Outcome:
    try:
        checks.check_zeros(result, context.known)
        if not result.rows and not result.kept and context.regions is None:
            raise FeedError("sources.no_rows")
        checks.check_losses(
            result,
            store.live(feed.id),
            accept=request.accept_removals,
            whole_regions=feed.price_list,
        )
        if feed.price_list:
            checks.find_empty_regions(
                result,
                sorted(result.regions or ()),
                shipped.values(),
                feed.provider,
            )
        checks.check_rows(result, context.accelerators, feed.id)
        changes = store.record(feed.id, result, as_of=request.today, fetched_at=request.now)
    except CostcalcError as error:
        return Outcome(feed.id, result=result, error=clean(error, context.secrets))
    return Outcome(feed.id, changes=against_shipped(changes, shipped), result=result)


def _refuse_nothing(request: UpdateRequest, outcomes: dict[str, Outcome]) -> None:
    """A provider that was named and of which no feed could be asked is a fault, not a skip."""
    if not request.explicit:
        return
    for provider in request.providers:
        mine = [feed.id for feed in FEEDS if feed.provider == provider and feed.id in outcomes]
        if all(outcomes[name].skipped for name in mine):
            for name in mine:
                skipped = outcomes[name].skipped
                if skipped is not None:
                    outcomes[name] = Outcome(name, error=FeedError(skipped))
