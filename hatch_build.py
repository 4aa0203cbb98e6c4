"""Build hook: the wheel carries the catalog compiled, one JSON per room, in `costcalc/_catalog/`.

An editable install compiles nothing; it reads `pricing/` from the checkout.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface[Any]):
    """Compiles `pricing/` into the wheel; a fault in a catalog file stops the build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before a wheel is put together."""
        if self.target_name != "wheel" or version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root))
        try:
            from costcalc.catalog.package import write_package
        finally:
            sys.path.remove(str(root))
        self._folder = tempfile.TemporaryDirectory(prefix="costcalc-catalog-")
        folder = Path(self._folder.name)
        for name in write_package(root / "pricing", folder):
            build_data["force_include"][str(folder / name)] = f"costcalc/_catalog/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called by hatchling after the wheel is written."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()
