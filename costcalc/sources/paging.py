"""Lists that come in pages: to their end, never in a circle."""

from __future__ import annotations

from collections.abc import Hashable

from costcalc.sources.faults import FeedError
from costcalc.sources.limits import Pulse


class Pages:
    """Watches over the pages of one list.

    Args:
        pulse: limits and sign of life of the feed.
    """

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._tokens: set[Hashable] = set()
        self._prints: set[int] = set()
        self.count = 0

    def turn(self, token: Hashable | None, fingerprint: Hashable | None = None) -> None:
        """Take note of a page.

        Args:
            token: what leads to the next page, None at the end.
            fingerprint: what identifies the content of this page; None when it holds nothing.

        Raises:
            FeedError: the list leads back to a page that was read, or has no end.
        """
        self.count += 1
        if self.count > self._pulse.limits.pages:
            raise FeedError("sources.too_many_pages", pages=self._pulse.limits.pages)
        if fingerprint is not None:
            mark = hash(fingerprint)
            if mark in self._prints:
                raise FeedError("sources.page_loop", page=self.count)
            self._prints.add(mark)
        if token is not None:
            if token in self._tokens:
                raise FeedError("sources.page_loop", page=self.count)
            self._tokens.add(token)
        self._pulse.beat()
