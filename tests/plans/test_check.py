"""`costcalc check`: the exit status, the limits, and what is printed before it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Result

Plans = Callable[..., Result]
Write = Callable[..., Path]
TWO = """\
version: 1
name: Dos
budgets: {{{budgets}}}
workloads:
  - {{name: horas, kind: machine, on: 'h100:8', hours: 10h}}
  - {{name: mas, kind: machine, on: 'h200:8', hours: 1h}}
"""


def test_within_budget_is_0(run: Plans, plan: Write) -> None:
    plan()
    done = run("check", "plan.yaml", process=True)
    assert (done.status, done.err) == (0, "")
    assert "50.0%" in done.out


def test_close_to_the_budget_is_still_0_and_said(run: Plans, plan: Write) -> None:
    plan(total="510USD")
    done = run("check", "plan.yaml", "--format", "json")
    assert done.status == 0
    assert json.loads(done.out)["plan"]["checks"][0]["status"] == "warn"
    plan(total="{amount: 510USD, warn_at: 99%}")
    done = run("check", "plan.yaml", "--format", "json")
    assert json.loads(done.out)["plan"]["status"] == "ok"


def test_exactly_the_budget_is_within(run: Plans, plan: Write) -> None:
    plan(total="500USD")
    assert run("check", "plan.yaml").status == 0
    plan(total="499.99USD")
    assert run("check", "plan.yaml").status == 3


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_over_budget_is_3_and_the_report_is_printed(run: Plans, plan: Write, form: str) -> None:
    plan(total="400USD")
    done = run("check", "plan.yaml", "--format", form, process=True)
    assert done.status == 3
    assert "500" in done.out
    assert "budget: whole plan (USD 500.00 > USD 400.00)" in done.err
    if form == "json":
        record = json.loads(done.out)
        assert record["budget"]["status"] == record["plan"]["status"] == "over"


@pytest.mark.parametrize(
    ("budgets", "status"),
    [
        ("total: 11600MXN", 0),
        ("total: 11599MXN", 3),
        ("workloads: {horas: 499USD}", 3),
        ("workloads: {horas: 500USD, mas: 80USD}", 0),
        ("providers: {aws: 500USD, gcp: 79USD}", 3),
        ("providers: {aws: 10000MXN}", 0),
        ("total: 600USD, workloads: {mas: 1USD}", 3),
    ],
)
def test_budgets_on_the_total_on_workloads_and_on_providers(
    run: Plans, plan: Write, budgets: str, status: int
) -> None:
    plan(TWO.format(budgets=budgets))
    assert run("check", "plan.yaml").status == status


def test_a_bad_plan_is_2_and_says_where(run: Plans, plan: Write) -> None:
    plan("version: 1\nname: x\nworkloads:\n  - {name: m, kind: machine, on: 'h100:8', hors: 1}\n")
    done = run("check", "plan.yaml", process=True)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        "costcalc: plan.yaml:4: workloads.m.hors: the key hors is not known; did you mean hours?\n"
    )


def test_a_bad_plan_as_json_is_json_and_no_quote(run: Plans, plan: Write) -> None:
    plan("version: 1\nname: x\nworkloads:\n  - {name: m, kind: machine, on: 'h100:8', hors: 1}\n")
    done = run("check", "plan.yaml", "--format", "json")
    assert done.status == 2
    record = json.loads(done.out)
    assert (record["schema"], record["status"]) == ("costcalc.error/1", "invalid")
    assert record["problems"][0]["line"] == 4


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("on: 'h10:8'", ["plan.yaml:4: workloads.m.on", "h10"]),
        ("on: 'h100:8', provider: awss", ["plan.yaml:4: workloads.m.provider", "aws"]),
        ("on: 'h100:0'", ["plan.yaml:4: workloads.m.on"]),
    ],
)
def test_a_name_that_the_catalog_does_not_know_is_2(
    run: Plans, plan: Write, keys: str, words: list[str]
) -> None:
    plan(f"version: 1\nname: x\nworkloads:\n  - {{name: m, kind: machine, {keys}, hours: 1}}\n")
    for command in ("check", "quote"):
        done = run(command, "plan.yaml")
        assert done.status == 2, done.err
        for word in words:
            assert word in done.err


NO_OFFER = """\
version: 1
name: x
budgets: {total: 100USD}
workloads:
  - {name: horas, kind: machine, on: 'h100:8', hours: 10h}
  - {name: nadie, kind: machine, on: 'tpu-v5p:8', hours: 1h}
"""


def test_no_price_is_4_even_when_over_budget_and_the_rest_is_reported(
    run: Plans, plan: Write
) -> None:
    plan(NO_OFFER)
    done = run("check", "plan.yaml", "--format", "json", process=True)
    assert done.status == 4
    record = json.loads(done.out)
    assert record["plan"]["status"] == "no-price"
    assert record["totals"]["usd"] == 500
    (failure,) = record["plan"]["failures"]
    assert (failure["workload"], failure["exit_status"]) == ("nadie", 4)
    assert "plan.yaml:6: nadie: " in done.err
    assert "nadie" in run("check", "plan.yaml", process=True).out


def test_quote_prints_no_total_that_lacks_a_workload(run: Plans, plan: Write) -> None:
    plan(NO_OFFER)
    done = run("quote", "plan.yaml")
    assert (done.status, done.out) == (4, "")
    assert "plan.yaml:6: nadie: " in done.err


def test_a_bad_plan_goes_before_a_missing_price(run: Plans, plan: Write) -> None:
    plan(NO_OFFER + "  - {name: z, kind: machine, on: 'nonsense:8', hours: 1h}\n")
    assert run("check", "plan.yaml").status == 2


def test_an_unexpected_fault_is_1_and_looks_like_neither(
    run: Plans, plan: Write, tmp_path: Path
) -> None:
    plan(total="400USD")
    # a fault inside the evaluation: the module that prices machines cannot be imported
    (tmp_path / "sitecustomize.py").write_text(
        "import sys\nsys.modules['costcalc.quote.machine'] = None\n"
    )
    done = run("check", "plan.yaml", "--format", "json", env={"PYTHONPATH": str(tmp_path)})
    assert done.status == 1
    assert done.out == ""
    assert "unexpected fault" in done.err
    assert "budget" not in done.err


TRAIN = """\
version: 1
name: x
budgets: {{total: {total}USD}}
workloads:
  - {{name: t, kind: train, on: 'h100:8', model: llama-3.1-8b, tokens: 1B}}
"""


def test_the_threshold_may_be_the_high_end_of_the_range(run: Plans, plan: Write) -> None:
    plan(TRAIN.format(total=1_000_000))
    totals = json.loads(run("check", "plan.yaml", "--format", "json").out)["totals"]
    between = int((totals["usd"] + totals["usd_high"]) / 2)
    plan(TRAIN.format(total=between))
    assert run("check", "plan.yaml").status == 0
    done = run("check", "plan.yaml", "--threshold", "high", "--format", "json")
    assert done.status == 3
    check = json.loads(done.out)["plan"]["checks"][0]
    assert check["amount"] == totals["usd_high"]


def test_budgets_compare_without_iva_unless_it_is_added(run: Plans, plan: Write) -> None:
    plan(total="550USD")
    assert run("check", "plan.yaml").status == 0
    assert run("check", "plan.yaml", "--iva", "self-assessed").status == 0
    assert run("check", "plan.yaml", "--iva", "add").status == 3
    assert run("check", "plan.yaml", "--iva", "add", "--iva-rate", "8").status == 0


@pytest.mark.parametrize(
    ("limit", "status"),
    [("25%", 0), ("24.9%", 3), ("125USD", 0), ("124USD", 3), ("2500MXN", 0), ("2499MXN", 3)],
)
def test_the_increase_over_a_baseline(run: Plans, plan: Write, limit: str, status: int) -> None:
    plan(total="9999USD")
    run("quote", "plan.yaml", "--format", "json", "--output", "base.json")
    more = ("--set", "workloads.horas.hours=12.5h")
    for baseline in ("base.json", "plan.yaml"):
        done = run("check", "plan.yaml", *more, "--baseline", baseline, "--max-increase", limit)
        assert done.status == status, done.err


def test_a_smaller_total_never_breaks_the_limit_on_growth(run: Plans, plan: Write) -> None:
    plan()
    less = ("--set", "workloads.horas.hours=1h")
    done = run("check", "plan.yaml", *less, "--baseline", "plan.yaml", "--max-increase", "0%")
    assert done.status == 0


def test_baseline_and_max_increase_need_each_other(run: Plans, plan: Write) -> None:
    plan()
    assert run("check", "plan.yaml", "--baseline", "plan.yaml").status == 2
    assert run("check", "plan.yaml", "--max-increase", "10%").status == 2


@pytest.mark.parametrize(
    ("age", "status"), [("30d", 0), ("29d", 4), ("30", 0), ("5w", 0), ("soon", 2)]
)
def test_the_age_of_prices(run: Plans, plan: Write, age: str, status: int) -> None:
    plan()
    done = run("check", "plan.yaml", "--max-age", age)
    assert done.status == status
    if status == 4:
        assert "price age: horas (30 d > 29 d)" in done.err


def test_the_confidence_of_prices(
    run: Plans, plan: Write, make_catalog: Callable[..., Path]
) -> None:
    plan()
    assert run("check", "plan.yaml", "--require", "listed").status == 0
    doubtful = make_catalog(confidence="quoted")
    assert run("check", "plan.yaml", "--require", "listed", catalog=doubtful).status == 4
    assert run("check", "plan.yaml", "--require", "quoted", catalog=doubtful).status == 0
    assert run("check", "plan.yaml", "--require", "certain").status == 2


def test_prices_that_the_plan_states_have_no_age_and_no_confidence(run: Plans, plan: Write) -> None:
    plan("version: 1\nname: x\nworkloads:\n  - {name: o, kind: one-off, cost: 5USD}\n")
    assert run("check", "plan.yaml", "--max-age", "1d", "--require", "listed").status == 0


def test_a_plan_without_limits_says_that_nothing_was_checked(run: Plans, plan: Write) -> None:
    plan("version: 1\nname: x\nworkloads:\n  - {name: o, kind: one-off, cost: 5USD}\n")
    done = run("check", "plan.yaml", "--format", "json")
    assert done.status == 0
    assert [item["code"] for item in json.loads(done.out)["warnings"]] == ["nothing_checked"]


def test_the_pin_of_a_plan(run: Plans, plan: Write) -> None:
    version = json.loads(run("quote", str(plan()), "--format", "json").out)["catalog"]["version"]
    text = plan().read_text()
    plan(text + f"catalog: {version}\n")
    assert run("check", "plan.yaml").status == 0
    plan(text + "catalog: 2020-01-01+00000000\n")
    done = run("check", "plan.yaml")
    assert done.status == 2
    assert "plan.yaml:10: catalog: the plan" in done.err
    assert version in done.err


def test_set_and_profile_change_a_plan_without_copying_it(run: Plans, plan: Write) -> None:
    text = plan().read_text()
    plan(text + "profiles: {doble: {workloads: {horas: {hours: 20h}}}}\n")
    for options, usd in (
        ((), 500),
        (("--profile", "doble"), 1000),
        (("--set", "workloads.horas.hours=1h"), 50),
        (("--profile", "doble", "--set", "workloads.horas.runs_per_month=2"), 2000),
        (("--discount", "aws=10%"), 450),
    ):
        done = run("quote", "plan.yaml", "--format", "json", *options)
        assert json.loads(done.out)["totals"]["usd"] == usd


@pytest.mark.parametrize(
    ("policy", "options", "rate"),
    [
        ("", (), 20),
        ("fx: 18.5\n", (), 18.5),
        ("fx: 2026-11-15\n", (), 19),
        ("fx: {rate: 17.25, date: 2026-10-01, source: contrato}\n", (), 17.25),
        ("fx: 18.5\n", ("--fx", "21"), 21),
    ],
)
def test_the_exchange_rate_policy(
    run: Plans, plan: Write, policy: str, options: tuple[str, ...], rate: float
) -> None:
    plan(policy + plan().read_text())
    fx = json.loads(run("quote", "plan.yaml", "--format", "json", *options).out)["fx"]
    assert fx["usd_mxn"] == rate
    if "contrato" in policy:
        assert (fx["source"], fx["date"]) == ("contrato", "2026-10-01")


def test_spanish_reports_and_faults(run: Plans, plan: Write) -> None:
    plan(total="400USD")
    done = run("check", "plan.yaml", "--lang", "es")
    assert done.status == 3
    assert "EXCEDE" in done.out
    assert "se rebasa un límite" in done.err


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ("discounts: {awss: 5%}", "discounts.awss"),
        ("support_percent: {awss: 5%}", "support_percent.awss"),
        ("budgets: {providers: {awss: 5USD}}", "budgets.providers.awss"),
        ("credits: [{name: c, amount: 5USD, provider: awss}]", "credits.c.provider"),
    ],
)
def test_a_misspelt_provider_is_refused_and_not_ignored(
    run: Plans, plan: Write, keys: str, place: str
) -> None:
    plan(f"version: 1\nname: x\n{keys}\nworkloads:\n  - {{name: o, kind: one-off, cost: 5USD}}\n")
    done = run("check", "plan.yaml")
    assert done.status == 2
    assert done.err.startswith(f"costcalc: plan.yaml:3: {place}: no offer or price")
    assert "there are: aws" in done.err


def test_providers_are_named_in_any_case(run: Plans, plan: Write) -> None:
    plan(plan().read_text().replace("hours: 10h", "hours: 10h\n    provider: AWS"))
    for discount in ("aws", "AWS"):
        done = run("quote", "plan.yaml", "--format", "json", "--set", f"discounts.{discount}=10%")
        assert json.loads(done.out)["totals"]["usd"] == 450
    done = run("quote", "plan.yaml", "--set", "discounts.AWS=5%", "--set", "discounts.aws=5%")
    assert done.status == 2
    assert "named twice" in done.err


def test_a_broken_baseline_is_told_like_a_broken_plan(run: Plans, plan: Write) -> None:
    plan()
    options = ("--baseline", "none.json", "--max-increase", "5%", "--format", "json")
    done = run("check", "plan.yaml", *options)
    assert done.status == 2
    assert json.loads(done.out)["status"] == "invalid"
    assert "none.json" in done.err
