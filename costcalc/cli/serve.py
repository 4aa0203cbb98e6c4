"""`costcalc serve`: quote serving a model, with its latency, replicas and cost per token."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.reading import model_from, takes_files
from costcalc.cli.render import check_report, quote_format, show_quote, shows_offers
from costcalc.cli.serve_options import (
    ArrivalCv,
    AverageLoad,
    Concurrency,
    DraftAcceptance,
    DraftSize,
    DraftTokens,
    Egress,
    Engine,
    InputTokens,
    KvPrecision,
    Months,
    OutputTokens,
    Precision,
    PrefixHit,
    Replicas,
    Rps,
    Storage,
    Tpot,
    Ttft,
    load_of,
)
from costcalc.cli.session import as_of_date, exchange_rate, iva, open_catalog
from costcalc.cli.versus_options import VersusApi, VersusOwned, beside
from costcalc.errors import OverBudgetError
from costcalc.units import parse_money

On = Annotated[str, typer.Option("--on", help=t("serve.on_option"), metavar="ACCEL:COUNT")]


@takes_files("serve")
def command(
    model: o.Model,
    on: On,
    input_tokens: InputTokens = None,
    output_tokens: OutputTokens = None,
    rps: Rps = None,
    concurrency: Concurrency = None,
    ttft: Ttft = None,
    tpot: Tpot = None,
    average_load: AverageLoad = "100%",
    arrival_cv: ArrivalCv = "1",
    replicas: Replicas = None,
    engine: Engine = None,
    precision: Precision = None,
    kv_precision: KvPrecision = None,
    prefix_hit: PrefixHit = "0%",
    draft_tokens: DraftTokens = None,
    draft_acceptance: DraftAcceptance = "0.7",
    draft_size: DraftSize = "0.02",
    months: Months = "1",
    storage: Storage = None,
    egress: Egress = None,
    provider: o.Provider = None,
    region: o.Region = None,
    purchase: o.Purchase = None,
    market: o.Market = None,
    residency: o.Residency = None,
    nearest: o.Nearest = False,
    assume: o.Assume = None,
    versus_api: VersusApi = None,
    versus_owned: VersusOwned = None,
    currency: o.Currency = "both",
    fx: o.Fx = None,
    iva_mode: o.Iva = "none",
    iva_rate: o.IvaRate = "16",
    discount: o.Discount = None,
    budget: o.Budget = None,
    as_of: o.AsOf = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help=t("options.explain"), rich_help_panel=t("options.panel_output")
        ),
    ] = False,
    sensitivity: o.Sensitivity = False,
    chart: o.Chart = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.quote.select import Placement
    from costcalc.quote.serve import ServeRequest, quote_serving
    from costcalc.quote.terms import Terms

    o.check_language(lang)
    form = quote_format(form)
    check_report(form, output, chart)
    day = as_of_date(as_of)
    mode, rate = iva(iva_mode, iva_rate)
    shown = o.choice(currency, "--currency", o.CURRENCIES)
    money = None if budget is None else parse_money(budget, "--budget")
    discounts = o.percent_pairs(discount, "--discount")
    load = load_of(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        rps=rps,
        concurrency=concurrency,
        ttft=ttft,
        tpot=tpot,
        average_load=average_load,
        arrival_cv=arrival_cv,
        replicas=replicas,
        engine=engine,
        precision=precision,
        kv_precision=kv_precision,
        prefix_hit=prefix_hit,
        draft_tokens=draft_tokens,
        draft_acceptance=draft_acceptance,
        draft_size=draft_size,
        months=months,
        storage=storage,
        egress=egress,
    )
    opened = open_catalog(catalog)
    request = ServeRequest(
        architecture=model_from(opened, model),
        placement=Placement(
            hardware=opened.hardware(on),
            provider=o.provider(provider, opened),
            region=region,
            purchase=o.optional_choice(purchase, "--purchase", o.PURCHASES),
            market=o.optional_choice(market, "--market", o.MARKETS),
            residency=residency,
            nearest=nearest,
        ),
        **load,
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
    if assume is not None:
        from costcalc.cli.assume import assumed
        from costcalc.quote.assume import assumed_serving

        idle = {
            "--provider": provider,
            "--region": region,
            "--purchase": purchase,
            "--market": market,
            "--residency": residency,
            "--nearest": nearest,
            "--concurrency": concurrency,
            "--ttft": ttft,
            "--tpot": tpot,
            "--arrival-cv": arrival_cv,
            "--engine": engine,
            "--precision": precision,
            "--kv-precision": kv_precision,
            "--prefix-hit": prefix_hit,
            "--draft-tokens": draft_tokens,
            "--storage": storage,
            "--egress": egress,
            "--versus-api": versus_api,
            "--versus-owned": versus_owned,
            "--sensitivity": sensitivity,
            "--chart": chart,
        }
        quote = assumed_serving(request, assumed(assume, form, idle), opened, terms)
    else:
        quote = quote_serving(request, opened, terms)
        quote = beside(quote, request, opened, terms, versus_api, versus_owned)
    if sensitivity:
        from costcalc.quote.vary_serve import serve_swings

        quote = replace(quote, sensitivity=serve_swings(request, quote, opened, terms))
    if shows_offers(form, chart):
        from costcalc.quote.serve_alternatives import serve_alternatives

        quote = replace(quote, offers=serve_alternatives(request, opened, terms))
    show_quote(quote, form, output, explain=explain, catalog=opened, chart=chart)
    if quote.budget is not None and quote.budget.status == "over":
        raise OverBudgetError(
            "serve.over_budget", share=f"{quote.budget.spent_fraction:.0%}", budget=money
        )
