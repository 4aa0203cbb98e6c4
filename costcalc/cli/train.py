"""`costcalc train`: quote one training or fine-tuning run."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Annotated

import typer

from costcalc.cli import calibration_file
from costcalc.cli import options as o
from costcalc.cli import run_options as x
from costcalc.cli import training_options as r
from costcalc.cli.language import t
from costcalc.cli.reading import model_from, takes_files
from costcalc.cli.render import check_report, quote_format, show_quote, shows_offers
from costcalc.cli.session import as_of_date, exchange_rate, iva, open_catalog
from costcalc.errors import OverBudgetError
from costcalc.units import parse_count, parse_money, parse_number

MAX_SEQ_LEN = 100_000_000
MAX_EPOCHS = 10_000
MAX_RANK = 65_536
_RUN = t("options.panel_run")


@takes_files("train")
def command(
    model: o.Model,
    on: o.On,
    tokens: Annotated[
        str, typer.Option("--tokens", help=t("options.tokens"), metavar="15T", rich_help_panel=_RUN)
    ],
    epochs: r.Epochs = "1",
    seq_len: r.SeqLen = "4096",
    global_batch: r.GlobalBatch = None,
    method: r.Method = "full",
    lora_rank: r.LoraRank = "16",
    precision: r.Precision = "bf16",
    tuning: r.Tuning = None,
    whole_run: r.WholeRun = False,
    programme_factor: x.ProgrammeFactor = "1",
    dataset: x.Dataset = None,
    checkpoints: x.Checkpoints = None,
    checkpoint_months: x.CheckpointMonths = None,
    egress: x.Egress = None,
    support: x.Support = None,
    credit: x.Credit = None,
    provider: o.Provider = None,
    region: o.Region = None,
    purchase: o.Purchase = None,
    market: o.Market = None,
    residency: o.Residency = None,
    nearest: o.Nearest = False,
    assume: o.Assume = None,
    currency: o.Currency = "both",
    fx: o.Fx = None,
    iva_mode: o.Iva = "none",
    iva_rate: o.IvaRate = "16",
    discount: o.Discount = None,
    budget: o.Budget = None,
    as_of: o.AsOf = None,
    explain: Annotated[
        bool, typer.Option("--explain", help=t("options.explain"), rich_help_panel=_RUN)
    ] = False,
    sensitivity: o.Sensitivity = False,
    chart: o.Chart = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
    calibration: calibration_file.CalibrationFile = None,
) -> None:
    from costcalc.quote.select import Placement
    from costcalc.quote.terms import Terms
    from costcalc.quote.train import TrainRequest, quote_training

    o.check_language(lang)
    form = quote_format(form)
    check_report(form, output, chart)
    day = as_of_date(as_of)
    mode, rate = iva(iva_mode, iva_rate)
    shown = o.choice(currency, "--currency", o.CURRENCIES)
    money = None if budget is None else parse_money(budget, "--budget")
    discounts = o.percent_pairs(discount, "--discount")
    token_count = parse_count(tokens, "--tokens")
    passes = parse_number(epochs, "--epochs", low=Decimal("0.01"), high=MAX_EPOCHS, example="3")
    opened = open_catalog(catalog)
    calibration_file.apply(opened, calibration)
    request = TrainRequest(
        architecture=model_from(opened, model),
        tokens=token_count,
        epochs=passes,
        seq_len=parse_count(seq_len, "--seq-len", high=MAX_SEQ_LEN, example="4096"),
        global_batch_tokens=(
            None if global_batch is None else parse_count(global_batch, "--global-batch")
        ),
        method=o.choice(method, "--method", o.METHODS),
        lora_rank=parse_count(lora_rank, "--lora-rank", high=MAX_RANK, example="16"),
        precision=o.choice(precision, "--precision", o.TRAIN_PRECISIONS),
        tuning=o.optional_choice(tuning, "--tuning", o.TUNINGS),
        whole_run=whole_run,
        placement=Placement(
            hardware=opened.hardware(on),
            provider=o.provider(provider, opened),
            region=region,
            purchase=o.optional_choice(purchase, "--purchase", o.PURCHASES),
            market=o.optional_choice(market, "--market", o.MARKETS),
            residency=residency,
            nearest=nearest,
        ),
    )
    terms = Terms(
        fx=exchange_rate(fx, opened, day),
        as_of=day,
        iva_mode=mode,
        iva_rate=rate,
        discounts=discounts,
        budget=money,
        currency="both" if shown == "both" else shown.upper(),  # type: ignore[arg-type]
    )
    extras = x.extras(
        programme_factor=programme_factor,
        dataset=dataset,
        checkpoints=checkpoints,
        checkpoint_months=checkpoint_months,
        egress=egress,
        support=support,
        credit=credit,
    )
    if assume is not None:
        from costcalc.cli.assume import assumed
        from costcalc.quote.assume import assumed_training

        idle = {
            "--provider": provider,
            "--region": region,
            "--purchase": purchase,
            "--market": market,
            "--residency": residency,
            "--nearest": nearest,
            "--tuning": tuning,
            "--whole-run": whole_run,
            "--programme-factor": programme_factor,
            "--dataset": dataset,
            "--checkpoints": checkpoints,
            "--checkpoint-months": checkpoint_months,
            "--egress": egress,
            "--support": support,
            "--credit": credit,
            "--sensitivity": sensitivity,
            "--chart": chart,
        }
        quote = assumed_training(request, assumed(assume, form, idle), opened, terms)
    else:
        quote = quote_training(request, opened, terms, extras=extras)
    if sensitivity:
        from costcalc.quote.vary import train_swings

        quote = replace(quote, sensitivity=train_swings(request, quote, opened, terms, extras))
    if shows_offers(form, chart):
        from costcalc.quote.alternatives import alternatives

        hours = quote.workloads[0].estimate.hours  # type: ignore[union-attr]
        quote = replace(quote, offers=alternatives(request, hours, opened, terms))
    show_quote(quote, form, output, explain=explain, catalog=opened, chart=chart)
    if quote.budget is not None and quote.budget.status == "over":
        raise OverBudgetError(
            "train.over_budget", share=f"{quote.budget.spent_fraction:.0%}", budget=money
        )
