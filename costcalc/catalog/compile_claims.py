"""Validates `claims.yaml`: what vendors and articles claim, and what to hold it against."""

from __future__ import annotations

from typing import Any

from costcalc.catalog.compile_accelerators import find_source, source_table
from costcalc.catalog.fields import Fields, fault, mapping, sequence, text_of
from costcalc.catalog.yamlfile import Node
from costcalc.messages import LANGUAGES

_KEYS = (
    "text",
    "by",
    "said",
    "source",
    "against",
    "universal",
    "withdrawn",
    "depends_on",
    "evidence",
)


def compile_claims(root: Node) -> dict[str, Any]:
    """The claims by id; parameters of evidence are checked by the code that computes it.

    Raises:
        InputError: a fault, with file, line and key.
    """
    top = Fields(root, "claims", ("sources", "claims"))
    sources = source_table(top)
    return {
        "claims": {
            identity: _claim(Fields(node, identity, _KEYS), sources)
            for identity, node in mapping(top.at("claims"), "claims").items()
        }
    }


def _claim(fields: Fields, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    text, read = find_source(fields, sources)
    return {
        "text": _texts(fields.at("text"), "text"),
        "by": _texts(fields.at("by"), "by"),
        "said": fields.optional_text("said") or None,
        "source": f"{text}, {read}",
        "against": _texts(fields.at("against"), "against"),
        "universal": fields.boolean("universal", default=False),
        "withdrawn": fields.boolean("withdrawn", default=False),
        "depends_on": _texts(fields.at("depends_on"), "depends_on"),
        "evidence": [
            _evidence(node, sources) for node in sequence(fields.at("evidence"), "evidence")
        ],
    }


def _texts(node: Node, key: str) -> dict[str, str]:
    """A text in every language; one text stands for all of them."""
    if isinstance(node.value, str):
        return dict.fromkeys(LANGUAGES, text_of(node, key))
    fields = Fields(node, key, LANGUAGES)
    return {language: fields.text(language) for language in LANGUAGES}


def _evidence(node: Node, sources: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """Its kind and parameters; a statement's text and source are written out."""
    children = mapping(node, "evidence")
    if "kind" not in children:
        raise fault(node, "kind", "missing_key")
    row: dict[str, Any] = {"line": node.line, **node.plain_data()}
    fields = Fields(node, "evidence", children)
    if "source" in children:
        text, read = find_source(fields, sources)
        row["source"] = f"{text}, {read}"
    if "text" in children:
        row["text"] = _texts(fields.at("text"), "text")
    return row
