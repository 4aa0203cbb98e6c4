"""Model sizes for a published run: the catalog's architecture, else what the row or its name says.

In order: the architecture of the catalog under the row's model name, when its parameter count
agrees with the row's; the row's own columns; another row of the shipped table with the same model;
the sizes in the name (`nemotron-x-30b-a3b`). Without any of them a row cannot be predicted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.estimate.shape import TrainingShape, shape_from_sizes, shape_of

AGREEMENT = 0.08
"""Largest difference of two counts of the same model: publications round and leave parts out."""

_MIXTURE_BELOW = 1 / 3
"""Share of active weights below which a model without an expert count is taken for a mixture; above
it, idle weights may be embeddings (Gemma 3n, Gemma 4 E2B)."""
_USUAL_EXPERTS = 8.0

_COLUMNS = ("params_total_b", "params_active_b", "layers", "hidden", "heads", "head_dim", "vocab")
_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)(b|t)(?![a-z0-9])")
_ACTIVE = re.compile(r"(?<![a-z0-9.])a(\d+(?:\.\d+)?)b(?![a-z0-9])")


class ModelSizes:
    """Finds the sizes of the models that runs name.

    Args:
        catalog: architectures.
        shipped: rows of the runs table, for models that the catalog lacks.
    """

    def __init__(self, catalog: Catalog, shipped: Sequence[Mapping[str, str]]) -> None:
        self._catalog = catalog
        self._rows: dict[str, Mapping[str, str]] = {}
        for row in shipped:
            if row.get("params_total_b"):
                self._rows.setdefault((row.get("model") or "").strip(), row)
        self._architectures: dict[str, TrainingShape | None] = {}

    def shape(self, row: Mapping[str, str]) -> TrainingShape | None:
        """The sizes of the row's model, None when nothing tells them.

        Raises:
            InputError: a size that is no number.
        """
        name = (row.get("model") or "").strip()
        total = _number(row, "params_total_b")
        known = self._from_catalog(name)
        if known is not None and (
            total is None or abs(known.params_total / (total * 1e9) - 1) <= AGREEMENT
        ):
            return known
        if total is not None:
            return _from_columns(row)
        if name in self._rows:
            return _from_columns(self._rows[name])
        return _from_name(name)

    def _from_catalog(self, name: str) -> TrainingShape | None:
        if not name or "/" in name or name.startswith((".", "~")) or name.endswith(".json"):
            return None
        if name not in self._architectures:
            try:
                architecture = self._catalog.model(name)
            except InputError:
                self._architectures[name] = None
            else:
                # compressed and hybrid attention is counted roughly: a published count is better
                rough = bool(architecture.approximate)
                self._architectures[name] = None if rough else shape_of(architecture)
        return self._architectures[name]


def _number(row: Mapping[str, str], column: str) -> float | None:
    from costcalc.accuracy.runs import number

    return number(row, column)


def _from_columns(row: Mapping[str, str]) -> TrainingShape:
    values = {column: _number(row, column) for column in _COLUMNS}
    total = (values["params_total_b"] or 0.0) * 1e9
    active = (values["params_active_b"] or 0.0) * 1e9 or total
    experts = _number(row, "topk") or 0.0
    if not experts and (row.get("experts") or active < _MIXTURE_BELOW * total):
        experts = _USUAL_EXPERTS
    width = None
    if values["heads"] and values["head_dim"]:
        width = values["heads"] * values["head_dim"]
    return shape_from_sizes(
        (row.get("model") or "").strip(),
        params_total=total,
        params_active=active,
        layers=values["layers"],
        hidden=values["hidden"],
        score_width=width,
        vocab=values["vocab"],
        experts_per_token=experts,
        score_flops_per_key=_per_key(row),
    )


def _per_key(row: Mapping[str, str]) -> float | None:
    """Forward score FLOPs per token and key from the row's own count of causal attention."""
    attention, seq_len = _number(row, "attn_flops_per_token_causal"), _number(row, "seq_len")
    if attention is None or seq_len is None:
        return None
    # forward and backward are three times the forward pass, over half of the sequence on average
    return attention / 3.0 / (seq_len / 2.0)


def _from_name(name: str) -> TrainingShape | None:
    lowered = name.lower()
    active = _ACTIVE.search(lowered)
    size = _SIZE.search(_ACTIVE.sub("", lowered))
    if size is None:
        return None
    total = float(size[1]) * (1e12 if size[2] == "t" else 1e9)
    return shape_from_sizes(
        name,
        params_total=total,
        params_active=float(active[1]) * 1e9 if active else total,
        experts_per_token=_USUAL_EXPERTS if active else 0.0,
        approximate=True,
    )
