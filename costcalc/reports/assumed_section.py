"""What a report says of a what-if: on every figure that it is an assumption."""

from __future__ import annotations

from typing import Any

from costcalc import messages
from costcalc.quote.assume import AssumedService
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


def serving_facts(workload: WorkloadQuote, language: str) -> tuple[tuple[str, str], ...]:
    """Model, system, load, replicas and cost per million tokens of an assumed service."""
    inputs, found = workload.inputs, workload.estimate
    assert found is not None

    def t(name: str, **params: object) -> str:
        return messages.text(f"economics.{name}", language, **params)

    load = t(
        "assumed_load",
        rate=f"{inputs['rps']:g}",
        input=f"{inputs['input_tokens']:,}",
        output=f"{inputs['output_tokens']:,}",
    )
    replicas = t(
        "assumed_replicas",
        replicas=f"{found.replicas:,}",
        each=f"{found.accelerators_per_replica:,}",
        accelerators=f"{found.accelerators:,}",
        use=wording.percent(found.utilisation),
    )
    tokens = t(
        "assumed_tokens",
        output=f"{found.usd_per_million_output_tokens:,.3g}",
        input=f"{found.usd_per_million_input_tokens:,.3g}",
    )
    model = f"{inputs['model']} ({wording.count(found.params_total)})"
    return (
        (messages.text("serve.model", language), model),
        *assumption_facts(workload, language),
        (messages.text("serve.load", language), load),
        (messages.text("serve.replicas", language), replicas),
        (messages.text("serve.output_cost", language), tokens),
    )


def serving_record(found: AssumedService) -> dict[str, Any]:
    """The keys of a serving estimate; null is what an assumed rate does not tell."""
    from costcalc.reports import serving_record as real

    record = {name: getattr(found, name, None) for name in real.columns()}
    for name in ("replicas", "accelerators", "utilisation"):
        record[f"{name}_low"] = record[f"{name}_high"] = record[name]
    return {**record, "memory_gib_per_accelerator": None, "layout": None}
