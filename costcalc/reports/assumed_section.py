"""What a report says of a what-if: on every figure that it is an assumption."""

from __future__ import annotations

from costcalc import messages
from costcalc.quote.types import WorkloadQuote
from costcalc.reports import wording


def training_facts(workload: WorkloadQuote, language: str) -> tuple[tuple[str, str], ...]:
    """Model, system, time and rate of an assumed run."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"report.{name}", language, **params)

    inputs, estimate = workload.inputs, workload.estimate
    assert estimate is not None
    run = t(
        "model_run",
        model=inputs["model"],
        params=wording.count(estimate.params_total),
        active=(
            t("active", params=wording.count(estimate.params_active))
            if estimate.params_active < estimate.params_total
            else ""
        ),
        tokens=wording.count(float(inputs["tokens"] * inputs["epochs"])),
        method=t(f"method_{inputs['method']}"),
        precision=inputs["precision"].upper(),
    )
    hours = wording.hours(estimate.hours, language)
    return (
        (t("model"), run),
        *assumption_facts(workload, language),
        (t("time"), messages.text("economics.assumed_time", language, hours=hours)),
        (t("scope"), t("scope_run")),
    )


def assumption_facts(workload: WorkloadQuote, language: str) -> tuple[tuple[str, str], ...]:
    """The assumed system, its price and its rate."""
    inputs = workload.inputs
    assumed = inputs["assume"]

    def t(name: str, **params: object) -> str:
        return messages.text(f"economics.{name}", language, **params)

    return (
        (
            messages.text("report.machines", language),
            t(
                "assumed_system",
                accelerators=f"{inputs['accelerators']:,}",
                accelerator=inputs["accelerator"],
            ),
        ),
        (
            t("assumed"),
            t(
                "assumed_basis",
                usd=f"{assumed['usd_per_hour']:f}",
                rate=f"{assumed['tokens_per_second']:,f}",
            ),
        ),
    )
