"""Memory and layouts against published peaks, published layouts and arithmetic by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training_world import MODELS, TRAINABLE

from costcalc.estimate.layout import (
    Demand,
    Layout,
    find_layout,
    fits,
    least_sequences,
    smallest_count,
)
from costcalc.estimate.memory import (
    GIB,
    RUNTIME_BYTES,
    USABLE,
    MemoryPerChip,
    Split,
    memory_shape,
    per_chip,
)

ONE = Split(1, 1, 1, 1, 1, "none", "none", 1)


def memory(
    model: str, seq_len: float, *, method: str = "full", rank: int = 16, **split: Any
) -> MemoryPerChip:
    """Memory of a layout; what is not named is 1."""
    architecture = MODELS[model]
    adapter = 0.0 if method == "full" else float(architecture.lora_params(rank))
    values = {
        name: split.get(name, getattr(ONE, name))
        for name in Split.__dataclass_fields__  # type: ignore[attr-defined]
    }
    return per_chip(
        memory_shape(architecture),
        Split(**values),
        seq_len=seq_len,
        method=method,
        adapter_params=adapter,
    )


def demand(model: str, chip: str, *, seq_len: int = 8192, sequences: int = 512) -> Demand:
    known = TRAINABLE[chip]
    assert known.hbm_gb is not None
    return Demand(
        memory_shape(MODELS[model]),
        float(seq_len),
        sequences,
        "full",
        0.0,
        known.hbm_gb * 1e9,
        known.max_scaleup_chips or 8,
    )


# pytorch/torchtune README.md @0031bfb: batch 2 of 2,048 packed tokens, activation checkpointing,
# chunked loss, rank 8 (16 for the large models); peak memory as the allocator reports it, so
# without the runtime's own
TORCHTUNE = [
    ("llama-3.1-8b", "lora", {"rank": 8, "recompute": "full"}, 16.2),
    ("llama-3.1-8b", "qlora", {"rank": 8, "recompute": "full"}, 7.4),
    ("llama-3.1-70b", "lora", {"data": 8, "sharding": "fsdp", "recompute": "full"}, 27.6),
    ("llama-3.1-405b", "qlora", {"data": 8, "sharding": "fsdp", "recompute": "full"}, 44.8),
]


@pytest.mark.parametrize(("model", "method", "split", "peak_gib"), TORCHTUNE)
def test_published_peaks_of_torchtune(
    model: str, method: str, split: dict[str, Any], peak_gib: float
) -> None:
    found = memory(model, 2 * 2048, method=method, **split)
    assert (found.total - RUNTIME_BYTES) / GIB == pytest.approx(peak_gib, rel=0.12)


def test_sharded_state_of_torchtitan() -> None:
    """Llama 3.1 8B, FSDP on 8 and on 128 H100: 77.0 and 62.0 GiB with the same activations.

    pytorch/torchtitan benchmarks/llama3_h100_202412_torchtitan.md @31a17bf, tables 1 and 3.
    """
    few, many = (
        memory("llama-3.1-8b", 16384, data=data, sharding="fsdp", recompute="selective")
        for data in (8, 128)
    )
    assert (few.total - many.total) / GIB == pytest.approx(77.0 - 62.0, rel=0.1)


# Layouts that are in use; each must fit with some recomputation (NVIDIA-NeMo/Megatron-Bridge
# docs/performance-summary-archive.md @067f987, NVIDIA/NeMo; torchtitan as above)
PUBLISHED_LAYOUTS = [
    ("llama-3.1-70b", "h100-sxm", 64, {"tensor": 4, "pipeline": 8, "sharding": "zero-1"}),
    (
        "llama-3.1-405b",
        "h100-sxm",
        1024,
        {"tensor": 8, "pipeline": 8, "context": 2, "sharding": "zero-1"},
    ),
    ("llama-3.1-405b", "gb200", 256, {"tensor": 4, "pipeline": 16, "sharding": "zero-1"}),
    ("llama-3.1-405b", "gb300", 256, {"tensor": 2, "pipeline": 8, "sharding": "zero-1"}),
    ("llama-3.1-70b", "gb300", 64, {"sharding": "fsdp"}),
    ("llama-3.1-70b", "gb200", 64, {"sharding": "fsdp"}),
    ("deepseek-v3", "gb200", 256, {"pipeline": 4, "expert": 64, "sharding": "zero-1"}),
    ("deepseek-v3", "gb300", 256, {"pipeline": 2, "expert": 32, "sharding": "zero-1"}),
    ("llama-3.1-8b", "h100-sxm", 8, {"sharding": "fsdp"}),
    ("llama-3.1-405b", "tpu-v5p", 512, {"sharding": "fsdp"}),
]


@pytest.mark.parametrize(("model", "chip", "chips", "split"), PUBLISHED_LAYOUTS)
def test_published_layouts_fit(model: str, chip: str, chips: int, split: dict[str, Any]) -> None:
    data = chips
    for axis in ("tensor", "pipeline", "context"):
        data //= split.get(axis, 1)
    capacity = TRAINABLE[chip].hbm_gb
    assert capacity is not None
    seq_len = 4096 if model == "deepseek-v3" else 8192
    totals = [
        memory(
            model, seq_len, **{"data": data, "microbatches": 64, "recompute": way, **split}
        ).total
        for way in ("none", "selective", "full")
    ]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] <= USABLE * capacity * 1e9


def test_parts_by_hand() -> None:
    """Llama 3.1 8B on one chip without sharding: 2 + 2 + 12 bytes for each weight."""
    found = memory("llama-3.1-8b", 4096)
    params = MODELS["llama-3.1-8b"].params_total()
    assert found.weights == pytest.approx(2 * params, rel=1e-3)
    assert found.gradients == pytest.approx(2 * params, rel=1e-3)
    assert found.optimizer == pytest.approx(12 * params, rel=1e-3)
    per_layer = 2 * (4 * 4096 + 4096 + 2 * 1024 + 4096) + 6 * 14336
    logits = 6 * 1024 * 128256
    assert found.activations == pytest.approx(32 * per_layer * 4096 + logits)
    assert found.other == RUNTIME_BYTES


@pytest.mark.parametrize("axis", ["tensor", "data", "expert"])
def test_splitting_saves_memory(axis: str) -> None:
    before = memory("deepseek-v3", 4096, data=8, sharding="fsdp", microbatches=8)
    more = {"data": 64} if axis == "data" else {"data": 8, axis: 8}
    after = memory("deepseek-v3", 4096, sharding="fsdp", microbatches=8, **more)
    assert after.total < before.total


MODEL = st.sampled_from(sorted(MODELS))
CHIP = st.sampled_from(sorted(name for name, chip in TRAINABLE.items() if chip.hbm_gb))


@settings(max_examples=60)
@given(MODEL, CHIP, st.integers(1, 600), st.sampled_from([2048, 4096, 32768, 131072]))
def test_a_layout_divides_what_it_splits(model: str, chip: str, count: int, seq_len: int) -> None:
    need = demand(model, chip, seq_len=seq_len, sequences=1024)
    found = find_layout(need, count)
    assert (found is not None) == fits(need, count)
    if found is None:
        return
    layout: Layout = found.layout
    architecture = MODELS[model]
    assert layout.data * layout.tensor * layout.pipeline * layout.context == count
    assert all(group.heads % layout.tensor == 0 for group in architecture.attention)
    assert layout.tensor <= (TRAINABLE[chip].max_scaleup_chips or 8)
    assert layout.pipeline <= architecture.layers
    experts = architecture.moe.experts if architecture.moe else 1
    assert experts % layout.expert == 0
    assert layout.fills == (layout.data <= need.sequences)
    assert found.memory.total <= USABLE * need.memory_bytes
    again = least_sequences(need, count)
    assert again is not None
    assert again <= max(need.sequences, 1) or layout.pipeline > 1


@settings(max_examples=30)
@given(MODEL, CHIP, st.sampled_from([1, 4, 8, 72]))
def test_the_smallest_count_fits_and_is_a_multiple(model: str, chip: str, step: int) -> None:
    need = demand(model, chip, sequences=1 << 20)
    found = smallest_count(need, step=step)
    if found is None:
        return
    assert found % step == 0
    assert find_layout(need, found) is not None
    if found > step:
        state = 16 * MODELS[model].params_total() / (USABLE * need.memory_bytes)
        assert found >= state


def test_known_smallest_counts() -> None:
    assert smallest_count(demand("llama-3.1-8b", "h100-sxm"), step=8) == 8
    assert smallest_count(demand("llama-3.1-70b", "h100-sxm"), step=8) == 16
    assert smallest_count(demand("llama-3.1-405b", "h100-sxm"), step=8) == 96
    assert smallest_count(demand("llama-3.1-405b", "b200"), step=8) == 40
