"""`costcalc.lock`: the catalog changes only when someone changes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Result

Plans = Callable[..., Result]
Write = Callable[..., Path]


def test_lock_then_locked(
    run: Plans, plan: Write, tmp_path: Path, make_catalog: Callable[..., Path]
) -> None:
    plan()
    done = run("prices", "lock")
    assert done.status == 0
    lock = json.loads((tmp_path / "costcalc.lock").read_text())
    quote = json.loads(run("quote", "plan.yaml", "--format", "json").out)
    assert lock["schema"] == "costcalc.lock/1"
    assert lock["catalog"]["version"] == quote["catalog"]["version"]
    assert lock["catalog"]["digest"].startswith(quote["catalog"]["version"].rpartition("+")[2])
    assert lock["locked"] == "2026-12-01"
    assert run("prices", "lock", "--check").status == 0
    for command in (
        ("check", "plan.yaml"),
        ("quote", "plan.yaml"),
        ("diff", "plan.yaml", "plan.yaml"),
    ):
        assert run(*command, "--locked").status == 0

    other = make_catalog(aws="50.01")
    for command in (
        ("check", "plan.yaml"),
        ("quote", "plan.yaml"),
        ("diff", "plan.yaml", "plan.yaml"),
    ):
        done = run(*command, "--locked", catalog=other)
        assert (done.status, done.out) == (2, "")
        assert "is not the locked one" in done.err
        assert lock["catalog"]["version"] in done.err
    assert run("prices", "lock", "--check", catalog=other).status == 2
    # without --locked nothing looks at the lock
    assert run("check", "plan.yaml", catalog=other).status == 0

    run("prices", "lock", catalog=other)
    assert run("check", "plan.yaml", "--locked", catalog=other).status == 0


def test_the_lock_is_the_same_bytes_on_the_same_day(run: Plans, tmp_path: Path) -> None:
    run("prices", "lock", "--output", "a.lock")
    run("prices", "lock", "--output", "b.lock")
    assert (tmp_path / "a.lock").read_bytes() == (tmp_path / "b.lock").read_bytes()
    assert run("prices", "lock", "--output", "-").out.encode() == (tmp_path / "a.lock").read_bytes()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "there is no such lock file"),
        ("", "this is no lock file"),
        ("[]", "this is no lock file"),
        ('{"schema": "costcalc.lock/9"}', "costcalc.lock/9"),
        ('{"schema": "costcalc.lock/1"}', "this is no lock file"),
        ('{"schema": "costcalc.lock/1", "catalog": {"digest": 5}}', "this is no lock file"),
        ("[" * 50_000, "this is no lock file"),
    ],
)
def test_a_missing_or_broken_lock_is_2(
    run: Plans, plan: Write, tmp_path: Path, text: str | None, words: str
) -> None:
    plan()
    if text is not None:
        (tmp_path / "own.lock").write_text(text)
    done = run("check", "plan.yaml", "--locked", "--lock-file", "own.lock")
    assert (done.status, done.out) == (2, "")
    assert "own.lock" in done.err
    assert words in done.err
