"""`costcalc models show NAME|FILE`: parameters, FLOPs and layers of one model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.models_list import record
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import open_catalog
from costcalc.units import parse_count

if TYPE_CHECKING:
    from costcalc.estimate.architecture import Architecture
    from costcalc.reports.document import Document

EXTRA_COLUMNS = (
    "tied_embeddings",
    "matmul_params",
    "seq_len",
    "forward_flops_per_token",
    "training_flops_per_token",
    "kv_bytes_per_token_bf16",
)


def command(
    name: Annotated[str, typer.Argument(help=t("models.name_argument"), metavar="NAME")],
    seq_len: Annotated[
        str, typer.Option("--seq-len", help=t("models.seq_len_option"), metavar="N")
    ] = "4096",
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = list_format(form)
    length = parse_count(seq_len, "--seq-len", high=100_000_000, example="4096")
    model = open_catalog(catalog).model(name)
    base = record(model)
    full = {
        **base,
        "tied_embeddings": model.tied_embeddings,
        "matmul_params": model.matmul_params(),
        "seq_len": length,
        "forward_flops_per_token": model.forward_flops_per_token(length),
        "training_flops_per_token": model.training_flops_per_token(length),
        "kv_bytes_per_token_bf16": model.kv_bytes_per_sequence(length, 2.0) / length,
    }
    columns = (*base, *EXTRA_COLUMNS)
    show_records([full], columns, lambda: _document(model, full), form, output)


def _document(model: Architecture, full: dict[str, Any]) -> Document:
    from costcalc.reports.document import Block, Document, Facts, Notes, Table

    facts = [
        (t("models.total"), f"{full['params_total']:,}"),
        (t("models.active"), f"{full['params_active']:,}"),
        (t("models.matmul"), f"{full['matmul_params']:,}"),
        (t("models.flops", seq_len=f"{full['seq_len']:,}"), _flops(full)),
        (t("models.kv"), f"{full['kv_bytes_per_token_bf16']:,.0f}"),
        (
            t("models.shape"),
            t(
                "models.shape_value",
                layers=model.layers,
                hidden=f"{model.hidden:,}",
                vocab=f"{model.vocab:,}",
                tied=t("common.yes" if model.tied_embeddings else "common.no"),
            ),
        ),
    ]
    if model.hf_id:
        facts.append(("Hugging Face", model.hf_id))
    if model.moe:
        facts.append(
            (
                "MoE",
                t(
                    "models.moe_value",
                    layers=model.moe.layers,
                    experts=model.moe.experts,
                    active=model.moe.experts_per_token,
                    shared=model.moe.shared_experts,
                    ffn=f"{model.moe.ffn:,}",
                ),
            )
        )
    rows = tuple(
        (
            "MLA" if group.is_mla else t(f"models.attention_{group.kind}"),
            str(group.layers),
            str(group.heads),
            "–" if group.is_mla else str(group.kv_heads),
            str(group.head_dim),
            "–" if group.window is None else f"{group.window:,}",
        )
        for group in model.attention
    )
    columns = tuple(
        t(f"models.column_{name}")
        for name in ("attention", "layers", "heads", "kv_heads", "head_dim", "window")
    )
    blocks: list[Block] = [
        Facts(None, tuple(facts)),
        Table(None, columns, rows, frozenset({1, 2, 3, 4, 5})),
    ]
    if model.approximate:
        blocks.append(
            Notes(t("models.approximate"), (t(f"catalog.approximate_{model.approximate}"),))
        )
    return Document(model.name, tuple(blocks))


def _flops(full: dict[str, Any]) -> str:
    return t(
        "models.flops_value",
        forward=f"{full['forward_flops_per_token'] / 1e9:,.2f}",
        training=f"{full['training_flops_per_token'] / 1e9:,.2f}",
    )
