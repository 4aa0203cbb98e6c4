"""`--versus-api` and `--versus-owned`: what a serving quote is set beside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli.language import t
from costcalc.errors import InputError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog
    from costcalc.quote.serve import ServeRequest
    from costcalc.quote.terms import Terms
    from costcalc.quote.types import Quote
    from costcalc.quote.versus import OwnedPrice

VersusApi = Annotated[
    list[str] | None,
    typer.Option(
        "--versus-api",
        help=t("options.versus_api"),
        metavar="MODEL@PROVIDER",
        rich_help_panel=t("options.panel_money"),
    ),
]
VersusOwned = Annotated[
    list[str] | None,
    typer.Option(
        "--versus-owned",
        help=t("options.versus_owned"),
        metavar="PLAN[:WORKLOAD]",
        rich_help_panel=t("options.panel_money"),
    ),
]


def beside(
    quote: Quote,
    request: ServeRequest,
    catalog: Catalog,
    terms: Terms,
    apis: Sequence[str] | None,
    owned: Sequence[str] | None,
) -> Quote:
    """`quote` beside what was asked for; itself when nothing was.

    Raises:
        InputError: an unknown model or provider, a plan without owned hardware, a batch job, or the
            package with the prices is not installed.
    """
    if not apis and not owned:
        return quote
    from costcalc.quote.serve_versus import shape_of, with_versus

    option = "--versus-api" if apis else "--versus-owned"
    shape = shape_of(request)
    hosted = []
    for asked in dict.fromkeys(apis or ()):
        from costcalc.sources.api_catalog import hosted_price

        hosted.append(hosted_price(asked, shape, terms.as_of))
    bought = [price for path in owned or () for price in _owned(path, catalog, terms)]
    return with_versus(quote, request, catalog, terms, hosted, bought, option)


def _owned(text: str, catalog: Catalog, terms: Terms) -> list[OwnedPrice]:
    """The owned hardware of `PLAN.yaml` or `PLAN.yaml:WORKLOAD`, priced by the plan's own terms.

    Raises:
        InputError: no such plan, or nothing owned in it.
    """
    from costcalc.cli.plan_file import Overrides, load
    from costcalc.quote.plan_kinds import Setting, WorkloadError
    from costcalc.quote.versus import owned_prices

    path, name = text, ""
    if not Path(text).exists():
        head, separator, tail = text.rpartition(":")
        if separator and Path(head).exists():
            path, name = head, tail
    loaded = load(path, Overrides())
    setting = Setting(catalog=catalog, terms=terms, assumptions=loaded.plan.assumptions)
    try:
        found = owned_prices(loaded.plan, setting, [name] if name else [])
    except WorkloadError as fault:
        raise fault.error from None
    if not found:
        raise InputError("economics.versus_no_owned", path=path, name=f" {name}" if name else "")
    return found
