"""What a check prints and writes: one format to stdout or `--output`, others to files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from costcalc.cli.language import current
from costcalc.cli.options import choice
from costcalc.cli.output import emit, warn
from costcalc.cli.render import document_text
from costcalc.errors import InputError
from costcalc.quote.plan_errors import PlanPath, Problem
from costcalc.quote.types import Quote

if TYPE_CHECKING:
    from costcalc.cli.plan_file import LoadedPlan
    from costcalc.quote.budget import Verdict
    from costcalc.quote.diff import Diff
    from costcalc.reports.findings import CheckReport

FORMATS = (
    "table",
    "json",
    "csv",
    "markdown",
    "github",
    "junit",
    "sarif",
    "gitlab",
    "metrics",
)
# what a step summary may hold, in bytes, less room for what stands there already
SUMMARY_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Target:
    """A format and where it goes; None is stdout."""

    form: str
    path: str | None


def targets(form: str, output: str | None, reports: Sequence[str]) -> list[Target]:
    """`--format`, `--output` and every `--report FORMAT=FILE`.

    Raises:
        InputError: an unknown format, or a report without a file.
    """
    found = [Target(choice(form, "--format", FORMATS), output)]
    for text in reports:
        name, separator, path = text.partition("=")
        if not separator or not path.strip():
            raise InputError("check.report", text=text, names=", ".join(FORMATS))
        found.append(Target(choice(name, "--report", FORMATS), path.strip()))
    return found


def show(
    loaded: LoadedPlan,
    quote: Quote,
    diff: Diff | None,
    exit_status: int,
    wanted: Sequence[Target],
) -> None:
    """Write every report of a plan that was quoted."""
    from costcalc.reports import findings

    assert quote.plan is not None
    lang = current()

    def line_of(verdict: Verdict) -> int:
        return loaded.line(verdict_path(verdict, loaded))

    found = (
        *findings.of_failures(quote.plan.failures, loaded.line, lang),
        *findings.of_verdicts(quote.plan.verdicts, line_of, lang),
    )
    report = findings.CheckReport(
        file=in_repository(loaded.path),
        name=quote.plan.name,
        as_of=quote.as_of,
        quote=quote,
        diff=diff,
        findings=found,
        status=overall(quote),
    )
    _write(report, exit_status, wanted)


def in_repository(path: str) -> str:
    """A plan's path as its CI knows it: from the root of the checkout, wherever the check runs."""
    root = os.environ.get("GITHUB_WORKSPACE") or os.environ.get("CI_PROJECT_DIR")
    if not root:
        return path
    try:
        return Path(path).resolve().relative_to(Path(root).resolve()).as_posix()
    except (OSError, ValueError, RuntimeError):
        return path


def overall(quote: Quote) -> str:
    """`ok`, `warn`, `over` or `no-price`."""
    assert quote.plan is not None
    statuses = {verdict.status for verdict in quote.plan.verdicts}
    if quote.plan.failures or "no-price" in statuses:
        return "no-price"
    return next((name for name in ("over", "warn") if name in statuses), "ok")


def show_invalid(
    path: str, as_of: date, problems: Sequence[Problem], wanted: Sequence[Target]
) -> None:
    """Tell a plan that cannot be read in the formats that CI reads; people get stderr alone."""
    from costcalc.reports import findings

    report = findings.CheckReport(
        file=in_repository(path),
        name=path,
        as_of=as_of,
        quote=None,
        diff=None,
        findings=tuple(findings.of_problems(problems, current())),
        status="invalid",
    )
    _write(report, InputError.exit_status, wanted)


def verdict_path(verdict: Verdict, loaded: LoadedPlan) -> PlanPath:
    """The key of the plan that a limit is about."""
    if verdict.kind == "budget":
        if verdict.scope == "total":
            return ("budgets", "total")
        return ("budgets", f"{verdict.scope}s", verdict.subject)
    for index, workload in enumerate(loaded.plan.workloads):
        if workload.name == verdict.subject:
            return ("workloads", index)
    return ()


def verdict_name(verdict: Verdict, language: str) -> str:
    """What a limit is on, in words."""
    from costcalc.reports.plan_document import subject

    return f"{subject(verdict, language)} ({verdict.value} > {verdict.limit})"


def _write(report: CheckReport, exit_status: int, wanted: Sequence[Target]) -> None:
    for target in wanted:
        if target.form == "github":
            _github(report, target)
            continue
        text = _render(report, target.form, exit_status, target.path)
        if text is not None:
            emit(text, target.path, bom=target.form == "csv")
    if report.quote is not None and wanted[0].form in ("json", "csv", "junit", "sarif", "metrics"):
        warn(report.quote.notices)


def _render(report: CheckReport, form: str, exit_status: int, path: str | None) -> str | None:
    if form in _CI:
        return _CI[form](report, exit_status)
    if report.quote is None:
        # a person reads stderr; a program that asked for JSON gets an object that says so
        return _json_error(report, exit_status) if form == "json" else None
    if form == "json":
        from costcalc.reports import json_report

        record = json_report.quote_record(report.quote, current())
        record["plan"]["status"] = report.status
        return json_report.dumps(record)
    if form == "csv":
        from costcalc.reports import csv_report

        return csv_report.render(report.quote)
    from costcalc.reports import plan_document

    document = plan_document.build(report.quote, current(), brief=True)
    if report.diff is not None:
        from dataclasses import replace

        from costcalc.reports import diff_report

        blocks = diff_report.document(report.diff, current()).blocks
        document = replace(document, blocks=(*document.blocks, *blocks[:1]))
    return document_text(document, form, path)


def _json_error(report: CheckReport, exit_status: int) -> str:
    from costcalc.reports.json_report import dumps

    return dumps(
        {
            "schema": "costcalc.error/1",
            "status": report.status,
            "exit_status": exit_status,
            "problems": [
                {"file": report.file, "line": item.line, "message": item.message}
                for item in report.findings
            ],
        }
    )


def _junit(report: CheckReport, exit_status: int) -> str:
    from costcalc.reports import junit

    return junit.render(report)


def _sarif(report: CheckReport, exit_status: int) -> str:
    from costcalc import __version__
    from costcalc.reports import sarif

    return sarif.render(report, current(), __version__, exit_status)


def _gitlab(report: CheckReport, exit_status: int) -> str:
    from costcalc.reports import gitlab

    return gitlab.code_quality(report)


def _metrics(report: CheckReport, exit_status: int) -> str:
    from costcalc.reports import gitlab

    return gitlab.metrics(report)


_CI: dict[str, Callable[[Any, int], str]] = {
    "junit": _junit,
    "sarif": _sarif,
    "gitlab": _gitlab,
    "metrics": _metrics,
}


def _github(report: CheckReport, target: Target) -> None:
    """Markdown to the target and the step summary, annotations to the log.

    GitHub reads annotations from both streams of a step; they go to stdout unless the Markdown is
    there.
    """
    from costcalc.reports import github

    body = github.comment(report, current())
    emit(body, target.path)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        _append_summary(Path(summary), body)
    commands = github.workflow_commands(report, current())
    stream = sys.stderr if target.path is None else sys.stdout
    stream.write(commands)
    stream.flush()


def _append_summary(path: Path, body: str) -> None:
    data = body.encode("utf-8")
    try:
        room = SUMMARY_BYTES - (path.stat().st_size if path.exists() else 0)
        if len(data) + 1 > room:
            # a summary that is too large is dropped whole by GitHub: better nothing more of ours
            return
        with path.open("ab") as file:
            file.write(data + b"\n")
    except OSError as error:
        raise InputError("check.summary_unwritable", reason=error.strerror) from None
