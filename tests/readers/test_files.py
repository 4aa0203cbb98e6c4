"""Every test file is read as what it means: value by value, key by key."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from readers.expected import EXPECTED, FILES

from costcalc import readers
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.quote.plan_validation import read_plan
from costcalc.readers.draft import Draft

FILL = {
    "model": "llama-3.1-8b",
    "on": "h100:8",
    "tokens": 10**9,
    "seq_len": 4096,
    "method": "full",
    "precision": "bf16",
    "hours": 36.0,
}


def draft(name: str, catalog: Catalog, **options: Any) -> Draft:
    return readers.read([FILES / name], catalog=catalog, **options)


def test_every_file_is_in_the_table() -> None:
    assert {path.name for path in FILES.iterdir()} - {"SOURCES.md"} == set(EXPECTED)


def test_every_file_has_its_source() -> None:
    text = (FILES / "SOURCES.md").read_text(encoding="utf-8")
    for name in EXPECTED:
        assert name.partition(".config")[0] in text, name


def test_each_format_has_three_files_or_more() -> None:
    formats = [entry["format"] for entry in EXPECTED.values()]
    for name in set(formats) - {"accelerate"}:
        assert formats.count(name) >= 3, name


@pytest.mark.parametrize("name", EXPECTED)
class TestFile:
    def test_format(self, name: str, catalog: Catalog) -> None:
        found = draft(name, catalog)
        assert list(found.formats.values()) == [EXPECTED[name]["format"]]

    def test_plan(self, name: str, catalog: Catalog) -> None:
        expected, found = EXPECTED[name], draft(name, catalog)
        wanted = expected.get("plan", {})
        if isinstance(wanted, list):
            assert found.plan()["workloads"] == wanted
            return
        if expected["format"] == "huggingface":
            wanted = {"model": str(FILES / name)}
        (workload,) = found.workloads
        assert workload.values == wanted
        assert {key: type(value) for key, value in workload.values.items()} == {
            key: type(value) for key, value in wanted.items()
        }
        if "name" in expected:
            assert workload.name == found.name == expected["name"]

    def test_facts(self, name: str, catalog: Catalog) -> None:
        found = {fact.name: fact.value for fact in draft(name, catalog).facts}
        for key, value in EXPECTED[name].get("facts", {}).items():
            assert found[key] == value, key

    def test_every_fact_has_its_key_and_line(self, name: str, catalog: Catalog) -> None:
        text = (FILES / name).read_text(encoding="utf-8").splitlines()
        lined = 0
        for fact in draft(name, catalog).facts:
            assert fact.key
            if fact.origin != "file" or fact.line is None:
                continue
            assert fact.file == str(FILES / name)
            parts = [re.sub(r"\[[0-9]+\]", "", part) for part in re.split(" x | with ", fact.key)]
            words = {word for part in parts for word in (part, part.rpartition(".")[2])}
            line = text[fact.line - 1]
            assert any(word in line or word in line.replace("_", "-") for word in words), fact
            lined += 1
        if EXPECTED[name]["format"] not in ("huggingface", "torchtitan", "terraform"):
            assert lined

    def test_open(self, name: str, catalog: Catalog) -> None:
        found = draft(name, catalog)
        assert {blank.key for _, blank in found.blanks} == EXPECTED[name]["open"]

    def test_notes(self, name: str, catalog: Catalog) -> None:
        found = draft(name, catalog)
        assert {note.code for note in found.notes} == EXPECTED[name].get("notes", set())
        for note in found.notes:
            assert note.message("es") != note.message("en")

    def test_chips(self, name: str, catalog: Catalog) -> None:
        wanted = EXPECTED[name].get("chips")
        if wanted is None:
            return
        counts = [
            catalog.hardware(workload.values["on"]).count
            for workload in draft(name, catalog).workloads
        ]
        assert counts == (wanted if isinstance(wanted, list) else [wanted])

    def test_choices_are_named_in_order(self, name: str, catalog: Catalog) -> None:
        wanted = EXPECTED[name].get("choices")
        if wanted is None:
            return
        (blank,) = [b for _, b in draft(name, catalog).blanks if b.key == "on"]
        assert blank.reason == "readers.open_any_of"
        assert [part.strip() for part in blank.params["names"].split(",")] == wanted

    def test_parameters_of_models(self, name: str, catalog: Catalog) -> None:
        wanted = EXPECTED[name].get("params")
        if wanted is not None:
            total = catalog.model(str(FILES / name)).params_total()
            assert total == pytest.approx(wanted, rel=2e-5)

    def test_yaml_says_the_same_as_the_plan(self, name: str, catalog: Catalog) -> None:
        found = draft(name, catalog)
        for explain in (False, True):
            for language in ("en", "es"):
                text = found.yaml(language, explain=explain)
                assert yaml.safe_load(text) == found.plan()
                for _, blank in found.blanks:
                    assert f"    # {blank.key}: " in text

    def test_a_filled_plan_is_valid(self, name: str, catalog: Catalog) -> None:
        found = draft(name, catalog)
        if not found.workloads:
            with pytest.raises(InputError) as caught:
                found.require_complete()
            assert caught.value.key == "readers.nothing_to_quote"
            return
        if found.blanks:
            with pytest.raises(InputError) as caught:
                found.require_complete()
            for key in EXPECTED[name]["open"]:
                assert key in caught.value.message("es")
        keys = {blank.key for _, blank in found.blanks}
        filled = draft(name, catalog, sets={key: FILL[key] for key in keys})
        plan = read_plan(filled.require_complete(), name)
        assert [workload.name for workload in plan.workloads] == [w.name for w in filled.workloads]


@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if e["format"] == "huggingface"])
def test_a_model_to_be_served(name: str, catalog: Catalog) -> None:
    (workload,) = draft(name, catalog, kind="serve").workloads
    stored = EXPECTED[name]["facts"].get("stored_precision")
    wanted = {"model": str(FILES / name)}
    assert workload.values == (wanted | {"precision": stored} if stored else wanted)
    assert set(workload.blanks) == {"on"}
