"""Banxico and the ECB: the right number of the right day, never zero, never silently old."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources import servers
from sources.bench import HASTY, PATIENT, Bench
from sources.servers import SAMPLES, Answer, Reply, Request, as_json, sample

from costcalc.errors import InputError
from costcalc.sources import banxico, ecb
from costcalc.sources.faults import FeedError
from costcalc.sources.fx import FxReport, FxRequest, update_rates
from costcalc.sources.limits import Limits
from costcalc.sources.rates import DOF, ECB, FIX

TOKEN = "0123456789abcdef" * 4


def update(bench: Bench, day: date = date(2026, 12, 1), limits: Limits = PATIENT) -> FxReport:
    return update_rates(
        FxRequest(
            store=bench.path,
            environ=bench.environ,
            now=datetime(day.year, day.month, day.day, 14, 5, tzinfo=UTC),
            today=day,
            limits=limits,
        )
    )


def points(series: str, *values: tuple[str, str]) -> dict[str, Any]:
    return {
        "idSerie": series,
        "titulo": series,
        "datos": [{"fecha": day, "dato": value} for day, value in values],
    }


def answer_with(*series: Mapping[str, Any]) -> Answer:
    return lambda _: as_json({"bmx": {"series": list(series)}})


def test_with_a_token_banxico_is_asked_and_the_token_stays_in_a_header(bench: Bench) -> None:
    server = bench.serve(
        "banxico",
        answer_with(
            points(FIX, ("18/08/2026", "17.0638"), ("19/08/2026", "17.0500")),
            points(DOF, ("19/08/2026", "17.0100"), ("20/08/2026", "17.0638")),
        ),
    )
    bench.set("BANXICO_TOKEN", TOKEN)
    report = update(bench, date(2026, 8, 20))
    assert not report.errors
    assert report.rate is not None
    # the FIX of the 18th is what settles debts on the 20th
    assert (report.rate.series, report.rate.usd_mxn) == (DOF, Decimal("17.0638"))
    (request,) = server.requests
    assert request.headers["bmx-token"] == TOKEN
    assert TOKEN not in f"{request.path}{request.query}"
    assert request.path.endswith("/series/SF60653,SF43718/datos/2026-07-30/2026-08-27")
    assert len(report.new) == 4


def test_a_day_without_a_rate_has_the_last_one_published(bench: Bench) -> None:
    """Friday's rate holds on Saturday, Sunday and a Monday that is a holiday."""
    series = points(DOF, ("12/11/2026", "18.60"), ("13/11/2026", "18.70"), ("17/11/2026", "18.80"))
    bench.serve("banxico", answer_with(series))
    bench.set("BANXICO_TOKEN", TOKEN)
    for day, usd in ((13, "18.70"), (14, "18.70"), (15, "18.70"), (16, "18.70"), (17, "18.80")):
        report = update(bench, date(2026, 11, day))
        assert report.rate is not None
        assert report.rate.usd_mxn == Decimal(usd), day


def test_not_published_yet_and_out_of_order(bench: Bench) -> None:
    bench.serve("banxico", servers.banxico("banxico_SF43718_range_with_NE.json"))
    bench.set("BANXICO_TOKEN", TOKEN)
    report = update(bench, date(2026, 11, 3))
    assert report.rate is not None
    assert (report.rate.day, report.rate.usd_mxn) == (date(2026, 10, 30), Decimal("18.9077"))
    bench.serve("banxico", answer_with(points(DOF, ("02/11/2026", "18.9"), ("30/10/2026", "18.7"))))
    newest = update(bench, date(2026, 11, 3)).rate
    assert newest is not None
    assert newest.day == date(2026, 11, 2)


def test_other_series_and_thousands(bench: Bench) -> None:
    bench.serve("banxico", servers.banxico("banxico_two_series.json"))
    bench.set("BANXICO_TOKEN", TOKEN)
    report = update(bench, date(2026, 9, 7))
    assert [rate.usd_mxn for rate in report.new] == [Decimal("19.8765")]
    assert banxico.read_rate("1,000.0", "x") == 1000


@pytest.mark.parametrize(
    ("text", "day"),
    [("30/10/2026", date(2026, 10, 30)), ("2026-10-30", date(2026, 10, 30))],
)
def test_both_ways_of_writing_a_date(text: str, day: date) -> None:
    assert banxico.read_day(text) == day


@pytest.mark.parametrize("text", ["31/02/2026", "10/30/2026", "", "yesterday", "1/2/3/4"])
def test_no_date(text: str) -> None:
    with pytest.raises(FeedError):
        banxico.read_day(text)


@pytest.mark.parametrize("text", ["0", "0.0000", "-18.7", "NaN", "Infinity", "peso", "99999"])
def test_no_rate(text: str) -> None:
    with pytest.raises(FeedError):
        banxico.read_rate(text, "SF60653")


@given(st.decimals(min_value=1, max_value=999, places=4))
def test_a_rate_keeps_its_digits(rate: Decimal) -> None:
    assert banxico.read_rate(f"{rate:,}", "x") == rate


def test_an_empty_range_is_followed_by_the_question_for_the_newest(bench: Bench) -> None:
    def answer(request: Request) -> Reply:
        if request.path.endswith("/oportuno"):
            return Reply(sample("fx/banxico_SF43718_oportuno.json"))
        return Reply(sample("fx/banxico_empty_range.json"))

    bench.serve("banxico", answer)
    bench.set("BANXICO_TOKEN", TOKEN)
    report = update(bench)
    assert report.rate is not None
    assert (report.rate.series, report.rate.usd_mxn) == (FIX, Decimal("18.7342"))


BANXICO_FAULTS: dict[str, tuple[Answer, str]] = {
    "token": (
        lambda _: Reply(sample("fx/banxico_error_token.json"), status=400),
        "Token inválido",
    ),
    "limit": (
        lambda _: Reply(sample("fx/banxico_error_limit.json"), status=400),
        "ask again in 60 s",
    ),
    "error with status 200": (
        lambda _: Reply(sample("fx/banxico_error_token.json")),
        "Token inválido",
    ),
    "zero": (answer_with(points(DOF, ("30/11/2026", "0.0000"))), "no USD/MXN rate"),
    "NaN": (answer_with(points(DOF, ("30/11/2026", "NaN"))), "no USD/MXN rate"),
    "nothing": (answer_with(points(DOF)), "no rate for these days"),
    "403": (lambda _: Reply(b"{}", status=403), "access refused"),
    "500": (lambda _: Reply(b"", status=500), "busy"),
    "html": (lambda _: Reply(b"<html>login", content_type="text/html"), "web page"),
    "truncated": (
        lambda _: Reply(sample("fx/banxico_SF43718_oportuno.json")[:-40]),
        "JSON",
    ),
    "drip": (
        lambda _: Reply(sample("fx/banxico_SF43718_oportuno.json"), drip=0.3),
        "not complete after",
    ),
    "silence": (lambda _: Reply(b"{}", hang=3), "no answer within"),
    "another shape": (lambda _: as_json({"bmx": []}), "format"),
}


@pytest.mark.parametrize("fault", BANXICO_FAULTS)
def test_when_banxico_fails_the_ecb_stands_in_and_it_is_told(bench: Bench, fault: str) -> None:
    answer, words = BANXICO_FAULTS[fault]
    bench.serve("banxico", answer)
    bench.serve("ecb", servers.ecb)
    bench.set("BANXICO_TOKEN", TOKEN)
    report = update(bench, limits=replace(HASTY, attempts=1))
    assert set(report.errors) == {"banxico"}
    sentence = report.errors["banxico"].message()
    assert words in sentence
    assert TOKEN not in sentence
    assert report.rate is not None
    assert (report.rate.series, report.rate.usd_mxn) == (ECB, Decimal("18.9077"))


def test_without_a_token_the_ecb_is_asked(bench: Bench) -> None:
    bank = bench.serve("banxico", servers.banxico("banxico_SF43718_oportuno.json"))
    bench.serve("ecb", servers.ecb)
    report = update(bench)
    assert not bank.requests
    assert report.skipped == {"banxico": "sources.no_banxico_token"}
    assert report.rate is not None
    assert report.rate.day == date(2026, 10, 30)


def test_a_token_that_cannot_be_one_is_not_sent(bench: Bench) -> None:
    bank = bench.serve("banxico", servers.banxico("banxico_SF43718_oportuno.json"))
    bench.serve("ecb", servers.ecb)
    bench.set("BANXICO_TOKEN", "two\nlines")
    report = update(bench)
    assert not bank.requests
    assert "BANXICO_TOKEN" in report.errors["banxico"].message()


def test_both_fail_and_the_stored_rate_stays(bench: Bench) -> None:
    server = bench.serve("ecb", servers.ecb)
    first = update(bench).rate
    server.answer = lambda _: Reply(b"", status=500)
    report = update(bench, date(2026, 12, 2), limits=HASTY)
    assert set(report.errors) == {"ecb"}
    assert report.rate == first
    assert not report.new


ECB_FAULTS = {
    b"<html>": b"<html><body>Sign in</body></html>",
    b"no XML": b"USD;MXN",
    b"half": sample("fx/ecb_eurofxref-daily.xml")[:200],
    b"no peso": sample("fx/ecb_eurofxref-daily.xml").replace(b"MXN", b"XXX"),
    b"zero": sample("fx/ecb_eurofxref-daily.xml").replace(b"21.1237", b"0"),
    b"NaN": sample("fx/ecb_eurofxref-daily.xml").replace(b"21.1237", b"NaN"),
    b"dollar zero": sample("fx/ecb_eurofxref-daily.xml").replace(b"1.1172", b"0.0"),
    b"absurd": sample("fx/ecb_eurofxref-daily.xml").replace(b"21.1237", b"99999"),
    b"no day": sample("fx/ecb_eurofxref-daily.xml").replace(b"time=", b"when="),
    b"bad day": sample("fx/ecb_eurofxref-daily.xml").replace(b"2026-10-30", b"2026-10-32"),
    b"entities": b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>',
}


@pytest.mark.parametrize("document", ECB_FAULTS.values(), ids=[k.decode() for k in ECB_FAULTS])
def test_an_ecb_document_that_cannot_be_used(document: bytes) -> None:
    with pytest.raises(FeedError) as refused:
        ecb.read(document)
    assert refused.value.message().count("\n") == 0


def test_the_cross_agrees_with_the_published_ones() -> None:
    """A document made of the newest row's rates gives the row's cross."""
    with (SAMPLES / "fx" / "usd_mxn_ecb_2026-08_to_2026-10.csv").open() as file:
        rows = {row["date"]: Decimal(row["usd_mxn"]) for row in csv.DictReader(file)}
    rate = ecb.read(sample("fx/ecb_eurofxref-daily.xml"))
    assert rate.usd_mxn == rows[rate.day.isoformat()] == Decimal("18.9077")


def test_a_corrected_rate_replaces_the_first_and_a_jump_is_seen(bench: Bench) -> None:
    server = bench.serve("ecb", servers.ecb)
    update(bench)
    text = sample("fx/ecb_eurofxref-daily.xml").replace(b"21.1237", b"25.1237")
    later = text.replace(b"2026-10-30", b"2026-11-30")
    server.answer = lambda _: Reply(later, content_type="text/xml")
    report = update(bench, date(2026, 12, 1))
    assert report.jump_pct is not None
    assert report.jump_pct.quantize(Decimal("0.1")) == Decimal("18.9")


@pytest.mark.parametrize("variable", ["COSTCALC_BANXICO_ENDPOINT", "COSTCALC_ECB_ENDPOINT"])
def test_plain_http_is_for_this_machine_only(bench: Bench, variable: str) -> None:
    bench.set(variable, "http://example.com")
    with pytest.raises(InputError) as refused:
        update(bench)
    assert variable in refused.value.message()
    assert not Path(bench.path).exists()


def test_an_answer_for_the_far_future_is_no_rate_of_today(bench: Bench) -> None:
    bench.serve("banxico", answer_with(points(DOF, ("30/11/2027", "18.5"))))
    bench.serve("ecb", servers.ecb)
    bench.set("BANXICO_TOKEN", TOKEN)
    report = update(bench)
    assert "no rate" in report.errors["banxico"].message()
