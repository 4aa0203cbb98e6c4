"""Training runs of a plan: the quote of one run, times the runs of the schedule."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from costcalc.estimate.calibration import TrainingCalibration, training_calibration
from costcalc.estimate.training import TrainingEstimate
from costcalc.notices import Notice
from costcalc.quote import money
from costcalc.quote.plan import Train
from costcalc.quote.plan_kinds import ONE, SHARE_UNIT, Priced, Setting, about, runs
from costcalc.quote.plan_placement import hardware_of, placement, rules, selection
from costcalc.quote.select import Selection
from costcalc.quote.terms import offer_notices
from costcalc.quote.train import TrainRequest, compute_line, estimate_run, inputs
from costcalc.quote.types import Line, WorkloadQuote


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
        lines, said = _lines(workload, request, estimate, taken, count, setting)
    return Priced(
        workload=WorkloadQuote(
            name=workload.name,
            kind=workload.kind,
            inputs={
                **inputs(request),
                "programme_factor": workload.programme_factor or ONE,
                "dataset_gb": workload.dataset,
                "checkpoints": workload.checkpoints,
                "checkpoint_months": workload.checkpoint_months,
                "egress_gb": workload.egress,
                "runs_per_month": workload.runs_per_month,
                "months": workload.months,
                "runs": count,
            },
            offer=taken.choice,
            estimate=estimate,
        ),
        lines=tuple(lines),
        notices=(
            *estimate.notices,
            *taken.notices,
            *offer_notices(taken.choice, setting.terms.as_of),
            *said,
        ),
        runs=count,
    )


def _lines(
    workload: Train,
    request: TrainRequest,
    estimate: TrainingEstimate,
    taken: Selection,
    count: Decimal,
    setting: Setting,
) -> tuple[list[Line], list[Notice]]:
    """The machines of all runs, spot work done again, and what each run has besides."""
    terms = setting.terms
    lines = [compute_line(workload.name, estimate, taken.choice, terms, count)]
    if taken.choice.purchase == "spot":
        from costcalc.quote.spot import redone_line

        redone = redone_line(lines[0], taken.choice, rules(setting), setting.usd_mxn)
        lines += [redone] if redone else []
    wanted = (workload.programme_factor, workload.dataset, workload.checkpoints, workload.egress)
    if taken.moved is None and not any(wanted):
        return lines, []
    from costcalc.quote.run_extras import Extras, extra_lines

    extras = Extras(
        programme_factor=workload.programme_factor or ONE,
        dataset_gb=workload.dataset,
        checkpoints=workload.checkpoints or 0,
        checkpoint_months=workload.checkpoint_months,
        egress_gb=workload.egress,
    )
    whole = money.summed(lines) if len(lines) > 1 else lines[0]
    more, said = extra_lines(request, extras, estimate, taken, whole, setting.catalog, terms)
    # a share of the machines already covers all runs
    lines += [line if line.unit == SHARE_UNIT else repeated(line, count, setting) for line in more]
    return lines, said


def repeated(line: Line, count: Decimal, setting: Setting) -> Line:
    """A line of one run, for `count` runs."""
    if count == 1:
        return line
    times = money.quantity(line.quantity, count)
    usd = money.cents(times * line.unit_price_usd)
    whole = replace(
        line,
        quantity=times,
        amount_usd=usd,
        amount_mxn=money.cents(usd * setting.usd_mxn),
    )
    return money.bounded(whole, line.low_usd * count, line.high_usd * count, setting.usd_mxn)


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
