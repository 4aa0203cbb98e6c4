"""`costcalc claims`: what vendors and articles claim, beside what the catalog and the model say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import language, output
from costcalc.cli import options as o
from costcalc.cli.language import t
from costcalc.cli.render import document_text, list_format
from costcalc.cli.session import as_of_date, exchange_rate, open_catalog
from costcalc.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from costcalc.catalog.public_claims import PublicClaim


def command(
    identity: Annotated[
        list[str] | None, typer.Option("--id", help=t("claims.id_option"), metavar="ID")
    ] = None,
    fx: o.Fx = None,
    as_of: o.AsOf = None,
    form: o.Format = "table",
    output_path: o.Output = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.quote.claims import Setting, check, public_claims
    from costcalc.quote.terms import Terms
    from costcalc.reports import claims_section as section

    o.check_language(lang)
    form = list_format(form)
    day = as_of_date(as_of)
    opened = open_catalog(catalog)
    setting = Setting(opened, Terms(fx=exchange_rate(fx, opened, day), as_of=day))
    known = public_claims(opened)
    checked = [check(known[name], setting) for name in _wanted(identity, known)]
    words = language.current()
    if form == "json":
        from costcalc.reports.json_report import dumps

        text = dumps([section.claim_record(found, words) for found in checked])
        output.emit(text, output_path)
    elif form == "csv":
        from costcalc.reports import csv_report

        rows = section.flat_records(checked, words)
        output.emit(csv_report.table(section.CSV_COLUMNS, rows), output_path, bom=True)
    else:
        make = section.detail_document if identity else section.list_document
        document = make(checked, setting, words)
        output.emit(document_text(document, form, output_path), output_path)


def _wanted(identities: Sequence[str] | None, known: Mapping[str, PublicClaim]) -> list[str]:
    """The claims asked for, all without a wish.

    Raises:
        InputError: no such claim, with the nearest names.
    """
    if not identities:
        return list(known)
    found = []
    for name in identities:
        wanted = name.strip().lower()
        if wanted not in known:
            from costcalc.catalog.names import nearest

            names = ", ".join(nearest(wanted, known) or known)
            raise InputError("claims.unknown", name=name, names=names)
        found.append(wanted)
    return list(dict.fromkeys(found))
