"""A comparison for people: the ranking, how sure it is, what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from costcalc import messages
from costcalc.notices import Notice
from costcalc.quote.compare_types import Comparison, Excluded, reason_counts
from costcalc.quote.types import Quote
from costcalc.reports import wording
from costcalc.reports.document import Block, Document, Facts, Notes, Table

# said once for the whole ranking; everything else is marked at its offers
GENERAL = ("managed_service", "old_price")


def build(
    quote: Quote, comparison: Comparison, language: str, *, show_excluded: bool = False
) -> Document:
    """The document of a comparison."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"compare.{name}", language, **params)

    rows = [offer for offer in quote.offers if offer["fits"]]
    marked = _marked(comparison)
    blocks: list[Block] = [
        Facts(None, _run_facts(quote, language)),
        _ranking(quote, rows, t, language),
        _ranges(quote, rows, t),
        _basis(rows, comparison, marked, t),
    ]
    legend = [t("pareto_note"), t("ratio_note"), t("flop_note")]
    if any(offer["more_regions"] for offer in rows):
        legend.append(t("regions_note"))
    blocks.append(Notes("", tuple(legend)))
    if any(offer["porting_usd"] for offer in rows):
        blocks.append(_porting(rows, t))
    blocks.append(Facts(t("left_out"), _left_out(comparison, len(rows), t)))
    if show_excluded:
        blocks.append(_excluded(comparison.excluded, language, t))
    if marked:
        blocks.append(
            Notes(
                t("notes"),
                tuple(f"[{number}] {item.message(language)}" for item, number in marked.items()),
            )
        )
    general = [item for item in quote.notices if item not in marked]
    old = [item for item in general if item.code == "old_price"]
    shown = [item for item in general if item.code != "old_price"]
    texts = [f"[{item.code}] {item.message(language)}" for item in shown]
    if old:
        texts.append(f"[old_price] {t('old_prices', count=len(old))}")
    if texts:
        blocks.append(Notes(messages.text("report.warnings", language), tuple(texts)))
    title = f"{t('title')} · {messages.day(quote.as_of, language)}"
    return Document(title, tuple(blocks))


def _marked(comparison: Comparison) -> dict[Notice, int]:
    found: dict[Notice, int] = {}
    for row in comparison.rows:
        for item in row.notices:
            if item.code not in GENERAL:
                found.setdefault(item, len(found) + 1)
    return found


def _run_facts(quote: Quote, language: str) -> tuple[tuple[str, str], ...]:
    def t(name: str, **params: object) -> str:
        return messages.text(f"compare.{name}", language, **params)

    inputs = quote.workloads[0].inputs
    run = t(
        "run_text",
        model=inputs["model"],
        tokens=wording.count(float(inputs["tokens"] * inputs["epochs"])),
        method=messages.text(f"report.method_{inputs['method']}", language),
        precision=str(inputs["precision"]).upper(),
    )
    facts = [(t("run"), run), (t("ranked_by"), t(f"rank_{inputs['rank'].replace('-', '_')}"))]
    limits = [
        t(f"limit_{name}", value=inputs[name])
        for name in ("deadline", "budget", "max_chips", "software")
        if inputs.get(name) is not None
    ]
    if limits:
        facts.append((t("limits"), "; ".join(limits)))
    rate = quote.fx
    dated = (
        messages.day(rate.date, language)
        if rate.date
        else messages.text("report.no_date", language)
    )
    facts.append((t("rate"), f"{rate.usd_mxn} MXN/USD, {dated}, {rate.source}"))
    return tuple(facts)


def _number(offer: Mapping[str, Any]) -> str:
    return f"{offer['rank']}{'*' if offer['pareto'] else ''}"


def _ranking(quote: Quote, rows: Sequence[Mapping[str, Any]], t: Any, language: str) -> Table:
    mxn = quote.requested_currency == "MXN"
    body = tuple(
        (
            _number(offer),
            _where(offer, language),
            f"{offer['accelerator_count']:,} x {offer['accelerator']}",
            _hours(offer["hours"]),
            f"{offer['mxn' if mxn else 'usd']:,.2f}",
            f"{offer['usd_ratio']:.2f}",
        )
        for offer in rows
    )
    columns = ("#", t("offer"), t("chips"), t("hours"), "MXN" if mxn else "USD", t("ratio"))
    return Table(None, columns, body, frozenset({3, 4, 5}), keep=frozenset({0}))


def _hours(hours: float) -> str:
    return f"{hours:,.1f}" if hours < 1000 else f"{hours:,.0f}"


def _where(offer: Mapping[str, Any], language: str) -> str:
    more = f" (+{offer['more_regions']})" if offer["more_regions"] else ""
    text = f"{offer['provider']} {offer['region'] or '–'}{more}, {offer['instance_type']}"
    if offer["purchase"] == "on-demand":
        return text
    return f"{text}, {wording.way(offer['purchase'], language)}"


def _ranges(quote: Quote, rows: Sequence[Mapping[str, Any]], t: Any) -> Table:
    """Low and high ends, and the other currency."""
    shown = wording.currencies(quote)
    currency = shown[0]
    columns = ["#", t("hours_range"), t("cost_range", currency=currency), *shown[1:]]
    body = []
    for offer in rows:
        low, high = (offer[f"{currency.lower()}_{end}"] for end in ("low", "high"))
        cells = [
            _number(offer),
            f"{_hours(offer['hours_low'])} – {_hours(offer['hours_high'])}",
            f"{low:,.0f} – {high:,.0f}",
            *(f"{offer[other.lower()]:,.2f}" for other in shown[1:]),
        ]
        body.append(tuple(cells))
    numeric = frozenset(range(1, len(columns)))
    return Table(None, tuple(columns), tuple(body), numeric, keep=frozenset({0}))


def _basis(
    rows: Sequence[Mapping[str, Any]],
    comparison: Comparison,
    marked: Mapping[Notice, int],
    t: Any,
) -> Table:
    body = []
    for offer, row in zip(rows, comparison.rows, strict=True):
        marks = sorted(marked[item] for item in row.notices if item in marked)
        realised = offer["pflop_hours_per_usd_realised"]
        body.append(
            (
                _number(offer),
                f"{offer['usd_ratio_low']:.2f} – {offer['usd_ratio_high']:.2f}",
                f"{offer['pflop_hours_per_usd']:.3g}",
                "–" if realised is None else f"{realised:.3g}",
                f"{offer['as_of'].isoformat()}, {t('confidence_' + offer['confidence'])}",
                " ".join(str(mark) for mark in marks) or "–",
            )
        )
    columns = ("#", t("ratio_range"), t("at_peak"), t("realised"), t("price"), t("notes"))
    return Table(None, columns, tuple(body), frozenset({1, 2, 3}), keep=frozenset({0}))


def _porting(rows: Sequence[Mapping[str, Any]], t: Any) -> Notes:
    items = []
    for offer in rows:
        if not offer["porting_usd"]:
            continue
        key = "payback_never" if offer["payback_runs"] is None else "payback"
        items.append(
            t(
                key,
                number=_number(offer),
                usd=wording.money(offer["porting_usd"], "USD"),
                runs=offer["payback_runs"],
            )
        )
    return Notes(t("porting"), tuple(items))


def _left_out(comparison: Comparison, shown: int, t: Any) -> tuple[tuple[str, str], ...]:
    facts = []
    if comparison.fitting > shown:
        facts.append((f"{comparison.fitting - shown:,}", t("below_top")))
    for code, count in reason_counts(comparison.excluded).items():
        facts.append((f"{count:,}", t(f"why_{code}")))
    return tuple(facts) or (("0", t("nothing_left_out")),)


def _excluded(excluded: Sequence[Excluded], language: str, t: Any) -> Table:
    body = []
    seen: set[tuple[str, ...]] = set()
    for item in excluded:
        offer = item.offer
        cells = (
            f"{offer.provider} {offer.region or '–'}, {offer.instance_type}",
            f"{offer.accelerator}, {wording.way(offer.purchase, language)}",
            item.reason.message(language),
        )
        if cells not in seen:
            seen.add(cells)
            body.append(cells)
    return Table(t("excluded"), (t("offer"), t("chips"), t("why")), tuple(body))
