"""`costcalc fx update`: today's exchange rate into the store."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from costcalc.cli import options as o
from costcalc.cli import output as out
from costcalc.cli import session
from costcalc.cli.language import current, t
from costcalc.cli.live import limits_of, progress_bars
from costcalc.cli.main import say
from costcalc.cli.render import document_text, list_format
from costcalc.errors import SourceError
from costcalc.notices import Notice, notice

if TYPE_CHECKING:
    from datetime import date

    from costcalc.reports.document import Block, Document
    from costcalc.sources.fx import FxReport
    from costcalc.sources.rates import Rate


def command(
    timeout: Annotated[
        str | None,
        typer.Option("--timeout", help=t("sources.timeout_option"), metavar="15s"),
    ] = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
) -> None:
    from costcalc.sources.fx import FxRequest, update_rates

    o.check_language(lang)
    form = list_format(form)
    moment = session.now()
    with progress_bars() as progress:
        report = update_rates(
            FxRequest(
                store=session.store_path(),
                environ=dict(os.environ),
                now=moment,
                today=moment.date(),
                limits=limits_of(timeout),
                progress=progress,
            )
        )
    warnings = notices(report, moment.date())
    if form in ("json", "csv"):
        _for_programs(report, form, output, warnings)
    else:
        out.emit(document_text(_document(report, warnings), form, output), output)
    if report.set_aside is not None:
        say(t("sources.set_aside", path=report.set_aside))
    _complain(report)


def notices(report: FxReport, today: date) -> list[Notice]:
    """What must be said about the rate: too old, or far from the one before."""
    from costcalc.sources.rates import STALE_AFTER_DAYS

    found = []
    rate = report.rate
    if rate is not None:
        days = (today - rate.day).days
        if days > STALE_AFTER_DAYS:
            found.append(
                notice(
                    "rate_source_stale",
                    date=rate.day,
                    days=days,
                    today=today,
                )
            )
        if report.jump_pct is not None and report.before is not None:
            found.append(
                notice(
                    "rate_jump",
                    change=f"{report.jump_pct:+.1f}",
                    date=report.before.day,
                    before=str(report.before.usd_mxn),
                    after=str(rate.usd_mxn),
                )
            )
    return found


def _complain(report: FxReport) -> None:
    failures = [
        SourceError(
            "sources.failed_rate",
            feed=t(f"sources.feed_{name}"),
            reason=error.message(current()),
        )
        for name, error in report.errors.items()
    ]
    for failure in failures[:-1]:
        say(failure.message(current()))
    if failures:
        raise failures[-1]


def _label(rate: Rate) -> str:
    return t(f"sources.fx_label_{rate.series}")


def _record(rate: Rate) -> dict[str, Any]:
    return {
        "usd_mxn": rate.usd_mxn,
        "date": rate.day,
        "series": rate.series,
        "source": rate.label,
    }


def _for_programs(report: FxReport, form: str, output: str | None, warnings: list[Notice]) -> None:
    from costcalc.reports import csv_report
    from costcalc.reports.json_report import dumps, plain

    if form == "csv":
        columns = ("usd_mxn", "date", "series", "source")
        out.emit(csv_report.table(columns, map(_record, report.new)), output, bom=True)
    else:
        body = {
            "rate": None if report.rate is None else _record(report.rate),
            "new": [_record(rate) for rate in report.new],
            "warnings": [
                {"code": item.code, "message": item.message(current())} for item in warnings
            ],
            "errors": [
                {"feed": name, "message": error.message(current())}
                for name, error in report.errors.items()
            ],
        }
        out.emit(dumps(plain(body)), output)
    out.warn(warnings)


def _document(report: FxReport, warnings: list[Notice]) -> Document:
    from costcalc.reports.document import Document, Facts, Notes

    blocks: list[Block] = []
    rate = report.rate
    if rate is not None:
        rows = (
            (t("sources.fx_rate"), str(rate.usd_mxn)),
            (t("sources.fx_date"), rate.day.isoformat()),
            (t("sources.fx_source"), _label(rate)),
            (t("sources.fx_new"), str(len(report.new))),
        )
        blocks.append(Facts(None, rows))
    lines = [item.message(current()) for item in warnings]
    lines += [f"{t(f'sources.feed_{name}')}: {t(why)}" for name, why in report.skipped.items()]
    if lines:
        blocks.append(Notes(t("sources.section_found"), tuple(lines)))
    return Document(t("sources.fx_title"), tuple(blocks))
