"""The command tree for the command-line framework, built lazily from `registry.COMMANDS`."""

from __future__ import annotations

import difflib
import os
import re
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from costcalc import messages
from costcalc.cli import registry
from costcalc.cli.language import current, t
from costcalc.errors import InputError


def help_text(path: str) -> str:
    """The one-line help of a command or group."""
    return t("commands." + path.replace(" ", "_").replace("-", "_"))


class _PlainText:
    """Options that are text stay text: commands read their own values, with better sentences.

    The framework would build a pydantic adapter for each option, which costs as much as all the
    rest of a start. Where a version of it works otherwise, its own way is left in place.
    """

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        return list(value) if param.multiple or param.nargs == -1 else value


class _Translated:
    """Usage line and `--help` in the language in use (the framework has them in English only)."""

    def get_params(self, ctx: Any) -> Any:
        found = super().get_params(ctx)  # type: ignore[misc]
        for parameter in found:
            if hasattr(parameter, "_runtime_param"):
                parameter._runtime_param = _PlainText()
        return found

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))  # type: ignore[attr-defined]
        usage = t("commands.word_usage") + " "
        formatter.write_usage(ctx.command_path, value_names(pieces), prefix=usage)

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = t("commands.help_option")
        return option


def value_names(text: str) -> str:
    """A usage line, or what an option takes (`KEY=VALUE`), with its words in the language in use.

    The framework adds the type (`<str>`), which an option without a name for its value needs.
    """
    words = messages.area(current(), "value_names")
    text = re.sub(r" <[^<>]*>$", " NAME" if text.startswith("-") else "", text)
    return re.sub(r"[A-Z]{3,}", lambda match: words.get(match[0], match[0]), text)


class Command(_Translated, TyperCommand):
    """A command whose help is in the language in use, options grouped by their panels."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            default = "arguments" if parameter.param_type_name == "argument" else "options"
            panel = getattr(parameter, "rich_help_panel", None) or t(f"framework_words.{default}")
            panels.setdefault(panel, []).append((value_names(record[0]), record[1]))
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records, col_max=26)


class Group(_Translated, TyperGroup):
    """A group of commands whose modules are imported when one of them is called."""

    prefix = ""

    def list_commands(self, ctx: Any) -> list[str]:
        return registry.children(self.prefix)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        path = f"{self.prefix} {cmd_name}".strip()
        if path not in registry.COMMANDS and not registry.children(path):
            return None
        if ctx.resilient_parsing or "_COSTCALC_COMPLETE" in os.environ or _called(ctx, cmd_name):
            return load(path)
        return Command(name=cmd_name, help=help_text(path))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        rows = [
            (name, help_text(f"{self.prefix} {name}".strip()))
            for name in registry.children(self.prefix)
        ]
        with formatter.section(t("framework_words.commands")):
            formatter.write_dl(rows)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name = args[0]
        path = f"{self.prefix} {name}".strip()
        if path in registry.COMMANDS or registry.children(path):
            return name, load(path), args[1:]
        if not name.startswith("-"):
            raise unknown_command(path, registry.children(self.prefix))
        return super().resolve_command(ctx, args)


def _called(ctx: Any, name: str) -> bool:
    words = [*getattr(ctx, "_protected_args", []), *ctx.args]
    return bool(words) and words[0] == name


def unknown_command(path: str, known: list[str]) -> InputError:
    """The error for a command that does not exist, with the nearest names."""
    near = difflib.get_close_matches(path.split(" ")[-1], known, n=3) or known
    return InputError("commands.unknown", name=path, names=", ".join(near))


def load(path: str) -> Any:
    """The command or group at `path` (`"prices list"`)."""
    name = path.split(" ")[-1]
    if path in registry.COMMANDS:
        module = import_module(registry.COMMANDS[path])
        app = typer.Typer(add_completion=False, rich_markup_mode=None)
        app.command(name, cls=Command, help=help_text(path))(module.command)
        return typer.main.get_command(app)
    return group(path)


def group(path: str) -> Any:
    """The group at `path`; the root is `""`."""
    kind = type("Group", (Group,), {"prefix": path})
    if path:
        return kind(
            name=path.split(" ")[-1],
            help=help_text(path),
            no_args_is_help=True,
            rich_markup_mode=None,
        )
    app = typer.Typer(add_completion=True, rich_markup_mode=None, no_args_is_help=True)
    app.callback(cls=kind, help=t("commands.costcalc"))(_root)
    root = typer.main.get_command(app)
    for parameter in root.params:
        if parameter.name in ("install_completion", "show_completion"):
            parameter.help = t(f"commands.{parameter.name}")  # type: ignore[attr-defined]
    return root


def _version(value: bool) -> None:
    if value:
        from costcalc import __version__

        typer.echo(f"costcalc {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(
        False,
        "--version",
        help=t("commands.version_option"),
        is_eager=True,
        callback=_version,
    ),
    lang: str | None = typer.Option(None, "--lang", help=t("options.lang"), metavar="es|en"),
) -> None:
    from costcalc.cli.options import check_language

    check_language(lang)
