"""A repository set up from nothing with the pre-commit hooks and the lock, and how it behaves."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from ci_cases import CASES

ROOT = Path(__file__).resolve().parents[2]
HOOKS = {
    hook["id"]: hook
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
Git = Callable[..., subprocess.CompletedProcess[str]]


def test_the_hooks_are_a_valid_manifest() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("costcalc.yaml", True),
        ("infra/costcalc.yml", True),
        ("training/llama.costcalc.yaml", True),
        ("docker-compose.yaml", False),
        ("mycostcalc.yaml", False),
        ("costcalc.yaml.bak", False),
    ],
)
def test_which_files_the_check_looks_at(path: str, wanted: bool) -> None:
    assert bool(re.search(HOOKS["costcalc-check"]["files"], path)) is wanted


@pytest.fixture
def git(tmp_path: Path, data_dir: Path, folder: Path) -> Git:
    """`git ARGS…` in a new repository that uses the hooks of this one.

    The hooks' own entry, files and flags are used; only the environment is not built by pre-commit,
    which would have to download every dependency: `language: system` takes the costcalc under test.
    """
    repository, tools = tmp_path / "repository", tmp_path / "tools"
    repository.mkdir()
    tools.mkdir()
    shim = tools / "costcalc"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m costcalc "$@"\n')
    shim.chmod(0o755)
    environ = {
        "PATH": f"{tools}{os.pathsep}{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        "COSTCALC_DATA_DIR": str(data_dir),
        "COSTCALC_CATALOG": str(folder),
        "SOURCE_DATE_EPOCH": "1796083200",
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b.invalid",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b.invalid",
        "GIT_CONFIG_NOSYSTEM": "1",
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        words = arguments if arguments[0] in ("costcalc", sys.executable) else ("git", *arguments)
        return subprocess.run(
            words,
            cwd=repository,
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    hooks = [{**hook, "language": "system"} for hook in HOOKS.values()]
    for hook in hooks:
        del hook["minimum_pre_commit_version"]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    assert run("init", "--quiet").returncode == 0
    done = run(sys.executable, "-m", "pre_commit", "install")
    assert done.returncode == 0, done.stdout + done.stderr
    return run


def commit(git: Git, tmp_path: Path, **files: str) -> subprocess.CompletedProcess[str]:
    for name, text in files.items():
        path = tmp_path / "repository" / name.replace("__", ".").replace("_in_", "/")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    git("add", "--all")
    return git("commit", "--quiet", "-m", "change")


def test_a_repository_lives_with_hook_and_lock(git: Git, tmp_path: Path) -> None:
    lock = tmp_path / "repository" / "costcalc.lock"
    good, over, bad = (CASES[name].text for name in ("ok", "over", "invalid"))

    # a plan without its lock is refused by the lock hook
    done = commit(git, tmp_path, costcalc__yaml=good)
    assert done.returncode != 0
    assert "costcalc prices lock" in done.stdout + done.stderr

    # with the lock it is committed
    assert git("costcalc", "prices", "lock").returncode == 0
    done = commit(git, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "costcalc.lock" in git("ls-files").stdout

    # over budget: the hook fails and says by how much
    done = commit(git, tmp_path, costcalc__yaml=over)
    assert done.returncode != 0
    assert "USD 500.00 > USD 100.00" in done.stdout + done.stderr
    assert git("diff", "--cached", "--name-only").stdout.split() == ["costcalc.yaml"]

    # an invalid plan: the hook names the line
    done = commit(git, tmp_path, costcalc__yaml=bad)
    assert done.returncode != 0
    assert "costcalc.yaml:5: " in done.stdout + done.stderr

    # two plans at once, one of them over: both are checked, the commit is refused
    cheaper = good.replace("10h", "9h")
    done = commit(git, tmp_path, costcalc__yaml=cheaper, big_in_costcalc__yml=over)
    assert done.returncode != 0
    assert done.stdout.count("Limits") + done.stderr.count("Limits") == 2

    # files that are no plans do not wake the hook
    (tmp_path / "repository" / "big" / "costcalc.yml").unlink()
    done = commit(git, tmp_path, other__yaml="a: [not a plan\n")
    assert done.returncode == 0, done.stdout + done.stderr

    # another catalog than the locked one
    lock.write_text(re.sub(r'"digest": "....', '"digest": "0000', lock.read_text()))
    done = commit(git, tmp_path)
    assert done.returncode != 0
    assert "is not the locked one" in done.stdout + done.stderr


def test_the_entries_are_commands_that_exist() -> None:
    for hook in HOOKS.values():
        done = subprocess.run(
            [sys.executable, "-P", "-m", *shlex.split(hook["entry"]), "--help"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
