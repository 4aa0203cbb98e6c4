"""`--on`: chips, slices and machines as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.catalog import Catalog, SliceRule
from costcalc.errors import CostcalcError, InputError


@pytest.mark.parametrize(
    ("text", "accelerator", "count"),
    [
        ("h100:8", "h100-sxm", 8),
        (" H100 : 8 ", "h100-sxm", 8),
        ("tpu-v5p:4", "tpu-v5p", 4),
        ("mi300x:64", "mi300x", 64),
        ("jalapeno:8", "jalapeno", 8),
        ("h100:1k", "h100-sxm", 1000),
        ("p5.48xlarge", "h100-sxm", 8),
        ("p5.48xlarge:4", "h100-sxm", 32),
        ("P5.48XLARGE:2", "h100-sxm", 16),
        ("trn2.48xlarge:4", "trainium2", 64),
        ("Standard_ND96isr_H200_v5", "h200-sxm", 8),
        ("standard_nd96isr_h200_v5:2", "h200-sxm", 16),
        ("a3-megagpu-8g:16", "h100-sxm", 128),
        ("ct6e-standard-8t", "tpu-v6e", 8),
        ("ct5lp-hightpu-4t:2", "tpu-v5e", 8),
        ("BM.GPU.MI300X.8", "mi300x", 8),
    ],
)
def test_chips_and_machines(shipped: Catalog, text: str, accelerator: str, count: int) -> None:
    found = shipped.hardware(text)
    assert (found.accelerator.id, found.count, found.slice_name) == (accelerator, count, None)


@pytest.mark.parametrize(
    ("text", "accelerator", "chips", "name"),
    [
        ("v3-8", "tpu-v3", 4, "v3-8"),
        ("v3-2048", "tpu-v3", 1024, "v3-2048"),
        ("v4-8", "tpu-v4", 4, "v4-8"),
        ("v4-4096", "tpu-v4", 2048, "v4-4096"),
        ("v5p-8", "tpu-v5p", 4, "v5p-8"),
        ("V5P-16", "tpu-v5p", 8, "v5p-16"),
        ("v5p-1024", "tpu-v5p", 512, "v5p-1024"),
        ("v5p-12288", "tpu-v5p", 6144, "v5p-12288"),
        ("v5p-2x2x2", "tpu-v5p", 8, "v5p-16"),
        ("tpu-v5p-8", "tpu-v5p", 4, "v5p-8"),
        ("v5e-8", "tpu-v5e", 8, "v5e-8"),
        ("v5litepod-256", "tpu-v5e", 256, "v5e-256"),
        ("v6e-8", "tpu-v6e", 8, "v6e-8"),
        ("v6e-1", "tpu-v6e", 1, "v6e-1"),
        ("tpu7x-128", "tpu-v7x", 64, "tpu7x-128"),
        ("tpu7x-4x4x4", "tpu-v7x", 64, "tpu7x-128"),
    ],
)
def test_slices(shipped: Catalog, text: str, accelerator: str, chips: int, name: str) -> None:
    found = shipped.hardware(text)
    assert (found.accelerator.id, found.count, found.slice_name) == (accelerator, chips, name)
    assert found.slices == 1


def test_several_slices(shipped: Catalog) -> None:
    found = shipped.hardware("v5p-128:4")
    assert (found.count, found.slices, found.slice_name) == (256, 4, "v5p-128")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("h100:0", "1 to 1,000,000"),
        ("h100:-8", "1 to 1,000,000"),
        ("h100:1e9", "1 to 1,000,000"),
        ("h100:8.5", "whole number"),
        ("h100:nan", "is not a number"),
        ("h100:", "is not a number"),
        ("h100:eight", "is not a number"),
        ("h100", "h100:8"),
        ("", "h100:8"),
        (":8", "h100:8"),
        ("h10:8", "h100-sxm"),
        ("p5.48xlarg", "p5.48xlarge"),
        ("v5p-7", "v5p-8"),
        ("v5p-10", "v5p-8"),
        ("v5p-136", "v5p-128, v5p-256"),
        ("v5p-99999", "v5p-12288"),
        ("v6e-9", "v6e-8, v6e-16"),
        ("v6e-0", "v6e-1"),
        ("v6e-512", "v6e-256"),
        ("v5p-8:1000000", "1 to 1,000,000"),
        ("1x NVIDIA A100", "a100-40gb:1, a100-80gb:1"),
        ("quantum-5000:8", "Nearest"),
    ],
)
def test_slips_are_told_what_would_be_right(shipped: Catalog, text: str, hint: str) -> None:
    with pytest.raises(InputError) as error:
        shipped.hardware(text)
    assert hint in error.value.message("en")
    assert error.value.message("es")


@given(st.text(max_size=30))
def test_any_text_resolves_or_is_refused(shipped: Catalog, text: str) -> None:
    try:
        found = shipped.hardware(text)
    except CostcalcError as error:
        assert error.message("en")  # noqa: PT017
        assert error.message("es")  # noqa: PT017
    else:
        assert 1 <= found.count <= 1_000_000


RULE = SliceRule(("v5p",), 2, (4, 8, 16, 32), 64, 6144)
FLAT = SliceRule(("v6e",), 1, (1, 4, 8, 16, 32, 64, 128, 256), None, 256)


@pytest.mark.parametrize("rule", [RULE, FLAT])
@given(chips=st.integers(1, 7000))
def test_slice_sizes_bracket_a_number_of_chips(rule: SliceRule, chips: int) -> None:
    above, below = rule.smallest_holding(chips), rule.largest_within(chips)
    if above is None:
        assert chips > rule.largest
    else:
        assert above >= chips
        assert rule.is_slice(above)
        assert not any(rule.is_slice(size) for size in range(chips, above))
    if below is None:
        assert chips < rule.sizes[0]
    else:
        assert below <= chips
        assert rule.is_slice(below)
        assert not any(rule.is_slice(size) for size in range(below + 1, chips + 1))
    assert rule.is_slice(chips) == (above == chips) == (below == chips)
