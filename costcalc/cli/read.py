"""`costcalc read FILE...`: another tool's files become a plan, on stdout."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli import reading as r
from costcalc.cli.language import current, t
from costcalc.cli.output import emit, warn
from costcalc.cli.session import open_catalog

FORMATS = ("yaml", "json")
KINDS = ("train", "serve", "machine")
_RUN = t("reading.panel_fill")


def _fill(name: str, help_key: str, metavar: str) -> typer.models.OptionInfo:
    found: typer.models.OptionInfo = typer.Option(
        name, help=t(help_key), metavar=metavar, rich_help_panel=_RUN
    )
    return found


def command(
    files: Annotated[list[str], typer.Argument(help=t("reading.files"), metavar="FILE")],
    as_format: r.As = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            help=t("reading.kind"),
            metavar="|".join(KINDS),
            rich_help_panel=t("reading.panel"),
        ),
    ] = None,
    sets: r.Set = None,
    model: Annotated[str | None, _fill("--model", "options.model", "NAME|FILE")] = None,
    on: Annotated[str | None, _fill("--on", "options.on", "ACCEL:COUNT")] = None,
    tokens: Annotated[str | None, _fill("--tokens", "options.tokens", "15T")] = None,
    epochs: Annotated[str | None, _fill("--epochs", "options.epochs", "N")] = None,
    seq_len: Annotated[str | None, _fill("--seq-len", "options.seq_len", "N")] = None,
    global_batch: Annotated[
        str | None, _fill("--global-batch", "options.global_batch", "TOKENS")
    ] = None,
    method: Annotated[str | None, _fill("--method", "options.method", "|".join(o.METHODS))] = None,
    lora_rank: Annotated[str | None, _fill("--lora-rank", "options.lora_rank", "N")] = None,
    precision: Annotated[str | None, _fill("--precision", "options.precision", "bf16|fp8")] = None,
    hours: Annotated[str | None, _fill("--hours", "reading.hours", "36h")] = None,
    provider: Annotated[str | None, _fill("--provider", "options.provider", "NAME")] = None,
    region: Annotated[str | None, _fill("--region", "options.region", "NAME")] = None,
    purchase: Annotated[
        str | None, _fill("--purchase", "options.purchase", "|".join(o.PURCHASES))
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help=t("reading.explain"))] = False,
    form: Annotated[
        str, typer.Option("--format", help=t("reading.format"), metavar="|".join(FORMATS))
    ] = "yaml",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc import readers
    from costcalc.readers.draft import blank_text

    o.check_language(lang)
    form = o.choice(form, "--format", FORMATS)
    wanted = o.optional_choice(kind, "--kind", KINDS)
    options = {
        "model": model,
        "on": on,
        "tokens": tokens,
        "epochs": epochs,
        "seq_len": seq_len,
        "global_batch": global_batch,
        "method": method,
        "lora_rank": lora_rank,
        "precision": precision,
        "hours": hours,
        "provider": provider,
        "region": region,
        "purchase": purchase,
    }
    given = {key: value for key, value in options.items() if value is not None}
    draft = readers.read(
        files,
        as_format=as_format,
        sets={**given, **r.parse_sets(sets)},
        kind=wanted,  # type: ignore[arg-type]
        catalog=open_catalog(catalog),
    )
    language = current()
    text = (
        draft.json(language, explain=explain)
        if form == "json"
        else draft.yaml(language, explain=explain)
    )
    emit(text, output)
    warn(draft.notes)
    for workload, blank in draft.blanks:
        name = f"{workload.name}: " if len(draft.workloads) > 1 else ""
        line = t("readers.open_line", name=name, at=blank.key, text=blank_text(blank, language))
        print(line, file=sys.stderr)
