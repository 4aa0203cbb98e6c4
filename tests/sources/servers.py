"""Servers on 127.0.0.1 that speak as the providers do, and misbehave as they are told."""

from __future__ import annotations

import json
import re
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
EC2_NAMESPACE = "http://ec2.amazonaws.com/doc/2016-11-15/"


@dataclass
class Request:
    """What a client asked."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(self.body.decode()).items()}

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Reply:
    """What the server answers.

    Attributes:
        drip: send the body one byte at a time with this pause.
        cut: end the connection after this many bytes of the body.
        hang: say nothing for so long.
    """

    body: bytes = b""
    status: int = 200
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    drip: float = 0.0
    cut: int | None = None
    hang: float = 0.0


Answer = Callable[[Request], Reply]


class _Quiet(ThreadingHTTPServer):
    """A client that hangs up is what some tests are about."""

    def handle_error(self, *_: object) -> None:
        return


class Server:
    """A running server: `url`, what it was asked, and how it answers (can be changed)."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[Request] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._serve()

            def do_POST(self) -> None:
                self._serve()

            def _serve(self) -> None:
                parts = urlsplit(self.path)
                size = int(self.headers.get("Content-Length") or 0)
                request = Request(
                    self.command,
                    parts.path,
                    {name: values[0] for name, values in parse_qs(parts.query).items()},
                    {name.lower(): value for name, value in self.headers.items()},
                    self.rfile.read(size),
                )
                outer.requests.append(request)
                try:
                    self._send(outer.answer(request))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def _send(self, reply: Reply) -> None:
                outer.stop.wait(reply.hang)
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.content_type)
                self.send_header("Content-Length", str(len(reply.body)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if reply.drip:
                    for number in range(len(reply.body)):
                        self.wfile.write(reply.body[number : number + 1])
                        self.wfile.flush()
                        if outer.stop.wait(reply.drip):
                            break
                    self.close_connection = True
                elif reply.cut is not None:
                    self.wfile.write(reply.body[: reply.cut])
                    self.wfile.flush()
                    self.close_connection = True
                else:
                    self.wfile.write(reply.body)

            def log_message(self, *_: object) -> None:
                return

        self.stop = threading.Event()
        self._server = _Quiet(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def wrap(self, context: ssl.SSLContext) -> None:
        """Speak TLS from now on."""
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def __enter__(self) -> Server:
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self._server.shutdown()
        self._server.server_close()


def sample(path: str) -> bytes:
    """The bytes of a sample answer."""
    return (SAMPLES / path).read_bytes()


def sample_json(path: str) -> Any:
    """A sample answer as data."""
    return json.loads(sample(path))


def as_json(data: Any) -> Reply:
    """A reply that holds `data`."""
    return Reply(json.dumps(data).encode())


# -- AWS ---------------------------------------------------------------------------------------


def aws(request: Request) -> Reply:
    """The three AWS services of the price feeds, by the protocol of each."""
    target = request.headers.get("x-amz-target", "")
    if target == "AWSPriceListService.GetProducts":
        return get_products(request)
    if request.path == "/DescribeSavingsPlansOfferingRates":
        return as_json(sample_json("aws/savingsplans_offering_rates.shape.json"))
    if request.path.endswith("/index.csv"):
        return Reply(sample("aws/bulk_csv_head.csv"), content_type="text/csv")
    action = request.form.get("Action")
    if action == "DescribeSpotPriceHistory":
        return ec2_reply(
            action, spot_rows(sample_json("aws/describe_spot_price_history.shape.json"))
        )
    if action == "DescribeCapacityBlockOfferings":
        offered = sample_json("aws/capacity_block_offerings.shape.json")["CapacityBlockOfferings"]
        mine = [row for row in offered if row["InstanceType"] == request.form["InstanceType"]]
        return ec2_reply(action, block_rows(mine))
    return Reply(b'{"__type":"UnknownOperationException"}', status=400)


def get_products(request: Request) -> Reply:
    """Two pages as the API gives them, whatever the filters: the client has to look at the rows."""
    asked = request.json
    wanted = {item["Field"]: item["Value"] for item in asked["Filters"]}
    if wanted.get("regionCode") == "mx-central-1":
        return Reply(sample("aws/get_products_empty_mx-central-1.json"))
    if asked.get("NextToken"):
        return Reply(sample("aws/get_products_page2.json"))
    return Reply(sample("aws/get_products_us-east-1_page1.json"))


def spot_rows(answer: Any) -> str:
    return (
        "<spotPriceHistorySet>"
        + "".join(
            "<item>"
            f"<instanceType>{row['InstanceType']}</instanceType>"
            f"<productDescription>{row['ProductDescription']}</productDescription>"
            f"<spotPrice>{row['SpotPrice']}</spotPrice>"
            f"<timestamp>{row['Timestamp'].replace('+00:00', 'Z')}</timestamp>"
            f"<availabilityZone>{row['AvailabilityZone']}</availabilityZone>"
            "</item>"
            for row in answer["SpotPriceHistory"]
        )
        + "</spotPriceHistorySet><nextToken/>"
    )


def block_rows(rows: list[dict[str, Any]]) -> str:
    return (
        "<capacityBlockOfferingSet>"
        + "".join(
            "<item>"
            f"<capacityBlockOfferingId>{row['CapacityBlockOfferingId']}</capacityBlockOfferingId>"
            f"<instanceType>{row['InstanceType']}</instanceType>"
            f"<availabilityZone>{row['AvailabilityZone']}</availabilityZone>"
            f"<instanceCount>{row['InstanceCount']}</instanceCount>"
            f"<startDate>{row['StartDate'].replace('+00:00', 'Z')}</startDate>"
            f"<endDate>{row['EndDate'].replace('+00:00', 'Z')}</endDate>"
            f"<capacityBlockDurationHours>{row['CapacityBlockDurationHours']}"
            "</capacityBlockDurationHours>"
            f"<upfrontFee>{row['UpfrontFee']}</upfrontFee>"
            f"<currencyCode>{row['CurrencyCode']}</currencyCode>"
            f"<tenancy>{row['Tenancy']}</tenancy>"
            "</item>"
            for row in rows
        )
        + "</capacityBlockOfferingSet>"
    )


def ec2_reply(action: str, body: str) -> Reply:
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?><{action}Response xmlns="{EC2_NAMESPACE}">'
        f"<requestId>test</requestId>{body}</{action}Response>"
    )
    return Reply(text.encode(), content_type="text/xml")


def ec2_error(code: str, message: str, status: int = 400) -> Reply:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?><Response><Errors><Error>'
        f"<Code>{code}</Code><Message>{message}</Message></Error></Errors>"
        "<RequestID>test</RequestID></Response>"
    )
    return Reply(text.encode(), status=status, content_type="text/xml")


# -- Google Cloud --------------------------------------------------------------------------------


def gcp(request: Request) -> Reply:
    """The Cloud Billing Catalog over REST."""
    match = re.fullmatch(r"/v1/services/([^/]+)/skus", request.path)
    if match is None:
        return Reply(b"{}", status=404)
    if match[1] == "E000-3F24-B8AA":
        return Reply(sample("gcp/list_skus_cloud_tpu.json"))
    if match[1] != "6F81-5844-456A":
        return as_json({"skus": []})
    if request.query.get("pageToken") == "token-page-2":
        return Reply(sample("gcp/list_skus_compute_page2.json"))
    return Reply(sample("gcp/list_skus_compute_page1.json"))


# -- Azure, OCI, Banxico, ECB --------------------------------------------------------------------


def azure(request: Request) -> Reply:
    """The Retail Prices API: two pages and, with a filter on it, Querétaro."""
    if request.path != "/api/retail/prices":
        return Reply(b"{}", status=404)
    if "mexicocentral" in request.query.get("$filter", ""):
        return Reply(sample("azure/retail_prices_mexicocentral.json"))
    if request.query.get("$skip") == "1000":
        second = sample_json("azure/retail_prices_page2.json")
        mexico = sample_json("azure/retail_prices_mexicocentral.json")
        second["Items"] += mexico["Items"]
        second["Count"] = len(second["Items"])
        return as_json(second)
    return Reply(sample("azure/retail_prices_page1.json"))


def oci(request: Request) -> Reply:
    """Oracle's price list."""
    if request.path != "/pls/apex/cetools/api/v1/products/":
        return Reply(b"{}", status=404)
    return Reply(sample("oci/products_usd.json"))


def banxico(name: str) -> Answer:
    """The SIE API with one answer for every question."""

    def answer(request: Request) -> Reply:
        if not request.path.startswith("/SieAPIRest/service/v1/series/"):
            return Reply(b"{}", status=404)
        return Reply(sample(f"fx/{name}"))

    return answer


def ecb(request: Request) -> Reply:
    """The daily reference rates."""
    if request.path != "/stats/eurofxref/eurofxref-daily.xml":
        return Reply(b"", status=404)
    return Reply(sample("fx/ecb_eurofxref-daily.xml"), content_type="text/xml")


def always(reply: Reply) -> Answer:
    """The same reply to everything."""
    return lambda _: reply


@contextmanager
def serving(answer: Answer) -> Iterator[Server]:
    """A server for the time of a `with` block."""
    with Server(answer) as server:
        yield server


def eventually(test: Callable[[], bool], seconds: float = 5.0) -> bool:
    """True as soon as `test` holds, False when it never does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if test():
            return True
        time.sleep(0.01)
    return test()
