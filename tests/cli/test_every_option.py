"""No dead options: every option of every command changes some output.

Each option is added to a command line that works, and what comes back (status, stdout, stderr or a
written file) must differ. Commands that talk to sources have their options tested in tests/sources.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from costcalc.cli import registry
from costcalc.cli.commands import load
from costcalc.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
ELSEWHERE = {"prices update", "prices export", "fx update"}

RUN = ["--model", "llama-3.1-8b", "--tokens", "15B", "--on", "h100:8"]
LOAD = ["--model", "llama-3.1-8b", "--on", "h100:1", "--rps", "2"]
PLAN = str(EXAMPLES / "fine-tune.yaml")

# the same in every command; `--lang` and `--catalog` are given a value that must be refused
COMMON = {
    "--format": ["--format", "json"],
    "--output": ["--output", "OUT"],
    "--lang": ["--lang", "fr"],
    "--catalog": ["--catalog", "/nonexistent"],
    "--as-of": ["--as-of", "2026-08-20"],
}
MONEY = {
    "--currency": ["--currency", "mxn"],
    "--fx": ["--fx", "20"],
    "--iva": ["--iva", "add"],
    "--iva-rate": ["--iva", "add", "--iva-rate", "8"],
}
PLACE = {
    "--provider": ["--provider", "aws"],
    "--region": ["--region", "us-east-2"],
    "--purchase": ["--purchase", "spot"],
    "--market": ["--market", "hyperscaler"],
    "--residency": ["--residency", "MX"],
}
TRAINING = {
    "--epochs": ["--epochs", "2"],
    "--seq-len": ["--seq-len", "8192"],
    "--global-batch": ["--global-batch", "1M"],
    "--method": ["--method", "lora"],
    "--lora-rank": ["--method", "lora", "--lora-rank", "256"],
    "--precision": ["--precision", "fp8"],
    "--tuning": ["--tuning", "tuned"],
    "--whole-run": ["--whole-run"],
}
SERVICE = {
    "--input-tokens": ["--input-tokens", "5000"],
    "--output-tokens": ["--output-tokens", "900"],
    "--rps": ["--rps", "30"],
    "--ttft": ["--ttft", "900ms"],
    "--tpot": ["--tpot", "40ms"],
    "--average-load": ["--average-load", "40%"],
    "--arrival-cv": ["--arrival-cv", "3"],
    "--replicas": ["--replicas", "7"],
    "--engine": ["--engine", "tensorrt-llm"],
    "--precision": ["--precision", "fp8"],
    "--kv-precision": ["--kv-precision", "fp8"],
    "--prefix-hit": ["--prefix-hit", "50%"],
    "--draft-tokens": ["--draft-tokens", "3", "--draft-acceptance", "0.7"],
    "--draft-acceptance": ["--draft-tokens", "3", "--draft-acceptance", "0.9"],
    "--draft-size": ["--draft-tokens", "3", "--draft-acceptance", "0.7", "--draft-size", "20%"],
    "--months": ["--months", "12"],
}
FILES = {"--as": ["--as", "axolotl"], "--set": ["--set", "tokens=1B"]}

BASE: dict[str, list[str]] = {
    "train": RUN,
    "serve": LOAD,
    "quote": [PLAN],
    "check": [PLAN],
    "diff": [PLAN, PLAN],
    "compare train": ["--model", "llama-3.1-8b", "--tokens", "15B"],
    "compare serve": ["--model", "llama-3.1-8b", "--rps", "2"],
    "sweep": RUN,
    "read": ["CONFIG"],
    "accuracy": ["--training", "RUNS"],
    "claims": [],
    "prices list": [],
    "prices show": ["p5.48xlarge"],
    "prices history": ["h100"],
    "prices lock": ["--output", "LOCK"],
    "accelerators list": [],
    "accelerators show": ["h100"],
    "models list": [],
    "models show": ["llama-3.1-8b"],
    "regions list": [],
    "regions show": ["us-east-1"],
    "fx show": [],
    "schema": ["quote"],
}
VARIANTS: dict[str, dict[str, list[str]]] = {
    "train": {
        **TRAINING,
        **PLACE,
        **MONEY,
        **FILES,
        "--model": ["--model", "llama-3.1-70b"],
        "--on": ["--on", "h200:8"],
        "--tokens": ["--tokens", "16B"],
        "--programme-factor": ["--programme-factor", "1.5"],
        "--dataset": ["--region", "queretaro", "--nearest", "--dataset", "5TB"],
        "--checkpoints": ["--provider", "aws", "--checkpoints", "5"],
        "--checkpoint-months": [
            "--provider",
            "aws",
            "--checkpoints",
            "5",
            "--checkpoint-months",
            "3",
        ],
        "--egress": ["--provider", "aws", "--egress", "5TB"],
        "--support": ["--provider", "aws", "--support", "aws=3%"],
        "--credit": ["--credit", "100USD"],
        "--nearest": ["--region", "queretaro", "--nearest"],
        "--assume": ["--on", "jalapeno:8", "--assume", "usd_per_hour=3,tokens_per_second=900"],
        "--discount": ["--provider", "aws", "--discount", "aws=12%"],
        "--budget": ["--budget", "5USD"],
        "--explain": ["--explain"],
        "--sensitivity": ["--sensitivity"],
        "--chart": ["--chart", "CHART"],
        "--calibration": ["--calibration", "/nonexistent"],
    },
    "serve": {
        **SERVICE,
        **PLACE,
        **MONEY,
        **FILES,
        "--model": ["--model", "qwen3-8b"],
        "--on": ["--on", "h200:1"],
        "--concurrency": ["--concurrency", "16"],
        "--storage": ["--provider", "aws", "--storage", "5TB"],
        "--egress": ["--provider", "aws", "--egress", "5TB"],
        "--nearest": ["--region", "queretaro", "--nearest"],
        "--assume": ["--on", "jalapeno:8", "--assume", "usd_per_hour=3,tokens_per_second=900"],
        "--versus-api": ["--versus-api", "llama-3.1-8b@groq"],
        "--versus-owned": ["--versus-owned", str(EXAMPLES / "own-hardware.yaml")],
        "--discount": ["--provider", "aws", "--discount", "aws=12%"],
        "--budget": ["--budget", "5USD"],
        "--explain": ["--explain"],
        "--sensitivity": ["--sensitivity"],
        "--chart": ["--chart", "CHART"],
    },
    "quote": {
        **MONEY,
        "--iva": ["--iva", "none"],
        "--set": ["--set", "name=other"],
        "--profile": ["--profile", "nonexistent"],
        "--discount": ["--discount", "aws=12%"],
        "--locked": ["--locked"],
        "--lock-file": ["--locked", "--lock-file", "/nonexistent"],
        "--explain": ["--explain"],
        "--sensitivity": ["--sensitivity"],
        "--chart": ["--chart", "CHART"],
    },
    "check": {
        **MONEY,
        "--iva": ["--iva", "none"],
        "--threshold": ["--threshold", "high"],
        "--baseline": ["--baseline", PLAN, "--max-increase", "10%"],
        "--max-increase": ["--baseline", PLAN, "--max-increase", "20%"],
        "--max-age": ["--max-age", "10d"],
        "--require": ["--require", "listed"],
        "--set": ["--set", "name=other"],
        "--profile": ["--profile", "nonexistent"],
        "--discount": ["--discount", "aws=12%"],
        "--locked": ["--locked"],
        "--lock-file": ["--locked", "--lock-file", "/nonexistent"],
        "--report": ["--report", "json=OUT"],
    },
    "diff": {
        "--set": ["--set", "name=other", "--set", "workloads.0.tokens=1B"],
        "--profile": ["--profile", "nonexistent"],
        "--fx": ["--fx", "20"],
        "--locked": ["--locked"],
        "--lock-file": ["--locked", "--lock-file", "/nonexistent"],
    },
    "compare train": {
        **TRAINING,
        **PLACE,
        **MONEY,
        **FILES,
        "--model": ["--model", "llama-3.1-70b"],
        "--on": ["--on", "h100:8"],
        "--tokens": ["--tokens", "16B"],
        "--rank": ["--rank", "time"],
        "--deadline": ["--deadline", "2d"],
        "--budget": ["--budget", "5000USD"],
        "--max-chips": ["--max-chips", "4"],
        "--software": ["--software", "jax"],
        "--porting-hours": [
            "--software",
            "jax",
            "--porting-hours",
            "300",
            "--porting-rate",
            "50USD",
        ],
        "--porting-rate": [
            "--software",
            "jax",
            "--porting-hours",
            "300",
            "--porting-rate",
            "90USD",
        ],
        "--top": ["--top", "3"],
        "--show-excluded": ["--show-excluded"],
        "--all-regions": ["--all-regions"],
        "--discount": ["--discount", "verda=50%"],
        "--iva": ["--iva", "add", "--format", "json"],
        "--iva-rate": ["--iva", "add", "--iva-rate", "8", "--format", "json"],
        "--plot": ["--plot"],
        "--chart": ["--chart", "CHART"],
        "--calibration": ["--calibration", "/nonexistent"],
    },
    "compare serve": {
        **SERVICE,
        **PLACE,
        **MONEY,
        **FILES,
        "--model": ["--model", "qwen3-8b"],
        "--on": ["--on", "h200:1"],
        "--concurrency": ["--concurrency", "16"],
        "--rank": ["--rank", "time"],
        "--budget": ["--budget", "500USD"],
        "--top": ["--top", "3"],
        "--show-excluded": ["--show-excluded"],
        "--all-regions": ["--all-regions"],
        "--discount": ["--discount", "verda=50%"],
        "--iva": ["--iva", "add", "--format", "json"],
        "--iva-rate": ["--iva", "add", "--iva-rate", "8", "--format", "json"],
        "--plot": ["--plot"],
        "--chart": ["--chart", "CHART"],
    },
    "sweep": {
        **TRAINING,
        **PLACE,
        "--model": ["--model", "llama-3.1-70b"],
        "--on": ["--on", "h100:8..32"],
        "--tokens": ["--tokens", "15B,16B"],
        "--fx": ["--fx", "20"],
        "--discount": ["--provider", "aws", "--discount", "aws=12%"],
        "--calibration": ["--calibration", "/nonexistent"],
        "--format": ["--format", "jsonl"],
    },
    "read": {
        "--as": ["--as", "megatron"],
        "--kind": ["--kind", "serve"],
        "--set": ["--set", "tokens=1B"],
        "--model": ["--model", "llama-3.1-70b"],
        "--on": ["--on", "h100:8"],
        "--tokens": ["--tokens", "1B"],
        "--epochs": ["--epochs", "7"],
        "--seq-len": ["--seq-len", "512"],
        "--global-batch": ["--global-batch", "1M"],
        "--method": ["--method", "qlora"],
        "--lora-rank": ["--method", "lora", "--lora-rank", "128"],
        "--precision": ["--precision", "fp8"],
        "--hours": ["--hours", "10"],
        "--provider": ["--provider", "aws"],
        "--region": ["--region", "us-east-1"],
        "--purchase": ["--purchase", "spot"],
        "--explain": ["--explain"],
    },
    "accuracy": {
        "--training": [],
        "--serving": ["--serving", "RUNS"],
        "--cross-validate": ["--cross-validate", "nonsense"],
        "--calibrate": ["--calibrate", "/nonexistent/out.yaml"],
        "--calibration": ["--calibration", "/nonexistent"],
    },
    "claims": {"--id": ["--id", "tpu-in-queretaro"], "--fx": ["--fx", "20", "--format", "json"]},
    "prices list": {
        "--accelerator": ["--accelerator", "h100"],
        "--instance-type": ["--instance-type", "p5.48xlarge"],
        "--provider": ["--provider", "aws"],
        "--region": ["--region", "queretaro"],
        "--purchase": ["--purchase", "spot"],
        "--market": ["--market", "neocloud"],
        "--sort": ["--sort", "date"],
        "--descending": ["--descending"],
        "--limit": ["--limit", "3"],
    },
    "prices show": {
        "--region": ["--region", "us-east-1"],
        "--as-of": ["--as-of", "2025-06-01"],
    },
    "prices history": {
        "--provider": ["--provider", "aws"],
        "--region": ["--region", "us-east-1"],
        "--purchase": ["--purchase", "spot"],
        "--plot": ["--plot"],
    },
    "prices lock": {"--check": ["--check"], "--output": []},
    "accelerators list": {"--vendor": ["--vendor", "google"]},
    "accelerators show": {},
    "models list": {"--match": ["--match", "gemma"]},
    "models show": {"--seq-len": ["--seq-len", "65536"]},
    "regions list": {
        "--as-of": ["--as-of", "2020-01-01"],
        "--country": ["--country", "MX"],
        "--accelerator": ["--accelerator", "h200"],
        "--provider": ["--provider", "azure"],
    },
    "regions show": {
        "--accelerator": ["--accelerator", "h100"],
        "--as-of": ["--as-of", "2020-01-01"],
    },
    "fx show": {"--fx": ["--fx", "20"]},
    "schema": {},
}
CASES = [
    (path, option)
    for path in registry.COMMANDS
    if path not in ELSEWHERE
    for parameter in load(path).params
    if parameter.param_type_name == "option"
    for option in parameter.opts[:1]
]

AXOLOTL = """\
base_model: NousResearch/Meta-Llama-3.1-8B
sequence_len: 4096
sample_packing: true
micro_batch_size: 2
gradient_accumulation_steps: 4
num_epochs: 1
adapter: lora
lora_r: 32
bf16: true
datasets:
  - path: a/b
    type: alpaca
"""


def fill(words: list[str], folder: Path) -> list[str]:
    """The placeholders of a command line as files of the test's own folder."""
    files = {
        "OUT": folder / "out.txt",
        "json=OUT": f"json={folder / 'out.json'}",
        "LOCK": folder / "costcalc.lock",
        "CHART": folder / "chart.svg",
        "CONFIG": folder / "axolotl.yaml",
        "RUNS": folder / "runs.csv",
    }
    return [str(files.get(word, word)) for word in words]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> Path:
    monkeypatch.setenv("COSTCALC_DATA_DIR", str(data_dir))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083200")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "axolotl.yaml").write_text(AXOLOTL, encoding="utf-8")
    lines = (ROOT / "pricing" / "runs" / "training.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "runs.csv").write_text("\n".join(lines[:12]) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("path", "option"), CASES, ids=lambda value: str(value))
def test_every_option_changes_some_output(
    path: str, option: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def outcome(words: list[str]) -> tuple[object, ...]:
        before = set(folder.iterdir())
        status = run([*path.split(" "), *fill(words, folder)])
        printed = capsys.readouterr()
        created = sorted(set(folder.iterdir()) - before)
        files = tuple((file.name, file.read_bytes()) for file in created)
        for file in created:
            file.unlink()
        return status, printed.out, printed.err, files

    base = BASE[path]
    extra = {**COMMON, **VARIANTS[path]}[option]
    if option in base:
        # required: without it the command asks for it
        position = base.index(option)
        without = base[:position] + base[position + 2 :]
        assert outcome(without) != outcome(base)
        if not extra:
            return
    if "--format" in extra and option != "--format":
        base = [*base, "--format", "json"]
    assert outcome([*base, *extra]) != outcome(base)


def test_no_option_is_listed_that_does_not_exist() -> None:
    known = {(path, option) for path, option in CASES}
    listed = {(path, option) for path, options in VARIANTS.items() for option in options}
    assert listed <= known
    assert json.dumps(sorted(BASE)) == json.dumps(sorted(set(registry.COMMANDS) - ELSEWHERE))
