"""Every kind of fault in a catalog file is told with file, line and key."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from small_catalog import SMALL

from costcalc.catalog import Catalog
from costcalc.errors import InputError

Load = Callable[[Path], Catalog]
Make = Callable[..., Path]
CHIPS, OFFERS, MODELS, RATES = SMALL


def touch(catalog: Catalog) -> None:
    """Use every room."""
    catalog.accelerators()
    list(catalog.offers())
    catalog.models()
    catalog.rates()


def fault(load: Load, folder: Path) -> InputError:
    with pytest.raises(InputError) as error:
        touch(load(folder))
    assert error.value.exit_status == 2
    assert error.value.message("es") != error.value.message("en")
    return error.value


def test_the_small_catalog_is_sound(make: Make, load: Load) -> None:
    loaded = load(make())
    touch(loaded)
    assert loaded.hardware("ay:8").accelerator.id == "chip-a"
    assert loaded.model("tiny").layers == 2


CHANGES = [
    # file, what stands there, what to write instead, line of the fault, words of the message
    (CHIPS, "value: 100,", "value: many,", 13, "value must be a number"),
    (CHIPS, "value: 100,", "value: -1,", 13, "value -1 must lie between"),
    (CHIPS, "value: 100,", "value: 0,", 13, "value 0 must lie between"),
    (CHIPS, "value: 100,", "value: .nan,", 13, "value must be a number"),
    (CHIPS, "source: sheet}\n      hbm", "source: shet}\n      hbm", 13, "Nearest: sheet"),
    (CHIPS, "value: 100, source: sheet}", "value: 100}", 13, "source is missing"),
    (CHIPS, "hbm_gb:", "hbm_bg:", 14, "unknown key 'hbm_bg'. Nearest: hbm_gb"),
    (CHIPS, "status: available", "status: avaliable", 8, "Nearest: available"),
    (CHIPS, "train: true", "train: perhaps", 9, "train must be true or false"),
    (CHIPS, "aliases: [ay]", "aliases: ay", 11, "aliases must be a list"),
    (CHIPS, "aliases: [ay]", "aliases: [[ay]]", 11, "aliases must be text"),
    (CHIPS, "    vendor: acme\n", "", 4, "vendor is missing"),
    (CHIPS, "date: 2026-01-02", "date: 2026-13-02", 2, "must be a date"),
    (CHIPS, "  chip-a:", "  Chip A:", 4, "write 'chip-a'"),
    (CHIPS, "name: Chip A", "name: [a", 6, "not valid YAML"),
    (CHIPS, "name: Chip A", "name: Chip A\n    name: again", 6, "'name' appears twice"),
    (CHIPS, "name: Chip A", "name: &x Chip A\n    note: *x", 5, "aliases (*name)"),
    (CHIPS, "name: Chip A", "name: !!python/object:os.system x", 5, "YAML tag"),
    (OFFERS, "accelerator: chip-a", "accelerator: chip-b", 7, "no accelerator 'chip-b'"),
    (OFFERS, "accelerator_count: 8", "accelerator_count: 0", 8, "0 must lie between 1"),
    (OFFERS, "accelerator_count: 8", "accelerator_count: -8", 8, "-8 must lie between 1"),
    (OFFERS, "accelerator_count: 8", "accelerator_count: 0.5", 8, "must be a whole number"),
    (OFFERS, "here: 16.40", "here: 16.40\n          here: 17", 15, "'here' appears twice"),
    (OFFERS, "here: 16.40", "here: -1", 14, "here -1 must lie between 0"),
    (OFFERS, "here: 16.40", "here: 1e999", 14, "must lie between 0"),
    (OFFERS, "here: 16.40", "here: free", 14, "here must be a number"),
    (OFFERS, "purchase: on-demand", "purchase: ondemand", 10, "Nearest: on-demand"),
    (OFFERS, "market: neocloud", "market: neoclou", 2, "Nearest: neocloud"),
    (OFFERS, "provider: acme", "provider: Acme Inc", 1, "write 'acme-inc'"),
    (OFFERS, "usd_per_instance_hour:", "usd_per_instance_hours:", 13, "usd_per_instance_hour"),
    (
        OFFERS,
        "        usd_per_instance_hour:\n          here: 16.40\n",
        "        usd_per_instance_hour: 16.40\n",
        13,
        "one price without a region",
    ),
    (
        OFFERS,
        "        source: list\n        usd",
        "        source: list\n        region_scope: everywhere\n        usd",
        14,
        "lists regions although",
    ),
    (
        OFFERS,
        "here: 16.40\n",
        "here: 16.40\n        usd_per_accelerator_hour:\n          here: 2.5\n",
        16,
        "is not 8 x 2.5",
    ),
    (OFFERS, "as_of: 2026-02-03", "as_of: 2026-02-03\n        ended: 2026-01-01", 12, "before"),
    (
        OFFERS,
        "accelerator_count: 8",
        "accelerator_count: 8\n    scaleout: true",
        6,
        "scaleout_source is missing",
    ),
    (MODELS, "layers: 2,", "layers: 3,", 9, "covers 3 layers, the model has 2"),
    (MODELS, "kind: full", "kind: window", 10, "window is missing"),
    (MODELS, "vocab: 1000", "vocab: 99999999999", 7, "must lie between 1"),
    (MODELS, "source: config\n", "source: confg\n", 11, "Nearest: config"),
    (RATES, "2026-02-03: 18.5", "2026-02-03: 0", 6, "0 must lie between 1"),
    (RATES, "2026-02-03: 18.5", "yesterday: 18.5", 6, "must be a date"),
    (RATES, "    rates:\n      2026-02-03: 18.5\n", "    rates: {}\n", 3, "usd_mxn is missing"),
]


@pytest.mark.parametrize(("name", "old", "new", "line", "words"), CHANGES)
def test_faults_name_file_line_and_key(
    make: Make, load: Load, name: str, old: str, new: str, line: int, words: str
) -> None:
    assert old in SMALL[name]
    error = fault(load, make({name: SMALL[name].replace(old, new, 1)}))
    message = error.message("en")
    assert message.startswith(f"prices/{name}, line {line}:"), message
    assert words in message


SECOND = """\
  - instance_type: a.{count}
    accelerator: chip-a
    accelerator_count: {count}
    prices:
      - purchase: {purchase}
        as_of: 2026-02-03
        source: list
        usd_per_instance_hour:
          here: {price}
"""


@pytest.mark.parametrize(
    ("count", "price", "sound"),
    [
        (1, "2.05", True),
        (1, "3.10", True),  # one accelerator in a big host
        (1, "16.40", False),  # the price of eight for one
        (4, "8.20", True),
        (4, "16.40", False),
        (16, "32.80", True),
        (16, "16.40", False),  # a copy
        (16, "65.60", False),  # multiplied twice
    ],
)
def test_prices_follow_the_count(
    make: Make, load: Load, count: int, price: str, sound: bool
) -> None:
    text = SMALL[OFFERS] + SECOND.format(count=count, price=price, purchase="on-demand")
    folder = make({OFFERS: text})
    if sound:
        touch(load(folder))
        return
    message = fault(load, folder).message("en")
    assert "in the same family" in message
    assert message.startswith(f"prices/{OFFERS}, line {14 if count < 8 else 23}:")


def test_one_price_for_one_two_four_and_eight(make: Make, load: Load) -> None:
    rows = "".join(SECOND.format(count=n, price="2.05", purchase="spot") for n in (1, 2, 4))
    message = fault(load, make({OFFERS: SMALL[OFFERS] + rows})).message("en")
    assert "is it the price of one accelerator?" in message


def test_spot_prices_of_two_sizes_may_differ(make: Make, load: Load) -> None:
    rows = SECOND.format(count=1, price="2.05", purchase="spot")
    rows += SECOND.format(count=4, price="2.90", purchase="spot")
    touch(load(make({OFFERS: SMALL[OFFERS] + rows})))


def test_the_same_offer_in_two_files(make: Make, load: Load) -> None:
    error = fault(load, make({"offers/zz.yaml": SMALL[OFFERS]}))
    assert "prices/offers/zz.yaml" in error.message("en")
    assert "a.8" in error.message("en")


def test_the_same_instance_type_twice(make: Make, load: Load) -> None:
    rows = SECOND.format(count=8, price="16.40", purchase="spot")
    error = fault(load, make({OFFERS: SMALL[OFFERS] + rows}))
    assert error.message("en").startswith(f"prices/{OFFERS}, line 15:")


def test_an_alias_of_two_chips(make: Make, load: Load) -> None:
    other = SMALL[CHIPS].replace("chip-a", "chip-b").replace("Chip A", "Chip B")
    error = fault(load, make({"accelerators/other.yaml": other}))
    assert "'ay' already belongs to chip-a" in error.message("en")


def test_the_same_chip_in_two_files(make: Make, load: Load) -> None:
    error = fault(load, make({"accelerators/other.yaml": SMALL[CHIPS]}))
    assert "'chip-a' is already defined" in error.message("en")


def test_a_matmul_rate_above_the_peak(make: Make, load: Load) -> None:
    text = SMALL[CHIPS].replace(
        "      hbm_gb", "      matmul_bf16_tflops: {value: 101, source: sheet}\n      hbm_gb"
    )
    assert "exceeds the dense peak 100" in fault(load, make({CHIPS: text})).message("en")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"provider: acme\nmarket: \xff\xfe\n", "line 2: the file is not UTF-8"),
        (b"\x00\x01\x02", "not valid YAML"),
        (b"provider: acme\n\ttab: x\n", "line 2: not valid YAML"),
        (b"- a\n- b\n", "must be a mapping"),
        (b"just words", "must be a mapping"),
        (b"", "provider is missing"),
        (b"a: 1\n---\nb: 2\n", "not valid YAML"),
        (b"? [a, b]\n: c\n", "a key must be"),
        (b"x: " + b"[" * 5000, "nested too deeply"),
        (b"x: " + b"[" * 5000 + b"]" * 5000, "nested too deeply"),
    ],
)
def test_files_that_are_no_catalog_file(make: Make, load: Load, content: bytes, words: str) -> None:
    message = fault(load, make({OFFERS: content})).message("en")
    assert message.startswith(f"prices/{OFFERS}")
    assert words in message or ("not valid YAML" in message and "nested" in words)


def test_a_file_that_is_too_large(make: Make, load: Load) -> None:
    error = fault(load, make({OFFERS: b"# " + b"x" * 8_000_001}))
    assert "larger than 8 MB" in error.message("en")


def test_a_loop_of_links(make: Make, load: Load) -> None:
    folder = make()
    (folder / "offers/loop.yaml").symlink_to("loop.yaml")
    assert "prices/offers/loop.yaml" in fault(load, folder).message("en")


def test_a_dangling_link(make: Make, load: Load) -> None:
    folder = make()
    (folder / "offers/gone.yaml").symlink_to("nowhere.yaml")
    assert "gone.yaml" in fault(load, folder).message("en")


def test_a_folder_with_the_name_of_a_file(make: Make, load: Load) -> None:
    folder = make({RATES: None})
    (folder / "rates.yaml").mkdir()
    assert "rates.yaml is a folder" in fault(load, folder).message("en")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file(make: Make, load: Load) -> None:
    folder = make()
    (folder / OFFERS).chmod(0)
    assert "cannot be read" in fault(load, folder).message("en")


def test_a_file_with_another_suffix_is_not_passed_over(make: Make, load: Load) -> None:
    error = fault(load, make({"offers/more.yml": SMALL[OFFERS]}))
    assert "end in .yaml" in error.message("en")


def test_no_folder(load: Load, tmp_path: Path) -> None:
    assert "no such catalog folder" in fault(load, tmp_path / "nowhere").message("en")


def test_a_file_instead_of_a_folder(load: Load, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert "no such catalog folder" in fault(load, tmp_path / "file").message("en")


def test_an_empty_folder(load: Load, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert "holds no catalog" in fault(load, tmp_path / "empty").message("en")


@pytest.mark.parametrize("name", [MODELS, RATES])
def test_a_room_that_is_missing(make: Make, load: Load, name: str) -> None:
    assert "has no" in fault(load, make({name: None})).message("en")


def test_words_are_words(make: Make, load: Load) -> None:
    """YAML 1.1 would read a region `no` as false and `1:30` as ninety."""
    text = SMALL[OFFERS].replace("here: 16.40", "no: 16.40\n          1:30: 16.40")
    assert [offer.region for offer in load(make({OFFERS: text})).offers()] == ["no", "1:30"]
