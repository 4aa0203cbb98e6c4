"""What training, fine-tuning and serving a model costs, on which hardware, where, and how sure.

The names below are the public interface (docs/api.md); each is imported when it is first used, so
that `import costcalc` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from costcalc.catalog import Catalog as Catalog
    from costcalc.catalog import load as load_catalog  # noqa: F401 - a public name
    from costcalc.catalog.rates import ExchangeRate as ExchangeRate
    from costcalc.errors import CostcalcError as CostcalcError
    from costcalc.errors import InputError as InputError
    from costcalc.errors import NoOfferError as NoOfferError
    from costcalc.quote.plan_quote import quote_plan as quote_plan
    from costcalc.quote.plan_validation import read_plan as read_plan
    from costcalc.quote.select import Placement as Placement
    from costcalc.quote.terms import Terms as Terms
    from costcalc.quote.train import TrainRequest as TrainRequest
    from costcalc.quote.train import quote_training as quote_training
    from costcalc.quote.types import Quote as Quote
    from costcalc.reports.json_report import quote_record as quote_record
    from costcalc.units import Money as Money

__version__ = "0.1.0"

_PUBLIC = {
    "Catalog": "costcalc.catalog:Catalog",
    "CostcalcError": "costcalc.errors:CostcalcError",
    "ExchangeRate": "costcalc.catalog.rates:ExchangeRate",
    "InputError": "costcalc.errors:InputError",
    "Money": "costcalc.units:Money",
    "NoOfferError": "costcalc.errors:NoOfferError",
    "Placement": "costcalc.quote.select:Placement",
    "Quote": "costcalc.quote.types:Quote",
    "Terms": "costcalc.quote.terms:Terms",
    "TrainRequest": "costcalc.quote.train:TrainRequest",
    "load_catalog": "costcalc.catalog:load",
    "quote_plan": "costcalc.quote.plan_quote:quote_plan",
    "quote_record": "costcalc.reports.json_report:quote_record",
    "quote_training": "costcalc.quote.train:quote_training",
    "read_plan": "costcalc.quote.plan_validation:read_plan",
}

__all__ = ["__version__", *_PUBLIC]


def __getattr__(name: str) -> Any:
    target = _PUBLIC.get(name)
    if target is None:
        raise AttributeError(f"module 'costcalc' has no attribute {name!r}")
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
