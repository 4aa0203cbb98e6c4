"""`costcalc prices history`: how prices moved, in the catalog and in the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli import session
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.errors import NoOfferError

if TYPE_CHECKING:
    from datetime import date

    from costcalc.catalog import Catalog, Offer
    from costcalc.reports.document import Document
    from costcalc.sources.history import Point, Series

COLUMNS = (
    "provider",
    "region",
    "instance_type",
    "accelerator",
    "accelerator_count",
    "purchase",
    "term",
    "market",
    "as_of",
    "until",
    "gone",
    "usd_per_instance_hour",
    "usd_per_accelerator_hour",
    "confidence",
    "source",
)
SHOWN_SERIES = 40
PLOTTED_SERIES = 6


def command(
    what: Annotated[
        str, typer.Argument(help=t("sources.history_what"), metavar="NAME", show_default=False)
    ],
    provider: o.Provider = None,
    region: o.Region = None,
    purchase: o.Purchase = None,
    as_of: o.AsOf = None,
    plot: Annotated[
        bool,
        typer.Option("--plot", help=t("chart.history"), rich_help_panel=t("options.panel_output")),
    ] = False,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.sources.history import series_of

    o.check_language(lang)
    form = list_format(form)
    day = session.as_of_date(as_of)
    opened = session.open_catalog(catalog)
    seller = o.provider(provider, opened)
    way = o.optional_choice(purchase, "--purchase", o.PURCHASES)
    place = None if region is None else opened.regions().resolve(region)
    offers = [
        held
        for held in dated(what, opened, day)
        if (seller is None or held.provider == seller)
        and (way is None or held.purchase == way)
        and (place is None or place.holds(held.provider, held.region))
    ]
    series = series_of(offers, day)
    if not series:
        raise NoOfferError("sources.history_none", what=what)
    records = [_record(point) for item in series for point in item.points]
    show_records(records, COLUMNS, lambda: _document(series), form, output)
    if plot and form == "table" and output is None:
        print(_plots(series, day))


def dated(what: str, catalog: Catalog, day: date) -> list[Offer]:
    """Every dated price of an accelerator or an instance type, shipped and fetched.

    Raises:
        InputError: neither is known; the nearest names are told.
    """
    machine = catalog.machines(what)
    if machine:
        return list(catalog.dated_offers(day).of_instance_type(machine[0][1]))
    chip = catalog.accelerator(what).id
    return list(catalog.dated_offers(day).of_accelerator(chip))


def _record(point: Point) -> dict[str, Any]:
    held = point.offer
    return {
        "provider": held.provider,
        "region": held.region,
        "instance_type": held.instance_type,
        "accelerator": held.accelerator,
        "accelerator_count": held.accelerator_count,
        "purchase": held.purchase,
        "term": held.term or None,
        "market": held.market,
        "as_of": held.as_of,
        "until": point.until,
        "gone": point.gone,
        "usd_per_instance_hour": held.usd_per_instance_hour,
        "usd_per_accelerator_hour": held.usd_per_accelerator_hour,
        "confidence": held.confidence,
        "source": held.source,
    }


def _document(series: Sequence[Series]) -> Document:
    from costcalc.reports.document import Block, Document, Notes, Table

    moved = [item for item in series if len(item.points) > 1]
    shown = (moved or list(series))[:SHOWN_SERIES]
    machines: dict[str, list[Series]] = {}
    for item in shown:
        held = item.last.offer
        machines.setdefault(f"{held.provider} {held.instance_type}", []).append(item)
    columns = tuple(
        t(f"sources.word_{name}")
        for name in ("region", "purchase", "trend", "first", "last", "change")
    )
    blocks: list[Block] = [
        Table(title, columns, tuple(_row(item) for item in items), numeric=frozenset({3, 4, 5}))
        for title, items in machines.items()
    ]
    hidden = len(series) - len(shown)
    if hidden:
        blocks.append(Notes("", (t("sources.history_hidden", count=hidden),)))
    return Document(t("sources.history_title"), tuple(blocks))


def _plots(series: Sequence[Series], day: date) -> str:
    """A drawing of each price that moved, the first few of them."""
    from costcalc.cli.render import terminal_width
    from costcalc.reports.plot import steps

    drawn = []
    for item in [item for item in series if len(item.points) > 1][:PLOTTED_SERIES]:
        held, until = item.last.offer, item.last.until if item.last.gone else None
        place = held.region or t("sources.all_regions")
        name = f"{held.provider} {held.instance_type}, {place}, {held.purchase}"
        points = [(point.offer.as_of, point.usd) for point in item.points]
        drawing = steps(points, terminal_width(), until=until or day)
        drawn.append(f"{t('chart.history_title', name=name)}\n{drawing}")
    return "\n" + ("\n".join(drawn) if drawn else t("chart.history_nothing"))


def _row(item: Series) -> tuple[str, ...]:
    held, last = item.last.offer, item.last
    change = item.change_pct
    return (
        held.region or t("sources.all_regions"),
        " ".join(part for part in (held.purchase, held.term) if part),
        item.trend or "–",
        f"{item.first.usd} ({item.first.offer.as_of})",
        t("sources.word_gone", date=last.until) if last.gone else f"{last.usd} ({held.as_of})",
        "–" if change is None or len(item.points) == 1 else f"{change:+.1f} %",
    )
