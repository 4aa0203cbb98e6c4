"""What a feed brings home: priced rows, and everything that it could not price, row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from costcalc.catalog.offers import Offer
from costcalc.sources.amounts import HIGHEST, per_accelerator, trimmed
from costcalc.sources.faults import FeedError, excerpt, redact
from costcalc.sources.limits import Pulse
from costcalc.sources.web import Web

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FeedRow:
    """A price that a feed brought, with the provider's own id of it."""

    offer: Offer
    sku: str

    @property
    def key(self) -> Key:
        """The key of the offer: what a newer price must share to take this one's place."""
        return self.offer.key


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a person should look at; the text is the message `sources.found_<code>`.

    Codes: `unmatched` (a new or renamed SKU), `incomplete` (a part of the machine has no price),
    `not_sold` (a price of zero), `foreign` (another currency), `mismatch` (the row contradicts
    the catalog), `two_prices`, `region_unreachable`, `region_empty`, `some_regions`.
    """

    code: str
    params: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class FeedResult:
    """One complete fetch of a feed.

    Attributes:
        source: what the rows' source says, without the time.
        rows: by key.
        zeros: offers with a price of zero, by key, with the row as a person would name it.
        findings: what could not be priced, in the order of the source, and how often.
        skipped: how many rows were left out on purpose, by reason.
        regions: the regions that this fetch covered; None when it covered all.
        kept: keys whose stored price must stay, because the source was incomplete about them.
        kept_regions: regions about which the source said nothing.
        doubtful: regions in which something unknown is listed: an offer that is missing there may
            only have another name, so that its stored price stays.
    """

    source: str
    rows: dict[Key, FeedRow] = field(default_factory=dict)
    zeros: dict[Key, str] = field(default_factory=dict)
    findings: dict[Finding, int] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    regions: frozenset[str] | None = None
    kept: set[Key] = field(default_factory=set)
    kept_regions: set[str] = field(default_factory=set)
    doubtful: set[str | None] = field(default_factory=set)

    def find(self, code: str, **params: object) -> None:
        """Note a finding; the same one again only counts."""
        finding = Finding(code, tuple((name, excerpt(value)) for name, value in params.items()))
        self.findings[finding] = self.findings.get(finding, 0) + 1

    def doubt(self, code: str, regions: Iterable[str | None], **params: object) -> None:
        """Note a finding that may stand for an offer that is missing in `regions`."""
        self.find(code, **params)
        self.doubtful.update(regions)

    def skip(self, reason: str) -> None:
        """Count a row that is left out on purpose."""
        self.skipped[reason] += 1

    def add(self, offer: Offer, sku: str, where: str) -> None:
        """Take a row; a zero price goes to `zeros`, a second price for the same thing is noted."""
        if offer.usd_per_instance_hour == 0:
            self.zeros[offer.key] = where
            return
        if offer.usd_per_instance_hour > HIGHEST:
            raise FeedError(
                "sources.bad_price", where=excerpt(where), value=str(offer.usd_per_instance_hour)
            )
        held = self.rows.get(offer.key)
        if held is not None and held.offer.usd_per_instance_hour != offer.usd_per_instance_hour:
            self.find(
                "two_prices",
                row=where,
                first=held.offer.usd_per_instance_hour,
                second=offer.usd_per_instance_hour,
            )
            self.kept.add(offer.key)
            return
        self.rows[offer.key] = FeedRow(offer, sku)

    def finish(self, secrets: tuple[str, ...] = ()) -> FeedResult:
        """Drop what turned out to be ambiguous, and any credential that a server sent back."""
        for key in self.kept:
            self.rows.pop(key, None)
        if secrets:
            self.findings = {
                Finding(
                    finding.code,
                    tuple((name, redact(value, secrets)) for name, value in finding.params),
                ): count
                for finding, count in self.findings.items()
            }
            self.zeros = {key: redact(where, secrets) for key, where in self.zeros.items()}
            self.rows = {
                row.key: row for row in (_clean(row, secrets) for row in self.rows.values())
            }
        return self


def _clean(row: FeedRow, secrets: tuple[str, ...]) -> FeedRow:
    texts = {
        field.name: value
        for field in fields(row.offer)
        if isinstance(value := getattr(row.offer, field.name), str)
    }
    whole = "\n".join((row.sku, *texts.values()))
    if not any(secret in whole for secret in secrets):
        return row
    safe = {name: redact(value, secrets) for name, value in texts.items()}
    return FeedRow(replace(row.offer, **safe), redact(row.sku, secrets))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class FeedContext:
    """What a feed gets from outside.

    Attributes:
        environ: the environment, as the command line read it.
        tables: the catalog's room `feeds`.
        accelerators: ids that the catalog holds.
        regions: regions of this provider that were asked for; None for all.
        known_regions: every region of this provider that the catalog holds.
        known: keys that have been sold at a price before, in the catalog or in the store.
        today: the day that the rows get.
        now: the time of the fetch.
    """

    environ: Mapping[str, str]
    tables: Mapping[str, Any]
    accelerators: Collection[str]
    regions: frozenset[str] | None
    known_regions: tuple[str, ...]
    known: Callable[[Key], bool]
    today: date
    now: datetime
    pulse: Pulse
    web: Web
    secrets: tuple[str, ...]

    def wants(self, region: str | None) -> bool:
        """Whether rows of `region` were asked for; a price for all regions always is."""
        return self.regions is None or region is None or region in self.regions

    def region_list(self) -> tuple[str, ...]:
        """The regions to ask for, one by one."""
        if self.regions is None:
            return self.known_regions
        return tuple(sorted(self.regions))


def offer(
    *,
    provider: str,
    instance_type: str,
    accelerator: str,
    count: int,
    region: str | None,
    purchase: str,
    usd: Decimal,
    as_of: date,
    source: str,
    purchase_as_listed: str = "",
    term: str = "",
    note: str = "",
    region_scope: str = "region",
    vcpus: float | None = None,
    memory_gib: float | None = None,
    as_listed: str = "",
) -> Offer:
    """An offer of a hyperscaler at `usd` per instance-hour, in the shape of the catalog."""
    whole = trimmed(usd)
    return Offer(
        provider=provider,
        instance_type=instance_type,
        accelerator=accelerator,
        accelerator_count=count,
        vcpus=vcpus,
        memory_gib=memory_gib,
        region=region,
        region_scope=region_scope,
        purchase=purchase,
        purchase_as_listed=purchase_as_listed or purchase,
        term=term,
        market="hyperscaler",
        usd_per_instance_hour=whole,
        usd_per_accelerator_hour=per_accelerator(whole, count),
        as_of=as_of,
        source=source,
        confidence="listed",
        note=note,
        accelerator_as_listed=as_listed,
    )


def mapping_of(value: object, where: str) -> Mapping[str, Any]:
    """`value` as a JSON object.

    Raises:
        FeedError: it is something else.
    """
    if not isinstance(value, Mapping):
        raise FeedError("sources.shape", where=excerpt(where))
    return value


def list_of(value: object, where: str) -> list[Any]:
    """`value` as a JSON list.

    Raises:
        FeedError: it is something else.
    """
    if not isinstance(value, list):
        raise FeedError("sources.shape", where=excerpt(where))
    return value


def text_at(row: Mapping[str, Any], key: str, where: str) -> str:
    """A text that must be there and not be empty.

    Raises:
        FeedError: it is missing, or no text.
    """
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise FeedError("sources.missing_attribute", name=key, where=excerpt(where))
    return value.strip()
