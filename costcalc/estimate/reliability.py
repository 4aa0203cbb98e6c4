"""Interruptions, checkpoints and what they cost, in shares of the useful time.

A run that is interrupted loses what it did since its last checkpoint, and the time to come back. A
checkpoint costs time too, so there is a best interval (Young 1974, "A first order approximation to
the optimum checkpoint interval", CACM 17(9)): sqrt(2 x time to save x mean time between
interruptions).
"""

from __future__ import annotations

import math

CHIP_HOURS_PER_FAILURE = 5.0e4
"""Chip-hours between unexpected failures of one chip's part of a cluster: 419 in 54 days of 16,384
H100 (Llama 3 herd of models, arXiv 2407.21783, table 5) is one in 50,700."""

CHECKPOINT_BYTES = {"full": 14.0, "lora": 0.0, "qlora": 0.0}
"""Bytes of a checkpoint per weight of the model: bf16 weights, fp32 master copy and two moments;
BLOOM's 2.3 TB for 176e9 weights is 13. Frozen weights are not saved."""
ADAPTER_CHECKPOINT_BYTES = 14.0

EVALUATION_SHARE = {"full": 0.045, "lora": 0.10, "qlora": 0.10}
"""Evaluation in MLPerf Training logs of 2024 and 2025, share of the training time: 4 to 5 % for
Llama-3.1-405B pretraining, about 10 % for Llama-2-70B LoRA; how often to evaluate is the user's
choice, so that this is told and never added by itself."""


STORAGE_BYTES_PER_S_PER_HOST = 1.0e9
"""Assumed rate at which a host writes its part of a checkpoint to a cloud's file system."""


def failures_per_hour(chips: float) -> float:
    """Unexpected interruptions per hour of a cluster."""
    return chips / CHIP_HOURS_PER_FAILURE


def checkpoint_bytes(params_total: float, adapter_params: float, method: str) -> float:
    """Size of a checkpoint to resume from, bytes."""
    return CHECKPOINT_BYTES[method] * params_total + ADAPTER_CHECKPOINT_BYTES * adapter_params


def save_hours(size_bytes: float, hosts: float, bytes_per_s_per_host: float) -> float:
    """Hours that a blocking save takes when every host writes its part."""
    return size_bytes / (hosts * bytes_per_s_per_host) / 3600.0


def young_interval_hours(save: float, interruptions_per_hour: float) -> float:
    """Hours between checkpoints with the least loss; infinite when nothing interrupts.

    Args:
        save: hours that one checkpoint takes.
        interruptions_per_hour: mean rate.
    """
    if interruptions_per_hour <= 0:
        return math.inf
    return math.sqrt(2.0 * save / interruptions_per_hour)


def lost_per_interruption_hours(
    save: float, restart: float, interruptions_per_hour: float
) -> float:
    """Hours that an interruption costs: half an interval done again, and the restart."""
    interval = young_interval_hours(save, interruptions_per_hour)
    return restart if math.isinf(interval) else interval / 2.0 + restart


def lost_share(save: float, restart: float, interruptions_per_hour: float) -> float:
    """Hours lost per useful hour at the best checkpoint interval, at most 1.

    Saving takes `save / interval` of the time and redone work as much again, which is what makes
    the interval the best one; restarts come on top. Grows with every argument. A run that loses
    more than it does would not end: the share is capped at 1.

    Args:
        save: hours that one checkpoint takes.
        restart: hours from an interruption to the first new step.
        interruptions_per_hour: mean rate for the whole cluster.
    """
    if interruptions_per_hour <= 0:
        return 0.0
    interval = young_interval_hours(save, interruptions_per_hour)
    saving = save / interval if interval else 0.0
    again = interruptions_per_hour * lost_per_interruption_hours(
        save, restart, interruptions_per_hour
    )
    return min(saving + again, 1.0)
