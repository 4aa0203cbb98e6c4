"""What a report says of one training run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from costcalc import messages
from costcalc.quote.types import Quote, WorkloadQuote
from costcalc.reports import wording

if TYPE_CHECKING:
    from costcalc.estimate.training import TrainingEstimate


def facts(workload: WorkloadQuote, quote: Quote, language: str) -> tuple[tuple[str, str], ...]:
    """Model, place, time, rate and memory of a run."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"report.{name}", language, **params)

    inputs = workload.inputs
    if "assume" in inputs:
        from costcalc.reports import assumed_section

        return assumed_section.training_facts(workload, language)
    estimate: TrainingEstimate = workload.estimate  # type: ignore[assignment]
    rows = [
        (
            t("model"),
            t(
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
            ),
        )
    ]
    rows.extend(place(workload, language))
    rows.append(
        (
            t("time"),
            t(
                "time_range",
                hours=wording.hours(estimate.hours, language),
                low=f"{estimate.hours_low:,.1f}",
                high=f"{estimate.hours_high:,.1f}",
                share=wording.percent(estimate.interval),
            ),
        )
    )
    factor = inputs.get("programme_factor", 1)
    scope = t("scope_run") if factor == 1 else t("scope_programme", factor=f"{factor:f}")
    rows.append((t("scope"), scope))
    rows.append(
        (
            t("speed"),
            t(
                "speed_mfu",
                rate=f"{estimate.tokens_per_second_per_accelerator:,.0f}",
                mfu=wording.percent(estimate.mfu, 1),
                peak=f"{estimate.mfu_peak_tflops:,.0f}",
                goodput=wording.percent(estimate.goodput),
            ),
        )
    )
    if estimate.memory is not None and estimate.layout is not None:
        layout = estimate.layout
        degrees = [
            f"{getattr(layout, name)} {t(f'degree_{name}')}"
            for name in ("data", "tensor", "pipeline", "context", "expert")
            if getattr(layout, name) > 1
        ]
        whole = layout.sharding == "none"
        rows.append(
            (
                t("memory"),
                t(
                    "memory_use",
                    used=f"{estimate.memory.gib()['total']:,.1f}",
                    layout=" x ".join(degrees) or t("one_chip"),
                    sharding=t("sharding_none") if whole else t("sharding", kind=layout.sharding),
                    recompute=t(f"recompute_{layout.recompute}"),
                ),
            )
        )
    return tuple(rows)


def place(workload: WorkloadQuote, language: str) -> list[tuple[str, str]]:
    """Where a workload runs: provider, region, machines, purchase option."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"report.{name}", language, **params)

    offer = workload.offer
    if offer is None:
        return []
    return [
        (
            t("where"),
            t(
                "where_offer",
                provider=offer.provider,
                region=offer.region or t("any_region"),
                purchase=wording.way(offer.purchase, language),
                market=wording.way(offer.market, language),
            ),
        ),
        (
            t("machines"),
            t(
                "machines_offer",
                instances=offer.instances,
                instance_type=offer.instance_type,
                accelerators=f"{offer.accelerators:,}",
                accelerator=offer.accelerator,
                price=wording.unit_price(offer.usd_per_instance_hour),
            ),
        ),
    ]
