"""Where the compiled rooms come from: the wheel, the cache, or a fresh compilation.

A wheel holds one JSON per room in `costcalc/_catalog/`. A catalog folder (a checkout, `--catalog
DIR`) is compiled into the cache: each room's JSON lies under the digest of its sources, so that two
processes, two folders or two versions never disturb each other. An index per folder remembers size
and times of the sources, so that a warm start reads neither YAML nor the sources.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any
from zlib import crc32

from costcalc.errors import InputError

PACKAGED = Path(__file__).resolve().parent.parent / "_catalog"
CHECKOUT = Path(__file__).resolve().parent.parent.parent / "pricing"
ROOMS = ("accelerators", "offers", "models", "rates")
WHOLE_FOLDERS = ("accelerators", "offers", "models", "regions")
_OLD_FILES = 24
# A file that changed within this time before the index was written may change again without any
# visible difference (same size, same clock tick), so its digest is taken anew.
_SETTLED_NS = 2_000_000_000


def default_cache_dir() -> Path:
    """The platform's cache folder for costcalc."""
    from platformdirs import user_cache_path

    return user_cache_path("costcalc", appauthor=False)


class Packaged:
    """The rooms inside an installed wheel."""

    directory: Path | None = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.digest: str = self._read("manifest")["digest"]

    def has(self, room: str) -> bool:
        """Whether the catalog has such a room."""
        return self._path(room).is_file()

    def rooms(self) -> list[str]:
        """Every room: a folder of YAML files or a single one."""
        return list(self._read("manifest")["rooms"])

    def room(self, room: str) -> Any:
        """The data of a room.

        Raises:
            InputError: there is no such room.
        """
        if not self.has(room):
            raise InputError("catalog.room_missing", folder="costcalc", room=room)
        return self._read(room)

    def _path(self, room: str) -> Path:
        return self._folder / f"{file_name(room)}.json"

    def _read(self, room: str) -> Any:
        return json.loads(self._path(room).read_bytes())


class Folder:
    """The rooms of a catalog folder, compiled into the cache.

    Args:
        directory: the folder with `accelerators/`, `offers/`, `models/`, `rates.yaml`.
        cache_dir: where compiled rooms are kept; the platform's cache folder by default. When it
            cannot be written, rooms are compiled in memory.

    Raises:
        InputError: not a folder, unreadable, or no catalog in it.
    """

    def __init__(self, directory: Path, cache_dir: Path | None = None) -> None:
        self.directory = directory
        self._cache = (default_cache_dir() if cache_dir is None else cache_dir) / "catalog"
        self._stats = _scan(directory)
        self._contents: dict[str, bytes] = {}
        self._members = _members(self._stats)
        if not any(room in self._members for room in ROOMS):
            raise InputError("catalog.folder_empty", folder=str(directory))
        place = str(directory.resolve())
        self._index_path = self._cache / f"index-{crc32(place.encode()):08x}.json"
        self._index = self._known_index(place) or self._new_index(place)

    @property
    def digest(self) -> str:
        """Digest of all source files."""
        digest: str = self._index["digest"]
        return digest

    def has(self, room: str) -> bool:
        """Whether the catalog has such a room."""
        return room in self._members

    def rooms(self) -> list[str]:
        """Every room: a folder of YAML files or a single one."""
        return sorted(self._members)

    def room(self, room: str) -> Any:
        """The data of a room, from the cache or compiled now.

        Raises:
            InputError: there is no such room, or a fault in its files (file, line, key).
        """
        if room not in self._members:
            raise InputError("catalog.room_missing", folder=str(self.directory), room=room)
        path = self._cache / f"{file_name(room)}-{self._index['rooms'][room]}.json"
        try:
            return json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            text = self.compiled(room)
        _write(path, text.encode())
        _forget_old(path, file_name(room))
        return json.loads(text)

    def compiled(self, room: str) -> str:
        """The JSON text of a room, made anew from its files."""
        from costcalc.catalog.compile import compile_room

        files = {path: self._content(path) for path in self._members[room]}
        return compile_room(
            room, files, self.directory.name or str(self.directory), self._accelerator_ids
        )

    def _accelerator_ids(self) -> list[str]:
        return list(self.room("accelerators")["accelerators"])

    def _content(self, path: str) -> bytes:
        if path not in self._contents:
            from costcalc.catalog.source_file import read

            self._contents[path] = read(self.directory / path, f"{self.directory.name}/{path}")
        return self._contents[path]

    def _known_index(self, place: str) -> dict[str, Any] | None:
        """The stored index, when every source file is still as it was."""
        try:
            written = self._index_path.stat().st_mtime_ns
            index = json.loads(self._index_path.read_bytes())
            if index["place"] != place or index["maker"] != _maker():
                return None
            if index["files"] != self._stats:
                return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        settled = written - _SETTLED_NS
        if any(times[1] > settled or times[2] > settled for times in self._stats.values()):
            return None
        found: dict[str, Any] = index
        return found

    def _new_index(self, place: str) -> dict[str, Any]:
        from hashlib import sha256

        maker = _maker()
        salt = json.dumps(maker)
        digests = {path: sha256(self._content(path)).hexdigest() for path in self._stats}

        def combined(paths: list[str]) -> str:
            lines = [f"{digests[path]} {path}" for path in sorted(paths)]
            return sha256("\n".join(lines).encode()).hexdigest()[:16]

        rooms = {}
        for room, paths in self._members.items():
            read = [*paths, *self._members.get("accelerators", [])] if room == "offers" else paths
            rooms[room] = sha256(f"{salt}{combined(read)}".encode()).hexdigest()[:24]
        index = {
            "place": place,
            "maker": maker,
            "files": self._stats,
            "rooms": rooms,
            "digest": combined(list(self._stats)),
        }
        _write(self._index_path, json.dumps(index, separators=(",", ":")).encode())
        return index


def file_name(room: str) -> str:
    """A room's name as a file name."""
    return room.replace("/", ".")


def find(directory: Path | None, cache_dir: Path | None = None) -> Packaged | Folder:
    """The rooms of `directory`, or those that came with costcalc.

    Raises:
        InputError: not a catalog folder.
    """
    if directory is not None:
        return Folder(directory, cache_dir)
    if PACKAGED.is_dir():
        return Packaged(PACKAGED)
    return Folder(CHECKOUT, cache_dir)


def _maker() -> list[list[int]]:
    """Marks of the modules that make the compiled form: another version compiles anew."""
    here = Path(__file__).parent
    names = [
        "compile.py",
        "compile_accelerators.py",
        "compile_claims.py",
        "compile_energy.py",
        "compile_models.py",
        "compile_offers.py",
        "compile_rates.py",
        "compile_regions.py",
        "csvfile.py",
        "extras.py",
        "fields.py",
        "yamlfile.py",
    ]
    marks = []
    for name in names:
        info = (here / name).stat()
        marks.append([info.st_size, info.st_mtime_ns])
    return marks


def _scan(directory: Path) -> dict[str, list[int]]:
    """Size, times and inode of every YAML and CSV file of a catalog folder, by relative path."""
    found: dict[str, list[int]] = {}
    if not directory.is_dir():
        raise InputError("catalog.folder_missing", folder=str(directory))
    folders = _list(directory, directory.name, "", found)
    for folder in folders:
        _list(directory / folder, f"{directory.name}/{folder}", f"{folder}/", found)
    return dict(sorted(found.items()))


def _list(path: Path, shown: str, prefix: str, found: dict[str, list[int]]) -> list[str]:
    folders = []
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                name = entry.name
                if name.startswith("."):
                    continue
                if name.endswith(".yml"):
                    raise InputError("catalog.file_suffix", file=f"{shown}/{name}")
                if name.endswith((".yaml", ".csv")):
                    info = entry.stat()
                    found[prefix + name] = [
                        info.st_size,
                        info.st_mtime_ns,
                        info.st_ctime_ns,
                        info.st_ino,
                    ]
                elif entry.is_dir():
                    folders.append(name)
    except OSError as error:
        where = f"{shown}/{Path(str(error.filename)).name}" if error.filename else shown
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InputError("catalog.file_unreadable", file=where, reason=reason) from None
    return folders


def _members(paths: dict[str, list[int]]) -> dict[str, list[str]]:
    """Rooms with their files: `offers` is a folder, `rates` and `calibration/x` are files."""
    rooms: dict[str, list[str]] = {}
    for path in paths:
        folder = path.partition("/")[0] if "/" in path else ""
        room = folder if folder in WHOLE_FOLDERS else path.rpartition(".")[0]
        rooms.setdefault(room, []).append(path)
    return rooms


def _write(path: Path, data: bytes) -> None:
    """Puts a file into the cache whole or not at all; a read-only cache is no fault."""
    from tempfile import NamedTemporaryFile

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as handle:
            handle.write(data)
    except OSError:
        return
    try:
        os.replace(handle.name, path)
    except OSError:
        Path(handle.name).unlink(missing_ok=True)


def _forget_old(path: Path, room: str) -> None:
    """Keeps the newest compiled files of a room, so that edits do not pile up."""
    try:
        versions = sorted(path.parent.glob(f"{room}-*.json"), key=lambda item: item.stat().st_mtime)
        for old in versions[:-_OLD_FILES]:
            old.unlink(missing_ok=True)
    except OSError:
        return
