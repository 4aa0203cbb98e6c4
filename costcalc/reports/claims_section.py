"""Claims as records and as documents for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from costcalc import messages
from costcalc.quote.claims import SEPARATOR, Checked, Figure, Setting
from costcalc.reports.document import Block, Document, Facts, Notes, Table

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

FIGURE_COLUMNS = ("kind", "figure", "value", "unit", "claimed", "holds", "source")
CLAIM_COLUMNS = (
    "id",
    "claim",
    "by",
    "said",
    "against",
    "source",
    "verdict",
    "depends_on",
    "agreeing",
    "compared",
    "figures",
)
CSV_COLUMNS = ("id", "claim", "by", "said", "verdict", *FIGURE_COLUMNS)
DIGITS = 3


def _t(name: str, language: str, **params: object) -> str:
    return messages.text(f"claims.{name}", language, **params)


def figure_text(figure: Figure, language: str) -> str:
    """A figure in words; places are words too."""
    if figure.texts is not None:
        return figure.message(language)
    params = dict(figure.params)
    if "place" in params:
        area = messages.area(language, "claims")
        params["place"] = area.get(f"place_{params['place']}", params["place"])
    return _t(figure.label, language, **params)


def figure_record(figure: Figure, language: str) -> dict[str, Any]:
    """One figure."""
    return {
        "kind": figure.kind,
        "figure": figure_text(figure, language),
        "value": figure.value,
        "unit": figure.unit or None,
        "claimed": figure.claimed or None,
        "holds": figure.holds,
        "source": figure.source or None,
    }


def claim_record(found: Checked, language: str) -> dict[str, Any]:
    """One claim with its figures."""
    claim = found.claim
    return {
        "id": claim.id,
        "claim": claim.text[language],
        "by": claim.by[language],
        "said": claim.said,
        "against": claim.against[language],
        "source": claim.source,
        "verdict": found.verdict,
        "depends_on": claim.depends_on[language] if found.verdict == "depends" else None,
        "agreeing": found.agreeing,
        "compared": found.compared,
        "figures": [figure_record(figure, language) for figure in found.figures],
    }


def flat_records(checked: Iterable[Checked], language: str) -> list[dict[str, Any]]:
    """One record per figure, the claim's columns in each."""
    rows = []
    for found in checked:
        record = claim_record(found, language)
        head = {name: record[name] for name in CSV_COLUMNS[:5]}
        rows += [{**head, **figure} for figure in record["figures"]]
    return rows


def summary(found: Checked, language: str) -> str:
    """What the figures say together."""
    if not found.compared:
        return _t("no_figures", language)
    compared = [figure for figure in found.figures if figure.holds is not None]
    values = [figure.value for figure in compared if figure.value is not None]
    claimed = {figure.claimed for figure in compared if figure.claimed}
    counts = {"agreeing": found.agreeing, "compared": found.compared}
    alike = len(claimed) == 1 and len({figure.unit for figure in compared}) == 1
    if len(values) < len(compared) or not alike:
        return _t("agreeing", language, **counts)
    low, high = number(min(values)), number(max(values))
    name = "agreeing_one" if low == high else "agreeing_range"
    return _t(name, language, **counts, low=low, high=high, claimed=claimed.pop())


def number(value: float) -> str:
    """A figure with three digits, whole from a thousand on."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:,.{DIGITS}g}"


def verdict_word(found: Checked, language: str) -> str:
    """The verdict in words."""
    return _t("verdict_" + found.verdict.replace(" ", "_"), language)


def list_document(checked: Sequence[Checked], setting: Setting, language: str) -> Document:
    """Every claim, one row each."""
    rows = tuple(
        (
            found.claim.id,
            found.claim.text[language],
            summary(found, language),
            verdict_word(found, language),
        )
        for found in checked
    )
    columns = tuple(_t(name, language) for name in ("id", "claim", "today", "verdict"))
    basis = _t(
        "as_of",
        language,
        as_of=setting.terms.as_of,
        version=setting.catalog.version,
        calibration=setting.calibration.date,
    )
    return Document(
        _t("title", language),
        (Table(None, columns, rows, keep=frozenset({0})), Notes(_t("source", language), (basis,))),
    )


def detail_document(checked: Sequence[Checked], setting: Setting, language: str) -> Document:
    """Claims one by one, with every figure and its source."""
    blocks: list[Block] = []
    for found in checked:
        blocks += _claim_blocks(found, setting.catalog, language)
    return Document(_t("title", language), tuple(blocks))


def _claim_blocks(found: Checked, catalog: Catalog, language: str) -> list[Block]:
    claim = found.claim
    by = claim.by[language]
    said = (
        _t("said_undated", language, by=by)
        if claim.said is None
        else _t("said_on", language, by=by, date=claim.said)
    )
    rows = [
        (_t("claim", language), claim.text[language]),
        (_t("said_by", language), said),
        (_t("against", language), claim.against[language]),
        (_t("source", language), claim.source),
        (_t("today", language), summary(found, language)),
        (_t("verdict", language), verdict_word(found, language)),
    ]
    if found.verdict == "depends":
        rows.append((_t("depends_on", language), claim.depends_on[language]))
    rule = "withdrawn" if claim.withdrawn else "universal" if claim.universal else "default"
    rows.append((_t("rule", language), _t(f"rule_{rule}", language)))
    blocks: list[Block] = [Facts(claim.id, tuple(rows)), _figures(found, language)]
    sources = dict.fromkeys(
        part for figure in found.figures for part in figure.source.split(SEPARATOR) if part
    )
    blocks.append(Notes(_t("sources", language), tuple(sources)))
    return [*blocks, *_vendor_claims(found, catalog, language)]


def _figures(found: Checked, language: str) -> Table:
    words = {True: _t("yes", language), False: _t("no", language), None: ""}
    rows = tuple(
        (
            figure_text(figure, language),
            _value(figure),
            figure.claimed,
            words[figure.holds],
        )
        for figure in found.figures
    )
    columns = tuple(_t(name, language) for name in ("figure", "value", "claimed", "holds"))
    return Table(None, columns, rows, frozenset({1}))


def _value(figure: Figure) -> str:
    if figure.value is None:
        return "–"
    shown = number(figure.value)
    return shown if figure.unit in ("", "ratio") else f"{shown} {figure.unit}"


def _vendor_claims(found: Checked, catalog: Catalog, language: str) -> list[Block]:
    """Claims that the catalog keeps of an announced chip, as they were made."""
    names = dict.fromkeys(
        row["accelerator"] for row in found.claim.evidence if row["kind"] == "announced"
    )
    blocks: list[Block] = []
    for name in names:
        accelerator = catalog.accelerator(name)
        items = tuple(
            _t(
                "vendor_claim",
                language,
                text=claim.text,
                by=claim.by,
                date=claim.date,
                baseline=claim.baseline or "–",
            )
            for claim in accelerator.claims
            if not claim.verified
        )
        if items:
            blocks.append(Notes(_t("vendor_claims", language, accelerator=accelerator.name), items))
    return blocks
