"""Plan files: what is wrong is told with file, line, key and what would be right."""

from __future__ import annotations

from decimal import Decimal

import pytest

from costcalc import safeyaml
from costcalc.errors import InputError
from costcalc.messages import LANGUAGES
from costcalc.quote.plan import KINDS, Machine, Owned, Plan, Train
from costcalc.quote.plan_errors import PlanError
from costcalc.quote.plan_validation import read_plan
from costcalc.units import Money

HEAD = "version: 1\nname: x\nworkloads:\n"
MACHINE = "  - {name: m, kind: machine, on: 'h100:8', hours: 10h}\n"
TRAIN = "  - {name: t, kind: train, on: 'h100:8', model: llama-3.1-8b, tokens: 1B}\n"


def read(text: str, **options: object) -> Plan:
    document = safeyaml.load(text, "plan.yaml")
    return read_plan(document.data, "plan.yaml", document=document, **options)  # type: ignore[arg-type]


def problems(text: str, **options: object) -> list[str]:
    with pytest.raises(PlanError) as caught:
        read(text, **options)
    return caught.value.message("en").splitlines()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HEAD + MACHINE + "budget: 5USD\n", 5, ["budget ", "did you mean budgets?"]),
        (HEAD + MACHINE.replace("hours", "hors"), 4, ["workloads.m.hors", "did you mean hours?"]),
        (HEAD + MACHINE.replace("on:", "gpu:"), 4, ["workloads.m.gpu", "did you mean on?"]),
        (HEAD + TRAIN.replace("tokens", "toknes"), 4, ["toknes", "did you mean tokens?"]),
        (HEAD + MACHINE.replace("machine", "machin"), 4, ["did you mean machine?"]),
        (HEAD + "  - {name: m, on: 'h100:8'}\n", 4, ["kind is missing", "one-off"]),
        (HEAD + "  - {name: t, kind: train}\n", 4, ["missing: model, on, tokens;"]),
        (HEAD + "  - 5\n", 4, ["5 stands where keys belong"]),
        ("version: 1\nname: x\nworkloads: 5\n", 3, ["5 stands where a list belongs"]),
        ("version: 1\nname: x\nworkloads: []\n", 3, ["needs at least one item"]),
        ("version: 1\nname: x\n", 1, ["missing: workloads"]),
        ("version: 2\nname: x\nworkloads:\n" + MACHINE, 1, ["reads version: 1"]),
        ("version: true\nname: x\nworkloads:\n" + MACHINE, 1, ["reads version: 1"]),
        ("version: 1\nname: 5\nworkloads:\n" + MACHINE, 2, ["5 is not text", "quotes"]),
        (HEAD + MACHINE + "iva: yes\n", 5, ["'yes' is not known", "self-assessed"]),
        (HEAD + MACHINE.replace("}", ", nearest: yes}"), 4, ["'yes' is text here", "true"]),
        (HEAD + MACHINE.replace("10h", "1:30"), 4, ["1:30 with a colon is text here"]),
        (HEAD + MACHINE.replace("10h", "-4h"), 4, ["'-4h' is not a duration"]),
        (HEAD + MACHINE.replace("}", ", months: 0}"), 4, ["must be above 0"]),
        (HEAD + MACHINE.replace("}", ", months: nan}"), 4, ["'nan' is not a number"]),
        (HEAD + TRAIN.replace("1B", "1.5"), 4, ["'1.5' must be a whole number"]),
        (HEAD + TRAIN.replace("1B", "[1]"), 4, ["[...]", "is not a number"]),
        (HEAD + TRAIN.replace("}", ", method: loar}"), 4, ["did you mean lora?"]),
        (HEAD + TRAIN.replace("}", ", precision: int8}"), 4, ["there are bf16, fp8, fp4"]),
        (HEAD + MACHINE + "budgets: {total: 500}\n", 5, ["budgets.total", "names no currency"]),
        (HEAD + MACHINE + "budgets: {workloads: {n: 5USD}}\n", 5, ["no workload 'n'", "m"]),
        (HEAD + MACHINE + MACHINE, 5, ["two workloads are called 'm'"]),
        (HEAD + MACHINE + "fx: {rate: 18, dat: 2026-01-01}\n", 5, ["fx.dat", "mean date?"]),
        (HEAD + MACHINE + "fx: {source: DOF}\n", 5, ["fx.source", "add rate"]),
        (HEAD + MACHINE + "assumptions: {peak_share: 20%}\n", 5, ["add up to 110%"]),
        (HEAD + MACHINE + "discounts: {aws: 120%}\n", 5, ["discounts.aws", "100%"]),
    ],
)
def test_a_problem_has_its_line_its_key_and_what_would_be_right(
    text: str, line: int, words: list[str]
) -> None:
    found = problems(text)
    assert len(found) == 1, found
    assert found[0].startswith(f"plan.yaml:{line}: ")
    for word in words:
        assert word in found[0]


def test_every_problem_is_told_at_once_in_the_order_of_the_file() -> None:
    text = (
        HEAD + MACHINE.replace("hours", "hors") + TRAIN.replace("tokens", "toks") + "ivaa: none\n"
    )
    found = problems(text)
    assert [line.split(":")[1] for line in found] == ["4", "5", "6"]


def test_many_problems_are_capped_and_counted() -> None:
    rows = "".join(f"  - {{name: m{n}, kind: machine, on: 'h100:8', hors: 1}}\n" for n in range(50))
    found = problems(HEAD + rows)
    assert len(found) == 21
    assert found[-1] == "… and 30 more."


@pytest.mark.parametrize("language", LANGUAGES)
def test_problems_are_told_in_every_language(language: str) -> None:
    with pytest.raises(PlanError) as caught:
        read(HEAD + MACHINE.replace("hours", "hors"))
    text = caught.value.message(language)
    assert text.startswith("plan.yaml:4: workloads.m.hors: ")
    assert ("quiso decir hours" in text) is (language == "es")


def test_a_number_that_yaml_1_1_reads_as_text_is_a_number() -> None:
    found = read(HEAD + TRAIN.replace("1B", "1e6"))
    assert isinstance(found.workloads[0], Train)
    assert found.workloads[0].tokens == 1_000_000


def test_the_key_on_is_a_key_and_not_a_truth_value() -> None:
    found = read(HEAD + "  - name: m\n    kind: machine\n    on: h100:8\n")
    assert isinstance(found.workloads[0], Machine)
    assert found.workloads[0].on == "h100:8"


def test_duplicate_keys_are_refused_with_their_line() -> None:
    with pytest.raises(InputError, match=r"plan.yaml.*5"):
        read("version: 1\nname: x\nworkloads:\n" + MACHINE + "name: y\n")


def test_a_key_without_value_counts_as_missing() -> None:
    found = problems(
        HEAD + "  - name: t\n    kind: train\n    on: h100:8\n    model: m\n    tokens:\n"
    )
    assert "missing: tokens" in found[0]


def test_short_and_long_forms_are_the_same_plan() -> None:
    short = read(HEAD + MACHINE + "budgets: {total: 500USD}\nfx: 18.5\nsupport_percent: 3\n")
    long = read(
        HEAD
        + MACHINE
        + "budgets: {total: {amount: USD 500}}\nfx: {rate: 18.50}\nsupport_percent: {'*': 3%}\n"
    )
    assert short == long
    assert short.budgets.total is not None
    assert short.budgets.total.amount == Money(Decimal(500), "USD")
    assert read(HEAD + MACHINE + "fx: catalog\n").fx == read(HEAD + MACHINE).fx
    assert str(read(HEAD + MACHINE + "fx: 2026-10-30\n").fx.date) == "2026-10-30"


def test_defaults_reach_every_kind_that_has_the_key() -> None:
    found = read(
        "version: 1\nname: x\ndefaults: {provider: aws, region: us-east-1, months: 3, "
        "purchase: spot}\nworkloads:\n"
        + MACHINE
        + "  - {name: o, kind: owned, months: 2, purchase: 5USD}\n"
        + "  - {name: g, kind: machine, on: 'h100:8', provider: gcp}\n"
    )
    machine, owned, other = found.workloads
    assert isinstance(machine, Machine)
    assert (machine.provider, machine.region, machine.months) == ("aws", "us-east-1", 3)
    assert machine.purchase == "spot"
    assert isinstance(owned, Owned)
    assert (owned.months, owned.purchase) == (2, Money(Decimal(5), "USD"))
    assert isinstance(other, Machine)
    # the region of one provider is no region of another one
    assert (other.provider, other.region) == ("gcp", None)


def test_a_bad_default_is_told_once_where_it_stands() -> None:
    text = (
        "version: 1\nname: x\ndefaults: {precision: int8}\nworkloads:\n"
        + TRAIN
        + TRAIN.replace("name: t", "name: u")
    )
    found = problems(text)
    assert len(found) == 1
    assert found[0].startswith("plan.yaml:3: ")


PROFILES = (
    HEAD
    + MACHINE
    + TRAIN
    + "profiles:\n  big:\n    iva: add\n    workloads:\n      m: {hours: 20h}\n      t: null\n"
    + "  bad:\n    workloads:\n      m: {hors: 20h}\n"
)


def test_a_profile_merges_removes_and_adds() -> None:
    found = read(PROFILES, profile="big")
    assert found.iva == "add"
    assert [workload.name for workload in found.workloads] == ["m"]
    assert found.workloads[0].hours == 20  # type: ignore[union-attr]
    assert read(PROFILES).iva == "none"


def test_a_fault_of_a_profile_is_told_at_the_profile() -> None:
    assert problems(PROFILES, profile="bad")[0].startswith("plan.yaml:14: workloads.m.hors")


@pytest.mark.parametrize(
    ("profile", "words"), [("bigg", "there are: big"), ("zzz", "there are: big, bad")]
)
def test_an_unknown_profile_names_those_that_exist(profile: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(PROFILES, profile=profile)


def test_set_reaches_workloads_by_name_and_makes_what_is_missing() -> None:
    found = read(
        HEAD + MACHINE.replace("name: m", "name: v1.5 m"),
        sets=[("workloads.v1.5 m.hours", "30h"), ("assumptions.hours_per_month", 720)],
    )
    assert found.workloads[0].hours == 30  # type: ignore[union-attr]
    assert found.assumptions.hours_per_month == 720


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("workloads.m.hors", 5, "--set workloads.m.hors: .*did you mean hours"),
        ("workloads.q.hours", 5, "there is no item 'q'; there are: m"),
        ("workloads.m.hours.x", 5, "is a value and has no keys below it"),
        ("", 5, "the path is empty"),
        ("workloads.m.hours", "soon", "--set workloads.m.hours: .*not a duration"),
    ],
)
def test_a_fault_of_set_names_set(path: str, value: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read(HEAD + MACHINE, sets=[(path, value)])


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("power: 10kW, pue: 1.3", "needs a price of electricity"),
        ("power: 10kW, tariff: cfe-gdmth-bajio", "needs the pue"),
        ("tariff: cfe-gdmth-bajio", "needs power"),
        ("power: 10kW, pue: 1, tariff: a, electricity_price: 2MXN", "not both"),
        ("power: 10, pue: 1, electricity_price: 2MXN", "not an electric power"),
    ],
)
def test_own_hardware_says_what_it_lacks(keys: str, words: str) -> None:
    row = f"  - {{name: o, kind: owned, months: 12, purchase: 5USD, {keys}}}\n"
    assert words in problems(HEAD + row)[0]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("hours: 5", "either cost, or hours and rate"),
        ("hours: 5, rate: 5USD, cost: 5USD", "either cost, or hours and rate"),
        ("cost: 5USD, pays_back: {before: m, after: zz}", "no workload 'zz'"),
        ("cost: 5USD, pays_back: {before: m, after: o}", "no workload 'o'"),
        ("cost: 5USD, saving_per_run: 1USD, pays_back: {before: m, after: m}", "not both"),
    ],
)
def test_one_off_work_says_what_it_lacks(keys: str, words: str) -> None:
    found = problems(HEAD + MACHINE + f"  - {{name: o, kind: one-off, {keys}}}\n")
    assert any(words in line for line in found)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_refuses_an_unknown_key(kind: str) -> None:
    found = problems(HEAD + f"  - {{name: a, kind: {kind}, nonsense_key: 1}}\n")
    assert any("nonsense_key is not known" in line for line in found)


@pytest.mark.parametrize("data", [None, [], "text", 5])
def test_a_file_that_is_no_mapping_is_no_plan(data: object) -> None:
    with pytest.raises(PlanError, match="plan"):
        read_plan(data, "plan.yaml")
