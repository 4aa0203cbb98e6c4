"""Data that a service keeps and sends, where asked: storage and egress lines."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from costcalc.errors import NoOfferError
from costcalc.notices import Notice, notice
from costcalc.quote.types import Line, OfferChoice

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.serve import ServeRequest
    from costcalc.quote.terms import Terms


def data_lines(
    request: ServeRequest, choice: OfferChoice, catalog: Catalog, terms: Terms
) -> tuple[list[Line], list[Notice]]:
    """Storage near the machines and data sent to users, for the whole schedule.

    A price that is not known is a warning, never zero.
    """
    from costcalc.quote.data_lines import price_notices, prices, rows_for, step_lines
    from costcalc.quote.plan import Assumptions
    from costcalc.quote.plan_kinds import Setting

    setting = Setting(catalog, terms, Assumptions())
    wanted: list[tuple[str, str, str, Decimal | None]] = [
        ("storage", "object", "GB-month", request.storage_gb),
        ("egress", "internet", "GB", request.egress_gb),
    ]
    lines: list[Line] = []
    said: list[Notice] = []
    for item, kind, unit, gb in wanted:
        if gb is None:
            continue
        try:
            steps = rows_for(
                prices(setting, "storage" if item == "storage" else "transfer"),
                provider=choice.provider,
                region=choice.region,
                kind=kind,
                tier=None,
                setting=setting,
            )
        except NoOfferError:
            place = choice.region or "–"
            said.append(notice("price_unknown", item=item, provider=choice.provider, region=place))
            continue
        said += price_notices(steps, setting)
        lines += step_lines(
            steps,
            workload=request.name,
            item=item,
            unit=unit,
            gb=gb,
            times=request.months,
            usd_mxn=terms.fx.usd_mxn,
        )
    return lines, said
