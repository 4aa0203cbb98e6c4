"""A bench for the live sources: a store, the catalog, servers on this machine, short limits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sources.servers import Answer, Server

from costcalc.catalog import Catalog, Offer
from costcalc.sources import feeds, update
from costcalc.sources.limits import Limits
from costcalc.sources.store import Store
from costcalc.sources.update import Outcome, UpdateRequest

ROOT = Path(__file__).resolve().parent.parent.parent
FIRST_DAY = date(2026, 12, 1)
PATIENT = Limits(attempts=2, first_wait_seconds=0.01)
HASTY = Limits(
    connect_seconds=0.3,
    silence_seconds=0.3,
    answer_seconds=0.5,
    stall_seconds=1.0,
    attempts=2,
    first_wait_seconds=0.01,
)
AWS_KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIATESTACCESSKEY",
    "AWS_SECRET_ACCESS_KEY": "test-secret-access-key",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_MAX_ATTEMPTS": "1",
}
AWS_ENDPOINTS = (
    "AWS_ENDPOINT_URL_PRICING",
    "AWS_ENDPOINT_URL_SAVINGSPLANS",
    "AWS_ENDPOINT_URL_EC2",
)
VARIABLES = {
    "gcp": ("COSTCALC_GCP_ENDPOINT",),
    "azure": ("COSTCALC_AZURE_ENDPOINT",),
    "oci": ("COSTCALC_OCI_ENDPOINT",),
    "bulk": ("COSTCALC_AWS_BULK_ENDPOINT",),
    "banxico": ("COSTCALC_BANXICO_ENDPOINT",),
    "ecb": ("COSTCALC_ECB_ENDPOINT",),
    "aws": AWS_ENDPOINTS,
}


@dataclass
class Bench:
    """Runs feeds against local servers.

    Attributes:
        environ: what the feeds see; AWS reads the real environment, which is kept equal.
    """

    path: Path
    catalog: Catalog
    monkeypatch: pytest.MonkeyPatch
    stack: ExitStack
    environ: dict[str, str] = field(default_factory=dict)

    def serve(self, source: str, answer: Answer) -> Server:
        """Let a server answer for `aws`, `gcp`, `azure`, `oci`, `bulk`, `banxico` or `ecb`."""
        server = self.stack.enter_context(Server(answer))
        for name in VARIABLES[source]:
            self.set(name, server.url)
        if source == "aws":
            for name, value in AWS_KEYS.items():
                self.set(name, value)
        return server

    def set(self, name: str, value: str) -> None:
        """Set an environment variable."""
        self.environ[name] = value
        self.monkeypatch.setenv(name, value)

    def fetch(
        self,
        feed: str,
        *,
        regions: tuple[str, ...] | None = None,
        day: int = 0,
        limits: Limits = PATIENT,
        accept: bool = False,
    ) -> Outcome:
        """Update one feed, `day` days after the first day."""
        (outcome,) = self.update(feed, regions=regions, day=day, limits=limits, accept=accept)
        return outcome

    def update(
        self,
        *names: str,
        regions: tuple[str, ...] | None = None,
        day: int = 0,
        limits: Limits = PATIENT,
        accept: bool = False,
    ) -> tuple[Outcome, ...]:
        """Update some feeds."""
        chosen = tuple(feed for feed in feeds.FEEDS if feed.id in names)
        assert len(chosen) == len(names)
        self.monkeypatch.setattr(update, "FEEDS", chosen)
        when = FIRST_DAY + timedelta(days=day)
        wanted = None if regions is None else frozenset(regions)
        report = update.update(
            UpdateRequest(
                providers={feed.provider: wanted for feed in chosen},
                explicit=True,
                accept_removals=accept,
                store=self.path,
                environ=self.environ,
                now=datetime(when.year, when.month, when.day, 14, 5, tzinfo=UTC),
                today=when,
                limits=limits,
            ),
            self.catalog,
        )
        return report.outcomes

    def prices(self, day: int = 0) -> dict[tuple[str, ...], Offer]:
        """What the store gives for a day, by key; what is gone is left out."""
        with Store.read(self.path) as store:
            held = store.offers(FIRST_DAY + timedelta(days=day))
        return {offer.key: offer for offer in held if offer.ended is None}

    def price(self, instance_type: str, region: str | None, purchase: str = "on-demand") -> Offer:
        """The one price of a machine."""
        (found,) = (
            offer
            for offer in self.prices(day=100).values()
            if offer.instance_type == instance_type
            and offer.region == region
            and offer.purchase == purchase
        )
        return found


def fails(outcome: Outcome, say: Callable[[str], bool] | str) -> bool:
    """True when the outcome is a failure whose sentence contains, or satisfies, `say`."""
    assert outcome.error is not None, outcome
    text = outcome.error.message("en")
    assert "\n" not in text
    assert "Traceback" not in text
    return say in text if isinstance(say, str) else say(text)
