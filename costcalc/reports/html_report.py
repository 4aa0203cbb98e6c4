"""A quote as one HTML file for people who did not run it: no script, nothing from outside.

Figures and sentences come from the same functions as those of the other human formats. The page
follows the reader's light or dark setting, a telephone's width, and paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from html import escape
from importlib.resources import files
from typing import Any

import costcalc
from costcalc import messages
from costcalc.notices import Notice
from costcalc.quote.types import Line, Quote, WorkloadQuote
from costcalc.reports import (
    footprint_section,
    html_charts,
    quote_document,
    report_parts,
    steps,
    wording,
)
from costcalc.reports.claimed import Claimed
from costcalc.reports.document import Block, Facts, Notes, Table
from costcalc.reports.html_charts import Bar, Swung
from costcalc.reports.points import Point, points, timed
from costcalc.reports.sensitivity_section import swing_label, swing_table
from costcalc.units import Currency

MOST_BARS = 14
MOST_WORKLOADS = 12
MOST_ALIKE = 3


class _Page:
    """The parts of one report in one language."""

    def __init__(self, quote: Quote, language: str) -> None:
        self.quote, self.language = quote, language
        self.currencies = wording.currencies(quote)

    def t(self, name: str, **params: object) -> str:
        return messages.text(f"html.{name}", self.language, **params)

    @property
    def main_currency(self) -> Currency:
        return self.currencies[0]

    def amount(self, line: Line) -> tuple[Decimal, Decimal, Decimal]:
        """Low, middle and high of a line in the report's first currency."""
        if self.main_currency == "USD":
            return line.low_usd, line.amount_usd, line.high_usd
        return line.low_mxn, line.amount_mxn, line.high_mxn

    # --- the top -------------------------------------------------------------------------------

    def header(self) -> str:
        quote, stamp = self.quote, self.quote.catalog
        subtitle = self.t(
            "subtitle",
            date=quote.as_of,
            oldest=stamp.prices_oldest or "–",
            newest=stamp.prices_newest or "–",
            rate=f"{quote.fx.usd_mxn.normalize():f}",
        )
        return (
            f"<header><h1>{escape(report_parts.headline(quote, self.language))}</h1>"
            f'<p class="subtitle">{escape(subtitle)}</p>'
            f'<p class="note">{escape(self.t("not_a_bill"))}</p></header>'
        )

    def cards(self) -> str:
        found = [self._total_card(currency) for currency in self.currencies]
        if self.quote.totals.iva_mode != "none":
            found.append(self._iva_card())
        if self.quote.budget is not None:
            found.append(self._budget_card())
        if len(self.quote.workloads) == 1:
            found += self._workload_cards(self.quote.workloads[0])
        else:
            count, lines = len(self.quote.workloads), len(self.quote.lines)
            more = self.t("workloads_more", lines=f"{lines:,}")
            found.append(card(self.t("workloads"), f"{count:,}", more))
        return f'<dl class="cards">{"".join(found)}</dl>'

    def _total_card(self, currency: Currency) -> str:
        low, middle, high = wording.total_of(self.quote.totals, currency)
        more = ""
        if low != high:
            more = html_charts.span(low, middle, high) + (
                f'<div class="ends"><span>{escape(self.t("low"))} {low:,.0f}</span>'
                f"<span>{escape(self.t('high'))} {high:,.0f}</span></div>"
            )
        return card(self.t("total"), wording.money(middle, currency), more, raw=True)

    def _iva_card(self) -> str:
        totals = self.quote.totals
        rows = []
        for currency in self.currencies:
            usd = currency == "USD"
            after = totals.usd_with_iva if usd else totals.mxn_with_iva
            rows.append(wording.money(after, currency))
        tax = totals.iva_usd if self.main_currency == "USD" else totals.iva_mxn
        kind = "iva" if totals.iva_mode == "add" else "iva_self"
        name = self.t(kind, rate=f"{totals.iva_rate.normalize():f}")
        more = [f"{name}: {wording.money(tax, self.main_currency)}", *rows[1:]]
        return card(self.t("total_with_iva"), rows[0], " · ".join(more))

    def _budget_card(self) -> str:
        budget = self.quote.budget
        assert budget is not None
        text = messages.text(
            f"report.budget_{budget.status}",
            self.language,
            amount=wording.money(budget.budget.amount, budget.budget.currency),
            share=wording.percent(float(budget.spent_fraction)),
        )
        share = wording.percent(float(budget.spent_fraction))
        kind = "over" if budget.status == "over" else "more"
        more = f'<div class="{kind}">{escape(text)}</div>'
        return card(self.t("budget"), share, more, raw=True)

    def _workload_cards(self, workload: WorkloadQuote) -> list[str]:
        found = []
        hours = getattr(workload.estimate, "hours", None)
        if hours is not None:
            estimate: Any = workload.estimate
            more = self.t(
                "time_range",
                low=f"{estimate.hours_low:,.0f}",
                high=f"{estimate.hours_high:,.0f}",
            )
            note = self.t("interval", share=wording.percent(estimate.interval))
            figure = wording.hours(hours, self.language)
            found.append(card(self.t("time"), figure, f"{more}; {note}"))
        offer = workload.offer
        if offer is not None:
            machines = self.t(
                "hardware_more", machines=f"{offer.instances:,}", machine=offer.instance_type
            )
            found.append(
                card(
                    self.t("hardware"),
                    f"{offer.accelerators:,} x {offer.accelerator}",
                    machines,
                )
            )
            region = offer.region or messages.text("report.any_region", self.language)
            way = wording.way(offer.purchase, self.language)
            found.append(card(self.t("place"), offer.provider, f"{region} · {way}"))
        return found

    # --- sections ------------------------------------------------------------------------------

    def workloads(self) -> str:
        """What is quoted: the facts of each workload; phases and limits of a plan before them."""
        blocks: list[Block] = []
        summary = self.quote.plan
        if summary is not None:
            from costcalc.reports import plan_document

            if summary.failures:
                blocks.append(plan_document.failure_notes(summary, self.language))
            blocks.append(plan_document.phase_table(self.quote, summary, self.language))
            if summary.verdicts:
                blocks.append(plan_document.verdict_table(summary.verdicts, self.language))
        several = len(self.quote.workloads) > 1
        for workload in self.quote.workloads[:MOST_WORKLOADS]:
            make = quote_document.WORKLOAD_FACTS.get(workload.kind)
            rows = () if make is None else make(workload, self.quote, self.language)
            if rows:
                blocks.append(Facts(workload.name if several else None, rows))
        return self.section("what", "".join(self.block(item) for item in blocks))

    def breakdown(self) -> str:
        parts = [self.block(Facts(None, quote_document.cost_facts(self.quote, self.language)))]
        items = self._bars()
        if len(items) > 1 or any(item.low != item.high for item in items):
            note = escape(self.t("breakdown_note"))
            parts.append(f'{html_charts.bars(items)}<p class="note">{note}</p>')
        table = quote_document.lines_table(self.quote, self.language)
        parts.append(self.table(table, caption=self.t("lines")))
        return self.section("breakdown", "".join(parts))

    def _bars(self) -> list[Bar]:
        several = len(self.quote.workloads) > 1
        found = []
        for line in self.quote.lines:
            low, middle, high = self.amount(line)
            label = quote_document.line_item(line, self.language)
            if several:
                label = f"{line.workload} · {label}"
            shown = wording.money(middle, self.main_currency)
            found.append(Bar(label, shown, middle, low, high))
        found.sort(key=lambda item: -abs(item.value))
        rest = found[MOST_BARS:]
        if len(rest) > 1:
            sums = [
                sum((getattr(item, name) for item in rest), Decimal(0))
                for name in ("value", "low", "high")
            ]
            text = messages.text("plan_report.more", self.language, count=len(rest))
            shown = wording.money(sums[0], self.main_currency)
            found = [*found[:MOST_BARS], Bar(text, shown, sums[0], sums[1], sums[2])]
        return found

    def alternatives(self) -> str:
        found = points(self.quote)
        if len(found) < 2:
            return ""
        kind = self.quote.kind if self.quote.kind in ("compare", "serve") else "train"
        note = self.t(f"alternatives_note_{kind}")
        figure = ""
        drawn = timed(found)
        tokens = drawn is not None and drawn.kind == "tpot_ms"
        if drawn:
            chart = html_charts.scatter(drawn, self.main_currency, self.t)
            legend = html_charts.key(self.t, quoted=any(item.quoted for item in found))
            figure = f"<figure>{chart}<figcaption>{legend}</figcaption></figure>"
        head = ("#", "offer", "chips", "tpot_column" if tokens else "hours_column")
        columns = (*(name if name == "#" else self.t(name) for name in head), *self.currencies)
        columns = (*columns, self.t("range"), self.t("price_column"))
        rows = tuple(self._point_row(item, tokens=tokens) for item in found)
        numeric = frozenset({0, 3, *range(4, 5 + len(self.currencies))})
        table = Table(None, columns, rows, numeric)
        chosen = frozenset(index for index, item in enumerate(found) if item.quoted)
        body = f'<p class="note">{escape(note)}</p>{figure}' + self.table(
            table, caption=self.t("alternatives"), chosen=chosen, titled=True
        )
        return self.section("alternatives", body)

    def _point_row(self, item: Point, *, tokens: bool) -> tuple[str, ...]:
        amounts = {"USD": item.usd, "MXN": item.mxn}
        time = item.tpot_ms if tokens else item.hours
        low, high = item.usd_low, item.usd_high
        if self.main_currency == "MXN" and low is not None and high is not None:
            rate = self.quote.fx.usd_mxn
            low, high = low * rate, high * rate
        marks = [self.t("quoted_mark")] if item.quoted else []
        marks += [self.t("best_mark")] if item.pareto else []
        where = item.where
        if item.purchase != "on-demand":
            where += f", {wording.way(item.purchase, self.language)}"
        kind = messages.text(f"report.confidence_{item.confidence}", self.language)
        return (
            item.number,
            f"{where} ({'; '.join(marks)})" if marks else where,
            f"{item.accelerators:,} x {item.accelerator}",
            "–" if time is None else f"{time:,.{1 if time < 1000 else 0}f}",
            *(f"{amounts[currency]:,.2f}" for currency in self.currencies),
            "" if low is None or high is None else f"{low:,.0f} – {high:,.0f}",
            f"{item.as_of}, {kind}",
        )

    def versus(self) -> str:
        blocks = quote_document.versus_blocks(self.quote, self.language)
        if not blocks:
            return ""
        title = messages.text("economics.versus", self.language)
        first, *rest = blocks
        body = "".join(map(self.block, (replace(first, title=""), *rest)))
        return self.section("versus", body, title=title)

    def sensitivity(self) -> str:
        usd = self.main_currency == "USD"
        swings = self.quote.sensitivity
        if not swings:
            return ""
        middle = wording.total_of(self.quote.totals, self.main_currency)[1]
        rows = []
        for item in swings:
            swing = item.swing_usd if usd else item.swing_mxn
            if not swing:
                # the exchange rate moves no total in USD: the table says so
                continue
            rows.append(
                Swung(
                    swing_label(item, self.quote, self.language),
                    wording.money(swing, self.main_currency),
                    item.usd_at_low if usd else item.mxn_at_low,
                    item.usd_at_high if usd else item.mxn_at_high,
                )
            )
        total = wording.money(middle, self.main_currency)
        body = (
            f'<p class="note">{escape(self.t("sensitivity_note", total=total))}</p>'
            + html_charts.tornado(middle, rows)
            + self.table(
                swing_table(self.quote, self.language), caption=self.t("sensitivity"), titled=True
            )
        )
        return self.section("sensitivity", body)

    def basis(self) -> str:
        parts = [self.block(Facts(None, quote_document.basis_facts(self.quote, self.language)))]
        parts.append(
            self.table(
                report_parts.sources_table(self.quote, self.language), caption=self.t("sources")
            )
        )
        for block in footprint_section.blocks(self.quote, self.language):
            parts.append(f"<h3>{escape(self.t('footprint'))}</h3>")
            parts.append(self.block(block))
        return self.section("basis", "".join(parts))

    def assumptions(self) -> str:
        parts = [f'<p class="note">{escape(self.t("assumptions_note"))}</p>']
        for workload in self.quote.workloads[:MOST_WORKLOADS]:
            rows = tuple(report_parts.input_rows(workload))
            if rows:
                caption = workload.name
                table = Table(None, (self.t("asked"), self.t("value")), rows)
                parts.append(self.table(table, caption=caption))
        return self.section("assumptions", "".join(parts))

    def steps(self) -> str:
        blocks = [
            Notes(workload.name if len(self.quote.workloads) > 1 else "", found)
            for workload in self.quote.workloads
            if (found := steps.sentences(workload, self.quote, self.language))
        ]
        if not blocks:
            return ""
        title = messages.text("report.steps", self.language)
        return self.section("steps", "".join(map(self.block, blocks)), title=title)

    def warnings(self) -> str:
        if not self.quote.notices:
            return ""
        items = "".join(
            f"<li>{escape(text)} <code>{escape(code)}</code></li>"
            for code, text in grouped(self.quote.notices, self.language)
        )
        title = messages.text("report.warnings", self.language)
        return self.section("warnings", f'<ul class="plain">{items}</ul>', title=title)

    def claims(self, found: Sequence[Claimed]) -> str:
        if not found:
            return ""
        items = []
        for item in found:
            claim = item.claim
            details = [", ".join(part for part in (claim.by, claim.date) if part)]
            if claim.baseline:
                details.append(self.t("claim_baseline", baseline=claim.baseline))
            details.append(self.t(report_parts.claim_state(item)))
            details.append(claim.source)
            items.append(
                f"<li><b>{escape(item.accelerator)}</b>: {escape(claim.text)} "
                f'<span class="note">({escape("; ".join(details))})</span></li>'
            )
        return (
            f'<section class="claims" aria-labelledby="claims"><h2 id="claims">'
            f'{escape(self.t("claims"))}</h2><p class="note">{escape(self.t("claims_note"))}</p>'
            f'<ul class="plain">{"".join(items)}</ul></section>'
        )

    def footer(self) -> str:
        text = self.t("footer", version=costcalc.__version__, catalog=self.quote.catalog.version)
        return f"<footer><p>{escape(text)}</p></footer>"

    # --- markup --------------------------------------------------------------------------------

    def section(self, name: str, body: str, *, title: str | None = None) -> str:
        heading = escape(title or self.t(name))
        return f'<section aria-labelledby="{name}"><h2 id="{name}">{heading}</h2>{body}</section>'

    def block(self, block: Block) -> str:
        title = f"<h3>{escape(block.title)}</h3>" if block.title else ""
        if isinstance(block, Facts):
            rows = "".join(
                f'<tr><th scope="row">{escape(label)}</th><td>{escape(value)}</td></tr>'
                for label, value in report_parts.merged(block.rows)
            )
            return f'{title}<table class="facts"><tbody>{rows}</tbody></table>'
        if isinstance(block, Table):
            return self.table(block, caption=block.title or "")
        items = "".join(f"<li>{escape(item)}</li>" for item in block.items)
        return f'{title}<ul class="plain">{items}</ul>'

    def table(
        self,
        block: Table,
        *,
        caption: str,
        chosen: frozenset[int] = frozenset(),
        titled: bool = False,
    ) -> str:
        """A table that scrolls by itself where it is too wide, by keyboard too.

        Args:
            chosen: rows that stand out.
            titled: the heading above says what the caption says, which only screen readers need.
        """
        # the roles keep it a table for screen readers where its rows are laid out as cards
        head = "".join(
            f'<th scope="col" role="columnheader"{_class(self._kind(block, index, ""))}>'
            f"{escape(name)}</th>"
            for index, name in enumerate(block.columns)
        )
        body = []
        for number, row in enumerate(block.rows):
            last = block.total and number == len(block.rows) - 1
            kind = "total" if last else "chosen" if number in chosen else ""
            cells = "".join(
                f'<td role="cell"{_class(self._kind(block, index, "text"))} '
                f'data-label="{escape(name)}">{escape(value)}</td>'
                for index, (name, value) in enumerate(zip(block.columns, row, strict=True))
            )
            body.append(f'<tr role="row"{_class(kind)}>{cells}</tr>')
        hidden = ' class="hidden"' if titled else ""
        shown = f"<caption{hidden}>{escape(caption)}</caption>" if caption else ""
        label = escape(self.t("region_table", table=caption))
        return (
            f'<div class="scroll" role="region" tabindex="0" aria-label="{label}">'
            f'<table class="wide" role="table">{shown}<thead role="rowgroup"><tr role="row">{head}'
            f'</tr></thead><tbody role="rowgroup">{"".join(body)}</tbody></table></div>'
        )

    def _kind(self, block: Table, index: int, other: str) -> str:
        return "number" if index in block.numeric else other


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def card(label: str, figure: str, more: str, *, raw: bool = False) -> str:
    """A figure with its name above and a remark below; a `raw` remark is markup already."""
    # an amount never breaks between its currency and its digits
    figure = figure.replace("USD ", "USD\u00a0").replace("MXN ", "MXN\u00a0")
    remark = more if raw else f'<div class="more">{escape(more)}</div>'
    return (
        f'<div class="card"><dt>{escape(label)}</dt><dd><div class="figure">{escape(figure)}</div>'
        f"{remark if more else ''}</dd></div>"
    )


def grouped(notices: Iterable[Notice], language: str) -> list[tuple[str, str]]:
    """Code and text of each warning; of a code that comes up often, the first few and a count."""
    by_code: dict[str, list[str]] = {}
    for item in notices:
        by_code.setdefault(item.code, []).append(item.message(language))
    found = []
    for code, texts in by_code.items():
        kept = texts if len(texts) <= MOST_ALIKE + 1 else texts[:MOST_ALIKE]
        found += [(code, text) for text in kept]
        if len(kept) < len(texts):
            rest = len(texts) - len(kept)
            found.append((code, messages.text("plan_report.more", language, count=rest)))
    return found


def render(
    quote: Quote, language: str, *, explain: bool = False, claims: Sequence[Claimed] = ()
) -> str:
    """The quote as an HTML page.

    Args:
        explain: add how each estimate was computed.
        claims: what is claimed of the quote's hardware; shown apart.
    """
    page = _Page(quote, language)
    title = f"{report_parts.headline(quote, language)} · {messages.day(quote.as_of, language)}"
    style = files("costcalc.reports").joinpath("html_style.css").read_text(encoding="utf-8")
    sections = [
        page.cards(),
        page.workloads(),
        page.breakdown(),
        page.alternatives(),
        page.versus(),
        page.sensitivity(),
        page.warnings(),
        page.basis(),
        page.assumptions(),
        page.steps() if explain else "",
        page.claims(claims),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#quote">{escape(page.t("skip"))}</a>\n<div class="page">\n'
        f'{page.header()}\n<main id="quote">\n'
        + "\n".join(section for section in sections if section)
        + f"\n</main>\n{page.footer()}\n</div>\n</body>\n</html>\n"
    )
