"""The HTML report: safe, complete, self-contained."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
import small_quotes
from hypothesis import given
from hypothesis import strategies as st

from costcalc import catalog as catalogs
from costcalc.notices import notice
from costcalc.quote.types import Quote
from costcalc.reports import html_report
from costcalc.reports.claimed import Claimed, claims_of

VOID = {"meta", "line", "circle", "rect", "path"}
HOSTILE = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"


class Reader(HTMLParser):
    """Tags that are opened and closed, every attribute, all text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def hostile() -> Quote:
    """A quote whose every free text tries to break out."""
    quote = small_quotes.training()
    workload = quote.workloads[0]
    assert workload.offer is not None
    offer = replace(
        workload.offer,
        provider=HOSTILE,
        region=HOSTILE,
        instance_type=HOSTILE,
        accelerator=HOSTILE,
        source=HOSTILE,
    )
    workload = replace(
        workload, name=HOSTILE, inputs={**workload.inputs, "model": HOSTILE}, offer=offer
    )
    lines = tuple(
        replace(
            line, workload=HOSTILE, provider=HOSTILE, region=HOSTILE, sku=HOSTILE, source=HOSTILE
        )
        for line in quote.lines
    )
    offers = tuple(
        {**row, "provider": HOSTILE, "instance_type": HOSTILE, "accelerator": HOSTILE}
        for row in quote.offers
    )
    return replace(
        quote,
        workloads=(workload,),
        lines=lines,
        offers=offers,
        fx=replace(quote.fx, source=HOSTILE),
        catalog=replace(quote.catalog, version=HOSTILE),
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_text_is_escaped(language: str) -> None:
    claim = replace(small_quotes.CLAIMS[0].claim, text=HOSTILE, by=HOSTILE, source=HOSTILE)
    page = html_report.render(hostile(), language, explain=True, claims=[Claimed(HOSTILE, claim)])
    read = Reader(page)
    assert "<script" not in page
    assert "<img" not in page
    assert {tag for tag, _ in read.tags}.isdisjoint({"script", "img", "iframe", "object", "link"})
    assert not [name for _, found in read.tags for name in found if name.startswith("on")]
    assert HOSTILE in read.text


@pytest.mark.parametrize("make", [small_quotes.training, small_quotes.plan, hostile])
@pytest.mark.parametrize("language", ["en", "es"])
def test_page_is_whole_and_needs_nothing_from_outside(make: object, language: str) -> None:
    page = html_report.render(make(), language, explain=True)  # type: ignore[operator]
    read = Reader(page)
    assert read.open == []
    assert ("html", {"lang": language}) in read.tags
    for _, found in read.tags:
        for name in ("src", "href", "xlink:href", "srcset"):
            assert (found.get(name) or "#").startswith("#")
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_every_figure_of_the_quote_is_there() -> None:
    quote = small_quotes.training()
    text = Reader(html_report.render(quote, "en")).text.replace("\u00a0", " ")
    for line in quote.lines:
        assert f"{line.amount_usd:,.2f}" in text
        assert f"{line.amount_mxn:,.2f}" in text
        assert str(line.source) in text
    totals = quote.totals
    for amount in (totals.usd, totals.mxn, totals.usd_with_iva, totals.mxn_with_iva):
        assert f"{amount:,.2f}" in text
    for row in quote.offers:
        assert f"{row['usd']:,.2f}" in text
    for item in quote.notices:
        assert item.message("en") in text
    assert quote.fx.source in text
    assert "$" not in text


def test_claims_stand_apart_and_only_when_there_are_any() -> None:
    quote = small_quotes.training()
    with_claims = html_report.render(quote, "en", claims=small_quotes.CLAIMS)
    assert with_claims.index("up to 9x faster") > with_claims.index('class="claims"')
    assert 'class="claims"' not in html_report.render(quote, "en").split("</style>")[1]


def test_only_the_currency_asked_for_is_shown() -> None:
    page = html_report.render(small_quotes.training(requested_currency="MXN"), "es")
    text = Reader(page).text.replace("\u00a0", " ")
    totals = small_quotes.training().totals
    assert f"MXN {totals.mxn:,.2f}" in text
    assert f"USD {totals.usd:,.2f}" not in text


@given(st.text(min_size=1, max_size=60))
def test_any_model_name_keeps_the_page_whole(name: str) -> None:
    quote = small_quotes.training()
    workload = quote.workloads[0]
    named = replace(workload, inputs={**workload.inputs, "model": name})
    assert Reader(html_report.render(replace(quote, workloads=(named,)), "en")).open == []


def test_claims_of_the_hardware_in_the_quote(data_dir: Path) -> None:
    catalog = catalogs.load(None, cache_dir=data_dir / "cache")
    quote = small_quotes.training()
    for language in ("en", "es"):
        found = claims_of(quote, catalog, language)
        assert found
        assert {item.accelerator for item in found} == {catalog.accelerator("h100").name}
        page = html_report.render(quote, language, claims=found)
        assert all(escape(item.claim.text) in page for item in found)
    texts = [{item.claim.text for item in claims_of(quote, catalog, name)} for name in ("en", "es")]
    assert not texts[0] & texts[1]
    assert claims_of(replace(quote, workloads=()), catalog, "en") == ()


def test_a_claim_that_was_withdrawn_says_so() -> None:
    item = replace(small_quotes.CLAIMS[0], withdrawn=True)
    page = html_report.render(small_quotes.training(), "en", claims=[item])
    assert "withdrawn by its own authors" in page
    assert "not confirmed by anybody else" not in page


def test_warnings_that_come_up_often_are_counted() -> None:
    notices = tuple(notice("old_rate", date=f"2026-10-{day:02}", days=day) for day in range(1, 31))
    quote = small_quotes.training(notices=(*notices, notice("tuning_assumed")))
    text = Reader(html_report.render(quote, "en")).text
    assert text.count("old_rate") == 4
    assert "and 27 more" in text
    assert "tuning_assumed" in text
