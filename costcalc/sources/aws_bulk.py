"""AWS on-demand and reserved prices from the public price files, the way without credentials.

One CSV per region, a tenth of a gigabyte and more. It is read while it comes in: memory does not
grow with the file, and a line that is no Linux machine on shared hardware is not parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from costcalc.sources import endpoints
from costcalc.sources.amounts import price
from costcalc.sources.aws_client import NO_UPFRONT
from costcalc.sources.aws_items import AwsTable, Machine, Product, add_offer, priced_machine
from costcalc.sources.csvstream import records
from costcalc.sources.faults import FeedError, excerpt
from costcalc.sources.rows import FeedContext, FeedResult

PATH = "/offers/v1.0/aws/AmazonEC2/current/{region}/index.csv"
NEEDLES = (b'"Linux"', b'"Shared"', b'"NA"', b'"Used"', b'"Hrs"')
HEADER = b'"SKU",'
_COLUMNS = {
    "Instance Type": "instanceType",
    "Instance Family": "instanceFamily",
    "vCPU": "vcpu",
    "Memory": "memory",
    "GPU": "gpu",
    "Tenancy": "tenancy",
    "Operating System": "operatingSystem",
    "License Model": "licenseModel",
    "CapacityStatus": "capacitystatus",
    "Pre Installed S/W": "preInstalledSw",
    "Region Code": "regionCode",
    "MarketOption": "marketoption",
    "Location Type": "locationType",
}
_NEEDED = (
    "SKU",
    "TermType",
    "Unit",
    "PricePerUnit",
    "Currency",
    "Instance Type",
    "Region Code",
    "MarketOption",
)
_YEARS = {"1yr": 1, "3yr": 3}


def fetch(context: FeedContext) -> FeedResult:
    """On-demand and reserved Linux prices of machines with accelerators, region by region.

    Without `--region`, only the regions that `feeds/aws.yaml` names under `bulk_regions` are read.

    Raises:
        FeedError: see `costcalc.sources.faults`.
    """
    table = AwsTable(context.tables["aws"])
    base = endpoints.AWS_BULK.base(context.environ)
    regions = tuple(sorted(context.regions)) if context.regions else table.bulk_regions
    result = FeedResult(
        source=f"AWS public price files AmazonEC2 ({endpoints.shown(base)})",
        regions=frozenset(regions),
    )
    if not context.regions:
        result.find("some_regions", regions=", ".join(regions))
    for region in regions:
        url = base + PATH.format(region=region)
        with context.web.stream(url) as (length, pieces):
            read(_counted(pieces, length, context), table, context, result)
    return result


def read(
    pieces: Iterable[bytes], table: AwsTable, context: FeedContext, result: FeedResult
) -> None:
    """Put the prices of one file into `result`.

    Raises:
        FeedError: no price file, cut off, or a row of a known machine without its price.
    """
    try:
        for row in records(pieces, NEEDLES, HEADER):
            _row(row, table, context, result)
    except ValueError as error:
        raise FeedError("sources.not_csv", detail=excerpt(error)) from None


def _row(row: dict[str, str], table: AwsTable, context: FeedContext, result: FeedResult) -> None:
    for name in _NEEDED:
        if name not in row:
            raise FeedError("sources.missing_attribute", name=name, where="CSV")
    product = Product(
        row["SKU"], {name: row[column] for column, name in _COLUMNS.items() if column in row}
    )
    machine = priced_machine(product, table, context, result)
    if machine is None:
        return
    if row["Currency"] != "USD":
        if row["Region Code"].startswith("cn-"):
            result.skip("cny")
            return
        raise FeedError(
            "sources.currency",
            expected="USD",
            found=excerpt(row["Currency"]),
            where=excerpt(product.where),
        )
    usd = price(row["PricePerUnit"], product.where)
    if row["TermType"] == "OnDemand":
        add_offer(product, machine, result, context, usd=usd)
    elif row["TermType"] == "Reserved":
        _reserved(row, product, machine, usd, context, result)


def _reserved(
    row: dict[str, str],
    product: Product,
    machine: Machine,
    usd: Decimal,
    context: FeedContext,
    result: FeedResult,
) -> None:
    years = _YEARS.get(row.get("LeaseContractLength", ""))
    if row.get("PurchaseOption") != NO_UPFRONT or years is None or usd == 0:
        result.skip("other_product")
        return
    kind = excerpt(row.get("OfferingClass", ""))
    add_offer(
        product,
        machine,
        result,
        context,
        usd=usd,
        purchase=f"commit-{years}y",
        as_listed=f"reserved instance, {kind}, no upfront",
        term=f"{years}y, reserved, {kind}",
    )


def _counted(pieces: Iterable[bytes], length: int | None, context: FeedContext) -> Iterator[bytes]:
    done = 0
    for piece in pieces:
        done += len(piece)
        context.pulse.step(done, length, "bytes")
        yield piece
    if length is not None and done < length:
        raise FeedError("sources.cut_off")
