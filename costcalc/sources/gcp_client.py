"""google-cloud-billing as the Google feeds use it: one list of SKUs per service, to its end."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from costcalc.sources import endpoints
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.paging import Pages
from costcalc.sources.rows import FeedContext
from costcalc.sources.web import retry_after

PAGE_SIZE = 5000
BUSY = (429, 500, 502, 503, 504)


def client(context: FeedContext) -> Any:
    """A `CloudCatalogClient` over REST, with `GOOGLE_API_KEY` or application default credentials.

    A server on this machine gets no credentials that are not in `GOOGLE_API_KEY`.

    Raises:
        FeedError: no credentials.
    """
    _quiet()
    from google.api_core.client_options import ClientOptions
    from google.auth import exceptions as auth
    from google.auth.credentials import AnonymousCredentials
    from google.cloud.billing_v1 import CloudCatalogClient

    base = endpoints.GCP.base(context.environ)
    # without its scheme the library takes https
    address = base if base.startswith("http://") else base.removeprefix("https://")
    key = context.environ.get("GOOGLE_API_KEY", "").strip()
    options = ClientOptions(api_endpoint=address, api_key=key or None)
    anonymous = not key and endpoints.is_loopback(urlsplit(base).hostname)
    try:
        return CloudCatalogClient(
            credentials=AnonymousCredentials() if anonymous else None,  # type: ignore[no-untyped-call]
            transport="rest",
            client_options=options,
        )
    except auth.DefaultCredentialsError:
        raise FeedError("sources.no_google_credentials") from None
    except (auth.GoogleAuthError, ValueError) as error:
        raise FeedError("sources.sdk", detail=excerpt(error, context.secrets)) from None


def has_credentials(context: FeedContext) -> bool:
    """Whether a key, or credentials where Google's library looks for them, exist."""
    if context.environ.get("GOOGLE_API_KEY", "").strip():
        return True
    if endpoints.is_loopback(urlsplit(endpoints.GCP.base(context.environ)).hostname):
        return True
    _quiet()
    import google.auth
    from google.auth import exceptions as auth

    try:
        google.auth.default()
    except (auth.GoogleAuthError, OSError):
        return False
    return True


def _quiet() -> None:
    """Keep the library's remarks (no metadata server, old Python) off stderr: a report tells."""
    logging.getLogger("google").setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module=r"google\..*")


def skus(catalog: Any, service: str, context: FeedContext) -> Iterator[Any]:
    """Every SKU of a service in USD, all pages.

    Args:
        catalog: a `CloudCatalogClient`, over REST or gRPC.
        service: id such as `6F81-5844-456A`.

    Raises:
        FeedError: unreachable, refused, a list in a circle, or an empty list, which is what
            Google answers for a service that does not exist.
    """
    from google.cloud.billing_v1.types import ListSkusRequest

    pages = Pages(context.pulse)
    token, seen = "", 0
    while True:
        request = ListSkusRequest(
            parent=f"services/{service}",
            currency_code="USD",
            page_size=PAGE_SIZE,
            page_token=token,
        )
        page = _page(catalog, request, context)
        token = page.next_page_token
        found = list(page.skus)
        seen += len(found)
        pages.turn(token or None, tuple(sku.sku_id for sku in found) or None)
        yield from found
        context.pulse.step(seen, None, "SKUs")
        if not token:
            break
    if not seen:
        raise FeedError("sources.empty_service", service=service)


def _page(catalog: Any, request: Any, context: FeedContext) -> Any:
    import requests
    from google.api_core import exceptions as api
    from google.auth import exceptions as auth

    limits = context.pulse.limits
    attempt = 0
    while True:
        attempt += 1
        try:
            # the pager's own paging has neither a memory of tokens nor a word about waiting
            return next(
                iter(catalog.list_skus(request, retry=None, timeout=limits.silence_seconds).pages)
            )
        except api.GoogleAPICallError as error:
            status = int(error.code or 0)
            if status not in BUSY:
                kind = "sources.forbidden" if status in (401, 403) else "sources.status"
                raise FeedError(
                    kind, status=status, detail=excerpt(error.message, context.secrets)
                ) from None
            wait = _wait(error, attempt, context)
            if attempt >= limits.attempts:
                raise FeedError("sources.busy", status=status, attempts=attempt) from None
        except api.RetryError:
            raise FeedError("sources.silent", seconds=f"{limits.silence_seconds:g}") from None
        except requests.exceptions.SSLError as error:
            raise FeedError("sources.tls", detail=excerpt(error, context.secrets)) from None
        except requests.exceptions.Timeout:
            raise FeedError("sources.silent", seconds=f"{limits.silence_seconds:g}") from None
        except (
            requests.exceptions.ChunkedEncodingError,
            requests.exceptions.ContentDecodingError,
        ):
            raise FeedError("sources.cut_off") from None
        except requests.exceptions.RequestException as error:
            if attempt >= min(2, limits.attempts):
                raise FeedError(
                    "sources.unreachable", detail=excerpt(error, context.secrets)
                ) from None
            wait = limits.first_wait_seconds
        except auth.GoogleAuthError as error:
            raise FeedError(
                "sources.forbidden", status="auth", detail=excerpt(error, context.secrets)
            ) from None
        except (ValueError, TypeError) as error:
            # the library's JSON reader raises its own subclasses of ValueError
            raise FeedError("sources.not_json", detail=excerpt(error, context.secrets)) from None
        context.pulse.pause(wait)


def _wait(error: Any, attempt: int, context: FeedContext) -> float:
    limits = context.pulse.limits
    headers = getattr(getattr(error, "response", None), "headers", None)
    asked = retry_after(headers) if headers is not None else None
    if asked is None:
        return float(
            min(limits.first_wait_seconds * 2 ** (attempt - 1), limits.longest_wait_seconds)
        )
    if asked > limits.longest_wait_seconds:
        raise FeedError(
            "sources.wait_too_long", status=int(error.code or 0), seconds=f"{asked:.0f}"
        )
    return asked
