"""Faults in `energy.yaml` and `claims.yaml` are told with file, line and key."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from costcalc import catalog as catalogs
from costcalc.catalog.energy import Energy
from costcalc.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
PRICING = ROOT / "pricing"
ENERGY = (PRICING / "energy.yaml").read_text(encoding="utf-8")
CLAIMS = (PRICING / "claims.yaml").read_text(encoding="utf-8")
PUE_AWS = "aws: {ratio: 1.14,"
H100 = "{of: [h100], load: training, share: 0.85,"


def opened(tmp_path: Path, name: str, text: str) -> catalogs.Catalog:
    """The shipped catalog without prices, with another file of that name."""
    folder = tmp_path / "pricing"
    shutil.copytree(PRICING, folder)
    (folder / name).write_text(text, encoding="utf-8")
    return catalogs.load(folder, cache_dir=tmp_path / "cache")


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("energy.yaml", PUE_AWS, "aws: {ratio: 0.9,", "ratio 0.9 must lie between 1 and 100"),
        ("energy.yaml", PUE_AWS, "aws: {ratio: many,", "ratio must be a number"),
        ("energy.yaml", PUE_AWS, "aws: {pue: 1.14,", "pue"),
        ("energy.yaml", H100, H100.replace("0.85", "1.85"), "share 1.85 must lie between 0 and 1"),
        ("energy.yaml", H100, H100.replace("training", "trainin"), "Nearest: training"),
        ("energy.yaml", "source: fesen-2024,", "source: fesen-2042,", "Nearest: fesen-202"),
        ("energy.yaml", "kind: official, year: '2024'", "kind: oficial, year: '2024'", "official"),
        ("energy.yaml", "MX: gcp/northamerica-south1", "MX: gcp/nowhere", "MX 'gcp/nowhere'"),
        ("energy.yaml", "\npue:\n", "\npeu:\n", "peu"),
        ("claims.yaml", "universal: true", "universal: maybe", "universal must be true or false"),
        ("claims.yaml", "    said: 2026-05\n    source: h2loop\n", "    source: h2lop\n", "h2loop"),
        (
            "claims.yaml",
            '      es: "Jalapeño reduce a la mitad el costo de la inferencia"\n',
            "",
            "es is missing",
        ),
        ("claims.yaml", "- {kind: machine, ", "- {", "kind is missing"),
        ("claims.yaml", "    withdrawn: true", "    withdrawed: true", "withdrawn"),
    ],
)
def test_a_fault_names_its_place(name: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    text = {"energy.yaml": ENERGY, "claims.yaml": CLAIMS}[name]
    assert old in text
    changed = text.replace(old, new, 1)
    with pytest.raises(InputError) as caught:
        opened(tmp_path, name, changed).table(name.removesuffix(".yaml"))
    message = str(caught.value)
    assert f"pricing/{name}, line " in message
    assert said in message
    assert caught.value.message("es") != message


def test_a_newer_figure_is_a_new_line_and_counts(tmp_path: Path) -> None:
    used = "    - {g_per_kwh: 444, kind: official, year: '2024', source: fesen-2024"
    newer = "    - {g_per_kwh: 430, kind: official, year: '2025', source: fesen-2024}\n"
    found = Energy(
        opened(tmp_path, "energy.yaml", ENERGY.replace(used, newer + used)).table("energy")
    )
    carbon = found.grid_carbon("azure", "mexicocentral", "MX")
    assert carbon is not None
    assert (carbon.used.value, carbon.used.year) == (430, "2025")
    # the others are then those of the same year
    assert [(item.value, item.year) for item in carbon.others] == [
        (293.25, "2025"),
        (484.83, "2026-03"),
    ]


def test_a_measured_chip_is_a_new_line_and_counts(tmp_path: Path) -> None:
    line = "  - {of: [mi300x], load: training, share: 0.9, year: '2026', source: olmo-impact}\n"
    text = ENERGY.replace("accelerator_power:\n", "accelerator_power:\n" + line)
    found = Energy(opened(tmp_path, "energy.yaml", text).table("energy"))
    share = found.accelerator_share("mi300x", "training")
    assert (share.value, share.kind) == (0.9, "measured")
    assert found.accelerator_share("mi325x", "training").kind == "assumption"


def test_every_source_is_used() -> None:
    for text in (ENERGY, CLAIMS):
        document = yaml.safe_load(text)
        body = text.split("\n\n", 1)[1] if text is ENERGY else text
        for name in document["sources"]:
            assert f"source: {name}" in body, name
