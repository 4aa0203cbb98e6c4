"""What an offer can run: whole machines, networks, slices, limits of a purchase."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.catalog import Catalog
from costcalc.catalog.offers import Offer
from costcalc.quote import limits
from costcalc.quote.limits import Renting
from tests.regions.conftest import DAY


def offer_of(catalog: Catalog, instance_type: str, purchase: str = "on-demand") -> Offer:
    """One current offer of an instance type."""
    found: Offer = next(
        o
        for o in catalog.current_offers(DAY)
        if o.instance_type == instance_type and o.purchase == purchase
    )
    return found


def together(catalog: Catalog, rules: Renting, offer: Offer, count: int) -> str | None:
    """Code of the reason against `count` of an offer."""
    accelerator = catalog.accelerator(offer.accelerator)
    found = limits.together_reason(offer, accelerator, count, rules)
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("machine", "count", "reason"),
    [
        ("p5.48xlarge", 8, None),
        ("p5.48xlarge", 2048, None),
        ("p5.48xlarge", 20_008, "max_accelerators"),
        ("Standard_ND96isr_H100_v5", 16, None),
        ("Standard_ND96is_H100_v5", 8, None),
        ("Standard_ND96is_H100_v5", 16, "no_scaleout"),
        ("a3-highgpu-2g", 2, None),
        ("a3-highgpu-2g", 4, "part_of_host"),
        ("H100-sxm5 8x bare metal", 8, None),
        ("H100-sxm5 8x bare metal", 16, "scaleout_unknown"),
        ("1x NVIDIA H100 SXM", 1, None),
        ("1x NVIDIA H100 SXM", 2048, "part_of_host"),
        ("ct5lp-hightpu-1t", 256, None),
        ("ct5lp-hightpu-1t", 5, "no_slice"),
        ("ct5lp-hightpu-1t", 512, None),
        ("ct5lp-hightpu-1t", 300, "no_slice"),
        ("ct5p-hightpu-4t", 4, None),
        ("ct5p-hightpu-4t", 6, "no_slice"),
    ],
)
def test_counts_that_work_together(
    catalog: Catalog, rules: Renting, machine: str, count: int, reason: str | None
) -> None:
    assert together(catalog, rules, offer_of(catalog, machine), count) == reason


def test_a_capacity_block_holds_64_machines(catalog: Catalog, rules: Renting) -> None:
    block = offer_of(catalog, "trn2.48xlarge", "capacity-block")
    assert together(catalog, rules, block, 1024) is None
    assert together(catalog, rules, block, 1040) == "max_accelerators"


def test_the_offers_own_limit_counts(catalog: Catalog, rules: Renting) -> None:
    narrow = replace(offer_of(catalog, "p5.48xlarge"), max_accelerators=64)
    assert together(catalog, rules, narrow, 64) is None
    assert together(catalog, rules, narrow, 72) == "max_accelerators"


def test_a_price_per_gpu_of_whole_nodes_is_rented_in_nodes(catalog: Catalog) -> None:
    per_gpu = replace(offer_of(catalog, "p5.48xlarge"), accelerator_count=1, multiple_of=8)
    assert limits.host_size(per_gpu) == 8
    assert [limits.instances_needed(per_gpu, n) for n in (1, 8, 9, 16)] == [8, 8, 16, 16]


@given(
    count=st.integers(1, 16),
    multiple=st.integers(1, 4),
    wanted=st.integers(1, 10_000),
)
def test_whole_machines_hold_what_was_asked_and_no_unit_more(
    count: int, multiple: int, wanted: int
) -> None:
    offer = _bare(count, count * multiple)
    rented = limits.instances_needed(offer, wanted) * count
    assert rented >= wanted
    assert rented % limits.host_size(offer) == 0
    assert rented - wanted < limits.host_size(offer)


def _bare(count: int, multiple: int) -> Offer:
    from datetime import date
    from decimal import Decimal

    return Offer(
        "p", "m", "h100-sxm", count, None, None, "r", "region", "on-demand", "on-demand", "",
        "hyperscaler", Decimal(1), Decimal(1), date(2026, 1, 1), "s", "listed", "",
        multiple_of=multiple,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("machine", "purchase", "hours", "late"),
    [
        ("ct6e-standard-1t", "flex-start", 168.0, False),
        ("ct6e-standard-1t", "flex-start", 168.1, True),
        ("p5en.48xlarge", "capacity-block", 182 * 24.0, False),
        ("p5en.48xlarge", "capacity-block", 183 * 24.0, True),
        ("p5.48xlarge", "on-demand", 1e6, False),
    ],
)
def test_purchases_that_end(
    catalog: Catalog, rules: Renting, machine: str, purchase: str, hours: float, late: bool
) -> None:
    found = limits.duration_reason(offer_of(catalog, machine, purchase), hours, rules)
    assert (found is not None) == late


def test_small_a3_machines_are_sold_as_spot_and_flex_start(
    catalog: Catalog, rules: Renting
) -> None:
    for machine in ("a3-highgpu-1g", "a3-highgpu-2g", "a3-highgpu-4g"):
        assert limits.sold_only_as(offer_of(catalog, machine), rules) is not None
        assert limits.sold_only_as(offer_of(catalog, machine, "spot"), rules) is None
    assert limits.sold_only_as(offer_of(catalog, "a3-highgpu-8g"), rules) is None


def test_slices_ascend_and_exist(catalog: Catalog) -> None:
    for accelerator in catalog.accelerators().values():
        if accelerator.slices is None:
            continue
        sizes = list(limits.slice_sizes(accelerator, 20_000))
        assert sizes == sorted(set(sizes))
        assert all(limits.slice_reason(accelerator, size) is None for size in sizes)


def test_rules_without_a_table_allow_everything() -> None:
    empty = limits.renting({})
    assert empty.purchase_limits == {}
    assert empty.managed_services == {}
    assert empty.spot_interruptions_per_month == 0


def test_every_reason_has_its_words(catalog: Catalog, rules: Renting) -> None:
    from costcalc.messages.en.compare import MESSAGES as COMPARE
    from costcalc.messages.en.limits import MESSAGES as LIMITS

    assert {f"why_{code}" for code in LIMITS} == {key for key in COMPARE if key.startswith("why_")}
