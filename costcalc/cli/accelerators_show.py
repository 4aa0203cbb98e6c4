"""`costcalc accelerators show NAME`: every figure with its source and date, claims apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import open_catalog

if TYPE_CHECKING:
    from costcalc.catalog import Accelerator
    from costcalc.reports.document import Document

COLUMNS = ("id", "figure", "value", "confidence", "date", "source", "note")


def command(
    name: Annotated[str, typer.Argument(help=t("accelerators.name_argument"), metavar="NAME")],
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = list_format(form)
    item = open_catalog(catalog).accelerator(name)
    records: list[dict[str, Any]] = [
        {
            "id": item.id,
            "figure": figure,
            "value": found.value,
            "confidence": found.confidence,
            "date": found.date,
            "source": found.source,
            "note": found.note,
        }
        for figure, found in item.figures.items()
    ]
    show_records(records, COLUMNS, lambda: _document(item), form, output)


def _document(item: Accelerator) -> Document:
    from costcalc.reports.document import Block, Document, Facts, Notes, Table

    chip = item.chip
    uses = [t(f"accelerators.{use}") for use in ("train", "serve") if getattr(chip, f"can_{use}")]
    facts = [
        (t("accelerators.column_status"), t(f"accelerators.status_{item.status}")),
        (t("accelerators.column_use"), ", ".join(uses) or "–"),
        (t("accelerators.aliases"), ", ".join(item.aliases) or "–"),
        (t("accelerators.software"), ", ".join(item.software) or "–"),
    ]
    if item.note:
        facts.append((t("accelerators.note"), item.note))
    blocks: list[Block] = [Facts(None, tuple(facts))]
    if item.figures:
        sources = list(dict.fromkeys(found.source for found in item.figures.values()))
        rows = tuple(
            (
                name,
                f"{found.value:,g}",
                t(f"accelerators.confidence_{found.confidence}"),
                found.date,
                f"[{sources.index(found.source) + 1}]",
            )
            for name, found in item.figures.items()
        )
        columns = tuple(
            t(f"accelerators.column_{name}")
            for name in ("figure", "value", "confidence", "date", "source")
        )
        blocks.append(Table(None, columns, rows, frozenset({1})))
        blocks.append(
            Notes(
                t("accelerators.sources"),
                tuple(f"[{number}] {source}" for number, source in enumerate(sources, 1)),
            )
        )
    if item.not_published:
        blocks.append(Notes(t("accelerators.not_published"), (", ".join(item.not_published),)))
    if item.claims:
        blocks.append(
            Notes(
                t("accelerators.claims"),
                tuple(
                    t(
                        "accelerators.claim",
                        by=claim.by,
                        date=claim.date,
                        text=claim.text,
                        baseline=claim.baseline or t("accelerators.no_baseline"),
                        source=claim.source,
                    )
                    for claim in item.claims
                ),
            )
        )
    return Document(f"{item.name} ({item.id})", tuple(blocks))
