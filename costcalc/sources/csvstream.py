"""Records of a very large CSV, read in pieces: only promising lines are parsed at all."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator

LONGEST_RECORD = 1_000_000


def records(
    pieces: Iterable[bytes], needles: tuple[bytes, ...], header_starts: bytes
) -> Iterator[dict[str, str]]:
    """The records of a CSV that hold every one of `needles`, as mappings by column name.

    A line is searched as bytes before it is parsed; almost all lines of a price list end there.
    Lines before the header are skipped. A quoted field may hold line ends.

    Args:
        pieces: the file in order, in pieces of any size.
        needles: bytes that a wanted record contains, such as `b'"Linux"'`.
        header_starts: how the header line begins, such as `b'"SKU",'`.

    Raises:
        ValueError: no header, a record without an end, bytes that are no UTF-8, or a record with
            another number of fields than the header.
    """
    columns: list[str] | None = None
    for line in _lines(pieces):
        if columns is None:
            if line.startswith(header_starts):
                columns = next(csv.reader([line.decode("utf-8")]))
            continue
        for needle in needles:
            if needle not in line:
                break
        else:
            fields = next(csv.reader(line.decode("utf-8").splitlines(keepends=True)))
            if len(fields) != len(columns):
                raise ValueError(f"{len(fields)} fields instead of {len(columns)}")
            yield dict(zip(columns, fields, strict=True))
    if columns is None:
        raise ValueError("no header line")


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Whole records: a line with an odd number of quotes goes on in the next one."""
    rest = b""
    open_record = b""
    for piece in pieces:
        lines = (rest + piece).split(b"\n")
        rest = lines.pop()
        if len(rest) > LONGEST_RECORD:
            raise ValueError("a line without an end")
        for line in lines:
            if open_record:
                open_record += b"\n" + line
                if len(open_record) > LONGEST_RECORD:
                    raise ValueError("a record without an end")
                if not open_record.count(b'"') & 1:
                    yield open_record.rstrip(b"\r")
                    open_record = b""
            elif line.count(b'"') & 1:
                open_record = line
            else:
                yield line.rstrip(b"\r")
    last = open_record + b"\n" + rest if open_record else rest
    if last.count(b'"') & 1:
        raise ValueError("a record without an end")
    if last:
        yield last.rstrip(b"\r")
