"""What the model types of Hugging Face transformers have in common, and what sets them apart.

Each profile holds the defaults of that type's configuration class in transformers (5.x), as far as
they change a count. A type that is not here is counted like a Llama and marked approximate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from costcalc.catalog.extras import Extras

_RMS_NORMS = Extras()


@dataclass(frozen=True, slots=True)
class Profile:
    """How to read the config of a model type.

    Attributes:
        extras: small weights (norms, biases).
        gated: MLPs have three matrices, else two.
        tied: input and output embedding are one unless the config says otherwise.
        defaults: values of keys that its configs may leave out.
        windows: `none`; `all` (every layer, when `sliding_window` is set); `period` (all but each
            n-th layer); `qwen` (only with `use_sliding_window`); `chunk` (Llama 4); `linear`
            (gated delta nets).
        period: n of `period`, `chunk` and `linear`.
        expert_ffn: key of an expert's width where it is not `moe_intermediate_size`.
        dense_ffn: key of a plain MLP's width where it is not `intermediate_size`.
        shared: shared experts of a type that has them without saying so.
        biased: `attention_bias` adds biases to `all` projections or to `qkv` alone.
        positions: learnt position table, with so many rows besides the context length; None
            without a table.
        embedding_norm: a norm with bias right after the embedding.
        approximate: why counts are rough, as a code of the messages `catalog.approximate_*`.
    """

    extras: Extras = _RMS_NORMS
    gated: bool = True
    tied: bool = False
    defaults: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    windows: str = "none"
    period: int = 0
    expert_ffn: str = "moe_intermediate_size"
    dense_ffn: str = "intermediate_size"
    shared: int = 0
    biased: str = "all"
    positions: int | None = None
    embedding_norm: bool = False
    approximate: str = ""


_LLAMA = Profile()
_MISTRAL = Profile(windows="all")
_QWEN2 = Profile(extras=Extras(qkv_bias=True), windows="qwen")
_QWEN3 = Profile(extras=Extras(qk_norm="head"), windows="qwen")
_GEMMA = Profile(tied=True, defaults={"head_dim": 256, "vocab_size": 256000})
_GEMMA2 = Profile(
    extras=Extras(norms_per_layer=4),
    tied=True,
    defaults={"head_dim": 256, "vocab_size": 256000, "sliding_window": 4096},
    windows="period",
    period=2,
)
_GEMMA3 = Profile(
    extras=Extras(norms_per_layer=4, qk_norm="head"),
    tied=True,
    defaults={
        "vocab_size": 262208,
        "hidden_size": 2304,
        "intermediate_size": 9216,
        "num_hidden_layers": 26,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "sliding_window": 4096,
        "max_position_embeddings": 131072,
    },
    windows="period",
    period=6,
)
_GEMMA4 = Profile(
    extras=Extras(norms_per_layer=4, qk_norm="head", per_layer_scalars=1),
    tied=True,
    defaults={"head_dim": 256, "vocab_size": 262144, "sliding_window": 512},
    windows="period",
    period=6,
)
_DEEPSEEK_V2 = Profile(
    defaults={"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
)
_DEEPSEEK_V3 = Profile(
    extras=Extras(router_bias=True),
    defaults={"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128},
)
_GPT_OSS = Profile(
    extras=Extras(qkv_bias=True, output_bias=True, router_bias=True, expert_bias=True, sinks=True),
    defaults={"head_dim": 64, "sliding_window": 128},
    windows="period",
    period=2,
    expert_ffn="intermediate_size",
)
_LLAMA4 = Profile(
    defaults={"head_dim": 128, "interleave_moe_layer_step": 1, "attention_chunk_size": 8192},
    windows="chunk",
    period=4,
    expert_ffn="intermediate_size",
    dense_ffn="intermediate_size_mlp",
    shared=1,
)
_OLMO = Profile(extras=Extras(norms_per_layer=0, final_norm=False), windows="none")
_OLMO2 = Profile(extras=Extras(qk_norm="full"))
_OLMO3 = Profile(
    extras=Extras(qk_norm="full"),
    defaults={"sliding_window": 4096},
    windows="period",
    period=4,
)
_DELTA = Profile(
    extras=Extras(qk_norm="head", shared_expert_gate=True),
    defaults={
        "head_dim": 256,
        "linear_conv_kernel_dim": 4,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
    },
    windows="linear",
    period=4,
    approximate="hybrid",
)
_LAYER_NORMS = Extras(norm_bias=True, qkv_bias=True, output_bias=True, mlp_bias=True)
_GPT2 = Profile(extras=_LAYER_NORMS, gated=False, tied=True, positions=0)
_COHERE = Profile(extras=Extras(norms_per_layer=1), tied=True)

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        "llama": _LLAMA,
        "mistral": _MISTRAL,
        "mistral3": _MISTRAL,
        "ministral": _MISTRAL,
        "mixtral": Profile(windows="all", expert_ffn="intermediate_size"),
        "phi3": Profile(windows="all"),
        "phimoe": Profile(
            extras=Extras(norm_bias=True), windows="all", expert_ffn="intermediate_size"
        ),
        "qwen2": _QWEN2,
        "qwen2_moe": Profile(extras=Extras(qkv_bias=True, shared_expert_gate=True), windows="qwen"),
        "qwen2_vl_text": _QWEN2,
        "qwen2_5_vl_text": _QWEN2,
        "qwen3": _QWEN3,
        "qwen3_moe": _QWEN3,
        "qwen3_vl_text": _QWEN3,
        "qwen3_vl_moe_text": _QWEN3,
        "qwen3_next": _DELTA,
        "qwen3_5": _DELTA,
        "qwen3_5_text": _DELTA,
        "qwen3_5_moe": _DELTA,
        "qwen3_5_moe_text": _DELTA,
        "gemma": _GEMMA,
        "gemma2": _GEMMA2,
        "gemma3": _GEMMA3,
        "gemma3_text": _GEMMA3,
        "gemma4": _GEMMA4,
        "gemma4_text": _GEMMA4,
        "deepseek_v2": _DEEPSEEK_V2,
        "deepseek_v3": _DEEPSEEK_V3,
        "deepseek_v32": Profile(
            extras=Extras(router_bias=True),
            defaults=_DEEPSEEK_V3.defaults,
            approximate="sparse",
        ),
        "kimi_k2": _DEEPSEEK_V3,
        "gpt_oss": _GPT_OSS,
        "llama4": _LLAMA4,
        "llama4_text": _LLAMA4,
        "olmo": _OLMO,
        "olmo2": _OLMO2,
        "olmo3": _OLMO3,
        "glm4_moe": Profile(extras=Extras(router_bias=True), biased="qkv"),
        "cohere": _COHERE,
        "cohere2": Profile(
            extras=Extras(norms_per_layer=1),
            tied=True,
            defaults={"sliding_window": 4096},
            windows="period",
            period=4,
        ),
        "starcoder2": Profile(extras=_LAYER_NORMS, gated=False, tied=True, windows="all"),
        "gpt2": _GPT2,
        "gpt_neox": Profile(extras=_LAYER_NORMS, gated=False),
        "opt": Profile(extras=_LAYER_NORMS, gated=False, tied=True, positions=2),
        "bloom": Profile(extras=_LAYER_NORMS, gated=False, tied=True, embedding_norm=True),
        "falcon": Profile(extras=Extras(norm_bias=True, norms_per_layer=1), gated=False, tied=True),
    }
)

UNKNOWN = Profile(windows="all", approximate="unknown_type")

# Types (or the beginnings of their class names) that the arithmetic does not cover, by the message
# that says why.
REFUSED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "config_state_space": (
            "mamba",
            "falcon_mamba",
            "falconmamba",
            "falcon_h1",
            "falconh1",
            "jamba",
            "bamba",
            "zamba",
            "rwkv",
            "nemotron_h",
            "nemotronh",
            "granitemoehybrid",
            "granite_moe_hybrid",
            "plamo2",
            "recurrent_gemma",
            "recurrentgemma",
            "xlstm",
            "lfm2",
            "hyena",
            "striped_hyena",
            "retnet",
        ),
        "config_encoder_decoder": (
            "t5",
            "mt5",
            "umt5",
            "byt5",
            "longt5",
            "t5gemma",
            "bart",
            "mbart",
            "led",
            "pegasus",
            "marian",
            "m2m_100",
            "m2m100",
            "nllb",
            "blenderbot",
            "prophetnet",
            "whisper",
            "speech_to_text",
            "seamless",
            "switch_transformers",
            "bigbird_pegasus",
        ),
        "config_encoder": (
            "bert",
            "roberta",
            "xlm_roberta",
            "xlm-roberta",
            "distilbert",
            "deberta",
            "electra",
            "albert",
            "modernbert",
            "camembert",
            "mpnet",
            "nomic_bert",
            "esm",
            "eurobert",
            "wav2vec2",
            "hubert",
        ),
        "config_vision": (
            "vit",
            "clip",
            "siglip",
            "swin",
            "dinov2",
            "dinov3",
            "convnext",
            "resnet",
            "deit",
            "beit",
            "detr",
            "sam",
            "segformer",
        ),
    }
)


def refusal(model_type: str, classes: list[str]) -> str | None:
    """The message that says why a type is not covered, None when it is not among the refused."""
    kind = model_type.casefold()
    heads = [name.casefold() for name in classes]
    for message, names in REFUSED.items():
        if kind in names or any(kind == f"{name}_model" for name in names):
            return message
        for name in names:
            stem = re.escape(name.replace("_", "").replace("-", ""))
            if any(re.match(f"{stem}[0-9]*(for|model|lm)", head) for head in heads):
                return message
    return None
