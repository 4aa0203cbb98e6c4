"""boto3 as the AWS feeds use it. Nothing here is imported before a feed runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from costcalc.sources.endpoints import is_loopback, shown
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.rows import FeedContext

PRICING_REGIONS = ("us-east-1", "eu-central-1", "ap-south-1")
"""The only regions in which the Price List API answers; each answers for all regions."""
NO_UPFRONT = "No Upfront"
_DENIED = (
    "AccessDenied",
    "AccessDeniedException",
    "AuthFailure",
    "ExpiredToken",
    "ExpiredTokenException",
    "InvalidClientTokenId",
    "InvalidSignatureException",
    "SignatureDoesNotMatch",
    "UnauthorizedOperation",
    "UnrecognizedClientException",
)
REGION_CLOSED = ("AuthFailure", "OptInRequired", "InvalidRegion")
"""What EC2 answers for a region that the account has not turned on."""


class RegionClosedError(Exception):
    """The account cannot use this region."""


def has_credentials() -> bool:
    """Whether the SDK finds credentials anywhere it looks."""
    import boto3
    from botocore.exceptions import BotoCoreError

    try:
        return boto3.session.Session().get_credentials() is not None
    except BotoCoreError:
        return False


class Clients:
    """Clients of one feed. They share a session: its loaded service models are most of the cost."""

    def __init__(self, context: FeedContext) -> None:
        import boto3
        from botocore.config import Config

        limits = context.pulse.limits
        options: dict[str, Any] = {
            "connect_timeout": limits.connect_seconds,
            "read_timeout": limits.silence_seconds,
            "user_agent_extra": "costcalc",
        }
        if "AWS_MAX_ATTEMPTS" not in context.environ:
            options["retries"] = {"mode": "standard", "total_max_attempts": limits.attempts}
        self._config = Config(**options)
        self._context = context
        with translated(context):
            self._session = boto3.session.Session()

    def get(self, service: str, region: str) -> Any:
        """A client of `service` with the feed's time limits; retries are the SDK's own.

        Raises:
            FeedError: the SDK is set to an endpoint that is neither https nor this machine.
        """
        with translated(self._context):
            made = self._session.client(service, region_name=region, config=self._config)
        address = urlsplit(made.meta.endpoint_url)
        if address.scheme != "https" and not is_loopback(address.hostname):
            raise FeedError("sources.aws_plain_http", host=excerpt(address.hostname))
        return made


def host_of(made: Any) -> str:
    """Host that a client talks to, for the source note."""
    return shown(made.meta.endpoint_url)


@contextmanager
def translated(context: FeedContext, *, per_region: bool = False) -> Iterator[None]:
    """Turn the SDK's faults into `FeedError`.

    Args:
        per_region: tell a region that the account cannot use (`RegionClosedError`) from a refusal.
    """
    from botocore import exceptions as sdk
    from botocore.parsers import ResponseParserError

    try:
        yield
    except sdk.ClientError as error:
        fault = error.response.get("Error", {})
        code = excerpt(fault.get("Code", "?"), context.secrets)
        detail = excerpt(fault.get("Message", ""), context.secrets)
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        if per_region and code in REGION_CLOSED:
            raise RegionClosedError(code) from None
        if code in _DENIED or status in (401, 403):
            raise FeedError("sources.forbidden", status=f"{code} {status}", detail=detail) from None
        if status == 429 or "Throttl" in code or "TooManyRequests" in code:
            raise FeedError(
                "sources.busy", status=f"{code} {status}", attempts=context.pulse.limits.attempts
            ) from None
        raise FeedError("sources.status", status=f"{code} {status}", detail=detail) from None
    except (sdk.NoCredentialsError, sdk.PartialCredentialsError, sdk.CredentialRetrievalError):
        raise FeedError("sources.no_credentials") from None
    except (sdk.ReadTimeoutError, sdk.ConnectTimeoutError):
        raise FeedError(
            "sources.silent", seconds=f"{context.pulse.limits.silence_seconds:g}"
        ) from None
    except sdk.SSLError as error:
        raise FeedError("sources.tls", detail=excerpt(error, context.secrets)) from None
    except sdk.PaginationError:
        raise FeedError("sources.page_loop", page="?") from None
    except (sdk.ConnectionClosedError, sdk.ResponseStreamingError, sdk.IncompleteReadError):
        raise FeedError("sources.cut_off") from None
    except (sdk.ConnectionError, sdk.HTTPClientError) as error:
        raise FeedError("sources.unreachable", detail=excerpt(error, context.secrets)) from None
    except (sdk.BotoCoreError, ResponseParserError) as error:
        raise FeedError("sources.sdk", detail=excerpt(error, context.secrets)) from None
