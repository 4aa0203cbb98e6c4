"""What a report says of the kinds of workload that only plans have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from costcalc import messages
from costcalc.quote.types import Quote, WorkloadQuote
from costcalc.reports import wording
from costcalc.reports.training_section import place

if TYPE_CHECKING:
    from costcalc.quote.oneoff import PaybackEstimate
    from costcalc.quote.owned import OwnedEstimate

FactRows = tuple[tuple[str, str], ...]


def machine_facts(workload: WorkloadQuote, quote: Quote, language: str) -> FactRows:
    """Where machines run."""
    return tuple(place(workload, language))


def owned_facts(workload: WorkloadQuote, quote: Quote, language: str) -> FactRows:
    """Electricity of own hardware, and its cost per hour."""
    estimate: OwnedEstimate = workload.estimate  # type: ignore[assignment]

    def t(name: str, **params: object) -> str:
        return messages.text(f"plan_report.{name}", language, **params)

    rows = [
        (
            t("cost_per_hour"),
            t("owned_hour", price=wording.money(estimate.usd_per_hour, "USD")),
        )
    ]
    if estimate.energy_kwh:
        demand = "" if estimate.billed_kw is None else t("billed", kw=f"{estimate.billed_kw:,.1f}")
        rows.append((t("energy"), f"{estimate.energy_kwh:,.0f} kWh{demand}"))
    return tuple(rows)


def one_off_facts(workload: WorkloadQuote, quote: Quote, language: str) -> FactRows:
    """When one-off work has paid itself back."""
    estimate: PaybackEstimate = workload.estimate  # type: ignore[assignment]
    if estimate.saving_per_run_usd is None:
        return ()

    def t(name: str, **params: object) -> str:
        return messages.text(f"plan_report.{name}", language, **params)

    saving = wording.money(estimate.saving_per_run_usd, "USD")
    if estimate.runs_to_pay_back is None:
        return ((t("payback"), t("payback_never", saving=saving)),)
    runs = f"{estimate.runs_to_pay_back:,}"
    return ((t("payback"), t("payback_runs", runs=runs, saving=saving)),)
