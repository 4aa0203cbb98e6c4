"""The figures that the sample answers hold come out of the real clients to the cent."""

from __future__ import annotations

from decimal import Decimal

from sources import servers
from sources.bench import Bench

CENT = Decimal("0.01")


def test_aws_on_demand(bench: Bench) -> None:
    bench.serve("aws", servers.aws)
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1", "us-west-2", "eu-west-1"))
    assert outcome.error is None
    assert bench.price("p5.48xlarge", "us-east-1").usd_per_instance_hour == Decimal("55.04")
    assert bench.price("p5.48xlarge", "us-east-1").usd_per_accelerator_hour == Decimal("6.88")
    assert bench.price("trn1.32xlarge", "us-east-1").usd_per_instance_hour == Decimal("21.5")
    assert bench.price("p4d.24xlarge", "us-east-1").usd_per_instance_hour == Decimal("21.957642")
    assert bench.price("inf2.xlarge", "eu-west-1").usd_per_instance_hour == Decimal("0.94775")


def test_aws_public_files(bench: Bench) -> None:
    bench.serve("bulk", servers.aws)
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1",))
    assert outcome.error is None
    held = bench.price("p5.48xlarge", "us-east-1")
    assert held.usd_per_instance_hour == Decimal("55.04")
    assert held.vcpus == 192
    assert held.memory_gib == 2048


def test_google_machines_are_the_sum_of_their_parts(bench: Bench) -> None:
    bench.serve("gcp", servers.gcp)
    assert bench.fetch("gcp-compute").error is None
    held = bench.price("a3-highgpu-8g", "us-central1")
    assert held.usd_per_instance_hour.quantize(CENT) == Decimal("88.49")
    for part in ("8 h100 at 9.796550569", "208 a3-core", "1872 a3-ram", "6000 local-ssd"):
        assert part in held.note
    assert bench.price("a2-highgpu-1g", "us-east1").usd_per_instance_hour == Decimal("3.673385")


def test_google_tpu_per_chip(bench: Bench) -> None:
    bench.serve("gcp", servers.gcp)
    assert all(outcome.error is None for outcome in bench.update("gcp-compute", "gcp-tpu"))
    v5p = bench.price("ct5p-hightpu-4t", "us-east5")
    assert v5p.usd_per_accelerator_hour == Decimal("4.2")
    assert v5p.usd_per_instance_hour == Decimal("16.8")
    assert bench.price("ct6e-standard-1t", "us-east5").usd_per_instance_hour == Decimal("2.7")
    assert bench.price("ct5lp-hightpu-1t", "us-south1").usd_per_instance_hour == Decimal("1.416")
    # v4 and v3 are sold per 8 cores, which are 4 chips
    assert bench.price("v4-8", "us-central2").usd_per_accelerator_hour == Decimal("3.22")
    assert bench.price("v3-8", "europe-west4").usd_per_accelerator_hour == Decimal("2.2")


def test_azure(bench: Bench) -> None:
    bench.serve("azure", servers.azure)
    assert bench.fetch("azure").error is None
    mexico = bench.price("Standard_ND96isr_H200_v5", "mexicocentral")
    assert mexico.usd_per_instance_hour == Decimal("93.28")
    assert mexico.usd_per_accelerator_hour == Decimal("11.66")
    h100 = ("Standard_ND96isr_H100_v5", "eastus")
    assert bench.price(*h100).usd_per_instance_hour == Decimal("98.32")
    assert bench.price(*h100, "spot").usd_per_instance_hour == Decimal("18.169536")
    # the reservation's price is that of the year, though its unit is one hour
    reserved = bench.price(*h100, "commit-1y").usd_per_instance_hour
    assert reserved.quantize(CENT) == Decimal("62.92")


def test_oci(bench: Bench) -> None:
    bench.serve("oci", servers.oci)
    assert bench.fetch("oci").error is None
    h100 = bench.price("BM.GPU.H100.8", None)
    assert h100.usd_per_accelerator_hour == Decimal(10)
    assert h100.usd_per_instance_hour == Decimal(80)
    assert bench.price("BM.GPU.MI355X.8", None).usd_per_instance_hour == Decimal("68.8")


def test_fetched_rows_agree_with_the_catalog_about_machines(bench: Bench) -> None:
    """Every machine that a feed's table names has the chip and the count that offers/ give it."""
    tables = bench.catalog.table("feeds")
    named: dict[tuple[str, str], tuple[str, int]] = {}
    for family in tables["aws"]["families"].values():
        for name, count in family["counts"].items():
            named["aws", name] = (family["accelerator"], count)
    for name, about in tables["azure"]["skus"].items():
        named["azure", name] = (about["accelerator"], about["count"])
    for name, about in tables["gcp"]["machines"].items():
        named["gcp", name] = (about["accelerator"], about["count"])
    for part in tables["oci"]["parts"].values():
        for name, count in part["shapes"].items():
            named["oci", name] = (part["accelerator"], count)
    shipped = {
        (offer.provider, offer.instance_type): (offer.accelerator, offer.accelerator_count)
        for offer in bench.catalog.offers()
        if offer.provider in ("aws", "azure", "gcp", "oci")
    }
    assert len(shipped) > 60
    missing = set(shipped) - set(named)
    assert not missing
    for key, machine in shipped.items():
        assert named[key] == machine, key
    assert {chip for chip, _ in named.values()} <= set(bench.catalog.accelerators())
