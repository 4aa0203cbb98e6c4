"""Training runs of a plan: the quote of one run, times the runs of the schedule."""

from __future__ import annotations

from typing import Any

from costcalc.estimate.calibration import TrainingCalibration, training_calibration
from costcalc.quote.plan import Train
from costcalc.quote.plan_kinds import Priced, Setting, about, runs
from costcalc.quote.plan_placement import hardware_of, placement, selection
from costcalc.quote.terms import offer_notices
from costcalc.quote.train import TrainRequest, compute_line, estimate_run, inputs
from costcalc.quote.types import WorkloadQuote


def quote(workload: Train, setting: Setting) -> Priced:
    """Estimate one run, price it on the cheapest offer that can run it, and repeat it.

    Raises:
        WorkloadError: an unknown model or accelerator, no offer, or it does not fit.
    """
    request = request_of(workload, setting)
    with about("on"):
        estimate = estimate_run(request, setting.catalog, _calibration(setting))
    with about(None):
        taken = selection(
            request.placement, setting, hours=estimate.hours, hours_high=estimate.hours_high
        )
    count = runs(workload.runs_per_month, workload.months)
    return Priced(
        workload=WorkloadQuote(
            name=workload.name,
            kind=workload.kind,
            inputs={
                **inputs(request),
                "runs_per_month": workload.runs_per_month,
                "months": workload.months,
                "runs": count,
            },
            offer=taken.choice,
            estimate=estimate,
        ),
        lines=(compute_line(workload.name, estimate, taken.choice, setting.terms, count),),
        notices=(
            *estimate.notices,
            *taken.notices,
            *offer_notices(taken.choice, setting.terms.as_of),
        ),
        runs=count,
    )


def request_of(workload: Train, setting: Setting) -> TrainRequest:
    """The run that a workload describes; keys left out take the defaults of `costcalc train`.

    Raises:
        WorkloadError: an unknown model, accelerator or provider.
    """
    with about("model"):
        architecture = setting.catalog.model(workload.model)
    given: dict[str, Any] = {
        "epochs": workload.epochs,
        "seq_len": workload.seq_len,
        "lora_rank": workload.lora_rank,
        "method": workload.method,
        "precision": workload.precision,
    }
    return TrainRequest(
        architecture=architecture,
        tokens=workload.tokens,
        placement=placement(workload, hardware_of(workload.on, setting), setting),
        name=workload.name,
        global_batch_tokens=workload.global_batch,
        tuning=workload.tuning,
        whole_run=workload.whole_run,
        **{key: value for key, value in given.items() if value is not None},
    )


def _calibration(setting: Setting) -> TrainingCalibration:
    if "training_calibration" not in setting.cache:
        raw = setting.catalog.calibration("training")
        setting.cache["training_calibration"] = training_calibration(raw)
    found: TrainingCalibration = setting.cache["training_calibration"]
    return found
