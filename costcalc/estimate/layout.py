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
    LEAST_BYTES,
    SHARDING,
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
_SINGLE_STEPS = 16
_MAX_TRIES = 256
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


_REDONE = {"none": 0.0, "full": 1 / 3}


def _split_cost(tensor: int, pipeline: int, context: int, microbatches: int) -> float:
    """Rough share of time that the degrees themselves cost."""
    cost = 0.03 * (tensor.bit_length() - 1) + 0.03 * (context.bit_length() - 1)
    if pipeline > 1:
        # half of the 1F1B bubble (stages are interleaved), and stages that are never quite even
        cost += 0.5 * (pipeline - 1) / microbatches + 0.03 * (pipeline.bit_length() - 1)
    return cost


def _sharding_cost(demand: Demand, split: Split) -> float:
    """Rough share of time that experts' and sharded states' traffic cost."""
    shape = demand.shape
    steps = split.expert.bit_length() - 1
    cost = 0.005 * steps * (1.0 if split.expert <= demand.domain else 4.0)
    if split.sharding == "zero-1":
        return cost + 0.003
    if split.sharding == "fsdp":
        # weights are gathered twice and gradients reduced once, for the tokens in between; with a
        # pipeline, again for each of its micro-batches
        active = shape.dense + 2 * shape.embedding
        moved = shape.dense + shape.routed / split.expert * split.tensor
        tokens = demand.seq_len / split.context
        again = 4.0 if split.pipeline > 1 else 1.0
        cost += 0.005 + 100.0 * moved / active / tokens * again
    return cost


def _memory(
    demand: Demand,
    data: int,
    tensor: int,
    pipeline: int,
    context: int,
    microbatches: int,
    expert: int,
    sharding: str,
    recompute: str,
) -> MemoryPerChip:
    return per_chip(
        demand.shape,
        Split(data, tensor, pipeline, context, expert, sharding, recompute, microbatches),
        seq_len=demand.seq_len,
        method=demand.method,
        adapter_params=demand.adapter_params,
    )


@lru_cache(maxsize=4096)
def fits(demand: Demand, chips: int) -> bool:
    """Whether some layout holds the job; the batch is taken to be large enough."""
    limit = USABLE * demand.memory_bytes
    for data, tensor, pipeline, context, microbatches in _splits(demand, chips, fill=False):
        for expert in reversed(_experts(demand.shape, data * context * tensor)):
            for sharding in reversed(SHARDING) if data * context > 1 else SHARDING[:1]:
                memory = _memory(
                    demand, data, tensor, pipeline, context, microbatches, expert, sharding, "full"
                )
                if memory.total <= limit:
                    return True
    return False


def _search(demand: Demand, chips: int, *, fill: bool) -> Fit | None:
    limit = USABLE * demand.memory_bytes
    redone = {**_REDONE, "selective": demand.shape.recompute_selective / 3}
    ways = sorted(("none", "selective", "full"), key=redone.__getitem__)
    costed = sorted(
        (_split_cost(*degrees[1:]), degrees) for degrees in _splits(demand, chips, fill=fill)
    )
    best: tuple[Split, MemoryPerChip] | None = None
    best_cost = float("inf")
    for split_cost, (data, tensor, pipeline, context, microbatches) in costed:
        if split_cost >= best_cost:
            break
        for expert in _experts(demand.shape, data * context * tensor):
            for sharding in SHARDING if data * context > 1 else SHARDING[:1]:
                split = Split(
                    data, tensor, pipeline, context, expert, sharding, "none", microbatches
                )
                cost = split_cost + _sharding_cost(demand, split)
                if cost >= best_cost:
                    continue
                least = _memory(
                    demand, data, tensor, pipeline, context, microbatches, expert, sharding, "full"
                )
                if least.total > limit:
                    continue
                for recompute in ways:
                    if cost + redone[recompute] >= best_cost:
                        break
                    memory = (
                        least
                        if recompute == "full"
                        else _memory(
                            demand,
                            data,
                            tensor,
                            pipeline,
                            context,
                            microbatches,
                            expert,
                            sharding,
                            recompute,
                        )
                    )
                    if memory.total <= limit:
                        best = replace(split, recompute=recompute), memory
                        best_cost = cost + redone[recompute]
                        break
    if best is None:
        return None
    found, memory = best
    layout = Layout(
        found.data,
        found.tensor,
        found.pipeline,
        found.context,
        found.expert,
        found.recompute,
        found.sharding,
        found.microbatches,
        found.data <= demand.sequences,
    )
    return Fit(layout, memory)


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
    # most jobs fit with everything sharded over all chips
    expert = _experts(demand.shape, chips)[-1]
    sharding = SHARDING[-1] if chips > 1 else SHARDING[0]
    if _memory(demand, chips, 1, 1, 1, 1, expert, sharding, "full").total <= limit:
        return 1
    least: int | None = None
    filled = replace(demand, sequences=MAX_PIPELINE * chips)
    for data, tensor, pipeline, context, microbatches in _splits(filled, chips, fill=False):
        needed = 1 if pipeline == 1 else data * (pipeline - 1) + 1
        if least is not None and needed >= least:
            continue
        if any(
            _memory(
                demand, data, tensor, pipeline, context, microbatches, expert, sharding, "full"
            ).total
            <= limit
            for expert in reversed(_experts(demand.shape, data * context * tensor))
            for sharding in (reversed(SHARDING) if data * context > 1 else SHARDING[:1])
        ):
            least = needed
        if least == 1:
            break
    return least


@lru_cache(maxsize=4096)
def smallest_count(demand: Demand, *, step: int = 1, highest: int = 1 << 17) -> int | None:
    """Fewest chips, in whole multiples of `step`, that hold the job; None beyond `highest`.

    Counts are tried one by one from the least that could hold the training state, then in steps of
    a sixteenth: a count that no power of two divides may need more memory than a smaller one.
    """
    shape = demand.shape
    total = shape.dense + shape.routed + shape.embeddings * shape.embedding
    least = int(LEAST_BYTES[demand.method] * total / (USABLE * demand.memory_bytes)) + 1
    count = -(-least // step) * step
    for attempt in range(_MAX_TRIES):
        if count > highest:
            return None
        if fits(demand, count):
            return count
        count += step if attempt < _SINGLE_STEPS else max(count // 16 // step, 1) * step
    return None
