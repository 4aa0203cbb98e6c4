"""A row of a table of serving measurements as something that can be predicted.

Measured columns are read only to compare. What a row leaves open is taken from a stated default:
lengths from nothing (such a row is skipped), the layout from a search, the cache precision from the
engine, latency limits of MLPerf from its rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from costcalc.accuracy.runs import Skipped, number
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.chip import Chip
from costcalc.estimate.serving_calibration import ENGINES, default_engine, set_name
from costcalc.estimate.serving_job import default_kv
from costcalc.estimate.serving_layout import ServingLayout, layouts
from costcalc.estimate.serving_shape import architecture_from_counts

LoadKind = Literal["closed", "static", "burst", "open", "limits"]

METRICS = ("tpot_ms", "ttft_ms", "output_tokens_per_second")
COLUMNS = {
    "tpot_ms": "tpot_ms",
    "ttft_ms": "ttft_ms",
    "output_tokens_per_second": "out_tok_s_total",
}
UNLIMITED = 1e9

_ENGINES = (
    ("optimum neuron", "optimum-neuron"),
    ("optimum-neuron", "optimum-neuron"),
    ("neuronx", "neuron"),
    ("nxd", "neuron"),
    ("neuron", "neuron"),
    ("tensorrt", "tensorrt-llm"),
    ("trt", "tensorrt-llm"),
    ("sglang", "sglang"),
    ("habana", "optimum-habana"),
    ("vllm-tpu", "vllm-tpu"),
    ("vllm", "vllm"),
)
_MLPERF_LIMITS_S = {
    ("llama2", "server"): (2.0, 0.2),
    ("llama2", "interactive"): (0.45, 0.04),
    ("mixtral", "server"): (2.0, 0.2),
    ("8b", "server"): (2.0, 0.1),
    ("8b", "interactive"): (0.5, 0.03),
    ("405b", "server"): (6.0, 0.175),
    ("405b", "interactive"): (4.5, 0.08),
    ("r1", "server"): (2.0, 0.08),
}
"""MLPerf Inference v4.1 to v5.1: 99 % of the requests must start, and get each token, within."""
_LIMITS = re.compile(r"SLO\s+(?:ttft<=)?(\d+)(?:ms)?\D+?(\d+)\s*ms", re.I)
_RATE = re.compile(r"open_loop_([0-9.]+)\s*(?:qps|req)", re.I)
_DEP = re.compile(r"\bDEP(\d+)", re.I)
_EXPERTS = re.compile(r"\bT?EP(\d+)\b", re.I)
_DATA = re.compile(r"\bDP(\d+)", re.I)
_REPLICAS = re.compile(r"\b(\d+)\s+replicas", re.I)
_PIPELINE = re.compile(r"\bPP(\d+)", re.I)
_SMALL_WEIGHTS = ("int4", "uint4", "awq", "gptq", "w4a16")


@dataclass(frozen=True, slots=True)
class ServingCase:
    """One measurement.

    Attributes:
        group: `model|accelerator`; rows of one group are near-duplicates.
        source: family of measurements that it belongs to.
        accelerator: catalog id. chips: in all.
        engine: name of the constant set; `vendor_engine` the one that `--engine` would name.
        weights: bf16, fp8, int8 or fp4. kv_bytes: bytes per number in the cache.
        layouts: splits to choose from; one when the row states it.
        load: how requests come. users: at once, over all copies. rate: requests per second.
        limits_s: time to first token and per token that 99 % must keep (`limits`).
        gaps: the time per token is a median gap between two tokens.
        mean_first: the time to first token is a mean, a start burst included.
        measured: (metric, figure) to compare with, in seconds or tokens per second.
        stated: every figure of the row, also those whose load is not stated.
        speculative: a draft model proposed tokens.
    """

    id: str
    group: str
    source: str
    accelerator: str
    label: str
    architecture: Architecture
    chip: Chip
    chips: int
    engine: str
    weights: str
    kv_bytes: float
    input_tokens: float
    output_tokens: float
    layouts: tuple[ServingLayout, ...]
    load: LoadKind
    users: float
    rate: float
    limits_s: tuple[float, float]
    gaps: bool
    mean_first: bool
    measured: tuple[tuple[str, float], ...]
    stated: tuple[tuple[str, float], ...] = ()
    speculative: bool = False

    @property
    def mixture(self) -> bool:
        """The model routes tokens to experts."""
        return self.architecture.is_moe


def engine_of(row: Mapping[str, str], chip: Chip) -> str:
    """The constant set of a row's engine, version included."""
    text = f"{row.get('engine') or ''} {row.get('engine_version') or ''}".lower()
    name = next((engine for word, engine in _ENGINES if word in text), "unknown")
    if not text.strip():
        name = default_engine(chip.vendor)
    if name == "vllm" and chip.vendor == "google":
        name = "vllm-tpu"
    if "pytorch" in text and chip.vendor == "intel":
        name = "optimum-habana"
    year = _year(row)
    if name == "vllm" and re.search(r"(?<![0-9.])0\.[0-6]\.", row.get("engine_version") or ""):
        year = 2024
    assert name in ENGINES
    return set_name(name, chip.vendor, year)


def _year(row: Mapping[str, str]) -> int | None:
    match = re.match(r"(20\d\d)", (row.get("source_date") or "").strip())
    return int(match[1]) if match else None


def weights_of(row: Mapping[str, str], stored: str | None) -> str:
    """Precision of the weights in a row's words; a model published in 4 bits keeps them."""
    words = (row.get("precision") or "").lower()
    weights = words.split("weights")[0] if "weights" in words else words.split(",")[0]
    if "fp4" in weights or any(word in weights for word in _SMALL_WEIGHTS):
        found = "fp4"
    elif "fp8" in weights:
        found = "fp8"
    elif "int8" in weights:
        found = "int8"
    else:
        found = "bf16"
    return stored if stored is not None and found in ("fp8", "bf16") else found


def kv_of(row: Mapping[str, str], engine: str, weights: str) -> float:
    """Bytes per number in the cache: as stated, 1 for MLPerf (submissions quantise it), else the
    engine's default."""
    words = (row.get("precision") or "").lower()
    if "kv" in words:
        return 1.0 if re.search(r"kv[^,]*(fp8|int8)", words) else 2.0
    if (row.get("family") or "").startswith("mlperf") and weights in ("fp8", "fp4"):
        return 1.0
    return default_kv(engine, weights)


def layouts_of(
    row: Mapping[str, str], architecture: Architecture, chip: Chip, chips: int
) -> tuple[ServingLayout, ...]:
    """The split that a row states, or all that come into question."""
    text = (row.get("parallelism") or "").strip()
    engine = (row.get("engine") or "").lower()
    if not text:
        if chips == 1 or "habana" in engine or "pytorch" in engine:
            return (ServingLayout(chips),)
        found = tuple(layouts(architecture, chip, chips))
        return found or (ServingLayout(chips),)
    dep = _DEP.search(text)
    if dep:
        width = _divisor(int(dep[1]), chips)
        return (ServingLayout(width, "attention-data", width, chips // width),)
    replicas = _REPLICAS.search(text)
    if replicas:
        copies = _divisor(int(replicas[1]), chips)
        return (ServingLayout(chips // copies, "tensor", 1, copies),)
    data = _DATA.search(text)
    if data and int(data[1]) > 1 and architecture.is_moe:
        return (ServingLayout(chips, "attention-data", chips, 1),)
    if data and int(data[1]) > 1:
        copies = _divisor(int(data[1]), chips)
        return (ServingLayout(chips // copies, "tensor", 1, copies),)
    stages = _PIPELINE.search(text)
    if stages and int(stages[1]) > 1:
        return (ServingLayout(chips, "pipeline", 1, 1),)
    experts = _EXPERTS.search(text)
    ways = chips if experts and int(experts[1]) > 1 and architecture.is_moe else 1
    return (ServingLayout(chips, "tensor", ways, 1),)


def _divisor(value: int, chips: int) -> int:
    return value if 0 < value <= chips and chips % value == 0 else chips


def _load(row: Mapping[str, str], mode: str) -> tuple[LoadKind, float, float] | None:
    """Kind, users, rate; None when the row does not say how much load there was."""
    users = _users(row)
    match = _RATE.search(mode)
    if match:
        return "open", UNLIMITED, float(match[1])
    if mode in ("server", "interactive"):
        return "limits", UNLIMITED, 0.0
    if mode.startswith(("static", "batch1")):
        return "static", users or 1.0, 0.0
    if mode.startswith("burst"):
        return "burst", users or UNLIMITED, 0.0
    if mode.startswith(("offline", "qps_sweep")):
        return "closed", users or UNLIMITED, 0.0
    if users is None:
        return None
    return "closed", users, 0.0


def _users(row: Mapping[str, str]) -> float | None:
    """Users or batch, None where the cell is empty or words (`max load`)."""
    try:
        return number(row, "concurrency_or_batch")
    except InputError:
        return None


def limits_of(row: Mapping[str, str], mode: str) -> tuple[float, float]:
    """Limits in seconds on the time to first token and per token."""
    match = _LIMITS.search(row.get("notes") or "")
    if match:
        return float(match[1]) / 1e3, float(match[2]) / 1e3
    name = (row.get("model") or "").lower()
    for (part, scenario), limits in _MLPERF_LIMITS_S.items():
        if part in name and scenario == mode:
            return limits
    return float("inf"), float("inf")


def serving_case(
    row: Mapping[str, str], catalog: Catalog, stored: Mapping[str, str]
) -> ServingCase | Skipped:
    """The case of a row, or why there is none.

    Raises:
        InputError: a cell that is no number.
    """
    name = (row.get("id") or "").strip() or "?"
    chip = _chip(row, catalog)
    if chip is None:
        return Skipped(name, "accelerator_unknown")
    chips = number(row, "chips")
    input_tokens, output_tokens = number(row, "input_tokens"), number(row, "output_tokens")
    measured = tuple(
        (metric, value / (1.0 if metric == "output_tokens_per_second" else 1e3))
        for metric, column in COLUMNS.items()
        if (value := number(row, column)) is not None
    )
    if not measured:
        return Skipped(name, "nothing_measured")
    stated = measured
    if chips is None:
        return Skipped(name, "chips_unknown")
    if input_tokens is None:
        return Skipped(name, "lengths_unknown")
    if output_tokens is None:
        # a time to first token does not depend on how much follows
        measured = tuple(item for item in measured if item[0] == "ttft_ms")
        if not measured:
            return Skipped(name, "lengths_unknown")
        output_tokens = 1.0
    architecture = architecture_of(row, catalog)
    if architecture is None:
        return Skipped(name, "model_size_unknown")
    if not chip.peak_tflops.get("bf16") or not chip.hbm_gbps or not chip.hbm_gb:
        return Skipped(name, "no_datasheet")
    mode = (row.get("load_mode") or "").strip().lower()
    load = _load(row, mode)
    if load is None:
        return Skipped(name, "load_unknown")
    kind, users, rate = load
    if kind == "burst" and users >= UNLIMITED:
        measured = tuple(item for item in measured if item[0] != "ttft_ms")
    if mode.startswith("qps_sweep"):
        measured = tuple(item for item in measured if item[0] == "output_tokens_per_second")
    if not measured:
        return Skipped(name, "load_unknown")
    engine = engine_of(row, chip)
    weights = weights_of(row, stored.get(architecture.name))
    return ServingCase(
        id=name,
        group=f"{(row.get('model_group') or architecture.name).strip()}|{chip.id}",
        source=(row.get("family") or "").strip() or "unknown",
        accelerator=chip.id,
        label=(row.get("accelerator") or "").strip() or chip.id,
        architecture=architecture,
        chip=chip,
        chips=max(int(chips), 1),
        engine=engine,
        weights=weights,
        kv_bytes=kv_of(row, engine, weights),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        layouts=layouts_of(row, architecture, chip, max(int(chips), 1)),
        load=kind,
        users=users,
        rate=rate,
        limits_s=limits_of(row, mode),
        gaps=(row.get("tpot_stat") or "").startswith("ITL"),
        mean_first=(row.get("ttft_stat") or "").startswith("mean"),
        measured=measured,
        stated=stated,
        speculative="draft" in (row.get("model") or "").lower(),
    )


def _chip(row: Mapping[str, str], catalog: Catalog) -> Chip | None:
    for column in ("accelerator_key", "accelerator"):
        text = (row.get(column) or "").strip()
        if not text:
            continue
        try:
            return catalog.accelerator(text).chip
        except InputError:
            continue
    return None


def architecture_of(row: Mapping[str, str], catalog: Catalog) -> Architecture | None:
    """The catalog's architecture of a row's model, else one with the row's parameter counts."""
    for column in ("model_group", "model"):
        for name in _names((row.get(column) or "").strip()):
            try:
                return catalog.model(name)
            except InputError:
                continue
    total, active = number(row, "params_total_b"), number(row, "params_active_b")
    if total is None:
        return None
    return architecture_from_counts(
        (row.get("model") or "?").strip(), total * 1e9, (active or total) * 1e9
    )


_SUFFIXES = re.compile(
    r"(-(instruct|chat|it|hf|fp8|fp4|nvfp4|finetuned|quark|trtllm|99(\.9)?|base|dyn|"
    r"v0\.[0-9]|0528|2507|thinking))+$",
    re.I,
)


def _names(text: str) -> Sequence[str]:
    """What a row may mean by a model's name: itself, then without decorations."""
    if not text or text.startswith((".", "~")) or text.endswith(".json"):
        return ()
    short = text.rpartition("/")[2].split("+")[0].strip().lower().replace("_", "-")
    short = short.replace("llama3-1", "llama-3.1").replace("llama2-", "llama-2-")
    bare = _SUFFIXES.sub("", short)
    names = [short, bare, re.sub(r"-fp8.*$", "", bare)]
    if "/" in text and len(text.split("/")) == 2 and " " not in text:
        names.insert(0, text)
    return tuple(dict.fromkeys(name for name in names if (name and "/" not in name) or "/" in text))


def serving_cases(
    rows: Sequence[Mapping[str, str]], catalog: Catalog, stored: Mapping[str, str]
) -> tuple[list[ServingCase], list[Skipped]]:
    """All cases of a table, and the rows without one."""
    cases: list[ServingCase] = []
    skipped: list[Skipped] = []
    for row in rows:
        found = serving_case(row, catalog, stored)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            cases.append(found)
    return cases, skipped
