"""Links between pages lead somewhere, and README leads to every page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_every_page_can_be_reached_from_a_readme() -> None:
    seen = {ROOT / "README.md", ROOT / "README.es.md"}
    waiting = list(seen)
    while waiting:
        page = waiting.pop()
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            found = (page.parent / target).resolve()
            if found.suffix == ".md" and found not in seen:
                seen.add(found)
                waiting.append(found)
    assert set(PAGES) <= seen
