"""Published training runs: a row of a CSV file becomes a case that the time model can predict.

The columns are those of the runs table that ships with the catalog. Measured columns (rates, hours,
utilisation) are read only to compare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from costcalc.accuracy.measured import measured_rate, year_of
from costcalc.accuracy.sizes import ModelSizes
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.estimate.chip import Chip
from costcalc.estimate.shape import TrainingShape
from costcalc.estimate.training import default_batch_tokens

DEFAULT_CHIPS = 1024
"""Chips of a run that does not say: these are whole pretraining runs of large laboratories."""
DEFAULT_SEQ_LEN = 4096

STACKS = ("tuned", "default", "out-of-box", "mlperf", "whole-run")
SMALL_KINDS = ("finetune", "lora", "qlora", "mlperf-lora")
"""Kinds of run whose batch, when it is not given, is that of fine-tuning."""


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """One run, ready to be predicted.

    Attributes:
        id: of the row.
        cluster: near-duplicates share it (chip family, model, source).
        source: who published it; all rounds of MLPerf are one source.
        accelerator: as the row names it.
        chip, shape: resolved.
        method, precision, stack: as the estimate takes them; `stack` may be `mlperf`, `whole-run`.
        chips, seq_len, batch_tokens: given, or the documented default.
        measured: tokens per second and chip.
        kind: the row's own word.
        year: date of the software as a decimal year; infinite when the row does not say.
    """

    id: str
    cluster: str
    source: str
    accelerator: str
    chip: Chip
    shape: TrainingShape
    method: str
    precision: str
    stack: str
    chips: float
    seq_len: float
    batch_tokens: float
    measured: float
    kind: str
    year: float


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row without a rate to compare with."""

    id: str
    reason: str


def number(row: Mapping[str, str], column: str) -> float | None:
    """A number of a row, None when the cell is empty or 0 or the column is missing.

    Raises:
        InputError: the cell holds something else, or a number below zero.
    """
    text = (row.get(column) or "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if value == 0:
        return None
    if not 0 < value < float("inf"):
        raise InputError("accuracy.cell", row=row.get("id") or "?", column=column, text=text[:40])
    return value


def precision_of(text: str) -> str:
    """`bf16`, `fp8`, `fp4` or `int8` from the words of a source (`MXFP8`, `NVFP4 (+FP8 tail)`)."""
    upper = text.upper()
    if "FP4" in upper:
        return "fp4"
    if "FP8" in upper:
        return "fp8"
    return "int8" if "INT8" in upper else "bf16"


def source_of(row: Mapping[str, str]) -> str:
    """Who published the row; every round of MLPerf training counts as one source."""
    name = (row.get("source_repo") or row.get("source_url") or "").strip()
    if name.startswith("mlcommons/"):
        return "mlcommons"
    return name or "unknown"


def method_of(row: Mapping[str, str]) -> str:
    """`full`, `lora` or `qlora`."""
    kind = (row.get("kind") or "").strip()
    if kind == "qlora" or "NF4" in (row.get("precision") or "").upper():
        return "qlora"
    return "lora" if "lora" in kind or number(row, "flop_factor") == 4.0 else "full"


def training_case(
    row: Mapping[str, str], catalog: Catalog, sizes: ModelSizes
) -> TrainingCase | Skipped:
    """The case of a row.

    Raises:
        InputError: a cell that cannot be read, an accelerator that nobody knows and whose row gives
            no peak, or an unknown `tuning`.
    """
    name = (row.get("id") or "").strip() or "?"
    chip = chip_of(row, catalog)
    shape = sizes.shape(row)
    if shape is None:
        return Skipped(name, "model_size_unknown")
    stack = (row.get("tuning") or "default").strip()
    if stack not in STACKS:
        raise InputError("accuracy.tuning", row=name, text=stack[:40], known=", ".join(STACKS))
    seq_len = number(row, "seq_len") or DEFAULT_SEQ_LEN
    method = method_of(row)
    measured = measured_rate(
        tokens_per_s=number(row, "tokens_per_s_per_chip"),
        tflops=number(row, "tflops_per_chip_published"),
        utilisation=number(row, "util_published"),
        convention=row.get("util_convention") or "",
        date=row.get("source_date") or "",
        peak_bf16=number(row, "peak_bf16_tflops") or chip.peak_tflops.get("bf16"),
        peak_precision=number(row, "peak_prec_tflops"),
        params_active=(number(row, "params_active_b") or shape.params_active / 1e9) * 1e9,
        factor=4.0 if method != "full" else 6.0,
        attention_flops=3.0 * shape.score_flops(seq_len),
    )
    if measured is None:
        return Skipped(name, "no_rate")
    chips = number(row, "accelerator_count") or DEFAULT_CHIPS
    kind = (row.get("kind") or "").strip()
    batch = number(row, "global_batch_tokens")
    if batch is None:
        sequences = number(row, "global_batch_seqs")
        batch = sequences * seq_len if sequences else None
    if batch is None:
        small = method != "full" or kind in SMALL_KINDS
        batch = default_batch_tokens(chips, seq_len, small=small)
    precision = precision_of(row.get("precision") or "")
    if chip.peak_tflops.get(precision, 0.0) <= chip.peak_tflops["bf16"]:
        # no peak, or one that gains nothing
        precision = "bf16"
    return TrainingCase(
        id=name,
        cluster=(row.get("cluster") or "").strip()
        or "|".join((chip.family, row.get("model") or "", source_of(row))),
        source=source_of(row),
        accelerator=(row.get("accelerator") or "").strip() or chip.id,
        chip=chip,
        shape=shape,
        method=method,
        precision=precision,
        stack=stack,
        chips=chips,
        seq_len=seq_len,
        batch_tokens=max(batch, 1.0),
        measured=measured,
        kind=kind,
        year=year_of(row.get("source_date") or "") or float("inf"),
    )


def chip_of(row: Mapping[str, str], catalog: Catalog) -> Chip:
    """The chip of a row: the catalog's, or, for one that it lacks, one with the row's own peaks.

    Raises:
        InputError: the catalog does not know the name and the row gives no bf16 peak.
    """
    name = (row.get("accelerator") or "").strip()
    try:
        chip = catalog.accelerator(name).chip
    except InputError:
        chip = None
    if chip is not None and chip.peak_tflops.get("bf16"):
        return chip
    peak = number(row, "peak_bf16_tflops")
    if peak is None:
        raise InputError("accuracy.accelerator", row=row.get("id") or "?", name=name or "?")
    peaks = {"bf16": peak}
    own = number(row, "peak_prec_tflops")
    precision = precision_of(row.get("precision") or "")
    if own is not None and precision != "bf16":
        peaks[precision] = own
    family = (row.get("accel_family") or "").strip()
    known = {other.chip.family: other.chip.vendor for other in catalog.accelerators().values()}
    return Chip(
        id=re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unknown",
        vendor=known.get(family, "unknown"),
        family=family or "unknown",
        peak_tflops=peaks,
        matmul_tflops={},
        hbm_gb=None,
        hbm_gbps=None,
        scaleup_gbps=None,
        scaleout_gbps=None,
        tdp_w=None,
        chips_per_host=None,
        max_scaleup_chips=None,
        status="available",
        can_train=True,
        can_serve=False,
    )


def training_cases(
    rows: Sequence[Mapping[str, str]], catalog: Catalog, sizes: ModelSizes
) -> tuple[list[TrainingCase], list[Skipped]]:
    """All cases of a table, and the rows without one."""
    cases: list[TrainingCase] = []
    skipped: list[Skipped] = []
    for row in rows:
        found = training_case(row, catalog, sizes)
        if isinstance(found, Skipped):
            skipped.append(found)
        else:
            cases.append(found)
    return cases, skipped
