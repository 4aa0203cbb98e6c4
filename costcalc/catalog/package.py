"""The compiled catalog as files: what a wheel carries."""

from __future__ import annotations

import json
from pathlib import Path

from costcalc.catalog.store import Folder, file_name


def write_package(directory: Path, target: Path) -> list[str]:
    """Compiles every room of a catalog folder into `target`; the names of the files written.

    Folders of raw inputs (no YAML) are no rooms and stay out.

    Raises:
        InputError: a fault in a catalog file, with file, line and key.
    """
    store = Folder(directory, target / ".cache")
    names = []
    for room in store.rooms():
        name = f"{file_name(room)}.json"
        (target / name).write_text(store.compiled(room), encoding="utf-8")
        names.append(name)
    manifest = {"digest": store.digest, "rooms": store.rooms()}
    (target / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return [*names, "manifest.json"]
