"""`costcalc sweep`: a grid of training estimates, streamed point by point."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import axes, calibration_file, output
from costcalc.cli import options as o
from costcalc.cli import training_options as r
from costcalc.cli.language import t
from costcalc.cli.reading import model_from
from costcalc.cli.session import as_of_date, exchange_rate, open_catalog
from costcalc.cli.train import MAX_EPOCHS, MAX_RANK, MAX_SEQ_LEN
from costcalc.errors import InputError, NoOfferError
from costcalc.units import parse_count, parse_number

if TYPE_CHECKING:
    from costcalc.quote.sweep import Sweep

FORMATS = ("csv", "jsonl")
MAX_POINTS = 10**12
CHUNK = 2_000
_RUN = t("options.panel_run")


def command(
    model: o.Model,
    on: Annotated[
        list[str], typer.Option("--on", help=t("sweep.on"), metavar="ACCEL:COUNT[,…]|ACCEL:A..B")
    ],
    tokens: Annotated[
        str,
        typer.Option(
            "--tokens", help=t("sweep.tokens"), metavar="1T,2T|A..B", rich_help_panel=_RUN
        ),
    ],
    seq_len: Annotated[
        str,
        typer.Option(
            "--seq-len", help=t("sweep.seq_len"), metavar="4096,8192|A..B", rich_help_panel=_RUN
        ),
    ] = "4096",
    global_batch: Annotated[
        str | None,
        typer.Option(
            "--global-batch",
            help=t("sweep.global_batch"),
            metavar="1M,4M|A..B",
            rich_help_panel=_RUN,
        ),
    ] = None,
    epochs: r.Epochs = "1",
    method: r.Method = "full",
    lora_rank: r.LoraRank = "16",
    precision: r.Precision = "bf16",
    tuning: r.Tuning = None,
    whole_run: r.WholeRun = False,
    provider: o.Provider = None,
    region: o.Region = None,
    purchase: o.Purchase = None,
    market: o.Market = None,
    residency: o.Residency = None,
    fx: o.Fx = None,
    discount: o.Discount = None,
    as_of: o.AsOf = None,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            help=t("sweep.format"),
            metavar="|".join(FORMATS),
            rich_help_panel=t("options.panel_output"),
        ),
    ] = "csv",
    output_file: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
    calibration: calibration_file.CalibrationFile = None,
) -> None:
    from costcalc.quote.select import Placement
    from costcalc.quote.sweep import Sweep, SweepRequest
    from costcalc.quote.terms import Terms
    from costcalc.quote.train import TrainRequest

    o.check_language(lang)
    form = o.choice(form, "--format", FORMATS)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    calibration_file.apply(opened, calibration)
    hardware = [opened.hardware(text) for text in axes.hardware_texts(on, parse_count)]
    request = SweepRequest(
        base=TrainRequest(
            architecture=model_from(opened, model),
            tokens=1,
            epochs=parse_number(
                epochs, "--epochs", low=Decimal("0.01"), high=MAX_EPOCHS, example="3"
            ),
            method=o.choice(method, "--method", o.METHODS),
            lora_rank=parse_count(lora_rank, "--lora-rank", high=MAX_RANK, example="16"),
            precision=o.choice(precision, "--precision", o.TRAIN_PRECISIONS),
            tuning=o.optional_choice(tuning, "--tuning", o.TUNINGS),
            whole_run=whole_run,
            placement=Placement(
                hardware=hardware[0],
                provider=o.provider(provider, opened),
                region=region,
                purchase=o.optional_choice(purchase, "--purchase", o.PURCHASES),
                market=o.optional_choice(market, "--market", o.MARKETS),
                residency=residency,
            ),
        ),
        hardware=hardware,
        seq_lens=axes.axis(
            seq_len,
            "--seq-len",
            lambda text, what: parse_count(text, what, high=MAX_SEQ_LEN, example="4096"),
        ),
        global_batches=(
            (None,)
            if global_batch is None
            else axes.axis(global_batch, "--global-batch", parse_count)
        ),
        tokens=axes.axis(tokens, "--tokens", parse_count),
    )
    points = request.points
    if points > MAX_POINTS:
        raise InputError("sweep.too_many_points", points=f"{points:,}", most=f"{MAX_POINTS:,}")
    terms = Terms(
        fx=exchange_rate(fx, opened, day),
        as_of=day,
        discounts=o.percent_pairs(discount, "--discount"),
    )
    sweep = Sweep(request, opened, terms)
    with _progress(points, output_file) as advance:
        output.stream(_chunks(sweep, form, advance), output_file, bom=form == "csv")
    if not sweep.quoted:
        raise NoOfferError("sweep.nothing", reasons=", ".join(sorted(sweep.reasons)))


Advance = Callable[[int], None]


def _chunks(sweep: Sweep, form: str, advance: Advance | None) -> Iterator[str]:
    """Lines in pieces of some thousands, so that writing and the progress bar cost little."""
    from itertools import islice

    from costcalc.reports import sweep_rows

    lines = sweep_rows.lines(sweep, form)
    if form == "csv":
        yield next(lines)
    while chunk := list(islice(lines, CHUNK)):
        yield "".join(chunk)
        if advance is not None:
            advance(len(chunk))


@contextmanager
def _progress(points: int, output_file: str | None) -> Iterator[Advance | None]:
    """A progress bar on stderr, where that is a terminal and the points do not go to one."""
    if not sys.stderr.isatty() or (output_file is None and sys.stdout.isatty()):
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TimeRemainingColumn,
    )

    columns = (BarColumn(), TaskProgressColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=points)
        yield lambda count: progress.advance(task, count)
