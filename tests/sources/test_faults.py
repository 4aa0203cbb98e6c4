"""Every fault of a source leaves that feed as it was and is told in one sentence."""

from __future__ import annotations

import json
import ssl
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sources import servers
from sources.bench import HASTY, PATIENT, Bench, fails
from sources.servers import Answer, Reply, Request, as_json, sample_json

GOOD: dict[str, tuple[str, Answer, tuple[str, ...] | None]] = {
    "aws-on-demand": ("aws", servers.aws, ("us-east-1",)),
    "aws-spot": ("aws", servers.aws, ("us-east-2",)),
    "aws-savings-plans": ("aws", servers.aws, ("us-east-1",)),
    "aws-capacity-blocks": ("aws", servers.aws, ("us-east-2",)),
    "gcp-compute": ("gcp", servers.gcp, None),
    "azure": ("azure", servers.azure, None),
    "oci": ("oci", servers.oci, None),
}


def spoiled(change: Callable[[Reply], Reply]) -> Callable[[Answer], Answer]:
    """A server whose every answer is changed."""
    return lambda good: lambda request: change(good(request))


def refusing(
    status: int, code: str, headers: dict[str, str] | None = None
) -> Callable[[Answer], Answer]:
    """A server that answers everything with an error, in the protocol of who asks."""

    def answer(request: Request) -> Reply:
        if "Action" in request.form:
            return replace(servers.ec2_error(code, "no", status), headers=headers or {})
        return Reply(b'{"message": "no"}', status=status, headers=headers or {})

    return lambda _: answer


FAULTS: dict[str, tuple[Callable[[Answer], Answer], tuple[str, ...]]] = {
    "403": (refusing(403, "UnauthorizedOperation"), ("access refused", "403")),
    "429": (refusing(429, "RequestLimitExceeded"), ("busy", "429")),
    "429 with a long Retry-After": (
        refusing(429, "RequestLimitExceeded", {"Retry-After": "7200"}),
        ("busy", "429"),
    ),
    "500": (refusing(500, "InternalError"), ("busy", "500", "InternalError")),
    "no answer": (
        spoiled(lambda reply: replace(reply, hang=3)),
        ("no answer within", "no progress"),
    ),
    "one byte a second": (
        spoiled(lambda reply: replace(reply, drip=0.1)),
        ("not complete after", "no progress"),
    ),
    "broken off": (
        spoiled(lambda reply: replace(reply, cut=len(reply.body) // 2)),
        # the AWS SDK takes half an answer for a whole one: it shows in what is missing
        ("broke off", "cut off", "SDK reports"),
    ),
    "truncated": (
        spoiled(lambda reply: replace(reply, body=reply.body[: len(reply.body) // 2])),
        ("breaks off", "JSON", "format", "SDK reports"),
    ),
    "a web page": (
        lambda _: (
            lambda __: Reply(b"<!DOCTYPE html><html>Sign in</html>", content_type="text/html")
        ),
        ("web page", "JSON", "format", "SDK reports"),
    ),
}


SLOW = ("no answer", "one byte a second")

# Capacity Blocks go through the same client as spot prices
CASES = [
    (feed, fault)
    for feed in GOOD
    for fault in FAULTS
    if feed != "aws-capacity-blocks" or fault in ("403", "truncated")
]


@pytest.mark.parametrize(("feed", "fault"), CASES)
def test_a_fault_leaves_the_feed_as_it_was(bench: Bench, feed: str, fault: str) -> None:
    source, good, regions = GOOD[feed]
    server = bench.serve(source, good)
    assert bench.fetch(feed, regions=regions).error is None
    before = bench.prices(day=9)
    assert before
    spoil, words = FAULTS[fault]
    server.answer = spoil(good)
    # only a server that keeps one waiting needs short limits; a busy machine needs long ones
    limits = HASTY if fault in SLOW else PATIENT
    outcome = bench.fetch(feed, regions=regions, day=1, limits=limits)
    assert fails(outcome, lambda text: any(word in text for word in words))
    assert bench.prices(day=9) == before


@pytest.mark.parametrize("feed", GOOD)
def test_a_server_that_is_gone(bench: Bench, feed: str) -> None:
    source, good, regions = GOOD[feed]
    bench.serve(source, good)
    bench.stack.close()
    assert fails(bench.fetch(feed, regions=regions, limits=PATIENT), "cannot be reached")


def test_other_feeds_are_stored_when_one_fails(bench: Bench) -> None:
    bench.serve("azure", servers.azure)
    bench.serve("oci", lambda _: Reply(b"", status=500))
    azure, oci = bench.update("azure", "oci", limits=PATIENT)
    assert azure.error is None
    assert fails(oci, "busy")
    assert {offer.provider for offer in bench.prices().values()} == {"azure"}


# -- paging ------------------------------------------------------------------------------------


def looping(feed: str) -> Answer:
    """A list whose pages lead back to themselves, each time by another token."""
    count = 0

    def answer(request: Request) -> Reply:
        nonlocal count
        count += 1
        token = f"token-{count % 2}"
        if feed == "azure":
            page = sample_json("azure/retail_prices_page1.json")
            page["NextPageLink"] = f"https://prices.azure.com/api/retail/prices?$skip={count % 2}"
            return as_json(page)
        if feed == "gcp-compute":
            page = sample_json("gcp/list_skus_compute_page1.json")
            return as_json({**page, "nextPageToken": token})
        if feed == "aws-savings-plans":
            page = sample_json("aws/savingsplans_offering_rates.shape.json")
            return as_json({**page, "nextToken": token})
        page = sample_json("aws/get_products_us-east-1_page1.json")
        return as_json({**page, "NextToken": token})

    return answer


@pytest.mark.parametrize("feed", ["azure", "gcp-compute", "aws-savings-plans", "aws-on-demand"])
def test_pages_in_a_circle(bench: Bench, feed: str) -> None:
    source, _, regions = GOOD[feed]
    server = bench.serve(source, looping(feed))
    assert fails(bench.fetch(feed, regions=regions), "circle")
    assert len(server.requests) < 6


def test_pages_without_end(bench: Bench) -> None:
    def answer(request: Request) -> Reply:
        number = int(request.query.get("$skip", "0")) + 1
        page = sample_json("azure/retail_prices_empty.json")
        page["NextPageLink"] = f"https://prices.azure.com/api/retail/prices?$skip={number}"
        return as_json(page)

    bench.serve("azure", answer)
    assert fails(bench.fetch("azure", limits=replace(PATIENT, pages=12)), "more than 12 pages")


@pytest.mark.parametrize("feed", ["azure", "gcp-compute", "aws-on-demand"])
def test_the_second_page_is_missing(bench: Bench, feed: str) -> None:
    source, good, regions = GOOD[feed]
    server = bench.serve(source, good)
    assert bench.fetch(feed, regions=regions).error is None
    before = bench.prices()

    def answer(request: Request) -> Reply:
        second = "$skip" in request.query or "pageToken" in request.query
        if request.method == "POST":
            second = "NextToken" in request.json
        return Reply(b"gone", status=404) if second else good(request)

    server.answer = answer
    assert fails(bench.fetch(feed, regions=regions, day=1, limits=HASTY), "404")
    assert bench.prices() == before


def test_a_page_with_fewer_rows_than_it_says(bench: Bench) -> None:
    page = sample_json("azure/retail_prices_page1.json")
    bench.serve("azure", lambda _: as_json({**page, "Items": page["Items"][:2]}))
    assert fails(bench.fetch("azure"), "says that it holds 5 rows and holds 2")


def test_the_next_page_is_not_followed_to_another_host(bench: Bench) -> None:
    page = sample_json("azure/retail_prices_page1.json")
    page["NextPageLink"] = "https://prices.example.net/api/retail/prices?$skip=1000"
    server = bench.serve("azure", lambda _: as_json(page))
    assert fails(bench.fetch("azure"), "another host")
    assert len(server.requests) == 1


# -- what stands in the rows ---------------------------------------------------------------------


def azure_with(change: Callable[[dict[str, Any]], None]) -> Answer:
    """The Mexican rows, with the H200 row changed."""
    page = sample_json("azure/retail_prices_mexicocentral.json")
    change(page["Items"][0])
    return lambda _: as_json(page)


def oci_with(change: Callable[[dict[str, Any]], None]) -> Answer:
    """Oracle's list, with the H100 part changed."""
    page = sample_json("oci/products_usd.json")
    change(page["items"][0])
    return lambda _: as_json(page)


def google_with(change: Callable[[dict[str, Any]], None]) -> Answer:
    """Google's list, with the H100 SKU changed."""
    first = sample_json("gcp/list_skus_compute_page1.json")
    change(first["skus"][0])

    def answer(request: Request) -> Reply:
        return servers.gcp(request) if request.query.get("pageToken") else as_json(first)

    return answer


def aws_with(change: Callable[[dict[str, Any]], None]) -> Answer:
    """The price list, with the p5.48xlarge item of us-east-1 changed."""
    page = sample_json("aws/get_products_us-east-1_page1.json")
    item = json.loads(page["PriceList"][0])
    change(item)
    page["PriceList"][0] = json.dumps(item)
    page.pop("NextToken", None)
    return lambda _: as_json(page)


def _dimension(item: dict[str, Any]) -> dict[str, Any]:
    (term,) = item["terms"]["OnDemand"].values()
    (dimension,) = term["priceDimensions"].values()
    found: dict[str, Any] = dimension
    return found


def _usd(item: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = item["currencyCodeLocalizations"][0]
    return found


def _tiers(sku: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sku["pricingInfo"][0]["pricingExpression"]["tieredRates"]
    return found


ROWS: dict[str, tuple[str, Answer, str]] = {
    "azure: zero": (
        "azure",
        azure_with(lambda row: row.update(retailPrice=0, unitPrice=0)),
        "the price 0, and had a price before",
    ),
    "azure: NaN": (
        "azure",
        azure_with(lambda row: row.update(retailPrice=float("nan"))),
        "holds NaN",
    ),
    "azure: text": ("azure", azure_with(lambda row: row.update(retailPrice="free")), "no price"),
    "azure: negative": ("azure", azure_with(lambda row: row.update(retailPrice=-1)), "no price"),
    "azure: no price": ("azure", azure_with(lambda row: row.pop("retailPrice")), "has no price"),
    "azure: no region": (
        "azure",
        azure_with(lambda row: row.pop("armRegionName")),
        "has no armRegionName",
    ),
    "azure: no type": ("azure", azure_with(lambda row: row.pop("type")), "has no type"),
    "azure: other currency": (
        "azure",
        azure_with(lambda row: row.update(currencyCode="EUR")),
        "EUR instead of USD",
    ),
    "azure: other unit": (
        "azure",
        azure_with(lambda row: row.update(unitOfMeasure="100 Hours")),
        "sold by '100 Hours'",
    ),
    "oci: zero": (
        "oci",
        oci_with(lambda row: _usd(row)["prices"][0].update(value=0)),
        "the price 0, and had a price before",
    ),
    "oci: NaN": (
        "oci",
        oci_with(lambda row: _usd(row)["prices"][0].update(value=float("nan"))),
        "holds NaN",
    ),
    "oci: other currency": (
        "oci",
        oci_with(lambda row: _usd(row).update(currencyCode="MXN")),
        "MXN instead of USD",
    ),
    "oci: no price": ("oci", oci_with(lambda row: _usd(row).update(prices=[])), "has no price"),
    "oci: other metric": (
        "oci",
        oci_with(lambda row: row.update(metricName="Node Per Hour")),
        "sold by 'Node Per Hour'",
    ),
    "google: zero": (
        "gcp-compute",
        google_with(lambda sku: _tiers(sku)[0].update(unitPrice={"currencyCode": "USD"})),
        "the price 0, and had a price before",
    ),
    "google: other currency": (
        "gcp-compute",
        google_with(
            lambda sku: sku.update(sample_json("gcp/list_skus_mxn_example.json")["skus"][0])
        ),
        "MXN instead of USD",
    ),
    "google: no price": (
        "gcp-compute",
        google_with(lambda sku: sku.update(pricingInfo=[])),
        "has no price",
    ),
    "google: other unit": (
        "gcp-compute",
        google_with(lambda sku: sku["pricingInfo"][0]["pricingExpression"].update(usageUnit="mo")),
        "sold by 'mo'",
    ),
    "aws: zero": (
        "aws-on-demand",
        aws_with(lambda item: _dimension(item).update(pricePerUnit={"USD": "0.0000000000"})),
        "the price 0, and had a price before",
    ),
    "aws: no term": (
        "aws-on-demand",
        aws_with(lambda item: item["terms"].pop("OnDemand")),
        "the price 0, and had a price before",
    ),
    "aws: NaN": (
        "aws-on-demand",
        aws_with(lambda item: _dimension(item).update(pricePerUnit={"USD": "NaN"})),
        "'NaN', which is no price",
    ),
    "aws: other currency": (
        "aws-on-demand",
        aws_with(lambda item: _dimension(item).update(pricePerUnit={"EUR": "50.1"})),
        "EUR instead of USD",
    ),
    "aws: no region": (
        "aws-on-demand",
        aws_with(lambda item: item["product"]["attributes"].pop("regionCode")),
        "has no regionCode",
    ),
    "aws: no market option": (
        "aws-on-demand",
        aws_with(lambda item: item["product"]["attributes"].pop("marketoption")),
        "has no marketoption",
    ),
    "aws: no instance type": (
        "aws-on-demand",
        aws_with(lambda item: item["product"]["attributes"].pop("instanceType")),
        "has no instanceType",
    ),
}


@pytest.mark.parametrize("case", ROWS)
def test_a_row_that_cannot_be_trusted(bench: Bench, case: str) -> None:
    feed, bad, words = ROWS[case]
    source, good, regions = GOOD[feed]
    server = bench.serve(source, good)
    assert bench.fetch(feed, regions=regions).error is None
    before = bench.prices(day=9)
    server.answer = bad
    assert fails(bench.fetch(feed, regions=regions, day=1), words)
    assert bench.prices(day=9) == before


def test_billing_currency_is_checked_on_every_page(bench: Bench) -> None:
    page = {**sample_json("azure/retail_prices_page1.json"), "BillingCurrency": "MXN"}
    bench.serve("azure", lambda _: as_json(page))
    assert fails(bench.fetch("azure"), "MXN instead of USD")


def test_the_currency_is_asked_for_outside_the_filter(bench: Bench) -> None:
    server = bench.serve("azure", servers.azure)
    bench.fetch("azure", regions=("mexicocentral",))
    query = server.requests[0].query
    assert query["currencyCode"] == "'USD'"
    assert "currency" not in query["$filter"]
    assert "serviceName eq 'Virtual Machines'" in query["$filter"]
    assert "armRegionName eq 'mexicocentral'" in query["$filter"]
    assert query["api-version"] == "2023-01-01-preview"


def test_a_zero_for_what_was_never_sold_is_told_and_not_stored(bench: Bench) -> None:
    """A machine that is sold only by reservation has the list price 0: not sold, never free."""
    page = sample_json("aws/get_products_us-east-1_page1.json")
    item = json.loads(page["PriceList"][0])
    item["product"]["attributes"].update(instanceType="p5e.48xlarge", usagetype="BoxUsage:p5e")
    _dimension(item)["pricePerUnit"] = {"USD": "0.0000000000"}
    page["PriceList"].append(json.dumps(item))
    page.pop("NextToken", None)
    bench.serve("aws", lambda _: as_json(page))
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1",))
    assert outcome.error is None
    assert outcome.result is not None
    assert [finding.code for finding in outcome.result.findings] == ["not_sold"]
    assert not any(offer.instance_type == "p5e.48xlarge" for offer in bench.prices().values())


def test_a_list_that_lost_most_of_its_rows_is_refused_unless_accepted(bench: Bench) -> None:
    server = bench.serve("gcp", servers.gcp)
    assert bench.fetch("gcp-compute").error is None
    first = {**sample_json("gcp/list_skus_compute_page2.json"), "nextPageToken": ""}
    server.answer = lambda _: as_json(first)
    assert fails(bench.fetch("gcp-compute", day=1), "of 25 known prices are missing")
    assert len(bench.prices(day=9)) == 25
    accepted = bench.fetch("gcp-compute", day=2, accept=True)
    assert accepted.changes is not None
    assert len(accepted.changes.vanished) > 12


def test_an_empty_answer_for_a_known_service_is_a_fault(bench: Bench) -> None:
    server = bench.serve("gcp", lambda _: as_json({"skus": []}))
    assert fails(bench.fetch("gcp-compute"), "lists no SKU for the service")
    server.answer = lambda _: as_json({})
    assert fails(bench.fetch("gcp-tpu"), "lists no SKU for the service")


@pytest.mark.parametrize("feed", ["azure", "oci"])
def test_an_empty_list_is_a_fault(bench: Bench, feed: str) -> None:
    source = GOOD[feed][0]
    empty = {**sample_json("azure/retail_prices_empty.json"), "items": []}
    bench.serve(source, lambda _: as_json(empty))
    assert fails(bench.fetch(feed), "came back empty")


def test_a_region_that_lost_all_its_prices_is_a_fault(bench: Bench) -> None:
    server = bench.serve("aws", many_types("us-east-1"))
    assert bench.fetch("aws-on-demand", regions=("us-east-1",)).error is None
    server.answer = lambda _: as_json({"FormatVersion": "aws_v1", "PriceList": []})
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1",), day=1)
    assert fails(outcome, "known prices of us-east-1 are missing")


def many_types(region: str) -> Answer:
    """The price list of a region with six sizes of one family."""
    page = sample_json("aws/get_products_us-east-1_page1.json")
    template = json.loads(page["PriceList"][0])
    items = []
    for size in ("xlarge", "2xlarge", "4xlarge", "8xlarge", "16xlarge", "12xlarge"):
        item = json.loads(json.dumps(template))
        count = "4" if size == "12xlarge" else "1"
        attributes = item["product"]["attributes"]
        attributes.update(instanceType=f"g6e.{size}", regionCode=region, gpu=count)
        item["product"]["sku"] = f"SKU{size}"
        _dimension(item)["pricePerUnit"] = {"USD": "7.5" if count == "4" else "2.5"}
        items.append(json.dumps(item))
    return lambda _: as_json({"FormatVersion": "aws_v1", "PriceList": items})


# -- what a busy server asks -----------------------------------------------------------------------


@pytest.mark.parametrize("feed", ["azure", "oci", "gcp-compute"])
def test_a_busy_server_is_asked_again_after_the_time_it_names(bench: Bench, feed: str) -> None:
    source, good, _ = GOOD[feed]
    refused = 0

    def answer(request: Request) -> Reply:
        nonlocal refused
        if not refused:
            refused += 1
            return Reply(b"{}", status=429, headers={"Retry-After": "0"})
        return good(request)

    bench.serve(source, answer)
    assert bench.fetch(feed).error is None
    assert refused == 1


# -- the connection ------------------------------------------------------------------------------


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate that nobody trusts."""
    code = """
import datetime, ipaddress, sys
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
now = datetime.datetime.now(datetime.UTC)
cert = (x509.CertificateBuilder().subject_name(name).issuer_name(name)
    .public_key(key.public_key()).serial_number(1)
    .not_valid_before(now - datetime.timedelta(days=1))
    .not_valid_after(now + datetime.timedelta(days=1))
    .add_extension(x509.SubjectAlternativeName(
        [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
    .sign(key, hashes.SHA256()))
with open(sys.argv[1], "wb") as out:
    out.write(key.private_bytes(serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    out.write(cert.public_bytes(serialization.Encoding.PEM))
"""
    path = tmp_path / "untrusted.pem"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    return path


@pytest.mark.parametrize("feed", ["azure", "oci", "gcp-compute", "aws-on-demand"])
def test_an_untrusted_certificate_is_refused(bench: Bench, feed: str, certificate: Path) -> None:
    source, good, regions = GOOD[feed]
    server = bench.serve(source, good)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.wrap(context)
    for name, value in list(bench.environ.items()):
        if value == server.url:
            bench.set(name, server.url.replace("http://", "https://"))
    if source == "gcp":
        bench.set("GOOGLE_API_KEY", "test-google-key")
    outcome = bench.fetch(feed, regions=regions, limits=PATIENT)
    assert fails(outcome, "no trusted TLS connection")
    assert not server.requests
