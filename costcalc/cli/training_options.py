"""Options that describe a training run, the same in `train`, `compare train` and `sweep`."""

from __future__ import annotations

from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t

_RUN = t("options.panel_run")

Epochs = Annotated[
    str, typer.Option("--epochs", help=t("options.epochs"), metavar="N", rich_help_panel=_RUN)
]
SeqLen = Annotated[
    str,
    typer.Option("--seq-len", help=t("options.seq_len"), metavar="N", rich_help_panel=_RUN),
]
GlobalBatch = Annotated[
    str | None,
    typer.Option(
        "--global-batch", help=t("options.global_batch"), metavar="TOKENS", rich_help_panel=_RUN
    ),
]
Method = Annotated[
    str,
    typer.Option(
        "--method", help=t("options.method"), metavar="|".join(o.METHODS), rich_help_panel=_RUN
    ),
]
LoraRank = Annotated[
    str,
    typer.Option("--lora-rank", help=t("options.lora_rank"), metavar="N", rich_help_panel=_RUN),
]
Precision = Annotated[
    str,
    typer.Option(
        "--precision",
        help=t("options.precision"),
        metavar="|".join(o.TRAIN_PRECISIONS),
        rich_help_panel=_RUN,
    ),
]
Tuning = Annotated[
    str | None,
    typer.Option(
        "--tuning", help=t("options.tuning"), metavar="|".join(o.TUNINGS), rich_help_panel=_RUN
    ),
]
WholeRun = Annotated[
    bool, typer.Option("--whole-run", help=t("options.whole_run"), rich_help_panel=_RUN)
]
