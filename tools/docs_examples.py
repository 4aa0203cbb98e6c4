"""Examples in the documentation: run them, compare them, rewrite them.

    python tools/docs_examples.py            # say which examples do not print what they show
    python tools/docs_examples.py --update   # write what they print now

An example is a fenced `console` block. A line that starts with `$ ` is a command, the lines after
it are what it prints (stdout, then stderr). A line `…` stands for any lines. `# exit 3` at the end
of a command says which status it leaves with (0 without it). A command without lines after it is
only run. Examples run in a copy of `examples/`, in order, on 2026-12-01, 80 columns wide.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"\s+# exit (\d)$")
ANY = "…"


@dataclass(frozen=True)
class Example:
    """One command of a page.

    Attributes:
        shown: the output on the page; empty when the page shows none.
        start: where `shown` begins in the page's text.
    """

    page: Path
    line: int
    command: str
    status: int
    shown: str
    start: int


def pages() -> list[Path]:
    """Every page of documentation."""
    return sorted([*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md")])


def examples(page: Path) -> Iterator[Example]:
    """The examples of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for block in FENCE.finditer(text):
        line = text.count("\n", 0, block.start(1)) + 1
        end = block.start(1)
        for part in re.split(r"^(?=\$ )", block[1], flags=re.MULTILINE):
            end += len(part)
            if part.startswith("$ "):
                command, _, shown = part[2:].partition("\n")
                while command.endswith("\\"):
                    more, _, shown = shown.partition("\n")
                    command = command[:-1].rstrip() + " " + more.lstrip("> ").strip()
                match = EXIT.search(command)
                status = int(match[1]) if match else 0
                start = end - len(shown)
                yield Example(page, line, EXIT.sub("", command), status, shown, start)
            line += part.count("\n")


def run(example: Example, folder: Path, data: Path) -> tuple[int, str]:
    """Exit status and output of an example."""
    done = subprocess.run(
        ["bash", "-c", example.command],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={
            "PATH": f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(data),
            "COSTCALC_DATA_DIR": str(data),
            "SOURCE_DATE_EPOCH": "1796083200",
            "LANG": "C.UTF-8",
            "COLUMNS": "80",
            "NO_COLOR": "1",
        },
    )
    return done.returncode, done.stdout + done.stderr


def matches(shown: str, printed: str) -> bool:
    """Whether what is printed is what is shown, `…` standing for any lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == ANY else re.escape(line) + r"\n"
        for line in shown.rstrip("\n").split("\n")
    )
    return re.fullmatch(pattern, printed.rstrip("\n") + "\n") is not None


def working_copy(folder: Path) -> Path:
    """A folder with the files of `examples/` in it, and beside it this Python's `costcalc`."""
    target = folder / "work"
    (folder / "bin").mkdir()
    script = folder / "bin" / "costcalc"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m costcalc "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    source = ROOT / "examples"
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        target.mkdir()
    return target


def problems(page: Path) -> list[str]:
    """What is wrong with the examples of a page."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = working_copy(Path(name))
        for example in examples(page):
            status, printed = run(example, folder, Path(name) / "data")
            place = f"{page.relative_to(ROOT)}, line {example.line}: $ {example.command}"
            if status != example.status:
                found.append(f"{place}\nleaves with {status}, not {example.status}:\n{printed}")
            elif example.shown and not matches(example.shown, printed):
                found.append(f"{place}\nprints:\n{printed}\nnot:\n{example.shown}")
    return found


def update(page: Path) -> None:
    """Rewrite the outputs of a page; an output with `…` in it is left to its author."""
    text = page.read_text(encoding="utf-8")
    moved = 0
    with tempfile.TemporaryDirectory() as name:
        folder = working_copy(Path(name))
        for example in examples(page):
            _, printed = run(example, folder, Path(name) / "data")
            if example.shown and not any(
                line.strip() == ANY for line in example.shown.splitlines()
            ):
                new = printed.rstrip("\n") + "\n"
                start = example.start + moved
                text = text[:start] + new + text[start + len(example.shown) :]
                moved += len(new) - len(example.shown)
    page.write_text(text, encoding="utf-8")


def main() -> int:
    """Check or update every page, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*", type=Path)
    options = parser.parse_args()
    wrong = []
    for page in [path.resolve() for path in options.pages] or pages():
        if options.update:
            update(page)
        wrong += problems(page)
    print("\n\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
