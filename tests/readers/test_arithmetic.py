"""What is computed from a file's numbers holds for any numbers."""

from __future__ import annotations

import json
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from costcalc import safeyaml
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.readers.assemble import Assembly
from costcalc.readers.draft import Draft, Workload, comment, scalar
from costcalc.readers.pod_selectors import topology_chips
from costcalc.readers.registry import read_source
from costcalc.readers.source import Source

COUNT = st.integers(1, 64)


def drafted(text: str, catalog: Catalog, **sets: Any) -> Draft:
    return Assembly([read_source(Source("f", text))], catalog, sets).draft(None, None)


@given(COUNT, COUNT, st.integers(1, 500), st.integers(1, 10**6), st.integers(1, 4096))
def test_tokens_of_a_fine_tuning_run(
    catalog: Catalog, micro: int, accumulation: int, chips: int, steps: int, seq_len: int
) -> None:
    text = (
        f"base_model: mistralai/Mistral-7B-v0.1\nsequence_len: {seq_len}\nmax_steps: {steps}\n"
        f"micro_batch_size: {micro}\ngradient_accumulation_steps: {accumulation}\nbf16: true\n"
        "sample_packing: true\n"
    )
    values = drafted(text, catalog, on=f"h100:{chips}").workloads[0].values
    assert values["global_batch"] == micro * accumulation * chips * seq_len
    assert values["tokens"] == steps * values["global_batch"]


@given(COUNT, COUNT, COUNT, COUNT, COUNT, st.integers(1, 8192))
def test_model_parallel_ranks_share_their_sequences(
    catalog: Catalog, tensor: int, pipeline: int, context: int, data: int, micro: int, seq: int
) -> None:
    text = (
        f'[model]\nname = "llama3"\nflavor = "8B"\n[training]\nlocal_batch_size = {micro}\n'
        f"seq_len = {seq}\nsteps = 3\n[parallelism]\ntensor_parallel_degree = {tensor}\n"
        f"pipeline_parallel_degree = {pipeline}\ncontext_parallel_degree = {context}\n"
        f"data_parallel_replicate_degree = 1\ndata_parallel_shard_degree = {data}\n"
    )
    draft = drafted(text, catalog)
    facts = {fact.name: fact.value for fact in draft.facts}
    assert facts["chips"] == tensor * pipeline * context * data
    assert draft.workloads[0].values["global_batch"] == data * micro * seq


@given(st.floats(0.01, 64), COUNT, st.integers(1, 8192), st.sampled_from((4, 8, 16, 256)))
def test_maxtext_truncates_as_maxtext_does(
    catalog: Catalog, micro: float, accumulation: int, seq_len: int, chips: int
) -> None:
    text = (
        f"model_name: llama3.1-8b\ncompile_topology: v6e-{chips}\nsteps: 2\n"
        f"per_device_batch_size: {micro!r}\ngradient_accumulation_steps: {accumulation}\n"
        f"max_target_length: {seq_len}\ndtype: bfloat16\n"
    )
    values = drafted(text, catalog).workloads[0].values
    sequences = int(chips * micro) * accumulation
    assert values.get("global_batch") == (sequences * seq_len if sequences else None)


@given(st.integers(1, 1000), COUNT, st.integers(1, 16), st.integers(1, 3))
def test_jobset_multiplies(
    catalog: Catalog, replicas: int, parallelism: int, per_pod: int, containers: int
) -> None:
    pod = {
        "nodeSelector": {"cloud.google.com/gke-accelerator": "nvidia-h100-80gb"},
        "containers": [{"resources": {"limits": {"nvidia.com/gpu": per_pod}}}] * containers,
    }
    job = {"spec": {"parallelism": parallelism, "template": {"spec": pod}}}
    text = json.dumps(
        {
            "apiVersion": "jobset.x-k8s.io/v1alpha2",
            "kind": "JobSet",
            "spec": {"replicatedJobs": [{"replicas": replicas, "template": job}]},
        }
    )
    wanted = replicas * parallelism * per_pod * containers
    assert drafted(text, catalog).workloads[0].values["on"] == f"h100-sxm:{wanted}"


@given(st.lists(st.integers(0, 32), min_size=2, max_size=3))
def test_topologies_count_chips(sides: list[int]) -> None:
    product = 1
    for side in sides:
        product *= side
    assert topology_chips("x".join(map(str, sides))) == (product or None)


@given(st.text() | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_scalar_is_read_back_by_every_yaml(value: Any) -> None:
    text = f"a: {scalar(value)}\n"
    if isinstance(value, str) and any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        return
    try:
        ours = safeyaml.load(text, "f").data["a"]
    except InputError as error:
        # numbers longer than any calculation uses are refused, not misread
        assert error.key == "safeyaml.number"  # noqa: PT017
        return
    assert ours == value
    assert isinstance(ours, str) == isinstance(value, str)
    theirs = yaml.safe_load(text)["a"]
    if isinstance(value, str):
        assert theirs == value
    elif isinstance(theirs, str):  # YAML 1.1 wants a point and a sign in an exponent
        assert float(theirs) == value


@given(st.text(), st.text(max_size=40))
@settings(max_examples=200)
def test_nothing_escapes_from_a_comment(text: str, name: str) -> None:
    line = f"a: 1  # {comment(text)}\n"
    assert yaml.safe_load(line) == {"a": 1}
    draft = Draft("p", (Workload(name, "machine", {"on": name}),))
    clean = "".join(c for c in draft.yaml("en") if not 0xD800 <= ord(c) <= 0xDFFF)
    if not any(0xD800 <= ord(c) <= 0xDFFF for c in name):
        assert yaml.safe_load(clean)["workloads"][0]["name"] == name
