"""Configs of Hugging Face: exact counts for what is covered, a reason for what is not."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcalc.catalog import Catalog
from costcalc.catalog.huggingface import from_config, read_config
from costcalc.errors import InputError
from costcalc.estimate.architecture import Architecture

CONFIGS = Path(__file__).parent / "configs"
SAMPLES = {
    "llama-3.1-8b": "llama-3.1-8b",
    "deepseek-r1-v3": "deepseek-v3",
    "gemma-3-27b": "gemma-3-27b",
    "mixtral-8x7b": "mixtral-8x7b",
    "qwen3-30b-a3b": "qwen3-30b-a3b",
}
LLAMA: dict[str, Any] = json.loads((CONFIGS / "llama-3.1-8b.json").read_text())


def build(config: dict[str, Any]) -> Architecture:
    return from_config(config, name="model", shown="config.json")


@pytest.mark.parametrize(("file", "identity"), SAMPLES.items())
def test_a_config_counts_as_its_catalog_entry(shipped: Catalog, file: str, identity: str) -> None:
    ours, entry = read_config(CONFIGS / f"{file}.json"), shipped.model(identity)
    assert ours.params_total() == entry.params_total()
    assert ours.params_active() == entry.params_active()
    assert ours.attention == entry.attention
    assert ours.approximate == entry.approximate == ""
    for seq_len in (512, 4096, 131_072):
        assert ours.training_flops_per_token(seq_len) == entry.training_flops_per_token(seq_len)
        assert ours.kv_bytes_per_sequence(seq_len, 2) == entry.kv_bytes_per_sequence(seq_len, 2)


# published counts of the weights, with the keys of the published configs that matter
EXACT: dict[str, tuple[int, dict[str, Any]]] = {
    "gpt2": (124_439_808, {"n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024,
                           "vocab_size": 50257}),
    "opt": (125_239_296, {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
                          "ffn_dim": 3072, "vocab_size": 50272, "max_position_embeddings": 2048}),
    "gpt_neox": (6_857_302_016, {"hidden_size": 4096, "num_hidden_layers": 32,
                                 "num_attention_heads": 32, "intermediate_size": 16384,
                                 "vocab_size": 50432, "tie_word_embeddings": False}),
    "bloom": (559_214_592, {"hidden_size": 1024, "n_layer": 24, "n_head": 16,
                            "vocab_size": 250880}),
    "falcon": (6_921_720_704, {"hidden_size": 4544, "num_hidden_layers": 32,
                               "num_attention_heads": 71, "multi_query": True,
                               "new_decoder_architecture": False, "vocab_size": 65024}),
    "qwen2": (7_615_616_512, {"hidden_size": 3584, "num_hidden_layers": 28,
                              "num_attention_heads": 28, "num_key_value_heads": 4,
                              "intermediate_size": 18944, "vocab_size": 152064,
                              "sliding_window": 131072, "use_sliding_window": False,
                              "tie_word_embeddings": False}),
    "qwen2_moe": (14_315_784_192, {"hidden_size": 2048, "intermediate_size": 5632,
                                   "num_hidden_layers": 24, "num_attention_heads": 16,
                                   "num_key_value_heads": 16, "vocab_size": 151936,
                                   "num_experts": 60, "num_experts_per_tok": 4,
                                   "moe_intermediate_size": 1408,
                                   "shared_expert_intermediate_size": 5632,
                                   "decoder_sparse_step": 1, "tie_word_embeddings": False}),
    "gpt_oss": (20_914_757_184, {"hidden_size": 2880, "intermediate_size": 2880,
                                 "num_hidden_layers": 24, "num_attention_heads": 64,
                                 "num_key_value_heads": 8, "head_dim": 64,
                                 "num_local_experts": 32, "num_experts_per_tok": 4,
                                 "vocab_size": 201088, "attention_bias": True,
                                 "sliding_window": 128, "tie_word_embeddings": False}),
    "qwen3_next": (79_674_391_296, {"hidden_size": 2048, "intermediate_size": 5120,
                                    "num_hidden_layers": 48, "num_attention_heads": 16,
                                    "num_key_value_heads": 2, "head_dim": 256,
                                    "vocab_size": 151936, "num_experts": 512,
                                    "num_experts_per_tok": 10, "moe_intermediate_size": 512,
                                    "shared_expert_intermediate_size": 512,
                                    "linear_num_value_heads": 32, "linear_num_key_heads": 16,
                                    "tie_word_embeddings": False}),
    "olmo3": (7_298_011_136, {"hidden_size": 4096, "intermediate_size": 11008,
                              "num_hidden_layers": 32, "num_attention_heads": 32,
                              "vocab_size": 100278, "tie_word_embeddings": False}),
    "gemma2": (9_241_705_984, {"hidden_size": 3584, "intermediate_size": 14336,
                               "num_hidden_layers": 42, "num_attention_heads": 16,
                               "num_key_value_heads": 8, "head_dim": 256}),
    "deepseek_v2": (15_706_484_224, {"hidden_size": 2048, "intermediate_size": 10944,
                                     "num_hidden_layers": 27, "num_attention_heads": 16,
                                     "vocab_size": 102400, "n_routed_experts": 64,
                                     "num_experts_per_tok": 6, "moe_intermediate_size": 1408,
                                     "n_shared_experts": 2, "first_k_dense_replace": 1,
                                     "moe_layer_freq": 1, "kv_lora_rank": 512,
                                     "q_lora_rank": None}),
}  # fmt: skip


@pytest.mark.parametrize("kind", EXACT)
def test_counts_of_published_weights(kind: str) -> None:
    count, config = EXACT[kind]
    assert build({"model_type": kind, **config}).params_total() == count


def test_interleaved_experts_and_chunked_attention(shipped: Catalog) -> None:
    text = {
        "model_type": "llama4_text",
        "hidden_size": 5120,
        "intermediate_size": 8192,
        "intermediate_size_mlp": 16384,
        "num_hidden_layers": 48,
        "num_attention_heads": 40,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "vocab_size": 202048,
        "num_local_experts": 128,
        "num_experts_per_tok": 1,
        "interleave_moe_layer_step": 2,
        "attention_chunk_size": 8192,
    }
    ours = build({"model_type": "llama4", "text_config": text})
    entry = shipped.model("llama-4-maverick")
    assert ours.params_total() == entry.params_total()
    assert ours.params_active() == entry.params_active()
    assert ours.attention == entry.attention


def test_gemma_4_with_its_own_global_heads(shipped: Catalog) -> None:
    text = {
        "model_type": "gemma4_text",
        "hidden_size": 5376,
        "intermediate_size": 21504,
        "num_hidden_layers": 60,
        "num_attention_heads": 32,
        "num_key_value_heads": 16,
        "head_dim": 256,
        "global_head_dim": 512,
        "num_global_key_value_heads": 4,
        "attention_k_eq_v": True,
        "sliding_window": 1024,
    }
    ours, entry = build({"model_type": "gemma4", "text_config": text}), shipped.model("gemma-4-31b")
    assert ours.attention == entry.attention
    assert ours.params_total() == entry.params_total()
    small = build({**text, "hidden_size_per_layer_input": 256})
    assert small.approximate == "per_layer_inputs"


def test_mixture_layers_from_every_way_of_saying_it() -> None:
    moe = {
        **json.loads((CONFIGS / "qwen3-30b-a3b.json").read_text()),
        "num_hidden_layers": 8,
    }

    def layers(**keys: Any) -> int:
        mixture = build({**moe, **keys}).moe
        return mixture.layers if mixture else 0

    assert layers() == 8
    assert layers(mlp_only_layers=[0, 1]) == 6
    assert layers(decoder_sparse_step=2) == 4
    assert layers(decoder_sparse_step=2, mlp_only_layers=[1]) == 3
    assert layers(mlp_only_layers=list(range(8))) == 0
    assert layers(first_k_dense_replace=3) == 5
    assert layers(first_k_dense_replace=3, moe_layer_freq=2) == 2  # layers 4 and 6
    assert layers(moe_layer_freq=[0, 1, 1, 0, 1, 1, 1, 1]) == 6
    assert layers(moe_layers=[1, 3, 5]) == 3
    assert layers(num_experts=0) == 0


def test_windows() -> None:
    def kinds(**keys: Any) -> dict[str, int]:
        model = build({**LLAMA, "num_hidden_layers": 6, **keys})
        return {group.kind: group.layers for group in model.attention}

    assert kinds() == {"full": 6}
    assert kinds(model_type="mistral", sliding_window=4096) == {"window": 6}
    assert kinds(model_type="mistral", sliding_window=None) == {"full": 6}
    assert kinds(model_type="qwen3", sliding_window=4096) == {"full": 6}
    assert kinds(
        model_type="qwen3", sliding_window=4096, use_sliding_window=True, max_window_layers=2
    ) == {"full": 2, "window": 4}
    assert kinds(model_type="gemma3_text") == {"window": 5, "full": 1}
    assert kinds(model_type="gemma3_text", sliding_window_pattern=3) == {"window": 4, "full": 2}
    assert kinds(layer_types=["sliding_attention", "full_attention"] * 3, sliding_window=512) == {
        "window": 3,
        "full": 3,
    }


def test_explicit_head_width_and_tied_embeddings() -> None:
    plain = build(LLAMA)
    assert plain.attention[0].head_dim == 128
    assert build({**LLAMA, "head_dim": 64}).attention[0].head_dim == 64
    tied = build({**LLAMA, "tie_word_embeddings": True})
    assert plain.params_total() - tied.params_total() == 128_256 * 4096


def test_biases() -> None:
    plain, biased = build(LLAMA), build({**LLAMA, "attention_bias": True})
    assert biased.params_total() - plain.params_total() == 32 * (4096 + 2 * 1024 + 4096)
    mlp = build({**LLAMA, "mlp_bias": True})
    assert mlp.params_total() - plain.params_total() == 32 * (2 * 14336 + 4096)


def test_a_type_that_is_not_known_is_counted_and_marked() -> None:
    model = build({**LLAMA, "model_type": "brand_new"})
    assert model.params_total() == build(LLAMA).params_total()
    assert model.approximate == "unknown_type"


def test_a_shared_expert_of_an_odd_width_is_marked() -> None:
    config = json.loads((CONFIGS / "qwen3-30b-a3b.json").read_text())
    model = build({**config, "shared_expert_intermediate_size": 1000})
    assert model.approximate == "shared_width"
    assert model.moe is not None
    assert model.moe.shared_experts == 1


REFUSED = [
    ({"model_type": "mamba", "architectures": ["MambaForCausalLM"]}, "state-space"),
    ({"architectures": ["Mamba2ForCausalLM"]}, "state-space"),
    ({"model_type": "rwkv"}, "state-space"),
    ({"model_type": "jamba", "hidden_size": 4096}, "state-space"),
    ({"ssm_cfg": {}, "d_model": 2560, "n_layer": 64}, "state-space"),
    ({"_class_name": "FluxTransformer2DModel", "_diffusers_version": "0.31"}, "diffusion"),
    ({"model_type": "t5", "is_encoder_decoder": True}, "encoder-decoder"),
    ({"architectures": ["BartForConditionalGeneration"]}, "encoder-decoder"),
    ({**LLAMA, "is_encoder_decoder": True}, "encoder-decoder"),
    ({"model_type": "whisper"}, "encoder-decoder"),
    ({"model_type": "bert", "architectures": ["BertForMaskedLM"]}, "encoder (bert)"),
    ({"architectures": ["RobertaForSequenceClassification"]}, "encoder"),
    ({"model_type": "vit"}, "vision model"),
    ({"model_type": "siglip_vision_model", "architectures": ["SiglipModel"]}, "vision model"),
    (
        {**LLAMA, "model_type": "minimax", "layer_types": ["linear_attention"] * 32},
        "linear-attention layers of minimax",
    ),
]


@pytest.mark.parametrize(("config", "reason"), REFUSED)
def test_what_is_not_covered_is_refused_with_the_reason(
    config: dict[str, Any], reason: str
) -> None:
    with pytest.raises(InputError) as error:
        build(config)
    assert reason in error.value.message("en")
    assert error.value.message("es") != error.value.message("en")
    assert error.value.exit_status == 2


BROKEN = [
    ({"hidden_size": None}, "hidden_size is missing"),
    ({"num_hidden_layers": None}, "num_hidden_layers is missing"),
    ({"vocab_size": None}, "vocab_size is missing"),
    ({"num_attention_heads": None}, "num_attention_heads is missing"),
    ({"intermediate_size": None}, "intermediate_size is missing"),
    ({"hidden_size": "4096"}, "hidden_size must be a whole number"),
    ({"hidden_size": 4096.5}, "not 4096.5"),
    ({"hidden_size": True}, "not True"),
    ({"hidden_size": 0}, "from 1 to 1000000, not 0"),
    ({"hidden_size": -4096}, "not -4096"),
    ({"hidden_size": 10**4000}, "hidden_size must be a whole number"),
    ({"hidden_size": [4096] * 100}, "…"),
    ({"num_hidden_layers": 10**9}, "from 1 to 10000"),
    ({"num_attention_heads": 30}, "30 is not a multiple"),
    ({"num_key_value_heads": 64}, "num_attention_heads 32 is not a multiple"),
    ({"num_attention_heads": 24, "num_key_value_heads": 8}, "head_dim is missing"),
    ({"tie_word_embeddings": "no"}, "tie_word_embeddings must be true or false"),
    ({"layer_types": ["full_attention"]}, "a list of 32 words"),
    ({"layer_types": ["ring_attention"] * 32}, "'ring_attention'"),
    ({"layer_types": ["sliding_attention"] * 32}, "sliding_window is missing"),
    ({"text_config": []}, "text_config must be an object"),
    ({"num_experts": 8, "num_experts_per_tok": 9}, "from 1 to 8, not 9"),
    ({"num_experts": 8}, "num_experts_per_tok is missing"),
    ({"kv_lora_rank": 512}, "qk_nope_head_dim is missing"),
    ({"num_experts": 8, "num_experts_per_tok": 2, "moe_layers": ["a"]}, "list of whole numbers"),
]


@pytest.mark.parametrize(("changes", "words"), BROKEN)
def test_faults_name_the_key(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        build({**LLAMA, **changes})
    assert words in error.value.message("en")
    assert error.value.message("en").startswith("config.json")
    assert error.value.message("es")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (b"\x00\xff\xfe\x80", "is not text"),
        (b"PK\x03\x04\x00\x00\xe9", "is not text"),
        (b'{"hidden_size": 4096,', "not valid JSON"),
        (b'{\n"a": 1,\n}', "line 3: not valid JSON"),
        (b"[1, 2]", "a JSON object was expected"),
        (b'"llama"', "a JSON object was expected"),
        (b'{"hidden_size": NaN}', "NaN is not a number"),
        (b'{"hidden_size": -Infinity}', "-Infinity is not a number"),
        (b'{"a": ' + b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"1" * 5000 + b"}", "too long"),
        (b"{}", "num_hidden_layers is missing"),
        (b'{"model_type": "llama"}', "num_hidden_layers is missing"),
        (b" " * 4_000_001, "larger than 4 MB"),
    ],
)
def test_files_that_are_no_config(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_config(path)
    assert words in error.value.message("en")
    assert str(path) in error.value.message("en")


def test_places_where_there_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.json", tmp_path, Path("a\0b.json")):
        with pytest.raises(InputError):
            read_config(path)
    loop = tmp_path / "loop.json"
    loop.symlink_to(loop)
    with pytest.raises(InputError, match=r"loop\.json"):
        read_config(loop)


def test_a_model_folder_and_a_byte_order_mark(tmp_path: Path, shipped: Catalog) -> None:
    folder = tmp_path / "my-llama"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(LLAMA), encoding="utf-8-sig")
    model = shipped.model(str(folder))
    assert model.name == "my-llama"
    assert model.params_total() == 8_030_261_248
    assert shipped.model(os.path.relpath(folder / "config.json")).name == "my-llama"


def test_a_file_with_the_name_of_a_catalog_model_does_not_hide_it(
    tmp_path: Path, shipped: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("llama-3.1-8b").write_text("{}")
    assert shipped.model("llama-3.1-8b").layers == 32
    with pytest.raises(InputError):
        shipped.model("./llama-3.1-8b")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 200),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.one_of(st.integers(-2, 40), st.sampled_from(["full_attention", "x"])), max_size=4),
    st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)
KEYS = st.sampled_from(
    sorted(
        {key for _, config in EXACT.values() for key in config}
        | set(LLAMA)
        | {"layer_types", "text_config", "moe_layers", "global_head_dim", "mlp_only_layers"}
        | {"attention_chunk_size", "kv_lora_rank", "is_encoder_decoder", "_name_or_path"}
    )
)
KINDS = st.sampled_from([*EXACT, "llama", "mistral", "gemma3", "llama4", "qwen3_moe", "new", ""])


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=4), KINDS)
def test_any_change_gives_a_count_or_one_sentence(changes: dict[str, Any], kind: str) -> None:
    base = EXACT[kind][1] if kind in EXACT else LLAMA
    try:
        model = build({**base, "model_type": kind, **changes})
    except InputError as error:
        assert "config.json" in error.message("en")  # noqa: PT017
        assert "\n" not in error.message("es").replace("\\n", "")  # noqa: PT017
        return
    assert model.params_total() >= model.params_active() > 0
    assert model.forward_flops_per_token(4096) > 0
    assert sum(group.layers for group in model.attention) == model.layers


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_one_sentence(data: bytes) -> None:
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"costcalc-config-{os.getpid()}.json"
    path.write_bytes(data)
    try:
        with pytest.raises(InputError):
            read_config(path)
    finally:
        path.unlink()
