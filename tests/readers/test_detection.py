"""Which format a file is in: by what it holds, never by a guess, and open to other packages."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from readers.expected import EXPECTED, FILES

from costcalc import readers
from costcalc.errors import InputError
from costcalc.readers import registry
from costcalc.readers.registry import detect, reader
from costcalc.readers.source import Source


def source(text: str, name: str = "f") -> Source:
    return Source(name, text)


@pytest.mark.parametrize("name", EXPECTED)
def test_by_content_and_not_by_name(name: str) -> None:
    text = (FILES / name).read_text(encoding="utf-8")
    for disguise in ("f", "config.json", "train.yaml", "args.sh", "x.toml"):
        if disguise.endswith(".yaml") and text.lstrip().startswith("{"):
            continue  # YAML's flow style: covered below
        assert detect(source(text, disguise)) == EXPECTED[name]["format"]


@pytest.mark.parametrize("name", EXPECTED)
def test_exactly_one_reader_is_certain(name: str) -> None:
    found = Source.open(FILES / name)
    certain = []
    for format_name in registry.READERS:
        claim = reader(format_name).claim(found)
        if claim is not None and claim.certain:
            assert claim.keys
            certain.append(format_name)
    assert certain == [EXPECTED[name]["format"]]


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        # keys of TRL and of LLaMA-Factory in one file
        (
            "model_name_or_path: a/b\nper_device_train_batch_size: 1\nmax_seq_length: 1\n"
            "cutoff_len: 2\n",
            ("trl", "llamafactory"),
        ),
        # nothing but what both share: LLaMA-Factory would train LoRA, TRL all weights
        (
            "model_name_or_path: a/b\nper_device_train_batch_size: 1\nnum_train_epochs: 1\n",
            ("trl", "llamafactory"),
        ),
        (
            "base_model: a/b\nsequence_len: 1\nper_device_batch_size: 1\nmax_target_length: 9\n",
            ("axolotl", "maxtext"),
        ),
        (
            "resources: {accelerators: A100}\nbase_model: x\nsequence_len: 5\n",
            ("axolotl", "skypilot"),
        ),
    ],
)
def test_an_ambiguous_file_names_every_candidate(text: str, formats: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        detect(source(text))
    assert caught.value.key == "readers.ambiguous_file"
    assert caught.value.exit_status == 2
    for language in ("en", "es"):
        for name in formats:
            assert name in caught.value.message(language)
        assert "--as" in caught.value.message(language)


def test_as_decides_an_ambiguous_file(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.write_text(
        "model_name_or_path: a/b\nper_device_train_batch_size: 1\nnum_train_epochs: 1\n"
    )
    (trl,) = readers.understand([file], as_format="trl")
    (factory,) = readers.understand([file], as_format="LLaMA-Factory")
    assert trl.value("method") == "full"
    assert factory.value("method") == "lora"


@pytest.mark.parametrize("text", ["a: 1\n", "just text", "- 1\n- 2\n", "{}", "[1, 2]", ""])
def test_an_unknown_file_names_the_formats(text: str) -> None:
    with pytest.raises(InputError) as caught:
        detect(source(text))
    assert caught.value.key == "readers.unknown_file"
    for name in registry.READERS:
        assert name in caught.value.message("es")


def test_a_plan_is_told_to_be_one() -> None:
    with pytest.raises(InputError) as caught:
        detect(source("version: 1\nname: x\nworkloads: []\n"))
    assert caught.value.key == "readers.is_plan"


def test_a_wrong_format_name_gives_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        reader("axolot")
    assert caught.value.params["names"].split(", ")[0] == "axolotl"


@pytest.mark.parametrize("name", EXPECTED)
def test_a_wrong_as_ends_in_an_input_error_or_in_facts(name: str) -> None:
    for format_name in registry.READERS:
        try:
            (reading,) = readers.understand([FILES / name], as_format=format_name)
        except InputError as error:
            caught = error
        else:
            assert reading.format == format_name
            continue
        assert caught.exit_status == 2


def test_the_table_and_the_modules_agree() -> None:
    for name in registry.READERS:
        module = reader(name)
        assert name == module.NAME
        assert module.TITLE


def test_flow_style_yaml_named_so_is_read() -> None:
    text = "{resources: {accelerators: {A100: 8}}, num_nodes: 2}"
    assert detect(source(text, "task.yaml")) == "skypilot"
    with pytest.raises(InputError) as caught:
        detect(source(text, "task.json"))
    assert caught.value.key == "readers.json_syntax"


# -- readers of other packages ---------------------------------------------------------------------

MODULE = """
from costcalc.readers.claims import by_keys
from costcalc.readers.facts import Facts
from costcalc.readers.reading import Machine, Reading

NAME = "slurm"
TITLE = "Slurm YAML"


def claim(source):
    return by_keys(source.mapping, own=("slurm_gpus", "slurm_nodes"))


def read(source):
    facts = Facts(source.documents[0])
    gpus = facts.integer("per_node", "slurm_gpus")
    nodes = facts.integer("nodes", "slurm_nodes")
    machine = facts.at()
    machine.fact("chips", gpus * nodes, "slurm_gpus")
    machine.fact("accelerator", "h100", "slurm_gpus")
    return Reading(NAME, source.name, kind="machine", machines=(Machine("job", machine.found),))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with room for an installed package."""
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._foreign.cache_clear()
    yield tmp_path  # type: ignore[misc]
    registry._foreign.cache_clear()
    for name in ("slurm_reader", "broken_reader", "empty_reader"):
        sys.modules.pop(name, None)


def install(folder: Path, module: str, text: str, entry: str) -> None:
    """What pip leaves behind of a small package."""
    (folder / f"{module}.py").write_text(text)
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[costcalc.readers]\n{entry} = {module}\n")


def test_a_package_registers_a_reader(package: Path) -> None:
    install(package, "slurm_reader", MODULE, "slurm")
    file = package / "job.yaml"
    file.write_text("slurm_gpus: 8\nslurm_nodes: 4\n")
    assert "slurm" in registry.names()
    draft = readers.read([file])
    assert draft.formats == {str(file): "slurm"}
    assert draft.workloads[0].values == {"on": "h100:32"}
    (reading,) = readers.understand([file], as_format="slurm")
    assert reading.machines[0].value("chips") == 32


def test_the_reader_of_the_documentation_works(package: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "readers.md").read_text(encoding="utf-8")
    (module,) = re.findall(r'^```python\n("""Slurm.*?)^```$', page, re.MULTILINE | re.DOTALL)
    install(package, "slurm_reader", module, "slurm-yaml")
    file = package / "job.yaml"
    file.write_text("sbatch: true\ngpus_per_node: 8\nnodes: 4\ngpu_type: h200\n")
    draft = readers.read([file])
    assert draft.workloads[0].values == {"on": "h200:32"}
    assert {blank.key for _, blank in draft.blanks} == {"hours"}
    file.write_text("sbatch: true\ngpus_per_node: many\n")
    with pytest.raises(InputError) as caught:
        readers.read([file])
    assert "job.yaml:2, gpus_per_node" in caught.value.message("es")


def test_a_package_cannot_take_over_a_built_in_name(package: Path) -> None:
    install(package, "slurm_reader", MODULE, "axolotl")
    assert registry.names() == list(registry.READERS)
    assert reader("axolotl").TITLE == "axolotl"


@pytest.mark.parametrize(
    ("module", "text"),
    [("broken_reader", "import no_such_module_anywhere\n"), ("empty_reader", "NAME = 'x'\n")],
)
def test_a_broken_package_is_told_by_name(package: Path, module: str, text: str) -> None:
    install(package, module, text, "broken")
    with pytest.raises(InputError) as caught:
        reader("broken")
    assert caught.value.key == "readers.foreign_broken"
    assert "broken" in caught.value.message("es")
