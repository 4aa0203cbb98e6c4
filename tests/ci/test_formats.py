"""Each CI format against its published schema, in every state of a check."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema
from ci_cases import CASES, NASTY, SCHEMAS, Case
from command import Result
from prometheus_client.openmetrics.parser import text_string_to_metric_families

Check = Callable[..., Result]
SARIF = jsonschema.Draft4Validator(
    json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text(encoding="utf-8"))
)
GITLAB = jsonschema.Draft202012Validator(
    json.loads((SCHEMAS / "gitlab-code-quality.json").read_text(encoding="utf-8"))
)
JUNIT = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")


def test_junit_is_what_jenkins_reads(told: Any) -> None:
    case = told.case
    assert told.status == case.status
    JUNIT.validate(told.junit)
    root = ET.fromstring(told.junit)
    (suite,) = root
    cases = list(suite)
    assert int(suite.get("tests", "")) == len(cases) > 0
    assert (int(suite.get("failures", "")), int(suite.get("errors", ""))) == (
        case.failures,
        case.errors,
    )
    assert len(suite.findall("testcase/failure")) == case.failures
    # a fault in evaluation is an error, a broken limit a failure: they never look alike
    assert len(suite.findall("testcase/error")) == case.errors


def test_sarif_is_valid(told: Any) -> None:
    case, log = told.case, json.loads(told.sarif)
    SARIF.validate(log)
    (run,) = log["runs"]
    assert run["invocations"][0]["exitCode"] == case.status
    errors = [item for item in run["results"] if item["level"] == "error"]
    assert len(errors) == case.errors + case.failures
    rules = run["tool"]["driver"]["rules"]
    for item in run["results"]:
        assert rules[item["ruleIndex"]]["id"] == item["ruleId"]
        place = item["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "plan.yaml"
        assert place["region"]["startLine"] >= 1


def test_gitlab_code_quality_is_valid(told: Any) -> None:
    case, records = told.case, json.loads(told.gitlab)
    GITLAB.validate(records)
    marks = [record["fingerprint"] for record in records]
    assert len(marks) == len(set(marks))
    serious = [record for record in records if record["severity"] in ("major", "blocker")]
    assert len(serious) == case.errors + case.failures


def test_metrics_are_openmetrics(told: Any) -> None:
    case = told.case
    families = {family.name: family for family in text_string_to_metric_families(told.metrics)}
    (errors,) = families["costcalc_check_errors"].samples
    assert errors.value == case.errors + case.failures
    if case.status != 2:
        (total,) = families["costcalc_total_usd"].samples
        assert total.value == 500
        assert total.labels == {"plan": NASTY}


def unescaped(value: str) -> str:
    for code, letter in (("%2C", ","), ("%3A", ":"), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        value = value.replace(code, letter)
    return value


COMMAND = re.compile(r"::(error|warning) file=([^,]*),line=([0-9]+)(?:,title=([^,:]*))?::(.*)")


def test_github_annotations_and_comment(told: Any) -> None:
    case, body = told.case, told.comment
    assert told.summary == f"before\n{body}\n"
    commands = [COMMAND.fullmatch(line) for line in told.commands.splitlines()]
    assert all(commands)
    levels = [command[1] for command in commands if command]
    assert levels.count("error") == case.errors + case.failures
    for command in commands:
        assert command is not None
        assert unescaped(command[2]) == "plan.yaml"
    if case is CASES["over"]:
        assert any(NASTY in unescaped(command[5]) for command in commands if command)
    assert body.startswith("<!-- costcalc-check: ")
    # no mention, no markup, no end of a comment from a name: what is left of it is escaped; inside
    # a code fence, which a name cannot close, text is text
    assert body.count("```") in (0, 2)
    open_text = re.sub(r"```\n.*?\n```", "", body, flags=re.DOTALL)
    assert open_text.count("-->") == 1
    assert "@octocat" not in open_text
    assert "<b>" not in open_text


def test_github_to_stdout_keeps_annotations_apart(check: Check) -> None:
    done = check(CASES["over"], "--format", "github")
    assert done.out.startswith("<!-- costcalc-check")
    assert "::error " not in done.out.replace("::error::", "")
    assert done.err.count("::error file=plan.yaml,line=3") == 2


def test_findings_point_at_the_line_of_the_key(check: Check) -> None:
    log = json.loads(check(CASES["no-price"], "--format", "sarif").out)
    places = {
        item["ruleId"]: item["locations"][0]["physicalLocation"]["region"]["startLine"]
        for item in log["runs"][0]["results"]
    }
    assert places == {"no-offer": 6, "budget-exceeded": 3}
    log = json.loads(check(CASES["invalid"], "--format", "sarif").out)
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"]["startLine"] == 5


def test_fingerprints_stay_while_amounts_and_lines_move(check: Check) -> None:
    before = CASES["over"]
    moved = before.text.replace("10h", "12h").replace("budgets", "\n\nbudgets")
    after = Case(moved, before.options, before.status, before.errors, before.failures)

    def marks(case: Case) -> list[str]:
        return [item["fingerprint"] for item in json.loads(check(case, "--format", "gitlab").out)]

    assert marks(before) == marks(after)


def test_a_baseline_shows_in_the_comment(check: Check) -> None:
    body = check(CASES["increase"], "--format", "github").out
    assert "USD 400.00" in body
    assert "+USD 100.00 (+25.00%)" in body
    assert "[usage]" in body


def test_several_reports_of_one_run(check: Check, tmp_path: Path) -> None:
    done = check(
        CASES["over"],
        "--report",
        "junit=junit.xml",
        "--report",
        "sarif=out.sarif",
        "--report",
        "json=quote.json",
        "--report",
        "metrics=metrics.txt",
    )
    assert "OVER" in done.out
    JUNIT.validate((tmp_path / "junit.xml").read_text(encoding="utf-8"))
    SARIF.validate(json.loads((tmp_path / "out.sarif").read_text(encoding="utf-8")))
    assert json.loads((tmp_path / "quote.json").read_text(encoding="utf-8"))["kind"] == "plan"
    assert (tmp_path / "metrics.txt").read_text(encoding="utf-8").endswith("# EOF\n")


@pytest.mark.parametrize("report", ["junit", "junit=", "yunit=x.xml"])
def test_a_report_option_that_is_none_is_2(check: Check, report: str) -> None:
    case = CASES["ok"]
    check(Case(case.text, (), 2, 0, 0), "--report", report)


def test_ten_annotations_of_a_kind_and_a_count(check: Check, tmp_path: Path) -> None:
    rows = "".join(f"  - {{name: w{n}, kind: one-off, cost: 5USD}}\n" for n in range(30))
    limits = ", ".join(f"w{n}: 1USD" for n in range(30))
    text = f"version: 1\nname: x\nbudgets: {{workloads: {{{limits}}}}}\nworkloads:\n{rows}"
    done = check(Case(text, (), 3, 0, 30), "--format", "github", "--output", "comment.md")
    lines = done.out.splitlines()
    assert len(lines) == 10
    assert lines[-1].endswith("::… and 21 more")


def test_a_comment_fits_and_says_what_it_leaves_out(check: Check, tmp_path: Path) -> None:
    name = "n" * 110
    rows = "".join(f"  - {{name: {name}{n}, kind: one-off, cost: 5USD}}\n" for n in range(900))
    text = f"version: 1\nname: x\nbudgets: {{total: 1USD}}\nworkloads:\n{rows}"
    check(Case(text, (), 3, 0, 1), "--format", "github", "--output", "comment.md")
    body = (tmp_path / "comment.md").read_text(encoding="utf-8")
    assert len(body) <= 65_536
    assert re.search(r"… and [0-9]+ more", body)
    assert "**4,500.00**" in body


def test_a_full_step_summary_is_left_alone(check: Check, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_bytes(b"x" * (1024 * 1024 - 10))
    check(
        CASES["ok"],
        "--format",
        "github",
        "--output",
        "comment.md",
        env={"GITHUB_STEP_SUMMARY": str(summary)},
    )
    assert summary.stat().st_size == 1024 * 1024 - 10


@pytest.mark.parametrize("form", ["github", "junit", "sarif", "gitlab", "metrics", "json"])
def test_the_same_check_gives_the_same_bytes(check: Check, form: str) -> None:
    first, second = (check(CASES["over"], "--format", form).out for _ in range(2))
    assert first == second
