"""What a report says of serving a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from costcalc import messages
from costcalc.estimate.serving import Range
from costcalc.quote.serve_costs import ServedWorkload
from costcalc.quote.types import Quote, WorkloadQuote
from costcalc.reports import wording
from costcalc.reports.training_section import place


def facts(workload: WorkloadQuote, quote: Quote, language: str) -> tuple[tuple[str, str], ...]:
    """Model, place, load, latency, throughput, replicas, memory, and what a million tokens cost."""

    def t(name: str, **params: object) -> str:
        return messages.text(f"serve.{name}", language, **params)

    found: ServedWorkload = workload.estimate  # type: ignore[assignment]
    serving, costs = found.serving, found.costs
    inputs = workload.inputs
    active = ""
    if serving.params_active < serving.params_total:
        active = messages.text(
            "report.active", language, params=wording.count(serving.params_active)
        )
    rows = [
        (
            t("model"),
            t(
                "model_value",
                model=inputs["model"],
                params=wording.count(serving.params_total),
                active=active,
                precision=serving.weights.upper(),
                cache=serving.cache.upper(),
                engine=serving.engine,
            ),
        ),
        *place(workload, language),
        (t("load"), _load(found, inputs, t)),
    ]
    share = wording.percent(serving.interval)
    rows.append(
        (
            t("token_time"),
            t(
                "time_range",
                value=_ms(serving.tpot_ms),
                low=_ms(serving.tpot_ms_low),
                high=_ms(serving.tpot_ms_high),
                share=share,
            ),
        )
    )
    if serving.ttft_ms_p50 is not None and serving.ttft_ms_p95 is not None:
        rows.append(
            (
                t("first_time"),
                t(
                    "first_value",
                    half=_ms(serving.ttft_ms_p50),
                    half_low=_ms(serving.ttft_ms_p50_low or 0.0),
                    half_high=_ms(serving.ttft_ms_p50_high or 0.0),
                    tail=_ms(serving.ttft_ms_p95),
                ),
            )
        )
    rows.append(
        (
            t("speed"),
            t(
                "speed_most" if serving.load == "open" else "speed_now",
                rate=f"{serving.output_tokens_per_second_per_replica:,.0f}",
                low=f"{serving.output_tokens_per_second_per_replica_low:,.0f}",
                high=f"{serving.output_tokens_per_second_per_replica_high:,.0f}",
                most=f"{serving.max_concurrency:,}",
            ),
        )
    )
    spread = ""
    if serving.replicas_low != serving.replicas_high:
        spread = t(
            "replica_range", low=f"{serving.replicas_low:,}", high=f"{serving.replicas_high:,}"
        )
    rows.append(
        (
            t("replicas"),
            t(
                "replicas_value",
                replicas=f"{serving.replicas:,}",
                spread=spread,
                each=serving.accelerators_per_replica,
                accelerators=f"{serving.accelerators:,}",
                use=wording.percent(serving.utilisation),
                headroom=wording.percent(max(1.0 - serving.utilisation, 0.0)),
            ),
        )
    )
    layout = serving.layout
    rows.append(
        (
            t("memory"),
            t(
                "memory_value",
                weights=f"{serving.weights_gib:,.1f}",
                room=f"{serving.room_gib:,.1f}",
                layout=t(
                    f"layout_{layout.mode.replace('-', '_')}",
                    copies=layout.data,
                    chips=layout.chips,
                ),
            ),
        )
    )
    rows.append(
        (
            t("period"),
            t(
                "period_value",
                months=f"{inputs['months']:g}",
                hours=f"{inputs['hours_per_month']:g}",
            ),
        )
    )
    average = wording.percent(float(inputs["average_load"]))
    for name, at_average, at_capacity in (
        ("output_cost", costs.output, costs.output_at_capacity),
        ("input_cost", costs.input, costs.input_at_capacity),
    ):
        rows.append(
            (
                t(name),
                t(
                    "cost_value",
                    average=_usd(at_average),
                    load=average,
                    full=_usd(at_capacity),
                ),
            )
        )
    return tuple(rows)


def _load(found: ServedWorkload, inputs: Mapping[str, Any], t: Callable[..., str]) -> str:
    lengths = {
        "input": f"{inputs['input_tokens']:,}",
        "output": f"{inputs['output_tokens']:,}",
    }
    targets = ""
    if inputs["tpot_ms"] is not None:
        targets += t("target_token", limit=_ms(inputs["tpot_ms"]))
    if inputs["ttft_ms"] is not None:
        targets += t("target_first", limit=_ms(inputs["ttft_ms"]))
    kind = found.serving.load
    return t(
        f"load_{kind}",
        rate=f"{inputs['rps']:g}" if kind == "open" else "",
        users=f"{inputs['concurrency']:,}" if kind == "closed" else "",
        targets=targets,
        **lengths,
    )


def _ms(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _usd(value: Range) -> str:
    def digits(amount: float) -> str:
        return f"{amount:,.2f}" if amount >= 1 else f"{amount:.3g}"

    middle, low, high = (digits(amount) for amount in (value.middle, value.low, value.high))
    return f"USD {middle}" if low == middle == high else f"USD {middle} ({low}–{high})"
