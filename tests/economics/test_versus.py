"""Rent, own, or call an API: break-even by hand, on three systems against three hosts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date
from decimal import ROUND_CEILING, Decimal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from command import Result, Run

from costcalc import catalog as catalogs
from costcalc.catalog import Catalog
from costcalc.quote.select import Placement
from costcalc.quote.serve import ServeRequest, quote_serving
from costcalc.quote.serve_versus import SizedFleet, shape_of, with_versus
from costcalc.quote.terms import Terms
from costcalc.quote.types import Quote
from costcalc.quote.versus import Versus
from costcalc.sources.api_catalog import hosted_price

ROOT = Path(__file__).resolve().parents[2]
DAY = date(2026, 12, 1)
D = Decimal

# Prices of the hand computation, so that a newer price in the catalog does not change it.
OFFERS = """\
provider: {provider}
market: {market}
sources:
  hand: {{text: prices of the hand computation, date: 2026-11-01}}
instances:
"""
MACHINE = """\
  - instance_type: {name}
    accelerator: {accelerator}
    accelerator_count: {count}
    scaleout: true
    scaleout_source: hand
    prices:
      - purchase: on-demand
        as_of: 2026-11-01
        source: hand
        usd_per_instance_hour: {{{region}: {usd}}}
"""


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped catalog with three prices: 8 x H100, 8 x B200, one v6e chip."""
    folder = tmp_path_factory.mktemp("frozen") / "pricing"
    shutil.copytree(ROOT / "pricing", folder)
    shutil.rmtree(folder / "offers")
    (folder / "offers").mkdir()
    aws = OFFERS.format(provider="aws", market="hyperscaler")
    for name, chip, usd in (("h.8", "h100-sxm", "15.92"), ("b.8", "b200", "33.56")):
        aws += MACHINE.format(name=name, accelerator=chip, count=8, region="us-east-1", usd=usd)
    (folder / "offers" / "aws.yaml").write_text(aws, encoding="utf-8")
    gcp = OFFERS.format(provider="gcp", market="hyperscaler") + MACHINE.format(
        name="ct6e-standard-1t", accelerator="tpu-v6e", count=1, region="us-central1", usd="2.70"
    )
    (folder / "offers" / "gcp.yaml").write_text(gcp, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def hand(frozen: Path, tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return catalogs.load(frozen, cache_dir=tmp_path_factory.mktemp("compiled"))


@pytest.fixture
def terms(hand: Catalog) -> Terms:
    return Terms(fx=hand.rate(DAY), as_of=DAY)


Beside = Callable[..., tuple[ServeRequest, Quote, Versus]]


@pytest.fixture
def beside(hand: Catalog, terms: Terms) -> Beside:
    def call(model: str, on: str, *apis: str, **more: Any) -> tuple[ServeRequest, Quote, Versus]:
        request = ServeRequest(
            **{
                "architecture": hand.model(model),
                "placement": Placement(hand.hardware(on)),
                "input_tokens": 1000,
                "output_tokens": 300,
                "requests_per_s": 5.0,
                **more,
            }
        )
        quote = quote_serving(request, hand, terms)
        prices = [hosted_price(api, shape_of(request), DAY) for api in apis]
        quote = with_versus(quote, request, hand, terms, prices, [])
        assert quote.versus is not None
        return request, quote, quote.versus

    return call


# By hand, one replica, a request of 1,000 tokens in and 300 out, 730 hours a month.
#
#   8 x H100   15.92 x 730     = USD 11,621.60 a month
#   8 x B200   33.56 x 730     = USD 24,498.80
#   v6e-8      8 x 2.70 x 730  = USD 15,768.00
#
#   gpt-oss-120b   Groq, Together  0.15 / 0.60 per million   0.000150 + 0.000180 = 0.000330
#                  Novita          0.05 / 0.25               0.000050 + 0.000075 = 0.000125
#   Llama 3.3 70B  Groq            0.59 / 0.79               0.000590 + 0.000237 = 0.000827
#                  Together        0.88 / 0.88               0.000880 + 0.000264 = 0.001144
#                  Novita          0.135 / 0.40              0.000135 + 0.000120 = 0.000255
#
#   11,621.60 / 0.000330 = 35,216,969.7    24,498.80 / 0.000330 =  74,238,787.9
#   15,768.00 / 0.000330 = 47,781,818.2    11,621.60 / 0.000125 =  92,972,800.0
#   24,498.80 / 0.000125 = 195,990,400.0   15,768.00 / 0.000125 = 126,144,000.0
#   11,621.60 / 0.000827 = 14,052,720.7    24,498.80 / 0.000827 =  29,623,700.1
#   15,768.00 / 0.000827 = 19,066,505.4    11,621.60 / 0.001144 =  10,158,741.3
#   24,498.80 / 0.001144 = 21,415,035.0    15,768.00 / 0.001144 =  13,783,216.8
#   11,621.60 / 0.000255 = 45,574,902.0    24,498.80 / 0.000255 =  96,073,725.5
#   15,768.00 / 0.000255 = 61,835,294.1
MONTH = {"h100:8": D("11621.60"), "b200:8": D("24498.80"), "v6e-8": D("15768.00")}
HAND = {
    ("gpt-oss-120b@groq", "h100:8"): 35_216_970,
    ("gpt-oss-120b@together", "h100:8"): 35_216_970,
    ("gpt-oss-120b@novita", "h100:8"): 92_972_800,
    ("gpt-oss-120b@groq", "b200:8"): 74_238_788,
    ("gpt-oss-120b@together", "b200:8"): 74_238_788,
    ("gpt-oss-120b@novita", "b200:8"): 195_990_400,
    ("gpt-oss-120b@groq", "v6e-8"): 47_781_819,
    ("gpt-oss-120b@together", "v6e-8"): 47_781_819,
    ("gpt-oss-120b@novita", "v6e-8"): 126_144_000,
    ("llama-3.3-70b-versatile@groq", "h100:8"): 14_052_721,
    ("llama-3.3-70b@together", "h100:8"): 10_158_742,
    ("llama-3.3-70b@novita", "h100:8"): 45_574_902,
    ("llama-3.3-70b-versatile@groq", "b200:8"): 29_623_701,
    ("llama-3.3-70b@together", "b200:8"): 21_415_035,
    ("llama-3.3-70b@novita", "b200:8"): 96_073_726,
    ("llama-3.3-70b-versatile@groq", "v6e-8"): 19_066_506,
    ("llama-3.3-70b@together", "v6e-8"): 13_783_217,
    ("llama-3.3-70b@novita", "v6e-8"): 61_835_295,
}


@pytest.mark.parametrize(("api", "on"), HAND)
def test_break_even_by_hand(beside: Beside, hand: Catalog, terms: Terms, api: str, on: str) -> None:
    model = "gpt-oss-120b" if api.startswith("gpt") else "llama-3.3-70b"
    request, quote, found = beside(model, on, api)
    rented, hosted = found.rows
    estimate = quote.workloads[0].estimate.serving  # type: ignore[union-attr]
    assert rented.usd_per_month == MONTH[on] * estimate.replicas
    # what one replica is given at most: 85 % of what it does within the targets
    room = D(estimate.capacity_requests_per_s.middle / estimate.replicas) * D("0.85") * 730 * 3600
    even = hosted.break_even
    if even is None:
        # a full replica costs more than its requests cost at the API: never
        assert HAND[api, on] > room * D("0.999")
        assert "api_never" in {item.code for item in quote.notices}
        return
    by_hand = MONTH[on] * even.replicas / hosted.usd_per_request
    assert even.requests_per_month == by_hand.to_integral_value(ROUND_CEILING)
    assert even.usd_per_month == MONTH[on] * even.replicas
    if even.replicas == 1:
        assert even.requests_per_month == HAND[api, on]
        assert HAND[api, on] <= room
    # and the serving estimate itself gives that many replicas to so many requests
    fleet = SizedFleet(request, estimate, hand, terms)
    assert fleet.replicas_for(even.requests_per_month) == even.replicas
    assert 0 < even.utilisation <= D("0.8501")


def test_some_of_the_hand_computation_breaks_even_and_some_never(beside: Beside) -> None:
    _, _, cheap = beside("gpt-oss-120b", "h100:8", "gpt-oss-120b@groq", "gpt-oss-120b@novita")
    assert [row.break_even is not None for row in cheap.rows] == [False, True, True]
    _, _, dear = beside("llama-3.3-70b", "v6e-8", "llama-3.3-70b@novita")
    assert dear.rows[1].break_even is None


def test_traffic_is_that_of_the_average_load(beside: Beside) -> None:
    _, _, full = beside("gpt-oss-120b", "h100:8", "gpt-oss-120b@groq")
    _, _, half = beside("gpt-oss-120b", "h100:8", "gpt-oss-120b@groq", average_load=D("0.5"))
    # 5 requests/s x 730 h x 3,600 s
    assert full.traffic.requests_per_month == 13_140_000
    assert half.traffic.requests_per_month == 6_570_000
    api = [found.rows[1].usd_per_month for found in (full, half)]
    assert api == [D("4336.20"), D("2168.10")]
    # machines are sized for the peak, whatever the average
    assert full.rows[0].usd_per_month == half.rows[0].usd_per_month
    evens = [found.rows[1].break_even for found in (full, half)]
    assert evens[0] is not None
    assert evens[1] is not None
    # the same bill over as many requests, with twice the peak behind them
    assert evens[0].requests_per_month == evens[1].requests_per_month
    assert evens[1].utilisation == pytest.approx(2 * evens[0].utilisation)


def test_a_cached_prefix_is_cheaper_on_both_sides(beside: Beside) -> None:
    _, _, plain = beside("gpt-oss-120b", "h100:8", "gpt-5@openai")
    _, _, cached = beside("gpt-oss-120b", "h100:8", "gpt-5@openai", cached_share=0.5)
    assert cached.traffic.shape.cached_tokens == 500
    assert plain.rows[1].usd_per_request is not None
    assert cached.rows[1].usd_per_request is not None
    # 1.25 per million, 0.125 from the cache
    saved = plain.rows[1].usd_per_request - cached.rows[1].usd_per_request
    assert saved == D("0.0005625")


def test_small_replicas_share_a_machine(beside: Beside, hand: Catalog, terms: Terms) -> None:
    request, quote, found = beside("llama-3.1-8b", "h100:1", "gpt-5@openai")
    estimate = quote.workloads[0].estimate.serving  # type: ignore[union-attr]
    fleet = SizedFleet(request, estimate, hand, terms)
    month = D("15.92") * 730
    assert [fleet.usd_per_month(n) for n in (1, 8, 9, 16)] == [month, month, 2 * month, 2 * month]
    assert found.rows[0].usd_per_month == month


def test_the_room_of_replicas_is_where_one_more_is_needed(
    beside: Beside, hand: Catalog, terms: Terms
) -> None:
    request, quote, _ = beside("llama-3.3-70b", "h100:8", "gpt-5@openai", token_ms=60.0)
    estimate = quote.workloads[0].estimate.serving  # type: ignore[union-attr]
    fleet = SizedFleet(request, estimate, hand, terms)
    for replicas in (1, 2, 5):
        room = fleet.room(replicas)
        assert fleet.replicas_for(room) == replicas
        more = fleet.replicas_for(room * D("1.001") + 1)
        assert more is not None
        assert more > replicas
        assert room < fleet.capacity(replicas)


def test_users_at_once_have_a_month_of_requests_too(beside: Beside) -> None:
    _, quote, found = beside(
        "gpt-oss-120b", "h100:8", "gpt-oss-120b@groq", requests_per_s=None, concurrency=64
    )
    estimate = quote.workloads[0].estimate.serving  # type: ignore[union-attr]
    served = estimate.requests_per_s.middle * 730 * 3600
    assert float(found.traffic.requests_per_month) == pytest.approx(served, abs=1)
    assert found.rows[1].break_even is not None


# The command line

SERVE = ["serve", "--model", "llama-3.3-70b", "--on", "h100:8", "--rps", "5"]
SHAPE = ["--input-tokens", "1000", "--output-tokens", "300"]
OWNED = """\
version: 1
name: propio
workloads:
  - {name: rack, kind: owned, months: 36, purchase: 200000 USD, residual: 10%, power: 10kW,
     electricity_price: 0.10 USD, pue: 1.2, maintenance: 6%}
  - {name: caro, kind: owned, months: 36, purchase: 200000 USD, hosting: 20000 USD}
  - {name: horas, kind: machine, on: "h100:8", hours: 1h}
"""


@pytest.fixture
def run(costcalc: Run, frozen: Path, tmp_path: Path) -> Callable[..., Result]:
    (tmp_path / "plan.yaml").write_text(OWNED, encoding="utf-8")

    def call(*words: str) -> Result:
        return costcalc(*SERVE, *SHAPE, *words, "--catalog", str(frozen), cwd=tmp_path)

    return call


def test_bought_hardware_by_hand(run: Callable[..., Result], costcalc: Run) -> None:
    words = ["--versus-owned", "plan.yaml", "--versus-api", "llama-3.3-70b@together"]
    result = run(*words, "--format", "json", "--fx", "20")
    quote = json.loads(result.out)
    rented, hosted, rack, dear = quote["versus"]["rows"]
    assert [row["kind"] for row in quote["versus"]["rows"]] == ["rented", "api", "owned", "owned"]
    assert rented["usd_per_month"] == 11_621.60
    # power: 10 kW x 1.2 x 730 h x USD 0.10 = 876.00; maintenance: 200,000 x 6 % / 12 = 1,000.00
    assert rack["running_usd_per_month"] == 1876.00
    assert rack["purchase_usd"] == 180_000
    # written off over 36 months: 5,000.00 + 1,876.00
    assert (rack["usd_per_month"], rack["mxn_per_month"]) == (6876.00, 137_520.00)
    # 180,000 / (11,621.60 - 1,876.00) = 18.47 months; 6,876 / 11,621.60 of the hours
    assert (rack["months_to_break_even"], rack["within_life"]) == (18.5, True)
    assert rack["break_even_hours_share"] == pytest.approx(6876 / 11_621.60)
    # its place alone costs more than the rent
    assert (dear["months_to_break_even"], dear["within_life"]) == (None, False)
    assert hosted["name"] == "meta-llama/Llama-3.3-70B-Instruct-Turbo@together"
    jsonschema.validate(quote, json.loads(costcalc("schema", "quote").out))


def test_one_owned_workload_by_name(run: Callable[..., Result]) -> None:
    quote = json.loads(run("--versus-owned", "plan.yaml:rack", "--format", "json").out)
    assert [row["name"] for row in quote["versus"]["rows"][1:]] == ["rack"]
    assert quote["versus"]["sensitivity"] == []


def test_prices_fall_while_use_grows(run: Callable[..., Result]) -> None:
    words = ["--versus-api", "llama-3.3-70b@together", "--format", "json"]
    points = json.loads(run(*words).out)["versus"]["sensitivity"]
    assert len(points) == 16
    for point in points:
        assert point["requests_per_month"] == 13_140_000 * point["volume_factor"]
        usd = round(13_140_000 * point["volume_factor"] * 0.001144 * point["price_factor"], 2)
        assert point["api_usd"] == pytest.approx(usd, abs=0.011)
        assert point["own_usd"] == pytest.approx(11_621.60 * point["replicas"])
        cheaper = "own" if point["own_usd"] < point["api_usd"] else "api"
        assert point["cheaper"] == cheaper


def test_negotiated_discounts_lower_the_rent(run: Callable[..., Result]) -> None:
    words = ["--versus-api", "llama-3.3-70b@together", "--format", "json"]
    quote = json.loads(run(*words, "--discount", "aws=10%").out)
    rented, hosted = quote["versus"]["rows"]
    assert rented["usd_per_month"] == 10_459.44 == quote["totals"]["usd"]
    # 10,459.44 / 0.001144
    assert hosted["break_even_requests_per_month"] == 9_142_868


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "10,158,742 requests/month"), ("es", "10,158,742 peticiones/mes")]
)
def test_tables(run: Callable[..., Result], lang: str, said: str) -> None:
    words = ["--versus-api", "llama-3.3-70b@together", "--versus-owned", "plan.yaml:rack"]
    for form in ("table", "markdown"):
        text = " ".join(run(*words, "--lang", lang, "--format", form).out.split())
        assert "genai-prices" in text
        assert "18.5 m" in text
        if form == "markdown":
            assert said in text


def test_the_page_for_others_has_the_comparison_too(run: Callable[..., Result]) -> None:
    words = ["--versus-api", "llama-3.3-70b@together", "--format", "html"]
    page = run(*words).out
    assert '<h2 id="versus">Rent, own, or call an API</h2>' in page
    assert "10,158,742" in page
    assert 'id="versus"' not in run("--format", "html").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--versus-api", "llama-3.3-70b@nobody"], "No hosted provider"),
        (["--versus-api", "llama-3.3-70b@groq"], "llama-3.3-70b-versatile@groq"),
        (["--versus-owned", "plan.yaml:nadie"], "plan.yaml has no owned hardware nadie"),
        (["--versus-owned", "missing.yaml"], "missing.yaml"),
    ],
)
def test_slips(run: Callable[..., Result], words: list[str], said: str) -> None:
    result = run(*words)
    assert (result.status, result.out) == (2, "")
    assert said in result.err
    assert "Traceback" not in result.err


def test_a_batch_job_has_no_requests_per_month(costcalc: Run, frozen: Path) -> None:
    result = costcalc(
        "serve",
        *["--model", "llama-3.3-70b", "--on", "h100:8", "--versus-api", "gpt-5"],
        *["--catalog", str(frozen)],
    )
    assert (result.status, result.out) == (2, "")
    assert "--rps" in result.err


# Energy of a service


def test_energy_of_a_service_by_hand(beside: Beside) -> None:
    _, quote, _ = beside("llama-3.3-70b", "h100:8", "gpt-5@openai")
    estimate = quote.workloads[0].estimate.serving  # type: ignore[union-attr]
    copies = estimate.replicas * estimate.layout.data
    held = (estimate.ttft_ms_p50 + 300 * estimate.tpot_ms) / 1000
    there = 5.0 * held / copies
    busy = 1 - 2.718281828459045**-there
    loaded = next(
        share for limit, share in ((16, 0.64), (128, 0.78), (10**9, 0.86)) if there / busy <= limit
    )
    share = busy * loaded + (1 - busy) * 0.115
    computers = 730 * 8 * estimate.replicas * 700 * (share + 0.534) / 1000
    footprint = quote.footprint
    assert footprint is not None
    assert footprint.energy_kwh == pytest.approx(computers * 1.14)
    assert footprint.co2e_kg == pytest.approx(computers * 1.14 * 0.38355)
    whats = [factor.what for factor in footprint.factors if factor.used]
    assert whats == [
        "power_limit",
        "accelerator_power_serving",
        "accelerator_power_idle",
        "server_power",
        "pue",
        "grid_carbon",
        "site_water",
        "grid_water",
    ]


def test_an_idle_service_draws_less(beside: Beside) -> None:
    energy = []
    for rate in (0.01, 1.0, 5.0):
        _, quote, _ = beside("llama-3.3-70b", "h100:8", "gpt-5@openai", requests_per_s=rate)
        assert quote.footprint is not None
        energy.append(quote.footprint.energy_kwh)
    assert energy == sorted(energy)
    assert energy[0] < energy[-1]
    # hardly a request: idle accelerators and their servers, 730 h x 8 x 700 W x (0.115 + 0.534)
    assert energy[0] == pytest.approx(730 * 8 * 0.7 * (0.115 + 0.534) * 1.14, rel=0.05)


def test_users_and_batches_keep_the_machines_busy(
    beside: Beside, hand: Catalog, terms: Terms
) -> None:
    for load in ({"concurrency": 512}, {}):
        request = ServeRequest(
            architecture=hand.model("llama-3.3-70b"),
            placement=Placement(hand.hardware("h100:8")),
            input_tokens=1000,
            output_tokens=300,
            **load,  # type: ignore[arg-type]
        )
        quote = quote_serving(request, hand, terms)
        assert quote.footprint is not None
        (loaded,) = [
            factor
            for factor in quote.footprint.factors
            if factor.what == "accelerator_power_serving"
        ]
        machines = quote.workloads[0].offer.instances  # type: ignore[union-attr]
        expected = 730 * 8 * machines * 0.7 * (loaded.value + 0.534) * 1.14
        assert quote.footprint.energy_kwh == pytest.approx(expected)
