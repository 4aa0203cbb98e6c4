"""A comparison of services for people: the ranking, latency, how sure it is, what was left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from costcalc import messages
from costcalc.notices import Notice
from costcalc.quote.compare_serve import ServeComparison
from costcalc.quote.compare_types import Excluded, reason_counts
from costcalc.quote.types import Quote
from costcalc.reports import wording
from costcalc.reports.document import Block, Document, Facts, Notes, Table

GENERAL = ("managed_service", "old_price")


def build(
    quote: Quote, comparison: ServeComparison, language: str, *, show_excluded: bool = False
) -> Document:
    """The document of a comparison."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"serve_compare.{name}", language, **params)

    rows = [offer for offer in quote.offers if offer["fits"]]
    marked: dict[Notice, int] = {}
    for row in comparison.rows:
        for item in row.notices:
            if item.code not in GENERAL:
                marked.setdefault(item, len(marked) + 1)
    blocks: list[Block] = [
        Facts(None, _facts(quote, t, language)),
        _ranking(quote, rows, t, language),
        _latency(rows, t),
        _basis(rows, comparison, marked, t, language),
    ]
    legend = [t("pareto_note"), t("cost_note")]
    if any(offer["more_regions"] for offer in rows):
        legend.append(messages.text("compare.regions_note", language))
    blocks.append(Notes("", tuple(legend)))
    blocks.append(Facts(_compare("left_out", language), _left_out(comparison, rows, language)))
    if show_excluded:
        blocks.append(_excluded(comparison.excluded, language))
    if marked:
        blocks.append(
            Notes(
                _compare("notes", language),
                tuple(f"[{number}] {item.message(language)}" for item, number in marked.items()),
            )
        )
    general = [item for item in quote.notices if item not in marked]
    old = [item for item in general if item.code == "old_price"]
    texts = [
        f"[{item.code}] {item.message(language)}" for item in general if item.code != "old_price"
    ]
    if old:
        texts.append(f"[old_price] {messages.text('compare.old_prices', language, count=len(old))}")
    if texts:
        blocks.append(Notes(messages.text("report.warnings", language), tuple(texts)))
    return Document(f"{t('title')} · {messages.day(quote.as_of, language)}", tuple(blocks))


def _compare(name: str, language: str) -> str:
    return messages.text(f"compare.{name}", language)


def _facts(quote: Quote, t: Callable[..., str], language: str) -> tuple[tuple[str, str], ...]:
    inputs = quote.workloads[0].inputs
    if inputs["rps"] is not None:
        load = t("load_open", rate=f"{inputs['rps']:g}")
    elif inputs["concurrency"] is not None:
        load = t("load_closed", users=f"{inputs['concurrency']:,}")
    else:
        load = t("load_batch")
    targets = [
        t(f"target_{name}", limit=f"{inputs[name]:g}")
        for name in ("ttft_ms", "tpot_ms")
        if inputs[name] is not None
    ]
    text = t(
        "service_value",
        model=inputs["model"],
        load=load,
        input=f"{inputs['input_tokens']:,}",
        output=f"{inputs['output_tokens']:,}",
        targets="".join(f"; {target}" for target in targets),
    )
    ranked = t(f"rank_{str(inputs['rank']).replace('-', '_')}")
    rate = quote.fx
    dated = messages.day(rate.date, language) if rate.date else "–"
    return (
        (t("service"), text),
        (t("ranked_by"), ranked),
        (t("rate"), f"{rate.usd_mxn} MXN/USD, {dated}, {rate.source}"),
    )


def _number(offer: Mapping[str, Any]) -> str:
    return f"{offer['rank']}{'*' if offer['pareto'] else ''}"


def _where(offer: Mapping[str, Any], language: str) -> str:
    more = f" (+{offer['more_regions']})" if offer["more_regions"] else ""
    text = f"{offer['provider']} {offer['region'] or '–'}{more}, {offer['instance_type']}"
    if offer["purchase"] == "on-demand":
        return text
    return f"{text}, {wording.way(offer['purchase'], language)}"


def _ranking(
    quote: Quote, rows: Sequence[Mapping[str, Any]], t: Callable[..., str], language: str
) -> Table:
    shown = wording.currencies(quote)
    body = tuple(
        (
            _number(offer),
            _where(offer, language),
            f"{offer['accelerator_count']:,} x {offer['accelerator']}",
            *(f"{offer[currency.lower()]:,.2f}" for currency in shown),
            f"{offer['usd_per_million_output_tokens']:,.3g}",
        )
        for offer in rows
    )
    columns = ("#", t("offer"), t("chips"), *shown, t("per_million"))
    numeric = frozenset(range(3, len(columns)))
    return Table(None, columns, body, numeric, keep=frozenset({0}))


def _latency(rows: Sequence[Mapping[str, Any]], t: Callable[..., str]) -> Table:
    body = tuple(
        (
            _number(offer),
            f"{offer['replicas']:,} x {offer['replica_accelerators']}",
            f"{offer['utilisation']:.0%}",
            f"{offer['tpot_ms']:,.3g} ({offer['tpot_ms_low']:,.3g} – {offer['tpot_ms_high']:,.3g})",
            "–" if offer["ttft_ms_p95"] is None else f"{offer['ttft_ms_p95']:,.0f}",
            f"{offer['usd_per_million_output_tokens_low']:,.3g} – "
            f"{offer['usd_per_million_output_tokens_high']:,.3g}",
        )
        for offer in rows
    )
    columns = (
        "#",
        t("replicas"),
        t("used"),
        t("token_time"),
        t("first_time"),
        t("per_million_range"),
    )
    return Table(None, columns, body, frozenset({1, 2, 3, 4, 5}), keep=frozenset({0}))


def _basis(
    rows: Sequence[Mapping[str, Any]],
    comparison: ServeComparison,
    marked: Mapping[Notice, int],
    t: Callable[..., str],
    language: str,
) -> Table:
    body = []
    for offer, row in zip(rows, comparison.rows, strict=True):
        marks = sorted(marked[item] for item in row.notices if item in marked)
        sure = _compare(f"confidence_{offer['confidence']}", language)
        body.append(
            (
                _number(offer),
                offer["engine"],
                t(f"tier_{row.estimate.tier}"),
                f"{offer['as_of'].isoformat()}, {sure}",
                " ".join(str(mark) for mark in marks) or "–",
            )
        )
    columns = ("#", t("engine"), t("evidence"), t("price"), t("notes"))
    return Table(None, columns, tuple(body), frozenset(), keep=frozenset({0}))


def _left_out(
    comparison: ServeComparison, rows: Sequence[Mapping[str, Any]], language: str
) -> tuple[tuple[str, str], ...]:
    facts = []
    if comparison.fitting > len(rows):
        facts.append((f"{comparison.fitting - len(rows):,}", _compare("below_top", language)))
    for code, count in reason_counts(comparison.excluded).items():
        facts.append((f"{count:,}", _compare(f"why_{code}", language)))
    return tuple(facts) or (("0", _compare("nothing_left_out", language)),)


def _excluded(excluded: Sequence[Excluded], language: str) -> Table:
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
    columns = tuple(_compare(name, language) for name in ("offer", "chips", "why"))
    return Table(_compare("excluded", language), columns, tuple(body))
