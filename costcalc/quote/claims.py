"""Claims held against the catalog and the model: figures of today, and a verdict by rule.

Each piece of evidence is a figure beside what the claim says of it. All agree: `supported`. None
does: `not supported`. Some do: `depends`. A claim that says "always" falls with one figure against
it, and a claim that its own authors withdrew is not supported. No figure can be held against it:
`cannot be checked`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from costcalc import messages
from costcalc.catalog.public_claims import PublicClaim, build_claims
from costcalc.errors import InputError
from costcalc.estimate.calibration import TrainingCalibration, training_calibration

if TYPE_CHECKING:
    from collections.abc import Callable

    from costcalc.catalog import Catalog
    from costcalc.quote.terms import Terms

Verdict = Literal["supported", "not supported", "depends", "cannot be checked"]

SEPARATOR = " | "
"""Between the sources of one figure."""
KINDS: dict[str, str] = {
    "flops_per_usd": "costcalc.quote.claims_prices",
    "hourly_cost": "costcalc.quote.claims_runs",
    "training_run": "costcalc.quote.claims_runs",
    "cheapest_kind": "costcalc.quote.claims_runs",
    "tuning": "costcalc.quote.claims_runs",
    "serving_latency": "costcalc.quote.claims_serving",
    "serving": "costcalc.quote.claims_serving",
    "machine": "costcalc.quote.claims_prices",
    "in_region": "costcalc.quote.claims_prices",
    "nearest_offer": "costcalc.quote.claims_prices",
    "announced": "costcalc.quote.claims_prices",
    "exchange_rate": "costcalc.quote.claims_prices",
    "price_changes": "costcalc.quote.claims_prices",
    "published_runs": "costcalc.quote.claims_prices",
    "largest_run": "costcalc.quote.claims_prices",
    "statement": "costcalc.quote.claims_prices",
}
"""Kinds of evidence and the module with a function of that name."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What the catalog or the model says today, beside what is claimed.

    Attributes:
        kind: kind of the evidence.
        label: message `claims.<label>` that names the figure, filled with `params`.
        value: None where there is no such figure (nobody sells it, it does not fit).
        claimed: what the claim says of it, `>= 1.5`; empty where it says nothing.
        holds: whether the figure agrees; None where there is nothing to compare.
        source: where the figure comes from.
        texts: the label by language, for statements that the catalog file words itself.
    """

    kind: str
    label: str
    params: tuple[tuple[str, Any], ...] = ()
    value: float | None = None
    unit: str = ""
    claimed: str = ""
    holds: bool | None = None
    source: str = ""
    texts: Mapping[str, str] | None = None

    def message(self, language: str) -> str:
        """What the figure is, in words."""
        if self.texts is not None:
            return self.texts[language]
        return messages.text(f"claims.{self.label}", language, **dict(self.params))


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim with its figures and its verdict."""

    claim: PublicClaim
    figures: tuple[Figure, ...]
    verdict: Verdict

    @property
    def agreeing(self) -> int:
        """Figures that agree."""
        return sum(figure.holds is True for figure in self.figures)

    @property
    def compared(self) -> int:
        """Figures that could be held against the claim."""
        return sum(figure.holds is not None for figure in self.figures)


@dataclass(frozen=True)
class Setting:
    """What evidence is computed with."""

    catalog: Catalog
    terms: Terms

    @cached_property
    def calibration(self) -> TrainingCalibration:
        """The time model, built once for all claims."""
        return training_calibration(self.catalog.calibration("training"))


def public_claims(catalog: Catalog) -> dict[str, PublicClaim]:
    """The claims of a catalog by id."""
    return build_claims(catalog.table("claims"))


def check(claim: PublicClaim, setting: Setting) -> Checked:
    """`claim` with its figures of today.

    Raises:
        InputError: evidence of an unknown kind, or without a parameter that its kind needs.
    """
    figures: list[Figure] = []
    for number, row in enumerate(claim.evidence, 1):
        where = f"claims.{claim.id}.evidence[{number}]"
        kind = str(row["kind"])
        if kind not in KINDS:
            from costcalc.catalog.names import nearest

            names = ", ".join(nearest(kind, KINDS) or sorted(KINDS))
            raise InputError("claims.unknown_kind", where=where, kind=kind, names=names)
        compute: Callable[[Mapping[str, Any], Setting], Iterable[Figure]]
        compute = getattr(import_module(KINDS[kind]), kind)
        try:
            figures += compute(row, setting)
        except KeyError as error:
            name = str(error.args[0])
            raise InputError("claims.missing_key", where=where, kind=kind, name=name) from None
    return Checked(claim, tuple(figures), verdict(claim, figures))


def verdict(claim: PublicClaim, figures: Iterable[Figure]) -> Verdict:
    """The verdict by the rule of this module."""
    if claim.withdrawn:
        return "not supported"
    found = [figure.holds for figure in figures if figure.holds is not None]
    if not found:
        return "cannot be checked"
    if all(found):
        return "supported"
    if claim.universal or not any(found):
        return "not supported"
    return "depends"
