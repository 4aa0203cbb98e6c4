"""`costcalc compare serve`: the same service on every offer that can run it, ranked."""

from __future__ import annotations

from typing import Annotated

import typer

from costcalc.cli import language
from costcalc.cli import options as o
from costcalc.cli import serve_options as s
from costcalc.cli.language import t
from costcalc.cli.reading import model_from, takes_files
from costcalc.cli.render import check_report, quote_format, show_comparison, show_quote
from costcalc.cli.session import as_of_date, exchange_rate, iva, open_catalog
from costcalc.units import parse_count, parse_money

RANKS = ("cost", "token-time", "token-cost")
PURCHASES = (*o.PURCHASES, "any")
DEFAULT_TOP = 10
MAX_TOP = 100_000
_LIMITS = t("compare.panel_limits")


@takes_files("serve", without=("on",))
def command(
    model: o.Model,
    on: Annotated[
        list[str] | None,
        typer.Option("--on", help=t("serve_compare.on"), metavar="ACCEL:COUNT"),
    ] = None,
    input_tokens: s.InputTokens = None,
    output_tokens: s.OutputTokens = None,
    rps: s.Rps = None,
    concurrency: s.Concurrency = None,
    ttft: s.Ttft = None,
    tpot: s.Tpot = None,
    average_load: s.AverageLoad = "100%",
    arrival_cv: s.ArrivalCv = "1",
    replicas: s.Replicas = None,
    engine: s.Engine = None,
    precision: s.Precision = None,
    kv_precision: s.KvPrecision = None,
    prefix_hit: s.PrefixHit = "0%",
    draft_tokens: s.DraftTokens = None,
    draft_acceptance: s.DraftAcceptance = "0.7",
    draft_size: s.DraftSize = "0.02",
    months: s.Months = "1",
    rank: Annotated[
        str | None,
        typer.Option(
            "--rank",
            help=t("serve_compare.rank"),
            metavar="|".join(RANKS),
            rich_help_panel=_LIMITS,
        ),
    ] = None,
    budget: o.Budget = None,
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
) -> None:
    from costcalc.quote.compare_serve import ServeCompareRequest, compare_serving
    from costcalc.quote.select import Placement
    from costcalc.quote.serve import ServeRequest
    from costcalc.quote.serve_ranking import quote_serve_comparison
    from costcalc.quote.terms import Terms

    o.check_language(lang)
    form = quote_format(form)
    check_report(form, output_file, chart)
    day = as_of_date(as_of)
    mode, rate = iva(iva_mode, iva_rate)
    shown = o.choice(currency, "--currency", o.CURRENCIES)
    limit = None if budget is None else parse_money(budget, "--budget")
    count = None if top is None else parse_count(top, "--top", low=0, high=MAX_TOP, example="10")
    load = s.load_of(
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
        storage=None,
        egress=None,
    )
    opened = open_catalog(catalog)
    terms = Terms(
        fx=exchange_rate(fx, opened, day),
        as_of=day,
        iva_mode=mode,
        iva_rate=rate,
        discounts=o.percent_pairs(discount, "--discount"),
        budget=limit,
        currency="both" if shown == "both" else shown.upper(),  # type: ignore[arg-type]
    )
    hardware = tuple(opened.hardware(text) for text in on or ())
    # the placement needs some hardware; the comparison puts each offer's own in its place
    some = hardware[0] if hardware else opened.hardware(f"{next(iter(opened.accelerators()))}:1")
    base = ServeRequest(
        architecture=model_from(opened, model),
        placement=Placement(
            hardware=some,
            provider=o.provider(provider, opened),
            region=region,
            purchase=o.optional_choice(purchase, "--purchase", PURCHASES),
            market=o.optional_choice(market, "--market", o.MARKETS),
            residency=residency,
        ),
        **load,
    )
    request = ServeCompareRequest(
        base=base,
        on=hardware,
        rank=o.optional_choice(rank, "--rank", RANKS),
        all_regions=all_regions,
    )
    wanted = count
    if wanted is None and form in ("table", "markdown"):
        wanted = DEFAULT_TOP
    comparison = compare_serving(request, opened, terms, top=wanted or None)
    quote = quote_serve_comparison(
        request,
        comparison,
        opened,
        terms,
        {
            "on": [item.text for item in hardware],
            "rank": request.ranked_by,
            "top": count,
            "budget": None if limit is None else str(limit),
        },
        language=language.current(),
        show_excluded=show_excluded,
    )
    if form in ("table", "markdown"):
        from costcalc.reports import compare_serve_section

        document = compare_serve_section.build(
            quote, comparison, language.current(), show_excluded=show_excluded
        )
        show_comparison(quote, document, form, output_file, plot=plot, chart=chart)
    else:
        show_quote(quote, form, output_file, catalog=opened, chart=chart)
