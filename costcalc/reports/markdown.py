"""A report as Markdown (GitHub's dialect), for pull requests and wikis."""

from __future__ import annotations

import re

from costcalc.reports.document import Document, Facts, Notes, Table

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#])")


def escape(text: str) -> str:
    """`text` with Markdown's special characters made harmless, on one line."""
    return _SPECIAL.sub(r"\\\1", text.replace("\r", " ").replace("\n", " "))


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(escape(cell) for cell in cells) + " |"


def _table(block: Table) -> list[str]:
    rule = "|" + "|".join(
        " ---: " if position in block.numeric else " --- " for position in range(len(block.columns))
    )
    return [_row(block.columns), rule + "|", *(_row(row) for row in block.rows)]


def render(document: Document) -> str:
    """The document as Markdown text."""
    parts: list[str] = [f"## {escape(document.title)}"]
    for block in document.blocks:
        parts.append("")
        if block.title:
            parts += [f"### {escape(block.title)}", ""]
        if isinstance(block, Facts):
            parts += ["| | |", "| --- | --- |", *(_row(row) for row in block.rows)]
        elif isinstance(block, Table):
            parts += _table(block)
        elif isinstance(block, Notes):
            parts += [f"- {escape(item)}" for item in block.items]
    return "\n".join(parts) + "\n"
