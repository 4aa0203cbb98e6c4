"""JUnit XML: one test case per limit and per fault; read by Jenkins, GitLab and Azure Pipelines."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from costcalc.reports.findings import CheckReport, Finding

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _clean(value: str) -> str:
    return _NOT_XML.sub("�", value)


def _attribute(value: str) -> str:
    return quoteattr(_clean(value))


def render(report: CheckReport) -> str:
    """The report as XML text.

    A broken limit is a failure, a workload without price and a plan that cannot be read are errors,
    so that a fault in evaluation never counts as an exceeded budget.
    """
    failures = sum(1 for item in report.findings if item.broken)
    errors = len(report.errors) - failures
    tests = len(report.findings)
    name = _attribute(report.name)
    counts = f'tests="{tests}" failures="{failures}" errors="{errors}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="costcalc" {counts} time="0">',
        f'  <testsuite name={name} {counts} skipped="0" time="0" '
        f'timestamp="{report.as_of.isoformat()}T00:00:00">',
    ]
    for item in report.findings:
        lines += _case(item, report.file)
    lines += ["  </testsuite>", "</testsuites>"]
    return "\n".join(lines) + "\n"


def _case(item: Finding, file: str) -> list[str]:
    head = (
        f"    <testcase classname={_attribute(f'costcalc.{item.rule}')} "
        f'name={_attribute(f"{item.scope}: {item.subject}")} time="0"'
    )
    if item.level == "ok":
        return [f"{head}/>"]
    where = escape(_clean(f"{file}:{item.line}: {item.message}"))
    if item.level == "warning":
        return [f"{head}>", f"      <system-out>{where}</system-out>", "    </testcase>"]
    tag = "failure" if item.broken else "error"
    kind = "".join(word.title() for word in item.rule.split("-"))
    return [
        f"{head}>",
        f'      <{tag} message={_attribute(item.message)} type="{kind}">{where}</{tag}>',
        "    </testcase>",
    ]
