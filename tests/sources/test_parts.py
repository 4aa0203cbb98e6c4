"""The small parts: numbers, addresses, waiting, secrets, paging, long CSV files."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources import servers
from sources.bench import FIRST_DAY, PATIENT, ROOT, Bench, fails
from sources.servers import Reply

from costcalc import messages
from costcalc.errors import InputError
from costcalc.messages import LANGUAGES
from costcalc.sources import amounts, endpoints
from costcalc.sources.csvstream import records
from costcalc.sources.faults import FeedError, excerpt, redact, secrets_of
from costcalc.sources.feeds import FEEDS
from costcalc.sources.history import series_of, sparkline
from costcalc.sources.limits import Limits, Pulse
from costcalc.sources.paging import Pages
from costcalc.sources.web import Answer, Web, parse_json, retry_after

# -- numbers -------------------------------------------------------------------------------------


@given(st.decimals(min_value=0, max_value=10**6, places=10))
def test_a_price_keeps_its_value_and_loses_its_zeros(usd: Decimal) -> None:
    found = amounts.price(str(usd), "row")
    assert found == usd
    assert "E+" not in str(found)
    plain = format(found, "f")
    assert not (plain.endswith("0") and "." in plain)


@pytest.mark.parametrize(
    "value", ["", None, "free", "NaN", "sNaN", "Infinity", "-1", True, 1.5, [], {}, "1e99", "1,5"]
)
def test_no_price(value: object) -> None:
    with pytest.raises(FeedError):
        amounts.price(value, "row")


@given(st.decimals(min_value=Decimal("0.01"), max_value=10**4, places=4), st.integers(1, 72))
def test_the_share_of_one_accelerator(usd: Decimal, count: int) -> None:
    share = amounts.per_accelerator(usd, count)
    assert abs(share * count - usd) <= Decimal("1e-7") * count


@given(st.decimals(min_value=0, max_value=10**6, places=2), st.integers(1, 26280))
def test_a_quotient_is_exact_to_nine_places(total: Decimal, parts: int) -> None:
    assert abs(amounts.quotient(total, parts) - total / parts) <= Decimal("5e-10")


# -- JSON ----------------------------------------------------------------------------------------


def test_json_numbers_keep_their_digits() -> None:
    found = parse_json(Answer(b'{"a": 9.796550569000001, "b": 8}', "application/json"))
    assert found == {"a": Decimal("9.796550569000001"), "b": 8}


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"a": [1, 2', "breaks off"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "Infinity"),
        (b"<html>", "web page"),
        (b"  <!DOCTYPE html>", "web page"),
        (b"\xff\xfe\x00", "no JSON"),
        (b'{"a": 1} {"b": 2}', "no JSON"),
        (b"", "breaks off"),
        (b"[" * 100_000, ""),
        (b'{"a": ' + b"9" * 5000 + b"}", "no JSON"),
    ],
)
def test_what_is_no_json(body: bytes, words: str) -> None:
    with pytest.raises(FeedError) as refused:
        parse_json(Answer(body, "application/json"))
    assert words in refused.value.message()
    assert len(refused.value.message()) < 300


# -- addresses -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://prices.example.com", "https://prices.example.com"),
        ("https://prices.example.com/mirror/", "https://prices.example.com/mirror"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://localhost:1", "http://localhost:1"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("http://127.8.9.1", "http://127.8.9.1"),
    ],
)
def test_acceptable_addresses(url: str, base: str) -> None:
    assert endpoints.AZURE.base({"COSTCALC_AZURE_ENDPOINT": url}) == base


@pytest.mark.parametrize(
    "url",
    [
        "http://prices.azure.com",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://10.0.0.1",
        "http://[::2]",
        "http://0.0.0.0:80",
        "ftp://127.0.0.1",
        "127.0.0.1:8080",
        "https://",
        "https://host:port",
        "https://host/?x=1",
        "https://host/#x",
        "file:///etc/passwd",
    ],
)
def test_refused_addresses(url: str) -> None:
    with pytest.raises(InputError) as refused:
        endpoints.AZURE.base({"COSTCALC_AZURE_ENDPOINT": url})
    assert "COSTCALC_AZURE_ENDPOINT" in refused.value.message()


def test_credentials_in_an_address_are_refused_and_not_repeated() -> None:
    with pytest.raises(InputError) as refused:
        endpoints.OCI.base({"COSTCALC_OCI_ENDPOINT": "https://user:hunter2@example.com"})
    assert "hunter2" not in refused.value.message()


def test_the_aws_sdk_does_not_send_signed_requests_in_the_clear(bench: Bench) -> None:
    bench.serve("aws", servers.aws)
    bench.set("AWS_ENDPOINT_URL_PRICING", "http://pricing.example.com")
    with pytest.raises(InputError) as refused:
        bench.fetch("aws-on-demand", regions=("us-east-1",))
    assert "AWS_ENDPOINT_URL_PRICING" in refused.value.message()


def test_an_endpoint_in_the_aws_config_file_is_looked_at_too(bench: Bench, tmp_path: Path) -> None:
    bench.serve("aws", servers.aws)
    config = tmp_path / "aws-config"
    config.write_text("[default]\nendpoint_url = http://pricing.example.com\n")
    bench.set("AWS_CONFIG_FILE", str(config))
    bench.monkeypatch.delenv("AWS_ENDPOINT_URL_PRICING")
    del bench.environ["AWS_ENDPOINT_URL_PRICING"]
    assert fails(bench.fetch("aws-on-demand", regions=("us-east-1",)), "plain http")


# -- waiting -------------------------------------------------------------------------------------


def test_how_long_a_busy_server_asks_to_wait() -> None:
    assert retry_after({"retry-after": "30"}) == 30
    dated = {
        "retry-after": "Tue, 01 Dec 2026 14:06:00 GMT",
        "date": "Tue, 01 Dec 2026 14:05:00 GMT",
    }
    assert retry_after(dated) == 60
    assert retry_after({"retry-after": "Tue, 01 Dec 2026 14:06:00 GMT"}) is None
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_waits_double_and_end(bench: Bench) -> None:
    waits: list[float] = []
    server = bench.serve("oci", lambda _: Reply(b"{}", status=503))
    pulse = Pulse(Limits(attempts=4), sleep=waits.append)
    with Web(pulse) as web, pytest.raises(FeedError) as refused:
        web.get_json(server.url)
    assert waits == [1, 2, 4]
    assert "over 4 attempts" in refused.value.message()
    assert len(server.requests) == 4


def test_a_wait_that_the_server_names_is_kept(bench: Bench) -> None:
    waits: list[float] = []
    server = bench.serve("oci", lambda _: Reply(b"{}", status=429, headers={"Retry-After": "7"}))
    with Web(Pulse(Limits(attempts=2), sleep=waits.append)) as web, pytest.raises(FeedError):
        web.get_json(server.url)
    assert waits == [7]
    server.answer = lambda _: Reply(b"{}", status=429, headers={"Retry-After": "7200"})
    with Web(Pulse(Limits(), sleep=waits.append)) as web, pytest.raises(FeedError) as refused:
        web.get_json(server.url)
    assert "asks to wait 7200 s" in refused.value.message()
    assert waits == [7]


def test_a_redirection_is_not_followed(bench: Bench) -> None:
    target = bench.serve("azure", servers.azure)
    server = bench.serve("oci", lambda _: Reply(b"", status=302, headers={"Location": target.url}))
    with Web(Pulse(PATIENT)) as web, pytest.raises(FeedError) as refused:
        web.get_json(server.url)
    assert "302" in refused.value.message()
    assert not target.requests


def test_an_answer_without_end_is_refused(bench: Bench) -> None:
    server = bench.serve("oci", lambda _: Reply(b"[" + b"1," * 500_000))
    with Web(Pulse(replace(PATIENT, answer_bytes=100_000))) as web, pytest.raises(FeedError) as no:
        web.get_json(server.url)
    assert "larger than" in no.value.message()


def test_a_proxy_of_the_environment_does_not_get_requests_to_this_machine(bench: Bench) -> None:
    proxy = bench.serve("azure", servers.azure)
    bench.serve("oci", servers.oci)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        bench.set(name, proxy.url)
    assert bench.fetch("oci").error is None
    assert not proxy.requests


# -- secrets -------------------------------------------------------------------------------------


def test_text_from_outside_is_made_safe() -> None:
    environ = {"BANXICO_TOKEN": "tok-en-123456", "GOOGLE_API_KEY": "", "HOME": "/root"}
    secrets = secrets_of(environ)
    assert secrets == ("tok-en-123456",)
    assert redact("bad tok-en-123456!", secrets) == "bad ***!"
    shown = excerpt("line\x1b[31m\n\u2028 two tok-en-123456 " + "x" * 500, secrets)
    assert shown.startswith("line [31m two *** x")
    assert len(shown) == 160


# -- paging --------------------------------------------------------------------------------------


def test_paging_stops_at_what_was_read_before() -> None:
    pages = Pages(Pulse(replace(PATIENT, pages=3)))
    pages.turn("a", ("row",))
    with pytest.raises(FeedError):
        pages.turn("b", ("row",))
    pages = Pages(Pulse(PATIENT))
    pages.turn("a", None)
    pages.turn("b", None)
    with pytest.raises(FeedError):
        pages.turn("a", None)


# -- long CSV files ------------------------------------------------------------------------------

fields = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=12)


@settings(max_examples=200)
@given(
    st.lists(st.lists(fields, min_size=3, max_size=3), max_size=12),
    st.integers(1, 60),
    st.booleans(),
)
def test_the_stream_agrees_with_the_csv_module(
    rows: list[list[str]], size: int, final_newline: bool
) -> None:
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(["SKU", "Name", "Price"])
    writer.writerows(rows)
    data = ('"Version","1"\n' + text.getvalue()).encode()
    if not final_newline:
        data = data.removesuffix(b"\n")
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert [list(row.values()) for row in records(pieces, (), b'"SKU",')] == rows
    wanted = [row for row in rows if '"ab"' in ",".join(f'"{field}"' for field in row)]
    found = [list(row.values()) for row in records(pieces, (b'"ab"',), b'"SKU",')]
    assert [row for row in wanted if "ab" in row] == [row for row in found if "ab" in row]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<html>not a price list</html>", "no header"),
        (b"", "no header"),
        (b'"SKU","A"\n"1","2","3"\n', "fields"),
        (b'"SKU","A"\n"1","open', "without an end"),
        (b'"SKU","A"\n"1","open\nmore\n', "without an end"),
        (b'"SKU","A"\n"1","\xff"\n', "utf-8"),
    ],
)
def test_what_is_no_price_file(data: bytes, words: str) -> None:
    with pytest.raises(ValueError) as refused:
        list(records([data], (), b'"SKU",'))
    assert words in str(refused.value)


def test_a_line_without_an_end_does_not_fill_the_memory() -> None:
    def endless() -> Iterator[bytes]:
        yield b'"SKU","A"\n'
        while True:
            yield b"x" * 65536

    with pytest.raises(ValueError):
        list(records(endless(), (), b'"SKU",'))


def test_a_price_file_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """24 MB in a process of its own: the peak does not grow with the file."""
    script = ROOT / "benchmarks" / "bulk_csv.py"
    warm_up = f"import sys; sys.path.insert(0, {str(script.parent)!r}); import bulk_csv; "
    subprocess.run([sys.executable, "-c", warm_up + "bulk_csv.warm_up()"], check=True, cwd=ROOT)
    peaks = {}
    for megabytes in (4, 24):
        path = tmp_path / f"{megabytes}.csv"
        code = warm_up + (
            f"bulk_csv.write_file(open({str(path)!r}, 'w', newline=''), {megabytes}_000_000)"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
        seen = {}
        for reader in ("feed", "csv.DictReader"):
            command = [sys.executable, str(script), "--measure", reader, "--keep", str(path)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
            seen[reader] = json.loads(answer.stdout)
        assert seen["feed"]["found"] == seen["csv.DictReader"]["found"]
        assert seen["feed"]["found"]["p5.48xlarge on-demand"] == "55.04"
        peaks[megabytes] = seen["feed"]["peak_mib"]
    assert peaks[24] < 150
    assert peaks[24] < peaks[4] + 14


def test_a_price_file_that_is_cut_off_or_trickles(bench: Bench) -> None:
    body = servers.sample("aws/bulk_csv_head.csv")
    server = bench.serve("bulk", lambda _: Reply(body, content_type="text/csv", cut=900))
    regions = ("us-east-1",)
    assert fails(bench.fetch("aws-on-demand", regions=regions), "broke off")
    server.answer = lambda _: Reply(body, content_type="text/csv", drip=0.05)
    hasty = replace(PATIENT, silence_seconds=0.3)
    outcome = bench.fetch("aws-on-demand", regions=regions, limits=hasty)
    assert fails(outcome, "bytes per second")
    server.answer = lambda _: Reply(b"<html></html>", content_type="text/html")
    assert fails(bench.fetch("aws-on-demand", regions=regions), "no price list")
    server.answer = lambda _: Reply(b"", status=404)
    assert fails(bench.fetch("aws-on-demand", regions=regions), "404")
    assert not bench.prices()


# -- history -------------------------------------------------------------------------------------


def test_sparklines() -> None:
    values = [Decimal(text) for text in ("98.32", "55.04", "0", "55.04", "76.7")]
    assert sparkline(values) == "█▁·▁▄"
    assert sparkline([Decimal(5)] * 3) == "▄▄▄"
    assert sparkline([Decimal(0)]) == "·"


def test_the_history_of_the_catalog(bench: Bench) -> None:
    offers = [
        held
        for held in bench.catalog.dated_offers(FIRST_DAY).of_instance_type("p5.48xlarge")
        if held.region == "us-east-1" and held.purchase == "capacity-block"
    ]
    (series,) = series_of(offers, FIRST_DAY)
    assert [str(point.usd) for point in series.points] == ["39.33", "31.464"]
    # the page announced its own end, long before the next price was seen
    assert series.points[0].gone
    assert series.points[0].until == series.points[0].offer.ended
    assert series.points[1].until is None
    assert series.change_pct is not None
    assert round(series.change_pct) == -20
    assert len(series_of(offers, offers[0].as_of)) == 1


# -- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_feed_finding_and_reason_has_words(language: str) -> None:
    known = messages.area(language, "sources")
    for feed in FEEDS:
        assert f"feed_{feed.id}" in known
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "costcalc/sources").glob("*.py")
    )
    codes = set(re.findall(r'\.(?:find|doubt)\(\s*"([a-z_]+)"', source))
    assert len(codes) >= 8
    for code in codes:
        assert f"found_{code}" in known
    for key in set(re.findall(r'"sources\.([a-z_]+)"', source)):
        assert key in known
