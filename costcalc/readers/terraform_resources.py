"""Resource types of a Terraform plan that stand for machines, each with its own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from costcalc.notices import Notice, notice
from costcalc.readers import hardware_names
from costcalc.readers.facts import Facts, child, clean, dotted, entries, items
from costcalc.readers.pod_selectors import topology_chips
from costcalc.readers.reading import Fact
from costcalc.readers.terraform_config import Configuration

Found = dict[str, Fact]


@dataclass(slots=True)
class Resource:
    """A resource of the plan.

    Attributes:
        facts: its values. raw: its entry (address, type).
        unknown: arguments that are known only after the apply.
    """

    facts: Facts
    raw: Mapping[str, Any]
    unknown: Mapping[str, Any] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """Where it is, `module.gke.google_container_node_pool.a3`."""
        return clean(str(self.raw.get("address") or self.raw.get("type")), 200)

    @property
    def type(self) -> str:
        """Its type, `aws_instance`."""
        return str(self.raw.get("type"))


class Context:
    """What the rules of a resource type may look at besides the resource."""

    def __init__(
        self,
        resource: Resource,
        configuration: Configuration,
        everything: Mapping[str, Resource],
        notes: list[Notice],
    ) -> None:
        self.resource, self.configuration, self.notes = resource, configuration, notes
        self.everything = everything
        self.facts = resource.facts

    def open(self, *path: str | int) -> None:
        """Say that an argument is known only after the apply, or not given."""
        later = any(
            child(self.resource.unknown, *path[:length]) is True
            for length in range(1, len(path) + 1)
        )
        note = "read_unknown_until_apply" if later else "read_not_given"
        self.notes.append(notice(note, address=self.resource.address, at=dotted(path)))

    def linked(self, *path: str | int) -> Resource | None:
        """The resource that an argument refers to in the configuration."""
        for address in self.configuration.referenced(self.resource.address, *path):
            if address in self.everything:
                return self.everything[address]
        return None

    def place(self, provider: str, *zone_keys: str, region_keys: tuple[str, ...] = ()) -> None:
        """`provider` and `region`, from the resource or from its provider's configuration."""
        self.facts.fact("provider", _PROVIDERS[provider], key=self.resource.type)
        for key in region_keys:
            if self.facts.text("region", key) is not None:
                return
        for key in zone_keys:
            value = self.facts.raw(key)
            if isinstance(value, str) and value:
                region = hardware_names.region_of(clean(value, 60), _PROVIDERS[provider])
                self.facts.fact("region", region, key)
                return
        found = self.configuration.provider_region(self.resource.address, provider)
        if found is not None:
            self.facts.fact("region", clean(found[0], 60), key=found[1])
        else:
            self.open("region")

    def instance(self, text: str | None, key: tuple[str | int, ...], count: int | None) -> bool:
        """`instance_type` and `instances`; False when the machine has no accelerator."""
        if text is None:
            self.open(*key)
            return False
        known = hardware_names.is_accelerated(text)
        if not known and "accelerator" not in self.facts.found:
            self.notes.append(
                notice("read_no_accelerator", address=self.resource.address, name=text)
            )
            return False
        self.facts.fact("instance_type", text, *key)
        if count is None:
            self.open("count")
        elif "instances" not in self.facts.found:
            self.facts.default("instances", count, self.resource.type)
        return True

    def spot(self, on: bool, *key: str | int) -> None:
        """`purchase` from a spot switch."""
        self.facts.fact("purchase", "spot" if on else "on-demand", *key)


_PROVIDERS = {"aws": "aws", "google": "gcp", "azurerm": "azure", "oci": "oci"}


def read(
    resource: Resource,
    configuration: Configuration,
    everything: Mapping[str, Resource],
    notes: list[Notice],
) -> Found | None:
    """The machines of a resource, None when it is none or has no accelerator."""
    rule = _RULES.get(resource.type)
    if rule is None:
        return None
    context = Context(resource, configuration, everything, notes)
    if not rule(context):
        return None
    if resource.facts.found.get("instances") and resource.facts.found["instances"].value == 0:
        return None
    found = dict(resource.facts.found)
    for name in ("label", "count"):
        found.pop(name, None)
    return found


def _text(facts: Facts, *path: str | int) -> str | None:
    value = facts.raw(*path)
    return clean(value, 100) or None if isinstance(value, str) else None


def _aws_instance(c: Context) -> bool:
    if not c.instance(_text(c.facts, "instance_type"), ("instance_type",), 1):
        return False
    c.place("aws", "availability_zone", region_keys=("region",))
    market = _text(c.facts, "instance_market_options", 0, "market_type")
    if c.resource.type == "aws_spot_instance_request" or market == "spot":
        c.spot(True, "instance_market_options", 0, "market_type")
    elif market == "capacity-block":
        c.facts.fact("purchase", "capacity-block", "instance_market_options", 0, "market_type")
    return True


def _aws_node_group(c: Context) -> bool:
    types = c.facts.raw("instance_types")
    names = (
        [clean(item, 60) for item in types if isinstance(item, str)]
        if isinstance(types, list)
        else []
    )
    if len(names) > 1:
        c.notes.append(
            notice("read_several_types", address=c.resource.address, names=", ".join(names[:6]))
        )
    key: tuple[str | int, ...] = ("instance_types", 0)
    name = names[0] if names else None
    if name is None:
        template = c.linked("launch_template", 0, "id") or c.linked("launch_template", 0, "name")
        if template is not None:
            name = _text(template.facts, "instance_type")
            key = ("launch_template",)
    count = c.facts.integer("instances", "scaling_config", 0, "desired_size", low=0, high=10**6)
    if not c.instance(name, key, count):
        return False
    c.place("aws", region_keys=("region",))
    capacity = _text(c.facts, "capacity_type")
    if capacity is not None:
        word = {"SPOT": "spot", "CAPACITY_BLOCK": "capacity-block"}.get(capacity, "on-demand")
        c.facts.fact("purchase", word, "capacity_type")
    _autoscaling(c, ("scaling_config", 0, "min_size"), ("scaling_config", 0, "max_size"))
    return True


def _autoscaling(
    c: Context, low_key: tuple[str | int, ...], high_key: tuple[str | int, ...]
) -> None:
    part = c.facts.at()
    low = part.integer("low", *low_key, low=0, high=10**6)
    high = part.integer("high", *high_key, low=0, high=10**6)
    if low is not None and high is not None and low != high:
        key = f"{c.resource.address} {high_key[-1]}"
        c.notes.append(notice("read_autoscaling", at=key, low=low, high=high))


def _aws_autoscaling(c: Context) -> bool:
    count = c.facts.integer("instances", "desired_capacity", low=0, high=10**6)
    if count is None:
        count = c.facts.integer("instances", "min_size", low=0, high=10**6)
    policy: tuple[str | int, ...] = ("mixed_instances_policy", 0, "launch_template", 0)
    name = _text(c.facts, *policy, "override", 0, "instance_type")
    key: tuple[str | int, ...] = (*policy, "override", 0, "instance_type")
    source: Resource | None = None
    if name is None:
        for link in (
            ("launch_template", 0, "id"),
            ("launch_template", 0, "name"),
            ("launch_configuration",),
            (*policy, "launch_template_specification", 0, "launch_template_id"),
        ):
            source = c.linked(*link)
            if source is not None:
                name, key = _text(source.facts, "instance_type"), link
                break
    else:
        types = [
            clean(str(child(item, "instance_type")), 40)
            for _, item in items(c.facts.raw(*policy, "override"), 20)
        ]
        if len(types) > 1:
            c.notes.append(
                notice("read_several_types", address=c.resource.address, names=", ".join(types))
            )
    weight = c.facts.at()
    weight.integer("weight", *policy, "override", 0, "weighted_capacity", high=10**4)
    units = weight.found.get("weight")
    if units is not None and count is not None:
        # with weights the capacity counts units, and each machine brings several
        count = -(-count // int(units.value))
        c.facts.fact("instances", count, key=f"desired_capacity / {units.key}")
    if not c.instance(name, key, count):
        return False
    zones = c.facts.raw("availability_zones")
    if isinstance(zones, list) and zones and isinstance(zones[0], str):
        c.facts.fact("provider", "aws", key=c.resource.type)
        region = hardware_names.region_of(clean(zones[0], 60), "aws")
        c.facts.fact("region", region, "availability_zones", 0)
    else:
        c.place("aws", region_keys=("region",))
    _spot_of_template(c, source, policy)
    _autoscaling(c, ("min_size",), ("max_size",))
    return True


def _spot_of_template(c: Context, source: Resource | None, policy: tuple[str | int, ...]) -> None:
    share = c.facts.raw(
        "mixed_instances_policy",
        0,
        "instances_distribution",
        0,
        "on_demand_percentage_above_base_capacity",
    )
    base = c.facts.raw(
        "mixed_instances_policy", 0, "instances_distribution", 0, "on_demand_base_capacity"
    )
    if isinstance(share, int | float) and share < 100:
        if share == 0 and not base:
            c.facts.fact("purchase", "spot", "mixed_instances_policy")
        else:
            c.notes.append(notice("read_mixed_purchase", address=c.resource.address))
    elif source is not None:
        market = _text(source.facts, "instance_market_options", 0, "market_type")
        if market == "spot" or _text(source.facts, "spot_price"):
            c.facts.fact("purchase", "spot", key=f"{source.address}.instance_market_options")


def _guest_accelerators(c: Context, *path: str | int) -> bool:
    """Accelerators that are attached to a machine of Google Cloud; chips of one machine."""
    kind = _text(c.facts, *path, "guest_accelerator", 0, "type")
    if not kind:
        return False
    name = kind.rpartition("/")[2].lower()
    accelerator = hardware_names.GKE_GPUS.get(name, name.removeprefix("nvidia-"))
    c.facts.fact("accelerator", accelerator, *path, "guest_accelerator", 0, "type")
    part = c.facts.at()
    count = part.integer("count", *path, "guest_accelerator", 0, "count", low=1, high=10**4)
    if count is not None:
        c.facts.fact("chips_per_node", count, *path, "guest_accelerator", 0, "count")
    return True


def _multiply_chips(c: Context) -> None:
    per = c.facts.found.get("chips_per_node")
    instances = c.facts.found.get("instances")
    if per is not None and instances is not None:
        c.facts.fact(
            "chips", int(per.value) * int(instances.value), key=f"{per.key} x {instances.key}"
        )


def _google_instance(c: Context) -> bool:
    _guest_accelerators(c)
    if not c.instance(_text(c.facts, "machine_type"), ("machine_type",), 1):
        return False
    c.place("google", "zone", "region")
    _google_spot(c, "scheduling", 0)
    _multiply_chips(c)
    return True


def _google_spot(c: Context, *path: str | int) -> None:
    model = _text(c.facts, *path, "provisioning_model")
    for key in ("spot", "preemptible"):
        value = c.facts.raw(*path, key)
        if isinstance(value, bool) and (value or "purchase" not in c.facts.found):
            c.spot(value, *path, key)
            if value:
                return
    if model is not None and model.upper() == "SPOT":
        c.spot(True, *path, "provisioning_model")
    elif model is not None and model.upper() == "FLEX_START":
        c.facts.fact("purchase", "flex-start", *path, "provisioning_model")


def _google_node_pool(c: Context) -> bool:
    if not entries(c.facts.raw("node_config", 0)) and c.facts.raw("machine_type") is None:
        return False
    _guest_accelerators(c, "node_config", 0)
    count = _google_nodes(c)
    name = _text(c.facts, "node_config", 0, "machine_type")
    if not c.instance(name, ("node_config", 0, "machine_type"), count):
        return False
    c.place("google", "location", "zone", "region")
    _google_spot(c, "node_config", 0)
    if c.facts.raw("node_config", 0, "flex_start") is True:
        c.facts.fact("purchase", "flex-start", "node_config", 0, "flex_start")
    topology = _text(c.facts, "placement_policy", 0, "tpu_topology")
    if topology is not None and topology_chips(topology):
        c.facts.fact("topology", topology, "placement_policy", 0, "tpu_topology")
    _multiply_chips(c)
    return True


def _google_nodes(c: Context) -> int | None:
    """Nodes of a pool: `node_count` counts per zone."""
    zones_given = c.facts.raw("node_locations")
    location = _text(c.facts, "location") or ""
    zones = len(zones_given) if isinstance(zones_given, list) and zones_given else 1
    regional = location and hardware_names.region_of(location, "gcp") == location
    key = next(
        (
            key
            for key in ("node_count", "initial_node_count")
            if isinstance(c.facts.raw(key), int | float | str)
        ),
        None,
    )
    part = c.facts.at()
    if key is None:
        _google_autoscaling_only(c)
        total = part.integer("count", "autoscaling", 0, "total_min_node_count", low=0, high=10**6)
        if total is not None:
            c.facts.fact("instances", total, "autoscaling", 0, "total_min_node_count")
            return total
        per_zone = part.integer("count", "autoscaling", 0, "min_node_count", low=0, high=10**6)
        path: tuple[str | int, ...] = ("autoscaling", 0, "min_node_count")
    else:
        per_zone = part.integer("count", key, low=0, high=10**6)
        path = (key,)
    if per_zone is None:
        return None
    if regional and not (isinstance(zones_given, list) and zones_given):
        c.notes.append(notice("read_zones_unknown", address=c.resource.address, nodes=per_zone))
    shown = f"{c.facts.base and path[-1]} x node_locations" if zones > 1 else ""
    c.facts.fact("instances", per_zone * zones, *path, key=shown)
    return per_zone * zones


def _google_autoscaling_only(c: Context) -> None:
    _autoscaling(c, ("autoscaling", 0, "min_node_count"), ("autoscaling", 0, "max_node_count"))
    low = ("autoscaling", 0, "total_min_node_count")
    _autoscaling(c, low, ("autoscaling", 0, "total_max_node_count"))


def _google_group(c: Context) -> bool:
    """A managed instance group: its template names the machine."""
    template = c.linked("version", 0, "instance_template") or c.linked("instance_template")
    count = c.facts.integer("instances", "target_size", low=0, high=10**6)
    if template is None:
        c.open("instance_template")
        return False
    inner = Context(template, c.configuration, c.everything, c.notes)
    inner.facts.found = {}
    _guest_accelerators(inner)
    for name in ("accelerator", "chips_per_node"):
        if name in inner.facts.found:
            c.facts.found[name] = inner.facts.found[name]
    if not c.instance(
        _text(template.facts, "machine_type"), ("version", 0, "instance_template"), count
    ):
        return False
    _google_spot(inner, "scheduling", 0)
    if "purchase" in inner.facts.found:
        c.facts.found["purchase"] = inner.facts.found["purchase"]
    c.place("google", "zone", "region")
    _multiply_chips(c)
    return True


def _google_tpu(c: Context) -> bool:
    kind = _text(c.facts, "accelerator_type")
    api_type = _text(c.facts, "accelerator_config", 0, "type")
    topology = _text(c.facts, "accelerator_config", 0, "topology")
    if kind is not None:
        c.facts.fact("slice", kind.lower().replace("litepod", "e"), "accelerator_type")
        c.facts.fact("slices", 1, key=c.resource.type)
    elif api_type is not None and topology is not None and topology_chips(topology):
        name = hardware_names.TPU_API_TYPES.get(api_type.lower(), api_type.lower())
        c.facts.fact("accelerator", name, "accelerator_config", 0, "type")
        c.facts.fact("topology", topology, "accelerator_config", 0, "topology")
        chips = topology_chips(topology)
        c.facts.fact("chips", chips, "accelerator_config", 0, "topology")
        c.facts.fact("slices", 1, key=c.resource.type)
    else:
        c.open("accelerator_type")
    c.place("google", "zone")
    _google_spot(c, "scheduling_config", 0)
    return True


def _azure_machine(c: Context) -> bool:
    key = next((k for k in ("size", "vm_size") if _text(c.facts, k)), "size")
    if not c.instance(_text(c.facts, key), (key,), 1):
        return False
    c.place("azurerm", region_keys=("location",))
    _azure_region(c)
    _azure_spot(c)
    return True


def _azure_scale_set(c: Context) -> bool:
    count = c.facts.integer("instances", "instances", low=0, high=10**6)
    key: tuple[str | int, ...] = ("sku",) if _text(c.facts, "sku") else ("sku_name",)
    if _text(c.facts, *key) is None and _text(c.facts, "sku", 0, "name"):
        key = ("sku", 0, "name")
        count = c.facts.integer("instances", "sku", 0, "capacity", low=0, high=10**6)
    if not c.instance(_text(c.facts, *key), key, count):
        return False
    c.place("azurerm", region_keys=("location",))
    _azure_region(c)
    _azure_spot(c)
    return True


def _azure_node_pool(c: Context) -> bool:
    count = c.facts.integer("instances", "node_count", low=0, high=10**6)
    if count is None:
        count = c.facts.integer("instances", "min_count", low=0, high=10**6)
    if not c.instance(_text(c.facts, "vm_size"), ("vm_size",), count):
        return False
    cluster = c.linked("kubernetes_cluster_id")
    place = _text(cluster.facts, "location") if cluster is not None else None
    c.facts.fact("provider", "azure", key=c.resource.type)
    if place is not None and cluster is not None:
        c.facts.fact("region", place, key=f"{cluster.address}.location")
        _azure_region(c)
    else:
        c.open("location")
    _azure_spot(c)
    _autoscaling(c, ("min_count",), ("max_count",))
    return True


def _azure_spot(c: Context) -> None:
    priority = _text(c.facts, "priority")
    if priority is not None:
        c.spot(priority.lower() in ("spot", "low"), "priority")


def _azure_region(c: Context) -> None:
    """`East US` is `eastus`."""
    region = c.facts.found.get("region")
    if region is not None:
        name = str(region.value).replace(" ", "").lower()
        c.facts.found["region"] = Fact("region", name, region.key, region.file, region.line)


def _oci_instance(c: Context) -> bool:
    if not c.instance(_text(c.facts, "shape"), ("shape",), 1):
        return False
    c.place("oci")
    return True


_RULES: dict[str, Callable[[Context], bool]] = {
    "aws_instance": _aws_instance,
    "aws_spot_instance_request": _aws_instance,
    "aws_eks_node_group": _aws_node_group,
    "aws_autoscaling_group": _aws_autoscaling,
    "google_compute_instance": _google_instance,
    "google_container_node_pool": _google_node_pool,
    "google_compute_instance_group_manager": _google_group,
    "google_compute_region_instance_group_manager": _google_group,
    "google_tpu_v2_vm": _google_tpu,
    "google_tpu_vm": _google_tpu,
    "google_tpu_node": _google_tpu,
    "azurerm_linux_virtual_machine": _azure_machine,
    "azurerm_windows_virtual_machine": _azure_machine,
    "azurerm_virtual_machine": _azure_machine,
    "azurerm_linux_virtual_machine_scale_set": _azure_scale_set,
    "azurerm_windows_virtual_machine_scale_set": _azure_scale_set,
    "azurerm_orchestrated_virtual_machine_scale_set": _azure_scale_set,
    "azurerm_virtual_machine_scale_set": _azure_scale_set,
    "azurerm_kubernetes_cluster_node_pool": _azure_node_pool,
    "oci_core_instance": _oci_instance,
}
