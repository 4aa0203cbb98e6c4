"""The GitHub Action: its own shell steps, run as a runner runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema
from ci_cases import CASES, NASTY
from command import Run

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
EXPRESSION = re.compile(r"\$\{\{ ([a-z]+)\.([a-z_.-]+) \}\}")


@dataclass
class Runner:
    """What GitHub gives to a composite action: contexts, files, and `bash -e -o pipefail`."""

    workspace: Path
    temp: Path
    environ: dict[str, str]
    path: list[str] = field(default_factory=list)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    log: str = ""

    def use(self, **inputs: str) -> int:
        """Run the action's steps; the exit status of the first that fails, else 0."""
        given = {name: str(item.get("default", "")) for name, item in ACTION["inputs"].items()}
        given.update({name.replace("_", "-"): value for name, value in inputs.items()})
        for step in ACTION["runs"]["steps"]:
            condition = step.get("if")
            if condition is not None and not self._holds(condition, given):
                continue
            status = self._step(step, given)
            if status:
                return status
        return 0

    def output(self, name: str) -> str:
        """An output of the action, through the step's output that it is mapped to."""
        return self._expand(ACTION["outputs"][name]["value"], {})

    def _holds(self, condition: str, inputs: Mapping[str, str]) -> bool:
        match = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) != '([^']*)' \}\}", condition)
        assert match is not None, condition
        return inputs[match[1]] != match[2]

    def _expand(self, text: str, inputs: Mapping[str, str]) -> str:
        def value(match: re.Match[str]) -> str:
            context, name = match[1], match[2]
            if context == "inputs":
                return inputs[name]
            if context == "github":
                assert name == "action_path"
                return str(ROOT)
            assert context == "steps"
            step, kind, output = name.split(".")
            assert kind == "outputs"
            return self.outputs.get(step, {}).get(output, "")

        return EXPRESSION.sub(value, text)

    def _step(self, step: Mapping[str, Any], inputs: Mapping[str, str]) -> int:
        assert step["shell"] == "bash"
        # nothing that a caller writes may become part of the script
        assert "${{" not in step["run"].replace("${{ steps.check.outputs", "")
        files = {name: self.temp / f"{name}.txt" for name in ("output", "path", "summary")}
        files["output"].write_text("")
        script = self.temp / "script.sh"
        script.write_text(step["run"], encoding="utf-8")
        environ = {
            **self.environ,
            "PATH": os.pathsep.join([*reversed(self.path), self.environ["PATH"]]),
            "GITHUB_ACTIONS": "true",
            "CI": "true",
            "RUNNER_TEMP": str(self.temp),
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(files["output"]),
            "GITHUB_PATH": str(files["path"]),
            "GITHUB_STEP_SUMMARY": str(files["summary"]),
            **{k: self._expand(v, inputs) for k, v in step.get("env", {}).items()},
        }
        folder = self._expand(step.get("working-directory", "."), inputs)
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            env=environ,
            cwd=self.workspace / folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.log += done.stdout + done.stderr
        if files["path"].exists():
            self.path += files["path"].read_text().split()
            files["path"].unlink()
        lines = files["output"].read_text(encoding="utf-8").splitlines()
        pairs = (line.partition("=") for line in lines)
        self.outputs[step.get("id", "")] = {name: value for name, _, value in pairs}
        return done.returncode


@pytest.fixture
def runner(costcalc: Run, data_dir: Path, folder: Path, tmp_path: Path) -> Runner:
    workspace, temp = tmp_path / "workspace", tmp_path / "temp"
    workspace.mkdir()
    temp.mkdir()
    tools = tmp_path / "tools"
    tools.mkdir()
    shim = tools / "costcalc"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m costcalc "$@"\n')
    shim.chmod(0o755)
    return Runner(
        workspace,
        temp,
        {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(data_dir),
            "LANG": "C.UTF-8",
            "COSTCALC_DATA_DIR": str(data_dir),
            "COSTCALC_CATALOG": str(folder),
            "SOURCE_DATE_EPOCH": "1796083200",
        },
    )


def write(runner: Runner, text: str, name: str = "plan.yaml") -> None:
    (runner.workspace / name).write_text(text, encoding="utf-8")


def test_the_action_is_a_valid_action() -> None:
    jsonschema.validate(ACTION, get_builtin_schema("vendor.github-actions"))


def test_every_input_is_used_and_every_output_has_its_step() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    for name in ACTION["inputs"]:
        assert f"inputs.{name} " in text, name
    written = set(re.findall(r'echo "([a-z-]+)=', text))
    assert set(ACTION["outputs"]) <= written


STATUSES = {
    "ok": ("ok", "500"),
    "warn": ("warn", "500"),
    "over": ("over", "500"),
    "no-price": ("no-price", "500"),
    "invalid": ("invalid", ""),
}


@pytest.mark.parametrize("name", STATUSES)
def test_the_check_step_sets_outputs_summary_and_status(runner: Runner, name: str) -> None:
    case = CASES[name]
    write(runner, case.text)
    assert runner.use(plan="plan.yaml", install="none") == case.status
    assert runner.output("exit-status") == str(case.status)
    assert (runner.output("status"), runner.output("total-usd")) == STATUSES[name]
    assert runner.output("total-mxn") == ("10000" if STATUSES[name][1] else "")
    body = Path(runner.output("comment-file")).read_text(encoding="utf-8")
    summary = (runner.temp / "summary.txt").read_text(encoding="utf-8")
    assert summary == f"{body}\n"
    assert runner.log.count("::error file=plan.yaml,") == case.errors + case.failures
    json.loads(Path(runner.output("report")).read_text(encoding="utf-8"))


def test_fail_false_reports_and_lets_the_job_go_on(runner: Runner) -> None:
    write(runner, CASES["over"].text)
    assert runner.use(plan="plan.yaml", install="none", fail="false") == 0
    assert (runner.output("status"), runner.output("exit-status")) == ("over", "3")


def test_a_costcalc_that_crashes_is_an_error_and_no_pass(runner: Runner, tmp_path: Path) -> None:
    write(runner, CASES["ok"].text)
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "costcalc").write_text("#!/bin/sh\nkill -9 $$\n")
    (broken / "costcalc").chmod(0o755)
    runner.environ["PATH"] = f"{broken}{os.pathsep}{runner.environ['PATH']}"
    assert runner.use(plan="plan.yaml", install="none") != 0
    assert (runner.output("status"), runner.output("total-usd")) == ("error", "")


def test_an_old_report_is_not_taken_for_this_one(runner: Runner, tmp_path: Path) -> None:
    write(runner, CASES["ok"].text)
    assert runner.use(plan="plan.yaml", install="none") == 0
    assert runner.use(plan="missing.yaml", install="none") == 2
    assert (runner.output("status"), runner.output("total-usd")) == ("invalid", "")


def test_options_reach_the_check(runner: Runner) -> None:
    write(runner, CASES["ok"].text)
    assert runner.use(plan="plan.yaml", install="none", max_age="1d") == 4
    assert runner.use(plan="plan.yaml", install="none", require="listed") == 0
    base = CASES["ok"].text.replace("10h", "8h")
    write(runner, base, "base.yaml")
    increase = {"baseline": "base.yaml", "max_increase": "5%"}
    assert runner.use(plan="plan.yaml", install="none", **increase) == 3
    reports = {"sarif": "out.sarif", "junit": "junit.xml"}
    assert runner.use(plan="plan.yaml", install="none", lang="es", **reports) == 0
    assert (runner.workspace / "out.sarif").exists()
    assert (runner.workspace / "junit.xml").exists()
    assert "dentro del presupuesto" in Path(runner.output("comment-file")).read_text()


def test_inputs_are_data_and_never_code(runner: Runner) -> None:
    name = '$(touch hacked) `touch hacked`"; touch hacked; ".yaml'
    write(runner, CASES["ok"].text, name)
    assert runner.use(plan=name, install="none", profile="$(touch hacked)") == 2
    assert runner.use(plan=name, install="none") == 0
    assert not list(runner.workspace.rglob("hacked"))
    # a plan whose name looks like an option is a plan
    write(runner, CASES["ok"].text, "--help")
    assert runner.use(plan="--help", install="none") == 0
    assert runner.output("status") == "ok"


def test_annotations_name_the_file_from_the_root_of_the_checkout(runner: Runner) -> None:
    (runner.workspace / "training").mkdir()
    write(runner, CASES["over"].text, "training/plan.yaml")
    assert runner.use(plan="plan.yaml", install="none", working_directory="training") == 3
    assert runner.log.count("::error file=training/plan.yaml,line=3") == 2


def test_the_lock_is_held_where_there_is_one(runner: Runner, costcalc: Run) -> None:
    write(runner, CASES["ok"].text)
    folder = runner.environ["COSTCALC_CATALOG"]
    done = costcalc("prices", "lock", "--catalog", folder, cwd=runner.workspace)
    assert done.status == 0
    assert runner.use(plan="plan.yaml", install="none") == 0
    lock = runner.workspace / "costcalc.lock"
    lock.write_text(re.sub(r'"digest": "....', '"digest": "0000', lock.read_text()))
    assert runner.use(plan="plan.yaml", install="none") == 2
    assert runner.use(plan="plan.yaml", install="none", locked="false") == 0
    lock.unlink()
    assert runner.use(plan="plan.yaml", install="none", locked="true") == 2


def test_the_install_step_makes_an_environment_of_its_own(runner: Runner, tmp_path: Path) -> None:
    # a wheel that needs no network: its command is the costcalc under test
    wheel = tmp_path / "costcalc_stand_in-1.0-py3-none-any.whl"
    meta = "costcalc_stand_in-1.0.dist-info"
    code = (
        "import os, sys\n"
        "def main():\n"
        f"    os.execv({sys.executable!r}, [{sys.executable!r}, '-P', '-m', 'costcalc', "
        "*sys.argv[1:]])\n"
    )
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("costcalc_stand_in.py", code)
        archive.writestr(
            f"{meta}/METADATA", "Metadata-Version: 2.1\nName: costcalc-stand-in\nVersion: 1.0\n"
        )
        archive.writestr(
            f"{meta}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr(
            f"{meta}/entry_points.txt", "[console_scripts]\ncostcalc = costcalc_stand_in:main\n"
        )
        archive.writestr(f"{meta}/RECORD", "")
    write(runner, CASES["over"].text)
    # without the tools folder, so that only the installed command can be found
    runner.environ["PATH"] = os.environ["PATH"]
    runner.environ["PIP_NO_INDEX"] = "1"
    assert runner.use(plan="plan.yaml", install=str(wheel), python=sys.executable) == 3
    assert runner.output("status") == "over"
    assert runner.path == [str(runner.temp / "costcalc-environment" / "bin")]
    report = json.loads(Path(runner.output("report")).read_text(encoding="utf-8"))
    assert report["plan"]["name"] == NASTY
