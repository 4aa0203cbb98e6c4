"""The document of a quote of any kind: its workloads, cost, lines, basis, warnings."""

from __future__ import annotations

from collections.abc import Callable

from costcalc import messages
from costcalc.catalog.offers import fetch_of
from costcalc.quote.types import ASSUMED_SOURCE, Line, Quote, WorkloadQuote
from costcalc.reports import footprint_section, plan_section, steps, training_section, wording
from costcalc.reports.document import Block, Document, Facts, Notes, Table

WorkloadFacts = Callable[[WorkloadQuote, Quote, str], tuple[tuple[str, str], ...]]


def _serving_facts(
    workload: WorkloadQuote, quote: Quote, language: str
) -> tuple[tuple[str, str], ...]:
    if "assume" in workload.inputs:
        from costcalc.reports import assumed_section

        return assumed_section.serving_facts(workload, language)
    from costcalc.reports import serving_section

    return serving_section.facts(workload, quote, language)


# facts of a workload by its kind; a kind without physics needs none
WORKLOAD_FACTS: dict[str, WorkloadFacts] = {
    "train": training_section.facts,
    "serve": _serving_facts,
    "machine": plan_section.machine_facts,
    "owned": plan_section.owned_facts,
    "one-off": plan_section.one_off_facts,
}


def build(quote: Quote, language: str, *, explain: bool = False) -> Document:
    """The document of a quote of any kind; with `explain`, how each estimate was computed."""
    if quote.plan is not None:
        from costcalc.reports import plan_document

        return plan_document.build(quote, language, explain=explain)

    def t(name: str, **params: object) -> str:
        return messages.text(f"report.{name}", language, **params)

    blocks: list[Block] = []
    several = len(quote.workloads) > 1
    for workload in quote.workloads:
        make = WORKLOAD_FACTS.get(workload.kind)
        if make is not None:
            blocks.append(
                Facts(workload.name if several else None, make(workload, quote, language))
            )
    blocks.append(Facts(None, cost_facts(quote, language)))
    blocks.append(lines_table(quote, language))
    blocks.extend(footprint_section.blocks(quote, language, explain=explain))
    blocks.append(Facts(None, basis_facts(quote, language)))
    blocks.extend(versus_blocks(quote, language))
    blocks.extend(sensitivity_blocks(quote, language))
    if explain:
        blocks.extend(
            Notes(t("steps"), steps.sentences(workload, quote, language))
            for workload in quote.workloads
        )
    if quote.notices:
        blocks.append(
            Notes(
                t("warnings"),
                tuple(f"[{item.code}] {item.message(language)}" for item in quote.notices),
            )
        )
    return Document(title(quote, language), tuple(blocks))


def versus_blocks(quote: Quote, language: str) -> list[Block]:
    """APIs and bought hardware beside the machines, when that was asked for."""
    if quote.versus is None:
        return []
    from costcalc.reports import versus_section

    return versus_section.blocks(quote, language)


def sensitivity_blocks(quote: Quote, language: str) -> list[Block]:
    """What moves the total most, when that was asked for."""
    if not quote.sensitivity:
        return []
    from costcalc.reports.sensitivity_section import swing_blocks

    return swing_blocks(quote, language)


def title(quote: Quote, language: str) -> str:
    """The first line of a report."""
    name = messages.text(f"report.title_{quote.kind}", language)
    if any("assume" in workload.inputs for workload in quote.workloads):
        name += f" · {messages.text('economics.assumed', language)}"
    return f"{name} · {messages.day(quote.as_of, language)}"


def cost_facts(quote: Quote, language: str) -> tuple[tuple[str, str], ...]:
    """Total with its range, IVA and budget."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"report.{name}", language, **params)

    rows: list[tuple[str, str]] = []
    label = t("cost")
    for currency in wording.currencies(quote):
        low, middle, high = wording.total_of(quote.totals, currency)
        value = wording.money(middle, currency)
        if (low, high) != (middle, middle):
            value += t("range", low=f"{low:,.2f}", high=f"{high:,.2f}")
        rows.append((label, value))
        label = ""
    totals = quote.totals
    label = "IVA"
    for currency in wording.currencies(quote):
        tax = totals.iva_usd if currency == "USD" else totals.iva_mxn
        after = totals.usd_with_iva if currency == "USD" else totals.mxn_with_iva
        if totals.iva_mode == "none":
            rows.append((label, t("iva_none")))
            break
        rows.append(
            (
                label,
                t(
                    "iva_add" if totals.iva_mode == "add" else "iva_self_assessed",
                    rate=f"{totals.iva_rate.normalize():f}",
                    tax=wording.money(tax, currency),
                    total=wording.money(after, currency),
                ),
            )
        )
        label = ""
    if quote.budget is not None:
        rows.append(
            (
                t("budget"),
                t(
                    f"budget_{quote.budget.status}",
                    amount=wording.money(quote.budget.budget.amount, quote.budget.budget.currency),
                    share=wording.percent(float(quote.budget.spent_fraction)),
                ),
            )
        )
    return tuple(rows)


def line_item(line: Line, language: str) -> str:
    """What a line is, in words."""
    area = messages.area(language, "items")
    return area.get(line.item.replace("-", "_"), line.item)


def lines_table(quote: Quote, language: str) -> Table:
    """Every line with its quantity and unit price, and the total."""
    several = len(quote.workloads) > 1

    def t(name: str) -> str:
        return messages.text(f"report.{name}", language)

    shown = wording.currencies(quote)
    rows: list[tuple[str, ...]] = []
    for line in quote.lines:
        item = line_item(line, language)
        if line.sku:
            item += f" {line.sku}"
        if line.source == ASSUMED_SOURCE:
            item += f" [{messages.text('economics.assumed', language)}]"
        amounts = tuple(
            f"{line.amount_usd if currency == 'USD' else line.amount_mxn:,.2f}"
            for currency in shown
        )
        rows.append(
            (
                *((line.workload,) if several else ()),
                item,
                f"{line.quantity:,f} {unit_word(line.unit, language)}",
                wording.unit_price(line.unit_price_usd),
                *amounts,
            )
        )
    lead = 1 if several else 0
    rows.append(
        (
            *(("",) if several else ()),
            t("total"),
            "",
            "",
            *(f"{wording.total_of(quote.totals, currency)[1]:,.2f}" for currency in shown),
        )
    )
    columns = (
        *((t("workload"),) if several else ()),
        t("line"),
        t("quantity"),
        t("unit_price"),
        *shown,
    )
    numeric = frozenset(range(lead + 1, lead + 3 + len(shown)))
    return Table(None, columns, tuple(rows), numeric, total=True)


def unit_word(unit: str, language: str) -> str:
    """A unit of a line, in words."""
    return messages.area(language, "items").get("unit_" + unit.replace("-", "_"), unit)


def basis_facts(quote: Quote, language: str) -> tuple[tuple[str, str], ...]:
    """What the figures rest on: prices, rate, catalog, calibration."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"report.{name}", language, **params)

    rows: list[tuple[str, str]] = []
    label = t("price")
    seen = set()
    for workload in quote.workloads:
        offer = workload.offer
        if offer is None:
            continue
        fetch = fetch_of(offer.source)
        value = t(
            "price_fetched" if fetch else "price_shipped",
            date=fetch[0] if fetch else offer.as_of,
            confidence=t(f"confidence_{offer.confidence}"),
            source=fetch[1] if fetch else offer.source,
        )
        if value not in seen:
            seen.add(value)
            rows.append((label, value))
            label = ""
    rows.append(
        (
            t("rate"),
            t(
                "rate_basis",
                rate=f"{quote.fx.usd_mxn.normalize():f}",
                date=quote.fx.date or t("no_date"),
                source=quote.fx.source,
            ),
        )
    )
    stamp = quote.catalog
    rows.append(
        (
            t("catalog"),
            t(
                "catalog_basis",
                version=stamp.version,
                newest=stamp.prices_newest or "–",
                oldest=stamp.prices_oldest or "–",
                calibration=stamp.calibration or "–",
            ),
        )
    )
    return tuple(rows)
