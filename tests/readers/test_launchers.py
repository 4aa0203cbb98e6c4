"""Rules of SkyPilot, Kubernetes and Terraform, one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from costcalc import readers
from costcalc.catalog import Catalog
from costcalc.errors import InputError
from costcalc.readers.draft import Draft
from costcalc.readers.hardware_names import product, provider_of, region_of


def read(catalog: Catalog, tmp_path: Path, text: str, name: str = "f.yaml", **sets: Any) -> Draft:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return readers.read([path], catalog=catalog, sets=sets)


def codes(draft: Draft) -> set[str]:
    return {note.code for note in draft.notes}


# -- SkyPilot ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("resources", "nodes", "on"),
    [
        ("{accelerators: L4}", "", "l4:1"),
        ("{accelerators: 'A100:8'}", "num_nodes: 2", "a100-40gb:16"),
        ("{accelerators: A100-80GB:8}", "", "a100-80gb:8"),
        ("{accelerators: {H100: 8}}", "num_nodes: 4", "h100:32"),
        ("{accelerators: {H100: }}", "", "h100:1"),
        ("{accelerators: ['H200:8']}", "", "h200:8"),
        ("{gpus: B200:8}", "", "b200:8"),
        ("{accelerators: Trainium:16}", "", "trainium1:16"),
        ("{accelerators: Inferentia:12}", "", "inferentia2:12"),
        ("{accelerators: tpu-v5litepod-16}", "", "v5e-16"),
        ("{accelerators: tpu-v5p-8}", "num_nodes: 2", "v5p-8:2"),
        ("{accelerators: {tpu-v6e-8: 1}}", "", "v6e-8"),
        ("{instance_type: p5.48xlarge}", "num_nodes: 3", "p5.48xlarge:3"),
        ("{instance_type: p5.48xlarge, accelerators: H100:8}", "", "h100:8"),
    ],
)
def test_sky_accelerators(
    catalog: Catalog, tmp_path: Path, resources: str, nodes: str, on: str
) -> None:
    draft = read(catalog, tmp_path, f"resources: {resources}\n{nodes}\nrun: x\n")
    assert draft.workloads[0].values["on"] == on


@pytest.mark.parametrize(
    ("resources", "names"),
    [
        ("{accelerators: {A100:1, Inferentia:6}}", "a100-40gb:1, inferentia2:6"),
        ("{accelerators: {A100: 1, H100: 2}}", "a100-40gb:1, h100:2"),
        ("{any_of: [{accelerators: H100:8}, {accelerators: H200:8}]}", "h100:8, h200:8"),
        (
            "{accelerators: H100:8, any_of: [{use_spot: true}, {infra: aws/us-east-1}]}",
            "h100:8 spot, h100:8 aws/us-east-1",
        ),
    ],
)
def test_sky_alternatives_are_not_chosen(
    catalog: Catalog, tmp_path: Path, resources: str, names: str
) -> None:
    draft = read(catalog, tmp_path, f"resources: {resources}\n")
    (blank,) = [blank for _, blank in draft.blanks if blank.key == "on"]
    assert blank.params["names"] == names
    chosen = read(catalog, tmp_path, f"resources: {resources}\n", on="h100:8", hours="1h")
    assert not chosen.blanks


def test_sky_ordered_takes_the_first_and_says_so(catalog: Catalog, tmp_path: Path) -> None:
    for resources in (
        "{ordered: [{accelerators: H100:8, infra: gcp/us-east5}, {accelerators: A100:8}]}",
        "{accelerators: ['H100:8', 'A100:8']}",
    ):
        draft = read(catalog, tmp_path, f"resources: {resources}\n")
        assert draft.workloads[0].values["on"] == "h100:8"
        (note,) = [note for note in draft.notes if note.code == "read_first_taken"]
        assert "a100-40gb:8" in note.message("es")


@pytest.mark.parametrize(
    ("resources", "values"),
    [
        ("cloud: AWS, region: us-east-1", {"provider": "aws", "region": "us-east-1"}),
        ("infra: gcp/us-central1/us-central1-a", {"provider": "gcp", "region": "us-central1"}),
        ("infra: aws/*", {"provider": "aws"}),
        ("infra: k8s/my-context", {}),
        ("cloud: kubernetes", {}),
        ("cloud: gcp, zone: us-east5-a", {"provider": "gcp", "region": "us-east5"}),
        ("zone: mx-central-1a", {"region": "mx-central-1"}),
        ("use_spot: true", {"purchase": "spot"}),
        ("use_spot: no", {"purchase": "on-demand"}),
    ],
)
def test_sky_places_and_spot(
    catalog: Catalog, tmp_path: Path, resources: str, values: dict[str, str]
) -> None:
    draft = read(catalog, tmp_path, f"resources: {{accelerators: H100:8, {resources}}}\n")
    assert draft.workloads[0].values == {"on": "h100:8", **values}


def test_sky_pipeline_runs_every_task(catalog: Catalog, tmp_path: Path) -> None:
    text = (
        "name: pipeline\n---\nname: data\nresources: {cpus: 8}\nrun: x\n---\nname: train\n"
        "resources: {accelerators: H100:8}\nnum_nodes: 2\n---\nname: eval\n"
        "resources: {accelerators: L4:1}\n"
    )
    draft = read(catalog, tmp_path, text, hours=1)
    assert [(w.name, w.values["on"]) for w in draft.workloads] == [
        ("train", "h100:16"),
        ("eval", "l4:1"),
    ]


def test_sky_one_inferentia_may_be_either(catalog: Catalog, tmp_path: Path) -> None:
    draft = read(catalog, tmp_path, "resources: {accelerators: Inferentia}\n")
    (blank,) = [blank for _, blank in draft.blanks if blank.key == "on"]
    assert blank.reason == "readers.open_which_accelerator"


@pytest.mark.parametrize(
    "value", ["'A100:x'", "'A100:0'", "'A100:-1'", "':8'", "5", "[5]", "{A100: x}", "{A100: -2}"]
)
def test_sky_nonsense_names_the_key(catalog: Catalog, tmp_path: Path, value: str) -> None:
    with pytest.raises(InputError) as caught:
        read(catalog, tmp_path, f"# c\nresources:\n  accelerators: {value}\n")
    assert "f.yaml:3, resources.accelerators" in caught.value.message("en")


def test_sky_service_replicas_multiply(catalog: Catalog, tmp_path: Path) -> None:
    text = "resources: {accelerators: H100:8}\nnum_nodes: 2\nservice: {replicas: 3}\n"
    draft = read(catalog, tmp_path, text)
    assert draft.workloads[0].values["on"] == "h100:48"
    assert not draft.blanks  # a service has no end
    text = text.replace("replicas: 3", "replica_policy: {min_replicas: 2, max_replicas: 5}")
    draft = read(catalog, tmp_path, text)
    assert draft.workloads[0].values["on"] == "h100:32"
    assert "read_autoscaling" in codes(draft)


# -- Kubernetes --------------------------------------------------------------------------------

POD = "{containers: [{resources: {limits: {nvidia.com/gpu: %s}}}], nodeSelector: %s}"
H100 = "{cloud.google.com/gke-accelerator: nvidia-h100-80gb}"


def job(spec: str, pod: str = POD % (8, H100)) -> str:
    return (
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n"
        f"spec: {{{spec}template: {{spec: {pod}}}}}\n"
    )


def on(draft: Draft) -> Any:
    return draft.workloads[0].values.get("on")


@pytest.mark.parametrize(
    ("spec", "chips"),
    [
        ("", 8),
        ("parallelism: 4, completions: 4, ", 32),
        ("parallelism: 4, ", 32),
        ("completions: 6, ", 8),
        ("parallelism: 4, completions: 2, ", 16),
    ],
)
def test_kube_jobs(catalog: Catalog, tmp_path: Path, spec: str, chips: int) -> None:
    draft = read(catalog, tmp_path, job(spec))
    assert on(draft) == f"h100-sxm:{chips}"
    assert ("read_job_waves" in codes(draft)) == ("completions: 6" in spec)


@pytest.mark.parametrize(
    ("pod", "chips"),
    [
        ("{containers: [{resources: {limits: {nvidia.com/gpu: '4'}}}, "
         "{resources: {limits: {nvidia.com/gpu: 2}}}, {name: side}]}", 6),
        ("{containers: [{resources: {requests: {nvidia.com/gpu: 3}}}]}", 3),
        ("{initContainers: [{resources: {limits: {nvidia.com/gpu: 8}}}], "
         "containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}", 8),
        ("{initContainers: [{restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}], "
         "containers: [{resources: {limits: {nvidia.com/gpu: 2}}}]}", 3),
    ],
)  # fmt: skip
def test_kube_containers(catalog: Catalog, tmp_path: Path, pod: str, chips: int) -> None:
    draft = read(catalog, tmp_path, job("", pod), accelerator="h100")
    assert on(draft) == f"h100:{chips}"


@pytest.mark.parametrize(
    ("kind", "spec", "pods"),
    [
        ("apps/v1 Deployment", "{replicas: 3, template: {spec: POD}}", 3),
        ("apps/v1 StatefulSet", "{template: {spec: POD}}", 1),
        ("v1 Pod", "POD", 1),
        ("batch/v1 CronJob", "{jobTemplate: {spec: {parallelism: 2, template: {spec: POD}}}}", 2),
        (
            "jobset.x-k8s.io/v1alpha2 JobSet",
            "{replicatedJobs: [{replicas: 3, template: {spec: {parallelism: 2, template: "
            "{spec: POD}}}}, {template: {spec: {template: {spec: POD}}}}]}",
            7,
        ),
        (
            "ray.io/v1 RayCluster",
            "{headGroupSpec: {template: {spec: POD}}, workerGroupSpecs: [{replicas: 2, "
            "numOfHosts: 4, template: {spec: POD}}, {minReplicas: 1, template: {spec: POD}}]}",
            10,
        ),
        (
            "ray.io/v1 RayService",
            "{rayClusterConfig: {workerGroupSpecs: [{replicas: 2, template: {spec: POD}}]}}",
            2,
        ),
        (
            "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
            "{replicas: 2, leaderWorkerTemplate: {size: 4, workerTemplate: {spec: POD}}}",
            8,
        ),
        (
            "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
            "{replicas: 2, leaderWorkerTemplate: {size: 4, leaderTemplate: {spec: {containers: "
            "[{name: no-gpu}]}}, workerTemplate: {spec: POD}}}",
            6,
        ),
        (
            "kubeflow.org/v1 PyTorchJob",
            "{pytorchReplicaSpecs: {Master: {replicas: 1, template: {spec: POD}}, Worker: "
            "{replicas: 3, template: {spec: POD}}}}",
            4,
        ),
        ("v1 List", "", None),
    ],
)
def test_kube_multipliers(
    catalog: Catalog, tmp_path: Path, kind: str, spec: str, pods: int | None
) -> None:
    version, name = kind.split()
    if pods is None:
        item = job("parallelism: 2, ").replace("\n", "\n    ").rstrip()
        text = f"apiVersion: v1\nkind: List\nitems:\n  - {item}\n"
        pods = 2
    else:
        text = f"apiVersion: {version}\nkind: {name}\nmetadata: {{name: n}}\nspec: "
        text += spec.replace("POD", POD % (8, H100)) + "\n"
    draft = read(catalog, tmp_path, text)
    assert on(draft) == f"h100-sxm:{8 * pods}"


def test_kube_every_document_counts(catalog: Catalog, tmp_path: Path) -> None:
    other = job("parallelism: 2, ", POD % (1, "{cloud.google.com/gke-accelerator: nvidia-l4}"))
    draft = read(catalog, tmp_path, f"{job('')}---\n{other}---\n# nothing\n", hours=1)
    assert [(w.name, w.values["on"]) for w in draft.workloads] == [
        ("j", "h100-sxm:8"),
        ("j-2", "l4:2"),
    ]


@pytest.mark.parametrize(
    ("selector", "values"),
    [
        (
            "{cloud.google.com/gke-accelerator: nvidia-tesla-a100, "
            "cloud.google.com/gke-spot: 'true'}",
            {"on": "a100-40gb:8", "provider": "gcp", "purchase": "spot"},
        ),
        (
            "{cloud.google.com/gke-accelerator: nvidia-l4, topology.kubernetes.io/zone: "
            "us-central1-b}",
            {"on": "l4:8", "provider": "gcp", "region": "us-central1"},
        ),
        (
            "{node.kubernetes.io/instance-type: p5.48xlarge, karpenter.sh/capacity-type: spot, "
            "topology.kubernetes.io/region: us-east-1}",
            {
                "on": "p5.48xlarge",
                "provider": "aws",
                "region": "us-east-1",
                "purchase": "spot",
            },
        ),
        (
            "{nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}",
            {"on": "h100-sxm:8"},
        ),
        (
            "{kubernetes.azure.com/scalesetpriority: spot, nvidia.com/gpu.product: NVIDIA-H200}",
            {"on": "h200-sxm:8", "provider": "azure", "purchase": "spot"},
        ),
    ],
)
def test_kube_selectors(
    catalog: Catalog, tmp_path: Path, selector: str, values: dict[str, str]
) -> None:
    draft = read(catalog, tmp_path, job("", POD % (8, selector)))
    assert draft.workloads[0].values == values


def test_kube_required_affinity_counts_as_a_selector(catalog: Catalog, tmp_path: Path) -> None:
    rule = (
        "{containers: [{resources: {limits: {nvidia.com/gpu: 8}}}], affinity: {nodeAffinity: "
        "{requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: "
        "[{key: cloud.google.com/gke-accelerator, operator: In, values: [VALUES]}]}]}}}}"
    )
    draft = read(catalog, tmp_path, job("", rule.replace("VALUES", "nvidia-h100-80gb")))
    assert on(draft) == "h100-sxm:8"
    several = read(
        catalog, tmp_path, job("", rule.replace("VALUES", "nvidia-h100-80gb, nvidia-l4"))
    )
    assert on(several) is None


@pytest.mark.parametrize(
    ("limits", "selector", "chips"),
    [
        ("aws.amazon.com/neuron: 16", "trn1.32xlarge", "trn1.32xlarge"),
        ("aws.amazon.com/neurondevice: 4", "trn1.32xlarge", "trainium1:4"),
        ("aws.amazon.com/neuroncore: 8", "trn1.32xlarge", "trainium1:4"),
        ("aws.amazon.com/neuroncore: 3", "inf2.48xlarge", "inferentia2:2"),
    ],
)
def test_kube_neuron_cores_are_no_chips(
    catalog: Catalog, tmp_path: Path, limits: str, selector: str, chips: str
) -> None:
    pod = (
        f"{{containers: [{{resources: {{limits: {{{limits}}}}}}}], nodeSelector: "
        f"{{node.kubernetes.io/instance-type: {selector}}}}}"
    )
    assert on(read(catalog, tmp_path, job("", pod))) == chips


def test_kube_a_topology_that_does_not_divide(catalog: Catalog, tmp_path: Path) -> None:
    pod = (
        "{containers: [{resources: {limits: {google.com/tpu: 4}}}], nodeSelector: "
        "{cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice, "
        "cloud.google.com/gke-tpu-topology: 2x2x2}}"
    )
    right = read(catalog, tmp_path, job("parallelism: 2, ", pod))
    assert on(right) == "v5p-16"  # 8 chips, named after their 16 cores
    wrong = read(catalog, tmp_path, job("parallelism: 3, ", pod))
    assert on(wrong) == "tpu-v5p:12"
    assert "read_topology_differs" in codes(wrong)


def test_kube_oddities_are_said(catalog: Catalog, tmp_path: Path) -> None:
    differs = job("", "{containers: [{resources: {limits: {nvidia.com/gpu: 2}, requests: "
                  "{nvidia.com/gpu: 1}}}]}")  # fmt: skip
    assert "read_limit_differs" in codes(read(catalog, tmp_path, differs))
    mig = job("", "{containers: [{resources: {limits: {nvidia.com/mig-1g.5gb: 1}}}]}")
    assert "read_mig" in codes(read(catalog, tmp_path, mig))
    both = job("", "{containers: [{resources: {limits: {nvidia.com/gpu: 1, amd.com/gpu: 1}}}]}")
    with pytest.raises(InputError) as caught:
        read(catalog, tmp_path, both)
    assert caught.value.key == "readers.two_resources"
    template = job("parallelism: '{{ .Values.n }}', ")
    draft = read(catalog, tmp_path, template)
    assert on(draft) is None
    assert "read_pods_open" in codes(draft)


# -- Terraform ---------------------------------------------------------------------------------


def plan(*resources: dict[str, Any], **more: Any) -> str:
    return json.dumps(
        {
            "format_version": "1.2",
            "terraform_version": "1.9.8",
            "planned_values": {"root_module": {"resources": list(resources)}},
            **more,
        }
    )


def resource(kind: str, values: dict[str, Any], name: str = "x") -> dict[str, Any]:
    return {
        "address": f"{kind}.{name}",
        "mode": "managed",
        "type": kind,
        "name": name,
        "values": values,
    }


@pytest.mark.parametrize(
    ("kind", "values", "wanted"),
    [
        (
            "aws_instance",
            {"instance_type": "p5.48xlarge", "region": "mx-central-1"},
            {"on": "p5.48xlarge", "provider": "aws", "region": "mx-central-1"},
        ),
        (
            "aws_instance",
            {
                "instance_type": "p5.48xlarge",
                "availability_zone": "us-west-2d",
                "instance_market_options": [{"market_type": "spot"}],
            },
            {"on": "p5.48xlarge", "provider": "aws", "region": "us-west-2", "purchase": "spot"},
        ),
        (
            "aws_instance",
            {
                "instance_type": "p5.48xlarge",
                "availability_zone": "us-east-1a",
                "instance_market_options": [{"market_type": "capacity-block"}],
            },
            {
                "on": "p5.48xlarge",
                "provider": "aws",
                "region": "us-east-1",
                "purchase": "capacity-block",
            },
        ),
        (
            "aws_eks_node_group",
            {
                "instance_types": ["p4d.24xlarge"],
                "capacity_type": "SPOT",
                "region": "us-east-1",
                "scaling_config": [{"desired_size": 3, "min_size": 3, "max_size": 3}],
            },
            {"on": "p4d.24xlarge:3", "provider": "aws", "region": "us-east-1", "purchase": "spot"},
        ),
        (
            "aws_autoscaling_group",
            {
                "desired_capacity": 8,
                "availability_zones": ["us-east-1a"],
                "mixed_instances_policy": [
                    {
                        "instances_distribution": [
                            {
                                "on_demand_base_capacity": 0,
                                "on_demand_percentage_above_base_capacity": 0,
                            }
                        ],
                        "launch_template": [
                            {
                                "override": [
                                    {"instance_type": "p4d.24xlarge", "weighted_capacity": "4"}
                                ]
                            }
                        ],
                    }
                ],
            },
            # capacity counts units: two machines of four
            {"on": "p4d.24xlarge:2", "provider": "aws", "region": "us-east-1", "purchase": "spot"},
        ),
        (
            "google_compute_instance",
            {
                "machine_type": "a3-highgpu-8g",
                "zone": "us-east5-a",
                "scheduling": [{"preemptible": False, "provisioning_model": "SPOT"}],
            },
            {
                "on": "a3-highgpu-8g",
                "provider": "gcp",
                "region": "us-east5",
                "purchase": "spot",
            },
        ),
        (
            "google_container_node_pool",
            {
                "location": "us-central1",
                "node_count": 2,
                "node_locations": ["us-central1-a", "us-central1-b", "us-central1-c"],
                "node_config": [{"machine_type": "a3-highgpu-8g", "spot": True}],
            },
            # node_count counts per zone
            {
                "on": "a3-highgpu-8g:6",
                "provider": "gcp",
                "region": "us-central1",
                "purchase": "spot",
            },
        ),
        (
            "google_container_node_pool",
            {
                "location": "us-east5-a",
                "node_count": 16,
                "node_config": [{"machine_type": "ct5p-hightpu-4t", "spot": False}],
                "placement_policy": [{"type": "COMPACT", "tpu_topology": "4x4x4"}],
            },
            {
                "on": "ct5p-hightpu-4t:16",
                "provider": "gcp",
                "region": "us-east5",
                "purchase": "on-demand",
            },
        ),
        (
            "google_tpu_v2_vm",
            {
                "zone": "us-east5-a",
                "accelerator_config": [{"type": "V5P", "topology": "2x2x2"}],
                "scheduling_config": [],
            },
            {"on": "v5p-16", "provider": "gcp", "region": "us-east5"},
        ),
        (
            "google_tpu_v2_vm",
            {
                "zone": "us-west4-a",
                "accelerator_type": "v5litepod-16",
                "scheduling_config": [{"preemptible": True, "spot": False}],
            },
            {"on": "v5e-16", "provider": "gcp", "region": "us-west4", "purchase": "spot"},
        ),
        (
            "azurerm_linux_virtual_machine",
            {
                "size": "Standard_ND96isr_H200_v5",
                "location": "Mexico Central",
                "priority": "Regular",
            },
            {
                "on": "Standard_ND96isr_H200_v5",
                "provider": "azure",
                "region": "mexicocentral",
                "purchase": "on-demand",
            },
        ),
        (
            "azurerm_linux_virtual_machine_scale_set",
            {
                "sku": "Standard_ND96isr_H200_v5",
                "instances": 4,
                "location": "eastus",
                "priority": "Spot",
            },
            {
                "on": "Standard_ND96isr_H200_v5:4",
                "provider": "azure",
                "region": "eastus",
                "purchase": "spot",
            },
        ),
    ],
)
def test_terraform_resources(
    catalog: Catalog, tmp_path: Path, kind: str, values: dict[str, Any], wanted: dict[str, Any]
) -> None:
    draft = read(catalog, tmp_path, plan(resource(kind, values)), "plan.json")
    (workload,) = draft.workloads
    assert workload.values == wanted
    assert not draft.blanks  # machines stay up: no hours are needed


def test_terraform_unknown_until_apply(catalog: Catalog, tmp_path: Path) -> None:
    text = plan(
        resource("aws_eks_node_group", {"scaling_config": [{"desired_size": 2}]}, "a"),
        resource("aws_eks_node_group", {"instance_types": ["p5.48xlarge"]}, "b"),
        resource_changes=[
            {
                "address": "aws_eks_node_group.a",
                "change": {"actions": ["create"], "after_unknown": {"instance_types": True}},
            }
        ],
    )
    draft = read(catalog, tmp_path, text, "plan.json")
    assert codes(draft) == {"read_unknown_until_apply", "read_not_given"}
    (workload,) = draft.workloads
    assert workload.name == "aws_eks_node_group.b"
    assert workload.blanks["on"].reason == "readers.open_how_many"


def configuration(region: Any, variables: Any = None, calls: Any = None) -> dict[str, Any]:
    root: dict[str, Any] = {}
    if variables:
        root["variables"] = variables
    if calls:
        root["module_calls"] = calls
    return {
        "provider_config": {"aws": {"name": "aws", "expressions": {"region": region}}},
        "root_module": root,
    }


@pytest.mark.parametrize(
    ("config", "variables", "region"),
    [
        (configuration({"constant_value": "us-east-2"}), {}, "us-east-2"),
        (
            configuration({"references": ["var.region"]}),
            {"region": {"value": "mx-central-1"}},
            "mx-central-1",
        ),
        (
            configuration({"references": ["var.region"]}, {"region": {"default": "eu-west-1"}}),
            {},
            "eu-west-1",
        ),
        (configuration({"references": ["data.aws_region.current.name"]}), {}, None),
        (configuration({"references": ["var.a"]}, {"a": {"default": None}}), {}, None),
    ],
)
def test_terraform_regions_through_variables(
    catalog: Catalog,
    tmp_path: Path,
    config: dict[str, Any],
    variables: dict[str, Any],
    region: str | None,
) -> None:
    text = plan(
        resource("aws_instance", {"instance_type": "p5.48xlarge"}),
        variables=variables,
        configuration=config,
    )
    draft = read(catalog, tmp_path, text, "plan.json")
    assert draft.workloads[0].values.get("region") == region
    assert ("read_not_given" in codes(draft)) == (region is None)


def test_terraform_a_module_that_passes_its_variable_on(catalog: Catalog, tmp_path: Path) -> None:
    """module.a calls module.b with region = var.region; b's resource is priced there."""
    inner = resource("aws_instance", {"instance_type": "p5.48xlarge"})
    inner["address"] = "module.a.module.b.aws_instance.x"
    text = json.dumps(
        {
            "format_version": "1.2",
            "terraform_version": "1.9.8",
            "planned_values": {
                "root_module": {
                    "child_modules": [
                        {
                            "address": "module.a",
                            "child_modules": [
                                {"address": "module.a.module.b", "resources": [inner]}
                            ],
                        }
                    ]
                }
            },
            "variables": {"where": {"value": "us-west-2"}},
            "configuration": {
                "provider_config": {
                    "module.a:aws": {
                        "name": "aws",
                        "module_address": "module.a",
                        "expressions": {"region": {"references": ["var.region"]}},
                    }
                },
                "root_module": {
                    "module_calls": {
                        "a": {
                            "expressions": {"region": {"references": ["var.where"]}},
                            "module": {
                                "variables": {"region": {}},
                                "module_calls": {"b": {"module": {"resources": []}}},
                            },
                        }
                    }
                },
            },
        }
    )
    draft = read(catalog, tmp_path, text, "plan.json")
    assert draft.workloads[0].values["region"] == "us-west-2"


def test_terraform_counts_and_for_each_are_one_workload(catalog: Catalog, tmp_path: Path) -> None:
    def copies(index: Any, region: str = "us-east-1") -> dict[str, Any]:
        found = resource("aws_instance", {"instance_type": "p5.48xlarge", "region": region})
        found["address"] = f"aws_instance.x[{json.dumps(index)}]"
        return found

    text = plan(copies(0), copies(1), copies("a"), copies("b", "us-west-2"))
    draft = read(catalog, tmp_path, text, "plan.json")
    assert [(w.name, w.values["on"]) for w in draft.workloads] == [
        ("aws_instance.x", "p5.48xlarge:3"),
        ('aws_instance.x["b"]', "p5.48xlarge"),
    ]


def test_terraform_launch_templates_and_instance_groups(catalog: Catalog, tmp_path: Path) -> None:
    text = plan(
        resource("aws_autoscaling_group", {"desired_capacity": 2, "region": "us-east-1"}, "g"),
        resource(
            "aws_launch_template",
            {
                "instance_type": "p5.48xlarge",
                "instance_market_options": [{"market_type": "spot"}],
            },
            "t",
        ),
        resource(
            "google_compute_instance_group_manager",
            {"target_size": 3, "zone": "us-central1-a"},
            "m",
        ),
        resource(
            "google_compute_instance_template",
            {
                "machine_type": "n1-standard-8",
                "guest_accelerator": [{"type": "nvidia-tesla-v100", "count": 4}],
                "scheduling": [{"preemptible": True}],
            },
            "i",
        ),
        configuration={
            "root_module": {
                "resources": [
                    {
                        "address": "aws_autoscaling_group.g",
                        "expressions": {
                            "launch_template": [
                                {"id": {"references": ["aws_launch_template.t.id"]}}
                            ]
                        },
                    },
                    {
                        "address": "google_compute_instance_group_manager.m",
                        "expressions": {
                            "version": [
                                {
                                    "instance_template": {
                                        "references": ["google_compute_instance_template.i"]
                                    }
                                }
                            ]
                        },
                    },
                ]
            }
        },
    )
    draft = read(catalog, tmp_path, text, "plan.json")
    assert [w.values for w in draft.workloads] == [
        {"on": "p5.48xlarge:2", "provider": "aws", "region": "us-east-1", "purchase": "spot"},
        {"on": "v100:12", "provider": "gcp", "region": "us-central1", "purchase": "spot"},
    ]


def test_terraform_mixed_purchase_and_autoscaling_are_said(
    catalog: Catalog, tmp_path: Path
) -> None:
    text = plan(
        resource(
            "aws_eks_node_group",
            {
                "instance_types": ["p5.48xlarge", "p5e.48xlarge"],
                "region": "us-east-1",
                "scaling_config": [{"desired_size": 2, "min_size": 0, "max_size": 9}],
            },
        )
    )
    draft = read(catalog, tmp_path, text, "plan.json")
    assert codes(draft) == {"read_several_types", "read_autoscaling"}
    assert on(draft) == "p5.48xlarge:2"


def test_terraform_state_without_a_plan_is_refused(catalog: Catalog, tmp_path: Path) -> None:
    text = json.dumps({"format_version": "1.0", "terraform_version": "1.9.8", "values": {}})
    with pytest.raises(InputError) as caught:
        read(catalog, tmp_path, text, "state.json")
    assert caught.value.key == "readers.terraform_no_plan"
    assert "terraform show -json" in caught.value.message("es")


def test_terraform_an_unknown_accelerator_machine_is_kept(catalog: Catalog, tmp_path: Path) -> None:
    text = plan(resource("aws_instance", {"instance_type": "p9.metal", "region": "us-east-1"}))
    draft = read(catalog, tmp_path, text, "plan.json")
    assert on(draft) == "p9.metal"  # quoting says that the catalog does not know it
    with pytest.raises(InputError):
        catalog.hardware("p9.metal")


# -- names -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "region"),
    [
        ("us-east-1a", "us-east-1"),
        ("mx-central-1b", "mx-central-1"),
        ("us-gov-west-1a", "us-gov-west-1"),
        ("us-central1-c", "us-central1"),
        ("northamerica-south1-a", "northamerica-south1"),
        ("us-east5", "us-east5"),
        ("mexicocentral", "mexicocentral"),
        ("weird", "weird"),
    ],
)
def test_zones(zone: str, region: str) -> None:
    assert region_of(zone) == region


@pytest.mark.parametrize(
    ("label", "accelerator"),
    [
        ("NVIDIA-A100-SXM4-40GB", "a100-40gb"),
        ("NVIDIA-A100-SXM4-80GB", "a100-80gb"),
        ("NVIDIA-A100-80GB-PCIe", "a100-80gb-pcie"),
        ("NVIDIA-H100-80GB-HBM3", "h100-sxm"),
        ("NVIDIA-H100-PCIe", "h100-pcie"),
        ("NVIDIA-H100-NVL", "h100-nvl"),
        ("NVIDIA-H200", "h200-sxm"),
        ("NVIDIA-GH200-480GB", "gh200"),
        ("NVIDIA-B200", "b200"),
        ("NVIDIA-GB200", "gb200"),
        ("NVIDIA-L40S", "l40s"),
        ("NVIDIA-L4", "l4"),
        ("NVIDIA-A10G", "a10g"),
        ("AMD_Instinct_MI300X_OAM", "mi300x"),
        ("SOMETHING-NEW", "something-new"),
    ],
)
def test_product_labels(label: str, accelerator: str) -> None:
    assert product(label) == accelerator


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        ("p5.48xlarge", "aws"),
        ("u7i-12tb.224xlarge", "aws"),
        ("a3-highgpu-8g", "gcp"),
        ("ct5p-hightpu-4t", "gcp"),
        ("tpu7x-standard-4t", "gcp"),
        ("Standard_ND96isr_H200_v5", "azure"),
        ("BM.GPU.MI300X.8", "oci"),
        ("big-machine", None),
    ],
)
def test_whose_machine_types(name: str, provider: str | None) -> None:
    assert provider_of(name) == provider


# -- services ----------------------------------------------------------------------------------

TPU = (
    "{containers: [{resources: {limits: {google.com/tpu: 4}}}], nodeSelector: "
    "{cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: %s}}"
)
POD_8 = POD % (8, H100)


def manifest(kind: str, spec: str) -> str:
    version = "apps/v1" if kind != "LeaderWorkerSet" else "leaderworkerset.x-k8s.io/v1"
    return f"apiVersion: {version}\nkind: {kind}\nmetadata: {{name: n}}\nspec: {spec}\n"


@pytest.mark.parametrize(
    ("text", "whole", "one", "replicas"),
    [
        (
            "resources: {accelerators: H100:8}\nnum_nodes: 2\nservice: {replicas: 3}\n",
            "h100:48",
            "h100:16",
            3,
        ),
        (
            "resources: {instance_type: p5.48xlarge}\nservice: {replicas: 3}\n",
            "p5.48xlarge:3",
            "p5.48xlarge",
            3,
        ),
        (
            "resources: {accelerators: tpu-v6e-8}\nservice: {replicas: 2}\n",
            "v6e-8:2",
            "v6e-8",
            2,
        ),
        (
            "resources: {accelerators: H100:1}\n"
            "service: {replica_policy: {min_replicas: 2, max_replicas: 5}}\n",
            "h100:2",
            "h100:1",
            None,
        ),
        (
            "resources: {accelerators: H100:1}\nservice: {replica_policy: {min_replicas: 2}}\n",
            "h100:2",
            "h100:1",
            2,
        ),
        ("resources: {accelerators: H100:1}\nservice: {port: 80}\n", "h100:1", "h100:1", None),
        (
            manifest("Deployment", f"{{replicas: 3, template: {{spec: {POD_8}}}}}"),
            "h100-sxm:24",
            "h100-sxm:8",
            3,
        ),
        (
            manifest("Deployment", f"{{template: {{spec: {POD_8}}}}}"),
            "h100-sxm:8",
            "h100-sxm:8",
            None,
        ),
        (
            manifest("StatefulSet", f"{{replicas: $N, template: {{spec: {POD_8}}}}}"),
            None,
            "h100-sxm:8",
            None,
        ),
        (
            manifest(
                "LeaderWorkerSet",
                f"{{replicas: 2, leaderWorkerTemplate: {{size: 3, leaderTemplate: {{spec: {POD_8}"
                f"}}, workerTemplate: {{spec: {POD_8}}}}}}}",
            ),
            "h100-sxm:48",
            "h100-sxm:24",
            2,
        ),
        (
            manifest(
                "LeaderWorkerSet",
                f"{{replicas: 2, leaderWorkerTemplate: {{size: 2, workerTemplate: {{spec: "
                f"{TPU % '2x4'}}}}}}}",
            ),
            "v6e-8:2",
            "v6e-8",
            2,
        ),
        # leader and workers share one slice
        (
            manifest(
                "LeaderWorkerSet",
                f"{{replicas: 2, leaderWorkerTemplate: {{size: 2, leaderTemplate: {{spec: "
                f"{TPU % '2x4'}}}, workerTemplate: {{spec: {TPU % '2x4'}}}}}}}",
            ),
            "v6e-8:2",
            "v6e-8",
            2,
        ),
        (
            manifest("Deployment", f"{{replicas: 3, template: {{spec: {TPU % '2x2'}}}}}"),
            "v6e-4:3",
            "v6e-4",
            3,
        ),
    ],
)
def test_on_of_a_service_is_one_replica(
    catalog: Catalog, tmp_path: Path, text: str, whole: str | None, one: str, replicas: int | None
) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(text, encoding="utf-8")
    machine = readers.read([path], catalog=catalog)
    assert machine.workloads[0].values.get("on") == whole
    draft = readers.read([path], catalog=catalog, kind="serve", sets={"model": "llama-3.1-8b"})
    values = draft.workloads[0].values
    assert (values.get("on"), values.get("replicas")) == (one, replicas)
    assert not draft.blanks
    assert not codes(draft) & {"read_autoscaling", "read_pods_open", "read_topology_differs"}


def test_alternatives_of_a_service_keep_its_replicas(catalog: Catalog, tmp_path: Path) -> None:
    text = "resources: {accelerators: {A100:1, H100:1}}\nservice: {replicas: 2}\n"
    path = tmp_path / "f.yaml"
    path.write_text(text, encoding="utf-8")
    sets = {"model": "llama-3.1-8b"}
    draft = readers.read([path], catalog=catalog, kind="serve", sets=sets)
    assert list(draft.workloads[0].blanks) == ["on"]
    draft = readers.read([path], catalog=catalog, kind="serve", sets=sets | {"on": "h200:1"})
    values = draft.workloads[0].values
    assert (values["on"], values["replicas"]) == ("h200:1", 2)
    assert "read_accelerator_meaning" not in codes(draft)
