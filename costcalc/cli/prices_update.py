"""`costcalc prices update`: fetch today's prices into the store."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli import session
from costcalc.cli.language import current, t
from costcalc.cli.live import limits_of, progress_bars
from costcalc.cli.main import say
from costcalc.cli.output import emit
from costcalc.cli.render import document_text, list_format
from costcalc.errors import InputError, SourceError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog, Offer
    from costcalc.reports.document import Block, Document
    from costcalc.sources.rows import Finding
    from costcalc.sources.update import Outcome, UpdateReport

SHOWN_NEW = 15
SHOWN_FINDINGS = 60
CSV_COLUMNS = (
    "feed",
    "status",
    "prices",
    "new",
    "changed",
    "vanished",
    "unchanged",
    "source",
    "reason",
)


def command(
    provider: Annotated[
        list[str] | None,
        typer.Option("--provider", help=t("sources.provider_option"), metavar="NAME"),
    ] = None,
    region: Annotated[
        list[str] | None,
        typer.Option("--region", help=t("sources.region_option"), metavar="NAME"),
    ] = None,
    feed: Annotated[
        list[str] | None, typer.Option("--feed", help=t("sources.feed_option"), metavar="NAME")
    ] = None,
    accept_removals: Annotated[
        bool, typer.Option("--accept-removals", help=t("sources.accept_option"))
    ] = False,
    timeout: Annotated[
        str | None,
        typer.Option("--timeout", help=t("sources.timeout_option"), metavar="15s"),
    ] = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.sources.update import UpdateRequest, update

    o.check_language(lang)
    form = list_format(form)
    limits = limits_of(timeout)
    opened = session.own_catalog(catalog)
    feeds = wanted_feeds(feed)
    asked = scope(provider or providers_of(feeds), region, opened)
    moment = session.now()
    with progress_bars() as progress:
        report = update(
            UpdateRequest(
                providers=asked,
                explicit=provider is not None or feeds is not None,
                feeds=feeds,
                accept_removals=accept_removals,
                store=session.store_path(),
                environ=dict(os.environ),
                now=moment,
                today=moment.date(),
                limits=limits,
                progress=progress,
            ),
            opened,
        )
    show(report, form, output)
    if report.set_aside is not None:
        say(t("sources.set_aside", path=report.set_aside))
    complain(report)


def wanted_feeds(names: Sequence[str] | None) -> frozenset[str] | None:
    """`--feed` as feed ids; the error names the nearest."""
    from costcalc.sources.feeds import FEEDS

    if not names:
        return None
    known = [feed.id for feed in FEEDS]
    return frozenset(o.choice(name, "--feed", known) for name in names)


def providers_of(feeds: frozenset[str] | None) -> list[str] | None:
    """The providers of some feeds, in the order of the table; None for no feeds named."""
    from costcalc.sources.feeds import FEEDS

    if feeds is None:
        return None
    return list(dict.fromkeys(feed.provider for feed in FEEDS if feed.id in feeds))


def scope(
    providers: Sequence[str] | None, regions: Sequence[str] | None, catalog: Catalog
) -> dict[str, frozenset[str] | None]:
    """The providers to ask, each with its regions (None is all).

    Raises:
        InputError: a provider without live prices, a region that does not exist, or one in which
            none of the providers is.
    """
    from costcalc.sources.feeds import PROVIDERS

    chosen = tuple(
        dict.fromkeys(o.choice(name, "--provider", PROVIDERS) for name in providers or PROVIDERS)
    )
    if not regions:
        return dict.fromkeys(chosen)
    wanted: dict[str, set[str]] = {}
    for text in regions:
        found = [
            identity.partition("/")
            for identity in catalog.regions().resolve(text).regions
            if identity.partition("/")[0] in chosen
        ]
        if not found:
            raise InputError("sources.region_other_provider", region=text)
        for name, _, code in found:
            wanted.setdefault(name, set()).add(code)
    return {name: frozenset(wanted[name]) for name in chosen if name in wanted}


def complain(report: UpdateReport) -> None:
    """One sentence per feed that failed, and the exit status of a failed source.

    Raises:
        SourceError: a feed failed.
    """
    failed = [outcome for outcome in report.outcomes if outcome.error is not None]
    if not failed:
        return
    if len(failed) == 1:
        raise _failure(failed[0])
    for outcome in failed:
        say(_failure(outcome).message(current()))
    raise SourceError("sources.some_failed", count=len(failed), total=len(report.outcomes))


def _failure(outcome: Outcome) -> SourceError:
    assert outcome.error is not None
    return SourceError(
        "sources.failed",
        feed=t(f"sources.feed_{outcome.feed}"),
        reason=outcome.error.message(current()),
    )


def show(report: UpdateReport, form: str, output: str | None) -> None:
    """The report to stdout or a file."""
    if form == "json":
        from costcalc.reports.json_report import dumps, plain

        emit(dumps(plain(record(report))), output)
    elif form == "csv":
        from costcalc.reports import csv_report

        feeds = record(report)["feeds"]
        columns = (
            [name for name in feeds[0] if name not in ("findings", "left_out")] if feeds else []
        )
        emit(csv_report.table(columns, feeds), output, bom=True)
    else:
        emit(document_text(_document(report), form, output), output)


def status(outcome: Outcome) -> str:
    """`stored`, `failed` or `skipped`."""
    if outcome.error is not None:
        return "failed"
    return "skipped" if outcome.skipped else "stored"


def record(report: UpdateReport) -> dict[str, Any]:
    """The report as plain data, whole."""
    feeds = []
    for outcome in report.outcomes:
        changes, result = outcome.changes, outcome.result
        error = outcome.error.message(current()) if outcome.error else None
        feeds.append(
            {
                "feed": outcome.feed,
                "status": status(outcome),
                "prices": changes.rows if changes else None,
                "new": len(changes.new) if changes else None,
                "changed": len(changes.changed) if changes else None,
                "vanished": len(changes.vanished) if changes else None,
                "unchanged": changes.unchanged if changes else None,
                "source": result.source if result else None,
                "reason": t(outcome.skipped) if outcome.skipped else error,
                "left_out": dict(sorted(result.skipped.items())) if result else {},
                "findings": [
                    {"code": finding.code, "count": count, "message": _words(finding)}
                    for finding, count in (result.findings.items() if result else ())
                ],
            }
        )
    stored = [outcome.changes for outcome in report.outcomes if outcome.changes]
    return {
        "feeds": feeds,
        "new": [_offer_record(offer) for changes in stored for offer in changes.new],
        "changed": [
            {
                **_offer_record(move.after),
                "before_usd_per_instance_hour": move.before.usd_per_instance_hour,
                "change_pct": round(move.change_pct, 2),
            }
            for changes in stored
            for move in changes.changed
        ],
        "missing": [_offer_record(offer) for changes in stored for offer in changes.missing],
        "vanished": [_offer_record(offer) for changes in stored for offer in changes.vanished],
        "set_aside": None if report.set_aside is None else str(report.set_aside),
    }


def _offer_record(offer: Offer) -> dict[str, Any]:
    return {
        "provider": offer.provider,
        "region": offer.region,
        "instance_type": offer.instance_type,
        "accelerator": offer.accelerator,
        "accelerator_count": offer.accelerator_count,
        "purchase": offer.purchase,
        "term": offer.term,
        "usd_per_instance_hour": offer.usd_per_instance_hour,
    }


def offer_name(offer: Offer) -> str:
    """An offer in one line: `aws p5.48xlarge us-east-1 on-demand`."""
    parts = (offer.provider, offer.instance_type, offer.region, offer.purchase, offer.term)
    return " ".join(part for part in parts if part)


def _words(finding: Finding) -> str:
    return t(f"sources.found_{finding.code}", **dict(finding.params))


def _document(report: UpdateReport) -> Document:
    from costcalc.reports.document import Document, Notes, Table

    columns = ("feed", "status", "rows", "new", "changed", "vanished", "unchanged")
    rows = []
    for outcome in report.outcomes:
        changes = outcome.changes
        figures = (
            (changes.rows, len(changes.new), len(changes.changed), len(changes.vanished))
            if changes
            else ()
        )
        numbers = [str(figure) for figure in figures] or ["–"] * 4
        rows.append(
            (
                t(f"sources.feed_{outcome.feed}"),
                t(f"sources.status_{status(outcome)}"),
                *numbers,
                str(changes.unchanged) if changes else "–",
            )
        )
    blocks: list[Block] = [
        Table(
            None,
            tuple(t(f"sources.word_{name}") for name in columns),
            tuple(rows),
            numeric=frozenset(range(2, 7)),
        )
    ]
    blocks += _change_tables(report)
    notes = [
        t("sources.times", text=_words(finding), count=count) if count > 1 else _words(finding)
        for outcome in report.outcomes
        if outcome.result
        for finding, count in outcome.result.findings.items()
    ]
    notes += [
        t("sources.missing", offer=offer_name(held))
        for outcome in report.outcomes
        if outcome.changes
        for held in outcome.changes.missing
    ]
    notes = _cropped(notes, SHOWN_FINDINGS)
    for outcome in report.outcomes:
        if outcome.skipped:
            notes.append(f"{t(f'sources.feed_{outcome.feed}')}: {t(outcome.skipped)}")
    if notes:
        blocks.append(Notes(t("sources.section_found"), tuple(notes)))
    return Document(t("sources.title"), tuple(blocks))


def _change_tables(report: UpdateReport) -> Iterator[Block]:
    from costcalc.reports.document import Notes, Table

    stored = [outcome.changes for outcome in report.outcomes if outcome.changes]
    moves = [move for changes in stored for move in changes.changed]
    if moves:
        yield Table(
            t("sources.section_changed"),
            tuple(t(f"sources.word_{name}") for name in ("offer", "before", "after", "change")),
            tuple(
                (
                    offer_name(move.after),
                    str(move.before.usd_per_instance_hour),
                    str(move.after.usd_per_instance_hour),
                    f"{move.change_pct:+.1f} %",
                )
                for move in sorted(moves, key=lambda move: -abs(move.change_pct))
            ),
            numeric=frozenset({1, 2, 3}),
        )
    elif stored:
        yield Notes(t("sources.section_changed"), (t("sources.nothing_changed"),))
    for title, offers in (
        ("new", [offer for changes in stored for offer in changes.new]),
        ("vanished", [offer for changes in stored for offer in changes.vanished]),
    ):
        if offers:
            lines = [
                f"{offer_name(offer)}: {offer.usd_per_instance_hour} USD/h" for offer in offers
            ]
            yield Notes(
                t(f"sources.section_{title}"),
                tuple(_cropped(lines, SHOWN_NEW)),
            )


def _cropped(lines: list[str], limit: int) -> list[str]:
    shown = lines[:limit]
    if len(lines) > limit:
        shown.append(t("sources.more_rows", count=len(lines) - limit))
    return shown
