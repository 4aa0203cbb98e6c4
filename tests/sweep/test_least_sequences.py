"""The least batch that fits is where `find_layout` begins to find a layout."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from costcalc.catalog import Catalog
from costcalc.estimate.layout import find_layout, least_sequences
from costcalc.estimate.training import TrainingJob, demand


@pytest.mark.parametrize("seed", range(40))
def test_same_answer_as_the_layout_itself(shipped: Catalog, seed: int) -> None:
    pick = random.Random(seed)
    model = shipped.model(pick.choice(["llama-3.1-8b", "llama-3.1-70b", "deepseek-v3", "gemma-7b"]))
    chip = shipped.accelerator(pick.choice(["h100", "tpu-v5e", "mi300x", "a100-80gb"])).chip
    seq_len = pick.choice([512, 4096, 32_768, 131_072])
    method = pick.choice(["full", "lora", "qlora"])
    job = TrainingJob(model, 1e12, seq_len, method=method)
    chips = pick.choice([1, 2, 3, 6, 8, 12, 16, 64, 256])
    need = demand(job, chip, float(seq_len))
    assert need is not None
    least = least_sequences(need, chips)
    for sequences in (1, 2, 7, 64, 4096):
        found = find_layout(replace(need, sequences=sequences), chips)
        assert (found is not None) is (least is not None and sequences >= least)


def test_a_batch_can_be_too_small_for_the_only_split_that_fits(shipped: Catalog) -> None:
    """16 chips with so little memory that only the stages of a pipeline hold the model."""
    job = TrainingJob(shipped.model("llama-3.1-8b"), 1e12, 4096)
    need = demand(job, shipped.accelerator("h100").chip, 4096.0)
    assert need is not None
    thresholds = set()
    size = 8e9
    while size < 20e9:
        item = replace(need, memory_bytes=size)
        least = least_sequences(item, 16)
        thresholds.add(least)
        if least is not None and least > 1:
            assert find_layout(replace(item, sequences=least), 16) is not None
            assert find_layout(replace(item, sequences=least - 1), 16) is None
        size *= 1.01
    assert {None, 1} < thresholds  # and something in between
