"""`regions list`, `regions show` and the place options of `train`, as commands."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.command import Run

TRAIN = ("train", "--model", "llama-3.1-8b", "--tokens", "1B")


def test_list_by_country_in_either_language(costcalc: Run) -> None:
    for country in ("mx", "México", "mexico"):
        found = json.loads(
            costcalc("regions", "list", "--country", country, "--format", "json").out
        )
        assert {row["region"] for row in found} == {
            "mx-central-1",
            "mexicocentral",
            "northamerica-south1",
            "mx-queretaro-1",
            "mx-monterrey-1",
        }
        assert {row["region"]: row["accelerators"] for row in found}["mexicocentral"] == (
            "a10, h200-sxm"
        )


def test_list_by_accelerator_and_provider(costcalc: Run) -> None:
    done = costcalc(
        "regions", "list", "--accelerator", "v6e", "--provider", "gcp", "--format", "csv"
    )
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert "us-south1" in {row["region"] for row in rows}
    assert all("tpu-v6e" in row["accelerators"] for row in rows)


def test_a_country_without_regions_is_told(costcalc: Run) -> None:
    done = costcalc("regions", "list", "--country", "mexco")
    assert done.status == 2
    assert "mexico" in done.err.lower()


def test_show_gives_the_evidence(costcalc: Run) -> None:
    done = costcalc("regions", "show", "queretaro")
    assert done.status == 0
    assert "1.09 x us-central1" in done.out
    assert "one price" in done.out
    spanish = costcalc("regions", "show", "us-south1", "--lang", "es")
    assert "zona de IA" in spanish.out
    assert all(len(line) <= 80 for line in spanish.out.splitlines())


def test_show_as_json_is_one_record_per_evidence(costcalc: Run) -> None:
    rows = json.loads(costcalc("regions", "show", "qro", "--format", "json").out)
    h200 = [r for r in rows if r["provider"] == "azure" and r["accelerator"] == "h200-sxm"]
    assert h200[0]["usd_per_accelerator_hour"] == 11.66
    assert h200[0]["evidence"] == "price"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--on", "h200:8", "--region", "queretaro"), 0, "mexicocentral"),
        (("--on", "h100:8", "--region", "queretaro"), 4, "azure southcentralus"),
        (("--on", "tpu-v5e:16", "--region", "queretaro"), 4, "us-south1"),
        (("--on", "tpu-v5e:16", "--region", "queretaro", "--nearest"), 0, "us-south1"),
        (("--on", "h100:8", "--residency", "mx"), 4, "MX"),
        (("--on", "h100:8", "--region", "quertaro"), 2, "queretaro"),
    ],
)
def test_places_of_a_run(costcalc: Run, arguments: tuple[str, ...], status: int, said: str) -> None:
    done = costcalc(*TRAIN, *arguments)
    assert done.status == status
    assert said in done.out + done.err
    assert "Traceback" not in done.err


def test_a_model_too_large_for_one_host_says_what_would_hold_it(costcalc: Run) -> None:
    large = ("train", "--model", "llama-3.1-405b", "--tokens", "1B")
    done = costcalc(*large, "--on", "h200:8", "--region", "queretaro")
    assert done.status == 4
    assert "h200" in done.err
    enough = costcalc(*large, "--on", "h200:128", "--region", "queretaro", "--format", "json")
    quote = json.loads(enough.out)
    assert quote["workloads"][0]["offer"]["instances"] == 16
    assert "amount_unproven" in {item["code"] for item in quote["warnings"]}


def test_extras_on_the_command_line(costcalc: Run) -> None:
    done = costcalc(
        *TRAIN, "--on", "tpu-v5e:64", "--region", "us-south1", "--checkpoints", "2",
        "--egress", "100GB", "--programme-factor", "1.2", "--format", "json",
    )  # fmt: skip
    items = [line["item"] for line in json.loads(done.out)["lines"]]
    assert items == ["compute", "programme", "checkpoints", "egress"]
    assert costcalc(*TRAIN, "--on", "h100:8", "--egress", "much").status == 2
    assert costcalc(*TRAIN, "--on", "h100:8", "--programme-factor", "0.5").status == 2
