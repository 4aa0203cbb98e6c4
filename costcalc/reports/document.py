"""What a report for people says, before it is laid out: facts, tables, notes.

Every human format (terminal, Markdown, HTML) renders the same `Document`, so that they cannot
disagree.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """Labelled values, one a row."""

    title: str | None
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `numeric` columns are aligned right.

    Attributes:
        total: the last row is a total.
        keep: text columns that are never wrapped (names that people copy).
    """

    title: str | None
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    total: bool = False
    keep: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Notes:
    """Sentences: warnings, steps, explanations."""

    title: str
    items: tuple[str, ...]


Block = Facts | Table | Notes


@dataclass(frozen=True, slots=True)
class Document:
    """A report: a title and its blocks, in order."""

    title: str
    blocks: tuple[Block, ...]
