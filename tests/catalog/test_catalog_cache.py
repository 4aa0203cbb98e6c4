"""The compiled catalog: warm, edited, broken, read-only, and made by two processes at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest
from small_catalog import SMALL

from costcalc import catalog
from costcalc.catalog import Catalog, store
from costcalc.catalog.package import write_package
from costcalc.errors import InputError

Make = Callable[..., Path]
OFFERS = "offers/acme.yaml"

READ = """
import sys
from datetime import date
from pathlib import Path
from costcalc import catalog
loaded = catalog.load(Path(sys.argv[1]), cache_dir=Path(sys.argv[2]))
price = [str(offer.usd_per_instance_hour) for offer in loaded.current_offers(date(2026, 12, 1))]
loaded.hardware("ay:8"), loaded.model("tiny"), loaded.rate(date(2026, 12, 1)), loaded.version
loaded.accelerator("chip-a")
heavy = {"yaml", "pydantic", "numpy", "boto3", "google", "rich", "costcalc.catalog.compile"}
print(",".join(price), *sorted(heavy & set(sys.modules)))
"""


def run(folder: Path, cache: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", READ, str(folder), str(cache)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


def age(folder: Path) -> None:
    """Make the sources old, as they are when nobody is editing."""
    for path in folder.rglob("*.yaml"):
        os.utime(path, (1_700_000_000, 1_700_000_000))


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trust files that changed a moment ago, as one may some seconds later."""
    monkeypatch.setattr(store, "_SETTLED_NS", -(10**12))


def price(folder: Path, cache: Path) -> Decimal:
    return catalog.load(folder, cache_dir=cache).offers()[0].usd_per_instance_hour


def files(cache: Path) -> set[str]:
    return {path.name for path in (cache / "catalog").iterdir()}


def test_a_warm_start_reads_no_yaml(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    first = run(folder, cache)
    assert first.startswith("16.40 ")
    assert "yaml" in first
    assert run(folder, cache) == "16.40"
    assert not any(name.startswith(".new-") for name in files(cache))


def test_a_warm_start_does_not_read_the_sources(
    make: Make, tmp_path: Path, settled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, cache = make(), tmp_path / "cache"
    assert price(folder, cache) == Decimal("16.40")

    def fail(self: object, path: str) -> bytes:
        raise AssertionError(path)

    monkeypatch.setattr(store.Folder, "_content", fail)
    assert price(folder, cache) == Decimal("16.40")


def test_an_edit_is_noticed(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    before = catalog.load(folder, cache_dir=cache)
    assert before.offers()[0].usd_per_instance_hour == Decimal("16.40")
    (folder / OFFERS).write_text(SMALL[OFFERS].replace("16.40", "16.80"))
    after = catalog.load(folder, cache_dir=cache)
    assert after.offers()[0].usd_per_instance_hour == Decimal("16.80")
    assert after.version != before.version
    assert after.version.startswith("2026-02-03+")


def test_an_edit_of_the_same_size_and_time_is_noticed(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    age(folder)
    assert price(folder, cache) == Decimal("16.40")
    (folder / OFFERS).write_text(SMALL[OFFERS].replace("16.40", "16.80"))
    age(folder)
    assert price(folder, cache) == Decimal("16.80")


def test_touching_a_file_compiles_nothing_anew(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    price(folder, cache)
    before = files(cache)
    for path in folder.rglob("*.yaml"):
        path.touch()
    price(folder, cache)
    assert files(cache) == before


def test_a_new_file_and_a_removed_one_are_noticed(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    assert len(catalog.load(folder, cache_dir=cache).offers()) == 1
    other = folder / "offers/other.yaml"
    other.write_text(SMALL[OFFERS].replace("provider: acme", "provider: other"))
    assert len(catalog.load(folder, cache_dir=cache).offers()) == 2
    other.unlink()
    assert len(catalog.load(folder, cache_dir=cache).offers()) == 1


def test_offers_are_checked_again_when_a_chip_goes(
    make: Make, tmp_path: Path, settled: None
) -> None:
    folder, cache = make(), tmp_path / "cache"
    price(folder, cache)
    chips = folder / "accelerators/chips.yaml"
    chips.write_text(chips.read_text().replace("chip-a:", "chip-b:"))
    with pytest.raises(InputError, match="no accelerator 'chip-a'"):
        price(folder, cache)


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_cache_is_made_anew(make: Make, tmp_path: Path, damage: bytes) -> None:
    folder, cache = make(), tmp_path / "cache"
    price(folder, cache)
    for path in (cache / "catalog").iterdir():
        path.write_bytes(damage)
    assert price(folder, cache) == Decimal("16.40")
    assert price(folder, cache) == Decimal("16.40")


def test_a_cache_that_cannot_be_written(make: Make, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    folder = make()
    for _ in range(2):
        assert price(folder, blocked) == Decimal("16.40")
        assert price(folder, Path("/proc/nowhere")) == Decimal("16.40")
    assert blocked.read_text().startswith("a file")


def test_two_processes_at_once(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    processes = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", READ, str(folder), str(cache)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        out, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
        assert out.startswith("16.40")
    assert not any(name.startswith(".new-") for name in files(cache))
    for path in (cache / "catalog").glob("*.json"):
        json.loads(path.read_bytes())


def test_two_folders_share_a_cache(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    other = tmp_path / "other" / "prices"
    other.parent.mkdir()
    folder.rename(other)
    make({OFFERS: SMALL[OFFERS].replace("16.40", "20")})
    assert (price(folder, cache), price(other, cache)) == (Decimal(20), Decimal("16.40"))
    assert (price(folder, cache), price(other, cache)) == (Decimal(20), Decimal("16.40"))


def test_old_compilations_are_forgotten(make: Make, tmp_path: Path) -> None:
    folder, cache = make(), tmp_path / "cache"
    for cents in range(10, 10 + 30):
        (folder / OFFERS).write_text(SMALL[OFFERS].replace("16.40", f"16.{cents}"))
        price(folder, cache)
    kept = [name for name in files(cache) if name.startswith("offers-")]
    assert 1 < len(kept) < 30


def test_the_packaged_catalog_is_the_same(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, target = make({"extra.yaml": "a: [1, 2.5, x]"}), tmp_path / "_catalog"
    target.mkdir()
    names = write_package(folder, target)
    assert set(names) == {
        "accelerators.json",
        "offers.json",
        "models.json",
        "rates.json",
        "extra.json",
        "manifest.json",
    }
    monkeypatch.setattr(store, "PACKAGED", target)
    packaged, direct = catalog.load(), catalog.load(folder, cache_dir=tmp_path / "cache")
    assert packaged.directory is None
    assert direct.directory == folder
    assert packaged.version == direct.version
    assert list(packaged.offers()) == list(direct.offers())
    assert dict(packaged.models()) == dict(direct.models())
    assert dict(packaged.accelerators()) == dict(direct.accelerators())
    assert packaged.table("extra") == direct.table("extra") == {"a": [1, 2.5, "x"]}
    with pytest.raises(InputError, match="has no nothing"):
        packaged.table("nothing")


def test_tables_and_folders_of_tables(make: Make, tmp_path: Path) -> None:
    folder = make({"feeds/one.yaml": "a: 1", "feeds/two.yaml": "b: 2026-01-02", "x.yaml": "c: no"})
    loaded: Catalog = catalog.load(folder, cache_dir=tmp_path / "cache")
    assert loaded.table("feeds") == {"one": {"a": 1}, "two": {"b": "2026-01-02"}}
    assert loaded.table("feeds/one") == {"a": 1}
    assert loaded.table("x") == {"c": "no"}
    assert loaded.has_table("x")
    assert not loaded.has_table("y")
    with pytest.raises(InputError, match=r"has no calibration/training"):
        loaded.calibration("training")
