"""Other tools' files become plans: what a team has already written down is not typed again."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.readers.draft import Draft
    from costcalc.readers.reading import Kind, Reading

MAX_FILES = 50


def understand(
    paths: Sequence[str | os.PathLike[str]], *, as_format: str | None = None
) -> list[Reading]:
    """What each file says, in the words of `costcalc.readers.reading`.

    Args:
        paths: the files.
        as_format: the format of all of them; detected by content when not given.

    Raises:
        InputError: a file that cannot be read, whose format is unknown or ambiguous, or whose
            values make no sense; the message names file, line and key.
    """
    from costcalc.errors import InputError
    from costcalc.readers.registry import read_source, source_for

    if len(paths) > MAX_FILES:
        raise InputError("readers.too_many_files", limit=MAX_FILES)
    if as_format is not None:
        from costcalc.readers.registry import reader

        reader(as_format)
    return [read_source(source_for(os.fspath(path), as_format), as_format) for path in paths]


def read(
    paths: Sequence[str | os.PathLike[str]],
    *,
    as_format: str | None = None,
    sets: Mapping[str, Any] | None = None,
    kind: Kind | None = None,
    catalog: Catalog | None = None,
    name: str | None = None,
) -> Draft:
    """The plan that files of one run mean together.

    Args:
        paths: the files, such as a training config and the task that launches it.
        as_format: the format of all of them; detected by content when not given.
        sets: values for plan keys (or for facts such as `chips`), which fill blanks and take the
            place of what the files say; `NAME.key` for one workload of several.
        kind: what is wanted of them, `train`, `serve` or `machine`; by the files when not given.
        catalog: the catalog that names models and hardware; the shipped one when not given.
        name: name for a run that its files do not name; by default the files' names.

    Raises:
        InputError: as `understand`, or a key or value of `sets` that does not exist.
    """
    from costcalc.readers.assemble import Assembly

    if catalog is None:
        from costcalc import catalog as catalogs

        catalog = catalogs.load()
    readings = understand(paths, as_format=as_format)
    return Assembly(readings, catalog, sets or {}).draft(kind, name)
