"""Flags out of scripts, without running them; and Megatron's batch ramp."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcalc.readers.megatron import ramped_samples
from costcalc.readers.shell_arguments import flags


def value(text: str, flag: str = "--x") -> object:
    found = flags(text).get(flag)
    return None if not found or not found[0].values else found[0].values[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("--x 5", "5"),
        ("--x=5", "5"),
        ("A=(--x 5)", "5"),
        ("A=(\n  --x 5\n)", "5"),
        ("A+=(--x 5)", "5"),
        ('A=(\n  "--x 5"\n)', "5"),
        ("cmd \\\n  --x 5 \\\n  --y 6", "5"),
        ("N=5\n--x $N", "5"),
        ("N=5\n--x ${N}", "5"),
        ('N="5"\n--x "$N"', "5"),
        ("export N=5\n--x $N", "5"),
        ("--x ${N:-5}", "5"),
        ('N=${SLURM:-"5"}\n--x $N', "5"),
        ("A=2\nB=3\nN=$((A*B))\n--x $N", "6"),
        ("A=2\nB=3\nN=$(($A*$B))\n--x $N", "6"),
        ("A=12\nN=$((A/4))\n--x $N", "3"),
        ("--x 5 # --x 6", "5"),
        ("# --x 6\n--x 5", "5"),
        ("--x 'a b'", "a b"),
        ("torchrun --x 5 script.py --y 6", "5"),
        # what nothing in the text gives a value
        ("--x $N", None),
        ("--x ${1}", None),
        ("--x $(nproc)", None),
        ("--x `nproc`", None),
        ("N=$N\n--x $N", None),
        ("A=$B\nB=$A\n--x $A", None),
        ("N=1\nN=2\n--x $N", None),
        ("N=$((A/0))\n--x $N", None),
    ],
)
def test_values(text: str, wanted: object) -> None:
    assert value(text) == wanted


def test_underscores_and_dashes_are_one_flag() -> None:
    assert list(flags("--nproc_per_node 8\n--nproc-per-node 8")) == ["--nproc-per-node"]


def test_places_and_several_values() -> None:
    found = flags("# note\n--x 1\nif a; then\n  --x 2\nfi")["--x"]
    assert [(flag.values[:1], flag.line) for flag in found] == [(("1",), 2), (("2",), 4)]
    assert flags("--rampup-batch-size 16 16 5859375")["--rampup-batch-size"][0].values == (
        "16",
        "16",
        "5859375",
    )


def test_the_environment_may_change_a_default() -> None:
    (flag,) = flags("N=${SLURM_NNODES:-1}\n--x $N")["--x"]
    assert flag.values == ("1",)
    assert flag.default_of == ("SLURM_NNODES",) or flag.default_of == ("N",)


@given(st.text("-x=$(){}[]#\"'\\ \nAB0:+*/", max_size=120))
def test_any_text_has_flags_or_none(text: str) -> None:
    for places in flags(text).values():
        for flag in places:
            assert all(v is None or "$" not in v for v in flag.values)


def simulated(iterations: int, batch: int, start: int, increment: int, over: int) -> int:
    """The calculator of Megatron step by step: the size follows the samples consumed so far."""
    stages = (batch - start) // increment
    per_stage = over / stages if stages else 0
    consumed = 0
    for _ in range(iterations):
        if consumed > over or not stages:
            size = batch
        else:
            size = min(start + int(consumed / per_stage) * increment, batch)
        consumed += size
    return consumed


def test_the_ramp_of_the_175b_example() -> None:
    # 500,000 steps; 16 more sequences a step for each 95th part of the first 5,859,375 samples
    assert ramped_samples(500_000, 1536, [16, 16, 5_859_375]) == pytest.approx(
        simulated(500_000, 1536, 16, 16, 5_859_375), abs=2 * 1536
    )


@given(
    st.integers(0, 3000),
    st.integers(1, 8),
    st.integers(0, 6),
    st.integers(1, 8),
    st.integers(1, 20_000),
)
def test_the_ramp_is_what_a_simulation_gives(
    iterations: int, start: int, stages: int, increment: int, over: int
) -> None:
    batch = start + stages * increment
    found = ramped_samples(iterations, batch, [start, increment, over])
    assert found is not None
    # the two differ by at most one step's growth at each boundary
    assert abs(found - simulated(iterations, batch, start, increment, over)) <= (
        increment * stages + batch
    )


@pytest.mark.parametrize("ramp", [[0, 1, 5], [9, 1, 5], [1, 0, 5], [1, 2, 5]])
def test_a_ramp_that_makes_no_sense(ramp: list[int]) -> None:
    assert ramped_samples(10, 8, ramp) is None
