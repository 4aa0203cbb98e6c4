"""A raw mapping (from YAML or JSON) becomes a `Plan`, or every problem in it is told.

pydantic does the walking: classes, unions, unknown and missing keys. Its English is replaced by
sentences of the message catalog that name the file, the line, the key and the nearest valid key.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from costcalc.errors import InputError
from costcalc.quote import plan as plans
from costcalc.quote.plan import Plan
from costcalc.quote.plan_errors import PlanError, PlanPath, Problem, place
from costcalc.quote.plan_fields import shown
from costcalc.quote.plan_overrides import Draft, apply_defaults, apply_profile, apply_set, copied
from costcalc.quote.plan_rules import broken_rules

# Keys of plans in the wild that mean something here under another name.
_RELATED = {
    "accelerator": "on",
    "hardware": "on",
    "gpu": "on",
    "gpus": "on",
    "budget": "budgets",
    "workload": "workloads",
    "batch": "global_batch",
    "sequence_length": "seq_len",
    "sequence_len": "seq_len",
    "discount": "discounts",
    "profile": "profiles",
    "type": "kind",
}
MOST_ITEMS = 20_000
_MAPPING_ERRORS = frozenset({"dataclass_type", "dict_type", "mapping_type"})
_LIST_ERRORS = frozenset({"tuple_type", "list_type", "iterable_type"})


class Located(Protocol):
    """Where the keys of a file are; `costcalc.safeyaml.Document` is one."""

    def line(self, path: PlanPath = ...) -> int:
        """The 1-based line of the key at `path`."""
        ...

    def trap(self, path: PlanPath) -> Any:
        """The YAML trap at `path`, with its `kind`, or None."""
        ...


@cache
def adapter() -> TypeAdapter[Plan]:
    """The validator of whole plans; built when the first plan is read."""
    return TypeAdapter(Plan)


def read_plan(
    data: Any,
    name: str,
    *,
    document: Located | None = None,
    profile: str | None = None,
    sets: Iterable[tuple[str, Any]] = (),
) -> Plan:
    """The plan that `data` describes.

    Args:
        data: the file's root as plain data; it is not changed.
        name: the file's name, for messages.
        document: tells the lines of keys, if the data came from a file.
        profile: a profile of the plan to lay over it.
        sets: dotted path and plain value, applied after the profile.

    Raises:
        PlanError: every problem, each with its place.
        InputError: no such profile, or a `--set` path that leads nowhere.
    """
    if not isinstance(data, dict):
        key = "plan.empty" if data is None else "plan.not_a_mapping"
        line = document.line(()) if document is not None else None
        raise PlanError([Problem(name, line, "plan", key)])
    draft = Draft(copied(data))
    if profile is not None:
        apply_profile(draft, profile)
    for path, value in sets:
        apply_set(draft, path, value)
    reporter = _Reporter(name, document, draft)
    _bound(draft.data, reporter)
    _drop_nulls(draft.data)
    apply_defaults(draft)
    try:
        found = adapter().validate_python(draft.data)
    except ValidationError as error:
        raise PlanError(reporter.problems(error)) from None
    broken = [reporter.problem(path, rule, **params) for path, rule, params in broken_rules(found)]
    if broken:
        raise PlanError(broken)
    return found


def _bound(data: dict[str, Any], reporter: _Reporter) -> None:
    """Refuse what no plan needs before every part of it is looked at."""
    for key, value in data.items():
        if isinstance(value, list | dict) and len(value) > MOST_ITEMS:
            problem = reporter.problem((key,), "plan.too_many", count=len(value), most=MOST_ITEMS)
            raise PlanError([problem])
    if len(data) > MOST_ITEMS:
        problem = reporter.problem((), "plan.too_many", count=len(data), most=MOST_ITEMS)
        raise PlanError([problem])


def _drop_nulls(data: dict[str, Any]) -> None:
    """`key:` without a value is a key that is not there; profiles keep theirs (null removes)."""
    stack: list[Any] = [data]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            for key in [key for key, value in node.items() if value is None]:
                del node[key]
            stack.extend(value for key, value in node.items() if key != "profiles")
        elif isinstance(node, list):
            stack.extend(node)


class _Reporter:
    """Turns pydantic's error list into problems with file, line and the nearest valid key."""

    def __init__(self, name: str, document: Located | None, draft: Draft) -> None:
        self.name, self.document, self.draft = name, document, draft

    def problem(self, path: PlanPath, key: str, **params: Any) -> Problem:
        origin, file_path = self._source(path)
        line = None
        if origin is None and self.document is not None:
            line = self.document.line(file_path)
        return Problem(self.name, line, place(path, self.draft.data), key, params, origin)

    def _source(self, path: PlanPath) -> tuple[str | None, PlanPath]:
        for length in range(len(path), 0, -1):
            origin = self.draft.origins.get(path[:length])
            if origin is not None:
                return origin, path
            moved = self.draft.moved.get(path[:length])
            if moved is not None:
                return None, (*moved, *path[length:])
        return None, path

    def problems(self, error: ValidationError) -> list[Problem]:
        found: list[Problem] = []
        misspelt: set[tuple[str, str]] = set()
        for item in error.errors(include_url=False):
            problem = self._one(item, self._path(item["loc"]))
            found.append(problem)
            if problem.key == "plan.unknown_key_near":
                misspelt.add((problem.place.rpartition(".")[0], problem.params["near"]))
        found = _missing_together(found, misspelt)
        # one bad default shows up in every workload that inherits it
        unique = {(p.line, p.origin, p.key, _frozen(p.params)): p for p in reversed(found)}
        order = {id(problem): index for index, problem in enumerate(found)}
        return sorted(unique.values(), key=lambda p: (p.line or 0, order[id(p)]))

    def _path(self, loc: tuple[int | str, ...]) -> PlanPath:
        """pydantic's location without the tag of the union, which is no key of the file."""
        if len(loc) > 2 and loc[0] == "workloads" and loc[2] in plans.KINDS:
            return (*loc[:2], *loc[3:])
        return tuple(loc)

    def _one(self, item: Mapping[str, Any], path: PlanPath) -> Problem:
        kind = item["type"]
        if kind == "costcalc":
            fault: InputError = item["ctx"]["error"]
            return self._value(path, fault)
        if kind == "missing":
            return self.problem(
                path[:-1], "plan.missing", name=str(path[-1]), names=self._required(path[:-1])
            )
        if kind in ("unexpected_keyword_argument", "extra_forbidden"):
            return self._unknown(path)
        if kind == "union_tag_not_found":
            return self.problem(path, "plan.kind_missing", names=", ".join(plans.KINDS))
        if kind == "union_tag_invalid":
            tag = str(item["ctx"]["tag"])
            near = difflib.get_close_matches(tag, plans.KINDS, n=1)
            return self.problem(
                (*path, "kind"),
                "plan.choice_near" if near else "plan.choice",
                text=repr(tag),
                names=", ".join(plans.KINDS),
                near=near[0] if near else "",
            )
        if kind in _LIST_ERRORS:
            return self.problem(path, "plan.list_expected", text=shown(item["input"]))
        if kind in _MAPPING_ERRORS or kind == "model_attributes_type":
            return self.problem(path, "plan.mapping_expected", text=shown(item["input"]))
        return self.problem(path, "plan.invalid", text=shown(item["input"]))

    def _value(self, path: PlanPath, fault: InputError) -> Problem:
        key = fault.key
        params = {name: value for name, value in fault.params.items() if name != "what"}
        origin, file_path = self._source(path)
        trap = self.document.trap(file_path) if self.document and origin is None else None
        if trap is not None and trap.kind == "sexagesimal":
            key, params = "plan.sexagesimal", {"text": trap.text}
        return self.problem(path, key, **params)

    def _class(self, path: PlanPath) -> type[Any] | None:
        """The dataclass that holds the keys at `path`."""
        if not path:
            return Plan
        if path[0] == "workloads":
            node: Any = self.draft.data.get("workloads")
            if len(path) < 2 or not isinstance(node, list) or not isinstance(path[1], int):
                return None
            kind = node[path[1]].get("kind")
            if path[2:] == ("pays_back",):
                return plans.Payback
            return plans.KINDS.get(kind) if len(path) == 2 else None
        if path[0] == "budgets":
            return plans.Budgets if len(path) == 1 else plans.PlanBudget
        return {
            "fx": plans.FxPolicy,
            "assumptions": plans.Assumptions,
            "defaults": plans.Defaults,
            "credits": plans.Credit,
        }.get(str(path[0]))

    def _unknown(self, path: PlanPath) -> Problem:
        cls = self._class(path[:-1])
        known = [item.name for item in dataclasses.fields(cls)] if cls is not None else []
        name = str(path[-1])
        near = difflib.get_close_matches(name.lower().replace("-", "_"), known, n=1, cutoff=0.6)
        related = _RELATED.get(name.lower().replace("-", "_"))
        if related in known:
            near = [related]
        key = "plan.unknown_key_near" if near else "plan.unknown_key"
        return self.problem(
            path, key, name=name, near=near[0] if near else "", names=", ".join(known)
        )

    def _required(self, path: PlanPath) -> str:
        cls = self._class(path)
        if cls is None:
            return ""
        return ", ".join(
            item.name
            for item in dataclasses.fields(cls)
            if item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING
        )


def _missing_together(found: list[Problem], misspelt: set[tuple[str, str]]) -> list[Problem]:
    """One problem for all keys that a mapping lacks, without those that are only misspelt."""
    names: dict[str, list[str]] = {}
    for problem in found:
        holder = "" if problem.place == "plan" else problem.place
        if problem.key == "plan.missing" and (holder, problem.params["name"]) not in misspelt:
            names.setdefault(problem.place, []).append(problem.params["name"])
    kept: list[Problem] = []
    for problem in found:
        if problem.key != "plan.missing":
            kept.append(problem)
        elif (lacking := names.pop(problem.place, None)) is not None:
            params = {**problem.params, "name": ", ".join(lacking)}
            kept.append(dataclasses.replace(problem, params=params))
    return kept


def _frozen(params: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((name, repr(value)) for name, value in params.items()))
