"""Changes to a plan's raw mapping without copying its file: profiles, `--set`, and defaults.

Each change notes where it came from, so that an error about it names `--set` or the profile and
not a line of the file that says something else.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from costcalc.errors import InputError
from costcalc.quote import plan
from costcalc.quote.plan_errors import PlanPath

_NAMED_LISTS = ("workloads", "credits")


@dataclass(slots=True)
class Draft:
    """A plan's mapping on its way to validation.

    Attributes:
        data: plain data, owned by this draft.
        origins: path -> what put the value there (`--set workloads.a.on`, `profile grande`).
        moved: path -> the path in the file that its value was taken from.
    """

    data: dict[str, Any]
    origins: dict[PlanPath, str] = field(default_factory=dict)
    moved: dict[PlanPath, PlanPath] = field(default_factory=dict)


def copied(value: Any) -> Any:
    """Plain data that shares nothing with `value`."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copied(item) for item in value]
    return value


def _position(items: list[Any], name: str) -> int | None:
    for index, item in enumerate(items):
        if isinstance(item, dict) and item.get("name") == name:
            return index
    return None


def _names(items: Iterable[Any]) -> list[str]:
    return [
        item["name"]
        for item in items
        if isinstance(item, dict) and isinstance(item.get("name"), str)
    ]


def _unknown_item(what: str, name: str, items: list[Any]) -> InputError:
    known = _names(items)
    near = difflib.get_close_matches(name, known, n=3) or known[:10]
    return InputError("plan.no_such_item", what=what, name=name, names=", ".join(near))


def apply_profile(draft: Draft, name: str) -> None:
    """Lay the profile `name` of the plan over it.

    Mappings merge key by key and `workloads` item by item, by name; null removes what it names.

    Raises:
        InputError: no such profile, or it names a workload that the plan does not have.
    """
    profiles = draft.data.get("profiles")
    known = list(profiles) if isinstance(profiles, dict) else []
    if name not in known:
        near = difflib.get_close_matches(name, known, n=3) or known
        key = "plan.no_such_profile" if known else "plan.no_profiles"
        raise InputError(key, what="--profile", name=name, names=", ".join(near))
    assert isinstance(profiles, dict)
    changes = profiles[name]
    if isinstance(changes, dict):
        _merge(draft, draft.data, copied(changes), (), ("profiles", name))


def _merge(
    draft: Draft, into: dict[str, Any], changes: dict[str, Any], path: PlanPath, source: PlanPath
) -> None:
    for key, value in changes.items():
        here, there = (*path, key), (*source, key)
        current = into.get(key)
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict) and isinstance(current, dict):
            _merge(draft, current, value, here, there)
        elif isinstance(value, dict) and isinstance(current, list) and key in _NAMED_LISTS:
            _merge_items(draft, current, value, here, there)
        else:
            into[key] = value
            draft.moved[here] = there


def _merge_items(
    draft: Draft, items: list[Any], changes: dict[str, Any], path: PlanPath, source: PlanPath
) -> None:
    removed: list[int] = []
    for name, value in changes.items():
        index = _position(items, name)
        if index is None:
            raise _unknown_item(".".join(map(str, source)), name, items)
        if value is None:
            removed.append(index)
        elif isinstance(value, dict):
            _merge(draft, items[index], value, (*path, index), (*source, name))
        else:
            items[index] = value
            draft.moved[(*path, index)] = (*source, name)
    if removed:
        _remove(draft, items, removed, path)


def _remove(draft: Draft, items: list[Any], removed: list[int], path: PlanPath) -> None:
    kept = [index for index in range(len(items)) if index not in removed]
    depth = len(path)
    moved: dict[PlanPath, PlanPath] = {}
    for key, value in draft.moved.items():
        index = key[depth] if key[:depth] == path and len(key) > depth else None
        if not isinstance(index, int):
            moved[key] = value
        elif index in kept:
            moved[(*path, kept.index(index), *key[depth + 1 :])] = value
    draft.moved = moved
    for new, old in enumerate(kept):
        # an item that slid up still has its lines where the file has it
        if new != old:
            draft.moved.setdefault((*path, new), (*path, old))
    items[:] = [items[index] for index in kept]


def apply_set(draft: Draft, path: str, value: Any) -> None:
    """Set one key: a dotted path, list items by their name, `workloads.ajuste.on`.

    `value` None removes the key.

    Raises:
        InputError: the path is empty, leads through a plain value, or names no item of a list.
    """
    origin = f"--set {path}"
    node: Any = draft.data
    here: list[str | int] = []
    rest = path
    while True:
        if isinstance(node, list):
            index, tail = _pick_item(node, rest, origin)
            here.append(index)
            if not tail:
                node[index] = value
                break
            node, rest = node[index], tail
            continue
        if not isinstance(node, dict):
            raise InputError("plan.set_through_value", what=origin, name=".".join(map(str, here)))
        key, tail = _pick_key(node, rest)
        if not key:
            raise InputError("plan.set_path", what=origin)
        here.append(key)
        if not tail:
            if value is None:
                node.pop(key, None)
            else:
                node[key] = copied(value)
            break
        node = node.setdefault(key, {})
        rest = tail
    draft.origins[tuple(here)] = origin


def _pick_key(node: dict[str, Any], rest: str) -> tuple[str, str]:
    """The longest existing key that `rest` starts with (names may have dots), else up to a dot."""
    for key in sorted((str(key) for key in node), key=len, reverse=True):
        if rest == key:
            return key, ""
        if rest.startswith(f"{key}."):
            return key, rest[len(key) + 1 :]
    key, _, tail = rest.partition(".")
    return key, tail


def _pick_item(items: list[Any], rest: str, origin: str) -> tuple[int, str]:
    for name in sorted(_names(items), key=len, reverse=True):
        if rest == name or rest.startswith(f"{name}."):
            position = _position(items, name)
            assert position is not None
            return position, rest[len(name) + 1 :]
    raise _unknown_item(origin, rest.partition(".")[0], items)


def apply_defaults(draft: Draft) -> None:
    """Give every workload the values of `defaults` that it has no own value for."""
    defaults = draft.data.get("defaults")
    workloads = draft.data.get("workloads")
    if not isinstance(defaults, dict) or not isinstance(workloads, list):
        return
    for index, workload in enumerate(workloads):
        if not isinstance(workload, dict) or workload.get("kind") not in plan.KINDS:
            continue
        other_provider = workload.get("provider") not in (None, defaults.get("provider"))
        for key in plan.inheritable(workload["kind"]):
            if workload.get(key) is not None or defaults.get(key) is None:
                continue
            if key == "region" and other_provider and defaults.get("provider") is not None:
                continue
            workload[key] = defaults[key]
            draft.moved[("workloads", index, key)] = ("defaults", key)
