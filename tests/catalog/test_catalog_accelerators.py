"""All chips: figures with their origin, names, status."""

from __future__ import annotations

import pytest

from costcalc.catalog import Catalog
from costcalc.catalog.names import normal
from costcalc.errors import InputError

# id: dense BF16 peak, memory in GB, as in the tables of the sources (None: not published)
FIGURES: dict[str, tuple[float | None, float | None]] = {
    "tpu-v3": (123, 32),
    "tpu-v4": (275, 32),
    "tpu-v5e": (197, 16),
    "tpu-v5p": (459, 95),
    "tpu-v6e": (918, 32),
    "tpu-v7x": (2307, 192),
    "tpu-8t": (None, None),
    "tpu-8i": (None, None),
    "a100-40gb": (312, 40),
    "a100-80gb": (312, 80),
    "a100-80gb-pcie": (312, 80),
    "a10": (125, 24),
    "h100-sxm": (989, 80),
    "h100-pcie": (756, 80),
    "h100-nvl": (835, 94),
    "h200-sxm": (989, 141),
    "h200-nvl": (835, 141),
    "gh200": (989, 96),
    "b200": (2250, 180),
    "b300": (2250, 288),
    "gb200": (2500, 186),
    "gb300": (2500, 288),
    "l40s": (362, 48),
    "rtx-pro-6000": (500, 96),
    "rtx-4090": (165, 24),
    "trainium1": (190, 32),
    "trainium2": (667, 96),
    "trainium3": (671, 144),
    "inferentia1": (64, 8),
    "inferentia2": (190, 32),
    "mi250x": (383, 128),
    "mi300x": (1307, 192),
    "mi325x": (1307, 256),
    "mi350x": (2300, 288),
    "mi355x": (2500, 288),
    "gaudi1": (None, 32),
    "gaudi2": (432, 96),
    "gaudi3": (1677, 128),
    "arc-pro-b60": (98, 24),
    "jalapeno": (None, None),
}

# what price lists, benchmarks and people call them
NAMES = {
    "tpu-v3": "TPU v3;v3",
    "tpu-v4": "TPU v4;v4;tpu-v4-podslice",
    "tpu-v5e": "TPU v5e;v5e;v5litepod;ct5lp;tpu-v5-lite-podslice",
    "tpu-v5p": "TPU v5p;v5p;ct5p;google tpu v5p",
    "tpu-v6e": "TPU v6e (Trillium);v6e;trillium;ct6e;TPU v6e",
    "tpu-v7x": "TPU7x (Ironwood);tpu7x;v7x;ironwood;TPU7x",
    "tpu-8t": "TPU 8t",
    "tpu-8i": "TPU 8i",
    "a100-40gb": "A100-40GB;a100_40gb;A100 SXM 40GB",
    "a100-80gb": "A100 SXM 80GB;A100-80GB;A800;a100;nvidia-a100-80gb",
    "a100-80gb-pcie": "A100 PCIe 80GB",
    "a10": "A10;nvidia a10",
    "h100-sxm": "H100 SXM;H100;H800;h100-80gb;H100-SXM5;nvidia-h100-80gb;H100-MEGA",
    "h100-pcie": "H100 PCIe",
    "h100-nvl": "H100 NVL;H100-94GB",
    "h200-sxm": "H200 SXM;H200;nvidia-h200-141gb",
    "h200-nvl": "H200 NVL",
    "gh200": "GH200",
    "b200": "B200 SXM (HGX/DGX);B200;nvidia-b200",
    "b300": "B300 SXM (HGX/DGX);B300",
    "gb200": "GB200 (per GPU, NVL72);GB200",
    "gb300": "GB300 (per GPU, NVL72);GB300",
    "l40s": "L40S;L40S-48GB",
    "rtx-pro-6000": "RTX PRO 6000",
    "rtx-4090": "RTX4090;RTX 4090",
    "trainium1": "Trainium1;trn1;Trainium",
    "trainium2": "Trainium2;trn2",
    "trainium3": "Trainium3;trn3",
    "inferentia1": "inf1;Inferentia1",
    "inferentia2": "Inferentia2;inf2",
    "mi250x": "MI250X;MI250;mi250",
    "mi300x": "MI300X;mi300;MI300X-192GB",
    "mi325x": "MI325X",
    "mi350x": "MI350X",
    "mi355x": "MI355X",
    "gaudi1": "Gaudi1 (HL-205);dl1",
    "gaudi2": "Gaudi2 (HL-225H);Gaudi2",
    "gaudi3": "Gaudi3 (HL-325L);Gaudi3",
    "arc-pro-b60": "Arc Pro B60",
    "jalapeno": "OpenAI Jalapeno (Titan/XPU);openai-jalapeno;jalapeño",
}


def test_every_chip_is_there(shipped: Catalog) -> None:
    assert set(shipped.accelerators()) == set(FIGURES)


@pytest.mark.parametrize("identity", FIGURES)
def test_peak_and_memory(shipped: Catalog, identity: str) -> None:
    chip = shipped.accelerators()[identity].chip
    assert (chip.peak_tflops.get("bf16"), chip.hbm_gb) == FIGURES[identity]


def test_every_figure_has_a_source_and_a_date(shipped: Catalog) -> None:
    for item in shipped.accelerators().values():
        for name, figure in item.figures.items():
            assert figure.source, (item.id, name)
            assert "2024-01-01" <= figure.date <= "2026-12-01", (item.id, name)
            assert figure.confidence in ("published", "measured", "estimated")


def test_what_nobody_confirmed_is_marked(shipped: Catalog) -> None:
    for item in shipped.accelerators().values():
        for name, figure in item.figures.items():
            if "unverified" in figure.source:
                assert figure.confidence == "estimated", (item.id, name)
    trainium2 = shipped.accelerator("trn2")
    assert trainium2.figures["tdp_w"].confidence == "estimated"
    assert trainium2.figures["peak_bf16_tflops"].confidence == "published"
    assert shipped.accelerator("h100").figures["matmul_bf16_tflops"].confidence == "measured"


def test_rates_are_dense_and_no_measurement_exceeds_them(shipped: Catalog) -> None:
    for item in shipped.accelerators().values():
        for precision, rate in item.chip.matmul_tflops.items():
            assert 0.4 * item.chip.peak_tflops[precision] < rate <= item.chip.peak_tflops[precision]
        peaks = item.chip.peak_tflops
        if "bf16" in peaks and "fp8" in peaks:  # dense FP8 is 1, 2 or (Trainium3) 4 times BF16
            assert peaks["bf16"] <= peaks["fp8"] <= 4 * peaks["bf16"]


@pytest.mark.parametrize("identity", ["jalapeno", "tpu-8t", "tpu-8i"])
def test_announced_chips_have_claims_and_no_figures(shipped: Catalog, identity: str) -> None:
    item = shipped.accelerator(identity)
    assert item.status == "announced"
    assert not item.rentable
    assert not item.figures
    assert item.claims
    assert item.not_published
    assert not any(claim.verified for claim in item.claims)
    assert not list(shipped.offers().of_accelerator(identity))


def test_figures_that_were_made_up_are_not_in_the_claims(shipped: Catalog) -> None:
    text = " ".join(claim.text for claim in shipped.accelerator("jalapeno").claims)
    for wrong in ("4,500", "0.06", "450 W", "256 GB", "12 ms"):
        assert wrong not in text


def test_ec2_dl1_is_the_first_gaudi(shipped: Catalog) -> None:
    assert shipped.hardware("dl1.24xlarge").accelerator.id == "gaudi1"
    assert shipped.accelerator("gaudi1").status == "retired"


def test_inference_chips_do_not_train(shipped: Catalog) -> None:
    serving_only = {item.id for item in shipped.accelerators().values() if not item.chip.can_train}
    assert serving_only == {"inferentia1", "inferentia2", "tpu-8i", "jalapeno"}


@pytest.mark.parametrize(
    ("identity", "name"),
    [(identity, name) for identity, names in NAMES.items() for name in names.split(";")],
)
def test_names_as_people_write_them(shipped: Catalog, identity: str, name: str) -> None:
    assert shipped.accelerator(name).id == identity
    assert shipped.accelerator(name.upper()).id == identity
    assert shipped.accelerator(f" {name.replace('-', '_')} ").id == identity


def test_every_alias_resolves_to_its_chip(shipped: Catalog) -> None:
    for item in shipped.accelerators().values():
        for alias in (item.id, item.name, *item.aliases):
            assert shipped.accelerator(alias) is item
            assert normal(alias) in shipped.accelerator_aliases()


def test_an_unknown_name_is_told_the_nearest(shipped: Catalog) -> None:
    with pytest.raises(InputError) as error:
        shipped.accelerator("h10")
    assert error.value.exit_status == 2
    assert "h100-sxm" in error.value.message("en")
    assert "h100-sxm" in error.value.message("es")
    assert "No hay ningún acelerador" in error.value.message("es")


def test_families_are_shared_by_versions_of_one_design(shipped: Catalog) -> None:
    family = {item.id: item.chip.family for item in shipped.accelerators().values()}
    assert family["h100-sxm"] == family["h100-pcie"] == family["h100-nvl"] == family["gh200"]
    assert family["a100-40gb"] == family["a100-80gb"] == family["a100-80gb-pcie"]
    assert family["tpu-v7x"] == "tpu7x"
    assert family["trainium1"] == "trn1"
