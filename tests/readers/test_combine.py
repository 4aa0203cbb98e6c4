"""Files of one run together, what is set by hand, and what contradicts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from readers.expected import FILES

from costcalc import readers
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.readers.draft import Draft


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Write files; their paths."""

    def files(**texts: str) -> list[Path]:
        paths = []
        for name, text in texts.items():
            path = tmp_path / name.replace("__", ".")
            path.write_text(text, encoding="utf-8")
            paths.append(path)
        return paths

    return files


def read(catalog: Catalog, *names: str | Path, **options: Any) -> Draft:
    return readers.read([FILES / name for name in names], catalog=catalog, **options)


def reasons(draft: Draft) -> dict[str, str]:
    return {blank.key: blank.reason.removeprefix("readers.") for _, blank in draft.blanks}


TASK = "resources: {accelerators: H100:8}\nnum_nodes: 2\n"


def test_a_training_config_and_the_task_that_launches_it(catalog: Catalog, write: Any) -> None:
    (task,) = write(task__yaml=TASK)
    draft = read(catalog, "axolotl_fft-8b.yaml", task, sets={"tokens": "20M"})
    (workload,) = draft.workloads
    assert workload.values == {
        "model": "llama-3.1-8b",
        "on": "h100:16",
        "tokens": 20_000_000,
        "epochs": 1,
        "seq_len": 8192,
        # 16 GPUs, one sequence each, eight accumulation steps
        "global_batch": 16 * 1 * 8 * 8192,
        "method": "full",
        "precision": "bf16",
    }
    assert not draft.blanks
    batch = next(fact for fact in draft.facts if fact.name == "batch_sequences")
    assert batch.key == "micro_batch_size x gradient_accumulation_steps x 16 ranks"


def test_maxtext_run_and_skypilot_task(catalog: Catalog, write: Any) -> None:
    (task,) = write(
        task__yaml="resources: {accelerators: tpu-v5p-128, use_spot: true, infra: gcp/us-east5}\n"
    )
    draft = read(catalog, "maxtext_llama3.1-8b_run.yml", task)
    values = draft.workloads[0].values
    assert (values["on"], values["purchase"], values["region"]) == ("v5p-128", "spot", "us-east5")
    assert values["tokens"] == 30 * 256 * 8192
    assert not draft.blanks


def test_steps_need_the_chips_of_another_file(catalog: Catalog, write: Any) -> None:
    (task,) = write(task__yaml=TASK)
    draft = read(catalog, "torchtitan_llama3_8b.toml", task)
    values = draft.workloads[0].values
    assert values["tokens"] == 1000 * 16 * 1 * 8192
    assert values["global_batch"] == 16 * 8192
    assert not draft.blanks


def test_tensor_parallel_ranks_share_a_sequence(catalog: Catalog, write: Any) -> None:
    (task,) = write(task__yaml=TASK)
    draft = read(catalog, "torchtitan_llama3_405b.toml", task)  # 8-way tensor parallel
    assert draft.workloads[0].values["global_batch"] == 2 * 2 * 8192
    draft = read(catalog, "torchtitan_llama3_405b.toml", sets={"on": "h100:12"})
    assert "global_batch" not in draft.workloads[0].values
    assert "read_layout_does_not_fit" in {note.code for note in draft.notes}


def test_accelerate_says_how_many_and_a_launcher_agrees(catalog: Catalog, write: Any) -> None:
    trl, launch = "trl_zephyr-7b-sft.yaml", "accelerate_fsdp-multi-node.yaml"
    alone = read(catalog, trl, launch)
    assert reasons(alone)["on"] == "open_which_accelerator"
    assert alone.workloads[0].values["global_batch"] == 16 * 16 * 2048
    (task,) = write(task__yaml=TASK)
    together = read(catalog, trl, launch, task)
    assert together.workloads[0].values["on"] == "h100:16"
    assert "on" not in reasons(together)
    (other,) = write(task__yaml="resources: {accelerators: H100:8}\n")
    clash = read(catalog, trl, launch, other)
    assert reasons(clash)["on"] == "open_conflict"
    assert "read_conflict" in {note.code for note in clash.notes}


def test_two_training_configs_that_contradict(catalog: Catalog) -> None:
    draft = read(catalog, "axolotl_fft-8b.yaml", "trl_zephyr-7b-sft.yaml")
    found = reasons(draft)
    for key in ("model", "seq_len", "global_batch"):
        assert found[key] == "open_conflict"
    with pytest.raises(InputError) as caught:
        draft.require_complete()
    message = caught.value.message("es")
    assert "sequence_len" in message
    assert "max_seq_length" in message
    assert "8192" in message
    assert "2048" in message


def test_what_is_set_settles_a_conflict(catalog: Catalog) -> None:
    draft = read(
        catalog,
        "axolotl_fft-8b.yaml",
        "trl_zephyr-7b-sft.yaml",
        sets={
            "model": "mistral-7b",
            "seq_len": "4k",
            "global_batch": "1Mi",
            "on": "h100:8",
            "tokens": "1B",
        },
    )
    assert not draft.blanks
    values = draft.workloads[0].values
    assert (values["seq_len"], values["global_batch"]) == (4000, 2**20)


def test_a_config_json_and_a_name_of_the_same_shape_agree(catalog: Catalog) -> None:
    draft = read(catalog, "hf_llama-3.1-8b.config.json", "axolotl_fft-8b.yaml")
    assert "model" not in reasons(draft)
    other = read(catalog, "hf_mixtral-8x7b.config.json", "axolotl_fft-8b.yaml")
    assert reasons(other)["model"] == "open_conflict"


BASE = "base_config: ''\nper_device_batch_size: 12.0\nmax_target_length: 2048\nsteps: 150_001\n"
BASE += "dtype: bfloat16\nquantization: ''\nmodel_name: default\nremat_policy: full\n"


def test_maxtext_base_yml_gives_what_the_run_leaves_out(catalog: Catalog, write: Any) -> None:
    run, base, model = write(
        run__yml="base_config: base.yml\nmodel_name: llama3.1-8b\nsteps: 10\n"
        "compile_topology: v6e-8\n",
        base__yml=BASE,
        **{
            "llama3.1-8b__yml": "base_emb_dim: 4096\nbase_num_query_heads: 32\n"
            "base_num_kv_heads: 8\nbase_num_decoder_layers: 32\nbase_mlp_dim: 14336\n"
            "head_dim: 128\nvocab_size: 128256\n"
        },
    )
    for order in ([run, base, model], [model, base, run]):
        draft = readers.read(order, catalog=catalog)
        values = draft.workloads[0].values
        assert values["seq_len"] == 2048
        assert values["global_batch"] == 8 * 12 * 2048
        assert values["tokens"] == 10 * 8 * 12 * 2048
        assert values["precision"] == "bf16"
        assert values["model"] == "llama-3.1-8b"
        assert not draft.blanks


@pytest.mark.parametrize(
    ("topology", "per_device", "devices"),
    [
        ("v5p-128", "4", 64),  # one megacore device per chip
        ("tpu7x-128", "4", 128),  # two devices per chip
        ("v6e-256", "0.5", 256),  # a fraction of a sequence per device
        ("v5e-16", "1.5", 16),
    ],
)
def test_maxtext_counts_jax_devices(
    catalog: Catalog, write: Any, topology: str, per_device: str, devices: int
) -> None:
    (run,) = write(
        run__yml=f"model_name: llama3.1-8b\ncompile_topology: {topology}\n"
        f"per_device_batch_size: {per_device}\nmax_target_length: 1024\nsteps: 7\n"
        "gradient_accumulation_steps: 3\ndtype: bfloat16\n"
    )
    values = readers.read([run], catalog=catalog).workloads[0].values
    batch = int(devices * float(per_device)) * 3 * 1024
    assert values["global_batch"] == batch
    assert values["tokens"] == 7 * batch


def test_maxtext_slices_and_scaled_dimensions(catalog: Catalog, write: Any) -> None:
    (run,) = write(
        run__yml="base_emb_dim: 2048\nbase_num_query_heads: 16\nbase_num_kv_heads: 16\n"
        "base_mlp_dim: 7168\nbase_num_decoder_layers: 16\nhead_dim: 128\nvocab_size: 32_000\n"
        "global_parameter_scale: 8\ncompile_topology: v5p-8\ncompile_topology_num_slices: 4\n"
        "per_device_batch_size: 1\nmax_target_length: 2048\nsteps: 1\ndtype: bfloat16\n"
    )
    draft = readers.read([run], catalog=catalog)
    assert draft.workloads[0].values["on"] == "v5p-8:4"
    assert draft.workloads[0].values["global_batch"] == 16 * 2048
    (architecture,) = draft.models.values()
    # a scale of 8 = 2^3 doubles width, heads, MLP and depth
    assert (architecture.hidden, architecture.layers) == (4096, 32)
    assert architecture.dense_ffn == 14336
    assert architecture.attention[0].heads == 32
    assert draft.workloads[0].values["model"] == str(run)


def test_a_model_that_only_the_file_describes_is_quoted(catalog: Catalog, write: Any) -> None:
    (run,) = write(
        run__args="--num-layers 10\n--hidden-size 1024\n--num-attention-heads 16\n"
        "--vocab-size 50257\n--seq-length 2048\n--global-batch-size 64\n--train-iters 100\n"
        "--bf16\n--nproc-per-node 8\n--nnodes 1\n"
    )
    draft = readers.read([run], catalog=catalog, sets={"accelerator": "h100"})
    assert not draft.blanks
    name = draft.workloads[0].values["model"]
    architecture = catalog.with_models(draft.models).model(name)
    # plain MLP of 4 x hidden, tied embeddings: Megatron's defaults
    assert architecture.mlp_matrices == 2
    assert architecture.dense_ffn == 4096
    assert architecture.params_total() == 50257 * 1024 + 10 * (4 * 1024**2 + 2 * 1024 * 4096)
    with pytest.raises(InputError):
        catalog.model("no-such-model")


class TestSets:
    def test_accelerator_completes_a_count(self, catalog: Catalog) -> None:
        draft = read(catalog, "k8s_oke_mi300x_job.yaml", sets={"accelerator": "mi300x"})
        assert draft.workloads[0].values["on"] == "mi300x:24"

    def test_chips_complete_a_name(self, catalog: Catalog, write: Any) -> None:
        (file,) = write(
            d__yaml="apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec: {template: "
            "{spec: {nodeSelector: {cloud.google.com/gke-accelerator: nvidia-l4}, containers: "
            "[{resources: {limits: {nvidia.com/gpu: 1}}}]}}}\n"
        )
        open_ = readers.read([file], catalog=catalog)
        assert reasons(open_)["on"] == "open_how_many"
        filled = readers.read([file], catalog=catalog, sets={"chips": 5})
        assert filled.workloads[0].values["on"] == "l4:5"

    def test_one_workload_of_several(self, catalog: Catalog) -> None:
        name = "terraform_plan_aws_gpu.json"
        draft = read(catalog, name, sets={"hours": 10, "module.gke.google_tpu_v2_vm.tpu.hours": 20})
        assert [w.values["hours"] for w in draft.workloads] == [10, 10, 20]

    def test_on_replaces_what_the_file_says(self, catalog: Catalog) -> None:
        draft = read(catalog, "maxtext_llama3.1-8b_run.yml", sets={"on": "v6e-256"})
        assert draft.workloads[0].values["global_batch"] == 256 * 4 * 8192

    def test_steps_and_batches(self, catalog: Catalog) -> None:
        draft = read(
            catalog, "megatron_llama3_8b_fp8.args", sets={"steps": 10, "accelerator": "h200"}
        )
        assert draft.workloads[0].values["tokens"] == 10 * 128 * 8192
        draft = read(
            catalog,
            "axolotl_fft-8b.yaml",
            sets={"on": "h100:8", "steps": 100, "accumulation": 2, "micro_batch": 4},
        )
        assert draft.workloads[0].values["tokens"] == 100 * 8 * 2 * 4 * 8192

    @pytest.mark.parametrize(
        ("sets", "key"),
        [
            ({"hourz": 1}, "readers.no_set_key"),
            ({"tokens": "many"}, "units.number"),
            ({"on": "no-such-chip:8"}, "catalog.no_accelerator"),
            ({"on": "h100"}, "catalog.hardware_count"),
            ({"seq_len": 0}, "units.count_range"),
        ],
    )
    def test_bad_values(self, catalog: Catalog, sets: dict[str, Any], key: str) -> None:
        with pytest.raises(InputError) as caught:
            read(catalog, "axolotl_fft-8b.yaml", sets=sets)
        assert caught.value.key == key


def test_two_names_for_one_length_must_agree(catalog: Catalog, write: Any) -> None:
    text = "model_name_or_path: mistralai/Mistral-7B-v0.1\nper_device_train_batch_size: 1\n"
    (file,) = write(a__yaml=text + "max_length: 1024\nmax_seq_length: 1024\nbf16: true\n")
    assert readers.read([file], catalog=catalog).workloads[0].values["seq_len"] == 1024
    (file,) = write(a__yaml=text + "max_length: 1024\nmax_seq_length: 2048\n")
    with pytest.raises(InputError) as caught:
        readers.read([file], catalog=catalog)
    assert caught.value.key == "readers.two_values"


def test_defaults_of_a_tool_are_marked_as_such(catalog: Catalog, write: Any) -> None:
    (file,) = write(
        a__yaml="model_name_or_path: mistralai/Mistral-7B-v0.1\nmax_length: 512\nbf16: true\n"
        "per_device_train_batch_size: 1\n"
    )
    draft = readers.read([file], catalog=catalog)
    epochs = next(fact for fact in draft.facts if fact.name == "epochs")
    assert (epochs.value, epochs.origin, epochs.key) == (3, "default", "num_train_epochs")
    assert "default" in draft.yaml("en", explain=True)


def test_max_steps_win_over_epochs_and_bound_the_tokens(catalog: Catalog, write: Any) -> None:
    (file,) = write(
        a__yaml="base_model: mistralai/Mistral-7B-v0.1\nsequence_len: 1000\nmax_steps: 50\n"
        "num_epochs: 9\nmicro_batch_size: 2\nbf16: yes\nsample_packing: off\n"
    )
    draft = readers.read([file], catalog=catalog, sets={"on": "h100:8"})
    values = draft.workloads[0].values
    assert values["tokens"] == 50 * 16 * 1000
    assert "epochs" not in values
    assert values["precision"] == "bf16"  # `yes` as YAML 1.1 tools read it
    assert "read_tokens_at_most" in {note.code for note in draft.notes}


def test_no_precision_in_a_config_stays_open(catalog: Catalog, write: Any) -> None:
    (file,) = write(
        a__yaml="base_model: mistralai/Mistral-7B-v0.1\nsequence_len: 1000\nnum_epochs: 1\n"
    )
    assert "precision" in reasons(readers.read([file], catalog=catalog))


@pytest.mark.parametrize(
    ("extra", "method"),
    [
        ("adapter: lora\n", "lora"),
        ("adapter: qlora\nload_in_4bit: true\n", "qlora"),
        ("adapter: lora\nload_in_4bit: true\n", "qlora"),
        ("adapter:\n", "full"),
        ("", "full"),
        ("adapter: llama-adapter\n", None),
    ],
)
def test_axolotl_adapters(catalog: Catalog, write: Any, extra: str, method: str | None) -> None:
    text = "base_model: mistralai/Mistral-7B-v0.1\nsequence_len: 1000\nnum_epochs: 1\n"
    (file,) = write(a__yaml=text + extra)
    draft = readers.read([file], catalog=catalog)
    assert draft.workloads[0].values.get("method") == method
    assert (reasons(draft).get("method") == "open_method") == (method is None)


@pytest.mark.parametrize(
    ("component", "model", "method"),
    [
        ("torchtune.models.llama3_1.llama3_1_8b", "llama-3.1-8b", "full"),
        ("torchtune.models.llama3.lora_llama3_70b", "llama-3-70b", "lora"),
        ("torchtune.models.llama3_1.qlora_llama3_1_405b", "llama-3.1-405b", "qlora"),
        ("torchtune.models.gemma2.gemma2_27b", "gemma-2-27b", "full"),
        ("torchtune.models.mistral.mistral_7b", "mistral-7b", "full"),
        ("torchtune.models.qwen2_5.qwen2_5_7b_instruct", "qwen2.5-7b", "full"),
        ("torchtune.models.qwen3.lora_qwen3_8b_base", "qwen3-8b", "lora"),
        ("torchtune.models.llama4.llama4_scout_17b_16e", "llama-4-scout", "full"),
    ],
)
def test_torchtune_builders(
    catalog: Catalog, write: Any, component: str, model: str, method: str
) -> None:
    (file,) = write(a__yaml=f"model: {{_component_: {component}}}\nepochs: 1\ndtype: bf16\n")
    values = readers.read([file], catalog=catalog).workloads[0].values
    assert values["method"] == method
    assert catalog.model(values["model"]) is catalog.model(model)


def test_too_many_files(catalog: Catalog) -> None:
    with pytest.raises(InputError) as caught:
        readers.read([FILES / "axolotl_fft-8b.yaml"] * 51, catalog=catalog)
    assert caught.value.key == "readers.too_many_files"


def test_the_same_file_twice_is_no_conflict(catalog: Catalog) -> None:
    once = read(catalog, "axolotl_fft-8b.yaml")
    twice = read(catalog, "axolotl_fft-8b.yaml", "axolotl_fft-8b.yaml")
    assert once.plan() == twice.plan()


@pytest.mark.parametrize("path", sorted(FILES.iterdir()), ids=lambda path: path.name)
def test_reading_is_reproducible(catalog: Catalog, path: Path) -> None:
    if path.suffix == ".md":
        return
    first, second = (readers.read([path], catalog=catalog) for _ in range(2))
    assert first.yaml("es", explain=True) == second.yaml("es", explain=True)
    assert first.json("en", explain=True) == second.json("en", explain=True)
