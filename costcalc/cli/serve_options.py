"""Options of serving: lengths, load, targets, software; and how their values are read."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.units import parse_count, parse_milliseconds, parse_number, parse_percent

PRECISIONS = ("bf16", "fp8", "int8", "fp4")
KV_PRECISIONS = ("bf16", "fp8")
ENGINES = (
    "vllm",
    "tensorrt-llm",
    "vllm-tpu",
    "sglang",
    "neuron",
    "optimum-neuron",
    "optimum-habana",
    "unknown",
)
MAX_TOKENS = 100_000_000
MAX_RPS = 1_000_000
MAX_USERS = 100_000_000
MAX_REPLICAS = 1_000_000
MAX_MONTHS = 600
MAX_DRAFT = 32
SMALLEST_RATE = Decimal("0.000001")
_LOAD = t("serve.panel_load")
_SOFTWARE = t("serve.panel_software")
_AROUND = t("options.panel_around")


def _load(name: str, text: str, metavar: str) -> Any:
    return typer.Option(name, help=t(f"serve.{text}"), metavar=metavar, rich_help_panel=_LOAD)


def _software(name: str, text: str, metavar: str) -> Any:
    return typer.Option(name, help=t(f"serve.{text}"), metavar=metavar, rich_help_panel=_SOFTWARE)


InputTokens = Annotated[str | None, _load("--input-tokens", "input_tokens_option", "1024")]
OutputTokens = Annotated[str | None, _load("--output-tokens", "output_tokens_option", "256")]
Rps = Annotated[str | None, _load("--rps", "rps_option", "N")]
Concurrency = Annotated[str | None, _load("--concurrency", "concurrency_option", "N")]
Ttft = Annotated[str | None, _load("--ttft", "ttft_option", "500ms")]
Tpot = Annotated[str | None, _load("--tpot", "tpot_option", "50ms")]
AverageLoad = Annotated[str, _load("--average-load", "average_load_option", "60%")]
ArrivalCv = Annotated[str, _load("--arrival-cv", "arrival_cv_option", "1")]
Replicas = Annotated[str | None, _load("--replicas", "replicas_option", "N")]
Months = Annotated[str, _load("--months", "months_option", "N")]
Engine = Annotated[
    str | None,
    typer.Option(
        "--engine",
        help=t("serve.engine_option", names=", ".join(ENGINES)),
        metavar="NAME",
        rich_help_panel=_SOFTWARE,
    ),
]
Precision = Annotated[
    str | None, _software("--precision", "precision_option", "|".join(PRECISIONS))
]
KvPrecision = Annotated[
    str | None, _software("--kv-precision", "kv_precision_option", "|".join(KV_PRECISIONS))
]
PrefixHit = Annotated[str, _software("--prefix-hit", "prefix_hit_option", "50%")]
DraftTokens = Annotated[str | None, _software("--draft-tokens", "draft_tokens_option", "4")]
DraftAcceptance = Annotated[str, _software("--draft-acceptance", "draft_acceptance_option", "0.7")]
DraftSize = Annotated[str, _software("--draft-size", "draft_size_option", "0.02")]
Storage = Annotated[
    str | None,
    typer.Option(
        "--storage", help=t("serve.storage_option"), metavar="500GB", rich_help_panel=_AROUND
    ),
]
Egress = Annotated[
    str | None,
    typer.Option("--egress", help=t("serve.egress_option"), metavar="1TB", rich_help_panel=_AROUND),
]


def load_of(
    *,
    input_tokens: str | None,
    output_tokens: str | None,
    rps: str | None,
    concurrency: str | None,
    ttft: str | None,
    tpot: str | None,
    average_load: str,
    arrival_cv: str,
    replicas: str | None,
    engine: str | None,
    precision: str | None,
    kv_precision: str | None,
    prefix_hit: str,
    draft_tokens: str | None,
    draft_acceptance: str,
    draft_size: str,
    months: str,
    storage: str | None,
    egress: str | None,
) -> dict[str, Any]:
    """The typed options as attributes of a `ServeRequest`.

    Raises:
        InputError: a value that is no number, or out of range; the sentence names the option.
    """
    from costcalc.estimate.speculation import NO_DRAFT, Draft

    draft = NO_DRAFT
    if draft_tokens is not None:
        draft = Draft(
            tokens=parse_count(draft_tokens, "--draft-tokens", high=MAX_DRAFT, example="4"),
            acceptance=float(
                parse_number(draft_acceptance, "--draft-acceptance", low=0, high=1, example="0.7")
            ),
            size=float(parse_number(draft_size, "--draft-size", low=0, high=1, example="0.02")),
        )
    rate = None
    if rps is not None:
        rate = float(parse_number(rps, "--rps", low=SMALLEST_RATE, high=MAX_RPS, example="12"))
    return {
        "input_tokens": _count(input_tokens, "--input-tokens", MAX_TOKENS, "1024"),
        "output_tokens": _count(output_tokens, "--output-tokens", MAX_TOKENS, "256"),
        "requests_per_s": rate,
        "concurrency": _count(concurrency, "--concurrency", MAX_USERS, "64"),
        "first_token_ms": None if ttft is None else parse_milliseconds(ttft, "--ttft"),
        "token_ms": None if tpot is None else parse_milliseconds(tpot, "--tpot"),
        "average_load": _share(average_load, "--average-load"),
        "arrival_cv": float(
            parse_number(arrival_cv, "--arrival-cv", low=0, high=100, example="1.5")
        ),
        "replicas": _count(replicas, "--replicas", MAX_REPLICAS, "4"),
        "engine": o.optional_choice(engine, "--engine", ENGINES),
        "precision": o.optional_choice(precision, "--precision", PRECISIONS),
        "cache": o.optional_choice(kv_precision, "--kv-precision", KV_PRECISIONS),
        "cached_share": _below_one(prefix_hit),
        "draft": draft,
        "months": parse_number(
            months, "--months", low=Decimal("0.01"), high=MAX_MONTHS, example="12"
        ),
        "storage_gb": _gigabytes(storage, "--storage"),
        "egress_gb": _gigabytes(egress, "--egress"),
    }


def _count(value: str | None, option: str, high: int, example: str) -> int | None:
    return None if value is None else parse_count(value, option, high=high, example=example)


def _share(value: str, option: str) -> Decimal:
    from costcalc.errors import InputError

    share = parse_percent(value, option)
    if share <= 0:
        raise InputError("units.percent", what=option, text=value, high=100)
    return share


def _below_one(value: str) -> float:
    from costcalc.errors import InputError

    share = parse_percent(value, "--prefix-hit")
    if share >= 1:
        raise InputError("units.percent", what="--prefix-hit", text=value, high=99)
    return float(share)


def _gigabytes(value: str | None, option: str) -> Decimal | None:
    """An amount of data in GB (10^9 bytes)."""
    if value is None:
        return None
    from costcalc.errors import InputError
    from costcalc.quote.plan_fields import Size

    try:
        found: Decimal = Size().parse(value)
    except InputError:
        raise InputError("options.size", option=option, text=value) from None
    return found
