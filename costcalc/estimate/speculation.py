"""Speculative decoding: a draft proposes tokens that one step of the model verifies together.

Tokens per step are (1 - a^(g+1)) / (1 - a) for `g` proposed tokens that are each accepted with
chance `a` (Leviathan et al. 2023, arXiv 2211.17192). Verifying computes g + 1 tokens per sequence,
so that the gain shrinks as the batch nears the point where matmuls take longer than reading.
"""

from __future__ import annotations

from dataclasses import dataclass

from costcalc.estimate.decode import step_parts
from costcalc.estimate.serving_calibration import EngineConstants
from costcalc.estimate.serving_numbers import ReplicaNumbers, WorkNumbers

DRAFT_FIXED_SHARE = 0.1
"""Fixed time of one draft step over that of the model: drafts run as one captured graph without
sampling on the host."""


@dataclass(frozen=True, slots=True)
class Draft:
    """How tokens are proposed.

    Attributes:
        tokens: proposed per step; 0 is no speculation.
        acceptance: chance that a proposed token is right, given that those before it were.
        size: cost of one draft token over one token of the model (a 1B draft of a 70B: 0.015).
    """

    tokens: int = 0
    acceptance: float = 0.7
    size: float = 0.02

    def tokens_per_step(self) -> float:
        """Tokens that a step yields on average."""
        if self.acceptance >= 1.0:
            return self.tokens + 1.0
        return float((1.0 - self.acceptance ** (self.tokens + 1)) / (1.0 - self.acceptance))


NO_DRAFT = Draft()


def speculative_step(
    numbers: ReplicaNumbers,
    work: WorkNumbers,
    k: EngineConstants,
    batch: float,
    draft: Draft,
) -> float:
    """Seconds per output token of a sequence with a draft, `batch` sequences running."""
    checked = draft.tokens + 1.0
    fixed, reading, matmul, cache, collective, host = step_parts(
        numbers, work, k, batch, tokens=checked
    )
    verify = fixed + max(reading, matmul) + cache + collective + host
    parts = step_parts(numbers, work, k, batch)
    one = max(parts[1], parts[2]) + parts[3] + parts[4]
    drafting = draft.tokens * (DRAFT_FIXED_SHARE * fixed + draft.size * one)
    return float((verify + drafting) / draft.tokens_per_step())
