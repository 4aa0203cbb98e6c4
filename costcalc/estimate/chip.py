"""One accelerator chip as it is sold: a TPU chip (not a core), a Trainium chip, one GPU package."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chip:
    """Datasheet figures of one chip. `None` is "not published", never zero.

    Attributes:
        id: catalog id, `h100-sxm`.
        vendor: `nvidia`, `google`, `aws`, `amd`, `intel`, `openai`.
        family: chips of one design, `h100`; effects are shared inside it.
        peak_tflops: dense peak by precision (`bf16`, `fp8`, `fp4`, `int8`), TFLOP/s; never the
            figure "with sparsity".
        matmul_tflops: best measured matmul rate by precision, TFLOP/s; empty when nobody measured.
        hbm_gb: memory, 10^9 bytes.
        hbm_gbps: memory bandwidth, 10^9 bytes/s.
        scaleup_gbps: link bandwidth to the chips of its scale-up domain, one way, 10^9 bytes/s.
        scaleout_gbps: network bandwidth per chip between domains, one way, 10^9 bytes/s.
        tdp_w: power limit, watts.
        chips_per_host: chips in one host.
        max_scaleup_chips: largest domain joined by the fast links (NVLink, ICI, NeuronLink).
        status: `available`, `announced`, `retired`.
        can_train, can_serve: what its software supports.
    """

    id: str
    vendor: str
    family: str
    peak_tflops: Mapping[str, float]
    matmul_tflops: Mapping[str, float]
    hbm_gb: float | None
    hbm_gbps: float | None
    scaleup_gbps: float | None
    scaleout_gbps: float | None
    tdp_w: float | None
    chips_per_host: int | None
    max_scaleup_chips: int | None
    status: str
    can_train: bool
    can_serve: bool
