"""Model architectures of the catalog, under their ids, aliases and Hugging Face ids."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from costcalc.catalog.names import normal
from costcalc.estimate.architecture import Architecture, AttentionLayers, MixtureOfExperts

# A fine-tuned or instruction-tuned release has the architecture of its base model.
_VARIANTS = ("-instruct", "-chat", "-base", "-it", "-pt", "-hf", "-thinking")


def build_architecture(identity: str, raw: Mapping[str, Any]) -> Architecture:
    """An architecture from its compiled form."""
    moe = raw["moe"]
    return Architecture(
        name=identity,
        hidden=raw["hidden"],
        layers=raw["layers"],
        vocab=raw["vocab"],
        tied_embeddings=raw["tied_embeddings"],
        attention=tuple(AttentionLayers(**group) for group in raw["attention"]),
        dense_layers=raw["dense_layers"],
        dense_ffn=raw["dense_ffn"],
        mlp_matrices=raw["mlp_matrices"],
        moe=MixtureOfExperts(**moe) if moe else None,
        extra_params=raw["extra_params"],
        max_context=raw["max_context"],
        approximate="" if raw["approximate"] == "none" else raw["approximate"],
        hf_id=raw["hf_id"],
    )


def find_model(name: str, aliases: Mapping[str, str]) -> str | None:
    """The id of a model by id, alias or Hugging Face id, any case; None when nothing fits.

    The name counts with and without its organisation, and without `-instruct` and the like.
    """
    form = normal(name)
    for candidate in (form, form.rpartition("/")[2]):
        while True:
            if candidate in aliases:
                return aliases[candidate]
            shorter = next(
                (candidate.removesuffix(end) for end in _VARIANTS if candidate.endswith(end)), ""
            )
            if not shorter:
                break
            candidate = shorter
    return None
