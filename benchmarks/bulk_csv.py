"""How fast, and in how much memory, an AWS public price file is read.

    python benchmarks/bulk_csv.py [--megabytes 300] [--keep FILE]

Writes a synthetic file in the format of `AmazonEC2/current/<region>/index.csv`, reads it with the
feed's reader and with `csv.DictReader` in one run, and prints MB/s, peak memory and what was found.
Both must find the same offers. Each reader runs in a process of its own, so that its peak memory is
its own.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

COLUMNS = (
    "SKU,OfferTermCode,RateCode,TermType,PriceDescription,EffectiveDate,StartingRange,EndingRange,"
    "Unit,PricePerUnit,Currency,LeaseContractLength,PurchaseOption,OfferingClass,Product Family,"
    "serviceCode,Location,Location Type,Instance Type,Current Generation,Instance Family,vCPU,"
    "Physical Processor,Clock Speed,Memory,Storage,Network Performance,Processor Architecture,"
    "Tenancy,EBS Optimized,Operating System,License Model,usageType,operation,CapacityStatus,GPU,"
    "Normalization Size Factor,Pre Installed S/W,Processor Features,serviceName,Region Code,"
    "MarketOption"
)
SYSTEMS = ("Linux", "Windows", "RHEL", "SUSE", "Red Hat Enterprise Linux with HA", "Ubuntu Pro")
TENANCIES = ("Shared", "Dedicated", "Host")
STATES = ("Used", "UnusedCapacityReservation", "AllocatedCapacityReservation")
CHUNK = 1 << 18


def write_file(file: TextIO, size: int) -> None:
    """A price file of about `size` bytes: mostly ordinary machines, some with accelerators."""
    file.write('"FormatVersion","v1.0"\n"Disclaimer","synthetic"\n')
    file.write('"Publication Date","2026-09-10T19:55:14Z"\n"Version","20260910195514"\n')
    file.write('"OfferCode","AmazonEC2"\n')
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(COLUMNS.split(","))
    number = 0
    while file.tell() < size:
        for _ in range(2000):
            writer.writerow(_row(number))
            number += 1


def _row(number: int) -> list[str]:
    gpu = number % 400 == 0
    kind = ("p5.48xlarge", "trn1.32xlarge", "p4d.24xlarge")[number // 400 % 3]
    name = kind if gpu else f"m{number % 7 + 1}.{number % 24 + 1}xlarge"
    # combinations of an accelerated machine change with its row, of others with every row
    turn = number // 1200 if gpu else number
    system, tenancy = SYSTEMS[turn % 6], TENANCIES[turn // 6 % 3]
    state, market = STATES[turn // 18 % 3], ("OnDemand", "CapacityBlock")[turn // 54 % 2]
    term = "OnDemand" if turn // 108 % 2 == 0 or not gpu else "Reserved"
    price = {"p5.48xlarge": "55.04", "trn1.32xlarge": "21.5", "p4d.24xlarge": "21.957642"}
    usd = (price[kind] if market == "OnDemand" else "0") if gpu else f"0.{number % 9000 + 1000}"
    count = {"p5.48xlarge": "8", "trn1.32xlarge": "16", "p4d.24xlarge": "8"}[kind] if gpu else ""
    sku = f"{kind.replace('.', '').upper()}{turn % 216}" if gpu else f"SKU{number:010d}"
    family = "GPU instance" if gpu and not kind.startswith("trn") else "General purpose"
    if gpu and kind.startswith("trn"):
        family = "Machine Learning ASIC Instances"
    return [
        sku,
        "JRTCKXETXF",
        f"{sku}.JRTCKXETXF.6YS6EN2CT7",
        term,
        f"USD {usd} per {market} {system}, {name} Instance Hour",
        "2026-09-01",
        "0",
        "Inf",
        "Hrs",
        f"{usd}0000",
        "USD",
        "1yr" if term == "Reserved" else "",
        "No Upfront" if term == "Reserved" else "",
        "standard" if term == "Reserved" else "",
        "Compute Instance",
        "AmazonEC2",
        "US East (N. Virginia)",
        "AWS Region",
        name,
        "Yes",
        family,
        "192",
        "AMD EPYC 7R13 Processor",
        "2.65 GHz",
        "2,048 GiB",
        "8 x 3840 GB SSD",
        "3200 Gigabit",
        "64-bit",
        tenancy,
        "",
        system,
        "No License required",
        f"BoxUsage:{name}",
        "RunInstances",
        state,
        count,
        "384",
        "NA",
        'AMD Turbo; AVX; AVX2; a "quoted" word',
        "Amazon Elastic Compute Cloud",
        "us-east-1",
        market,
    ]


def pieces(path: Path) -> Iterator[bytes]:
    """The file as a download brings it."""
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            yield piece


def by_feed(path: Path) -> dict[str, str]:
    """USD per hour by instance type and purchase, as the feed reads them."""
    from costcalc import catalog as catalogs
    from costcalc.sources import aws_bulk
    from costcalc.sources.aws_items import AwsTable
    from costcalc.sources.limits import Limits, Pulse
    from costcalc.sources.rows import FeedContext, FeedResult
    from costcalc.sources.web import Web

    catalog = catalogs.load()
    now = datetime.now(UTC)
    pulse = Pulse(Limits())
    context = FeedContext(
        environ={},
        tables=catalog.table("feeds"),
        accelerators=frozenset(catalog.accelerators()),
        regions=None,
        known_regions=("us-east-1",),
        known=lambda _: False,
        today=now.date(),
        now=now,
        pulse=pulse,
        web=Web(pulse),
        secrets=(),
    )
    result = FeedResult(source="synthetic")
    aws_bulk.read(pieces(path), AwsTable(context.tables["aws"]), context, result)
    return {
        f"{row.offer.instance_type} {row.offer.purchase}": str(row.offer.usd_per_instance_hour)
        for row in result.rows.values()
    }


def by_dict_reader(path: Path) -> dict[str, str]:
    """The same by the standard library's way: every line becomes a dictionary."""
    found: dict[str, str] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for _ in range(5):
            file.readline()
        for row in csv.DictReader(file):
            if (
                row["GPU"]
                and row["Operating System"] == "Linux"
                and row["Tenancy"] == "Shared"
                and row["Pre Installed S/W"] == "NA"
                and row["CapacityStatus"] == "Used"
                and row["MarketOption"] == "OnDemand"
            ):
                purchase = "on-demand" if row["TermType"] == "OnDemand" else "commit-1y"
                usd = f"{float(row['PricePerUnit']):f}".rstrip("0").rstrip(".")
                found[f"{row['Instance Type']} {purchase}"] = usd
    return found


def warm_up() -> None:
    """Compile the catalog, which happens once and is no part of reading a price file."""
    code = "from costcalc import catalog; c = catalog.load(); c.table('feeds'); c.accelerators()"
    subprocess.run([sys.executable, "-c", code], check=True)


READERS = {"feed": by_feed, "csv.DictReader": by_dict_reader}


def peak_mib() -> float:
    """Largest resident set of this program, MiB."""
    status = Path("/proc/self/status")
    if status.exists():
        # ru_maxrss of a child begins with the size of the process that started it
        (line,) = (row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def measure(reader: str, path: Path) -> None:
    """Read the file once and print what that took, as JSON."""
    size = path.stat().st_size
    started = time.process_time()
    wall = time.perf_counter()
    found = READERS[reader](path)
    print(
        json.dumps(
            {
                "found": dict(sorted(found.items())),
                "mb_per_cpu_second": size / 1e6 / (time.process_time() - started),
                "mb_per_second": size / 1e6 / (time.perf_counter() - wall),
                "peak_mib": peak_mib(),
            }
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--keep", type=Path, help="write the file here and keep it")
    parser.add_argument("--measure", choices=READERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure, arguments.keep)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.keep or Path(folder) / "index.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            write_file(file, arguments.megabytes * 1_000_000)
        print(f"{path.stat().st_size / 1e6:.0f} MB, {os.cpu_count()} processors")
        print(f"{'reader':<16}{'MB/s (CPU)':>12}{'MB/s (wall)':>13}{'peak MiB':>10}")
        warm_up()
        results = {}
        for name in READERS:
            command = [sys.executable, __file__, "--measure", name, "--keep", str(path)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True)
            results[name] = seen = json.loads(answer.stdout)
            print(
                f"{name:<16}{seen['mb_per_cpu_second']:>12.1f}"
                f"{seen['mb_per_second']:>13.1f}{seen['peak_mib']:>10.0f}"
            )
        feed, plain = results.values()
        same = "same" if feed["found"] == plain["found"] else "DIFFERENT"
        print(f"prices found: {len(feed['found'])} and {len(plain['found'])}, {same}")
        for name, usd in feed["found"].items():
            print(f"  {name}: {usd} USD/h")


if __name__ == "__main__":
    main()
