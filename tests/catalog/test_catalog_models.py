"""Fifty architectures: their names, and their parameter counts against two outside sources.

The table is retyped from AI-Hypercomputer/maxtext src/maxtext/configs/models @e591f30c
(2026-08-22), whose sizes give these counts; the published counts are those of the weight files.
"""

from __future__ import annotations

import pytest

from costcalc.catalog import Catalog
from costcalc.errors import InputError

# name in the table, Hugging Face id, parameters in all, active (norms and biases left out)
TABLE = [
    ("deepseek2-16b", "deepseek-ai/DeepSeek-V2-Lite", 15_706_357_760, 2_661_023_744),
    ("deepseek2-236b", "deepseek-ai/DeepSeek-V2", 235_740_692_480, 21_375_057_920),
    ("deepseek3-671b", "deepseek-ai/DeepSeek-V3", 671_025_397_760, 37_551_276_032),
    ("deepseek3.2-671b", "deepseek-ai/DeepSeek-V3.2", 671_025_397_760, 37_551_276_032),
    ("deepseek4-284b", "", 290_934_751_232, 20_402_143_232),
    ("gemma-2b", "google/gemma-2b", 2_506_358_784, 2_506_358_784),
    ("gemma-7b", "google/gemma-7b", 8_537_899_008, 8_537_899_008),
    ("gemma2-27b", "google/gemma-2-27b", 27_226_865_664, 27_226_865_664),
    ("gemma2-2b", "google/gemma-2-2b", 2_614_394_880, 2_614_394_880),
    ("gemma2-9b", "google/gemma-2-9b", 9_241_559_040, 9_241_559_040),
    ("gemma3-12b", "google/gemma-3-12b", 11_765_022_720, 11_765_022_720),
    ("gemma3-27b", "google/gemma-3-27b", 27_007_647_744, 27_007_647_744),
    ("gemma3-4b", "google/gemma-3-4b", 3_879_731_200, 3_879_731_200),
    ("gemma4-26b", "google/gemma-4-26b-a4b", 25_232_441_344, 3_821_830_144),
    ("gemma4-31b", "google/gemma-4-31b", 30_696_013_824, 30_696_013_824),
    ("gpt-oss-120b", "openai/gpt-oss-120b", 116_788_838_400, 5_710_233_600),
    ("gpt-oss-20b", "openai/gpt-oss-20b", 20_907_786_240, 4_186_275_840),
    ("gpt3-175b", "", 174_564_311_040, 174_564_311_040),
    ("kimi-k2-1t", "moonshotai/Kimi-K2", 1_026_407_202_816, 32_860_471_296),
    ("llama2-13b", "meta-llama/Llama-2-13b-hf", 13_015_449_600, 13_015_449_600),
    ("llama2-70b", "meta-llama/Llama-2-70b-hf", 68_975_329_280, 68_975_329_280),
    ("llama2-7b", "meta-llama/Llama-2-7b-hf", 6_738_149_376, 6_738_149_376),
    ("llama3-70b", "meta-llama/Meta-Llama-3-70B", 70_552_387_584, 70_552_387_584),
    ("llama3-8b", "meta-llama/Meta-Llama-3-8B", 8_029_995_008, 8_029_995_008),
    ("llama3.1-405b", "meta-llama/Llama-3.1-405B", 405_849_243_648, 405_849_243_648),
    ("llama3.1-70b", "meta-llama/Llama-3.1-70B", 70_552_387_584, 70_552_387_584),
    ("llama3.1-8b", "meta-llama/Llama-3.1-8B", 8_029_995_008, 8_029_995_008),
    ("llama3.3-70b", "meta-llama/Llama-3.3-70B-Instruct", 70_552_387_584, 70_552_387_584),
    ("llama4-17b-128e", "meta-llama/Llama-4-Maverick-17B-128E", 400_711_352_320, 17_184_194_560),
    ("llama4-17b-16e", "meta-llama/Llama-4-Scout-17B-16E", 107_769_364_480, 17_172_398_080),
    ("mistral-7b", "mistralai/Mistral-7B-v0.1", 7_241_465_856, 7_241_465_856),
    ("mixtral-8x22b", "mistralai/Mixtral-8x22B-v0.1", 140_629_377_024, 39_160_774_656),
    ("mixtral-8x7b", "mistralai/Mixtral-8x7B-v0.1", 46_702_526_464, 12_879_659_008),
    ("olmo3-32b", "allenai/Olmo-3-32B", 32_232_468_480, 32_232_468_480),
    ("olmo3-7b", "allenai/Olmo-3-7B", 7_297_482_752, 7_297_482_752),
    ("qwen2.5-1.5b", "Qwen/Qwen2.5-1.5B", 1_543_569_408, 1_543_569_408),
    ("qwen2.5-14b", "Qwen/Qwen2.5-14B", 14_769_192_960, 14_769_192_960),
    ("qwen2.5-7b", "Qwen/Qwen2.5-7B", 7_615_283_200, 7_615_283_200),
    ("qwen3-0.6b", "Qwen/Qwen3-0.6B", 595_984_384, 595_984_384),
    ("qwen3-1.7b", "Qwen/Qwen3-1.7B", 1_720_451_072, 1_720_451_072),
    ("qwen3-14b", "Qwen/Qwen3-14B", 14_767_882_240, 14_767_882_240),
    ("qwen3-235b-a22b", "Qwen/Qwen3-235B-A22B", 235_092_836_352, 22_189_965_312),
    ("qwen3-30b-a3b", "Qwen/Qwen3-30B-A3B", 30_531_911_680, 3_352_821_760),
    ("qwen3-32b", "Qwen/Qwen3-32B", 32_761_446_400, 32_761_446_400),
    ("qwen3-480b-a35b", "Qwen/Qwen3-Coder-480B-A35B", 480_154_091_520, 35_473_981_440),
    ("qwen3-4b", "Qwen/Qwen3-4B", 4_022_272_000, 4_022_272_000),
    ("qwen3-8b", "Qwen/Qwen3-8B", 8_190_427_136, 8_190_427_136),
    ("qwen3-next-80b-a3b", "Qwen/Qwen3-Next-80B-A3B", 79_039_037_440, 3_239_575_552),
    ("qwen3.5-35b-a3b", "Qwen/Qwen3.5-35B-A3B", 34_131_148_800, 2_925_527_040),
    ("qwen3.5-397b-a17b", "Qwen/Qwen3.5-397B-A17B", 393_740_288_000, 14_742_978_560),
]
# vocabulary rows by which the published weights differ from the table, per embedding matrix
VOCABULARY = {
    "gemma-2b": -128,
    "gemma-7b": -128,
    "gemma2-2b": -128,
    "gemma2-9b": -128,
    "gemma2-27b": -128,
    "gemma3-4b": 64,
    "gemma3-12b": 64,
    "gemma3-27b": 64,
}
# the table counts every layer of these as plain full attention
ROUGH = {"deepseek4-284b", "qwen3-next-80b-a3b", "qwen3.5-35b-a3b", "qwen3.5-397b-a17b"}

PUBLISHED = {
    "llama-3.1-8b": 8_030_261_248,
    "llama-3.1-70b": 70_553_706_496,
    "llama-3.1-405b": 405_853_388_800,
    "llama-2-70b": 68_976_648_192,
    "mixtral-8x7b": 46_702_792_704,
    "qwen2.5-7b": 7_615_616_512,
    "qwen3-30b-a3b": 30_532_122_624,
    "qwen3-235b-a22b": 235_093_634_560,
    "qwen3-next-80b-a3b": 79_674_391_296,
    "qwen3.5-35b-a3b": 34_660_610_688,
    "qwen3.5-397b-a17b": 396_346_350_336,
    "gemma-2-9b": 9_241_705_984,
    "gemma-3-27b": 27_009_346_304,
    "gpt-oss-120b": 116_829_156_672,
    "gpt-oss-20b": 20_914_757_184,
    "deepseek-v3": 671_026_419_200,
    "kimi-k2": 1_026_408_232_448,
    "olmo-3-32b": 32_233_522_176,
}


@pytest.mark.parametrize(("name", "hub", "total", "active"), TABLE)
def test_counts_agree_with_the_table_but_for_norms_and_biases(
    shipped: Catalog, name: str, hub: str, total: int, active: int
) -> None:
    model = shipped.model(name)
    assert model.extra_params < 0.004 * model.params_total()
    rows = VOCABULARY.get(name, 0) * model.hidden * (1 if model.tied_embeddings else 2)
    if name in ROUGH:
        assert model.approximate
        assert abs(model.params_total() / total - 1) < 0.02
        return
    assert model.params_total() - model.extra_params - rows == total
    assert model.params_active() - model.extra_params - rows == active


@pytest.mark.parametrize(("identity", "count"), PUBLISHED.items())
def test_counts_equal_the_published_ones(shipped: Catalog, identity: str, count: int) -> None:
    assert shipped.models()[identity].params_total() == count


def test_every_published_count_in_the_catalog_is_met(shipped: Catalog) -> None:
    stated = {
        identity: details["published_params"]
        for identity, details in shipped.model_details().items()
        if details["published_params"]
    }
    assert len(stated) >= 29
    for identity, count in stated.items():
        assert shipped.models()[identity].params_total() == count, identity


def test_there_are_fifty_and_those_that_are_measured(shipped: Catalog) -> None:
    measured = {
        "nemotron-nano-9b-v2",
        "nemotron-nano-12b-v2",
        "glm-4.5-air",
        "minimax-m2",
        "gpt-j-6b",
    }
    assert len(TABLE) == 50
    assert len(shipped.models()) == 50 + len(measured)
    for identity, details in shipped.model_details().items():
        assert details["source"]
        if identity not in measured:
            assert details["date"] == "2026-08-22"


def test_layers_that_are_blocks_of_one_thing(shipped: Catalog) -> None:
    # 27 Mamba-2, 4 attention and 25 MLP blocks; published as 8.9B
    nemotron = shipped.model("nemotron-nano-9b-v2")
    assert nemotron.layers == 56
    assert [group.layers for group in nemotron.attention] == [27, 4]
    assert nemotron.dense_layers == 25
    assert nemotron.params_total() == pytest.approx(8.9e9, rel=0.005)


@pytest.mark.parametrize(("name", "hub", "total", "active"), TABLE)
def test_names_of_the_table_and_of_the_hub(
    shipped: Catalog, name: str, hub: str, total: int, active: int
) -> None:
    model = shipped.model(name)
    assert shipped.model(name.upper()) is model
    if hub:
        assert shipped.model(hub) is model
        assert shipped.model(hub.lower()) is model
        assert shipped.model(hub.rpartition("/")[2]) is model
        assert shipped.model(f"somebody/{hub.rpartition('/')[2]}-Instruct") is model


@pytest.mark.parametrize(
    ("name", "identity"),
    [
        ("llama-3.1-70b", "llama-3.1-70b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("meta-llama/Meta-Llama-3.1-8B-Instruct", "llama-3.1-8b"),
        ("deepseek-ai/DeepSeek-R1", "deepseek-v3"),
        ("google/gemma-4-31b-it", "gemma-4-31b"),
        ("gemma 4 31b", "gemma-4-31b"),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", "qwen3-30b-a3b"),
        ("openai/gpt-oss-120b", "gpt-oss-120b"),
        ("GPT3", "gpt-3-175b"),
        ("kimi_k2", "kimi-k2"),
    ],
)
def test_names_as_people_write_them(shipped: Catalog, name: str, identity: str) -> None:
    assert shipped.model(name).name == identity


@pytest.mark.parametrize(
    ("name", "near"),
    [("llama-3.1-80b", "llama-3.1-8b"), ("gema-4-31b", "gemma-4-31b"), ("-instruct", "Nearest")],
)
def test_an_unknown_model_is_told_the_nearest(shipped: Catalog, name: str, near: str) -> None:
    with pytest.raises(InputError) as error:
        shipped.model(name)
    assert near in error.value.message("en")


def test_an_empty_name(shipped: Catalog) -> None:
    with pytest.raises(InputError):
        shipped.model("")


def test_groups_of_layers(shipped: Catalog) -> None:
    gemma = {group.kind: group for group in shipped.model("gemma-3-27b").attention}
    assert (gemma["window"].layers, gemma["full"].layers, gemma["window"].window) == (52, 10, 1024)
    gemma4 = {group.kind: group for group in shipped.model("gemma-4-31b").attention}
    assert (gemma4["full"].head_dim, gemma4["full"].kv_heads, gemma4["full"].shared_kv) == (
        512,
        4,
        True,
    )
    deepseek = shipped.model("deepseek-v3")
    assert deepseek.attention[0].is_mla
    assert (deepseek.dense_layers, deepseek.moe.layers if deepseek.moe else 0) == (3, 58)
    maverick = shipped.model("llama-4-maverick")
    assert (maverick.dense_layers, maverick.moe.layers if maverick.moe else 0) == (24, 24)
    hybrid = {group.kind: group.layers for group in shipped.model("qwen3-next-80b-a3b").attention}
    assert hybrid == {"linear": 36, "full": 12}


def test_total_and_active_are_two_numbers(shipped: Catalog) -> None:
    mixtral = shipped.model("mixtral-8x7b")
    assert mixtral.params_total() == 46_702_792_704
    assert mixtral.params_active() == 12_879_925_248
    for model in shipped.models().values():
        assert (model.params_active() < model.params_total()) == model.is_moe
