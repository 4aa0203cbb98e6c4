"""`costcalc read`, and other tools' files where a plan or a run's options would go."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from command import Run
from readers.expected import FILES


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with the test files, under short names."""
    for path in FILES.iterdir():
        shutil.copy(path, tmp_path / path.name)
    return tmp_path


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return name


TASK = "name: task\nresources: {cloud: aws, accelerators: H100:8}\nnum_nodes: 1\n"


class TestRead:
    def test_yaml_on_stdout_and_the_rest_on_stderr(self, costcalc: Run, files: Path) -> None:
        done = costcalc("read", "axolotl_qlora-fsdp-70b.yaml", cwd=files)
        assert done.status == 0
        plan = yaml.safe_load(done.out)
        assert plan["workloads"][0]["model"] == "llama-3-70b"
        assert "# on: " in done.out
        assert "warning [read_model_taken_as]" in done.err
        assert "open: tokens" in done.err

    def test_json_and_explained_json(self, costcalc: Run, files: Path) -> None:
        name = "maxtext_llama3.1-8b_run.yml"
        done = costcalc("read", name, "--format", "json", cwd=files)
        plan = json.loads(done.out)
        assert plan["workloads"][0]["on"] == "v5p-128"
        done = costcalc("read", name, "--format", "json", "--explain", cwd=files)
        record = json.loads(done.out)
        assert record["schema"] == "costcalc.reading/1"
        assert record["plan"] == plan
        steps = next(fact for fact in record["facts"] if fact["name"] == "steps")
        assert steps == {
            "name": "steps",
            "value": 30,
            "key": "steps",
            "file": name,
            "line": 25,
            "origin": "file",
        }
        assert record["blanks"] == []

    def test_explain_shows_fact_and_key(self, costcalc: Run, files: Path) -> None:
        done = costcalc("read", "axolotl_fft-8b.yaml", "--explain", cwd=files)
        assert "#   seq_len = 8192  <- sequence_len (axolotl_fft-8b.yaml:6)" in done.out
        assert yaml.safe_load(done.out)["version"] == 1

    def test_options_and_set_fill_blanks(self, costcalc: Run, files: Path) -> None:
        done = costcalc(
            "read",
            "axolotl_fft-8b.yaml",
            "--on",
            "h100:8",
            "--set",
            "tokens=20M",
            "--set",
            "seq-len=4k",
            cwd=files,
        )
        workload = yaml.safe_load(done.out)["workloads"][0]
        assert (workload["on"], workload["tokens"]) == ("h100:8", 20_000_000)
        assert workload["seq_len"] == 4000
        assert done.err == ""

    def test_output_file(self, costcalc: Run, files: Path) -> None:
        done = costcalc("read", "skypilot_tpu-v6e.yaml", "-o", "plan.yaml", cwd=files)
        assert (done.status, done.out) == (0, "")
        assert yaml.safe_load((files / "plan.yaml").read_text())["workloads"][0]["on"] == "v6e-8"

    def test_spanish(self, costcalc: Run, files: Path) -> None:
        done = costcalc("read", "axolotl_fft-8b.yaml", "--lang", "es", cwd=files)
        assert "# tokens: tokens de una pasada por tatsu-lab/alpaca" in done.out
        assert "abierto: on" in done.err

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("nothing.yaml",), "there is no such file"),
            ((".",), "folder"),
            (("SOURCES.md",), "SOURCES.md"),
            (("axolotl_fft-8b.yaml", "--as", "axolot"), "nearest"),
            (("axolotl_fft-8b.yaml", "--as", "skypilot"), "SkyPilot"),
            (("axolotl_fft-8b.yaml", "--set", "tokens"), "tokens=1B"),
            (("axolotl_fft-8b.yaml", "--set", "tokenz=1"), "tokens"),
            (("axolotl_fft-8b.yaml", "--kind", "trian"), "train"),
            (("axolotl_fft-8b.yaml", "--format", "xml"), "yaml"),
            (("axolotl_fft-8b.yaml", "--on", "h101:8"), "h100"),
            ((), "FILE"),
        ],
    )
    def test_faults_are_one_sentence_and_exit_2(
        self, costcalc: Run, files: Path, arguments: tuple[str, ...], words: str
    ) -> None:
        done = costcalc("read", *arguments, cwd=files)
        assert done.status == 2
        assert done.out == ""
        assert words in done.err
        assert "Traceback" not in done.err
        assert len(done.err.splitlines()) == 1

    def test_an_ambiguous_file_exits_2_naming_both(self, costcalc: Run, files: Path) -> None:
        text = "model_name_or_path: a/b\nper_device_train_batch_size: 1\nnum_train_epochs: 1\n"
        done = costcalc("read", write(files, "both.yaml", text), cwd=files)
        assert done.status == 2
        assert "trl" in done.err
        assert "llamafactory" in done.err
        assert costcalc("read", "both.yaml", "--as", "trl", cwd=files).status == 0

    def test_what_was_read_can_be_quoted(self, costcalc: Run, files: Path) -> None:
        done = costcalc("read", "maxtext_llama3.1-8b_run.yml", "-o", "plan.yaml", cwd=files)
        assert done.status == 0
        from_plan = costcalc("quote", "plan.yaml", "--format", "json", cwd=files)
        direct = costcalc("quote", "maxtext_llama3.1-8b_run.yml", "--format", "json", cwd=files)
        assert from_plan.status == direct.status == 0
        assert json.loads(from_plan.out)["totals"] == json.loads(direct.out)["totals"]

    def test_a_model_in_a_file_can_be_quoted_from_the_printed_plan(
        self, costcalc: Run, files: Path
    ) -> None:
        text = (
            "--num-layers 10\n--hidden-size 1024\n--num-attention-heads 16\n--vocab-size 50257\n"
            "--seq-length 2048\n--global-batch-size 64\n--train-iters 100000\n--bf16\n"
        )
        name = write(files, "small.args", text)
        done = costcalc("read", name, "--on", "h100:8", "-o", "plan.yaml", cwd=files)
        assert done.status == 0
        assert f"model: {name}" in (files / "plan.yaml").read_text()
        quoted = costcalc("quote", "plan.yaml", "--format", "json", cwd=files)
        assert quoted.status == 0, quoted.err
        train = costcalc(
            "train", "--model", name, "--on", "h100:8", "--tokens", "13107200000", "--seq-len",
            "2048", "--global-batch", "131072", "--format", "json", cwd=files,
        )  # fmt: skip
        assert json.loads(train.out)["totals"]["usd"] == json.loads(quoted.out)["totals"]["usd"]


class TestDirectly:
    def test_train_takes_a_config(self, costcalc: Run, files: Path) -> None:
        done = costcalc("train", "maxtext_llama3.1-8b_run.yml", "--format", "json", cwd=files)
        assert done.status == 0, done.err
        inputs = json.loads(done.out)["workloads"][0]["inputs"]
        assert inputs["model"] == "llama-3.1-8b"
        assert inputs["tokens"] == 30 * 256 * 8192
        assert inputs["global_batch_tokens"] == 256 * 8192

    def test_a_typed_option_stands_above_the_file(self, costcalc: Run, files: Path) -> None:
        done = costcalc(
            "train", "maxtext_llama3.1-8b_run.yml", "--tokens", "1B", "--on", "v6e-256",
            "--format", "json", cwd=files,
        )  # fmt: skip
        record = json.loads(done.out)["workloads"][0]
        assert record["inputs"]["tokens"] == 10**9
        assert record["inputs"]["global_batch_tokens"] == 256 * 4 * 8192

    def test_blanks_exit_2_and_are_named(self, costcalc: Run, files: Path) -> None:
        done = costcalc("train", "axolotl_fft-8b.yaml", cwd=files)
        assert (done.status, done.out) == (2, "")
        assert "on: " in done.err
        assert "tokens: " in done.err
        filled = costcalc(
            "train", "axolotl_fft-8b.yaml", "--on", "h100:8", "--tokens", "20M", cwd=files
        )
        assert filled.status == 0, filled.err

    def test_notes_of_the_reading_are_warnings_of_the_quote(
        self, costcalc: Run, files: Path
    ) -> None:
        done = costcalc(
            "train", "axolotl_qlora-fsdp-70b.yaml", "--on", "h100:8", "--tokens", "20M",
            "--format", "json", cwd=files,
        )  # fmt: skip
        codes = [warning["code"] for warning in json.loads(done.out)["warnings"]]
        assert "read_model_taken_as" in codes
        assert done.err.count("read_model_taken_as") == 1

    def test_files_are_needed_for_their_options(self, costcalc: Run) -> None:
        done = costcalc("train", "--set", "tokens=1B", "--model", "llama-3.1-8b", "--on", "h100:8")
        assert done.status == 2
        assert "--set" in done.err

    def test_train_without_files_is_as_before(self, costcalc: Run) -> None:
        done = costcalc("train", "--model", "llama-3.1-8b")
        assert done.status == 2
        assert "--on" in done.err

    def test_compare_takes_the_run_and_not_its_machines(self, costcalc: Run, files: Path) -> None:
        done = costcalc(
            "compare", "train", "maxtext_llama3.1-8b_run.yml", "--top", "3", "--format", "json",
            cwd=files,
        )  # fmt: skip
        assert done.status == 0, done.err
        record = json.loads(done.out)
        assert record["workloads"][0]["inputs"]["tokens"] == 30 * 256 * 8192
        assert {offer["accelerator"] for offer in record["offers"]} != {"tpu-v5p"}

    def test_serve_takes_a_deployment(self, costcalc: Run, files: Path) -> None:
        task = "resources: {accelerators: H100:1, cloud: aws}\nservice: {replicas: 3}\n"
        write(files, "svc.yaml", task)
        asked = ("--rps", "2", "--input-tokens", "512", "--output-tokens", "128")
        model = ("--model", "llama-3.1-8b")
        done = costcalc("serve", "svc.yaml", *model, *asked, "--format", "json", cwd=files)
        assert done.status == 0, done.err
        plain = costcalc(
            "serve", *model, "--on", "h100:1", "--provider", "aws", "--replicas", "3", *asked,
            "--format", "json",
        )  # fmt: skip
        assert json.loads(done.out)["totals"]["usd"] == json.loads(plain.out)["totals"]["usd"]
        typed = costcalc(
            "serve", "svc.yaml", *model, *asked, "--replicas", "4", "--format", "json", cwd=files
        )
        assert json.loads(typed.out)["totals"]["usd"] > json.loads(plain.out)["totals"]["usd"]

    def test_compare_serve_takes_the_model_only(self, costcalc: Run, files: Path) -> None:
        write(files, "svc.yaml", "resources: {accelerators: A100:1, cloud: aws}\n"
                                 "service: {replicas: 3}\n")  # fmt: skip
        asked = ("--rps", "2", "--top", "2", "--format", "json")
        done = costcalc(
            "compare", "serve", "svc.yaml", "--model", "llama-3.1-8b", *asked, cwd=files
        )
        assert done.status == 0, done.err
        plain = costcalc("compare", "serve", "--model", "llama-3.1-8b", *asked)
        assert json.loads(done.out)["offers"] == json.loads(plain.out)["offers"]
        assert "read_accelerator_meaning" not in done.out + done.err

    def test_a_service_in_a_plan(self, costcalc: Run, files: Path) -> None:
        write(files, "svc.yaml", "resources: {accelerators: H100:1}\nservice: {replicas: 3}\n")
        done = costcalc("read", "svc.yaml", "--kind", "serve", "--model", "llama-3.1-8b", cwd=files)
        workload = yaml.safe_load(done.out)["workloads"][0]
        assert (workload["kind"], workload["on"], workload["replicas"]) == ("serve", "h100:1", 3)
        (files / "plan.yaml").write_text(done.out, encoding="utf-8")
        quoted = costcalc("quote", "plan.yaml", "--format", "json", cwd=files)
        assert quoted.status == 0, quoted.err
        assert json.loads(quoted.out)["workloads"][0]["estimate"]["replicas"] == 3

    def test_quote_and_check_take_a_terraform_plan(self, costcalc: Run, files: Path) -> None:
        done = costcalc("quote", "terraform_plan_aws_gpu.json", "--format", "json", cwd=files)
        record = json.loads(done.out)
        offers = {item["name"]: item["offer"] for item in record["workloads"]}
        machine = offers["module.gke.google_container_node_pool.a3"]
        assert (machine["instances"], machine["accelerator_count"]) == (2, 8)
        assert machine["region"] == "us-central1"
        assert offers["module.gke.google_tpu_v2_vm.tpu"]["purchase"] == "spot"
        over = costcalc(
            "check", "terraform_plan_aws_gpu.json", "--set", "budgets.total=1USD", cwd=files
        )
        assert over.status == 3

    def test_two_files_separated_by_a_comma(self, costcalc: Run, files: Path) -> None:
        write(files, "task.yaml", TASK)
        done = costcalc(
            "quote", "axolotl_fft-8b.yaml,task.yaml", "--set", "tokens=20M", "--format", "json",
            cwd=files,
        )  # fmt: skip
        assert done.status == 0, done.err
        assert json.loads(done.out)["workloads"][0]["offer"]["accelerator"] == "h100-sxm"

    def test_a_plan_with_a_fault_is_still_told_as_a_plan(self, costcalc: Run, files: Path) -> None:
        text = "version: 1\nname: x\nworkloads:\n  - {name: a, kind: train, modle: x}\n"
        done = costcalc("quote", write(files, "plan.yaml", text), cwd=files)
        assert done.status == 2
        assert "plan.yaml:4" in done.err
        assert "model" in done.err

    def test_a_file_that_nobody_knows(self, costcalc: Run, files: Path) -> None:
        done = costcalc("quote", write(files, "x.yaml", "a: 1\n"), cwd=files)
        assert done.status == 2
        assert len(done.err.splitlines()) >= 1
        assert "Traceback" not in done.err


class TestDiff:
    """A pull request that changes a config shows its price."""

    def test_doubled_nodes(self, costcalc: Run, files: Path) -> None:
        write(files, "before.yaml", TASK)
        write(files, "after.yaml", TASK.replace("num_nodes: 1", "num_nodes: 2"))
        done = costcalc(
            "diff", "before.yaml", "after.yaml", "--set", "hours=10h", "--format", "json", cwd=files
        )
        assert done.status == 0, done.err
        (row,) = json.loads(done.out)["rows"]
        assert row["cause"] == "usage"
        assert row["after_usd"] == 2 * row["before_usd"]
        assert row["change_pct"] == 100

    def test_a_training_config_under_another_name(self, costcalc: Run, files: Path) -> None:
        text = (files / "axolotl_fft-8b.yaml").read_text()
        write(files, "old/train.yaml", text)
        write(files, "new/other.yaml", text.replace("num_epochs: 1", "num_epochs: 3"))
        done = costcalc(
            "diff", "old/train.yaml", "new/other.yaml", "--set", "on=h100:8", "--set",
            "tokens=500M", "--format", "json", cwd=files,
        )  # fmt: skip
        assert done.status == 0, done.err
        (row,) = json.loads(done.out)["rows"]
        assert (row["workload"], row["cause"]) == ("run", "usage")
        assert row["after_usd"] / row["before_usd"] == pytest.approx(3, rel=0.02)

    def test_set_fills_the_old_side_but_does_not_change_it(
        self, costcalc: Run, files: Path
    ) -> None:
        """`--set` is the change that is looked at; it fills the old side's blanks only."""
        write(files, "task.yaml", TASK)
        done = costcalc(
            "diff", "task.yaml", "task.yaml", "--set", "hours=10h", "--set", "on=h100:16",
            "--format", "json", cwd=files,
        )  # fmt: skip
        (row,) = json.loads(done.out)["rows"]
        assert row["after_usd"] == 2 * row["before_usd"]

    def test_check_against_the_config_of_the_base_branch(self, costcalc: Run, files: Path) -> None:
        write(files, "base/task.yaml", TASK)
        write(files, "task.yaml", TASK.replace("num_nodes: 1", "num_nodes: 2"))
        arguments = ("check", "task.yaml", "--baseline", "base/task.yaml", "--set", "hours=10h")
        over = costcalc(*arguments, "--max-increase", "50%", cwd=files)
        assert over.status == 3, over.err
        within = costcalc(*arguments, "--max-increase", "150%", cwd=files)
        assert within.status == 0, within.err

    def test_a_config_against_a_stored_quote(self, costcalc: Run, files: Path) -> None:
        write(files, "task.yaml", TASK)
        arguments = ("quote", "task.yaml", "--set", "hours=10h", "--format", "json")
        (files / "stored.json").write_text(costcalc(*arguments, cwd=files).out)
        done = costcalc(
            "diff", "stored.json", "task.yaml", "--set", "hours=20h", "--format", "json", cwd=files
        )
        (row,) = json.loads(done.out)["rows"]
        assert row["change_pct"] == 100
