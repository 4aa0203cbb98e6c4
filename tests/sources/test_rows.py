"""What rows of the providers' answers mean, and what they only look like."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from sources import servers
from sources.bench import FIRST_DAY, PATIENT, Bench, fails
from sources.servers import Reply, Request, as_json, ec2_error, ec2_reply, sample_json

from costcalc.sources import aws_client, gcp, gcp_client, oci
from costcalc.sources.aws_items import AwsTable, Product, on_demand_usd, reserved_rates
from costcalc.sources.faults import FeedError
from costcalc.sources.gcp import GcpTable, tier_price
from costcalc.sources.gcp_names import agrees, read_description
from costcalc.sources.limits import Pulse
from costcalc.sources.rows import FeedContext, FeedResult
from costcalc.sources.web import Answer, Web, parse_json


def context_of(bench: Bench) -> FeedContext:
    """A context for reading answers that need no server."""
    pulse = Pulse(PATIENT)
    return FeedContext(
        environ=bench.environ,
        tables=bench.catalog.table("feeds"),
        accelerators=frozenset(bench.catalog.accelerators()),
        regions=None,
        known_regions=("us-east-1",),
        known=lambda _: False,
        today=FIRST_DAY,
        now=datetime(2026, 12, 1, 14, 5, tzinfo=UTC),
        pulse=pulse,
        web=Web(pulse),
        secrets=(),
    )


def findings(result: FeedResult | None) -> dict[str, list[str]]:
    """The findings by code, each with its row."""
    assert result is not None
    found: dict[str, list[str]] = {}
    for finding in result.findings:
        found.setdefault(finding.code, []).append(" ".join(value for _, value in finding.params))
    return found


# -- AWS ---------------------------------------------------------------------------------------


def test_the_filters_leave_capacity_block_products_out(bench: Bench) -> None:
    server = bench.serve("aws", servers.aws)
    assert bench.fetch("aws-on-demand", regions=("us-east-1",)).error is None
    for request in server.requests:
        fields = {item["Field"]: item["Value"] for item in request.json["Filters"]}
        assert fields["marketoption"] == "OnDemand"
        assert fields["capacitystatus"] == "Used"
        assert fields["tenancy"] == "Shared"
        assert fields["operatingSystem"] == "Linux"
        assert fields["preInstalledSw"] == "NA"
        assert fields["licenseModel"] == "No License required"
        assert fields["regionCode"] == "us-east-1"
    families = {
        item["Value"]
        for request in server.requests
        for item in request.json["Filters"]
        if item["Field"] == "instanceFamily"
    }
    assert families == {"GPU instance", "Machine Learning ASIC Instances"}
    # the server ignores the filters: the 0.00 product was left out by looking at it
    assert bench.price("p5.48xlarge", "us-east-1").usd_per_instance_hour == Decimal("55.04")


def test_every_region_of_the_catalog_is_asked_mexico_too(bench: Bench) -> None:
    server = bench.serve("aws", servers.aws)
    outcome = bench.fetch("aws-on-demand")
    assert outcome.error is None
    asked = {
        item["Value"]
        for request in server.requests
        for item in request.json["Filters"]
        if item["Field"] == "regionCode"
    }
    ours = {name.removeprefix("aws/") for name in bench.catalog.regions() if name[:4] == "aws/"}
    assert asked == ours
    assert "mx-central-1" in asked
    empty = findings(outcome.result)["region_empty"]
    assert any(row.startswith("us-east-2 ") for row in empty)
    # nothing was ever listed in Querétaro, so its empty answer is no news
    assert not any("mx-central-1" in row for row in empty)


def test_the_region_that_answers_is_not_the_region_that_is_priced(bench: Bench) -> None:
    bench.serve("aws", servers.aws)
    bench.set("AWS_DEFAULT_REGION", "mx-central-1")
    assert bench.fetch("aws-on-demand", regions=("us-east-1",)).error is None


def test_a_new_machine_is_reported_and_spoils_nothing(bench: Bench) -> None:
    page = sample_json("aws/get_products_us-east-1_page1.json")
    page.pop("NextToken", None)
    for name in ("p9.48xlarge", "trn4.96xlarge"):
        item = json.loads(page["PriceList"][0])
        item["product"]["attributes"].update(instanceType=name)
        item["product"]["sku"] = f"SKU-{name}"
        page["PriceList"].append(json.dumps(item))
    bench.serve("aws", lambda _: as_json(page))
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1",))
    assert outcome.error is None
    assert findings(outcome.result)["unmatched"] == [
        "p9.48xlarge us-east-1 SKU SKU-p9.48xlarge, 8 accelerators",
        "trn4.96xlarge us-east-1 SKU SKU-trn4.96xlarge, 8 accelerators",
    ]
    assert bench.price("p5.48xlarge", "us-east-1").usd_per_instance_hour == Decimal("55.04")


def test_a_size_that_the_table_lacks_takes_the_count_that_is_listed(bench: Bench) -> None:
    page = sample_json("aws/get_products_us-east-1_page1.json")
    page.pop("NextToken", None)
    item = json.loads(page["PriceList"][0])
    item["product"]["attributes"].update(instanceType="p5.12xlarge", gpu="2")
    page["PriceList"] = [json.dumps(item)]
    bench.serve("aws", lambda _: as_json(page))
    assert bench.fetch("aws-on-demand", regions=("us-east-1",)).error is None
    assert bench.price("p5.12xlarge", "us-east-1").usd_per_accelerator_hour == Decimal("27.52")


def test_a_count_that_contradicts_the_table_is_not_priced(bench: Bench) -> None:
    page = sample_json("aws/get_products_us-east-1_page1.json")
    item = json.loads(page["PriceList"][0])
    item["product"]["attributes"]["gpu"] = "4"
    page["PriceList"][0] = json.dumps(item)
    page.pop("NextToken", None)
    bench.serve("aws", lambda _: as_json(page))
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1",))
    assert len(findings(outcome.result)["mismatch"]) == 1
    assert not any(held.instance_type == "p5.48xlarge" for held in bench.prices().values())


def test_prices_in_china_are_in_yuan_and_left_out(bench: Bench) -> None:
    page = sample_json("aws/get_products_us-east-1_page1.json")
    item = json.loads(page["PriceList"][0])
    item["product"]["attributes"].update(regionCode="cn-north-1")
    (term,) = item["terms"]["OnDemand"].values()
    (dimension,) = term["priceDimensions"].values()
    dimension["pricePerUnit"] = {"CNY": "380.1"}
    page["PriceList"].append(json.dumps(item))
    page.pop("NextToken", None)
    bench.serve("aws", lambda _: as_json(page))
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1", "cn-north-1"))
    assert outcome.error is None
    assert outcome.result is not None
    assert outcome.result.skipped["cny"]
    assert not any(held.region == "cn-north-1" for held in bench.prices().values())


def test_reservations_with_two_parts() -> None:
    """The true m5.large item of 2020: hourly, upfront, and both."""
    item = sample_json("aws/pricelist_item_with_reserved_m5.large_2020.json")
    item = item.get("item", item)
    product = Product(item["product"]["sku"], item["product"]["attributes"])
    rates = {
        (rate.years, rate.offering_class, rate.payment): rate.usd_per_hour
        for rate in reserved_rates(item["terms"], product)
    }
    assert rates[3, "standard", "No Upfront"] == Decimal("0.041")
    partial = Decimal("0.019") + Decimal(505) / 26280
    assert abs(rates[3, "standard", "Partial Upfront"] - partial) < Decimal("1e-8")
    assert abs(rates[3, "standard", "All Upfront"] - Decimal(949) / 26280) < Decimal("1e-8")
    assert rates[1, "convertible", "No Upfront"] == Decimal("0.071")
    assert on_demand_usd(item["terms"], product) == Decimal("0.096")


def test_the_free_tier_product_without_a_machine_is_passed_over(bench: Bench) -> None:
    page = sample_json("aws/get_products_us-east-1_page1.json")
    item = json.loads(page["PriceList"][0])
    item["product"]["attributes"] = {"servicecode": "AmazonEC2", "regionCode": ""}
    page["PriceList"].append(json.dumps(item))
    page.pop("NextToken", None)
    bench.serve("aws", lambda _: as_json(page))
    outcome = bench.fetch("aws-on-demand", regions=("us-east-1",))
    assert outcome.error is None
    assert outcome.result is not None
    assert outcome.result.skipped["no_instance"]


def spot(*rows: tuple[str, str, str, str]) -> Reply:
    """Spot prices as (type, zone, price, time)."""
    return ec2_reply(
        "DescribeSpotPriceHistory",
        servers.spot_rows(
            {
                "SpotPriceHistory": [
                    {
                        "InstanceType": kind,
                        "AvailabilityZone": zone,
                        "SpotPrice": usd,
                        "Timestamp": f"2026-11-30T{hour}:00Z",
                        "ProductDescription": "Linux/UNIX",
                    }
                    for kind, zone, usd, hour in rows
                ]
            }
        ),
    )


def test_spot_takes_the_newest_of_each_zone_the_lowest_and_the_median(bench: Bench) -> None:
    answer = spot(
        ("p5.48xlarge", "us-east-2a", "99.000000", "09:00"),
        ("p5.48xlarge", "us-east-2a", "23.456700", "17:02"),
        ("p5.48xlarge", "us-east-2b", "20.000000", "16:00"),
        ("p5.48xlarge", "us-east-2b", "1.000000", "15:00"),
        ("p5.48xlarge", "us-east-2c", "30.000000", "17:00"),
        ("m6i.xlarge", "us-east-2c", "0.041900", "18:31"),
        ("p5.48xlarge", "eu-west-1a", "2.000000", "18:31"),
    )
    bench.serve("aws", lambda _: answer)
    assert bench.fetch("aws-spot", regions=("us-east-2",)).error is None
    held = bench.price("p5.48xlarge", "us-east-2", "spot")
    assert held.usd_per_instance_hour == 20
    assert "us-east-2b" in held.note
    assert "median 23.4567" in held.note
    assert len(bench.prices()) == 1


def test_a_region_that_the_account_has_not_turned_on_keeps_its_prices(bench: Bench) -> None:
    server = bench.serve("aws", lambda _: spot(("p5.48xlarge", "us-east-2a", "23.4", "17:00")))
    both = ("mx-central-1", "us-east-2")
    assert bench.fetch("aws-spot", regions=both).error is None

    def closed(request: Request) -> Reply:
        # the signature names the region
        if "/us-east-2/" in request.headers["authorization"]:
            return ec2_error("AuthFailure", "not enabled", 401)
        return spot()

    server.answer = closed
    outcome = bench.fetch("aws-spot", regions=both, day=1)
    assert outcome.error is None
    assert findings(outcome.result)["region_unreachable"] == ["us-east-2 AuthFailure"]
    held = bench.price("p5.48xlarge", "us-east-2", "spot")
    assert held.as_of == FIRST_DAY, "the second fetch did not confirm it"
    server.answer = lambda _: ec2_error("AuthFailure", "not enabled", 401)
    assert fails(bench.fetch("aws-spot", regions=both, day=2), "no region could be asked")


def test_capacity_blocks_are_paid_as_a_whole(bench: Bench) -> None:
    bench.serve("aws", servers.aws)
    assert bench.fetch("aws-capacity-blocks", regions=("us-east-2",)).error is None
    held = bench.price("p5.48xlarge", "us-east-2", "capacity-block")
    assert held.usd_per_instance_hour == Decimal("33.333333333")  # 800 for 24 hours
    assert held.term == "1-182 days, prepaid"


def test_a_type_without_blocks_in_a_region_is_no_fault(bench: Bench) -> None:
    def answer(request: Request) -> Reply:
        if request.form["InstanceType"] != "p5.48xlarge":
            return ec2_error("InvalidParameterValue", "not supported")
        return servers.aws(request)

    bench.serve("aws", answer)
    assert bench.fetch("aws-capacity-blocks", regions=("us-east-2",)).error is None
    assert len(bench.prices()) == 1


def test_savings_plans_are_read_page_by_page_and_never_from_reservations(bench: Bench) -> None:
    first = sample_json("aws/savingsplans_offering_rates.shape.json")
    second = json.loads(json.dumps(first))
    row = second["searchResults"][0]
    row["savingsPlanOffering"].update(planType="EC2Instance", durationSeconds=94608000)
    row["rate"] = "25.5"
    unused = json.loads(json.dumps(first["searchResults"][0]))
    unused.update(usageType="UnusedBox:p5.48xlarge", rate="1.0")
    first["searchResults"].append(unused)

    def answer(request: Request) -> Reply:
        if request.json.get("nextToken") == "second":
            return as_json(second)
        return as_json({**first, "nextToken": "second"})

    server = bench.serve("aws", answer)
    assert bench.fetch("aws-savings-plans", regions=("us-east-1",)).error is None
    assert len(server.requests) == 2
    one = bench.price("p5.48xlarge", "us-east-1", "commit-1y")
    three = bench.price("p5.48xlarge", "us-east-1", "commit-3y")
    assert (one.usd_per_instance_hour, one.term) == (40, "1y, Compute Savings Plan")
    assert three.usd_per_instance_hour == Decimal("25.5")
    assert three.term == "3y, EC2 Instance Savings Plan"
    assert server.requests[0].json["savingsPlanPaymentOptions"] == ["No Upfront"]


def test_without_credentials_the_public_files_are_read(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aws_client, "has_credentials", lambda: False)
    server = bench.serve("bulk", servers.aws)
    outcome = bench.fetch("aws-on-demand")
    assert outcome.error is None
    assert [request.path.split("/")[-2] for request in server.requests] == list(
        AwsTable(bench.catalog.table("feeds")["aws"]).bulk_regions
    )
    assert findings(outcome.result)["some_regions"] == [
        "us-east-1, us-east-2, us-west-2, mx-central-1"
    ]
    assert fails(bench.fetch("aws-spot"), "no AWS credentials")


# -- Google Cloud --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("description", "part", "purchase"),
    [
        ("Nvidia H100 80GB GPU running in Americas", "Nvidia H100 80GB GPU", "on-demand"),
        (
            "Nvidia H100 80GB GPU attached to Spot Preemptible VMs running in Americas",
            "Nvidia H100 80GB GPU",
            "spot",
        ),
        (
            "Nvidia H100 Mega 80GB GPU attached to DWS Defined Duration VMs running in Americas",
            "Nvidia H100 Mega 80GB GPU",
            "flex-start",
        ),
        (
            "Reserved Nvidia H100 80GB Mega GPU in Americas in Calendar Mode",
            "Nvidia H100 80GB Mega GPU",
            "capacity-block",
        ),
        (
            "Commitment v1: Nvidia H100 80GB GPU running in Americas for 1 Year",
            "Nvidia H100 80GB GPU",
            "commit-1y",
        ),
        ("Commitment v1: A3 Cpu in Americas for 3 Years", "A3 Cpu", "commit-3y"),
        ("Commitment v1: N4A Core in Johannesburg for 5 Years", "N4A Core", None),
        ("Spot Preemptible A3 Instance Core running in Iowa", "A3 Instance Core", "spot"),
        ("DWS Defined Duration A2 Core running in Iowa", "A2 Core", "flex-start"),
        (
            "DWS Calendar Mode A4 Nvidia B200 (1 gpu slice) running in Iowa",
            "A4 Nvidia B200 (1 gpu slice)",
            "capacity-block",
        ),
        (
            "Spot Preemptible A4 Nvidia B200 (1 gpu slice) running in Iowa",
            "A4 Nvidia B200 (1 gpu slice)",
            "spot",
        ),
        ("TpuV6e running in Columbus", "TpuV6e", "on-demand"),
        ("TpuV6e attached to Spot Preemptible VMs running in Columbus", "TpuV6e", "spot"),
        ("Preemptible TpuV5p running in Columbus", "TpuV5p", "spot"),
        ("DWS Defined Duration V6e running in Columbus", "V6e", "flex-start"),
        ("Reserved V6e TPU in Columbus in Calendar Mode", "V6e TPU", "capacity-block"),
        ("Tpu-v4 Pod running in Oklahoma", "Tpu-v4 Pod", "on-demand"),
        ("Preemptible Tpu-v3 running in Netherlands", "Tpu-v3", "spot"),
        ("SSD backed Local Storage", "SSD backed Local Storage", "on-demand"),
        ("SSD backed Local Storage in Paris", "SSD backed Local Storage", "on-demand"),
        ("Reserved A2 Ram in Netherlands", "A2 Ram", None),
        ("A2 Sole Tenancy Instance Core running in Iowa", "A2 Sole Tenancy Instance Core", None),
        ("N2 Custom Instance Core running in Iowa", "N2 Custom Instance Core", None),
    ],
)
def test_what_a_description_says(description: str, part: str, purchase: str | None) -> None:
    named = read_description(description)
    assert (named.part, named.purchase) == (part, purchase)


def test_usage_type_alone_does_not_tell_spot_from_on_demand() -> None:
    assert agrees("spot", "OnDemand")
    assert agrees("spot", "Preemptible")
    assert not agrees("on-demand", "Preemptible")
    assert not agrees("commit-1y", "Commit3Yr")


def test_reserved_placeholders_and_calendar_prices_are_no_on_demand_prices(bench: Bench) -> None:
    bench.serve("gcp", servers.gcp)
    assert bench.fetch("gcp-compute").error is None
    b200 = {
        held.purchase: held.usd_per_accelerator_hour
        for held in bench.prices().values()
        if held.instance_type == "a4-highgpu-8g"
    }
    assert b200 == {"spot": Decimal("8.06"), "capacity-block": Decimal("10.708")}


def google_page(*skus: dict[str, Any]) -> Reply:
    return as_json({"skus": list(skus), "nextPageToken": ""})


def sku(description: str, usd: str, *, group: str = "GPU", unit: str = "h") -> dict[str, Any]:
    """A SKU of one region."""
    whole, _, rest = usd.partition(".")
    made = sample_json("gcp/list_skus_compute_page1.json")["skus"][0]
    made.update(skuId=description[:40], description=description, serviceRegions=["us-central1"])
    made["category"].update(resourceGroup=group)
    expression = made["pricingInfo"][0]["pricingExpression"]
    expression["usageUnit"] = unit
    expression["tieredRates"][0]["unitPrice"] = {
        "currencyCode": "USD",
        "units": whole,
        "nanos": int(rest.ljust(9, "0")),
    }
    return made


A3_PARTS = (
    sku("A3 Instance Core running in Americas", "0.029267", group="CPU"),
    sku("A3 Instance Ram running in Americas", "0.001801574", group="RAM", unit="GiBy.h"),
    sku("SSD backed Local Storage", "0.08", group="LocalSSD", unit="GiBy.mo"),
)
H100 = sku("Nvidia H100 80GB GPU running in Americas", "9.796550569")


def test_a_missing_part_is_reported_and_the_last_price_stays(bench: Bench) -> None:
    server = bench.serve("gcp", lambda _: google_page(H100, *A3_PARTS))
    assert bench.fetch("gcp-compute").error is None
    server.answer = lambda _: google_page(H100, *A3_PARTS[:2])
    outcome = bench.fetch("gcp-compute", day=1)
    assert outcome.error is None
    assert "a3-highgpu-8g on-demand local-ssd" in findings(outcome.result)["incomplete"]
    held = bench.price("a3-highgpu-8g", "us-central1")
    assert held.usd_per_instance_hour.quantize(Decimal("0.01")) == Decimal("88.49")
    assert held.as_of == FIRST_DAY, "an incomplete list does not confirm a price"
    server.answer = lambda _: google_page(H100, *A3_PARTS)
    assert bench.fetch("gcp-compute", day=2).error is None
    assert (bench.price("a3-highgpu-8g", "us-central1").as_of - FIRST_DAY).days == 2


def test_a_renamed_part_keeps_the_machine_and_is_reported(bench: Bench) -> None:
    server = bench.serve("gcp", lambda _: google_page(H100, *A3_PARTS))
    assert bench.fetch("gcp-compute").error is None
    renamed = {**H100, "description": "Nvidia H100 SXM5 80GB GPU running in Americas"}
    server.answer = lambda _: google_page(renamed, *A3_PARTS)
    outcome = bench.fetch("gcp-compute", day=1)
    assert outcome.error is None
    found = findings(outcome.result)
    assert len(found["unmatched"]) == 1
    assert "a3-highgpu-8g on-demand h100" in found["incomplete"]
    assert bench.price("a3-highgpu-8g", "us-central1").as_of == FIRST_DAY


def test_a_renamed_machine_keeps_the_price_of_its_old_name_for_now(bench: Bench) -> None:
    page = sample_json("azure/retail_prices_mexicocentral.json")
    server = bench.serve("azure", lambda _: as_json(page))
    assert bench.fetch("azure").error is None
    renamed = json.loads(json.dumps(page))
    renamed["Items"][0]["armSkuName"] = "Standard_ND96isr_H200_v5a"
    server.answer = lambda _: as_json(renamed)
    outcome = bench.fetch("azure", day=1)
    assert outcome.changes is not None
    assert [held.instance_type for held in outcome.changes.missing] == ["Standard_ND96isr_H200_v5"]
    assert outcome.changes.vanished == ()
    held = bench.price("Standard_ND96isr_H200_v5", "mexicocentral")
    assert (held.usd_per_instance_hour, held.as_of) == (Decimal("93.28"), FIRST_DAY)
    # nothing unknown is listed there any more: then it is gone
    without = {**page, "Items": page["Items"][1:], "Count": 2}
    server.answer = lambda _: as_json(without)
    outcome = bench.fetch("azure", day=2)
    assert outcome.changes is not None
    assert [held.instance_type for held in outcome.changes.vanished] == ["Standard_ND96isr_H200_v5"]


def test_two_spellings_of_one_part(bench: Bench) -> None:
    mega = [
        sku("A3Plus Instance Core running in Americas", "0.026924", group="CPU"),
        sku("A3Plus Instance Ram running in Americas", "0.002344", group="RAM", unit="GiBy.h"),
        A3_PARTS[2],
    ]
    for word in ("Plus", "Mega"):
        gpu = sku(f"Nvidia H100 80GB {word} GPU running in Americas", "10.344275712")
        bench.serve("gcp", lambda _, gpu=gpu: google_page(gpu, *mega))
        assert bench.fetch("gcp-compute").error is None
        held = bench.price("a3-megagpu-8g", "us-central1")
        assert held.usd_per_instance_hour.quantize(Decimal("0.01")) == Decimal("93.40")


def test_a_new_accelerator_is_reported_row_by_row(bench: Bench) -> None:
    new = sku("Nvidia R300 400GB GPU running in Americas", "20.5")
    tpu = sku("TpuV9x running in Iowa", "9.5", group="TPU")
    bench.serve("gcp", lambda _: google_page(H100, *A3_PARTS, new, tpu))
    outcome = bench.fetch("gcp-compute")
    assert outcome.error is None
    rows = findings(outcome.result)["unmatched"]
    assert [row.split(" (SKU")[0] for row in rows] == [
        "Nvidia R300 400GB GPU running in Americas",
        "TpuV9x running in Iowa",
    ]


def test_the_dearer_of_two_prices_for_one_part_is_taken_and_told(bench: Bench) -> None:
    other = sku("Nvidia H100 80GB GPU running in Iowa", "9.9")
    for order in ((H100, other), (other, H100)):
        bench.serve("gcp", lambda _, order=order: google_page(*order, *A3_PARTS))
        outcome = bench.fetch("gcp-compute")
        assert findings(outcome.result)["two_prices"]
        assert "8 h100 at 9.9 " in bench.price("a3-highgpu-8g", "us-central1").note


def test_tiers_are_chosen_by_quantity() -> None:
    """Egress of the Mexican region: 0.12, 0.11 from 1 TiB, 0.08 from 10 TiB."""
    from google.cloud.billing_v1.types import ListSkusResponse

    page = ListSkusResponse.from_json(servers.sample("gcp/list_skus_compute_page2.json").decode())
    egress = next(item for item in page.skus if "Data Transfer Out" in item.description)
    tiers = egress.pricing_info[0].pricing_expression.tiered_rates
    for quantity, usd in ((0, "0.12"), (1023, "0.12"), (1024, "0.11"), (50_000, "0.08")):
        assert tier_price(tiers, Decimal(quantity), "egress") == Decimal(usd)
    with pytest.raises(FeedError):
        tier_price(tiers[1:], Decimal(1), "egress")


def test_a_free_first_tier_is_not_the_price_of_a_machine(bench: Bench) -> None:
    gpu = sku("Nvidia H100 80GB GPU running in Americas", "9.796550569")
    expression = gpu["pricingInfo"][0]["pricingExpression"]
    paid = {**expression["tieredRates"][0], "startUsageAmount": 1.0}
    free = {"startUsageAmount": 0.0, "unitPrice": {"currencyCode": "USD"}}
    expression["tieredRates"] = [free, paid]
    bench.serve("gcp", lambda _: google_page(gpu, *A3_PARTS))
    assert bench.fetch("gcp-compute").error is None
    held = bench.price("a3-highgpu-8g", "us-central1")
    assert held.usd_per_instance_hour.quantize(Decimal("0.01")) == Decimal("88.49")


def test_google_over_grpc(bench: Bench) -> None:
    """The same reader behind an insecure channel, as the client library allows for tests."""
    from concurrent.futures import ThreadPoolExecutor

    import grpc
    from google.cloud.billing_v1 import CloudCatalogClient
    from google.cloud.billing_v1.services.cloud_catalog.transports import CloudCatalogGrpcTransport
    from google.cloud.billing_v1.types import ListSkusRequest, ListSkusResponse

    def list_skus(request: Any, _: Any) -> Any:
        assert request.parent == "services/6F81-5844-456A"
        assert request.currency_code == "USD"
        name = "page2" if request.page_token == "token-page-2" else "page1"
        text = servers.sample(f"gcp/list_skus_compute_{name}.json").decode()
        return ListSkusResponse.from_json(text)

    server = grpc.server(ThreadPoolExecutor(2))
    handler = grpc.unary_unary_rpc_method_handler(
        list_skus,
        request_deserializer=ListSkusRequest.deserialize,
        response_serializer=ListSkusResponse.serialize,
    )
    server.add_generic_rpc_handlers(
        (
            grpc.method_handlers_generic_handler(
                "google.cloud.billing.v1.CloudCatalog", {"ListSkus": handler}
            ),
        )
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        catalog = CloudCatalogClient(transport=CloudCatalogGrpcTransport(channel=channel))
        context = context_of(bench)
        table = GcpTable(context.tables["gcp"])
        skus = gcp_client.skus(catalog, "6F81-5844-456A", context)
        result = gcp.read(skus, table, context, "gRPC")
    finally:
        server.stop(None)
    found = {
        (row.offer.instance_type, row.offer.region, row.offer.purchase): row.offer
        for row in result.rows.values()
    }
    held = found["a3-highgpu-8g", "us-central1", "on-demand"]
    assert held.usd_per_instance_hour.quantize(Decimal("0.01")) == Decimal("88.49")
    assert found["ct5p-hightpu-4t", "us-east5", "on-demand"].usd_per_accelerator_hour == Decimal(
        "4.2"
    )
    with pytest.raises(FeedError) as refused:
        list(gcp_client.skus(catalog, "6F81-5844-456A", context))
    assert "busy" in refused.value.message()


def test_the_google_key_travels_in_a_header(bench: Bench) -> None:
    server = bench.serve("gcp", servers.gcp)
    bench.set("GOOGLE_API_KEY", "test-google-key")
    assert bench.fetch("gcp-compute").error is None
    for request in server.requests:
        assert request.headers["x-goog-api-key"] == "test-google-key"
        assert "test-google-key" not in f"{request.path} {request.query}"
        assert request.query["currencyCode"] == "USD"
        assert request.query["pageSize"] == "5000"


# -- Azure and OCI -------------------------------------------------------------------------------


def test_azure_tells_its_kinds_of_rows_apart(bench: Bench) -> None:
    bench.serve("azure", servers.azure)
    assert bench.fetch("azure").error is None
    eastus = {
        (held.purchase, held.purchase_as_listed): held.usd_per_instance_hour
        for held in bench.prices().values()
        if held.region == "eastus"
    }
    # neither Windows (102.736) nor Low Priority (41.094)
    assert set(eastus.values()) == {
        Decimal("98.32"),
        Decimal("18.169536"),
        Decimal("62.924771689"),
    }


def test_of_two_spot_meters_the_newest_holds_and_of_equal_dates_the_dearer(bench: Bench) -> None:
    page = sample_json("azure/retail_prices_page2.json")
    server = bench.serve("azure", lambda _: as_json(page))
    assert bench.fetch("azure").error is None
    held = bench.price("Standard_NC40ads_H100_v5", "spaincentral", "spot")
    assert held.usd_per_instance_hour == Decimal("2.7975")
    assert held.note == "also listed at 2.2376 USD"
    page["Items"][-1]["effectiveStartDate"] = "2026-10-01T00:00:00Z"
    server.answer = lambda _: as_json(page)
    assert bench.fetch("azure", day=1).error is None
    held = bench.price("Standard_NC40ads_H100_v5", "spaincentral", "spot")
    assert held.usd_per_instance_hour == Decimal("2.2376")


def test_azure_savings_plans_and_other_rows(bench: Bench) -> None:
    page = sample_json("azure/retail_prices_mexicocentral.json")
    row = page["Items"][0]
    row["savingsPlan"] = [
        {"unitPrice": 64.1, "retailPrice": 64.1, "term": "1 Year"},
        {"unitPrice": 41.9, "retailPrice": 41.9, "term": "3 Years"},
    ]
    page["Items"] += [
        {**row, "type": "DevTestConsumption", "retailPrice": 1.0},
        {**row, "productName": "Virtual Machines NDsr H200 v5 Series Windows", "retailPrice": 2.0},
        {**row, "type": "Reservation", "reservationTerm": "5 Years", "retailPrice": 3.0},
        {**row, "armSkuName": "NDisrH200v5_Type1", "retailPrice": 4.0},
        {**row, "armSkuName": "Standard_ND999isr_R300_v9", "retailPrice": 5.0},
        {**row, "armSkuName": "Standard_NC6s_v3", "retailPrice": 6.0},
    ]
    page["Count"] = len(page["Items"])
    bench.serve("azure", lambda _: as_json(page))
    outcome = bench.fetch("azure")
    assert outcome.error is None
    assert findings(outcome.result)["unmatched"] == ["Standard_ND999isr_R300_v9 mexicocentral"]
    h200 = {
        (held.purchase, held.term): held.usd_per_instance_hour
        for held in bench.prices().values()
        if held.instance_type == "Standard_ND96isr_H200_v5"
    }
    assert h200 == {
        ("on-demand", ""): Decimal("93.28"),
        ("commit-1y", "1y, savings plan"): Decimal("64.1"),
        ("commit-3y", "3y, savings plan"): Decimal("41.9"),
    }


def test_oracle_licences_and_twins_are_left_out(bench: Bench) -> None:
    page = sample_json("oci/products_usd.json")
    twin = json.loads(json.dumps(page["items"][0]))
    twin.update(partNumber="B99999", displayName="OCI Cloud@Customer - Compute - GPU - H100")
    new = json.loads(json.dumps(page["items"][0]))
    new.update(partNumber="B77777", displayName="OCI - Compute - GPU - R300")
    reused = next(item for item in page["items"] if item["partNumber"] == "B110978")
    reused["displayName"] = "OCI - Compute - GPU - H100T"
    page["items"] += [twin, new]
    bench.serve("oci", lambda _: as_json(page))
    outcome = bench.fetch("oci")
    assert outcome.error is None
    assert findings(outcome.result)["unmatched"] == ["B77777 OCI - Compute - GPU - R300"]
    assert len(findings(outcome.result)["mismatch"]) == 1
    held = {offer.instance_type for offer in bench.prices().values()}
    assert "BM.GPU.H100.8" in held
    assert "BM.GPU.B200.8" not in held
    assert all(offer.region is None for offer in bench.prices().values())


def test_oracle_tiers_are_chosen_by_quantity() -> None:
    page = parse_json(Answer(servers.sample("oci/products_usd.json"), "application/json"))
    items = {item["partNumber"]: item for item in page["items"]}
    assert oci.pay_as_you_go_usd(items["B91628"], "object storage") == Decimal("0.0255")
    assert oci.pay_as_you_go_usd(items["B88327"], "egress") == 0
    assert oci.pay_as_you_go_usd(items["B98415"], "H100") == 10


def test_a_price_list_at_another_host_is_asked_below_its_own_path(bench: Bench) -> None:
    def answer(request: Request) -> Reply:
        if not request.path.startswith("/mirror/azure/"):
            return Reply(b"{}", status=404)
        request.path = request.path.removeprefix("/mirror/azure")
        return servers.azure(request)

    server = bench.serve("azure", answer)
    bench.set("COSTCALC_AZURE_ENDPOINT", f"{server.url}/mirror/azure/")
    assert bench.fetch("azure").error is None
    assert len(server.requests) == 2
