"""Mutated files end in a plan or in an input error: no traceback, no hang, no unbounded memory.

The usual run takes some hundred inputs per format, the same ones every time. All ten thousand:
`COSTCALC_FUZZ=10000 pytest tests/readers/test_fuzz.py`.
"""

from __future__ import annotations

import copy
import json
import os
import random
import signal
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import yaml
from readers.expected import EXPECTED, FILES

from costcalc import readers
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.readers.reading import Kind
from costcalc.readers.registry import READERS, read_source
from costcalc.readers.source import Source

COUNT = int(os.environ.get("COSTCALC_FUZZ", "250"))
SECONDS_PER_INPUT = 5
MEMORY_BYTES = 256 * 1024**2

NASTY: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    -(10**30),
    10**30,
    2**63,
    0.1,
    -0.5,
    1e300,
    -1e300,
    float("inf"),
    float("nan"),
    "",
    " ",
    "auto",
    "-1",
    "1e400",
    "9" * 400,
    "${x}",
    "${model}",
    "{{ values.x }}",
    "$HOME",
    "a" * 5000,
    "A100:8",
    "A100:-3",
    "A100:1e9",
    ":::",
    "tpu-v5p-7",
    "v5p-99999999",
    "4x4x4x4",
    "0x0",
    "p5.48xlarge",
    "../../etc/passwd",
    "line\nbreak",
    "nul\u0007bell",
    "ñ🙂\u202e",
    [],
    {},
    [None],
    [[[[]]]],
    {"": None},
    {"a": {"a": {"a": {}}}},
    ["A100:1", 3, None],
    {"A100": "x", "H100": None, "": 3},
)
TEXT_PIECES = (
    "\n",
    ": ",
    "- ",
    "---\n",
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    "&a ",
    "*a",
    "<<: *a\n",
    "!!python/object ",
    "#",
    "\t",
    "\\",
    "\x00",
    "\ufeff",
    "--num-layers ",
    "$((A*B))",
    "${A:-${B:-${C}}}",
    "= (",
    "]]",
    "1e999",
    "\ud83d",
    "| \n",
    "> \n",
    "%YAML 1.1\n",
    "`rm -rf`",
)


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Fail instead of hanging."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def texts(format_name: str) -> list[tuple[str, str]]:
    return [
        (name, (FILES / name).read_text(encoding="utf-8"))
        for name, entry in EXPECTED.items()
        if entry["format"] == format_name
    ]


def nodes(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of everything inside `data`."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key)
            yield from nodes(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield (*path, index)
            yield from nodes(value, (*path, index))


def mutate_data(data: Any, chance: random.Random, words: list[str]) -> Any:
    """Change some values, keys or structure."""
    data = copy.deepcopy(data)
    for _ in range(chance.randint(1, 4)):
        places = list(nodes(data))
        if not places:
            return chance.choice(NASTY)
        *way, last = chance.choice(places)
        parent = data
        for part in way:
            parent = parent[part]
        action = chance.randrange(6)
        if action == 0:
            del parent[last]
        elif action == 1:
            parent[last] = copy.deepcopy(chance.choice(NASTY))
        elif action == 2 and isinstance(parent, dict):
            parent[chance.choice(words)] = parent.pop(last)
        elif action == 3 and isinstance(parent, dict):
            parent[chance.choice(words)] = copy.deepcopy(chance.choice(NASTY))
        elif action == 4:
            parent[last] = [copy.deepcopy(parent[last]) for _ in range(chance.randint(0, 3))]
        elif isinstance(parent[last], int | float) and not isinstance(parent[last], bool):
            parent[last] = parent[last] * chance.choice((-1, 0, 0.5, 1e3, 10**12))
        else:
            parent[last] = {chance.choice(words): parent[last]}
    return data


def mutate_text(text: str, chance: random.Random) -> str:
    """Cut, copy, swap and insert pieces of text."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.choice((1, 1, 3, 20, 200)))
        action = chance.randrange(5)
        if action == 0:
            text = text[:at] + text[to:]
        elif action == 1:
            text = text[:at] + text[at:to] * chance.randint(2, 40) + text[to:]
        elif action == 2:
            text = text[:at] + chance.choice(TEXT_PIECES) * chance.choice((1, 1, 2, 70)) + text[at:]
        elif action == 3:
            text = text[:at] + chr(chance.randrange(1, 0x3000)) + text[to:]
        else:
            text = text[at:] + text[:at]
        text = text[:20_000]
    return text


def dump(data: Any, format_name: str) -> str:
    if format_name in ("huggingface", "terraform"):
        return json.dumps(data, default=str)
    if isinstance(data, list) and format_name in ("kubernetes", "skypilot"):
        return yaml.safe_dump_all(data, allow_unicode=True)
    return yaml.safe_dump(data, allow_unicode=True)


def inputs(format_name: str, count: int) -> Iterator[tuple[str, str]]:
    """Deterministic mutants: half of them structured, half raw."""
    chance = random.Random(f"costcalc {format_name}")
    seeds = texts(format_name)
    words = sorted({str(part) for _, text in seeds for part in text.split()[:400]})
    for number in range(count):
        name, text = chance.choice(seeds)
        structured = number % 2 == 0 and format_name not in ("megatron", "torchtitan")
        if structured:
            data: Any = (
                list(yaml.safe_load_all(text)) if not name.endswith(".json") else json.loads(text)
            )
            if isinstance(data, list) and len(data) == 1:
                data = data[0]
            yield name, dump(mutate_data(data, chance, words), format_name)
        elif number % 2 == 0:
            yield name, mutate_words(text, chance)
        else:
            yield name, mutate_text(text, chance)


def mutate_words(text: str, chance: random.Random) -> str:
    """Replace values of a line-based format (flags, TOML) and shuffle its lines."""
    lines = text.splitlines()
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(lines))
        words = lines[at].split()
        action = chance.randrange(4)
        if action == 0 and words:
            words[-1] = str(chance.choice(NASTY))[:100]
            lines[at] = " ".join(words)
        elif action == 1:
            lines.insert(at, chance.choice(lines))
        elif action == 2:
            del lines[at]
            if not lines:
                return ""
        else:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def check(name: str, text: str, catalog: Catalog, as_format: str | None) -> str:
    """Read one input as the command line does; what it ended in."""
    from costcalc.readers.assemble import Assembly

    try:
        source = Source(name, text)
        reading = read_source(source, as_format)
        wanted: Kind = ("train", "serve", "machine")[len(text) % 3]  # type: ignore[assignment]
        Assembly([reading], catalog, {}).draft(wanted, None).yaml("en")
        draft = Assembly([reading], catalog, {}).draft(None, None)
        assert yaml.safe_load(draft.yaml("es", explain=True)) == json.loads(draft.json("en"))
        json.loads(draft.json("es", explain=True))
        for note in draft.notes:
            note.message("es")
    except InputError as error:
        fault = error
    else:
        return "plan" if draft.workloads else "nothing"
    assert fault.exit_status == 2
    for language in ("en", "es"):
        assert 0 < len(fault.message(language)) < 4000
    return "error"


@pytest.mark.parametrize("format_name", READERS)
def test_mutants_end_in_a_plan_or_an_input_error(format_name: str, catalog: Catalog) -> None:
    ends: dict[str, int] = {}
    for number, (name, text) in enumerate(inputs(format_name, COUNT)):
        with limited(SECONDS_PER_INPUT):
            try:
                end = check(name, text, catalog, format_name if number % 3 == 0 else None)
            except BaseException:
                Path(os.environ.get("TMPDIR", "/tmp"), f"fuzz-{format_name}").write_bytes(
                    text.encode("utf-8", "surrogatepass")
                )
                print(f"{name}, input {number}: {text[:2000]!r}")
                raise
        ends[end] = ends.get(end, 0) + 1
    # a fuzzer whose every input is refused at the door finds nothing
    assert ends.get("plan", 0) > COUNT / 20
    assert ends.get("error", 0) > COUNT / 20


@pytest.mark.parametrize("format_name", READERS)
def test_memory_stays_bounded(format_name: str, catalog: Catalog) -> None:
    tracemalloc.start()
    try:
        for name, text in inputs(format_name, 20):
            check(name, text, catalog, format_name)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEMORY_BYTES


HUGE: dict[str, Callable[[], str]] = {
    "json depth": lambda: "[" * 100_000,
    "json depth in an object": lambda: '{"planned_values":' * 20_000,
    "json values": lambda: '{"a": [' + "1," * (4 * 10**6 + 5) + "1]}",
    "json open string": lambda: '{"a": "' + "x" * 10**6,
    "json quotes": lambda: '{"' * 50_000,
    "toml depth": lambda: "[model]\na = " + "[" * 10_000,
    "toml dotted": lambda: "[model]\n" + ".".join("a" * 50_000) + " = 1",
    "toml tables": lambda: "[" + ".".join("a" * 5_000) + "]\nb = 1\n",
    "flags": lambda: "--num-layers 1 " * 50_000,
    "one long line of flags": lambda: (
        "--num-layers " + "9" * 10**6 + " --seq-length 1 --hidden-size 2"
    ),
    "variables": lambda: (
        "\n".join(f"A{i}=$A{i + 1}$A{i + 1}" for i in range(5_000))
        + "\n--num-layers $A0 --hidden-size 1 --seq-length 2"
    ),
    "variable of itself": lambda: "A=$A$A\n--num-layers $A --hidden-size 1 --seq-length 2",
    "references": lambda: "base_model: ${a}\na: ${b}\nb: ${a}\nsequence_len: ${sequence_len}\n",
    "replicas": lambda: (
        "apiVersion: batch/v1\nkind: Job\nspec: {parallelism: 999999, template: "
        "{spec: {containers: [{resources: {limits: {nvidia.com/gpu: 99999}}}]}}}"
    ),
    "accelerators": lambda: (
        "resources:\n  accelerators: {"
        + ", ".join(f"G{i}: 1" for i in range(20_000))
        + "}\n  any_of: ["
        + "{use_spot: true}, " * 1000
        + "]\n"
    ),
    "documents": lambda: "apiVersion: v1\nkind: List\n---\n" * 3_000,
}


@pytest.mark.parametrize("name", HUGE)
def test_huge_inputs_end_soon_and_in_bounds(name: str, catalog: Catalog) -> None:
    text = HUGE[name]()
    with limited(30):
        assert check("f", text, catalog, None) in ("plan", "error", "nothing")


def test_two_hundred_megabytes_are_refused_unread(tmp_path: Path, catalog: Catalog) -> None:
    file = tmp_path / "plan.json"
    with file.open("wb") as stream:
        stream.truncate(200 * 1024**2)
    tracemalloc.start()
    with pytest.raises(InputError) as caught:
        readers.read([file], catalog=catalog)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.key == "safeyaml.too_large"
    assert peak < 4 * 1024**2
