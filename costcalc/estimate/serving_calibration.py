"""The fitted constants of the serving model: one whole set per engine, none per chip.

The chip enters through its datasheet alone, the software through the set. Sets are never mixed:
several constants trade off against each other and only a whole set was fitted.
`pricing/calibration/serving.yaml` holds them with the date, the digest of the measurements and the
widths of the intervals; `tools/calibrate_serving.py` makes that file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from costcalc.errors import InputError
from costcalc.estimate.ops import Array

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
"""What `--engine` takes. `unknown` has a set of its own, fitted to all measurements as one."""

_DEFAULT_ENGINES = {
    "nvidia": "vllm",
    "amd": "vllm",
    "google": "vllm-tpu",
    "aws": "neuron",
    "intel": "optimum-habana",
}

MAX_SHARE = 0.95
"""No efficiency is ever above this: nothing is faster than its datasheet."""

METRICS = ("tpot", "throughput", "ttft")
TIERS = ("measured", "engine", "chip", "pooled")
"""What an interval rests on: this model was measured on this chip; the engine and the chip were
measured, with other models; the engine was, on other chips; neither was."""


@dataclass(frozen=True, slots=True)
class EngineConstants:
    """One engine's set. Floats, or arrays when a table of measurements is fitted.

    Attributes:
        fixed_s: seconds of every step, whatever it does.
        mixture_layer_s: more of them per layer with routed experts.
        collective_s: latency of one collective on eight chips.
        sequence_s: host time per sequence in the batch and step.
        prompt_s: seconds of a lone prompt beyond its computation.
        bandwidth_share: share of the memory bandwidth that reads reach.
        decode_share, prefill_share: share of the matmul peak in decode and prefill.
        attention_decode_share, attention_prefill_share: share of the bf16 peak in attention.
        link_decode_share, link_prefill_share: share of the link bandwidth.
        eight_gain, four_gain: share of the 8-bit (4-bit) peak's promise that is kept.
        eight_read, four_read: time to read routed experts stored in 8 (4) bits, as a multiple.
        expert_decode_power, expert_prefill_power: how efficiency falls with an expert's size.
        interference: share of the others' prefill time that a token of a running sequence waits.
        gap_interference: the same for the median gap between two tokens.
        first_prompt: seconds to a first token per second of the prompt's own time.
        first_steps: steps that a request waits on a busy replica.
        first_wave: share of all prompts ahead, in a run that starts with a burst.
        first_factor: an engine's time to first token over all that.
        tail: p99 of the time per token over its median.
        open_share: share of the saturated rate that requests arriving at random can use.
    """

    fixed_s: Array
    mixture_layer_s: Array
    collective_s: Array
    sequence_s: Array
    prompt_s: Array
    bandwidth_share: Array
    decode_share: Array
    prefill_share: Array
    attention_decode_share: Array
    attention_prefill_share: Array
    link_decode_share: Array
    link_prefill_share: Array
    eight_gain: Array
    four_gain: Array
    eight_read: Array
    four_read: Array
    expert_decode_power: Array
    expert_prefill_power: Array
    interference: Array
    gap_interference: Array
    first_prompt: Array
    first_steps: Array
    first_wave: Array
    first_factor: Array
    tail: Array
    open_share: Array


@dataclass(frozen=True, slots=True)
class ServingCalibration:
    """Everything that was fitted.

    Attributes:
        date: of the fit; the software that quotes assume.
        digest: of the measurements.
        runs, groups: how many rows and (model, accelerator) groups.
        engines: constants by name of the set.
        spreads: (metric, tier, `dense` or `mixture`) -> factors from the middle to the low and the
            high end of the 80 % interval.
        measured: `model|accelerator` pairs with measurements.
        measured_engines: rows by name of the set.
        stored: models whose published weights have fewer bits than 16, by catalog id.
    """

    date: date
    digest: str
    runs: int
    groups: int
    engines: Mapping[str, EngineConstants]
    spreads: Mapping[tuple[str, str, str], tuple[float, float]]
    measured: frozenset[str]
    measured_engines: Mapping[str, int]
    stored: Mapping[str, str]

    def constants(self, name: str) -> EngineConstants:
        """The set `name` (see `set_name`)."""
        return self.engines[name]

    @property
    def measured_chips(self) -> frozenset[str]:
        """Accelerators with measurements of any model."""
        return frozenset(pair.partition("|")[2] for pair in self.measured)

    def tier(self, model: str, accelerator: str, *, engine_rows: int) -> str:
        """The tier of a model on an accelerator with an engine that has so many rows."""
        if engine_rows == 0:
            return "pooled"
        if f"{model}|{accelerator}" in self.measured:
            return "measured"
        return "engine" if accelerator in self.measured_chips else "chip"

    def factors(self, metric: str, tier: str, *, mixture: bool) -> tuple[float, float]:
        """Low and high end over the middle, of `tpot`, `throughput` or `ttft`."""
        return self.spreads[metric, tier, "mixture" if mixture else "dense"]


def default_engine(vendor: str) -> str:
    """The engine that is assumed for a maker's chips when none is named."""
    return _DEFAULT_ENGINES.get(vendor, "unknown")


def set_name(engine: str, vendor: str, year: int | None = None) -> str:
    """The constant set of an engine.

    Args:
        engine: of `ENGINES`.
        vendor: maker of the chip: SGLang on TPUs is another program than on GPUs.
        year: of the measurement; vLLM before 2025 was another program too. None is today's.
    """
    if engine == "sglang" and vendor == "google":
        return "sglang-jax"
    if engine == "vllm" and year is not None and year < 2025:
        return "vllm-2024"
    return engine


def serving_calibration(raw: Mapping[str, Any]) -> ServingCalibration:
    """Build the calibration from the mapping of its file.

    Raises:
        InputError: a key is missing, unknown or no number; the message names it.
    """
    try:
        day = raw["date"]
        engines = {
            str(name): _engine(str(name), section)
            for name, section in _section(raw, "engines").items()
        }
        spreads: dict[tuple[str, str, str], tuple[float, float]] = {}
        for metric in METRICS:
            tiers = _section(_section(raw, "spreads"), metric)
            for tier in TIERS:
                for kind in ("dense", "mixture"):
                    low, high = _section(tiers, tier)[kind]
                    spreads[metric, tier, kind] = (float(low), float(high))
        return ServingCalibration(
            date=day if isinstance(day, date) else date.fromisoformat(str(day)),
            digest=str(raw["digest"]),
            runs=int(raw["runs"]),
            groups=int(raw["groups"]),
            engines=engines,
            spreads=spreads,
            measured=frozenset(str(pair) for pair in raw["measured"]),
            measured_engines={
                str(name): int(value) for name, value in _section(raw, "measured_engines").items()
            },
            stored={
                str(name): str(value["precision"])
                for name, value in _section(raw, "stored").items()
            },
        )
    except KeyError as missing:
        raise InputError("serving.calibration_key", name=missing.args[0]) from None
    except (TypeError, ValueError) as fault:
        raise InputError("serving.calibration_value", fault=str(fault)) from None


def _section(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = raw.get(name)
    if not isinstance(section, Mapping):
        raise InputError("serving.calibration_key", name=name)
    return section


def _engine(name: str, section: Mapping[str, Any]) -> EngineConstants:
    wanted = [field.name for field in fields(EngineConstants)]
    for key in wanted:
        value = section.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
            raise InputError("serving.calibration_key", name=f"engines.{name}.{key}")
    for key in section:
        if key not in wanted:
            raise InputError("serving.calibration_unknown", name=f"engines.{name}.{key}")
    return EngineConstants(**{key: float(section[key]) for key in wanted})
