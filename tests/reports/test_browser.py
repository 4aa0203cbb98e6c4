"""The HTML report in headless Chromium: laid out, printed, quiet, accessible."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import small_quotes
from browser import Page, chromium, programs

from costcalc.reports import html_report

AXE = os.environ.get("COSTCALC_AXE", "")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(programs() is None, reason="chromium or chromedriver is not installed"),
]
WIDTHS = (375, 1440)
LANGUAGES = ("en", "es")


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("html")
    found = {}
    for language in LANGUAGES:
        for name, make in (("train", small_quotes.training), ("plan", small_quotes.plan)):
            path = folder / f"{name}.{language}.html"
            text = html_report.render(make(), language, explain=True, claims=small_quotes.CLAIMS)
            path.write_text(text, encoding="utf-8")
            found[f"{name}.{language}"] = path
    return found


NAMES = [f"{name}.{language}" for name in ("train", "plan") for language in LANGUAGES]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_overflows_and_the_console_is_quiet(
    page: Page, files: dict[str, Path], name: str, width: int
) -> None:
    page.scheme("light")
    page.width(width)
    page.open(files[name])
    wide = page.run(
        "const room = document.documentElement.clientWidth;"
        "return [...document.querySelectorAll('body *')]"
        ".filter(e => !e.closest('svg, .scroll table, .skip, .hidden'))"
        ".filter(e => e.getBoundingClientRect().right > room + 1)"
        ".map(e => e.outerHTML.slice(0, 80))"
    )
    assert wide == []
    assert page.run("return document.documentElement.scrollWidth") <= width
    assert page.console() == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_no_table_scrolls_sideways(
    page: Page, files: dict[str, Path], name: str, width: int
) -> None:
    page.width(width)
    page.open(files[name])
    hidden = page.run(
        "return [...document.querySelectorAll('.scroll')]"
        ".filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.ariaLabel)"
    )
    assert hidden == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.skipif(not Path(AXE).is_file(), reason="COSTCALC_AXE does not name axe.min.js")
def test_axe_finds_no_violation(
    page: Page, files: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    page.scheme(scheme)
    page.width(width)
    page.open(files[name])
    page.run(Path(AXE).read_text(encoding="utf-8") + "; return true")
    found = page.run_async(
        "const done = arguments[0];"
        "axe.run(document, {resultTypes: ['violations', 'passes']}).then(r => done({"
        "passes: r.passes.length,"
        "violations: r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))])}))"
    )
    assert found["violations"] == []
    assert found["passes"] > 20  # it did look


def test_dark_is_dark(page: Page, files: dict[str, Path]) -> None:
    colors = []
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        page.open(files["train.en"])
        colors.append(page.run("return getComputedStyle(document.body).backgroundColor"))
    assert colors[0] == "rgb(255, 255, 255)"
    assert colors[1] != colors[0]
    page.scheme("light")


def test_the_keyboard_reaches_skip_link_and_tables(page: Page, files: dict[str, Path]) -> None:
    page.width(1440)
    page.open(files["train.en"])
    seen = []
    for _ in range(6):
        page.press("Tab")
        seen.append(
            page.run("return document.activeElement.className || document.activeElement.tagName")
        )
    assert seen[0] == "skip"
    assert "scroll" in seen


def test_points_of_the_chart_stand_where_their_figures_are(
    page: Page, files: dict[str, Path]
) -> None:
    """Faster is further left, dearer is further up."""
    page.width(1440)
    page.open(files["train.en"])
    boxes = page.run(
        "return [...document.querySelectorAll('.plot .dot')].map(e => {"
        "const b = e.getBoundingClientRect();"
        "return {kind: e.getAttribute('class'), x: b.x + b.width / 2, y: b.y + b.height / 2}})"
    )
    quoted = next(box for box in boxes if "quoted" in box["kind"])
    best = next(box for box in boxes if "best" in box["kind"])
    other = next(box for box in boxes if box["kind"] == "dot")
    # 36 h at USD 3,986; 61.5 h at USD 1,500; 70 h at USD 2,750
    assert quoted["x"] < best["x"] < other["x"]
    assert quoted["y"] < other["y"] < best["y"]


@pytest.mark.parametrize("name", NAMES)
def test_it_prints_to_pdf(page: Page, files: dict[str, Path], name: str) -> None:
    page.open(files[name])
    content = page.pdf()
    assert content.startswith(b"%PDF-")
    pages = content.count(b"/Type /Page\n") + content.count(b"/Type /Page ")
    assert 2 <= pages <= 8
