"""The store: dated entries, whole feeds, two processes, a full disk, a kill, damage."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sources.bench import FIRST_DAY
from sources.servers import eventually

from costcalc.catalog import Catalog, Offer
from costcalc.catalog.layers import LayeredCatalog, extended
from costcalc.errors import InputError
from costcalc.sources import database
from costcalc.sources.checks import InvalidRowsError, check_rows
from costcalc.sources.database import StoreDamagedError, StoreError
from costcalc.sources.fetched import Fetched
from costcalc.sources.rates import DOF, ECB, FIX, Rate, best
from costcalc.sources.rows import FeedResult, FeedRow, offer
from costcalc.sources.store import Changes, Store
from costcalc.sources.update import open_store

NOW = datetime(2026, 12, 1, 14, 5, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "prices.sqlite3"


def priced(usd: str, region: str = "us-east-1", name: str = "p5.48xlarge") -> Offer:
    return offer(
        provider="aws",
        instance_type=name,
        accelerator="h100-sxm",
        count=8,
        region=region,
        purchase="on-demand",
        usd=Decimal(usd),
        as_of=FIRST_DAY,
        source="test list",
    )


def result(*offers: Offer, regions: tuple[str, ...] | None = None) -> FeedResult:
    found = FeedResult(source="test list", regions=None if regions is None else frozenset(regions))
    for held in offers:
        found.rows[held.key] = FeedRow(held, "sku")
    return found


def record(store: Store, fetched: FeedResult, day: int = 0, feed: str = "aws-on-demand") -> Changes:
    return store.record(
        feed,
        fetched,
        as_of=FIRST_DAY + timedelta(days=day),
        fetched_at=NOW + timedelta(days=day),
    )


def usd_on(store: Store, day: int) -> dict[str, Decimal]:
    """USD by region on a day, of what is not gone."""
    held = store.offers(FIRST_DAY + timedelta(days=day))
    return {str(item.region): item.usd_per_instance_hour for item in held if item.ended is None}


def test_new_changed_vanished_unchanged(path: Path) -> None:
    with Store.write(path) as store:
        first = record(store, result(priced("55.04"), priced("60", "eu-west-1")))
        assert (first.rows, len(first.new), first.unchanged) == (2, 2, 0)
        second = record(store, result(priced("50"), priced("61", "mx-central-1")), day=1)
        assert [move.after.usd_per_instance_hour for move in second.changed] == [50]
        assert second.changed[0].change_pct.quantize(Decimal("0.1")) == Decimal("-9.2")
        assert [held.region for held in second.vanished] == ["eu-west-1"]
        assert [held.region for held in second.new] == ["mx-central-1"]
        assert record(store, result(priced("50"), priced("61", "mx-central-1")), 2).unchanged == 2


def test_the_answer_for_a_past_day_never_changes(path: Path) -> None:
    with Store.write(path) as store:
        record(store, result(priced("55.04")), day=0)
        record(store, result(priced("55.04")), day=3)
        before = {day: store.offers(FIRST_DAY + timedelta(days=day)) for day in range(-1, 4)}
        record(store, result(priced("50")), day=4)
        record(store, result(), day=6)
        after = {day: store.offers(FIRST_DAY + timedelta(days=day)) for day in range(-1, 4)}
        assert after == before
        assert not before[-1]
        assert [usd_on(store, day).get("us-east-1") for day in range(8)] == [
            *[Decimal("55.04")] * 4,
            *[Decimal(50)] * 2,
            None,
            None,
        ]


def test_a_price_is_as_old_as_its_last_confirmation(path: Path) -> None:
    with Store.write(path) as store:
        record(store, result(priced("55.04"), priced("60", "eu-west-1")))
        record(store, result(priced("55.04"), regions=("us-east-1",)), day=5)
        dates = {held.region: held for held in store.offers(FIRST_DAY + timedelta(days=9))}
        assert dates["us-east-1"].as_of == FIRST_DAY + timedelta(days=5)
        assert dates["us-east-1"].source == "fetched 2026-12-06 14:05 UTC: test list"
        assert dates["eu-west-1"].as_of == FIRST_DAY


def test_a_fetch_of_one_region_says_nothing_about_others(path: Path) -> None:
    with Store.write(path) as store:
        record(store, result(priced("55.04"), priced("60", "eu-west-1")))
        changes = record(store, result(regions=("us-east-1",)), day=1)
        assert [held.region for held in changes.vanished] == ["us-east-1"]
        assert usd_on(store, 1) == {"eu-west-1": 60}


def test_what_is_gone_hides_the_older_entry_of_the_catalog(path: Path, shipped: Catalog) -> None:
    held = [item for item in shipped.current_offers(FIRST_DAY) if item.region == "us-east-1"]
    known = next(item for item in held if item.instance_type == "p5.48xlarge")
    assert known.purchase == "on-demand"
    with Store.write(path) as store:
        record(store, result(replace(known, usd_per_instance_hour=Decimal(60))))
        record(store, result(), day=1)
    catalog = LayeredCatalog(shipped, Fetched(path, pytest.fail))

    def prices(day: int) -> list[Decimal]:
        return [
            item.usd_per_instance_hour
            for item in catalog.current_offers(FIRST_DAY + timedelta(days=day))
            if item.key == known.key
        ]

    assert prices(-1) == [known.usd_per_instance_hour]
    assert prices(0) == [60]
    assert prices(1) == []


def test_the_newest_source_wins_and_tells_so(path: Path, shipped: Catalog) -> None:
    known = next(
        item
        for item in shipped.current_offers(FIRST_DAY)
        if item.instance_type == "p5.48xlarge" and item.region == "us-east-1"
    )
    with Store.write(path) as store:
        record(store, result(replace(known, usd_per_instance_hour=Decimal("41.5"))))
    catalog = LayeredCatalog(shipped, Fetched(path, pytest.fail))
    (found,) = (
        item
        for item in catalog.current_offers(FIRST_DAY).of_accelerator("h100-sxm")
        if item.key == known.key
    )
    assert found.usd_per_instance_hour == Decimal("41.5")
    assert found.source == "fetched 2026-12-01 14:05 UTC: test list"
    # what only the catalog says of the machine holds for the fetched price too
    assert found.scaleout == known.scaleout
    assert found.max_accelerators == known.max_accelerators
    assert catalog.version.startswith(shipped.version + "+fetched-20261201T140500Z")
    assert catalog.digest != shipped.digest
    assert catalog.prices_newest == FIRST_DAY
    # a newer entry of the catalog takes its place again
    newer = replace(known, as_of=FIRST_DAY + timedelta(days=9))
    table = extended(extended(shipped.offers(), [found]), [newer])
    days = {item.key: item for item in table.current(FIRST_DAY + timedelta(days=9))}
    assert days[known.key].as_of == newer.as_of


def test_a_clock_that_went_back_changes_nothing(path: Path) -> None:
    with Store.write(path) as store:
        record(store, result(priced("55.04")), day=10)
        with pytest.raises(StoreError) as refused:
            record(store, result(priced("50")), day=2)
        assert "is the clock right" in refused.value.message()
        assert usd_on(store, 10) == {"us-east-1": Decimal("55.04")}
        # the day before is what travelling west looks like
        assert record(store, result(priced("50")), day=9).changed
        assert usd_on(store, 10) == {"us-east-1": 50}


def test_two_prices_on_one_day_leave_the_later_one(path: Path) -> None:
    with Store.write(path) as store:
        for usd in ("55.04", "50", "52"):
            record(store, result(priced(usd)))
        assert usd_on(store, 0) == {"us-east-1": 52}
        assert len(store.entries(instance_type="P5.48XLARGE")) == 3


prices_by_region = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]), st.integers(1, 4), max_size=4
)


@settings(max_examples=60, deadline=None)
@given(st.lists(prices_by_region, min_size=1, max_size=8))
def test_the_store_agrees_with_a_list_of_all_fetches(
    tmp_path_factory: pytest.TempPathFactory, fetches: list[dict[str, int]]
) -> None:
    path = tmp_path_factory.mktemp("model") / "prices.sqlite3"
    with Store.write(path) as store:
        for day, prices in enumerate(fetches):
            record(store, result(*(priced(str(usd), name) for name, usd in prices.items())), day)
        for day, prices in enumerate(fetches):
            assert usd_on(store, day) == prices
            held = store.offers(FIRST_DAY + timedelta(days=day))
            assert {item.as_of for item in held} <= {
                FIRST_DAY + timedelta(days=day),
                *(item.ended for item in held if item.ended),
            }
            gone = {str(item.region) for item in held if item.ended is not None}
            seen = {name for earlier in fetches[: day + 1] for name in earlier}
            assert gone == seen - set(prices)


def test_a_fetch_must_pass_the_rules_of_the_catalog(shipped: Catalog) -> None:
    """A price per accelerator in the place of a machine's price does not reach the store."""
    accelerators = frozenset(shipped.accelerators())
    one = replace(priced("6.88", name="p5.4xlarge"), accelerator_count=1)
    check_rows(result(one, priced("55.04")), accelerators, "aws-on-demand")
    for wrong in (
        priced("6.88"),
        replace(priced("55.04"), accelerator="h1000"),
        replace(priced("55.04"), purchase="monthly"),
        replace(priced("55.04"), usd_per_instance_hour=Decimal(10) ** 6),
    ):
        with pytest.raises(InvalidRowsError) as refused:
            check_rows(result(one, wrong), accelerators, "aws-on-demand")
        assert "break a rule of the catalog" in refused.value.message()
        assert "reglas" in refused.value.message("es") or "regla" in refused.value.message("es")


def test_a_machine_that_only_the_store_knows_can_be_asked_for(path: Path, shipped: Catalog) -> None:
    with Store.write(path) as store:
        record(store, result(priced("70", name="p5x.48xlarge")))
    catalog = LayeredCatalog(shipped, Fetched(path, pytest.fail))
    hardware = catalog.hardware("P5X.48xlarge:2")
    assert (hardware.accelerator.id, hardware.count) == ("h100-sxm", 16)
    with pytest.raises(InputError):
        shipped.hardware("p5x.48xlarge:2")


# -- faults --------------------------------------------------------------------------------------


@pytest.fixture
def filled(path: Path) -> Path:
    with Store.write(path) as store:
        record(store, result(*(priced("55.04", f"r{number}") for number in range(400))))
    return path


def write_many(path: Path, usd: str, day: int) -> Changes:
    with Store.write(path) as store:
        return record(store, result(*(priced(usd, f"r{n}") for n in range(400))), day)


def test_a_full_disk_changes_nothing(filled: Path) -> None:
    code = textwrap.dedent(
        f"""
        import resource, signal, sys
        sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
        from pathlib import Path
        from sources.test_store import write_many
        from costcalc.sources.database import StoreError
        size = Path({str(filled)!r}).stat().st_size
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 8192, size + 8192))
        try:
            write_many(Path({str(filled)!r}), "50", 1)
        except StoreError as error:
            print(error.message())
        """
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "may be full" in answer.stdout, answer.stderr
    with Store.read(filled) as store:
        store.verify()
        assert set(usd_on(store, 5).values()) == {Decimal("55.04")}
    assert len(write_many(filled, "50", 1).changed) == 400


def test_the_limit_of_sqlite_itself_is_told_the_same_way(filled: Path) -> None:
    with Store.write(filled) as store:
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError) as refused:
            record(store, result(*(priced("50", f"r{number}") for number in range(400))), 1)
    assert "may be full" in refused.value.message()
    with Store.read(filled) as store:
        assert set(usd_on(store, 5).values()) == {Decimal("55.04")}


def test_a_kill_in_the_middle_leaves_the_former_prices(filled: Path, tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    code = textwrap.dedent(
        f"""
        import sys, time
        sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
        from pathlib import Path
        from sources.test_store import priced, record, result
        from costcalc.sources.store import Store
        with Store.write(Path({str(filled)!r})) as store:
            store._db.execute("PRAGMA cache_size = 5")  # pages reach the file before the end
            inserted = store._insert
            count = 0
            def slow(*arguments):
                global count
                inserted(*arguments)
                count += 1
                if count == 350:
                    Path({str(ready)!r}).touch()
                    time.sleep(60)
            Store._insert = lambda self, *arguments: slow(*arguments)
            record(store, result(*(priced("50", f"r{{n}}") for n in range(400))), 1)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        assert eventually(ready.exists, 20)
        assert filled.with_name(filled.name + "-journal").exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with Store.read(filled) as store:
        store.verify()
        assert set(usd_on(store, 5).values()) == {Decimal("55.04")}
    assert len(write_many(filled, "50", 1).changed) == 400


def test_two_processes_at_once(path: Path) -> None:
    code = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
        from pathlib import Path
        from sources.test_store import priced, record, result
        from costcalc.sources.store import Store
        feed = sys.argv[1]
        for day in range(12):
            with Store.write(Path({str(path)!r})) as store:
                rows = [priced(str(50 + day), f"r{{n}}") for n in range(40)]
                record(store, result(*rows), day, feed)
        """
    )
    names = ("feed-a", "feed-b", "feed-a", "feed-b")
    running = [
        subprocess.Popen([sys.executable, "-c", code, name], stderr=subprocess.PIPE)
        for name in names
    ]
    for process in running:
        _, errors = process.communicate(timeout=60)
        # the slower of two processes of one feed may find the other a day ahead
        assert process.returncode == 0 or b"is the clock right" in errors, errors
    with Store.read(path) as store:
        store.verify()
        for feed in ("feed-a", "feed-b"):
            live = store.live(feed)
            assert len(live) == 40
            assert {held.usd_per_instance_hour for held in live.values()} == {Decimal(61)}


def test_a_reader_during_a_write_sees_the_former_prices(filled: Path) -> None:
    with Store.write(filled) as writer, Store.read(filled) as reader, writer._transaction():
        writer._db.execute("UPDATE offers SET usd_per_instance_hour = '1'")
        assert set(usd_on(reader, 5).values()) == {Decimal("55.04")}
        writer._db.execute("UPDATE offers SET usd_per_instance_hour = '55.04'")


def test_a_store_that_another_process_holds_is_told(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    holder = sqlite3.connect(filled, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(StoreError) as refused:
            write_many(filled, "50", 1)
        assert "another process" in refused.value.message()
    finally:
        holder.close()


@pytest.mark.parametrize("damage", ["header", "middle", "short", "text", "empty"])
def test_a_damaged_store_is_set_aside_and_kept(filled: Path, damage: str) -> None:
    content = bytearray(filled.read_bytes())
    if damage == "header":
        content[:40] = b"x" * 40
    elif damage == "middle":
        for page in range(4096, len(content), 4096):
            content[page : page + 200] = os.urandom(200)
    elif damage == "short":
        del content[len(content) // 2 :]
    elif damage == "text":
        content = bytearray(b"these are no prices\n" * 50)
    else:
        content = bytearray()
    filled.write_bytes(content)
    if damage == "empty":
        # an empty file is what a new store starts as
        store, moved = open_store(filled, NOW)
        store.close()
        assert moved is None
        return
    store, moved = open_store(filled, NOW)
    store.close()
    assert moved is not None
    assert moved.name == "prices.sqlite3.damaged-20261201T140500"
    assert moved.read_bytes() == bytes(content)
    assert len(write_many(filled, "50", 1).new) == 400
    filled.write_bytes(content)
    store, again = open_store(filled, NOW)
    store.close()
    assert again is not None
    assert again != moved


def test_a_damaged_store_is_left_out_of_quotes_with_a_word(filled: Path, shipped: Catalog) -> None:
    content = bytearray(filled.read_bytes())
    for page in range(4096, len(content), 4096):
        content[page : page + 400] = b"\xff" * 400
    filled.write_bytes(content)
    said: list[str] = []
    catalog = LayeredCatalog(shipped, Fetched(filled, lambda fault: said.append(fault.message())))
    held = catalog.current_offers(FIRST_DAY).of_accelerator("h100-sxm")
    assert list(held) == list(shipped.current_offers(FIRST_DAY).of_accelerator("h100-sxm"))
    assert catalog.rate(FIRST_DAY) == shipped.rate(FIRST_DAY)
    assert len(said) == 1
    assert "damaged" in said[0]
    assert filled.read_bytes() == bytes(content), "a quote moves nothing"


def test_a_sound_store_is_not_set_aside(filled: Path) -> None:
    assert database.set_aside(filled, NOW) is None
    assert filled.exists()


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir(parents=True)
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    for opening in (Store.write, Store.read, lambda place: open_store(place, NOW)[0]):
        with pytest.raises(StoreError) as refused:
            opening(path)
        assert not isinstance(refused.value, StoreDamagedError)
        assert "another program" in refused.value.message()
    assert path.read_bytes() == before


def test_a_store_of_a_later_version_is_left_alone(filled: Path) -> None:
    connection = sqlite3.connect(filled)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError) as refused:
        open_store(filled, NOW)
    assert "another version" in refused.value.message()
    assert filled.exists()


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(StoreError) as refused:
        Store.write(blocked / "prices.sqlite3")
    assert "cannot be used" in refused.value.message()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_store_that_may_only_be_read(filled: Path) -> None:
    filled.chmod(0o444)
    filled.parent.chmod(0o555)
    try:
        with Store.read(filled) as store:
            assert len(usd_on(store, 5)) == 400
        with pytest.raises(StoreError):
            write_many(filled, "50", 1)
    finally:
        filled.parent.chmod(0o755)


def test_a_path_with_unusual_characters(tmp_path: Path) -> None:
    path = tmp_path / "Año 2026? #1 %41" / "prices.sqlite3"
    with Store.write(path) as store:
        record(store, result(priced("55.04")))
    with Store.read(path) as store:
        assert usd_on(store, 0) == {"us-east-1": Decimal("55.04")}
    assert [file.name for file in path.parent.iterdir()] == ["prices.sqlite3"]


def test_a_copy_of_the_file_is_a_store(filled: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    shutil.copy(filled, copy)
    with Store.read(copy) as store:
        assert len(usd_on(store, 0)) == 400


# -- size ----------------------------------------------------------------------------------------


def test_a_quote_reads_only_the_prices_of_its_chip(path: Path) -> None:
    """With 100,000 prices in the store, those of one chip are found by an index."""
    with Store.write(path) as store:
        rows = [
            replace(
                priced("55.04", f"r{number % 50}", f"type-{number}"),
                accelerator=f"chip-{number % 40}",
            )
            for number in range(2000)
        ]
        record(store, result(*rows))
        # the same again with other numbers, without the cost of going through Python
        columns = [row[1] for row in store._db.execute("PRAGMA table_info(offers)")]
        others = ", ".join(
            f"{name} || '-' || n" if name == "instance_type" else name for name in columns[1:]
        )
        store._db.execute(
            "WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter"
            " WHERE n < 49) INSERT INTO offers"
            f" ({', '.join(columns[1:])}) SELECT {others} FROM offers CROSS JOIN counter"
        )
        assert store._db.execute("SELECT count(*) FROM offers").fetchone() == (100_000,)
    with Store.read(path) as store:
        plan = " ".join(
            str(row)
            for row in store._db.execute(
                "EXPLAIN QUERY PLAN SELECT * FROM offers WHERE begun <= ? AND ended > ?"
                " AND accelerator IN (?)",
                ("2026-12-01", "2026-12-01", "chip-7"),
            )
        )
        assert "offers_by_accelerator" in plan
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 1
            return 0

        store._db.set_progress_handler(count, 1000)
        assert len(store.offers(FIRST_DAY, ("chip-7",))) == 2500
        few = steps
        store.offers(FIRST_DAY, ())
        assert few < 200, "about 30 instructions for each price of the chip, none for the others"


# -- rates ---------------------------------------------------------------------------------------


def test_rates_are_kept_with_their_corrections(path: Path) -> None:
    day = date(2026, 8, 20)
    with Store.write(path) as store:
        assert len(store.record_rates([Rate(DOF, day, Decimal("17.0638"))], NOW)) == 1
        assert not store.record_rates([Rate(DOF, day, Decimal("17.0638"))], NOW)
        assert store.record_rates([Rate(DOF, day, Decimal("17.0640"))], NOW)
        assert store.rates() == [Rate(DOF, day, Decimal("17.0640"))]


def test_the_rate_that_the_law_uses_comes_first() -> None:
    rates = [
        Rate(DOF, date(2026, 10, 29), Decimal("18.75")),
        Rate(FIX, date(2026, 10, 30), Decimal("18.90")),
        Rate(ECB, date(2026, 10, 30), Decimal("18.9077")),
    ]
    chosen = best(rates, date(2026, 10, 31))
    assert chosen is not None
    assert chosen.series == DOF
    # the rate of a day is never one of a later day
    assert best(rates, date(2026, 10, 28)) is None
    stale = [replace(rates[0], day=date(2026, 10, 2)), *rates[1:]]
    newer = best(stale, date(2026, 10, 31))
    assert newer is not None
    assert newer.series == FIX


def test_stored_rates_reach_quotes(path: Path, shipped: Catalog) -> None:
    with Store.write(path) as store:
        store.record_rates([Rate(DOF, FIRST_DAY, Decimal("18.1234"))], NOW)
    catalog = LayeredCatalog(shipped, Fetched(path, pytest.fail))
    rate = catalog.rate(FIRST_DAY + timedelta(days=2))
    assert (rate.usd_mxn, rate.date) == (Decimal("18.1234"), FIRST_DAY)
    assert "FIX published in the DOF on the previous business day" in rate.source
    before = shipped.rates()[-1].date
    assert before is not None
    assert catalog.rate(before) == shipped.rate(before)
