"""Serving workloads of a plan."""

from __future__ import annotations

from costcalc.estimate.serving_calibration import ServingCalibration, serving_calibration
from costcalc.quote.plan import Serve
from costcalc.quote.plan_kinds import Priced, Setting, about, months
from costcalc.quote.plan_placement import hardware_of, placement
from costcalc.quote.serve import (
    ServeRequest,
    choose,
    estimate_request,
    priced,
)


def quote(workload: Serve, setting: Setting) -> Priced:
    """Size the replicas, price them for the months of the schedule.

    Raises:
        WorkloadError: an unknown model or accelerator, no offer, it does not fit, or no replica
            meets a target.
    """
    request = request_of(workload, setting)
    with about("on"):
        estimate = estimate_request(request, setting.catalog, _calibration(setting))
    with about(None):
        selection = choose(request, estimate, setting.catalog, setting.terms)
        done = priced(request, estimate, selection, setting.catalog, setting.terms, discounts=False)
    return Priced(workload=done.workload, lines=done.lines, notices=done.notices)


def request_of(workload: Serve, setting: Setting) -> ServeRequest:
    """The request that a workload describes; keys left out take the defaults of `costcalc serve`.

    Raises:
        WorkloadError: an unknown model, accelerator or provider.
    """
    with about("model"):
        architecture = setting.catalog.model(workload.model)
    return ServeRequest(
        architecture=architecture,
        placement=placement(workload, hardware_of(workload.on, setting), setting),
        name=workload.name,
        input_tokens=workload.input_tokens,
        output_tokens=workload.output_tokens,
        engine=workload.engine,
        precision=workload.precision,
        requests_per_s=None if workload.rps is None else float(workload.rps),
        concurrency=workload.concurrency,
        first_token_ms=workload.ttft,
        token_ms=workload.tpot,
        replicas=workload.replicas,
        months=months(workload.months),
        hours_per_month=setting.assumptions.hours_per_month,
    )


def _calibration(setting: Setting) -> ServingCalibration:
    if "serving_calibration" not in setting.cache:
        raw = setting.catalog.calibration("serving")
        setting.cache["serving_calibration"] = serving_calibration(raw)
    found: ServingCalibration = setting.cache["serving_calibration"]
    return found
