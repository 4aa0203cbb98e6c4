"""`costcalc quote PLAN.yaml`: quote every workload of a plan."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli import plan_options as p
from costcalc.cli.language import t
from costcalc.cli.plan_file import Overrides, PlanCall, UnpricedError, quote_file, terms_of
from costcalc.cli.render import check_report, quote_format, show_quote


def command(
    plan: p.PlanFile,
    sets: p.Set = None,
    profile: p.Profile = None,
    currency: p.Currency = None,
    fx: o.Fx = None,
    iva_mode: p.Iva = None,
    iva_rate: p.IvaRate = None,
    discount: o.Discount = None,
    locked: p.Locked = False,
    lock_file: p.LockFile = p.DEFAULT_LOCK,
    explain: Annotated[bool, typer.Option("--explain", help=t("options.explain"))] = False,
    as_of: o.AsOf = None,
    sensitivity: o.Sensitivity = False,
    chart: o.Chart = None,
    form: o.Format = "table",
    output: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    o.check_language(lang)
    form = quote_format(form)
    check_report(form, output, chart)
    overrides = Overrides(
        sets=tuple(sets or ()),
        profile=profile,
        currency=currency,
        fx=fx,
        iva=iva_mode,
        iva_rate=iva_rate,
        discounts=tuple(discount or ()),
    )
    loaded, quote, opened = quote_file(PlanCall(plan, overrides, as_of, catalog, locked, lock_file))
    assert quote.plan is not None
    if quote.plan.failures:
        # a total without them would look like the plan's cost
        raise UnpricedError(loaded, quote.plan.failures)
    if sensitivity:
        from costcalc.quote.vary import plan_swings

        terms = terms_of(loaded.plan, quote.fx, quote.as_of)
        quote = replace(quote, sensitivity=plan_swings(loaded.plan, quote, opened, terms))
    show_quote(quote, form, output, explain=explain, catalog=opened, chart=chart)
