"""`costcalc regions show NAME`: a region or a group: its place and what is listed there, with the
evidence for each accelerator and the nearest regions that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import list_format, show_records
from costcalc.cli.session import as_of_date, open_catalog

if TYPE_CHECKING:
    from costcalc.catalog.regions import Region, Regions
    from costcalc.quote.listing import Evidence
    from costcalc.reports.document import Block, Document, Facts

COLUMNS = (
    "provider",
    "region",
    "country",
    "city",
    "accelerator",
    "instance_type",
    "evidence",
    "detail",
    "usd_per_accelerator_hour",
    "as_of",
    "source",
)
NEAREST_SHOWN = 5


def command(
    name: Annotated[str, typer.Argument(help=t("regions.name_argument"), metavar="NAME")],
    accelerator: Annotated[
        str | None,
        typer.Option("--accelerator", help=t("regions.accelerator_option"), metavar="NAME"),
    ] = None,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.quote.geography import scope_of
    from costcalc.quote.listing import accelerators_in, evidence

    o.check_language(lang)
    form = list_format(form)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    regions = opened.regions()
    scope = scope_of(opened, name)
    offers = list(opened.current_offers(day))
    wanted = None if accelerator is None else opened.accelerator(accelerator).id
    shown: list[tuple[Region, list[Evidence]]] = []
    records: list[dict[str, Any]] = []
    for key in scope.regions:
        region = regions.get(key)
        if region is None:
            continue
        found = [item for item in evidence(region, offers) if wanted in (None, item.accelerator)]
        shown.append((region, found))
        records.extend(_record(region, item) for item in found)
    having = {
        region.id
        for region in regions.values()
        if (listed := accelerators_in(region, offers)) and wanted in (None, *listed)
    }
    show_records(
        records, COLUMNS, lambda: _document(scope.label, shown, regions, having), form, output
    )


def _record(region: Region, item: Evidence) -> dict[str, Any]:
    return {
        "provider": region.provider,
        "region": region.code,
        "country": region.country,
        "city": region.city,
        "accelerator": item.accelerator,
        "instance_type": item.instance_type or None,
        "evidence": item.kind,
        "detail": item.detail,
        "usd_per_accelerator_hour": item.usd_per_accelerator_hour,
        "as_of": item.as_of,
        "source": item.source,
    }


def _document(
    label: str,
    shown: list[tuple[Region, list[Evidence]]],
    regions: Regions,
    having: set[str],
) -> Document:
    from costcalc.reports.document import Document, Notes

    blocks: list[Block] = []
    sources: list[str] = []
    for region, found in shown:
        blocks.append(_facts(region))
        blocks.append(_evidence_table(found, sources))
    if shown:
        blocks.append(_nearest(shown[0][0], regions, having))
    if sources:
        numbered = tuple(f"[{number}] {source}" for number, source in enumerate(sources, 1))
        blocks.append(Notes(t("regions.sources"), numbered))
    return Document(t("regions.show_title", name=label), tuple(blocks))


def _facts(region: Region) -> Facts:
    from costcalc.reports.document import Facts

    country = t(f"regions.country_{region.country}")
    place = f"{region.city}, {country}" if region.city else country
    if region.latitude is not None and region.longitude is not None:
        place += f" ({region.latitude:.2f}, {region.longitude:.2f}"
        place += ")" if region.precision == "city" else f"; {t('regions.area')})"
    rows = [(t("regions.column_region"), f"{region.provider} {region.code} · {region.name}")]
    rows.append((t("regions.place"), place))
    if region.launched:
        since = region.launched
        if region.launched_source:
            since += f" ({region.launched_source})"
        rows.append((t("regions.launched"), since))
    if region.opt_in:
        rows.append((t("regions.opt_in"), t("regions.opt_in_yes")))
    for ratio in region.machine_price_ratios:
        rows.append(
            (
                t("regions.machine_prices"),
                t(
                    "regions.ratio",
                    ratio=f"{ratio.ratio.normalize():f}",
                    against=ratio.against,
                    basis=ratio.basis,
                    date=ratio.as_of,
                ),
            )
        )
    if region.note:
        rows.append((t("regions.note"), region.note))
    return Facts(region.id, tuple(rows))


def _evidence_table(found: list[Evidence], sources: list[str]) -> Block:
    from costcalc.reports.document import Notes, Table

    if not found:
        return Notes("", (t("regions.none_listed_here"),))
    rows = []
    for item in found:
        if item.source not in sources:
            sources.append(item.source)
        price = item.usd_per_accelerator_hour
        rows.append(
            (
                item.accelerator,
                item.instance_type or "–",
                t(f"regions.evidence_{item.kind.replace('-', '_')}"),
                item.detail,
                "–" if price is None else f"{price:,.4f}",
                f"{item.as_of} [{sources.index(item.source) + 1}]",
            )
        )
    columns = tuple(
        t(f"regions.column_{name}")
        for name in ("accelerator", "machine", "evidence", "detail", "usd", "source")
    )
    return Table(None, columns, tuple(rows), frozenset({4}))


def _nearest(region: Region, regions: Regions, having: set[str]) -> Block:
    """The nearest region of each provider that has accelerators, with its distance."""
    from costcalc.catalog.regions import distance_km, round_trip_floor_ms
    from costcalc.reports.document import Table

    best: dict[str, tuple[float, Region]] = {}
    for other in regions.values():
        kilometres = distance_km(region, other)
        if other.id not in having or other.id == region.id or kilometres is None:
            continue
        if kilometres < best.get(other.provider, (1e9, other))[0]:
            best[other.provider] = (kilometres, other)
    rows = tuple(
        (
            f"{other.provider} {other.code}",
            f"{other.city}, {other.country}",
            f"{kilometres:,.0f}",
            f"{round_trip_floor_ms(kilometres):,.0f}",
        )
        for kilometres, other in sorted(best.values(), key=lambda item: (item[0], item[1].id))[
            :NEAREST_SHOWN
        ]
    )
    columns = tuple(
        t(f"regions.column_{name}") for name in ("region", "city", "kilometres", "round_trip")
    )
    return Table(t("regions.nearest"), columns, rows, frozenset({2, 3}))
