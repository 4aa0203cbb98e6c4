"""Names as people write them: one normal form, and the nearest valid ones for a slip."""

from __future__ import annotations

from collections.abc import Iterable


def normal(name: str) -> str:
    """The form in which names are compared: case, spaces, `_` and repeated `-` do not matter."""
    return "-".join(name.casefold().replace("_", " ").replace("-", " ").split())


def nearest(name: str, valid: Iterable[str], limit: int = 4) -> list[str]:
    """Up to `limit` valid names that resemble `name`, best first; empty when none does."""
    from difflib import SequenceMatcher, get_close_matches

    by_form: dict[str, str] = {}
    for candidate in valid:
        by_form.setdefault(normal(candidate), candidate)
    wanted = normal(name)[:80]
    parts = [form for form in by_form if _part(wanted, form) or _part(form, wanted)]
    parts.sort(key=lambda form: -SequenceMatcher(None, wanted, form).ratio())
    close = get_close_matches(wanted, by_form, n=limit, cutoff=0.6)
    found = dict.fromkeys([*parts[: limit - 1], *close, *parts])
    return [by_form[form] for form in list(found)[:limit]]


def _part(short: str, long: str) -> bool:
    return len(short) > 2 and short in long
