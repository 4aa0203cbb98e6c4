"""A report in a terminal: readable at 80 columns, without colour, in a pipe."""

from __future__ import annotations

import io

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.text import Text

from costcalc.reports.document import Block, Document, Facts, Notes, Table

DEFAULT_WIDTH = 80
MIN_TEXT = 12


def render(document: Document, *, width: int = DEFAULT_WIDTH, color: bool = False) -> str:
    """The document as text of at most `width` columns."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        no_color=not color,
        color_system="auto" if color else None,
        highlight=False,
        legacy_windows=False,
    )
    console.print(Text(document.title, style="bold"))
    for block in document.blocks:
        console.print()
        _print(console, block)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _print(console: Console, block: Block) -> None:
    if block.title:
        console.print(Text(block.title, style="bold"))
    if isinstance(block, Facts):
        grid = RichTable.grid(padding=(0, 2))
        grid.add_column(style="bold", no_wrap=True)
        grid.add_column(overflow="fold")
        for label, value in block.rows:
            grid.add_row(escape(label), escape(value))
        console.print(grid)
    elif isinstance(block, Table):
        console.print(_table(block) if _fits(block, console.width) else _stacked(block))
    elif isinstance(block, Notes):
        for item in block.items:
            grid = RichTable.grid(padding=(0, 1))
            grid.add_column(no_wrap=True)
            grid.add_column(overflow="fold")
            grid.add_row("•", escape(item))
            console.print(grid)


def _table(block: Table) -> RichTable:
    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for position, name in enumerate(block.columns):
        whole = position in block.numeric or position in block.keep
        table.add_column(
            escape(name),
            justify="right" if position in block.numeric else "left",
            no_wrap=whole,
            min_width=_widest(block, position) if whole else None,
            overflow="fold",
        )
    for index, row in enumerate(block.rows):
        last = block.total and index == len(block.rows) - 1
        if last:
            table.add_section()
        table.add_row(*(escape(value) for value in row), style="bold" if last else None)
    return table


def _widest(block: Table, position: int) -> int:
    return max(cell_len(row[position]) for row in (block.columns, *block.rows))


def _fits(block: Table, width: int) -> bool:
    """Whether every figure stays whole: text may wrap, a cropped amount would be a wrong one."""
    needed = 0
    for position in range(len(block.columns)):
        whole = position in block.numeric or position in block.keep
        widest = _widest(block, position)
        needed += widest if whole else min(widest, MIN_TEXT)
    return needed + 2 * (len(block.columns) - 1) <= width


def _stacked(block: Table) -> RichTable:
    """A table too wide for the terminal: each row as labelled values."""
    grid = RichTable.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for index, row in enumerate(block.rows):
        if index:
            grid.add_row("", "")
        for name, value in zip(block.columns, row, strict=True):
            if value:
                grid.add_row(escape(name), escape(value))
    return grid
