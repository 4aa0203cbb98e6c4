"""`costcalc regions list`: every region with its place and the accelerators listed there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import as_of_date, open_catalog
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.catalog.regions import Region, Regions
    from costcalc.reports.document import Document

COLUMNS = (
    "provider",
    "region",
    "name",
    "country",
    "city",
    "latitude",
    "longitude",
    "precision",
    "launched",
    "opt_in",
    "accelerators",
)


def command(
    country: Annotated[
        str | None, typer.Option("--country", help=t("regions.country_option"), metavar="MX")
    ] = None,
    accelerator: Annotated[
        str | None,
        typer.Option("--accelerator", help=t("regions.accelerator_option"), metavar="NAME"),
    ] = None,
    provider: o.Provider = None,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.quote.listing import accelerators_in

    o.check_language(lang)
    form = list_format(form)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    regions = opened.regions()
    offers = list(opened.current_offers(day))
    wanted = None if accelerator is None else opened.accelerator(accelerator).id
    kept = [
        region
        for region in in_country(regions, country)
        if provider is None or region.provider == o.provider(provider, opened)
    ]
    records: list[dict[str, Any]] = []
    for region in kept:
        found = accelerators_in(region, offers)
        if wanted is None or wanted in found:
            records.append(record(region, found))
    show_records(records, COLUMNS, lambda: _document(records), form, output)


def in_country(regions: Regions, country: str | None) -> list[Region]:
    """All regions, or those of a country given by ISO code or by its name in either language.

    Raises:
        InputError: no region lies in such a country.
    """
    from costcalc.catalog.names import nearest
    from costcalc.catalog.regions import folded
    from costcalc.messages import LANGUAGES, text

    items = sorted(regions.values(), key=lambda item: (item.country, item.provider, item.code))
    if country is None:
        return items
    names: dict[str, str] = {}
    for item in items:
        names[folded(item.country)] = item.country
        for language in LANGUAGES:
            names[folded(text(f"regions.country_{item.country}", language))] = item.country
    code = names.get(folded(country))
    if code is None:
        near = nearest(folded(country), names) or sorted({item.country for item in items})
        raise InputError("regions.no_country", text=country, names=", ".join(near))
    return [item for item in items if item.country == code]


def record(region: Region, accelerators: list[str]) -> dict[str, Any]:
    """The flat record of one region."""
    return {
        "provider": region.provider,
        "region": region.code,
        "name": region.name,
        "country": region.country,
        "city": region.city,
        "latitude": region.latitude,
        "longitude": region.longitude,
        "precision": region.precision if region.city else None,
        "launched": region.launched,
        "opt_in": region.opt_in,
        "accelerators": ", ".join(accelerators),
    }


def _document(records: list[dict[str, Any]]) -> Document:
    from costcalc.reports.document import Document, Notes, Table

    rows = tuple(
        (
            record["country"],
            record["provider"],
            record["region"],
            f"{record['city'] or '–'}{'' if record['precision'] == 'city' else ' ~'}",
            record["accelerators"] or t("regions.none_listed"),
        )
        for record in records
    )
    columns = tuple(
        t(f"regions.column_{name}")
        for name in ("country", "provider", "region", "city", "accelerators")
    )
    notes = Notes("", (t("regions.listed_note"), t("regions.area_note")))
    return Document(t("regions.title", count=len(records)), (Table(None, columns, rows), notes))
