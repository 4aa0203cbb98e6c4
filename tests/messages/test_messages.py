"""Every language says everything, with the same placeholders, and nothing that no code says."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from datetime import date
from importlib import import_module
from pathlib import Path
from string import Formatter

import message_scan
import pytest
import typer

from costcalc import messages
from costcalc.catalog import load

AREAS = sorted(
    module.name for module in pkgutil.iter_modules(import_module("costcalc.messages.en").__path__)
)


def listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What is written alike in both languages: names of companies, products and formats, units and
# their abbreviations, codes, and words that English and Spanish share.
SAME = listed(
    "API AWS Azure Banxico Blocks Capacity Cloud Compute Engine Google OCI Oracle Plans Savings TPU"
    " BF16 FP8 IVA LoRA PUE QLoRA SKU EST MXN USD"
    " CO2e GB L g h inst kWh kg km ms p50 p90 p95 pers s x"
    " Australia Chile India Indonesia Israel"
    " Chips Error Factor Id Plan Software Total chip neocloud no spot tensor tokens"
)
# Words that no Spanish sentence holds (some English words are keys that a person types).
ENGLISH = listed(
    "about after and are be been below between by costs cannot does each every for from has have"
    " hour in into is it its less machine machines month more most must not of one only or"
    " other over prices than that the their there these they this to under was were what"
    " when where which while with within without year years you your"
)
# Words that need an accent (or a tilde) in Spanish.
UNACCENTED = re.compile(
    r"\b(\w+[cs]ion|ano|anos|aqui|asi|articulo|bateria|calculo|catalogo|codigo|computo|credito"
    r"|despues|dia|dias|electric[ao]|energia|especifico|espanol|estan|grafic[ao]s?|indice|lineas?"
    r"|limites?|logico|maquinas?|mas|maxim[ao]s?|metodo|minim[ao]s?|modulos?|numeros?|paginas?"
    r"|parametros?|perdida|proximo|publico|razon|rapid[ao]|segun|tambien|tamano|titulo|todavia"
    r"|ultim[ao]s?|unic[ao]s?|util|valid[ao]s?|vacio|automatic[ao]|basico)\b"
)
# Keys, options and values that a person types, which stand in Spanish sentences as they are.
TYPED = re.compile(
    r"--[\w-]+(?: [a-z0-9-]+)?|\{[^{}]*\}|`[^`]*`|\(?[\w./-]+=[\w./:,'\[\]-]+"
    r"|\b[\w-]+\.(?:yaml|json|csv)|\b\w+_\w+\b|\b\w+(?:-\w+)+\b|pip install \S+"
    r"|costcalc(?: [a-z]+)+|\((?:default|profiles|budgets|dynamic)\)"
)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def texts(language: str) -> Iterator[tuple[str, str]]:
    for area in AREAS:
        for name, text in messages.area(language, area).items():
            yield f"{area}.{name}", text


def alike() -> dict[str, frozenset[str]]:
    """The words of each text that is the same in both languages."""
    spanish = dict(texts("es"))
    return {
        key: frozenset(re.findall(r"[A-Za-z]\w*", re.sub(r"\{[^{}]*\}", " ", text)))
        for key, text in texts("en")
        if spanish[key] == text
    }


def test_every_language_has_the_same_areas() -> None:
    for language in messages.LANGUAGES:
        package = import_module(f"costcalc.messages.{language}")
        assert sorted(m.name for m in pkgutil.iter_modules(package.__path__)) == AREAS


@pytest.mark.parametrize("area", AREAS)
def test_every_language_has_the_same_messages_with_the_same_placeholders(area: str) -> None:
    english = messages.area("en", area)
    spanish = messages.area("es", area)
    assert english.keys() == spanish.keys()
    for name, text in english.items():
        assert placeholders(text) == placeholders(spanish[name]), name


def test_nothing_is_left_untranslated() -> None:
    """A text that is the same in both languages holds only names, units and shared words."""
    left = {key: words - SAME for key, words in alike().items() if words - SAME}
    assert not left


def test_no_shared_word_is_listed_in_vain() -> None:
    assert not SAME - frozenset().union(*alike().values())


def test_every_message_is_used() -> None:
    countries = frozenset(region.country for region in load().regions().values())
    unused = [
        f"{area}.{name}"
        for area in AREAS
        if area not in ("framework_words", "value_names")
        for name in messages.area("en", area)
        if not message_scan.is_used(area, name, countries if area == "regions" else frozenset())
    ]
    assert not unused


def test_every_word_of_the_framework_is_one_that_it_says() -> None:
    source = "".join(
        path.read_text(encoding="utf-8") for path in Path(typer.__file__).parent.rglob("*.py")
    )
    for text in messages.area("en", "framework_words").values():
        assert f'"{text}"' in source, text


def test_every_message_that_code_names_exists() -> None:
    found = list(message_scan.wanted())
    assert len(found) > 500
    assert not [item for item in found if item[2] not in messages.area("en", item[1])]


def test_every_pattern_of_keys_makes_a_message() -> None:
    for module, pattern in message_scan.wanted_patterns():
        area, _, rest = pattern.partition(".")
        form = re.compile(re.escape(rest).replace(r"\{\}", ".*"))
        assert any(form.fullmatch(name) for name in messages.area("en", area)), (module, pattern)


def test_the_scan_tells_used_from_unused() -> None:
    assert message_scan.is_used("report", "title_train")
    assert message_scan.is_used("warnings", "old_price")
    assert message_scan.is_used("accuracy", "reason_no_rate")
    assert not message_scan.is_used("report", "title_zebra")
    assert not message_scan.is_used("warnings", "old_prize")


def prose(text: str) -> str:
    """A text without placeholders and what a person types."""
    return TYPED.sub(" ", text)


def test_no_english_word_is_left_in_spanish() -> None:
    found = {
        key: ENGLISH.intersection(re.findall(r"(?<![\w-])[a-z]+(?![\w-])", prose(text).lower()))
        for key, text in texts("es")
    }
    assert not {key: words for key, words in found.items() if words}


def test_spanish_has_its_accents_and_opening_marks() -> None:
    for key, text in texts("es"):
        found = UNACCENTED.search(prose(text))
        typed = found and found[0] in ("region", "version") and key.startswith(("plan.", "prices."))
        assert not found or typed, (key, found[0])
        assert text.count("?") == text.count("¿"), key
        assert text.count("!r}") or text.count("!") == text.count("¡"), key


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_typography_is_the_same_everywhere(language: str) -> None:
    """`16%`, `“so”` and `…`; amounts name their currency; no doubled or trailing space."""
    odd = re.compile(r"\$\s?[0-9{]|[\w}] %|«|»|\.\.\.|\"|\s$|\S  ")
    assert not {key: text for key, text in texts(language) if odd.search(text)}


def test_spanish_addresses_the_reader_as_usted() -> None:
    familiar = re.compile(
        r"\b(tú|tu|tus|te|contigo|puedes|quieres|debes|tienes|usas|pon|haz|ejecuta (?:costcalc|el)"
        r"|elige|escríbelo|vosotros|vuestro|ordenador|coste|costes|fichero|ficheros)\b",
        re.IGNORECASE,
    )
    for key, text in texts("es"):
        assert not familiar.search(prose(text)), (key, familiar.search(prose(text)))


def test_warning_codes_are_in_alphabetical_order() -> None:
    for language in messages.LANGUAGES:
        codes = list(messages.area(language, "warnings"))
        assert codes == sorted(codes)


def test_every_word_for_a_value_is_one_that_an_option_takes() -> None:
    of_the_framework = {"OPTIONS", "COMMAND", "ARGS", "NAME"}
    same = {"PLAN", "TOKENS", "USD"}
    found = set().union(*(module.value_names for module in message_scan.modules().values()))
    words = messages.area("en", "value_names")
    assert (found | of_the_framework) - same == words.keys()
    assert all(text == word for word, text in words.items())


@pytest.mark.parametrize(
    ("language", "shown"), [("es", "9 de enero de 2027"), ("en", "2027-01-09")]
)
def test_a_day_in_a_sentence_is_written_as_its_language_does(language: str, shown: str) -> None:
    assert messages.day(date(2027, 1, 9), language) == shown
    params = {"what": "x", "days": 3}
    assert shown in messages.text("warnings.old_price", language, date=date(2027, 1, 9), **params)
    assert "2027-01-09" in messages.text(
        "warnings.old_price", language, date="2027-01-09", **params
    )
