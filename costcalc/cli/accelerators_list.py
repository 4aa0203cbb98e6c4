"""`costcalc accelerators list`: every accelerator with its main figures."""

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

COLUMNS = (
    "id",
    "name",
    "vendor",
    "status",
    "train",
    "serve",
    "peak_bf16_tflops",
    "peak_fp8_tflops",
    "matmul_bf16_tflops",
    "hbm_gb",
    "hbm_gbps",
    "tdp_w",
    "chips_per_host",
    "max_scaleup_chips",
)


def command(
    vendor: Annotated[
        str | None, typer.Option("--vendor", help=t("accelerators.vendor_option"))
    ] = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = list_format(form)
    items = list(open_catalog(catalog).accelerators().values())
    if vendor is not None:
        wanted = o.choice(vendor, "--vendor", sorted({item.chip.vendor for item in items}))
        items = [item for item in items if item.chip.vendor == wanted]
    records = [_record(item) for item in items]
    show_records(records, COLUMNS, lambda: _document(records), form, output)


def _record(item: Accelerator) -> dict[str, Any]:
    chip = item.chip
    return {
        "id": item.id,
        "name": item.name,
        "vendor": chip.vendor,
        "status": item.status,
        "train": chip.can_train,
        "serve": chip.can_serve,
        "peak_bf16_tflops": chip.peak_tflops.get("bf16"),
        "peak_fp8_tflops": chip.peak_tflops.get("fp8"),
        "matmul_bf16_tflops": chip.matmul_tflops.get("bf16"),
        "hbm_gb": chip.hbm_gb,
        "hbm_gbps": chip.hbm_gbps,
        "tdp_w": chip.tdp_w,
        "chips_per_host": chip.chips_per_host,
        "max_scaleup_chips": chip.max_scaleup_chips,
    }


def _document(records: list[dict[str, Any]]) -> Document:
    from costcalc.reports.document import Document, Notes, Table

    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}"

    rows = tuple(
        (
            record["id"],
            _use(record),
            number(record["peak_bf16_tflops"]),
            number(record["peak_fp8_tflops"]),
            number(record["hbm_gb"]),
            number(record["hbm_gbps"]),
        )
        for record in records
    )
    columns = tuple(
        t(f"accelerators.column_{name}")
        for name in ("id", "use", "bf16", "fp8", "memory", "bandwidth")
    )
    table = Table(None, columns, rows, frozenset({2, 3, 4, 5}), keep=frozenset({0}))
    notes = Notes("", (t("accelerators.dense"),))
    return Document(t("accelerators.title", count=len(records)), (table, notes))


def _use(record: dict[str, Any]) -> str:
    uses = [t(f"accelerators.{use}") for use in ("train", "serve") if record[use]]
    if record["status"] == "available":
        return ", ".join(uses)
    return ", ".join([t(f"accelerators.status_{record['status']}"), *uses])
