"""`costcalc prices show NAME`: every offer of an instance type or accelerator, with its source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.prices_list import COLUMNS, offers_table, record, within
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import as_of_date, open_catalog
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog, Offer
    from costcalc.reports.document import Document


def command(
    name: Annotated[str, typer.Argument(help=t("prices.name_argument"), metavar="NAME")],
    region: o.Region = None,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.catalog.queries import OfferQuery, select_offers

    o.check_language(lang)
    form = list_format(form)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    machines, accelerators = named(name, opened)
    query = OfferQuery(
        instance_types=machines,
        accelerators=accelerators,
        in_region=None if region is None else within(region, opened),
        history=True,
        sort="provider",
    )
    dated = opened.dated_offers(day)
    every = select_offers(dated, query, day).offers
    known = [offer for offer in every if offer.as_of <= day]
    current = set(dated.current(day))
    records = [{**record(offer), "current": offer in current} for offer in known]
    show_records(
        records, (*COLUMNS, "current"), lambda: _document(name, known, current), form, output
    )


def named(name: str, catalog: Catalog) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Instance types, else accelerators, that a name means."""
    if catalog.machines(name):
        return (name,), ()
    try:
        return (), (catalog.accelerator(name).id,)
    except InputError:
        # hardware names cover machines too, and its error names the nearest of both
        return (), (catalog.hardware(name).accelerator.id,)


def _document(name: str, known: list[Offer], current: set[Offer]) -> Document:
    from costcalc.reports.document import Block, Document, Notes

    now = [offer for offer in known if offer in current]
    before = [offer for offer in known if offer not in current]
    blocks: list[Block] = [offers_table(now, t("prices.current"))] if now else []
    if before:
        blocks.append(offers_table(before, t("prices.before")))
    sources = dict.fromkeys(f"{offer.source} ({offer.as_of})" for offer in now)
    if sources:
        blocks.append(Notes(t("prices.sources"), tuple(sources)))
    remarks = dict.fromkeys(f"{offer.instance_type}: {offer.note}" for offer in now if offer.note)
    if remarks:
        blocks.append(Notes(t("prices.remarks"), tuple(remarks)))
    return Document(t("prices.show_title", name=name, count=len(now)), tuple(blocks))
