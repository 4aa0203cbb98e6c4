"""Rules that the training configs of the Hugging Face world share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers.facts import Facts, clean, items
from costcalc.readers.reading import Blank, Fact, one_of

_BF16 = frozenset({"bfloat16", "bf16", "torch.bfloat16"})
_FP16 = frozenset({"float16", "fp16", "half", "torch.float16"})
_FP32 = frozenset({"float32", "fp32", "float", "torch.float32", "no"})


def precision(facts: Facts, notes: list[Notice], open_: dict[str, Blank]) -> None:
    """`precision` from the flags `bf16`, `bfloat16`, `fp16`, `float16` and `fp8`."""
    chosen: list[tuple[str, str]] = []
    for word, keys in (
        ("fp8", ("fp8",)),
        ("bf16", ("bf16", "bfloat16")),
        ("fp16", ("fp16", "float16")),
    ):
        for key in keys:
            if is_on(facts, key, auto=word == "bf16"):
                chosen.append((word, key))
    if chosen:
        word, key = chosen[0]
        set_precision(facts, word, (key,), notes, open_)


def is_on(facts: Facts, key: str, *, auto: bool = False) -> bool:
    """Whether a flag is set; `auto` says whether the word `auto` sets it."""
    value = facts.raw(key)
    if isinstance(value, str) and value.strip().lower() in ("auto", "full"):
        return auto
    found = facts.boolean("flag", key)
    facts.found.pop("flag", None)
    return bool(found)


def set_precision(
    facts: Facts,
    word: str,
    path: Sequence[str | int],
    notes: list[Notice],
    open_: dict[str, Blank],
) -> None:
    """Keep the arithmetic's precision; what costcalc has no rate for stays open."""
    lowered = word.strip().lower()
    if lowered in _BF16:
        facts.fact("precision", "bf16", *path)
    elif lowered in _FP16:
        facts.fact("precision", "bf16", *path)
        notes.append(notice("read_fp16", at=str(path[-1])))
    elif lowered in ("fp8", "fp4"):
        facts.fact("precision", lowered, *path)
    else:
        name = "fp32" if lowered in _FP32 else clean(word, 40)
        open_["precision"] = Blank(
            "precision", "readers.open_precision", {"name": name, "at": str(path[-1])}
        )


def adapter(
    facts: Facts, *, lora: bool, four_bit: bool, key: tuple[str | int, ...], notes: list[Notice]
) -> None:
    """`method` from whether adapters are trained and how the frozen base is stored."""
    if lora and four_bit:
        facts.fact("method", "qlora", *key)
    elif lora:
        facts.fact("method", "lora", *key)
    elif facts.has(*key):
        facts.fact("method", "full", *key)
    else:
        facts.default("method", "full", str(key[-1]))


def datasets(facts: Facts, *paths: tuple[str | int, ...]) -> None:
    """Names of the datasets; how many tokens they hold is in no config."""
    for path in paths:
        names = _names(facts.raw(*path))
        if names:
            facts.fact("dataset", tuple(dict.fromkeys(names)), *path)
            return


def _names(value: Any) -> list[str]:
    if isinstance(value, str):
        return [clean(name, 80) for name in value.split(",") if name.strip()][:20]
    if isinstance(value, Mapping):
        return [clean(str(name), 80) for name in value][:20]
    names = []
    for _, item in items(value, 20):
        if isinstance(item, str):
            names.append(clean(item, 80))
        elif isinstance(item, Mapping):
            name = item.get("path") or item.get("id") or item.get("name")
            if isinstance(name, str):
                names.append(clean(name, 80))
    return names


def steps(facts: Facts, *, default_epochs: float | None, epochs_key: str) -> None:
    """`steps` when the config stops at a step, else `epochs`; -1 means that epochs decide."""
    stop = facts.integer("steps", "max_steps", low=1, unset=(-1, 0))
    found = facts.number("epochs", epochs_key, low=0.001, high=10_000)
    if stop is not None:
        # the step count wins over epochs in every trainer of this family
        facts.found.pop("epochs", None)
    elif found is None and default_epochs is not None:
        facts.default("epochs", default_epochs, epochs_key)


def either(facts: Facts, name: str, *keys: str) -> Fact | None:
    """A whole number under its old or its new key; both may stand there only if they agree.

    Raises:
        InputError: the two keys differ.
    """
    found = []
    for key in keys:
        if facts.integer(name, key) is not None:
            found.append(facts.found.pop(name))
    chosen = one_of(found)
    if chosen is not None:
        facts.found[name] = chosen
    return chosen
