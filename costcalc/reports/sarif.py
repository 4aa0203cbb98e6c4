"""SARIF 2.1.0 (OASIS), as GitHub code scanning and other viewers read it."""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import Any
from urllib.parse import quote as percent_encoded

from costcalc.reports import findings
from costcalc.reports.findings import RULES, CheckReport, Finding
from costcalc.reports.json_report import dumps

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
FINGERPRINT = "costcalcFinding/v1"
# GitHub shows no more of a run
MOST_RESULTS = 5000


def uri(file: str) -> str:
    """A plan's path as a relative URI; an absolute one as a file URI."""
    path = PurePath(file)
    if path.is_absolute():
        return path.as_uri()
    return percent_encoded(path.as_posix())


def fingerprint(report: CheckReport, item: Finding) -> str:
    """The same for the same limit of the same file, whatever its amount or line."""
    identity = "\0".join((report.file, item.rule, item.scope, item.subject))
    return hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:32]


def log(report: CheckReport, language: str, version: str, exit_status: int) -> dict[str, Any]:
    """The SARIF log as plain JSON values."""
    shown = [item for item in report.findings if item.level != "ok"][:MOST_RESULTS]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "costcalc",
                        "semanticVersion": version,
                        "rules": [_rule(rule, language) for rule in RULES],
                    }
                },
                "invocations": [
                    {
                        # a check that ran to its end has succeeded, whatever it found
                        "executionSuccessful": report.status != "invalid",
                        "exitCode": exit_status,
                    }
                ],
                "columnKind": "unicodeCodePoints",
                "results": [_result(report, item) for item in shown],
            }
        ],
    }


def render(report: CheckReport, language: str, version: str, exit_status: int) -> str:
    """The SARIF log as JSON text."""
    return dumps(log(report, language, version, exit_status))


def _rule(rule: str, language: str) -> dict[str, Any]:
    return {
        "id": rule,
        "name": "".join(word.title() for word in rule.split("-")),
        "shortDescription": {"text": findings.title(rule, language)},
        "fullDescription": {"text": findings.description(rule, language)},
        "defaultConfiguration": {"level": "warning" if rule == "budget-near" else "error"},
    }


def _result(report: CheckReport, item: Finding) -> dict[str, Any]:
    return {
        "ruleId": item.rule,
        "ruleIndex": RULES.index(item.rule),
        "level": item.level,
        "message": {"text": item.message},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri(report.file)},
                    "region": {"startLine": item.line},
                }
            }
        ],
        "partialFingerprints": {FINGERPRINT: fingerprint(report, item)},
    }
