"""`costcalc prices list`: offers of the catalog, filtered and sorted; nothing hidden unsaid."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import as_of_date, open_catalog
from costcalc.reports.json_report import OFFER_COLUMNS
from costcalc.units import parse_count

if TYPE_CHECKING:
    from costcalc.catalog import Catalog, Offer
    from costcalc.reports.document import Document

COLUMNS = (
    *OFFER_COLUMNS,
    "usd_per_accelerator_hour",
    "term",
    "region_scope",
    "note",
)
TABLE_ROWS = 40


def command(
    accelerator: Annotated[
        list[str] | None,
        typer.Option("--accelerator", help=t("prices.accelerator_option"), metavar="NAME"),
    ] = None,
    instance_type: Annotated[
        list[str] | None,
        typer.Option("--instance-type", help=t("prices.instance_option"), metavar="NAME"),
    ] = None,
    provider: Annotated[
        list[str] | None,
        typer.Option("--provider", help=t("prices.provider_option"), metavar="NAME"),
    ] = None,
    region: o.Region = None,
    purchase: o.Purchase = None,
    market: Annotated[
        str | None,
        typer.Option("--market", help=t("prices.market_option"), metavar="|".join(o.MARKETS)),
    ] = None,
    sort: Annotated[
        str, typer.Option("--sort", help=t("prices.sort_option"), metavar="KEY")
    ] = "accelerator-price",
    descending: Annotated[
        bool, typer.Option("--descending", help=t("prices.descending_option"))
    ] = False,
    limit: Annotated[
        str | None, typer.Option("--limit", help=t("prices.limit_option"), metavar="N")
    ] = None,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.catalog.queries import SORTS, OfferQuery, select_offers

    o.check_language(lang)
    form = list_format(form)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    chosen = o.optional_choice(market, "--market", o.MARKETS)
    bought = o.optional_choice(purchase, "--purchase", o.PURCHASES)
    query = OfferQuery(
        accelerators=tuple(opened.accelerator(name).id for name in accelerator or ()),
        instance_types=tuple(instance_type or ()),
        providers=tuple(provider or ()),
        in_region=None if region is None else within(region, opened),
        purchases=() if bought is None else (bought,),
        markets=() if chosen in (None, "any") else (str(chosen),),
        sort=o.choice(sort, "--sort", SORTS),
        descending=descending,
        limit=_limit(limit, form),
    )
    found = select_offers(opened.dated_offers(day), query, day)
    records = [record(offer) for offer in found.offers]
    show_records(
        records, COLUMNS, lambda: _document(found.offers, found.matched, found.known), form, output
    )


def _limit(option: str | None, form: str) -> int | None:
    """`--limit`; without it a table shows the first rows, the other formats everything."""
    if option is None:
        return TABLE_ROWS if form == "table" else None
    number = parse_count(option, "--limit", low=0, high=1_000_000, example="40")
    return number or None


def within(region: str, catalog: Catalog) -> Callable[[str, str | None], bool]:
    """A test whether (provider, region) lies in `--region`; `queretaro` and `mexico` are groups."""
    from costcalc.quote.geography import scope_of

    return scope_of(catalog, region).holds


def record(offer: Offer) -> dict[str, Any]:
    """An offer as one flat record: one machine of it."""
    names = [name for name in COLUMNS if name != "instances"]
    return {**{name: getattr(offer, name) for name in names}, "instances": 1}


def offers_table(offers: Iterable[Offer], title: str | None = None) -> Any:
    """Offers for people: where, what, how, price per accelerator and per machine."""
    from costcalc.reports import wording
    from costcalc.reports.document import Table

    rows = tuple(
        (
            f"{offer.provider} {offer.region or '–'}",
            f"{offer.accelerator_count} x {offer.accelerator}, {offer.instance_type}",
            offer.purchase,
            f"{offer.usd_per_accelerator_hour:,.4f}",
            wording.unit_price(offer.usd_per_instance_hour),
            f"{offer.as_of} {t(f'prices.mark_{offer.confidence}')}".strip(),
        )
        for offer in offers
    )
    columns = tuple(
        t(f"prices.column_{name}")
        for name in ("where", "machine", "purchase", "chip_hour", "machine_hour", "date")
    )
    return Table(title, columns, rows, frozenset({3, 4}))


def _document(offers: tuple[Offer, ...], matched: int, known: int) -> Document:
    from costcalc.reports.document import Block, Document, Notes

    notes = [t("prices.units"), t("prices.marks")]
    if matched > len(offers):
        notes.append(t("prices.hidden", hidden=f"{matched - len(offers):,}"))
    blocks: list[Block] = []
    if offers:
        blocks.append(offers_table(offers))
    else:
        notes = [t("prices.none")]
    blocks.append(Notes("", tuple(notes)))
    title = t("prices.title", matched=f"{matched:,}", known=f"{known:,}")
    return Document(title, tuple(blocks))
