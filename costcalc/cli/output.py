"""Results go to stdout or to a file, whole or not at all; everything else goes to stderr."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from costcalc.cli import language
from costcalc.errors import InputError
from costcalc.notices import Notice

BOM = "\ufeff"


def emit(text: str | bytes, output: str | None, *, bom: bool = False) -> None:
    """Write a result to `output`, or to stdout when it is None.

    Args:
        text: the result; text ends with exactly one newline.
        bom: start a file (never stdout) with a UTF-8 BOM, so that Excel shows accents.

    Raises:
        InputError: the file cannot be written; nothing half-written stays behind.
    """
    if output is None:
        if isinstance(text, bytes):
            sys.stdout.buffer.write(text)
        else:
            sys.stdout.write(text if text.endswith("\n") else text + "\n")
        sys.stdout.flush()
        return
    data = text
    if isinstance(data, str):
        data = ((BOM if bom else "") + data.rstrip("\n") + "\n").encode("utf-8")
    write_atomically(Path(output), data)


def stream(chunks: Iterable[str], output: str | None, *, bom: bool = False) -> None:
    """`emit` for a result too large to be held: written as it comes, never half to a file.

    Raises:
        InputError: see `emit`.
    """
    if output is None:
        for chunk in chunks:
            sys.stdout.write(chunk)
        sys.stdout.flush()
        return
    with _replacing(Path(output)) as file:
        if bom:
            file.write(BOM.encode("utf-8"))
        for chunk in chunks:
            file.write(chunk.encode("utf-8"))


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside `path` and rename over it.

    Raises:
        InputError: the folder is missing or not writable, `path` is a folder, the disk is full.
    """
    with _replacing(path) as file:
        file.write(data)


@contextmanager
def _replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file beside `path` that takes its place once it is complete."""
    temporary = None
    try:
        if path.is_dir():
            raise IsADirectoryError(21, os.strerror(21))
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; a report gets the permissions of any new file
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise InputError("output.cannot_write", path=path, reason=error.strerror) from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


_held: list[Notice] = []


def hold(notices: Iterable[Notice]) -> None:
    """Keep warnings that were found before there was a quote; the next quote shown carries them."""
    _held.extend(notices)


def take_held() -> tuple[Notice, ...]:
    """The warnings kept by `hold`, once."""
    found = tuple(dict.fromkeys(_held))
    _held.clear()
    return found


def warn(notices: Iterable[Notice]) -> None:
    """Every warning on stderr, one line each."""
    for item in notices:
        print(
            language.t("output.warning", code=item.code, text=item.message(language.current())),
            file=sys.stderr,
        )
