"""Bytes, FLOPs and shares of serving, computed by hand."""

from __future__ import annotations

import math

import pytest
from serving_world import MODELS, SERVING

from costcalc.estimate.decode import coverage
from costcalc.estimate.serving_layout import ServingLayout, layouts
from costcalc.estimate.serving_memory import (
    RESERVED_BYTES,
    USABLE_SHARE,
    room_bytes_per_chip,
    sequences_that_fit,
    weight_bytes_per_chip,
)
from costcalc.estimate.serving_numbers import (
    compute_precision,
    kv_share,
    replica_numbers,
    sequence_bytes,
    work_numbers,
)
from costcalc.estimate.serving_shape import architecture_from_counts

ONE = ServingLayout(1)


@pytest.mark.parametrize(
    ("model", "context", "expected"),
    [
        # 2 x 80 layers x 8 heads x 128 x 2 bytes
        ("llama-3-70b", 1.0, 327_680),
        # grouped to one query group per head: 2 x 32 x 32 x 128 x 2
        ("llama-2-7b", 1.0, 524_288),
        # MLA: 61 layers x (512 + 64) x 2
        ("deepseek-v3", 1.0, 70_272),
        # 12 full layers x 2 heads x 256 x 2 x 2 bytes (the other 36 keep a state)
        ("qwen3-next-80b-a3b", 1.0, 24_576),
    ],
)
def test_cache_bytes_of_a_token(model: str, context: float, expected: int) -> None:
    assert MODELS[model].kv_bytes_per_sequence(context, 2.0) == expected


def test_windowed_layers_stop_growing() -> None:
    # gemma-4-31b: 50 layers with a window of 1,024 (16 heads of 256, keys and values), 10 full ones
    # (4 heads of 512, keys and values are one)
    window = 50 * 2 * 16 * 256 * 2
    full = 10 * 4 * 512 * 2
    gemma = MODELS["gemma-4-31b"]
    assert gemma.kv_bytes_per_sequence(1000.0, 2.0) == 1000 * (window + full)
    assert gemma.kv_bytes_per_sequence(9000.0, 2.0) == 1024 * window + 9000 * full


def test_a_state_is_held_once_and_read_and_written_each_step() -> None:
    # 27 Mamba-2 layers: 128 heads x 128 x 80 numbers in fp32
    nemotron = MODELS["nemotron-nano-9b-v2"]
    state = 27 * 128 * 128 * 80 * 4
    attention = 4 * 2 * 8 * 128 * 2
    assert nemotron.state_bytes_per_sequence() == state
    held = sequence_bytes(nemotron, ONE, 1000.0, 2.0)
    work = work_numbers(nemotron, ONE, input_tokens=936, output_tokens=128, kv_bytes=2.0)
    assert held == state + 1000 * attention
    assert work.kv_bytes == 2 * state + 1000 * attention


@pytest.mark.parametrize(
    ("model", "layout", "expected"),
    [
        ("llama-3-70b", ServingLayout(8), 1 / 8),
        ("llama-3-70b", ServingLayout(16), 1 / 8),  # 8 heads: copied on 16 chips
        ("qwen3-235b-a22b", ServingLayout(8), 1 / 4),
        ("deepseek-v3", ServingLayout(8), 1.0),  # latents are copied
        ("deepseek-v3", ServingLayout(8, "attention-data", 8), 1 / 8),
    ],
)
def test_share_of_the_cache_on_a_chip(model: str, layout: ServingLayout, expected: float) -> None:
    assert kv_share(MODELS[model], layout) == pytest.approx(expected)


def test_weights_on_a_chip() -> None:
    llama = MODELS["llama-3.1-8b"]
    total = llama.params_total()
    assert weight_bytes_per_chip(llama, "bf16", ServingLayout(2)) == total
    assert weight_bytes_per_chip(llama, "fp4", ONE) == total * 0.5625
    mixture = MODELS["qwen3-30b-a3b"]
    dense = mixture.params_total() - mixture.routed_params()
    spread = ServingLayout(4, "attention-data", 4)
    assert weight_bytes_per_chip(mixture, "fp8", spread) == dense + mixture.routed_params() / 4


def test_room_and_requests_that_fit() -> None:
    llama, chip = MODELS["llama-3.1-8b"], SERVING["h100-sxm"]
    room = 80e9 * USABLE_SHARE - RESERVED_BYTES - 2 * llama.params_total()
    assert room_bytes_per_chip(llama, chip, "bf16", ONE) == room
    each = 2048 * 2 * 32 * 8 * 128 * 2
    found = sequences_that_fit(llama, chip, "bf16", ONE, context=2048.0, kv_bytes=2.0)
    assert found == pytest.approx(room / each)
    assert sequences_that_fit(
        MODELS["llama-3-70b"], chip, "bf16", ONE, context=1.0, kv_bytes=2.0
    ) == pytest.approx(0.0)


def test_input_embedding_is_no_read() -> None:
    llama = MODELS["llama-3.1-8b"]
    numbers = replica_numbers(llama, SERVING["h100-sxm"], "bf16", ONE)
    assert numbers.dense_bytes == 2.0 * (llama.params_total() - llama.embedding_params())
    tied = MODELS["qwen3-4b"]
    assert replica_numbers(tied, SERVING["h100-sxm"], "bf16", ONE).dense_bytes == 2.0 * float(
        tied.params_total()
    )


def test_expert_coverage_by_hand() -> None:
    # serving.md's check: 8 of 128 experts, 8 tokens: 1 - (1 - 1/16)^8
    mixture = MODELS["qwen3-30b-a3b"]
    numbers = replica_numbers(mixture, SERVING["h100-sxm"], "bf16", ONE)
    assert coverage(numbers, 8.0) == pytest.approx(1 - (15 / 16) ** 8)
    assert coverage(numbers, 1.0) == pytest.approx(1 / 16)
    spread = replica_numbers(mixture, SERVING["h100-sxm"], "bf16", ServingLayout(4, "tensor", 4))
    assert 1 >= coverage(spread, 8.0) > coverage(numbers, 8.0)
    dense = replica_numbers(MODELS["llama-3.1-8b"], SERVING["h100-sxm"], "bf16", ONE)
    assert coverage(dense, 8.0) == 0


def test_layouts_respect_heads_and_links() -> None:
    seventy = MODELS["llama-3-70b"]
    widths = {found.chips for found in layouts(seventy, SERVING["h100-sxm"], 16)}
    assert widths == {1, 2, 4, 8}  # NVLink joins 8
    odd = {found.chips for found in layouts(seventy, SERVING["inferentia2"], 12)}
    assert odd == {1, 2, 4}  # 64 heads do not divide by 12
    modes = {found.mode for found in layouts(MODELS["deepseek-v3"], SERVING["h200-sxm"], 8)}
    assert modes == {"tensor", "attention-data"}
    assert all(found.total_chips == 8 for found in layouts(seventy, SERVING["h200-sxm"], 8))


@pytest.mark.parametrize(
    ("chip", "weights", "expected"),
    [
        ("h100-sxm", "fp8", "fp8"),
        ("h100-sxm", "fp4", "bf16"),
        ("b200", "fp4", "fp4"),
        ("a100-80gb", "fp8", "bf16"),
        ("tpu-v5e", "int8", "bf16"),
    ],
)
def test_what_is_stored_and_what_is_computed(chip: str, weights: str, expected: str) -> None:
    assert compute_precision(SERVING[chip], weights) == expected


def test_cached_prefix_leaves_its_own_work_away() -> None:
    llama = MODELS["llama-3.1-8b"]
    whole = work_numbers(llama, ONE, input_tokens=1000, output_tokens=10, kv_bytes=2.0)
    half = work_numbers(
        llama, ONE, input_tokens=1000, output_tokens=10, kv_bytes=2.0, cached_share=0.5
    )
    assert half.prompt_tokens == 500
    # scores of the second half: S^2/2 - (S/2)^2/2
    assert half.prompt_attention_flops == pytest.approx(0.75 * whole.prompt_attention_flops)
    assert half.kv_bytes == whole.kv_bytes


@pytest.mark.parametrize(
    ("total", "active"), [(8e9, 8e9), (70e9, 70e9), (405e9, 405e9), (235e9, 22e9), (30e9, 3e9)]
)
def test_architectures_from_counts_have_these_counts(total: float, active: float) -> None:
    found = architecture_from_counts("x", total, active)
    assert found.params_total() == pytest.approx(total, rel=0.1)
    assert found.params_active() == pytest.approx(active, rel=0.35)
    assert found.approximate
    assert math.isfinite(found.kv_bytes_per_sequence(1000, 2.0))
