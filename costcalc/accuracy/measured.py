"""The measured rate of a published run, in tokens per second and chip.

Sources publish tokens, TFLOP/s or a utilisation; the last two mean something only together with the
FLOPs that the source counted per token. In order: tokens per second; TFLOP/s; utilisation times the
peak that it refers to; the last two divided by the FLOPs per token of the source's convention.
"""

from __future__ import annotations

import re

FULL_ATTENTION_UNTIL = 2025.5
"""Until mid-2025 a plain "MFU" or "TFLOP/s" counted the whole attention matrix (PaLM, Chowdhery et
al. 2022, appendix B; MaxText before its pull request 1988 of July 2025; NeMo's 2025 formula for
Llama has 12 x S / h), after it the causal half."""


def counts_full_attention(convention: str, year: float | None) -> bool:
    """Whether a source's FLOPs count the whole attention matrix rather than the causal half."""
    text = convention.lower()
    if "causal" in text:
        return False
    if "full attention" in text or "palm" in text:
        return True
    return year is not None and year < FULL_ATTENTION_UNTIL


def refers_to_precision(convention: str) -> bool:
    """Whether a utilisation is against the peak of the training precision instead of bf16."""
    text = convention.lower()
    return "peak of the precision" in text or "precision peak" in text


def peak_in(convention: str) -> float | None:
    """A peak that the convention names itself, TFLOP/s (`eMFU over BF16 peak 2237`)."""
    found = re.search(r"peak (\d{2,5})\b", convention)
    return float(found[1]) if found else None


def counts_recompute(convention: str) -> bool:
    """Whether the figure is hardware FLOPs (HFU): a full recomputation adds a forward pass."""
    text = convention.lower()
    return "incl. recompute" in text or text.startswith("hfu")


def year_of(text: str) -> float | None:
    """Decimal year of a source's date: `2024-11`, `2025`, `NeMo 26.06`."""
    release = re.match(r"\D*(\d\d)\.(\d\d)\b", text)
    if release and not re.match(r"\d{4}", text):
        return 2000 + int(release[1]) + (int(release[2]) - 0.5) / 12
    found = re.match(r"(\d{4})(?:-(\d\d))?", text)
    if not found:
        return None
    return int(found[1]) + ((int(found[2]) - 0.5) / 12 if found[2] else 0.5)


def measured_rate(
    *,
    tokens_per_s: float | None,
    tflops: float | None,
    utilisation: float | None,
    convention: str,
    date: str,
    peak_bf16: float | None,
    peak_precision: float | None,
    params_active: float,
    factor: float,
    attention_flops: float,
) -> float | None:
    """Tokens per second and chip, None when nothing gives a rate.

    Args:
        tokens_per_s, tflops, utilisation: as published, each may be missing.
        convention, date: what the source says about its FLOPs, and when.
        peak_bf16, peak_precision: dense peaks, TFLOP/s.
        params_active: active weights, embeddings included.
        factor: 6, or 4 with a frozen base.
        attention_flops: causal attention FLOPs per token, forward and backward.
    """
    if tokens_per_s is not None:
        return tokens_per_s
    if tflops is None:
        peak = peak_in(convention) or (
            peak_precision if refers_to_precision(convention) else peak_bf16
        )
        if utilisation is None or peak is None:
            return None
        tflops = utilisation * peak
    full = counts_full_attention(convention, year_of(date))
    flops = factor * params_active + attention_flops * (2.0 if full else 1.0)
    if counts_recompute(convention):
        flops *= (factor + 2.0) / factor
    return tflops * 1e12 / flops
