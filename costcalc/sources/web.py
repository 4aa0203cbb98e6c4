"""HTTP for the sources that have no library of their own: deadlines, retries, strict JSON."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from costcalc.sources.endpoints import is_loopback
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.limits import Limits, Pulse

if TYPE_CHECKING:
    import httpx

BUSY = (429, 500, 502, 503, 504)
_TIMEOUT_ATTEMPTS = 2
_MARKUP = (b"<!doctype", b"<html", b"<head", b"<body", b"<?xml")

Explain = Callable[[int, bytes], FeedError | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer with status 200."""

    body: bytes
    content_type: str


class Web:
    """A client for one feed.

    Args:
        pulse: limits and sign of life of the feed.
        secrets: credentials that must not appear in any message.
    """

    def __init__(self, pulse: Pulse, secrets: tuple[str, ...] = ()) -> None:
        self.pulse = pulse
        self.limits: Limits = pulse.limits
        self.secrets = secrets
        self._clients: dict[bool, httpx.Client] = {}

    def __enter__(self) -> Web:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for client in self._clients.values():
            client.close()

    def get(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        explain: Explain | None = None,
    ) -> Answer:
        """The answer to a GET request, asked again while the server is busy.

        Args:
            explain: turns the body of an error status into a better error, where it can.

        Raises:
            FeedError: unreachable, too slow, too large, cut off, or an error status.
        """
        attempt = 0
        while True:
            attempt += 1
            with self._response(url, params, headers, attempt) as response:
                if response is not None:
                    if response.status_code == 200:
                        body = self._body(response)
                        return Answer(body, response.headers.get("content-type", ""))
                    wait = self._refused(response, attempt, explain)
                else:
                    wait = self._backoff(attempt)
            self.pulse.pause(wait)

    def get_json(
        self,
        url: str,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        explain: Explain | None = None,
    ) -> Any:
        """The JSON of an answer; numbers with a point are `Decimal`, NaN is a fault."""
        answer = self.get(url, params, {"Accept": "application/json", **(headers or {})}, explain)
        return parse_json(answer, self.secrets)

    @contextmanager
    def stream(self, url: str) -> Iterator[tuple[int | None, Iterator[bytes]]]:
        """A long download as (length in bytes or None, pieces).

        Raises:
            FeedError: as `get`; also when the download is slower than the limit or ends early.
        """
        attempt = 0
        while True:
            attempt += 1
            with self._response(url, None, {"Accept-Encoding": "identity"}, attempt) as response:
                if response is not None and response.status_code == 200:
                    length = response.headers.get("content-length", "")
                    yield (int(length) if length.isdigit() else None), self._pieces(response)
                    return
                if response is None:
                    wait = self._backoff(attempt)
                else:
                    wait = self._refused(response, attempt, None)
            self.pulse.pause(wait)

    def _client(self, url: str) -> httpx.Client:
        import httpx

        local = is_loopback(urlsplit(url).hostname)
        if local not in self._clients:
            limits = self.limits
            timeout = httpx.Timeout(limits.silence_seconds, connect=limits.connect_seconds)
            # a proxy of the environment must not get requests that are meant for this machine
            self._clients[local] = httpx.Client(
                timeout=timeout, trust_env=not local, headers={"User-Agent": "costcalc"}
            )
        return self._clients[local]

    @contextmanager
    def _response(
        self,
        url: str,
        params: Mapping[str, str] | None,
        headers: Mapping[str, str] | None,
        attempt: int,
    ) -> Iterator[httpx.Response | None]:
        """The response while its body is still to be read; None when asking again may help."""
        import httpx

        self.pulse.beat()
        entered = False
        try:
            with self._client(url).stream(
                "GET", url, params=dict(params) if params else None, headers=dict(headers or {})
            ) as response:
                entered = True
                yield response
            return
        except httpx.TimeoutException:
            if entered or attempt >= min(_TIMEOUT_ATTEMPTS, self.limits.attempts):
                raise FeedError(
                    "sources.silent", seconds=f"{self.limits.silence_seconds:g}"
                ) from None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, OSError) as error:
            if entered and not isinstance(error, httpx.HTTPError):
                raise
            if _is_tls(error):
                raise FeedError("sources.tls", detail=excerpt(error, self.secrets)) from None
            if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError) and entered:
                raise FeedError("sources.cut_off") from None
            if not isinstance(error, httpx.TransportError) or attempt >= min(
                _TIMEOUT_ATTEMPTS, self.limits.attempts
            ):
                raise FeedError(
                    "sources.unreachable", detail=excerpt(error, self.secrets)
                ) from None
        if entered:
            raise FeedError("sources.cut_off")
        yield None

    def _body(self, response: httpx.Response) -> bytes:
        started = self.pulse.monotonic()
        pieces: list[bytes] = []
        size = 0
        for piece in response.iter_bytes():
            pieces.append(piece)
            size += len(piece)
            if size > self.limits.answer_bytes:
                raise FeedError("sources.too_large", limit_mb=self.limits.answer_bytes // 10**6)
            if self.pulse.monotonic() - started > self.limits.answer_seconds:
                raise FeedError("sources.too_slow", seconds=f"{self.limits.answer_seconds:g}")
        self.pulse.beat()
        return b"".join(pieces)

    def _pieces(self, response: httpx.Response) -> Iterator[bytes]:
        window, received = self.pulse.monotonic(), 0
        # pieces as they arrive: one that is waited for until it is large would hide a trickle
        for piece in response.iter_bytes():
            now = self.pulse.monotonic()
            received += len(piece)
            if now - window > self.limits.silence_seconds:
                rate = received / (now - window)
                if rate < self.limits.slowest_bytes_per_second:
                    raise FeedError("sources.trickle", rate=f"{rate:.0f}")
                window, received = now, 0
            self.pulse.beat()
            yield piece

    def _refused(self, response: httpx.Response, attempt: int, explain: Explain | None) -> float:
        """Seconds to wait before asking again; raises when asking again is of no use."""
        status = response.status_code
        if status in BUSY and attempt < self.limits.attempts:
            asked = retry_after(response.headers)
            if asked is None:
                return self._backoff(attempt)
            if asked > self.limits.longest_wait_seconds:
                raise FeedError("sources.wait_too_long", status=status, seconds=f"{asked:.0f}")
            return asked
        body = self._body(response)
        explained = explain(status, body) if explain else None
        if explained is not None:
            raise explained
        detail = excerpt(body[:400].decode("utf-8", "replace"), self.secrets)
        if status in (401, 403):
            raise FeedError("sources.forbidden", status=status, detail=detail)
        if status in BUSY:
            raise FeedError("sources.busy", status=status, attempts=attempt)
        if 300 <= status < 400:
            raise FeedError("sources.redirected", status=status)
        raise FeedError("sources.status", status=status, detail=detail)

    def _backoff(self, attempt: int) -> float:
        wait: float = self.limits.first_wait_seconds * 2 ** (attempt - 1)
        return min(wait, self.limits.longest_wait_seconds)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a busy server asks to wait, None when it does not say (RFC 9110, 10.2.3)."""
    value = headers.get("retry-after", "").strip()
    if value.isdigit() and len(value) < 10:
        return float(value)
    try:
        until = parsedate_to_datetime(value)
        now = parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (TypeError, ValueError):
        return None


def parse_json(answer: Answer, secrets: tuple[str, ...] = ()) -> Any:
    """Strict JSON: no markup, no NaN, no infinity, nothing missing at the end.

    Raises:
        FeedError: something else came.
    """
    head = answer.body[:200].lstrip().lower()
    if "html" in answer.content_type.lower() or head.startswith(_MARKUP):
        raise FeedError("sources.html")
    try:
        return json.loads(
            answer.body, parse_float=_decimal, parse_constant=_no_number, parse_int=_integer
        )
    except RecursionError:
        raise FeedError("sources.not_json", detail="nesting") from None
    except (ValueError, UnicodeDecodeError) as error:
        if isinstance(error, json.JSONDecodeError) and error.pos >= len(error.doc.rstrip()):
            raise FeedError("sources.truncated") from None
        raise FeedError("sources.not_json", detail=excerpt(error, secrets)) from None


def _decimal(text: str) -> Decimal:
    if len(text) > 100:
        raise ValueError("a number with too many digits")
    return Decimal(text)


def _integer(text: str) -> int:
    if len(text) > 100:
        raise ValueError("a number with too many digits")
    return int(text)


def _no_number(word: str) -> Any:
    raise FeedError("sources.no_number", word=word)


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError) or "SSL" in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False
