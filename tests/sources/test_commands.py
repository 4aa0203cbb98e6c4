"""The commands as a user runs them: update, history, export, rates, quotes on fetched prices."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from command import Result, Run
from sources import servers
from sources.bench import AWS_KEYS, ROOT, VARIABLES
from sources.servers import Answer, Reply, Request, Server, as_json, sample_json

from costcalc import catalog as catalogs

DAY = 86_400
NOON = 1_796_083_200 + 14 * 3600 + 300
SECRETS = {
    "BANXICO_TOKEN": "banxico-secret-0123456789",
    "GOOGLE_API_KEY": "google-secret-0123456789",
    "AWS_ACCESS_KEY_ID": "AKIASECRETSECRETSECRET",
    "AWS_SECRET_ACCESS_KEY": "aws/secret+0123456789",
    "AWS_SESSION_TOKEN": "session-secret-0123456789",
}
GOOD: dict[str, Answer] = {
    "aws": servers.aws,
    "gcp": servers.gcp,
    "azure": servers.azure,
    "oci": servers.oci,
    "banxico": servers.banxico("banxico_SF43718_range_with_NE.json"),
    "ecb": servers.ecb,
}


@dataclass
class World:
    """Servers of all sources, and the command line pointed at them, with its own data folder."""

    run: Run
    folder: Path
    stack: ExitStack
    servers: dict[str, Server] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)

    def __call__(
        self, *arguments: str, day: int = 0, env: Mapping[str, str] | None = None
    ) -> Result:
        whole = {**self.env, "SOURCE_DATE_EPOCH": str(NOON + day * DAY), **(env or {})}
        return self.run(*arguments, env=whole)

    @property
    def store(self) -> Path:
        return self.folder / "prices.sqlite3"


@pytest.fixture
def world(costcalc: Run, tmp_path: Path) -> Iterator[World]:
    with ExitStack() as stack:
        made = World(costcalc, tmp_path / "data", stack)
        for name, answer in GOOD.items():
            server = stack.enter_context(Server(answer))
            made.servers[name] = server
            for variable in VARIABLES[name]:
                made.env[variable] = server.url
        made.env.update(AWS_KEYS, COSTCALC_DATA_DIR=str(made.folder))
        yield made


@pytest.fixture(scope="module")
def filled_store(costcalc: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder after one `prices update` of all providers."""
    folder = tmp_path_factory.mktemp("filled")
    env = {"COSTCALC_DATA_DIR": str(folder), "SOURCE_DATE_EPOCH": str(NOON), **AWS_KEYS}
    with ExitStack() as stack:
        for name in ("aws", "gcp", "azure", "oci"):
            server = stack.enter_context(Server(GOOD[name]))
            env.update(dict.fromkeys(VARIABLES[name], server.url))
        answer = costcalc("prices", "update", "--format", "json", env=env)
    assert answer.status == 0, answer.err
    assert answer.err == ""
    report = json.loads(answer.out)
    (folder / "report.json").write_text(json.dumps(report))
    return folder


@pytest.fixture
def filled(filled_store: Path, world: World) -> World:
    """A world whose store holds the first day's prices."""
    shutil.copytree(filled_store, world.folder)
    return world


def offers(world: World, *arguments: str, day: int = 0) -> list[dict[str, Any]]:
    answer = world("prices", "list", "--format", "json", *arguments, day=day)
    assert answer.status == 0, answer.err
    found: list[dict[str, Any]] = json.loads(answer.out)
    return found


# -- update ----------------------------------------------------------------------------------------


def test_the_report_of_an_update(filled_store: Path) -> None:
    report = json.loads((filled_store / "report.json").read_text())
    feeds = {feed["feed"]: feed for feed in report["feeds"]}
    assert list(feeds) == [
        "aws-on-demand",
        "aws-spot",
        "aws-savings-plans",
        "aws-capacity-blocks",
        "gcp-compute",
        "gcp-tpu",
        "azure",
        "oci",
    ]
    assert {feed["status"] for feed in feeds.values()} == {"stored"}
    assert feeds["aws-on-demand"]["prices"] == 9
    # told against the catalog: most of these prices are known, a few moved
    assert feeds["aws-on-demand"]["changed"] == 0
    moved = {(row["instance_type"], row["purchase"]) for row in report["changed"]}
    assert ("p5.48xlarge", "spot") in moved
    assert ("Standard_ND96isr_H200_v5", "on-demand") not in moved
    assert all(row["before_usd_per_instance_hour"] > 0 for row in report["changed"])
    assert report["vanished"] == []


def test_quotes_use_what_was_fetched_and_say_so(filled: World) -> None:
    arguments = ("train", "--model", "llama-3.1-8b", "--on", "tpu-v5p:8", "--tokens", "1B")
    place = ("--provider", "gcp", "--region", "us-east5")
    quote = json.loads(filled(*arguments, *place, "--format", "json").out)
    offer = quote["workloads"][0]["offer"]
    assert offer["usd_per_instance_hour"] == 16.8
    assert offer["as_of"] == "2026-12-01"
    assert offer["source"].startswith("fetched 2026-12-01 14:05 UTC: Google Cloud Billing")
    assert quote["catalog"]["prices_newest"] == "2026-12-01"
    text = filled(*arguments, *place).out
    assert "fetched 2026-12-01 14:05 UTC, listed" in text
    before = filled(*arguments, *place, "--as-of", "2026-11-30").out
    assert "shipped 2026-02-15, listed" in before
    assert "fetched" not in before.split("Catalog")[0]


def test_mexico_on_the_fetched_price(filled: World) -> None:
    answer = filled(
        *("train", "--model", "llama-3.1-8b", "--on", "h200:8", "--tokens", "1B"),
        *("--region", "queretaro", "--format", "json"),
    )
    offer = json.loads(answer.out)["workloads"][0]["offer"]
    assert (offer["provider"], offer["region"]) == ("azure", "mexicocentral")
    assert offer["usd_per_instance_hour"] == 93.28
    assert "fetched 2026-12-01" in offer["source"]


def test_a_failed_feed_exits_5_and_keeps_its_prices(filled: World) -> None:
    filled.servers["oci"].answer = lambda _: Reply(b"", status=403)
    answer = filled("prices", "update", "--provider", "oci", "--provider", "azure", day=1)
    assert answer.status == 5
    assert answer.err.count("\n") == 1
    assert "Oracle OCI: access refused" in answer.err
    assert "Its stored prices stay as they were." in answer.err
    assert "Oracle OCI" in answer.out
    held = filled(
        "train", "--model", "llama-3.1-8b", "--on", "BM.GPU.H100.8", "--tokens", "1B", day=1
    )
    assert "fetched 2026-12-01 14:05 UTC" in held.out


def test_several_failures_are_told_one_by_one(world: World) -> None:
    for name in ("oci", "azure"):
        world.servers[name].answer = lambda _: Reply(b"<html>", content_type="text/html")
    answer = world(
        *("prices", "update", "--provider", "oci", "--provider", "azure"),
        env={"LC_ALL": "es_MX.UTF-8"},
    )
    assert answer.status == 5
    lines = answer.err.splitlines()
    assert len(lines) == 3
    assert all("llegó una página web" in line for line in lines[:2])
    assert "fuentes que fallaron: 2 de 2" in lines[2]


def test_only_the_region_that_was_asked(world: World) -> None:
    answer = world("prices", "update", "--region", "queretaro", "--format", "json")
    assert answer.status == 0, answer.err
    queries = [request.query["$filter"] for request in world.servers["azure"].requests]
    assert all("armRegionName eq 'mexicocentral'" in query for query in queries)
    report = json.loads(answer.out)
    assert {row["region"] for row in report["new"] + report["changed"]} <= {"mexicocentral", None}


def test_only_the_feed_that_was_asked(world: World) -> None:
    answer = world("prices", "update", "--feed", "gcp-tpu", "--feed", "oci", "--format", "json")
    assert answer.status == 0, answer.err
    assert [feed["feed"] for feed in json.loads(answer.out)["feeds"]] == ["gcp-tpu", "oci"]
    assert len(world.servers["gcp"].requests) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--feed", "aws-spots"), "aws-spot"),
        (("--provider", "azur"), "azure"),
        (("--region", "atlantis"), "atlantis"),
        (("--provider", "oci", "--region", "us-east5"), "us-east5"),
        (("--timeout", "soon"), "--timeout"),
        (("--format", "xml"), "xml"),
    ],
)
def test_wrong_usage(world: World, arguments: tuple[str, ...], words: str) -> None:
    answer = world("prices", "update", *arguments)
    assert answer.status == 2
    assert words in answer.err
    assert not world.store.exists()


def test_plain_http_elsewhere_is_wrong_usage(world: World) -> None:
    answer = world("prices", "update", env={"COSTCALC_OCI_ENDPOINT": "http://example.com"})
    assert answer.status == 2
    assert "COSTCALC_OCI_ENDPOINT" in answer.err
    assert not any(server.requests for server in world.servers.values())


def test_a_source_that_never_ends_is_given_up(world: World) -> None:
    body = servers.sample("oci/products_usd.json")
    world.servers["oci"].answer = lambda _: Reply(body, drip=0.2)
    started = time.monotonic()
    answer = world("prices", "update", "--provider", "oci", "--timeout", "500ms")
    assert answer.status == 5
    assert "not complete after 1 s" in answer.err
    assert time.monotonic() - started < 20


def test_nothing_of_a_credential_is_told_or_kept(world: World) -> None:
    """Each server sends back whatever it was sent, in every way that a message could carry it."""

    def mirror(status: int) -> Answer:
        def answer(request: Request) -> Reply:
            sent = " ".join([*request.headers.values(), *request.query.values(), *SECRETS.values()])
            body = {"error": {"mensaje": sent, "detalle": sent, "message": sent, "code": status}}
            body["message"] = sent  # type: ignore[assignment]
            body["__type"] = "AccessDeniedException"  # type: ignore[assignment]
            if "Action" in request.form:
                return servers.ec2_error("UnauthorizedOperation", sent.replace("<", ""), status)
            return replace_status(as_json(body), status)

        return answer

    def replace_status(reply: Reply, status: int) -> Reply:
        reply.status = status
        return reply

    outputs: list[str] = []
    for status, form in ((400, "json"), (403, "table"), (200, "json")):
        for server in world.servers.values():
            server.answer = mirror(status)
        for command in (("prices", "update"), ("fx", "update")):
            answer = world(*command, "--format", form, "--timeout", "5s", env=SECRETS)
            assert answer.status == 5
            outputs += [answer.out, answer.err]
    for name, server in world.servers.items():
        server.answer = GOOD[name]
        if name == "oci":
            page = sample_json("oci/products_usd.json")
            page["items"].append(
                {**page["items"][0], "partNumber": "B1", "displayName": " ".join(SECRETS.values())}
            )
            server.answer = lambda _, page=page: as_json(page)
    answer = world("prices", "update", "--provider", "oci", env=SECRETS)
    outputs += [answer.out, answer.err]
    world("fx", "update", env=SECRETS)
    kept = b"".join(file.read_bytes() for file in world.folder.rglob("*") if file.is_file())
    text = "\n".join(outputs)
    for name, secret in SECRETS.items():
        assert secret not in text, name
        assert secret.encode() not in kept, name


def test_a_damaged_store_is_set_aside_by_an_update(filled: World) -> None:
    content = b"no database" * 100
    filled.store.write_bytes(content)
    quote = filled(
        *("train", "--model", "llama-3.1-8b", "--on", "h100:8", "--tokens", "1B"),
        *("--format", "json"),
    )
    assert quote.status == 0
    assert "store_unreadable" in quote.err
    warnings = json.loads(quote.out)["warnings"]
    assert [item["code"] for item in warnings].count("store_unreadable") == 1
    assert filled.store.read_bytes() == content
    answer = filled("prices", "update", "--provider", "oci")
    assert answer.status == 0, answer.err
    assert "was damaged. It is kept as" in answer.err
    (kept,) = filled.folder.glob("prices.sqlite3.damaged-*")
    assert kept.read_bytes() == content


# -- terminal and pipe -----------------------------------------------------------------------------


def test_progress_shows_on_a_terminal_only(world: World) -> None:
    piped = world("prices", "update", "--provider", "oci", "--provider", "azure")
    assert piped.err == ""
    assert "\x1b" not in piped.out

    def slow(answer: Answer) -> Answer:
        def wait(request: Request) -> Reply:
            reply = answer(request)
            reply.hang = 0.3
            return reply

        return wait

    world.servers["azure"].answer = slow(servers.azure)
    parent, child = pty.openpty()
    env = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": "100", **world.env}
    process = subprocess.Popen(
        [sys.executable, "-m", "costcalc.cli.main", "prices", "update", "--provider", "azure"],
        stdout=subprocess.DEVNULL,
        stderr=child,
        env=env,
        cwd=ROOT,
    )
    os.close(child)
    shown = b""
    while True:
        ready, _, _ = select.select([parent], [], [], 20)
        if not ready:
            break
        try:
            piece = os.read(parent, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(parent)
    assert process.wait() == 0
    assert b"Azure" in shown
    assert b"meters" in shown


# -- history and lists -------------------------------------------------------------------------


def test_the_history_of_a_price_over_catalog_and_store(filled: World) -> None:
    page = sample_json("azure/retail_prices_page1.json")
    page["Items"][0]["retailPrice"] = 88.5
    both = {**page, "NextPageLink": None}
    filled.servers["azure"].answer = lambda _: as_json(both)
    assert filled("prices", "update", "--provider", "azure", day=9).status == 0
    where = ("Standard_ND96isr_H100_v5", "--region", "eastus", "--purchase", "on-demand")
    table = filled("prices", "history", *where, day=10)
    assert table.status == 0
    assert "88.5 (2026-12-10)" in " ".join(table.out.split())
    rows = list(
        csv.DictReader(
            io.StringIO(filled("prices", "history", *where, "--format", "csv", day=10).out)
        )
    )
    assert [row["usd_per_instance_hour"] for row in rows][-2:] == ["98.32", "88.5"]
    assert rows[-2]["until"] == "2026-12-10"
    assert rows[-1]["until"] == ""
    assert rows[-1]["source"].startswith("fetched 2026-12-10 14:05 UTC: Azure Retail Prices")
    earlier = filled(
        "prices", "history", *where, "--format", "json", "--as-of", "2026-12-05", day=10
    )
    assert json.loads(earlier.out)[-1]["usd_per_instance_hour"] == 98.32
    gone = filled("prices", "history", "Standard_ND96isr_H200_v5", "--region", "mexico", day=10)
    assert "gone since 2026-12-10" in " ".join(gone.out.split())


def test_lists_cover_the_store_by_date_and_by_catalog(filled: World, tmp_path: Path) -> None:
    def listed(*arguments: str) -> list[tuple[str, str]]:
        where = ("--region", "queretaro", "--accelerator", "h200-sxm")
        return [(row["as_of"], row["source"][:7]) for row in offers(filled, *where, *arguments)]

    assert listed() == [("2026-12-01", "fetched")]
    assert listed("--as-of", "2026-11-30") == [("2026-06-18", "Azure/k")]
    folder = shutil.copytree(ROOT / "pricing", tmp_path / "own")
    assert listed("--catalog", str(folder)) == [("2026-12-01", "fetched")]
    shown = filled("prices", "show", "p5.48xlarge", "--region", "us-east-1", "--format", "json")
    rows = [row for row in json.loads(shown.out) if row["purchase"] == "on-demand"]
    assert [(row["as_of"], row["current"]) for row in rows] == [
        ("2026-07-20", False),
        ("2026-12-01", True),
    ]


def test_a_comparison_ranks_fetched_offers(filled: World) -> None:
    answer = filled(
        *("compare", "train", "--model", "llama-3.1-8b", "--tokens", "1B"),
        *("--on", "tpu-v5p:8", "--all-regions", "--format", "json"),
    )
    assert answer.status == 0, answer.err
    dates = {row["region"]: row["as_of"] for row in json.loads(answer.out)["offers"]}
    assert dates["us-east5"] == "2026-12-01"


def test_a_history_of_nothing(world: World) -> None:
    assert world("prices", "history", "p5.48xlargest").status == 2
    answer = world("prices", "history", "p5.48xlarge", "--region", "mx-central-1")
    assert answer.status == 4
    assert "p5.48xlarge" in answer.err


# -- export ----------------------------------------------------------------------------------------


@pytest.fixture
def pricing(tmp_path: Path) -> Path:
    """A copy of the catalog that may be written."""
    return Path(shutil.copytree(ROOT / "pricing", tmp_path / "pricing"))


def test_an_export_refreshes_a_catalog_folder(filled: World, pricing: Path) -> None:
    before = {file.name: file.read_text() for file in (pricing / "offers").glob("*.yaml")}
    answer = filled("prices", "export", "--output", str(pricing))
    assert answer.status == 0, answer.err
    assert "aws.yaml: prices added 12, ended 0" in answer.err
    assert "for review, moved +108.4%: aws p5.48xlarge us-east-2 spot" in answer.err
    for name, text in before.items():
        # nothing that stood there is gone or moved
        now = iter((pricing / "offers" / name).read_text().splitlines())
        assert all(line in now for line in text.splitlines()), name
    catalog = catalogs.load(pricing, cache_dir=filled.folder / "exported")
    day = catalog.prices_newest
    assert day.isoformat() == "2026-12-01"
    held = {offer.key: offer for offer in catalog.current_offers(day)}
    exported = [offer for offer in held.values() if offer.as_of == day]
    assert len(exported) == 62
    (h200,) = (
        offer for offer in exported if offer.region == "mexicocentral" and "H200" in str(offer)
    )
    assert str(h200.usd_per_instance_hour) == "93.28"
    assert "fetched 2026-12-01 14:05 UTC: Azure Retail Prices API" in h200.source
    again = filled("prices", "export", "--output", str(pricing), "--catalog", str(pricing))
    assert again.status == 4
    assert "no price that the catalog lacks" in again.err


def test_an_export_of_what_changed_and_what_is_gone(filled: World, pricing: Path) -> None:
    page = sample_json("azure/retail_prices_page1.json")
    page["Items"][0]["retailPrice"] = 60
    both = {**page, "NextPageLink": None}
    filled.servers["azure"].answer = lambda _: as_json(both)
    assert filled("prices", "update", "--provider", "azure", day=9).status == 0
    answer = filled("prices", "export", "--provider", "azure", "--output", str(pricing), day=10)
    assert answer.status == 0, answer.err
    words = " ".join(answer.err.split())
    assert "moved -39.0%: azure Standard_ND96isr_H100_v5 eastus on-demand 98.32 → 60 USD/h" in words
    assert (
        "no longer listed by the source since 2026-12-10: azure Standard_ND96isr_H200_v5" in words
    )
    catalog = catalogs.load(pricing, cache_dir=filled.folder / "exported")
    held = {
        (offer.instance_type, offer.region, offer.purchase): offer
        for offer in catalog.current_offers(catalog.prices_newest)
        if offer.provider == "azure"
    }
    assert held["Standard_ND96isr_H100_v5", "eastus", "on-demand"].usd_per_instance_hour == 60
    assert ("Standard_ND96isr_H200_v5", "mexicocentral", "on-demand") not in held
    assert ("Standard_ND96isr_H200_v5", "eastus2", "on-demand") in held


def test_an_export_to_stdout_is_a_catalog_file(filled: World, tmp_path: Path) -> None:
    answer = filled("prices", "export", "--provider", "oci")
    assert answer.status == 0
    folder = tmp_path / "catalog"
    shutil.copytree(ROOT / "pricing", folder)
    for file in (folder / "offers").glob("*.yaml"):
        file.unlink()
    (folder / "offers" / "oci.yaml").write_text(answer.out)
    catalog = catalogs.load(folder, cache_dir=tmp_path / "cache")
    prices = {offer.instance_type: offer.usd_per_accelerator_hour for offer in catalog.offers()}
    assert prices["BM.GPU.H100.8"] == 10
    several = filled("prices", "export")
    assert several.status == 0
    documents = several.out.split("---\n")
    assert [text.splitlines()[1] for text in documents] == [
        "provider: aws",
        "provider: azure",
        "provider: gcp",
        "provider: oci",
    ]
    fresh = tmp_path / "new" / "folder"
    assert filled("prices", "export", "--output", str(fresh)).status == 0
    assert sorted(file.name for file in (fresh / "offers").iterdir()) == [
        "aws.yaml",
        "azure.yaml",
        "gcp.yaml",
        "oci.yaml",
    ]
    assert (fresh / "offers" / "oci.yaml").read_text() == answer.out


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(("--output", "/dev/null/pricing"), 2), (("--provider", "lambda"), 2)],
)
def test_an_export_that_cannot_be(filled: World, arguments: tuple[str, ...], status: int) -> None:
    assert filled("prices", "export", *arguments).status == status


def test_nothing_to_export(world: World) -> None:
    answer = world("prices", "export")
    assert answer.status == 4
    assert "prices update" in answer.err


# -- rates -----------------------------------------------------------------------------------------


def test_the_rate_is_stored_and_used(world: World) -> None:
    first = world("fx", "update", "--format", "json", day=-30)
    assert first.status == 0, first.err
    assert json.loads(first.out)["rate"]["series"] == "ECB"
    token = {"BANXICO_TOKEN": SECRETS["BANXICO_TOKEN"]}
    world.servers["banxico"].answer = lambda _: as_json(
        {
            "bmx": {
                "series": [
                    {
                        "idSerie": "SF60653",
                        "datos": [{"fecha": "01/12/2026", "dato": "18.5025"}],
                    }
                ]
            }
        }
    )
    second = world("fx", "update", env={**token, "LC_ALL": "es_MX.UTF-8"})
    assert second.status == 0, second.err
    words = " ".join(second.out.split())
    assert "FIX publicado en el DOF el día hábil anterior (SF60653 de la fecha)" in words
    shown = json.loads(world("fx", "show", "--format", "json").out)[0]
    assert (shown["usd_mxn"], shown["date"], shown["age_days"]) == (18.5025, "2026-12-01", 0)
    quote = json.loads(
        world(
            *("train", "--model", "llama-3.1-8b", "--on", "h100:8", "--tokens", "1B"),
            *("--format", "json"),
        ).out
    )
    assert quote["fx"]["usd_mxn"] == 18.5025
    assert quote["fx"]["date"] == "2026-12-01"
    assert "SF60653: FIX published in the DOF on the previous business day" in quote["fx"]["source"]
    old = json.loads(world("fx", "show", "--format", "json", "--as-of", "2026-11-15").out)[0]
    assert (old["usd_mxn"], old["date"]) == (18.9077, "2026-10-30")


def test_an_old_rate_is_told_and_a_failure_exits_5(world: World) -> None:
    answer = world("fx", "update", "--format", "json")
    assert answer.status == 0
    assert "rate_source_stale" in answer.err
    assert json.loads(answer.out)["warnings"][0]["code"] == "rate_source_stale"
    world.servers["ecb"].answer = lambda _: Reply(b"", status=403)
    failed = world("fx", "update", "--timeout", "1s")
    assert failed.status == 5
    assert "ECB: access refused" in failed.err
    assert "Its stored rates stay as they were." in failed.err
    assert "18.9077" in world("fx", "show").out


# -- start-up --------------------------------------------------------------------------------------


def test_a_quote_imports_none_of_what_fetches(filled: World) -> None:
    code = (
        "import sys; from costcalc.cli.main import run; "
        "status = run(['train', '--model', 'llama-3.1-8b', '--on', 'h100:8', '--tokens', '1B',"
        " '--format', 'json', '--output', sys.argv[1]]); "
        "heavy = [name for name in ('boto3', 'botocore', 'google', 'grpc', 'httpx', 'requests',"
        " 'ssl', 'yaml', 'pydantic', 'costcalc.sources.web') if name in sys.modules]; "
        "print(status, heavy, 'sqlite3' in sys.modules)"
    )
    # the catalog is compiled once; a quote pays for it only then
    warm = ("train", "--model", "llama-3.1-8b", "--on", "h100:8", "--tokens", "1B")
    assert filled(*warm).status == 0
    env = {**os.environ, **filled.env, "SOURCE_DATE_EPOCH": str(NOON)}
    answer = subprocess.run(
        [sys.executable, "-P", "-c", code, str(filled.folder / "quote.json")],
        capture_output=True,
        text=True,
        env=env,
        cwd=ROOT,
    )
    assert answer.stdout.strip().splitlines()[-1] == "0 [] True", answer.stderr
    quote = json.loads((filled.folder / "quote.json").read_text())
    assert "fetched" in quote["catalog"]["version"]
