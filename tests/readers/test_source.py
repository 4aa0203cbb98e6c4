"""Syntax by content, and the bounds of JSON and TOML."""

from __future__ import annotations

import pytest

from costcalc.errors import InputError
from costcalc.readers.source import Source, load_json, load_toml, stem


@pytest.mark.parametrize(
    ("text", "syntax"),
    [
        ('{"a": 1}', "json"),
        ("[1, 2]", "json"),
        ("a: 1\n", "yaml"),
        ("a: |\n  --num-layers 1\n  --hidden-size 2\n", "yaml"),
        ("args:\n- --model=x\n- --tensor-parallel-size=8\n", "yaml"),
        ("[model]\nname = 'x'\n", "toml"),
        ("# c\n\n[model.inner]\na = 1\n", "toml"),
        ("--num-layers 1\n--hidden-size 2\n", "arguments"),
        ("#!/bin/bash\nA=(\n  --num-layers 1\n  --hidden-size 2\n)\n", "arguments"),
        ("x: y: z\n", "yaml"),
        ("", "yaml"),
    ],
)
def test_syntax(text: str, syntax: str) -> None:
    assert Source("f", text).syntax == syntax


@pytest.mark.parametrize(
    ("text", "key", "params"),
    [
        ('{"a": 1,\n "b": }', "readers.json_syntax", {"line": 2, "column": 7}),
        ('{"a": 1, "a": 2}', "readers.json_duplicate", {"entry": "a"}),
        ('{"a": {"b": 1, "b": 2}}', "readers.json_duplicate", {"entry": "b"}),
        ('{"a": NaN}', "readers.json_number", {"text": "NaN"}),
        ('{"a": -Infinity}', "readers.json_number", {"text": "-Infinity"}),
        ('{"a": 1e999}', "readers.json_number", {"text": "1e999"}),
        ('{"a": ' + "9" * 100 + "}", "readers.json_number", {}),
        ('{"a":\n' + "[" * 300, "safeyaml.depth", {"line": 2}),
        ('{"a": 1} x', "readers.json_syntax", {}),
        ("", "readers.json_syntax", {}),
    ],
)
def test_bad_json(text: str, key: str, params: dict[str, object]) -> None:
    with pytest.raises(InputError) as caught:
        load_json(text, "f.json")
    assert caught.value.key == key
    assert params.items() <= caught.value.params.items()
    assert "f.json" in caught.value.message("es")


def test_brackets_in_text_are_no_nesting() -> None:
    text = '{"a": "' + "[{" * 500 + '", "b": "\\"' + "[" * 500 + '"}'
    assert set(load_json(text, "f").data) == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a = \n", "readers.toml_syntax"),
        ("a = 1\na = 2\n", "readers.toml_syntax"),
        ("a = " + "[" * 300, "safeyaml.depth"),
        (".".join("a" * 20) + " = 1", "safeyaml.depth"),
        ("a = " + "9" * 5000, "readers.toml_syntax"),
    ],
)
def test_bad_toml(text: str, key: str) -> None:
    with pytest.raises(InputError) as caught:
        load_toml(text, "f.toml")
    assert caught.value.key == key
    assert "f.toml" in caught.value.message("es")


def test_dots_in_strings_are_no_key_parts() -> None:
    text = '"' + ".".join("a" * 40) + '" = 1\nb = "' + ".".join("c" * 40) + '"  # ' + "d." * 40
    assert len(load_toml(text, "f").data) == 2


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a/b/train.yaml", "train"),
        ("llama-3.1-8b.config.json", "llama-3.1-8b"),
        ("models/llama/config.json", "llama"),
        ("config.json", "config"),
        ("./config.json", "config"),
        ("run.args", "run"),
        ("C:\\jobs\\run.yml", "run"),
        ("no-ending", "no-ending"),
    ],
)
def test_stems(path: str, name: str) -> None:
    assert stem(path) == name
