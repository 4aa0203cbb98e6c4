"""`costcalc prices export`: the store as catalog YAML; what a person should see is on stderr."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from costcalc.cli import options as o
from costcalc.cli import output as out
from costcalc.cli import session
from costcalc.cli.language import t
from costcalc.cli.main import say
from costcalc.cli.prices_update import offer_name
from costcalc.errors import InputError, NoOfferError

if TYPE_CHECKING:
    from costcalc.catalog import Catalog, Offer
    from costcalc.sources.export import Additions, Review


def command(
    provider: Annotated[
        str | None,
        typer.Option("--provider", help=t("sources.export_provider_option"), metavar="NAME"),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", help=t("sources.export_output_option"), metavar="DIR"),
    ] = None,
    lang: o.Lang = None,
    catalog: o.CatalogDir = None,
) -> None:
    from costcalc.sources.feeds import PROVIDERS
    from costcalc.sources.store import Store

    o.check_language(lang)
    wanted = o.optional_choice(provider, "--provider", PROVIDERS)
    path = session.store_path()
    if not path.is_file():
        raise NoOfferError("sources.store_missing")
    opened = session.own_catalog(catalog)
    today = session.today()
    with Store.read(path) as store:
        current = store.offers(today)
        history = [entry.offer for entry in store.entries()]
    names = sorted({held.provider for held in history})
    chosen = names if wanted is None else [wanted]
    found = {name: _additions(name, opened, current, history) for name in chosen}
    found = {name: new for name, new in found.items() if new.offers}
    if not found:
        raise NoOfferError("sources.export_nothing")
    if output is None:
        from costcalc.sources.export import new_file

        out.emit("---\n".join(new_file(name, new.offers) for name, new in found.items()), None)
    else:
        _write(found, Path(output), opened)
    for new in found.values():
        for review in new.reviews:
            say(_review(review))


def _additions(
    provider: str, catalog: Catalog, current: list[Offer], history: list[Offer]
) -> Additions:
    from costcalc.sources.export import additions

    return additions(
        (held for held in catalog.offers() if held.provider == provider),
        (held for held in current if held.provider == provider),
        (held for held in history if held.provider == provider),
    )


def _write(found: dict[str, Additions], folder: Path, catalog: Catalog) -> None:
    """Extend the files below `folder`; every new text is checked before the first is written.

    Raises:
        InputError: the folder cannot be written, or a file would not be valid.
    """
    from costcalc.catalog.compile_offers import compile_offers
    from costcalc.catalog.yamlfile import parse
    from costcalc.sources.export import extended_file, new_file

    offers = folder if folder.name == "offers" else folder / "offers"
    try:
        offers.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError("sources.export_folder", path=folder, reason=error.strerror) from None
    texts: dict[Path, str] = {}
    for name, new in found.items():
        path = offers / f"{name}.yaml"
        if path.exists():
            text = extended_file(path.read_text(encoding="utf-8"), str(path), new.offers)
        else:
            text = new_file(name, new.offers)
        try:
            compile_offers([parse(text.encode(), str(path))], frozenset(catalog.accelerators()))
        except InputError as error:
            raise InputError("sources.export_conflict", path=path, detail=error.message()) from None
        texts[path] = text
    for path, text in texts.items():
        out.write_atomically(path, text.encode())
        new = found[path.stem]
        ended = sum(held.ended is not None for held in new.offers)
        say(t("sources.export_written", path=path, added=len(new.offers), ended=ended))


def _review(review: Review) -> str:
    held = review.offer
    if review.before is None:
        return t("sources.export_lost", date=held.ended, offer=offer_name(held))
    return t(
        "sources.export_review",
        change=f"{review.change_pct:+.1f}",
        offer=offer_name(held),
        before=review.before.usd_per_instance_hour,
        after=held.usd_per_instance_hour,
    )
