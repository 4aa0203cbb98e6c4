"""Bounded YAML: what a person means, where each key stands, and an end to every hostile file."""

from __future__ import annotations

import contextlib
import os
import tracemalloc
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from costcalc import safeyaml
from costcalc.errors import InputError


def load(text: str | bytes) -> object:
    return safeyaml.load(text, "f.yaml").data


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e6", 1e6),
        ("1e-5", 1e-5),
        ("1.0e+6", 1e6),
        (".5", 0.5),
        ("5.", 5.0),
        ("128_256", 128256),
        ("262_144", 262144),
        ("-1", -1),
        ("0x1F", 31),
        ("0o17", 15),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("on", "on"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("010", "010"),
        ("12:30", "12:30"),
        ("2026-12-01", "2026-12-01"),
        ("h100:8", "h100:8"),
        ("'1e6'", "1e6"),
        ('"true"', "true"),
        ("1_", "1_"),
        ("1__000", "1__000"),
        ("v5p-8", "v5p-8"),
        ("1.2.3", "1.2.3"),
        ("!!str 12", "12"),
        ("!!float 3", 3),
    ],
)
def test_scalars_are_what_a_person_means(text: str, value: object) -> None:
    found = load(f"a: {text}")
    assert found == {"a": value}
    assert type(found["a"]) is type(value)  # type: ignore[index]


def test_the_trap_of_an_exponent_is_real_and_told() -> None:
    assert yaml.safe_load("lr: 1e-5") == {"lr": "1e-5"}  # what YAML 1.1 makes of it
    document = safeyaml.load("lr: 1e-5\nsize: 1.0e+5\n", "f.yaml")
    assert document.data == {"lr": 1e-5, "size": 1e5}
    trap = document.trap(("lr",))
    assert trap is not None
    assert (trap.kind, trap.line, trap.text) == ("exponent", 1, "1e-5")
    assert document.trap(("size",)) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [("yes", "yes_no"), ("OFF", "yes_no"), ("0123", "leading_zero"), ("1:30:00", "sexagesimal")],
)
def test_traps_are_told_with_their_place(text: str, kind: str) -> None:
    document = safeyaml.load(f"a:\n  - b: {text}\n", "f.yaml")
    assert document.data == {"a": [{"b": text}]}
    trap = document.trap(("a", 0, "b"))
    assert trap is not None
    assert (trap.kind, trap.line) == (kind, 2)


def test_keys_are_text_and_a_key_named_on_stays() -> None:
    assert load("on: x\n8: y\n1.5: z\n~: n\n") == {"on": "x", "8": "y", "1.5": "z", "~": "n"}


def test_accelerators_without_spaces_are_keys() -> None:
    assert load("{A100:1, Inferentia:6}") == {"A100:1": None, "Inferentia:6": None}
    assert load("{A100: 1, Inferentia: 6}") == {"A100": 1, "Inferentia": 6}


def test_lines_of_keys_items_and_what_is_beyond() -> None:
    text = "# head\nversion: 1\nlist:\n  - a: 1\n    b:\n      - x\n      - y\n  - {c: 2}\n"
    document = safeyaml.load(text, "f.yaml")
    assert document.line(()) == 2
    assert document.line(("version",)) == 2
    assert document.line(("list", 0)) == 4
    assert document.line(("list", 0, "b", 1)) == 7
    assert document.line(("list", 1, "c")) == 8
    assert document.line(("list", 1, "missing")) == 8
    assert document.line(("list", 9)) == 3
    assert document.line(("nothing", "at", "all")) == 2


def test_lines_in_later_documents() -> None:
    first, second = safeyaml.load_all("a: 1\n---\n# note\nb: 2\nc: 3\n", "f.yaml")
    assert first.line(("a",)) == 1
    assert (second.start, second.line(("b",)), second.line(("c",))) == (4, 4, 5)


def test_aliases_are_copies_and_merge_keys_work() -> None:
    document = safeyaml.load("base: &b {x: [1], y: 2}\none:\n  <<: *b\n  y: 3\ntwo: *b\n", "f.yaml")
    assert document.data == {
        "base": {"x": [1], "y": 2},
        "one": {"y": 3, "x": [1]},
        "two": {"x": [1], "y": 2},
    }
    document.data["two"]["x"].append(9)
    assert document.data["base"]["x"] == [1]
    assert document.line(("one", "x")) == 1
    assert document.line(("one", "y")) == 4
    assert load("a: &a {k: 1}\nb: &b {k: 2, l: 3}\nc:\n  <<: [*a, *b]\n") == {
        "a": {"k": 1},
        "b": {"k": 2, "l": 3},
        "c": {"k": 1, "l": 3},
    }


HOSTILE = {
    "a: 1\nb: 2\na: 3": ("safeyaml.duplicate", 3),
    "a: {x: 1, x: 2}": ("safeyaml.duplicate", 1),
    "<<: {a: 1}\n<<: {b: 1}": ("safeyaml.duplicate", 2),
    "a: !!python/object/apply:os.system [x]": ("safeyaml.tag", 1),
    "a: !Ref x": ("safeyaml.tag", 1),
    "a: !!int x": ("safeyaml.tag_value", 1),
    "a: &a [*a]": ("safeyaml.alias_recursive", 1),
    "a: &a {b: *a}": ("safeyaml.alias_recursive", 1),
    "a: *b": ("safeyaml.alias_unknown", 1),
    "? [a]\n: b": ("safeyaml.complex_key", 1),
    "{[a]: b}": ("safeyaml.complex_key", 1),
    "<<: 3": ("safeyaml.merge", 1),
    "a: b: c": ("safeyaml.syntax", 1),
    "a:\n\t- b": ("safeyaml.syntax", 2),
    "a: 'x": ("safeyaml.syntax", 1),
    "%YAML 9.9\n---\na": ("safeyaml.syntax", 1),
    "a: 1e999": ("safeyaml.number", 1),
    "a: " + "9" * 5000: ("safeyaml.number", 1),
    "a: 0x" + "f" * 5000: ("safeyaml.number", 1),
    "x: 1\na: \x07": ("safeyaml.control", 2),
    "a: \ud800": ("safeyaml.control", 1),
    "\n".join("  " * i + "- a:" for i in range(100)): ("safeyaml.depth", 33),
    "a: 1\n---\nb: 2": ("safeyaml.several", 3),
}


@pytest.mark.parametrize("text", list(HOSTILE), ids=lambda text: repr(text[:24]))
def test_hostile_yaml_ends_in_an_error_with_its_line(text: str) -> None:
    key, line = HOSTILE[text]
    with pytest.raises(InputError) as caught:
        load(text)
    assert caught.value.key == key
    assert caught.value.params["line"] == line
    for language in ("en", "es"):
        assert "f.yaml" in caught.value.message(language)


@pytest.mark.parametrize("text", ["[" * 100_000, "{a: " * 5_000, "- " * 5_000, "&a " * 5_000])
def test_deep_nesting_ends_in_an_error(text: str) -> None:
    with pytest.raises(InputError) as caught:
        load(text)
    assert caught.value.key in ("safeyaml.depth", "safeyaml.syntax")


def bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * width)}]" for i in range(1, levels + 1)]
    return "\n".join(lines)


@pytest.mark.parametrize(("levels", "width"), [(10, 10), (60, 2), (3, 1000)])
def test_an_anchor_bomb_ends_early(levels: int, width: int) -> None:
    with pytest.raises(InputError) as caught:
        load(bomb(levels, width))
    assert caught.value.key in ("safeyaml.values", "safeyaml.depth")


def test_an_anchor_bomb_takes_little_memory() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InputError):
            safeyaml.load(bomb(20, 10), "f.yaml", max_values=50_000)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 30 * 1024**2


def test_the_number_of_values_is_limited() -> None:
    assert safeyaml.load("[1, 2, 3]", "f", max_values=4).data == [1, 2, 3]
    with pytest.raises(InputError) as caught:
        safeyaml.load("[1, 2, 3, 4]", "f", max_values=4)
    assert caught.value.key == "safeyaml.values"


def test_the_number_of_documents_is_limited() -> None:
    with pytest.raises(InputError) as caught:
        safeyaml.load_all("---\n" * (safeyaml.MAX_DOCUMENTS + 2), "f")
    assert caught.value.key == "safeyaml.documents"


@pytest.mark.parametrize("text", ["", "---\n", "# only a comment\n", "\ufeff"])
def test_an_empty_file_is_none(text: str) -> None:
    assert load(text) is None


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**15), 10**15)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(min_codepoint=32, max_codepoint=0x2FF, exclude_categories=["Cc"])),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(st.text("abcxyz", min_size=1, max_size=5), inner, max_size=4)
        ),
        max_leaves=20,
    )
)
def test_what_pyyaml_writes_is_read_back(value: object) -> None:
    assert load(yaml.safe_dump(value, allow_unicode=True)) == value


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200))
def test_any_text_ends_in_data_or_an_input_error(text: str) -> None:
    with contextlib.suppress(InputError):
        safeyaml.load_all(text, "f")


@given(st.binary(max_size=200))
def test_any_bytes_end_in_data_or_an_input_error(raw: bytes) -> None:
    with contextlib.suppress(InputError):
        safeyaml.load_all(raw, "f")


class TestReadFile:
    def check(self, path: Path, key: str, **limits: int) -> InputError:
        with pytest.raises(InputError) as caught:
            safeyaml.read_file(path, **limits)
        assert caught.value.key == f"safeyaml.{key}"
        return caught.value

    def test_text(self, tmp_path: Path) -> None:
        file = tmp_path / "a.yaml"
        file.write_bytes("\ufeffñandú: 1\n".encode())
        assert safeyaml.read_file(file) == "ñandú: 1\n"

    def test_missing(self, tmp_path: Path) -> None:
        self.check(tmp_path / "no.yaml", "missing")
        (tmp_path / "file").touch()
        self.check(tmp_path / "file" / "no.yaml", "missing")
        self.check(Path("nul\0byte"), "missing")

    def test_folder(self, tmp_path: Path) -> None:
        self.check(tmp_path, "directory")

    def test_symlink_loop(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to(tmp_path / "b")
        (tmp_path / "b").symlink_to(tmp_path / "a")
        self.check(tmp_path / "a", "symlink_loop")

    def test_a_symlink_to_a_file_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("x: 1")
        (tmp_path / "b").symlink_to(tmp_path / "a")
        assert safeyaml.read_file(tmp_path / "b") == "x: 1"

    def test_pipe_and_device_do_not_hang(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        self.check(tmp_path / "pipe", "not_regular")
        self.check(Path("/dev/zero"), "not_regular")

    def test_unreadable(self, tmp_path: Path) -> None:
        file = tmp_path / "secret"
        file.write_text("x")
        file.chmod(0)
        if os.access(file, os.R_OK):
            pytest.skip("this user may read everything")
        self.check(file, "unreadable")

    def test_too_large_is_refused_without_reading_it(self, tmp_path: Path) -> None:
        file = tmp_path / "large.yaml"
        with file.open("wb") as stream:
            stream.truncate(200 * 1024**2)  # sparse: no disk is used
        tracemalloc.start()
        self.check(file, "too_large")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1024**2
        self.check(tmp_path / "large.yaml", "too_large", limit_bytes=10)

    def test_binary_and_encodings(self, tmp_path: Path) -> None:
        file = tmp_path / "f"
        file.write_bytes(b"a: 1\nb: \0")
        assert self.check(file, "binary").params["line"] == 2
        file.write_bytes("a: ñ".encode("utf-16"))
        assert self.check(file, "encoding").params["encoding"] == "UTF-16"
        file.write_bytes("a: ñ".encode("utf-32"))
        assert self.check(file, "encoding").params["encoding"] == "UTF-32"
        file.write_bytes("a: 1\nb: ñ".encode("latin-1"))
        assert self.check(file, "not_utf8").params["line"] == 2


def test_yaml_is_not_imported_before_it_is_needed() -> None:
    import subprocess
    import sys

    code = "import costcalc.safeyaml, costcalc.readers, sys; print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
