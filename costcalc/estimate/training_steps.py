"""Fills in the steps that `--explain` prints for a training estimate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from costcalc.estimate import reliability
from costcalc.estimate.architecture import Architecture
from costcalc.estimate.calibration import TrainingCalibration
from costcalc.estimate.chip import Chip
from costcalc.estimate.explain import Step, quantity, step
from costcalc.estimate.step import matmul_share
from costcalc.estimate.throughput import StepModel


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What the steps are told from.

    Attributes:
        architecture, chip, calibration: the case.
        decisive: gives the step model that the time comes from, and its precision (higher than
            asked for where that is faster).
        chips, batch_tokens, seq_len, tokens, attention_flops: the run.
        frozen_base: LoRA or QLoRA.
        method, adapter_params: how it trains, and the weights of the adapter.
        stack: the stack that the middle assumes.
        flops_per_token, rate, mfu, peak_tflops, useful, whole_run, hours: results.
    """

    architecture: Architecture
    chip: Chip
    calibration: TrainingCalibration
    decisive: Callable[[], tuple[StepModel, str]]
    chips: int
    batch_tokens: float
    seq_len: int
    tokens: float
    attention_flops: float
    frozen_base: bool
    method: str
    adapter_params: float
    stack: str
    flops_per_token: float
    rate: float
    mfu: float
    peak_tflops: float
    useful: float
    whole_run: bool
    hours: float


class LazySteps(Sequence[Step]):
    """The steps of an estimate, worked out when somebody looks: most estimates are never explained.

    Args:
        facts: what the steps are told from.
    """

    def __init__(self, facts: StepFacts) -> None:
        self._facts = facts

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        return training_steps(self._facts)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        return self._steps[index]

    def __len__(self) -> int:
        return len(self._steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._steps == tuple(other)

    def __hash__(self) -> int:
        return hash(self._steps)


def training_steps(f: StepFacts) -> tuple[Step, ...]:
    """The steps, in the order in which the figures come about."""
    model, precision = f.decisive()
    fitted = f"calibration {f.calibration.date.isoformat()}, {f.calibration.runs} runs"
    datasheet = f"catalog: {f.chip.id}"
    k = f.calibration.constants
    total, active = f.architecture.params_total(), f.architecture.params_active()
    passes = 4 if f.frozen_base else 6
    matmul, attention, fixed, sharding, exchange = (
        1e6 * part
        for part in model.terms(float(f.chips), f.batch_tokens, float(f.seq_len), f.attention_flops)
    )
    shares = f.calibration.matmul_shares
    measured = "bf16" in f.chip.matmul_tflops or f.chip.family in shares
    share = matmul_share(f.chip, shares)
    per_token = 1e6 / f.rate
    return (
        step(
            "params",
            float(total),
            "weights",
            "sum over layers",
            f"catalog: {f.architecture.name}",
            total=quantity(total),
            active=quantity(active),
        ),
        step(
            "flops",
            f.flops_per_token,
            "FLOP/token",
            f"{passes} x matmul weights + 3 x attention(S)",
            "Kaplan 2020; causal attention; LoRA: no weight gradients (4 for 6)"
            if f.frozen_base
            else "Kaplan 2020 (6 per weight); causal attention",
            flops=f"{f.flops_per_token / 1e9:,.1f}",
            attention=f"{100 * f.attention_flops / f.flops_per_token:.1f}",
            seq_len=f"{f.seq_len:,}",
        ),
        step(
            "total",
            f.flops_per_token * f.tokens,
            "FLOP",
            "FLOP/token x tokens",
            "",
            total=f"{f.flops_per_token * f.tokens:.3g}",
            tokens=quantity(f.tokens),
        ),
        step(
            "peak",
            f.peak_tflops,
            "TFLOP/s",
            "dense, without sparsity",
            datasheet,
            peak=f"{f.peak_tflops:,.0f}",
            precision=precision,
        ),
        step(
            "matmul" if measured else "matmul_assumed",
            matmul,
            "us/token",
            f"{passes} x weights / ({k.matmul_share:.2f} x {share:.2f} x peak x gain)",
            f"{fitted}; {datasheet}",
            us=f"{matmul:,.2f}",
            share=f"{100 * k.matmul_share:.0f}",
            best=f"{share * f.chip.peak_tflops['bf16']:,.0f}",
        ),
        step(
            "attention",
            attention,
            "us/token",
            f"attention FLOPs / ({k.attention_share:.2f} x best bf16 matmul)",
            fitted,
            us=f"{attention:,.2f}",
        ),
        step(
            "fixed",
            fixed,
            "us/token",
            f"{1e6 * k.fixed_s:.0f} us x log2(2 x chips) x layers / (batch / chips)",
            fitted,
            us=f"{fixed:,.2f}",
            tokens=f"{f.batch_tokens / f.chips:,.0f}",
        ),
        step(
            "sharding",
            sharding + exchange,
            "us/token",
            "min(data, tensor) traffic of weights; shared sequences; routed tokens",
            fitted,
            us=f"{sharding + exchange:,.2f}",
        ),
        step(
            "multiplier",
            model.multiplier,
            "x",
            "stack x mixture x chip (vendor, family)",
            fitted,
            factor=f"{model.multiplier:.2f}",
            stack=f.stack,
            chip=f.chip.id,
        ),
        step(
            "steady",
            f.rate,
            "tokens/s/chip",
            "1 / (sum x multiplier), at most the best measured matmul rate",
            "",
            rate=f"{f.rate:,.1f}",
            us=f"{per_token:,.2f}",
            mfu=f"{100 * f.mfu:.1f}",
            peak=f"{f.peak_tflops:,.0f}",
        ),
        step(
            "whole_run" if f.whole_run else "goodput",
            f.useful,
            "",
            "steady / billed rate of whole published runs"
            if f.whole_run
            else "falls with log2(chips)",
            fitted if f.whole_run else "model cards and papers 2022-2025",
            share=f"{100 * f.useful:.0f}",
            chips=f"{f.chips:,}",
        ),
        _reliability(f),
        step(
            "hours",
            f.hours,
            "h",
            "tokens / (rate x chips x goodput)",
            "",
            hours=f"{f.hours:,.1f}",
            chips=f"{f.chips:,}",
            accelerator_hours=f"{f.hours * f.chips:,.0f}",
        ),
    )


def _reliability(f: StepFacts) -> Step:
    """How often something fails, and the checkpoints that lose least; evaluation is only told."""
    per_hour = reliability.failures_per_hour(f.chips)
    size = reliability.checkpoint_bytes(f.architecture.params_total(), f.adapter_params, f.method)
    hosts = max(f.chips / (f.chip.chips_per_host or 8), 1.0)
    save = reliability.save_hours(size, hosts, reliability.STORAGE_BYTES_PER_S_PER_HOST)
    interval = reliability.young_interval_hours(save, per_hour)
    return step(
        "reliability",
        interval,
        "h",
        "sqrt(2 x time to save x time between failures)",
        "Young 1974; Llama 3 (one failure in 5e4 chip-hours); 1 GB/s per host assumed",
        failure=f"{1.0 / per_hour:,.0f}" if per_hour < 1 else f"{1.0 / per_hour:,.2f}",
        size=f"{size / 1e9:,.3g}",
        interval=f"{interval:,.2g}" if interval < 100 else f"{interval:,.0f}",
        evaluation=f"{100 * reliability.EVALUATION_SHARE[f.method]:.3g}",
    )
