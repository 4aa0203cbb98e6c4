"""Files of other tools where a plan or a run's options would go.

`takes_files` gives a command positional files: what they say fills the options that were not typed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from costcalc.cli.language import t
from costcalc.errors import InputError
from costcalc.notices import Notice

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.estimate.architecture import Architecture
    from costcalc.readers.draft import Draft
    from costcalc.readers.reading import Kind

C = TypeVar("C", bound=Callable[..., Any])

As = Annotated[
    str | None,
    typer.Option(
        "--as",
        help=t("reading.as"),
        metavar="FORMAT",
        rich_help_panel=t("reading.panel"),
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help=t("reading.set"),
        metavar="KEY=VALUE",
        rich_help_panel=t("reading.panel"),
    ),
]
# options of a command that have a key of the plan behind them
PLAN_OPTIONS = (
    "model",
    "on",
    "tokens",
    "epochs",
    "seq_len",
    "global_batch",
    "method",
    "lora_rank",
    "precision",
    "provider",
    "region",
    "purchase",
    "engine",
    "hours",
)
# what goes with the hardware of a file, and goes when a comparison brings hardware of its own
_OFFER = ("on", "provider", "region", "purchase", "replicas")


def split_paths(text: str) -> list[str]:
    """`a.yaml,b.yaml` as two files, unless a file of that whole name exists."""
    if "," not in text or Path(text).exists():
        return [text]
    return [part.strip() for part in text.split(",") if part.strip()] or [text]


def parse_sets(texts: Sequence[str] | None) -> dict[str, Any]:
    """`KEY=VALUE` options, values as YAML reads them; a dash in a key counts as an underscore.

    Raises:
        InputError: no `=`, or a key or value that is empty.
    """
    from costcalc.safeyaml import scalar

    found: dict[str, Any] = {}
    for text in texts or ():
        key, separator, value = text.partition("=")
        if not separator or not key.strip() or not value.strip():
            raise InputError("options.pair", option="--set", value=text, example="tokens=1B")
        head, dot, tail = key.strip().rpartition(".")
        try:
            plain, _ = scalar(value.strip())
        except ValueError:
            plain = value.strip()
        found[f"{head}{dot}{tail.replace('-', '_')}"] = value.strip() if plain is None else plain
    return found


def model_from(catalog: Catalog, name: str) -> Architecture:
    """`catalog.model`, where a training config that gives a model's dimensions counts as well.

    Raises:
        InputError: no such model, or a file that describes none.
    """
    return with_file_models(catalog, [name]).model(name)


def with_file_models(catalog: Catalog, names: Sequence[str]) -> Catalog:
    """The catalog with the models that are described by files among `names`.

    A Hugging Face `config.json` needs no reader: the catalog reads it itself.
    """
    found: dict[str, Architecture] = {}
    for name in dict.fromkeys(names):
        path = Path(name)
        if path.suffix.lower() == ".json" or not path.is_file():
            continue
        try:
            catalog.model(name)
            continue
        except InputError:
            pass  # no name of the catalog and no config.json: a reader may know the file
        from costcalc import readers

        for reading in readers.understand([path]):
            if reading.architecture is not None:
                found[name] = reading.architecture
    return catalog.with_models(found) if found else catalog


def takes_files(kind: Kind, *, without: Sequence[str] = ()) -> Callable[[C], C]:
    """Give a command positional files, `--as` and `--set`; what they say fills its options.

    An option that was typed stands above the files.

    Args:
        kind: what the files are wanted for.
        without: keys that the files must not fill; `on` stands for the whole offer (the offers of a
            comparison are not the files').
    """
    if "on" in without:
        without = tuple(dict.fromkeys((*without, *_OFFER)))

    def decorate(command: C) -> C:
        signature = inspect.signature(command)
        hints = get_type_hints(command, include_extras=True)
        required = [
            name
            for name, parameter in signature.parameters.items()
            if parameter.default is inspect.Parameter.empty
        ]

        @wraps(command)
        def wrapper(**values: Any) -> Any:
            context: typer.Context = values.pop("context")
            files = values.pop("files")
            as_format, sets = values.pop("as_format"), values.pop("sets")
            if not files:
                _refuse_without_files(as_format, sets)
                _require(context, values, required)
                return command(**values)
            typed = {
                name
                for name in values
                if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
            }
            draft = _draft(files, as_format, sets, values, typed, kind)
            filled, notices = _fill(draft, values, typed, without)
            _require(context, filled, required)
            from costcalc.cli import output

            output.hold(notices)
            try:
                return command(**filled)
            finally:
                # a report that carries no quote of its own leaves them here
                output.warn(output.take_held())

        parameters = [
            inspect.Parameter("context", _KEYWORD, annotation=typer.Context),
            inspect.Parameter("files", _KEYWORD, default=None, annotation=_FILES),
        ]
        for name, parameter in signature.parameters.items():
            default = None if name in required else parameter.default
            hint = _optional(hints[name]) if name in required else hints[name]
            parameters.append(parameter.replace(kind=_KEYWORD, default=default, annotation=hint))
        parameters.append(inspect.Parameter("as_format", _KEYWORD, default=None, annotation=As))
        parameters.append(inspect.Parameter("sets", _KEYWORD, default=None, annotation=Set))
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
        return wrapper  # type: ignore[return-value]

    return decorate


_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_FILES = Annotated[
    list[str] | None,
    typer.Argument(help=t("reading.files"), metavar="FILE", show_default=False),
]


def _optional(hint: Any) -> Any:
    """`Annotated[str, ...]` as `Annotated[str | None, ...]`."""
    inner = getattr(hint, "__origin__", hint)
    metadata = getattr(hint, "__metadata__", ())
    return Annotated[(inner | None, *metadata)]


def _refuse_without_files(as_format: str | None, sets: Sequence[str] | None) -> None:
    if as_format is not None or sets:
        name = "--as" if as_format is not None else "--set"
        raise InputError("reading.only_with_files", name=name)


def _require(context: typer.Context, values: dict[str, Any], required: Sequence[str]) -> None:
    for name in required:
        if values[name] is None:
            raise InputError(
                "commands.missing_option",
                name=f"--{name.replace('_', '-')}",
                command=context.command_path,
            )


def _draft(
    files: Sequence[str],
    as_format: str | None,
    sets: Sequence[str] | None,
    values: dict[str, Any],
    typed: set[str],
    kind: Kind,
) -> Draft:
    from costcalc import readers
    from costcalc.cli.session import open_catalog

    given: dict[str, Any] = dict(parse_sets(sets))
    for name in typed & set(PLAN_OPTIONS):
        value = values[name]
        if isinstance(value, str):
            given[name] = value
        elif isinstance(value, list) and len(value) == 1:
            given[name] = value[0]
    return readers.read(
        files, as_format=as_format, sets=given, kind=kind, catalog=open_catalog(values["catalog"])
    )


def _fill(
    draft: Draft, values: dict[str, Any], typed: set[str], without: Sequence[str]
) -> tuple[dict[str, Any], list[Notice]]:
    """The command's values with those of the draft's one workload.

    Raises:
        InputError: the files leave something open that the command needs.
    """
    workload = draft.workloads[0]
    for key in without:
        workload.blanks.pop(key, None)
    draft.require_complete()
    filled = dict(values)
    for key, value in workload.values.items():
        if key in typed or key not in values or key in without:
            continue
        filled[key] = value if isinstance(value, bool) else _written(value)
    from costcalc.readers.draft import HARDWARE_NOTES

    idle = HARDWARE_NOTES if "on" in without else frozenset()
    return filled, [note for note in draft.notes if note.code not in idle]


def _written(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
