"""The command tree for the command-line framework, built lazily from `registry.COMMANDS`."""

from __future__ import annotations

import difflib
import os
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from costcalc.cli import registry
from costcalc.cli.language import t
from costcalc.errors import InputError


def help_text(path: str) -> str:
    """The one-line help of a command or group."""
    return t("commands." + path.replace(" ", "_").replace("-", "_"))


class _Translated:
    """Usage line and `--help` in the language in use (the framework has them in English only)."""

    def get_usage(self, ctx: Any) -> str:
        usage: str = super().get_usage(ctx)  # type: ignore[misc]
        for english in ("usage", "options", "command", "arguments"):
            usage = usage.replace(t_english(english), t(f"commands.word_{english}"))
        return usage

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = t("commands.help_option")
        return option


def t_english(word: str) -> str:
    """The framework's own spelling of a word of its usage line."""
    return {
        "usage": "Usage:",
        "options": "[OPTIONS]",
        "command": "COMMAND [ARGS]",
        "arguments": "[ARGS]",
    }[word]


class Command(_Translated, TyperCommand):
    """A command whose help is in the language in use."""


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
        app = typer.Typer(add_completion=False, rich_markup_mode="rich")
        app.command(name, cls=Command, help=help_text(path))(module.command)
        return typer.main.get_command(app)
    return group(path)


def group(path: str) -> Any:
    """The group at `path`; the root is `""`."""
    kind = type("Group", (Group,), {"prefix": path})
    if path:
        return kind(name=path.split(" ")[-1], help=help_text(path), no_args_is_help=True)
    app = typer.Typer(add_completion=True, rich_markup_mode="rich", no_args_is_help=True)
    app.callback(cls=kind, help=t("commands.costcalc"))(_root)
    return typer.main.get_command(app)


def _version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"costcalc {version('costcalc')}")
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
