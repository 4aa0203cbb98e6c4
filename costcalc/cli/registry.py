"""Every command and the module that holds it; a module is imported when its command is called.

Adding a command is one module with a function `command` and one row here. Its one-line help is the
message `commands.<name>` (spaces and hyphens become underscores).
"""

from __future__ import annotations

COMMANDS: dict[str, str] = {
    "train": "costcalc.cli.train",
    "serve": "costcalc.cli.serve",
    "quote": "costcalc.cli.quote",
    "check": "costcalc.cli.check",
    "diff": "costcalc.cli.diff",
    "compare train": "costcalc.cli.compare_train",
    "compare serve": "costcalc.cli.compare_serve",
    "sweep": "costcalc.cli.sweep",
    "read": "costcalc.cli.read",
    "accuracy": "costcalc.cli.accuracy",
    "claims": "costcalc.cli.claims",
    "prices list": "costcalc.cli.prices_list",
    "prices show": "costcalc.cli.prices_show",
    "prices update": "costcalc.cli.prices_update",
    "prices history": "costcalc.cli.prices_history",
    "prices lock": "costcalc.cli.prices_lock",
    "prices export": "costcalc.cli.prices_export",
    "accelerators list": "costcalc.cli.accelerators_list",
    "accelerators show": "costcalc.cli.accelerators_show",
    "models list": "costcalc.cli.models_list",
    "models show": "costcalc.cli.models_show",
    "regions list": "costcalc.cli.regions_list",
    "regions show": "costcalc.cli.regions_show",
    "fx show": "costcalc.cli.fx_show",
    "fx update": "costcalc.cli.fx_update",
    "schema": "costcalc.cli.schema",
}


def children(prefix: str = "") -> list[str]:
    """Names directly below `prefix` (`""` is the root), in the order of the table."""
    start = f"{prefix} " if prefix else ""
    names: list[str] = []
    for path in COMMANDS:
        if path.startswith(start):
            name = path[len(start) :].split(" ")[0]
            if name not in names:
                names.append(name)
    return names
