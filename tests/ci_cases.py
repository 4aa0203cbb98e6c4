"""Plans in every state that a CI format must tell, with names that try to break it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SCHEMAS = Path(__file__).parent / "ci" / "schemas"
# markup, quotes, workflow commands, a mention, a code fence, a comment's end, an emoji
NASTY = "a|b <b>&\"'@octocat ::error:: ```] ]]> --> %0A 🧮 {x}=\\1, ñ"
HEAD = "version: 1\nname: {name}\n"
HOURS = "  - {{name: {name}, kind: machine, on: 'h100:8', hours: 10h}}\n"


def quoted(text: str) -> str:
    """`text` as a single-quoted YAML scalar."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class Case:
    """A plan, how it is checked, and what comes out."""

    text: str
    options: tuple[str, ...]
    status: int
    errors: int
    failures: int


def machine(budgets: str, name: str = NASTY) -> str:
    head = HEAD.format(name=quoted(name))
    return head + f"budgets: {budgets}\nworkloads:\n" + HOURS.format(name=quoted(name))


CASES = {
    "ok": Case(machine("{total: 1000USD}"), (), 0, 0, 0),
    "warn": Case(machine("{total: 510USD}"), (), 0, 0, 0),
    "over": Case(
        machine("{total: 100USD, workloads: {" + quoted(NASTY) + ": 90USD}}"), (), 3, 0, 2
    ),
    "old": Case(machine("{total: 1000USD}"), ("--max-age", "1d"), 4, 0, 1),
    "no-price": Case(
        machine("{total: 100USD}") + "  - {name: n, kind: machine, on: 'tpu-v5p:8', hours: 1}\n",
        (),
        4,
        1,
        1,
    ),
    "invalid": Case(machine("{total: 100USD}").replace("hours", "hors"), (), 2, 1, 0),
    "unreadable": Case("a: [\n", (), 2, 1, 0),
    "increase": Case(
        machine("{total: 1000USD}"),
        ("--baseline", "base.yaml", "--max-increase", "5%"),
        3,
        0,
        1,
    ),
}
