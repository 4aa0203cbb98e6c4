"""What a report says of energy, carbon and water: the figures, and each factor behind them."""

from __future__ import annotations

from collections.abc import Sequence

from costcalc import messages
from costcalc.quote.types import Factor, Footprint, Quote
from costcalc.reports.document import Block, Facts, Notes
from costcalc.reports.wording import percent


def blocks(quote: Quote, language: str, *, explain: bool = False) -> list[Block]:
    """The facts of the footprint, and with `explain` its factors with their sources."""
    if quote.footprint is None:
        return []
    found: list[Block] = [Facts(None, facts(quote.footprint, language))]
    if explain:
        items = tuple(factor_text(factor, language) for factor in quote.footprint.factors)
        found.append(Notes(_t("factors", language), items))
    return found


def _t(name: str, language: str, **params: object) -> str:
    return messages.text(f"footprint.{name}", language, **params)


def facts(footprint: Footprint, language: str) -> tuple[tuple[str, str], ...]:
    """Energy, and carbon and water where they are known."""
    rows = [(_t("energy", language), _energy(footprint, language))]
    if footprint.co2e_kg is not None:
        rows.append((_t("carbon", language), _carbon(footprint, footprint.co2e_kg, language)))
    if footprint.water_l is not None:
        rows.append((_t("water", language), _water(footprint, footprint.water_l, language)))
    return tuple(rows)


def amount(value: float) -> str:
    """A figure with the digits that mean something."""
    return f"{value:,.0f}" if value >= 100 else f"{value:,.3g}"


def _only(footprint: Footprint, what: str) -> Factor | None:
    """The one factor of a name that is used; None where workloads use different ones."""
    found = [item for item in footprint.factors if item.what == what and item.used]
    return found[0] if len(found) == 1 else None


def _energy(footprint: Footprint, language: str) -> str:
    text = _t("kwh", language, amount=amount(footprint.energy_kwh))
    limit = _only(footprint, "power_limit")
    server = _only(footprint, "server_power")
    loaded = _only(footprint, "accelerator_power_training") or _only(
        footprint, "accelerator_power_serving"
    )
    if limit is not None and server is not None and loaded is not None:
        text += _t(
            "draw",
            language,
            share=percent(loaded.value),
            limit=amount(limit.value),
            server=percent(server.value),
        )
    pue = _only(footprint, "pue")
    return text if pue is None else text + _t("pue", language, ratio=f"{pue.value:g}")


def _carbon(footprint: Footprint, kg: float, language: str) -> str:
    text = _t("kg", language, amount=amount(kg))
    used = _only(footprint, "grid_carbon")
    if used is None:
        return text
    text += _t("grid", language, factor=_grid(used, language))
    others = [
        _grid(item, language)
        for item in footprint.factors
        if item.what == "grid_carbon" and not item.used
    ]
    return text + _t("others", language, factors=", ".join(others)) if others else text


def _grid(factor: Factor, language: str) -> str:
    return _t(
        "grid_factor",
        language,
        value=f"{factor.value:g}",
        kind=_t(f"kind_{_word(factor.kind)}", language),
        year=factor.year,
    )


def _water(footprint: Footprint, litres: float, language: str) -> str:
    text = _t("litres", language, amount=amount(litres))
    site, grid = _only(footprint, "site_water"), _only(footprint, "grid_water")
    if site is None or grid is None:
        return text
    return text + _t("water_of", language, site=f"{site.value:g}", grid=f"{grid.value:g}")


def factor_text(factor: Factor, language: str) -> str:
    """One factor with its value, kind, year and source."""
    kind = kind_word(factor, language)
    told: Sequence[str] = [part for part in (kind, factor.year, factor.source) if part]
    name = factor_name(factor, language)
    return f"{name}: {factor_value(factor)} ({'; '.join(told)})"


def factor_name(factor: Factor, language: str) -> str:
    """What a factor is, of what, and whether it is in use."""
    name = _t(f"what_{factor.what}", language)
    mark = "" if factor.used else f" {_t('not_used', language)}"
    return f"{name}, {factor.subject}{mark}"


def factor_value(factor: Factor) -> str:
    """The value with its unit."""
    return f"{factor.value:g}" if factor.unit == "ratio" else f"{factor.value:g} {factor.unit}"


def kind_word(factor: Factor, language: str) -> str:
    """How sure a factor is, in words."""
    return _t(f"kind_{_word(factor.kind)}", language)


def _word(kind: str) -> str:
    return kind.replace("-", "_")
