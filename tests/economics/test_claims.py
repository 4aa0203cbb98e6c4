"""Claims: every figure recomputed from the files and from whole quotes; the rule of verdicts."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from command import Run
from hypothesis import given
from hypothesis import strategies as st

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog
from costcalc.catalog.public_claims import PublicClaim
from costcalc.errors import InputError, NoOfferError
from costcalc.quote.claims import Checked, Figure, Setting, check, public_claims, verdict
from costcalc.quote.select import Placement
from costcalc.quote.serve import ServeRequest, quote_serving
from costcalc.quote.terms import Terms
from costcalc.quote.train import TrainRequest, quote_training
from costcalc.reports.claims_section import claim_record, summary

ROOT = Path(__file__).resolve().parents[2]
PRICING = ROOT / "pricing"
DAY = "2026-12-01"
CLAIMS = yaml.safe_load((PRICING / "claims.yaml").read_text(encoding="utf-8"))["claims"]
VERDICTS = {"supported", "not supported", "depends", "cannot be checked"}

RUN = {"model": "llama-3.1-8b", "tokens": 10**9}
Price = tuple[str, str, float]


@pytest.fixture(scope="module")
def checked(catalog: Catalog, terms: Terms) -> dict[str, Checked]:
    setting = Setting(catalog, terms)
    return {name: check(claim, setting) for name, claim in public_claims(catalog).items()}


@pytest.fixture(scope="module")
def chips() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for path in (PRICING / "accelerators").glob("*.yaml"):
        found |= yaml.safe_load(path.read_text(encoding="utf-8"))["accelerators"]
    return found


def rows() -> Iterator[tuple[str, str, dict[str, Any], dict[str, Any]]]:
    """(provider, market, instance, price) of every dated price."""
    for path in sorted((PRICING / "offers").glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        for instance in document["instances"]:
            for price in instance["prices"]:
                yield document["provider"], document["market"], instance, price


def amounts(instance: dict[str, Any], price: dict[str, Any]) -> dict[str | None, float]:
    """USD per accelerator-hour by region; None where one price holds for many regions."""
    count = instance["accelerator_count"]
    found: dict[str | None, float] = {}
    for key, share in (("usd_per_accelerator_hour", 1), ("usd_per_instance_hour", count)):
        value = price.get(key)
        by_region = value if isinstance(value, dict) else {None: value}
        found |= {
            region: float(usd) / share for region, usd in by_region.items() if usd is not None
        }
    return found


@pytest.fixture(scope="module")
def on_demand() -> dict[str, list[Price]]:
    """Current on-demand prices per accelerator-hour, (provider, market, USD), by accelerator."""
    newest: dict[tuple[Any, ...], tuple[str, float, str | None, str, str, str]] = {}
    for provider, own_market, instance, price in rows():
        if price["purchase"] != "on-demand" or str(price["as_of"]) > DAY:
            continue
        for region, usd in amounts(instance, price).items():
            market = price.get("market", instance.get("market", own_market))
            name = instance["instance_type"]
            key = (provider, name, instance["accelerator"], region, price.get("term"), market)
            value = (
                str(price["as_of"]),
                usd,
                str(price["ended"]) if price.get("ended") else None,
                instance["accelerator"],
                provider,
                market,
            )
            if key not in newest or newest[key][0] < value[0]:
                newest[key] = value
    found: dict[str, list[Price]] = {}
    for _, usd, ended, accelerator, provider, market in newest.values():
        if usd > 0 and (ended is None or ended > DAY):
            found.setdefault(accelerator, []).append((provider, market, usd))
    return found


def at(place: str) -> Callable[[Price], bool]:
    if place == "default":
        return lambda price: price[1] in ("hyperscaler", "neocloud")
    if place == "hyperscaler":
        return lambda price: price[1] == place
    return lambda price: price[0] == place


def figures(found: Checked, kind: str) -> list[Figure]:
    return [figure for figure in found.figures if figure.kind == kind]


def params(figure: Figure) -> dict[str, Any]:
    return dict(figure.params)


# Figures, recomputed


def test_flops_per_usd_from_the_files(
    checked: dict[str, Checked], chips: dict[str, Any], on_demand: dict[str, list[Price]]
) -> None:
    found = figures(checked["tpu-flops-per-usd"], "flops_per_usd")
    assert len(found) == 4 * 2 * 3
    for figure in found:
        told = params(figure)
        values = []
        for name in (told["of"], told["against"]):
            prices = [p[2] for p in on_demand[name] if at(told["place"])(p)]
            peak = chips[name]["figures"]["peak_bf16_tflops"]["value"]
            values.append(peak / min(prices) if prices else None)
        if None in values:
            assert figure.value is None
            assert figure.holds is None
            continue
        assert figure.value == pytest.approx(values[0] / values[1], rel=1e-9)
        assert figure.holds == (figure.value >= 1.5)


def request(catalog: Catalog, run: dict[str, Any], on: str, place: str) -> TrainRequest:
    where: dict[str, Any] = {
        "default": {},
        "hyperscaler": {"market": "hyperscaler"},
        "gcp": {"provider": "gcp", "market": "any"},
    }[place]
    return TrainRequest(
        architecture=catalog.model(run["model"]),
        tokens=run["tokens"],
        placement=Placement(hardware=catalog.hardware(on), purchase="on-demand", **where),
        seq_len=run.get("seq_len", 4096),
        global_batch_tokens=run.get("global_batch"),
        method=run.get("method", "full"),
        lora_rank=run.get("lora_rank", 16),
        tuning=run.get("tuning"),
    )


@pytest.mark.parametrize("identity", ["run-50k-for-20k", "gemma-lora-tpu"])
def test_training_pairs_are_whole_quotes_side_by_side(
    identity: str, checked: dict[str, Checked], catalog: Catalog, terms: Terms
) -> None:
    found = iter(figures(checked[identity], "training_run"))
    for evidence in CLAIMS[identity]["evidence"]:
        if evidence["kind"] != "training_run":
            continue
        pairs = itertools.product(evidence["places"], evidence["of"], evidence["against"])
        for place, of, against in pairs:
            try:
                one, other = (
                    quote_training(request(catalog, evidence["run"], on, place), catalog, terms)
                    for on in (of, against)
                )
            except NoOfferError:
                assert next(found).value is None
                continue
            hours = [quote.workloads[0].estimate.hours for quote in (one, other)]
            if "speed_at_least" in evidence:
                figure = next(found)
                assert figure.value == pytest.approx(hours[1] / hours[0], rel=1e-9)
                assert figure.holds == (figure.value >= evidence["speed_at_least"])
            figure = next(found)
            usd = [float(quote.lines[0].amount_usd) for quote in (one, other)]
            assert figure.value == pytest.approx(usd[1] / usd[0], rel=2e-3)
            assert figure.holds == (figure.value >= evidence["saving_at_least"])
    assert next(found, None) is None


def test_hourly_cost_is_that_of_the_smallest_system(
    checked: dict[str, Checked], catalog: Catalog, terms: Terms
) -> None:
    evidence = CLAIMS["tpu-70b-hourly"]["evidence"][0]
    for figure in figures(checked["tpu-70b-hourly"], "hourly_cost"):
        told = params(figure)
        if figure.value is None:
            continue
        hourly = []
        for on in (told["of"], told["against"]):
            quote = quote_training(
                request(catalog, evidence["run"], on, told["place"]), catalog, terms
            )
            offer = quote.workloads[0].offer
            assert offer is not None
            hourly.append(float(offer.usd_per_hour))
        assert figure.value == pytest.approx(hourly[1] / hourly[0])
        assert told["of_usd"] == f"{hourly[0]:,.2f}"
    # one slice less does not hold the model
    for smaller in ("tpu-v6e:4", "tpu-v5e:8", "h100-sxm:1"):
        with pytest.raises(NoOfferError):
            quote_training(request(catalog, evidence["run"], smaller, "default"), catalog, terms)


def test_the_cheapest_of_each_kind_beats_every_other_system_of_its_kind(
    checked: dict[str, Checked], catalog: Catalog, terms: Terms
) -> None:
    kinds = {"asic": ("google", "aws", "intel"), "gpu": ("nvidia", "amd")}
    run = CLAIMS["asics-always-win"]["evidence"][0]["runs"][0]
    cost: dict[str, float] = {}
    for accelerator in catalog.accelerators().values():
        on = f"{accelerator.id}:{run['chips']}"
        try:
            quote = quote_training(request(catalog, run, on, "default"), catalog, terms)
        except (InputError, NoOfferError):
            continue
        kind = next((k for k, makers in kinds.items() if accelerator.chip.vendor in makers), None)
        if kind is not None and accelerator.status == "available":
            usd = float(quote.lines[0].amount_usd)
            cost[kind] = min(cost.get(kind, math.inf), usd)
    (figure,) = [
        item
        for item in figures(checked["asics-always-win"], "cheapest_kind")
        if params(item)["model"] == run["model"] and params(item)["place"] == "default"
    ]
    assert figure.value == pytest.approx(cost["gpu"] / cost["asic"], rel=2e-3)
    assert figure.holds == (figure.value >= 1)


def test_untuned_software_costs_hours(
    checked: dict[str, Checked], catalog: Catalog, terms: Terms
) -> None:
    claim = checked["tens-of-thousands-untuned"]
    (evidence,) = [e for e in CLAIMS[claim.claim.id]["evidence"] if e["kind"] == "tuning"]
    hours = {
        stack: quote_training(
            request(catalog, {**evidence["run"], "tuning": stack}, evidence["system"], "default"),
            catalog,
            terms,
        )
        .workloads[0]
        .estimate.hours
        for stack in ("tuned", "out-of-box")
    }
    (figure,) = figures(claim, "tuning")
    assert figure.value == pytest.approx(hours["out-of-box"] / hours["tuned"])
    (size,) = figures(claim, "largest_run")
    # one training job on 50,944 TPU v5e, as Google published it
    assert (size.value, size.holds) == (50_944, True)


@pytest.mark.parametrize("identity", ["ttft-475-235", "asics-always-win"])
def test_services_are_whole_quotes_side_by_side(
    identity: str, checked: dict[str, Checked], catalog: Catalog, terms: Terms
) -> None:
    (evidence,) = [e for e in CLAIMS[identity]["evidence"] if e["kind"] == "serving"]
    found = iter(figures(checked[identity], "serving"))
    asked = evidence["requests"]
    for place, of, against in itertools.product(
        evidence["places"], evidence["of"], evidence["against"]
    ):
        quotes = [
            quote_serving(
                ServeRequest(
                    architecture=catalog.model(asked["model"]),
                    placement=request(catalog, RUN, on, place).placement,
                    input_tokens=asked["input_tokens"],
                    output_tokens=asked["output_tokens"],
                    requests_per_s=asked.get("rps"),
                    concurrency=asked.get("concurrency"),
                ),
                catalog,
                terms,
            )
            for on in (of, against)
        ]
        one, other = (quote.workloads[0].estimate for quote in quotes)
        assert one is not None
        assert other is not None
        if "first_token_at_least" in evidence:
            figure = next(found)
            ratio = other.serving.ttft_ms_p50 / one.serving.ttft_ms_p50
            assert figure.value == pytest.approx(ratio)
            assert figure.holds == (ratio >= evidence["first_token_at_least"])
        if "saving_at_least" in evidence:
            figure = next(found)
            ratio = other.costs.output_at_capacity.middle / one.costs.output_at_capacity.middle
            assert figure.value == pytest.approx(ratio, rel=1e-4)
            assert figure.holds == (ratio >= evidence["saving_at_least"])
    assert next(found, None) is None


def test_no_tpu_stands_in_queretaro(checked: dict[str, Checked]) -> None:
    there = [
        instance["accelerator"]
        for provider, _, instance, price in rows()
        for region in amounts(instance, price)
        if provider == "gcp" and region == "northamerica-south1"
    ]
    regions = yaml.safe_load((PRICING / "regions" / "gcp.yaml").read_text(encoding="utf-8"))
    region = regions["regions"]["gcp/northamerica-south1"]
    listed = [item["accelerator"] for item in region.get("listed", [])]
    zones = [item["accelerator"] for item in region.get("tpu_zones", [])]
    assert not [name for name in there + listed + zones if name.startswith("tpu")]
    found = figures(checked["tpu-in-queretaro"], "in_region")
    assert [figure.value for figure in found] == [0.0] * 6
    assert checked["tpu-in-queretaro"].verdict == "not supported"


def test_distances_from_queretaro(checked: dict[str, Checked], catalog: Catalog) -> None:
    regions = catalog.regions()
    found = {
        params(figure)["accelerator"]: figure
        for figure in figures(checked["no-international-latency"], "nearest_offer")
    }
    home = found["h200-sxm"]
    assert (home.value, home.holds, params(home)["where"]) == (0, True, "azure mexicocentral")
    abroad = found["tpu-v6e"]
    assert params(abroad)["where"] == "gcp us-south1"
    one, other = regions["gcp/us-south1"], regions["gcp/northamerica-south1"]
    angles = [
        math.radians(value or 0)
        for value in (one.latitude, one.longitude, other.latitude, other.longitude)
    ]
    # spherical law of cosines, another formula than the code's
    cosine = math.sin(angles[0]) * math.sin(angles[2]) + math.cos(angles[0]) * math.cos(
        angles[2]
    ) * math.cos(angles[1] - angles[3])
    assert abroad.value == pytest.approx(6371.0088 * math.acos(cosine), rel=1e-6)
    assert float(params(abroad)["ms"]) == pytest.approx(abroad.value / 100, abs=0.05)
    assert checked["no-international-latency"].verdict == "depends"


def test_dl1_holds_the_first_gaudi(checked: dict[str, Checked]) -> None:
    held = {
        instance["accelerator"]
        for _, _, instance, _ in rows()
        if instance["instance_type"] == "dl1.24xlarge"
    }
    assert held == {"gaudi1"}
    assert checked["dl1-gaudi2"].verdict == "not supported"


def test_price_changes_counted_again(checked: dict[str, Checked]) -> None:
    table = yaml.safe_load((PRICING / "api_prices.yaml").read_text(encoding="utf-8"))
    ratios = [
        (1000 * row["after"][0] + 300 * row["after"][1])
        / (1000 * row["before"][0] + 300 * row["before"][1])
        for row in table["changes"]
        if str(row["date"]) <= DAY
    ]
    found = checked["token-prices-always-fall"]
    counts = {figure.label: figure.value for figure in figures(found, "price_changes")}
    assert counts["price_cuts"] == sum(ratio < 1 for ratio in ratios) > 0
    assert counts["price_rises"] == sum(ratio > 1 for ratio in ratios) > 0
    steepest = [f.value for f in figures(found, "price_changes") if f.label == "price_rise"]
    assert steepest == pytest.approx(sorted(ratios, reverse=True)[:3])
    assert found.verdict == "not supported"


def test_published_runs_counted_again(checked: dict[str, Checked]) -> None:
    makers = {"tpu": "google", "trn": "aws", "mi": "amd", "gaudi": "intel"}
    with (PRICING / "runs" / "training.csv").open(encoding="utf-8", newline="") as file:
        table = [row for row in csv.DictReader(file) if row["accelerator_count"]]
    counts: dict[str, int] = {}
    for row in table:
        family = row["accel_family"].lower()
        maker = next((m for part, m in makers.items() if family.startswith(part)), "nvidia")
        counts[maker] = counts.get(maker, 0) + 1
    found = figures(checked["left-cuda"], "published_runs")
    told = {params(figure)["vendor"]: figure.value for figure in found}
    assert told["google"] == counts["google"]
    assert told["aws"] == counts["aws"]
    assert sum(told.values()) == params(found[0])["all"] <= len(table)


def test_amounts_in_pesos_are_those_of_the_rate(checked: dict[str, Checked], terms: Terms) -> None:
    big, small = figures(checked["run-50k-for-20k"], "exchange_rate")
    assert big.value == pytest.approx(50_000 * float(terms.fx.usd_mxn))
    assert small.value == pytest.approx(20_000 * float(terms.fx.usd_mxn))
    assert params(big)["implied"] == "18.3400"


def test_nothing_is_known_of_jalapeno(checked: dict[str, Checked]) -> None:
    for name in ("jalapeno-beats-blackwell", "jalapeno-half-cost"):
        assert [figure.value for figure in checked[name].figures] == [0, 0, 0]
        assert checked[name].verdict == "cannot be checked"


# The rule


def claim(**changes: bool) -> PublicClaim:
    values = {"universal": False, "withdrawn": False, **changes}
    return PublicClaim("x", {}, {}, None, "", {}, depends_on={}, evidence=(), **values)


@given(st.lists(st.sampled_from([True, False, None])), st.booleans(), st.booleans())
def test_verdicts_follow_from_the_figures(
    holds: list[bool | None], universal: bool, withdrawn: bool
) -> None:
    found = verdict(
        claim(universal=universal, withdrawn=withdrawn),
        [Figure("statement", "statement", holds=value) for value in holds],
    )
    yes, no = holds.count(True), holds.count(False)
    if withdrawn or (no and (universal or not yes)):
        assert found == "not supported"
    elif yes and no:
        assert found == "depends"
    elif yes:
        assert found == "supported"
    else:
        assert found == "cannot be checked"


# The command


def test_every_claim_of_the_file_is_told(costcalc: Run) -> None:
    records = json.loads(costcalc("claims", "--format", "json").out)
    assert [record["id"] for record in records] == list(CLAIMS)
    for record in records:
        assert record["verdict"] in VERDICTS
        assert record["figures"]
        assert len(record["source"]) > 10
        assert (record["depends_on"] is not None) == (record["verdict"] == "depends")
        for figure in record["figures"]:
            assert figure["source"]
            assert "{" not in figure["figure"]
        assert record["agreeing"] == sum(f["holds"] is True for f in record["figures"])
    spanish = json.loads(costcalc("claims", "--format", "json", "--lang", "es").out)
    for one, other in zip(records, spanish, strict=True):
        assert one["claim"] != other["claim"]
        assert [f["value"] for f in one["figures"]] == [f["value"] for f in other["figures"]]


def test_formats_for_people_and_spreadsheets(costcalc: Run) -> None:
    table = costcalc("claims").out
    for name in CLAIMS:
        assert name in table
    assert max(map(len, table.splitlines())) <= 80
    assert "NO respaldada" in costcalc("claims", "--lang", "es").out
    detail = costcalc("claims", "--id", "jalapeno-half-cost").out
    assert "cannot be checked" in detail
    assert "Bloomberg interview" in detail
    assert costcalc("claims", "--format", "markdown").out.count("| depends |") >= 1
    lines = list(csv.DictReader(io.StringIO(costcalc("claims", "--format", "csv").out)))
    assert {line["id"] for line in lines} == set(CLAIMS)
    assert {line["holds"] for line in lines} == {"true", "false", ""}


def test_an_unknown_claim_names_the_nearest(costcalc: Run) -> None:
    result = costcalc("claims", "--id", "jalapeno")
    assert (result.status, result.out) == (2, "")
    assert "jalapeno-half-cost" in result.err


def test_a_rate_of_ones_own_moves_the_pesos(costcalc: Run) -> None:
    run = ["claims", "--id", "run-50k-for-20k", "--format", "json", "--fx", "20"]
    record = json.loads(costcalc(*run).out)[0]
    assert 1_000_000 in [figure["value"] for figure in record["figures"]]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: machine,", "kind: machin,", "unknown kind of evidence 'machin'. Nearest: machine"),
        (", accelerator: gaudi2}", "}", "evidence of the kind machine needs accelerator."),
    ],
)
def test_a_slip_in_the_file_is_named(
    old: str, new: str, message: str, tmp_path: Path, terms: Terms
) -> None:
    import shutil

    folder = tmp_path / "pricing"
    shutil.copytree(PRICING, folder)
    path = folder / "claims.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")
    opened = catalogs.load(folder, cache_dir=tmp_path / "cache")
    with pytest.raises(InputError) as caught:
        check(public_claims(opened)["dl1-gaudi2"], Setting(opened, terms))
    assert message in str(caught.value)


def test_one_yaml_entry_is_a_claim(tmp_path: Path, terms: Terms) -> None:
    import shutil

    folder = tmp_path / "pricing"
    shutil.copytree(PRICING, folder)
    (folder / "claims.yaml").write_text(
        """\
sources: {blog: {text: example.org/blog, date: 2026-11-01}}
claims:
  cheap-v6e:
    text: {en: v6e has more FLOPs per dollar than v5p, es: v6e da más FLOPs por dólar que v5p}
    by: a blog
    said: 2026-11-01
    source: blog
    against: v6e with v5p
    depends_on: the place
    evidence:
      - {kind: flops_per_usd, of: [tpu-v6e], against: [tpu-v5p], precision: bf16, places: [gcp],
         at_least: 1}
""",
        encoding="utf-8",
    )
    opened = catalogs.load(folder, cache_dir=tmp_path / "cache")
    found = check(public_claims(opened)["cheap-v6e"], Setting(opened, terms))
    assert found.verdict == "supported"
    # 918 / 2.70 over 459 / 4.20
    assert found.figures[0].value == pytest.approx((918 / 2.7) / (459 / 4.2))
    assert claim_record(found, "es")["by"] == "a blog"
    assert summary(found, "en") == "1 of 1 agree: 3.11 (claimed >= 1)"


# What is announced only


def test_nothing_announced_is_ever_priced(catalog: Catalog, terms: Terms, costcalc: Run) -> None:
    announced = [item for item in catalog.accelerators().values() if item.status == "announced"]
    assert {"jalapeno", "tpu-8t", "tpu-8i"} <= {item.id for item in announced}
    for item in announced:
        assert not list(catalog.offers().of_accelerator(item.id))
        asked = request(catalog, RUN, f"{item.id}:8", "default")
        with pytest.raises(NoOfferError):
            quote_training(asked, catalog, terms)
    words = ["train", "--model", "llama-3.1-8b", "--tokens", "1B", "--on", "jalapeno:8"]
    assert costcalc(*words).status == 4


def test_days_before_the_prices(catalog: Catalog) -> None:
    early = date(2026, 8, 20)
    terms = Terms(fx=catalog.rate(early), as_of=early)
    found = check(public_claims(catalog)["token-prices-always-fall"], Setting(catalog, terms))
    counts = {figure.label: figure.value for figure in found.figures}
    table = yaml.safe_load((PRICING / "api_prices.yaml").read_text(encoding="utf-8"))
    known = [row for row in table["changes"] if str(row["date"]) <= "2026-08-20"]
    assert (counts["price_cuts"] or 0) + (counts["price_rises"] or 0) == len(known)
