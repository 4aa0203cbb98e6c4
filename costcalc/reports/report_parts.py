"""What the page and the workbook both say: the headline, sources of prices, what was asked."""

from __future__ import annotations

from collections.abc import Iterable

from costcalc import messages
from costcalc.quote.types import Quote, WorkloadQuote
from costcalc.reports import footprint_section, quote_document, wording
from costcalc.reports.claimed import Claimed
from costcalc.reports.document import Table


def claim_state(item: Claimed) -> str:
    """The message that says how far a claim is to be trusted."""
    if item.withdrawn:
        return "claim_withdrawn"
    return "claim_verified" if item.claim.verified else "claim_unverified"


def merged(rows: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Rows without a label belong to the one above; a table header must not be empty."""
    found: list[tuple[str, str]] = []
    for label, value in rows:
        if label or not found:
            found.append((label, value))
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} · {value}")
    return found


def headline(quote: Quote, language: str) -> str:
    """What the report is about: the plan's name, or the model that is trained or served."""
    if quote.plan is not None:
        title = messages.text("plan_report.title", language)
        return f"{title}: {quote.plan.name}"
    key = f"report.title_{quote.kind}"
    if quote.kind == "compare":
        served = bool(quote.workloads) and quote.workloads[0].kind == "serve"
        key = "serve_compare.title" if served else "compare.title"
    title = messages.text(key, language)
    model = quote.workloads[0].inputs.get("model") if quote.workloads else None
    return f"{title}: {model}" if model else title


def sources_table(quote: Quote, language: str) -> Table:
    """Every price with its date, kind and source, the exchange rate and the factors last."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"html.{name}", language, **params)

    rows: dict[tuple[str, ...], None] = {}
    for line in quote.lines:
        if line.source is None:
            continue
        what = quote_document.line_item(line, language)
        names = [part for part in (line.provider, line.region, line.sku) if part]
        kind = (
            messages.text(f"report.confidence_{line.confidence}", language)
            if line.confidence
            else "–"
        )
        row = (
            f"{what}: {', '.join(names)}" if names else what,
            f"{wording.unit_price(line.unit_price_usd)} / "
            f"{quote_document.unit_word(line.unit, language)}",
            "–" if line.as_of is None else line.as_of.isoformat(),
            kind,
            line.source,
        )
        rows.setdefault(row)
    fx = quote.fx
    rows[
        (
            t("rate_row"),
            f"{fx.usd_mxn.normalize():f} MXN/USD",
            fx.date.isoformat() if fx.date else messages.text("report.no_date", language),
            "–",
            fx.source,
        )
    ] = None
    for factor in quote.footprint.factors if quote.footprint else ():
        row = (
            t("factor_row", what=footprint_section.factor_name(factor, language)),
            footprint_section.factor_value(factor),
            factor.year,
            footprint_section.kind_word(factor, language),
            factor.source,
        )
        rows[row] = None
    unit = messages.text("report.unit_price", language)
    columns = (t("what_column"), unit, t("date_column"), t("kind_column"), t("source_column"))
    return Table(None, columns, tuple(rows), frozenset({1}))


def input_rows(workload: WorkloadQuote) -> Iterable[tuple[str, str]]:
    """What was asked, key by key as in the JSON; what was left open is left out."""
    for name, value in workload.inputs.items():
        if value is None or value is False or value in ([], (), {}):
            continue
        if isinstance(value, (list, tuple)):
            text = ", ".join(str(item) for item in value)
        elif isinstance(value, int) and not isinstance(value, bool):
            text = f"{value:,}"
        else:
            text = "✓" if value is True else str(value)
        yield name, text
