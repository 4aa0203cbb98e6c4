"""A layout that fits: for memory and for people. The time model does not depend on it.

The search tries the ways to split a job that frameworks offer (data, tensor, pipeline, context and
expert parallelism; sharded optimizer or sharded everything; recomputation) and takes the one with
the smallest rough overhead among those that fit. The overheads only rank layouts; they follow the
pipeline bubble of Narayanan et al. 2021 and the traffic of ZeRO.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from costcalc.estimate.memory import (
    USABLE,
    MemoryPerChip,
    MemoryShape,
    Split,
    per_chip,
)

MAX_PIPELINE = 64
MAX_TENSOR = 64
MIN_CONTEXT_TOKENS = 4096
"""Context parallelism below this many tokens per chip brings nothing."""

_PIPELINES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64)
_POWERS = tuple(1 << i for i in range(11))


@dataclass(frozen=True, slots=True)
class Layout:
    """How one training step is divided over the chips.

    Attributes:
        data, tensor, pipeline, context: degrees; their product is the number of chips.
        expert: chips that share the experts of a layer (within the others).
        recompute: `none`, `selective` or `full`.
        sharding: `none`, `zero-1` (optimizer state) or `fsdp` (all training state).
        microbatches: sequences that a data-parallel replica works off per step.
        fills: every chip has a sequence to work on in each step.
    """

    data: int
    tensor: int
    pipeline: int
    context: int
    expert: int
    recompute: str
    sharding: str
    microbatches: int
    fills: bool = True


@dataclass(frozen=True, slots=True)
class Fit:
    """A layout with its memory."""

    layout: Layout
    memory: MemoryPerChip


@dataclass(frozen=True, slots=True)
class Demand:
    """What has to fit; hashable, so that answers are kept.

    Attributes:
        shape: the model's sizes.
        seq_len: tokens of a sequence.
        sequences: sequences per optimizer step.
        method: `full`, `lora`, `qlora`.
        adapter_params: weights of the adapter.
        memory_bytes: memory of one chip.
        domain: chips joined by the fast links.
    """

    shape: MemoryShape
    seq_len: float
    sequences: int
    method: str
    adapter_params: float
    memory_bytes: float
    domain: int


def _powers_dividing(number: int, high: int) -> Iterator[int]:
    for power in _POWERS:
        if power > high:
            return
        if number % power == 0:
            yield power


def _splits(demand: Demand, chips: int, *, fill: bool) -> Iterator[tuple[int, int, int, int, int]]:
    """Degrees (data, tensor, pipeline, context, microbatches) that divide the job."""
    shape = demand.shape
    heads = shape.heads or 1
    for tensor in _powers_dividing(chips, min(MAX_TENSOR, demand.domain)):
        if heads % tensor:
            break
        for pipeline in _PIPELINES:
            if pipeline > min(MAX_PIPELINE, shape.layers):
                break
            if (chips // tensor) % pipeline:
                continue
            rest = chips // tensor // pipeline
            most = max(int(demand.seq_len // MIN_CONTEXT_TOKENS), 1)
            for context in _powers_dividing(rest, most):
                data = rest // context
                if data > demand.sequences and fill:
                    continue
                microbatches = max(-(-demand.sequences // data), 1)
                if pipeline > 1 and microbatches < pipeline:
                    continue
                yield data, tensor, pipeline, context, microbatches


def _experts(shape: MemoryShape, chips_per_stage: int) -> tuple[int, ...]:
    if shape.experts == 1:
        return (1,)
    return tuple(
        degree
        for degree in _POWERS
        if degree <= min(shape.experts, chips_per_stage, 256)
        and shape.experts % degree == 0
        and chips_per_stage % degree == 0
    )


def _overhead(demand: Demand, split: Split) -> float:
    """Rough share of time lost, for ranking only."""
    shape = demand.shape
    redo = {"none": 0.0, "selective": shape.recompute_selective / 3, "full": 1 / 3}
    cost = redo[split.recompute]
    if split.pipeline > 1:
        cost += 0.5 * (split.pipeline - 1) / split.microbatches + 0.01
    cost += 0.02 * (split.tensor.bit_length() - 1)
    cost += 0.03 * (split.context.bit_length() - 1)
    spread = 1.0 if split.expert <= demand.domain else 4.0
    cost += 0.005 * spread * (split.expert.bit_length() - 1)
    if split.sharding == "fsdp":
        # weights gathered twice and gradients reduced once, against the tokens in between
        active = shape.dense + 2 * shape.embedding
        moved = shape.dense + shape.routed / split.expert * split.tensor
        tokens = demand.seq_len / split.context
        cost += 0.005 + 250.0 * moved / active / tokens * (4.0 if split.pipeline > 1 else 1.0)
    elif split.sharding == "zero-1":
        cost += 0.003
    return cost


def _search(demand: Demand, chips: int, *, fill: bool) -> Fit | None:
    limit = USABLE * demand.memory_bytes
    best: Fit | None = None
    best_cost = float("inf")
    for data, tensor, pipeline, context, microbatches in _splits(demand, chips, fill=fill):
        for expert in _experts(demand.shape, data * context * tensor):
            for sharding in ("none", "zero-1", "fsdp") if data * context > 1 else ("none",):
                for recompute in ("none", "selective", "full"):
                    split = Split(
                        data, tensor, pipeline, context, expert, sharding, recompute, microbatches
                    )
                    cost = _overhead(demand, split)
                    if cost >= best_cost:
                        break
                    memory = per_chip(
                        demand.shape,
                        split,
                        seq_len=demand.seq_len,
                        method=demand.method,
                        adapter_params=demand.adapter_params,
                    )
                    if memory.total <= limit:
                        layout = Layout(
                            data,
                            tensor,
                            pipeline,
                            context,
                            expert,
                            recompute,
                            sharding,
                            microbatches,
                            data <= demand.sequences,
                        )
                        best, best_cost = Fit(layout, memory), cost
                        break
    return best


@lru_cache(maxsize=4096)
def find_layout(demand: Demand, chips: int) -> Fit | None:
    """The layout to print, or None when nothing fits.

    A batch too small to give every chip a sequence is no reason to refuse: the layout then says so
    (`fills` is False), and the time model counts what it costs.
    """
    return _search(demand, chips, fill=True) or _search(demand, chips, fill=False)


def least_sequences(demand: Demand, chips: int) -> int | None:
    """Fewest sequences per step with which `find_layout` finds a layout; None when nothing fits.

    Memory does not depend on the batch, only the pipelines do that a batch can fill: one answer
    serves every batch (`demand.sequences` is not looked at).
    """
    limit = USABLE * demand.memory_bytes
    least: int | None = None
    filled = replace(demand, sequences=MAX_PIPELINE * chips)
    for data, tensor, pipeline, context, microbatches in _splits(filled, chips, fill=False):
        needed = 1 if pipeline == 1 else data * (pipeline - 1) + 1
        if least is not None and needed >= least:
            continue
        if any(
            per_chip(
                demand.shape,
                Split(data, tensor, pipeline, context, expert, sharding, recompute, microbatches),
                seq_len=demand.seq_len,
                method=demand.method,
                adapter_params=demand.adapter_params,
            ).total
            <= limit
            for expert in reversed(_experts(demand.shape, data * context * tensor))
            for sharding in (("fsdp", "zero-1", "none") if data * context > 1 else ("none",))
            for recompute in ("full", "none", "selective")
        ):
            least = needed
        if least == 1:
            break
    return least


@lru_cache(maxsize=4096)
def smallest_count(demand: Demand, *, step: int = 1, highest: int = 1 << 17) -> int | None:
    """Fewest chips, in whole multiples of `step`, that hold the job; None beyond `highest`."""
    shape = demand.shape
    total = shape.dense + shape.routed + shape.embeddings * shape.embedding
    per_weight = {"full": 16.0, "lora": 2.0, "qlora": 0.55}[demand.method]
    least = int(per_weight * total / (USABLE * demand.memory_bytes)) + 1
    count = -(-least // step) * step
    tries = 0
    while count <= highest:
        if find_layout(demand, count) is not None:
            return count
        tries += 1
        # counts that no power of two divides split badly: after a few, go up in even steps
        grow = step if tries < 4 else max(step, (count // 8) // step * step)
        count += grow
        if tries >= 4:
            power = step
            while power * 2 <= count:
                power *= 2
            count = -(-count // max(power // 4, step)) * max(power // 4, step)
    return None
