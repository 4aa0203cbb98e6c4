"""The bytes of a catalog file. Apart from the YAML reader, which a warm start does not need."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from costcalc.errors import InputError

MAX_BYTES = 8_000_000


def read(path: Path, shown: str) -> bytes:
    """The bytes of a catalog file.

    Raises:
        InputError: missing, a folder, a loop of links, unreadable or larger than 8 MB.
    """
    try:
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise InputError("catalog.file_missing", file=shown) from None
    except IsADirectoryError:
        raise InputError("catalog.file_is_folder", file=shown) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise InputError("catalog.file_link_loop", file=shown) from None
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise InputError("catalog.file_unreadable", file=shown, reason=reason) from None
    if len(data) > MAX_BYTES:
        raise InputError("catalog.file_size", file=shown, limit_mb=MAX_BYTES // 10**6)
    return data
