"""The way in: language, standard streams, exit status. Every fault ends in one sentence here."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from typing import Any, TextIO

from costcalc.cli import language
from costcalc.errors import CostcalcError


def main() -> None:
    """Run the command line and leave with its exit status."""
    # most commands live for a fraction of a second and keep all that they load: collecting the
    # thousands of objects that imports make costs them a tenth of it for nothing
    gc.set_threshold(50_000, 20, 20)
    language.use(language.environment_language())
    for stream in (sys.stdout, sys.stderr):
        # a locale that cannot write a character gets a question mark, not a traceback
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    status = run(sys.argv[1:])
    with contextlib.suppress(BrokenPipeError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
        # everything is written: taking the interpreter apart module by module would only cost time
        atexit._run_exitfuncs()
        os._exit(status)
    _discard_stdout()
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """Run one command; the exit status is the contract's (0 to 5)."""
    from costcalc.cli.commands import group

    try:
        result = group("").main(args=arguments, prog_name="costcalc", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except CostcalcError as error:
        say(error.message(language.current()))
        return error.exit_status
    except BrokenPipeError:
        # the reader of our output has seen enough (`| head`): not a fault
        _discard_stdout()
        return 0
    except SystemExit as stop:
        # the framework turns a closed pipe into an exit of its own
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        _discard_stdout()
        return 0
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        say(language.t("commands.out_of_memory"))
        return 1
    except Exception as error:  # the last line of defence: a sentence, no traceback
        usage = usage_message(error)
        if usage is not None:
            if usage:
                say(usage)
            return 2
        if os.environ.get("COSTCALC_TRACEBACK"):
            raise
        say(language.t("commands.unexpected", kind=type(error).__name__, detail=error))
        return 1


def say(text: str, stream: TextIO | None = None) -> None:
    """One sentence for a person, on stderr."""
    with contextlib.suppress(BrokenPipeError):
        print(f"costcalc: {text}", file=stream or sys.stderr)


def usage_message(error: Exception) -> str | None:
    """What is wrong with the command line, or None when `error` is something else.

    The framework's own sentences are English only, so each of its kinds is told in our words.
    """
    import typer

    click_error: Any = typer.BadParameter.__mro__[2]
    if not isinstance(error, click_error):
        return None
    kind = type(error).__name__
    found: Any = error
    if kind == "NoArgsIsHelpError":
        print(found.format_message())
        return ""
    if kind == "NoSuchOption":
        import difflib

        known = [
            name
            for parameter in (found.ctx.command.params if found.ctx else [])
            for name in parameter.opts
            if name.startswith("--")
        ]
        near = difflib.get_close_matches(found.option_name, known, n=3) or ["--help"]
        return language.t("commands.no_such_option", name=found.option_name, names=", ".join(near))
    if kind == "MissingParameter" and found.param is not None:
        from costcalc.cli.commands import value_names

        name = found.param.opts[0] if found.param.opts[0].startswith("-") else None
        value = (found.param.metavar or found.param.name or "").strip("[]. ").upper()
        return language.t(
            "commands.missing_option" if name else "commands.missing_argument",
            name=name or value_names(value),
            command=found.ctx.command_path if found.ctx else "costcalc",
        )
    if kind == "BadOptionUsage":
        return language.t("commands.option_value", name=found.option_name)
    return language.t("commands.usage", detail=found.format_message())


def _discard_stdout() -> None:
    # keeps the interpreter from failing a second time when it flushes at exit
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
