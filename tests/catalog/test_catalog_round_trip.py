"""What is written in YAML is what comes out, digit for digit."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from small_catalog import SMALL

from costcalc import catalog
from costcalc.catalog import yamlfile
from costcalc.catalog.names import nearest, normal

PRICES = st.decimals(Decimal("0.0001"), Decimal("9999"), places=7)
REGIONS = st.from_regex(r"[a-z]{2}-[a-z]{3,8}-[0-9]", fullmatch=True)


@settings(max_examples=40, deadline=None)
@given(
    count=st.sampled_from([1, 2, 4, 8, 16, 64]),
    prices=st.dictionaries(REGIONS, PRICES, min_size=1, max_size=4),
    per_accelerator=st.booleans(),
    quoted=st.booleans(),
    purchase=st.sampled_from(["on-demand", "spot", "commit-1y"]),
    day=st.dates(date(2024, 1, 1), date(2026, 12, 1)),
    confidence=st.sampled_from(["listed", "quoted", "estimated"]),
)
def test_offers(
    count: int,
    prices: dict[str, Decimal],
    per_accelerator: bool,
    quoted: bool,
    purchase: str,
    day: date,
    confidence: str,
) -> None:
    key = "usd_per_accelerator_hour" if per_accelerator else "usd_per_instance_hour"
    mark = "'" if quoted else ""
    rows = "".join(
        f"          {region}: {mark}{price:f}{mark}\n" for region, price in prices.items()
    )
    text = (
        "provider: acme\nmarket: neocloud\n"
        "sources:\n  list: {text: a price list, date: 2026-02-03}\n"
        "instances:\n  - instance_type: a\n    accelerator: chip-a\n"
        f"    accelerator_count: {count}\n    prices:\n      - purchase: {purchase}\n"
        f"        as_of: {day}\n        source: list\n        confidence: {confidence}\n"
        f"        {key}:\n{rows}"
    )
    with TemporaryDirectory() as place:
        folder = Path(place) / "prices"
        for name, content in {**SMALL, "offers/acme.yaml": text}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content)
        for _ in range(2):  # compiled, then from the cache
            offers = list(catalog.load(folder, cache_dir=Path(place) / "cache").offers())
            stated = {
                offer.region: offer.usd_per_accelerator_hour
                if per_accelerator
                else offer.usd_per_instance_hour
                for offer in offers
            }
            assert stated == prices
            for offer in offers:
                assert (offer.as_of, offer.purchase, offer.confidence) == (
                    day,
                    purchase,
                    confidence,
                )
                product = offer.usd_per_accelerator_hour * count
                if per_accelerator:
                    assert product == offer.usd_per_instance_hour
                else:
                    gap = abs(product - offer.usd_per_instance_hour)
                    assert gap <= offer.usd_per_instance_hour * Decimal("1e-7")


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**12), 10**12),
    st.decimals(-(10**6), 10**6, places=4).map(float),
    st.from_regex(r"[a-z][a-z ]{0,10}[a-z]", fullmatch=True),
)
TREES = st.dictionaries(
    st.from_regex(r"[a-z_]{1,8}", fullmatch=True),
    st.recursive(
        SCALARS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(st.from_regex(r"[a-z_]{1,8}", fullmatch=True), inner, max_size=3),
        ),
        max_leaves=8,
    ),
    max_size=5,
)


@settings(deadline=None)
@given(TREES)
def test_tables(tree: dict[str, object]) -> None:
    text = yaml.safe_dump(tree, allow_unicode=True).encode()
    assert yamlfile.parse(text, "t.yaml").plain_data() == tree


def test_both_yaml_readers_agree(monkeypatch: object) -> None:
    data = SMALL["accelerators/chips.yaml"].encode()
    fast = yamlfile.parse(data, "t.yaml").plain_data()
    saved = yamlfile._LOADER
    try:
        yamlfile._LOADER = yaml.SafeLoader
        assert yamlfile.parse(data, "t.yaml").plain_data() == fast
    finally:
        yamlfile._LOADER = saved


@given(st.text(max_size=20))
def test_a_normal_form_is_stable(name: str) -> None:
    form = normal(name)
    assert normal(form) == form
    assert normal(f"  {name}_") == form


@given(st.lists(st.from_regex(r"[a-z0-9-]{1,12}", fullmatch=True), max_size=8), st.text(max_size=9))
def test_nearest_names_are_valid_names(valid: list[str], name: str) -> None:
    found = nearest(name, valid)
    assert len(found) <= 4
    assert set(found) <= set(valid)
    for exact in valid:
        if normal(exact):
            assert normal(nearest(exact, valid)[0]) == normal(exact)
