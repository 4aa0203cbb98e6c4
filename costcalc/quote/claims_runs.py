"""Evidence from the time model: what training runs take and cost on one chip and on another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from costcalc.errors import NoOfferError
from costcalc.quote.claims import SEPARATOR, Figure, Setting
from costcalc.quote.claims_prices import PURCHASE, bought_at
from costcalc.quote.select import Placement, select
from costcalc.quote.sizing import Sizer
from costcalc.quote.train import TrainRequest, estimate_run

MAX_CHIPS = 512


@dataclass(frozen=True, slots=True)
class _Run:
    """A run on one system, priced: hours and USD of its machines."""

    hours: float
    usd: float
    offer: str


def _request(run: Mapping[str, Any], on: str, setting: Setting, **placement: Any) -> TrainRequest:
    """`run` as `costcalc train` would be asked for it."""
    batch = run.get("global_batch")
    return TrainRequest(
        architecture=setting.catalog.model(run["model"]),
        tokens=int(run["tokens"]),
        placement=Placement(hardware=setting.catalog.hardware(on), **placement),
        seq_len=int(run.get("seq_len", 4096)),
        global_batch_tokens=None if batch is None else int(batch),
        method=str(run.get("method", "full")),
        lora_rank=int(run.get("lora_rank", 16)),
        precision=str(run.get("precision", "bf16")),
        tuning=run.get("tuning"),
    )


def _place(place: str) -> dict[str, Any]:
    return {**bought_at(place), "purchase": PURCHASE}


def _priced(request: TrainRequest, setting: Setting) -> _Run | None:
    """None where it does not fit or nobody sells it that way."""
    try:
        estimate = estimate_run(request, setting.catalog, setting.calibration)
        choice = select(request.placement, setting.catalog, setting.terms.as_of).choice
    except NoOfferError:
        return None
    usd = Decimal(repr(estimate.hours)) * choice.usd_per_hour
    where = f"{choice.provider} {choice.region or '*'} {choice.purchase}"
    return _Run(estimate.hours, float(usd), f"{where} USD {choice.usd_per_hour:f}/h {choice.as_of}")


def training_run(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """The same run on each system of `of` and of `against`: how much faster, how much cheaper."""
    for place in row["places"]:
        runs = {
            on: _priced(_request(row["run"], on, setting, **_place(place)), setting)
            for on in dict.fromkeys([*row["of"], *row["against"]])
        }
        for of in row["of"]:
            for against in row["against"]:
                yield from _pair(row, place, of, against, runs[of], runs[against])


def _pair(
    row: Mapping[str, Any], place: str, of: str, against: str, one: _Run | None, other: _Run | None
) -> Iterator[Figure]:
    params: dict[str, Any] = {"of": of, "against": against, "place": place}
    params["tuning"] = row["run"].get("tuning") or "default"
    if one is None or other is None:
        yield Figure("training_run", "run_not_sold", tuple(params.items()), source="catalog")
        return
    source = SEPARATOR.join(("time model", f"{of}: {one.offer}", f"{against}: {other.offer}"))
    budget = row.get("usd")
    if budget is not None:
        params["against_usd"] = f"{budget:,.0f}"
        params["of_usd"] = f"{one.usd / other.usd * budget:,.0f}"
    for key, value, label in (
        ("speed_at_least", other.hours / one.hours, "run_speed"),
        ("saving_at_least", other.usd / one.usd, "run_budget" if budget else "run_saving"),
    ):
        least = row.get(key)
        if least is not None:
            yield Figure(
                kind="training_run",
                label=label,
                params=tuple(params.items()),
                value=value,
                unit="ratio",
                claimed=f">= {least:g}",
                holds=value >= least,
                source=source,
            )


def hourly_cost(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """USD per hour of the smallest system that holds a run: each of `against` over each of `of`."""
    least = float(row["at_least"])
    for place in row["places"]:
        found = {
            name: _smallest_system(row, name, place, setting)
            for name in dict.fromkeys([*row["of"], *row["against"]])
        }
        for of in row["of"]:
            for against in row["against"]:
                one, other = found[of], found[against]
                ratio = None if one is None or other is None else other[1] / one[1]
                yield Figure(
                    kind="hourly_cost",
                    label="hourly_cost",
                    params=(
                        ("of", of if one is None else one[0]),
                        ("against", against if other is None else other[0]),
                        ("place", place),
                        ("of_usd", "–" if one is None else f"{one[1]:,.2f}"),
                        ("against_usd", "–" if other is None else f"{other[1]:,.2f}"),
                    ),
                    value=ratio,
                    unit="ratio",
                    claimed=f">= {least:g}",
                    holds=None if ratio is None else ratio >= least,
                    source=SEPARATOR.join(item[2] for item in (one, other) if item is not None),
                )


def _smallest_system(
    row: Mapping[str, Any], name: str, place: str, setting: Setting
) -> tuple[str, float, str] | None:
    """(system, USD per hour, source) of the fewest chips whose memory holds the run."""
    accelerator = setting.catalog.accelerator(name)
    run = row["run"]
    job = _request(run, f"{accelerator.id}:{accelerator.chip.chips_per_host or 1}", setting).job()
    sizer = Sizer(job, setting.calibration)
    sizes: Iterable[int] = (
        range(sizer.least_count(accelerator.chip), MAX_CHIPS)
        if accelerator.slices is None
        else accelerator.slices.sizes
    )
    count = next((size for size in sizes if sizer.fits(accelerator.chip, size)), None)
    if count is None:
        return None
    placement = Placement(
        hardware=setting.catalog.hardware(f"{accelerator.id}:{count}"), **_place(place)
    )
    try:
        choice = select(placement, setting.catalog, setting.terms.as_of).choice
    except NoOfferError:
        return None
    source = f"{choice.provider} {choice.instance_type} {choice.purchase} {choice.as_of}"
    return f"{accelerator.id}:{choice.accelerators}", float(choice.usd_per_hour), source


def tuning(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """How much longer a run takes on a stack that nobody tuned."""
    most = float(row["at_most"])
    hours = {
        stack: estimate_run(
            _request({**row["run"], "tuning": stack}, row["system"], setting),
            setting.catalog,
            setting.calibration,
        ).hours
        for stack in ("tuned", "out-of-box")
    }
    ratio = hours["out-of-box"] / hours["tuned"]
    yield Figure(
        kind="tuning",
        label="tuning",
        params=(("on", row["system"]), ("model", row["run"]["model"])),
        value=ratio,
        unit="ratio",
        claimed=f"<= {most:g}",
        holds=ratio <= most,
        source="time model",
    )


def cheapest_kind(row: Mapping[str, Any], setting: Setting) -> Iterator[Figure]:
    """The cheapest GPU's cost of a run over the cheapest ASIC's, for each run and market."""
    for run in row["runs"]:
        for place in row["places"]:
            best = {kind: _cheapest_of(row[kind], run, place, setting) for kind in ("asic", "gpu")}
            asic, gpu = best["asic"], best["gpu"]
            ratio = None if asic is None or gpu is None else gpu[1].usd / asic[1].usd
            yield Figure(
                kind="cheapest_kind",
                label="cheapest_kind",
                params=(
                    ("model", run["model"]),
                    ("method", run.get("method", "full")),
                    ("place", place),
                    ("asic", "–" if asic is None else asic[0]),
                    ("gpu", "–" if gpu is None else gpu[0]),
                ),
                value=ratio,
                unit="ratio",
                claimed=">= 1",
                holds=None if ratio is None else ratio >= 1,
                source=SEPARATOR.join(found[1].offer for found in (asic, gpu) if found is not None),
            )


def _cheapest_of(
    vendors: Iterable[str],
    run: Mapping[str, Any],
    place: str,
    setting: Setting,
) -> tuple[str, _Run] | None:
    found: list[tuple[str, _Run]] = []
    for accelerator in setting.catalog.accelerators().values():
        chip = accelerator.chip
        if chip.vendor not in vendors or chip.status != "available" or not chip.can_train:
            continue
        if accelerator.slices is not None and not accelerator.slices.is_slice(int(run["chips"])):
            continue
        on = f"{accelerator.id}:{run['chips']}"
        priced = _priced(_request(run, on, setting, **_place(place)), setting)
        if priced is not None:
            found.append((on, priced))
    return min(found, key=lambda item: (item[1].usd, item[0]), default=None)
