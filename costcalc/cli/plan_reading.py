"""A file of another tool where a plan would go: it is read and becomes a plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from costcalc.cli import output
from costcalc.cli.reading import parse_sets, split_paths
from costcalc.errors import InputError
from costcalc.quote.plan import Plan
from costcalc.safeyaml import Document

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.readers.draft import Draft

_PLAN_KEYS = frozenset(item.name for item in fields(Plan))
# what a run is called that its files do not name: the two sides of a diff must agree on it
UNNAMED = "run"
_FOLLOWS = {
    "accelerator": frozenset({"on"}),
    "chips": frozenset({"on"}),
    "on": frozenset({"tokens"}),
    "steps": frozenset({"tokens"}),
}


def is_plan(data: Any) -> bool:
    """Whether a mapping means to be a plan."""
    return isinstance(data, dict) and ("workloads" in data or "defaults" in data)


def belongs_to_reader(path: str) -> bool:
    """Whether a file that is no plan is in a format that a reader knows.

    Raises:
        InputError: several readers claim it.
    """
    paths = split_paths(path)
    if len(paths) > 1:
        return True
    from costcalc.readers.registry import detect
    from costcalc.readers.source import Source

    try:
        detect(Source.open(path))
    except InputError as error:
        if error.key == "readers.ambiguous_file":
            raise
        return False
    return True


def draft_of(
    path: str, sets: Sequence[str], fills: Sequence[str], catalog: Catalog
) -> tuple[Draft, list[str]]:
    """The plan that files mean, and the `--set` texts that concern the plan itself.

    Args:
        sets: `KEY=VALUE` texts that fill blanks and replace what the files say.
        fills: `KEY=VALUE` texts that only fill blanks.

    Raises:
        InputError: the files leave something open, or cannot be read.
    """
    from costcalc import readers

    of_plan = [text for text in sets if _concerns_plan(text)]
    values = parse_sets([text for text in sets if not _concerns_plan(text)])
    paths = split_paths(path)
    draft = readers.read(paths, sets=values, catalog=catalog, name=UNNAMED)
    more = parse_sets([text for text in fills if not _concerns_plan(text)])
    needed = {key: value for key, value in more.items() if _fills(key, draft)}
    if needed:
        draft = readers.read(paths, sets={**needed, **values}, catalog=catalog, name=UNNAMED)
    draft.require_complete()
    output.hold(draft.notes)
    return draft, of_plan


def _concerns_plan(text: str) -> bool:
    return text.partition("=")[0].partition(".")[0].strip() in _PLAN_KEYS


def _fills(key: str, draft: Draft) -> bool:
    """Whether a key fills something that the draft leaves open, itself or by what follows."""
    blanks = {blank.key for _, blank in draft.blanks}
    name = key.rpartition(".")[2]
    return name in blanks or bool(blanks & _FOLLOWS.get(name, frozenset()))


def document_of(draft: Draft, name: str) -> Document:
    """The draft as a document whose keys have the lines of the facts they came from."""
    data = draft.plan()
    tables: dict[int, dict[str | int, int]] = {id(data): dict.fromkeys(data, 1)}
    workloads = data["workloads"]
    tables[id(workloads)] = dict.fromkeys(range(len(workloads)), 1)
    for raw, workload in zip(workloads, draft.workloads, strict=True):
        lines: dict[str | int, int] = dict.fromkeys(raw, 1)
        for key, fact in workload.origins.items():
            if fact.line is not None:
                lines[key] = fact.line
        tables[id(raw)] = lines
    return Document(name, data, 1, (), tables)
