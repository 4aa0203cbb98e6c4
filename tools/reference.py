"""The generated parts of `docs/reference.md`: commands, options, warning codes.

    python tools/reference.py            # say whether the page is up to date
    python tools/reference.py --update   # write it

Each part stands between `<!-- NAME -->` and `<!-- /NAME -->`; everything else is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from costcalc import messages
from costcalc.cli import registry
from costcalc.cli.commands import group, load

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"


def command_paths() -> list[str]:
    """Every command, in the order of the registry."""
    return list(registry.COMMANDS)


def parameters(path: str) -> list[Any]:
    """Arguments and options of a command, `--help` apart."""
    found: list[Any] = load(path).params
    return found


def cell(text: str) -> str:
    """Text that cannot break a Markdown table."""
    return text.replace("|", "\\|").replace("\n", " ")


def parameter_row(parameter: Any) -> str:
    """One argument or option."""
    if parameter.param_type_name == "argument":
        name = (parameter.metavar or parameter.name or "").strip("[]. ").upper()
    else:
        name = ", ".join([*parameter.opts, *parameter.secondary_opts])
        metavar = getattr(parameter, "metavar", None)
        if metavar and not parameter.is_flag:
            name += f" {metavar}"
    shown = parameter.default
    if parameter.required:
        default = "required"
    elif shown in (None, False, (), []):
        default = ""
    else:
        default = f"`{shown}`"
    return f"| `{cell(name)}` | {cell(parameter.help or '')} | {default} |"


def commands_part() -> str:
    """Every command with its options."""
    parts: list[str] = []
    for path in command_paths():
        command = load(path)
        parts += [f"### `costcalc {path}`", "", cell(command.help or ""), ""]
        rows = [parameter_row(item) for item in parameters(path)]
        parts += ["| option | meaning | default |", "| --- | --- | --- |", *rows, ""]
    return "\n".join(parts).rstrip()


def root_part() -> str:
    """Options before the command."""
    rows = [parameter_row(item) for item in group("").params]
    return "\n".join(["| option | meaning | default |", "| --- | --- | --- |", *rows])


def warnings_part() -> str:
    """The closed list of warning codes."""
    rows = [
        f"| `{code}` | {cell(text)} |" for code, text in messages.area("en", "warnings").items()
    ]
    return "\n".join(["| code | message |", "| --- | --- |", *rows])


PARTS: dict[str, Callable[[], str]] = {
    "root": root_part,
    "commands": commands_part,
    "warnings": warnings_part,
}


def generated(text: str) -> str:
    """The page with its generated parts as they should be."""
    for name, make in PARTS.items():
        block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        body = make()
        text = block.sub(lambda match, body=body: f"{match[1]}\n{body}\n\n{match[2]}", text)
    return text


def main() -> int:
    """Check or update the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    text = PAGE.read_text(encoding="utf-8")
    wanted = generated(text)
    if options.update:
        PAGE.write_text(wanted, encoding="utf-8")
        return 0
    return 0 if text == wanted else 1


if __name__ == "__main__":
    sys.exit(main())
