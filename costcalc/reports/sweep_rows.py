"""The points of a sweep as lines of text: CSV under one header, or one JSON object a line.

What is the same for many points (hardware, offer) is written once and put in front of each.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from costcalc.reports.csv_report import cell
from costcalc.reports.json_report import plain

if TYPE_CHECKING:
    from costcalc.catalog.hardware import Hardware
    from costcalc.quote.sweep import Configuration, Sweep
    from costcalc.quote.train import TrainRequest
    from costcalc.quote.types import OfferChoice

HARDWARE_COLUMNS = (
    "model",
    "method",
    "precision",
    "tuning",
    "epochs",
    "on",
    "accelerator",
    "accelerators",
)
OFFER_COLUMNS = (
    "provider",
    "region",
    "instance_type",
    "instances",
    "purchase",
    "usd_per_instance_hour",
    "price_as_of",
    "confidence",
)
CONFIGURATION_COLUMNS = (
    "seq_len",
    "global_batch_tokens",
    "tokens_per_second_per_accelerator",
    "mfu",
    "goodput",
)
POINT_COLUMNS = (
    "tokens",
    "status",
    "hours",
    "hours_low",
    "hours_high",
    "usd",
    "usd_low",
    "usd_high",
    "mxn",
    "mxn_low",
    "mxn_high",
)
COLUMNS = (*HARDWARE_COLUMNS, *OFFER_COLUMNS, *CONFIGURATION_COLUMNS, *POINT_COLUMNS)
FORMATS = ("csv", "jsonl")

Part = Callable[[Sequence[str], Sequence[Any]], str]


def lines(sweep: Sweep, form: str) -> Iterator[str]:
    """The sweep as lines that end in a line feed; the first of a CSV is its header.

    Args:
        form: `csv` or `jsonl`.
    """
    part: Part
    if form == "csv":
        yield ",".join(COLUMNS) + "\n"
        part, start, empty, end = _csv_part, "", "", "\n"
        template = ",".join(["%s"] * len(POINT_COLUMNS))
    else:
        part, start, empty, end = _json_part, "{", "null", "}\n"
        template = ", ".join(
            f'"{name}": ' + ('"%s"' if name == "status" else "%s") for name in POINT_COLUMNS
        )
    rented: Any = None
    offer: Any = ()
    hardware_text = offer_text = ""
    for configuration in sweep.configurations():
        if configuration.hardware is not rented:
            rented = configuration.hardware
            hardware_text = part(HARDWARE_COLUMNS, _of_hardware(rented, sweep.request.base))
        point = part(CONFIGURATION_COLUMNS, _of_configuration(configuration)) + template + end
        head = ""
        for values in sweep.values(configuration):
            if values[0] is not offer or not head:
                if values[0] is not offer:
                    offer = values[0]
                    offer_text = part(OFFER_COLUMNS, _of_offer(offer))
                head = start + hardware_text + offer_text
            if values[-1] is None:
                values = tuple(empty if value is None else value for value in values)
            yield head + point % values[1:]


def _of_hardware(hardware: Hardware, base: TrainRequest) -> list[Any]:
    return [
        base.architecture.name,
        base.method,
        base.precision,
        base.tuning,
        base.epochs,
        hardware.text,
        hardware.accelerator.id,
        hardware.count,
    ]


def _of_offer(offer: OfferChoice | None) -> list[Any]:
    if offer is None:
        return [None] * len(OFFER_COLUMNS)
    return [
        offer.provider,
        offer.region,
        offer.instance_type,
        offer.instances,
        offer.purchase,
        offer.usd_per_instance_hour,
        offer.as_of,
        offer.confidence,
    ]


def _of_configuration(configuration: Configuration) -> list[Any]:
    time, batch = configuration.time, configuration.batch_tokens
    return [
        configuration.seq_len,
        int(batch) if batch.is_integer() else batch,
        None if time is None else 1.0 / time.steady,
        configuration.mfu,
        None if time is None else time.useful,
    ]


def _csv_part(columns: Sequence[str], values: Sequence[Any]) -> str:
    if columns is CONFIGURATION_COLUMNS:
        # numbers only: nothing to quote
        return ",".join("" if value is None else repr(value) for value in values) + ","
    out = io.StringIO()
    csv.writer(out, lineterminator=",").writerow([cell(value) for value in values])
    return out.getvalue()


def _json_part(columns: Sequence[str], values: Sequence[Any]) -> str:
    record = {name: plain(value) for name, value in zip(columns, values, strict=True)}
    return json.dumps(record, ensure_ascii=False, allow_nan=False)[1:-1] + ", "
