"""`costcalc compare train`: one training run on every offer that can do it, ranked."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

import typer

from costcalc.cli import calibration_file, language
from costcalc.cli import options as o
from costcalc.cli import training_options as r
from costcalc.cli.language import t
from costcalc.cli.reading import model_from, takes_files
from costcalc.cli.render import check_report, quote_format, show_comparison, show_quote
from costcalc.cli.session import as_of_date, exchange_rate, iva, open_catalog
from costcalc.cli.train import MAX_EPOCHS, MAX_RANK, MAX_SEQ_LEN
from costcalc.errors import InputError
from costcalc.units import parse_count, parse_hours, parse_money, parse_number

_RUN = t("options.panel_run")
_LIMITS = t("compare.panel_limits")
RANKS = ("cost", "time", "cost-time")
SOFTWARE = ("jax", "pytorch")
PURCHASES = (*o.PURCHASES, "any")
DEFAULT_TOP = 10
MAX_TOP = 100_000
MAX_PORTING_HOURS = 1_000_000


@takes_files("train", without=("on", "provider", "region", "purchase"))
def command(
    model: o.Model,
    tokens: Annotated[
        str, typer.Option("--tokens", help=t("options.tokens"), metavar="15T", rich_help_panel=_RUN)
    ],
    on: Annotated[
        list[str] | None,
        typer.Option("--on", help=t("compare.on"), metavar="ACCEL:COUNT"),
    ] = None,
    epochs: r.Epochs = "1",
    seq_len: r.SeqLen = "4096",
    global_batch: r.GlobalBatch = None,
    method: r.Method = "full",
    lora_rank: r.LoraRank = "16",
    precision: r.Precision = "bf16",
    tuning: r.Tuning = None,
    whole_run: r.WholeRun = False,
    rank: Annotated[
        str,
        typer.Option(
            "--rank", help=t("compare.rank"), metavar="|".join(RANKS), rich_help_panel=_LIMITS
        ),
    ] = "cost",
    deadline: Annotated[
        str | None,
        typer.Option(
            "--deadline", help=t("compare.deadline_option"), metavar="30d", rich_help_panel=_LIMITS
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            help=t("compare.budget_option"),
            metavar="20000USD",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    max_chips: Annotated[
        str | None,
        typer.Option(
            "--max-chips", help=t("compare.max_chips"), metavar="N", rich_help_panel=_LIMITS
        ),
    ] = None,
    software: Annotated[
        str | None,
        typer.Option(
            "--software",
            help=t("compare.software"),
            metavar="|".join(SOFTWARE),
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    porting_hours: Annotated[
        str | None,
        typer.Option(
            "--porting-hours",
            help=t("compare.porting_hours"),
            metavar="N",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    porting_rate: Annotated[
        str | None,
        typer.Option(
            "--porting-rate",
            help=t("compare.porting_rate"),
            metavar="60USD",
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    top: Annotated[
        str | None,
        typer.Option("--top", help=t("compare.top"), metavar="N", rich_help_panel=_LIMITS),
    ] = None,
    show_excluded: Annotated[
        bool,
        typer.Option("--show-excluded", help=t("compare.show_excluded"), rich_help_panel=_LIMITS),
    ] = False,
    all_regions: Annotated[
        bool,
        typer.Option("--all-regions", help=t("compare.all_regions"), rich_help_panel=_LIMITS),
    ] = False,
    provider: o.Provider = None,
    region: o.Region = None,
    purchase: Annotated[
        str | None,
        typer.Option(
            "--purchase",
            help=t("compare.purchase"),
            metavar="|".join(PURCHASES),
            rich_help_panel=t("options.panel_where"),
        ),
    ] = None,
    market: o.Market = None,
    residency: o.Residency = None,
    currency: o.Currency = "both",
    fx: o.Fx = None,
    iva_mode: o.Iva = "none",
    iva_rate: o.IvaRate = "16",
    discount: o.Discount = None,
    as_of: o.AsOf = None,
    plot: o.Plot = False,
    chart: o.Chart = None,
    form: o.Format = "table",
    output_file: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
    calibration: calibration_file.CalibrationFile = None,
) -> None:
    from costcalc.estimate.training import TrainingJob
    from costcalc.quote.compare import compare
    from costcalc.quote.compare_types import CompareRequest
    from costcalc.quote.ranking import quote_comparison
    from costcalc.quote.terms import Terms

    o.check_language(lang)
    form = quote_format(form)
    check_report(form, output_file, chart)
    day = as_of_date(as_of)
    mode, rate = iva(iva_mode, iva_rate)
    shown = o.choice(currency, "--currency", o.CURRENCIES)
    limit = None if budget is None else parse_money(budget, "--budget")
    count = None if top is None else parse_count(top, "--top", low=0, high=MAX_TOP, example="10")
    opened = open_catalog(catalog)
    calibration_file.apply(opened, calibration)
    terms = Terms(
        fx=exchange_rate(fx, opened, day),
        as_of=day,
        iva_mode=mode,
        iva_rate=rate,
        discounts=o.percent_pairs(discount, "--discount"),
        budget=limit,
        currency="both" if shown == "both" else shown.upper(),  # type: ignore[arg-type]
    )
    token_count = parse_count(tokens, "--tokens")
    passes = parse_number(epochs, "--epochs", low=Decimal("0.01"), high=MAX_EPOCHS, example="3")
    batch = None if global_batch is None else parse_count(global_batch, "--global-batch")
    job = TrainingJob(
        architecture=model_from(opened, model),
        tokens=float(token_count * passes),
        seq_len=parse_count(seq_len, "--seq-len", high=MAX_SEQ_LEN, example="4096"),
        global_batch_tokens=None if batch is None else float(batch),
        method=o.choice(method, "--method", o.METHODS),
        lora_rank=parse_count(lora_rank, "--lora-rank", high=MAX_RANK, example="16"),
        precision=o.choice(precision, "--precision", o.TRAIN_PRECISIONS),
        tuning=o.optional_choice(tuning, "--tuning", o.TUNINGS),
        whole_run=whole_run,
    )
    hours = None if deadline is None else parse_hours(deadline, "--deadline")
    most = None if max_chips is None else parse_count(max_chips, "--max-chips", example="1024")
    code = o.optional_choice(software, "--software", SOFTWARE)
    porting = _porting(porting_hours, porting_rate, code, terms.fx.usd_mxn)
    ranked = o.choice(rank, "--rank", RANKS)
    hardware = tuple(opened.hardware(text) for text in on or ())
    inputs: dict[str, Any] = {
        "model": job.architecture.name,
        "tokens": token_count,
        "epochs": passes,
        "seq_len": job.seq_len,
        "global_batch_tokens": batch,
        "method": job.method,
        "lora_rank": job.lora_rank if job.method != "full" else None,
        "precision": job.precision,
        "tuning": job.tuning,
        "whole_run": whole_run,
        "on": [item.text for item in hardware],
        "rank": ranked,
        "deadline": deadline,
        "budget": None if limit is None else str(limit),
        "max_chips": most,
        "software": code,
        "porting_usd": porting,
        "top": count,
        "provider": provider,
        "region": region,
        "purchase": purchase,
        "market": market,
        "residency": residency,
    }
    request = CompareRequest(
        job=job,
        inputs=inputs,
        on=hardware,
        provider=o.provider(provider, opened),
        region=region,
        purchase=o.optional_choice(purchase, "--purchase", PURCHASES),
        market=o.optional_choice(market, "--market", o.MARKETS),
        residency=residency,
        deadline_hours=hours,
        max_chips=most,
        rank=ranked,
        software=code,
        porting_usd=porting,
        all_regions=all_regions,
    )
    wanted = count
    if wanted is None and form in ("table", "markdown"):
        wanted = DEFAULT_TOP
    comparison = compare(request, opened, terms, top=wanted or None)
    quote = quote_comparison(
        request,
        comparison,
        opened,
        terms,
        language=language.current(),
        show_excluded=show_excluded,
    )
    if form in ("table", "markdown"):
        from costcalc.reports import compare_section

        document = compare_section.build(
            quote, comparison, language.current(), show_excluded=show_excluded
        )
        show_comparison(quote, document, form, output_file, plot=plot, chart=chart)
    else:
        show_quote(quote, form, output_file, catalog=opened, chart=chart)


def _porting(
    hours: str | None, rate: str | None, software: str | None, usd_mxn: Decimal
) -> Decimal | None:
    """Cost of porting in USD.

    Raises:
        InputError: only one of hours and rate is given, or no `--software` says what is ported.
    """
    if hours is None and rate is None:
        return None
    if hours is None or rate is None or software is None:
        raise InputError("compare.porting_needs")
    amount = parse_money(rate, "--porting-rate")
    work = parse_number(hours, "--porting-hours", low=0, high=MAX_PORTING_HOURS, example="200")
    per_hour = amount.amount if amount.currency == "USD" else amount.amount / usd_mxn
    return (per_hour * work).quantize(Decimal("0.01"))
