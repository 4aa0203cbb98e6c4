"""`costcalc models list`: every model with its parameter counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import open_catalog

if TYPE_CHECKING:
    from costcalc.estimate.architecture import Architecture
    from costcalc.reports.document import Document

COLUMNS = (
    "id",
    "hf_id",
    "params_total",
    "params_active",
    "layers",
    "hidden",
    "vocab",
    "max_context",
    "moe",
    "approximate",
)


def record(model: Architecture) -> dict[str, Any]:
    """A model as one flat record."""
    return {
        "id": model.name,
        "hf_id": model.hf_id,
        "params_total": model.params_total(),
        "params_active": model.params_active(),
        "layers": model.layers,
        "hidden": model.hidden,
        "vocab": model.vocab,
        "max_context": model.max_context,
        "moe": model.is_moe,
        "approximate": model.approximate or None,
    }


def command(
    match: Annotated[
        str | None, typer.Option("--match", help=t("models.match_option"), metavar="TEXT")
    ] = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = list_format(form)
    records = [record(model) for model in open_catalog(catalog).models().values()]
    total = len(records)
    if match is not None:
        wanted = match.lower()
        records = [row for row in records if wanted in f"{row['id']} {row['hf_id']}".lower()]
    show_records(records, COLUMNS, lambda: _document(records, total), form, output)


def _document(records: list[dict[str, Any]], total: int) -> Document:
    from costcalc.reports import wording
    from costcalc.reports.document import Block, Document, Notes, Table

    rows = tuple(
        (
            row["id"],
            wording.count(row["params_total"]),
            wording.count(row["params_active"]),
            str(row["layers"]),
            "–" if row["max_context"] is None else f"{row['max_context']:,}",
            ("MoE " if row["moe"] else "") + ("~" if row["approximate"] else ""),
        )
        for row in records
    )
    columns = tuple(
        t(f"models.column_{name}")
        for name in ("id", "total", "active", "layers", "context", "kind")
    )
    blocks: list[Block] = [Table(None, columns, rows, frozenset({1, 2, 3, 4}), keep=frozenset({0}))]
    notes = []
    if any(row["approximate"] for row in records):
        notes.append(t("models.approximate_mark"))
    if len(records) < total:
        notes.append(t("models.hidden", hidden=total - len(records)))
    if notes:
        blocks.append(Notes("", tuple(notes)))
    return Document(t("models.title", count=len(records)), tuple(blocks))
