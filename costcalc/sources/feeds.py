"""Every feed: what it fetches, from whom, and what it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from costcalc.sources import (
    aws_bulk,
    aws_capacity_blocks,
    aws_client,
    aws_pricing,
    aws_savings,
    aws_spot,
    azure,
    endpoints,
    gcp,
    gcp_client,
    oci,
)
from costcalc.sources.rows import FeedContext, FeedResult

Fetch = Callable[[FeedContext], FeedResult]


@dataclass(frozen=True, slots=True)
class Feed:
    """One list of prices, stored whole or not at all.

    Attributes:
        id: `aws-on-demand`; its name for people is the message `sources.feed_<id>`.
        provider: catalog id.
        fetch: reads it.
        missing: why it cannot be asked in this environment, as a message key; None when it can.
        price_list: it lists everything that is sold, so that a whole region does not drop out.
    """

    id: str
    provider: str
    fetch: Fetch
    missing: Callable[[FeedContext], str | None]
    price_list: bool = True


def _nothing(_: FeedContext) -> str | None:
    return None


def _aws_credentials(_: FeedContext) -> str | None:
    return None if aws_client.has_credentials() else "sources.needs_aws"


def _google_credentials(context: FeedContext) -> str | None:
    return None if gcp_client.has_credentials(context) else "sources.needs_google"


def aws_on_demand(context: FeedContext) -> FeedResult:
    """The Price List API where there are credentials, else the public price files.

    An address for the public files, and none for the API, asks for the files.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    environ = context.environ
    files = environ.get(endpoints.AWS_BULK.variable, "").strip() and not any(
        environ.get(name, "").strip() for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_PRICING")
    )
    if files or not aws_client.has_credentials():
        return aws_bulk.fetch(context)
    return aws_pricing.fetch(context)


FEEDS: tuple[Feed, ...] = (
    Feed("aws-on-demand", "aws", aws_on_demand, _nothing),
    Feed("aws-spot", "aws", aws_spot.fetch, _aws_credentials, price_list=False),
    Feed("aws-savings-plans", "aws", aws_savings.fetch, _aws_credentials),
    Feed(
        "aws-capacity-blocks", "aws", aws_capacity_blocks.fetch, _aws_credentials, price_list=False
    ),
    Feed("gcp-compute", "gcp", gcp.fetch_compute, _google_credentials),
    Feed("gcp-tpu", "gcp", gcp.fetch_tpu, _google_credentials),
    Feed("azure", "azure", azure.fetch, _nothing),
    Feed("oci", "oci", oci.fetch, _nothing),
)
PROVIDERS: tuple[str, ...] = tuple(dict.fromkeys(feed.provider for feed in FEEDS))


def check_endpoints(providers: Mapping[str, object], environ: Mapping[str, str]) -> None:
    """Refuse an unusable address before anything is asked.

    Raises:
        InputError: an address that is no URL, or neither https nor this machine.
    """
    if "aws" in providers:
        endpoints.check_aws(environ)
        endpoints.AWS_BULK.base(environ)
    for provider, endpoint in (
        ("gcp", endpoints.GCP),
        ("azure", endpoints.AZURE),
        ("oci", endpoints.OCI),
    ):
        if provider in providers:
            endpoint.base(environ)
