"""From what files say to the workloads of a plan: derivation, model look-up, blanks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from costcalc.catalog.names import nearest, normal
from costcalc.errors import InputError
from costcalc.estimate.architecture import Architecture
from costcalc.notices import Notice, notice
from costcalc.readers import model_names, overrides, placement
from costcalc.readers.combine import Combined, combine
from costcalc.readers.draft import HARDWARE_NOTES, Draft, Workload
from costcalc.readers.facts import clean
from costcalc.readers.hardware_names import JAX_DEVICES_PER_CHIP
from costcalc.readers.placement import Placement
from costcalc.readers.reading import Blank, Fact, Kind, Machine, Reading
from costcalc.readers.source import stem

if TYPE_CHECKING:
    from costcalc.catalog import Catalog

T = TypeVar("T")

MAX_TOKENS = 10**24
MAX_NAME = 110
_SIZES = ("chips", "slices", "instances")
_OF_REPLICAS = ("read_autoscaling", "read_pods_open")
_SERVED = ("bf16", "fp8", "int8", "fp4")
# Fine-tuning tools cut texts at the sequence length: without packing a step holds fewer tokens.
_PADDING = ("axolotl", "trl", "llamafactory", "torchtune")


class Assembly:
    """Everything that is needed to draft the workloads of a set of files."""

    def __init__(
        self, readings: Sequence[Reading], catalog: Catalog, sets: Mapping[str, Any]
    ) -> None:
        self.catalog = catalog
        self.sets = sets
        self.aliases = _aliases(catalog)
        self.combined: Combined = combine(readings, self._same)
        self.notes: list[Notice] = list(self.combined.notes)
        self.derived: list[Fact] = []
        self.models: dict[str, Architecture] = {}

    def draft(self, kind: Kind | None, name: str | None) -> Draft:
        """The plan; `kind` is what the caller wants to quote, None to go by the files.

        `name` is for a run that its files do not name.
        """
        chosen = self._kind(kind)
        files = _stems(self.combined.files)
        title = self.combined.name or name or files
        if chosen == "machine":
            workloads = [self._machine(machine, title) for machine in self._counted()]
            if not workloads and self.combined.expected:
                workloads = [self._machine(Machine(title, self.combined.expected), title)]
        else:
            workloads = [self._run(chosen, title)]
        overrides.apply(workloads, self.sets)
        for workload in workloads:
            order = {key: place for place, key in enumerate(_ORDER)}
            workload.values = _sorted(workload.values, order)
            workload.blanks = _sorted(workload.blanks, order)
        facts = [*self.combined.facts.values(), *self.combined.expected.values()]
        for machine in self.combined.machines:
            facts += machine.facts.values()
        return Draft(
            clean(self.combined.name or files, MAX_NAME),
            tuple(workloads),
            (*facts, *self.derived),
            tuple(dict.fromkeys(self.notes)),
            self.models,
            self.combined.formats,
        )

    def _kind(self, wanted: Kind | None) -> Kind:
        if wanted is not None:
            return wanted
        kinds = self.combined.kinds
        if "train" in kinds:
            return "train"
        if "model" not in self.combined.facts and not self.combined.architectures:
            return "machine"
        if "serve" in kinds:
            return "serve"
        if None in kinds and all(kind is None for kind in kinds):
            self.notes.append(notice("read_kind_assumed"))
        return "train"

    # -- machines ------------------------------------------------------------------------------

    def _counted(self) -> list[Machine]:
        """The machines that count: all of them, or the one that `choice` picks."""
        machines = self.combined.machines
        if self.combined.choice == "all" or len(machines) < 2:
            return machines
        shown = ", ".join(_shown(machine) for machine in machines[:12])
        if self.combined.choice == "first":
            others = ", ".join(_shown(machine) for machine in machines[1:12])
            first = _shown(machines[0])
            self.notes.append(notice("read_first_taken", name=first, names=others))
            return machines[:1]
        self.combined.open["on"] = Blank("on", "readers.open_any_of", {"names": shown})
        common = {
            name: fact
            for name, fact in machines[0].facts.items()
            if name in ("provider", "region", "purchase")
            and all(m.value(name) == fact.value for m in machines)
        }
        replica = {key: f for key, f in machines[0].replica.items() if key == "replicas"}
        return [Machine(machines[0].name, common, machines[0].runs, replica)]

    def _placed(self, workload: Workload, facts: Mapping[str, Fact]) -> Placement:
        """Fill `on` and where and how it is bought."""
        text = overrides.find(self.sets, workload.name, "on")
        facts = overrides.machine_facts(facts, self.sets, workload.name)
        if text is not None:
            found = placement.given(str(text), self.catalog)
            if len(self.combined.machines) < 2 or self.combined.choice != "all":
                self.notes = [note for note in self.notes if note.code not in HARDWARE_NOTES]
        else:
            found = placement.resolve(facts, self.catalog)
            blank = self.combined.open.get(f"on:{workload.name}") or self.combined.open.get("on")
            if blank is not None:
                found = Placement(None, found.accelerator, None, None, blank)
        if found.on is not None:
            workload.values["on"] = found.on
            if found.fact is not None:
                workload.origins["on"] = found.fact
        elif found.blank is not None:
            workload.blanks["on"] = found.blank
        for key in ("provider", "region", "purchase"):
            if key in facts:
                workload.values[key] = facts[key].value
                workload.origins[key] = facts[key]
        return found

    def _machine(self, machine: Machine, title: str) -> Workload:
        workload = Workload(clean(machine.name or title, MAX_NAME), "machine")
        self._placed(workload, machine.facts)
        if machine.runs == "job" and overrides.find(self.sets, workload.name, "hours") is None:
            workload.blanks["hours"] = Blank("hours", "readers.open_hours")
        return workload

    # -- training and serving ------------------------------------------------------------------

    def _run(self, kind: Kind, title: str) -> Workload:
        workload = Workload(clean(title, MAX_NAME), kind)
        self._model(workload)
        counted = self._counted()
        if len(counted) > 1:
            names = ", ".join(machine.name for machine in counted[:8])
            self.combined.open["on"] = Blank("on", "readers.open_several", {"names": names})
        launched = counted[0].facts if len(counted) == 1 else {}
        if kind == "serve" and len(counted) == 1 and counted[0].replica:
            launched = self._one_replica(workload, counted[0])
        facts = self._expected(launched)
        place = self._placed(workload, facts)
        if kind == "train":
            self._train(workload, place)
        else:
            self._serve(workload)
        return workload

    def _one_replica(self, workload: Workload, machine: Machine) -> Mapping[str, Fact]:
        """The machines of one replica, which is what `on` of a service is."""
        fixed = machine.replica.get("replicas")
        if fixed is not None:
            workload.values["replicas"], workload.origins["replicas"] = fixed.value, fixed
        else:
            # how many there are is sized by the load, and nothing was taken in its place
            self.notes = [note for note in self.notes if note.code not in _OF_REPLICAS]
        common = {key: fact for key, fact in machine.facts.items() if key not in _SIZES}
        return {**common, **machine.replica}

    def _expected(self, launched: Mapping[str, Fact]) -> dict[str, Fact]:
        """Launcher's machines; a training config that expects another number is contradicted."""
        expected = dict(self.combined.expected)
        if not launched:
            return expected
        theirs = placement.resolve(launched, self.catalog)
        ours = placement.resolve(expected, self.catalog) if expected else None
        if ours is not None and ours.chips is not None and theirs.chips is not None:
            other = ours.accelerator is not None and ours.accelerator != theirs.accelerator
            if ours.chips != theirs.chips or other:
                first = ours.fact.place() if ours.fact else "?"
                second = theirs.fact.place() if theirs.fact else "?"
                params = {
                    "first": first,
                    "first_value": ours.on or ours.chips,
                    "second": second,
                    "second_value": theirs.on or theirs.chips,
                }
                self.combined.open["on"] = Blank("on", "readers.open_conflict", params)
                self.notes.append(notice("read_conflict", name="on", **params))
        if theirs.chips is None and ours is not None:
            return {**expected, **launched}
        return dict(launched)

    def _fact(self, name: str, value: Any, key: str) -> Fact:
        fact = Fact(name, value, key, origin="derived")
        self.derived.append(fact)
        return fact

    def _train(self, workload: Workload, place: Placement) -> None:
        facts = overrides.run_facts(self.combined.facts, self.sets, workload.name)
        needed = self._is_training_config()
        self._take(
            workload, facts, "seq_len", "seq_len", reason="readers.open_seq_len", need=needed
        )
        batch = self._batch(facts, place)
        if batch is not None:
            workload.values["global_batch"], workload.origins["global_batch"] = batch.value, batch
        elif "global_batch" in self.combined.open:
            workload.blanks["global_batch"] = self.combined.open["global_batch"]
        self._tokens(workload, facts, batch)
        for key in ("method", "precision"):
            self._take(workload, facts, key, key, reason=f"readers.open_{key}_missing", need=needed)
        if facts.get("method") is not None and facts["method"].value in ("lora", "qlora"):
            self._take(workload, facts, "lora_rank", "lora_rank", reason="readers.open_lora_rank")

    def _is_training_config(self) -> bool:
        return any(name != "huggingface" for name in self.combined.formats.values()) and (
            "train" in self.combined.kinds
        )

    def _take(
        self,
        workload: Workload,
        facts: Mapping[str, Fact],
        name: str,
        key: str,
        *,
        reason: str,
        need: bool = True,
    ) -> None:
        if key in self.combined.open and overrides.find(self.sets, workload.name, key) is None:
            workload.blanks[key] = self.combined.open[key]
        elif name in facts:
            workload.values[key] = facts[name].value
            workload.origins[key] = facts[name]
        elif need and overrides.find(self.sets, workload.name, key) is None:
            workload.blanks[key] = Blank(key, reason)

    def _batch(self, facts: Mapping[str, Fact], place: Placement) -> Fact | None:
        """Tokens per optimizer step."""
        if "global_batch" in facts:
            return facts["global_batch"]
        if "seq_len" not in facts:
            return None
        sequences = facts.get("batch_sequences") or self._sequences(facts, place)
        if sequences is None:
            return None
        tokens = int(sequences.value) * int(facts["seq_len"].value)
        if not 0 < tokens < MAX_TOKENS:
            raise InputError("readers.too_many_tokens", value=f"{tokens:.3g}")
        key = f"{_named(sequences)} x {facts['seq_len'].key}"
        return self._fact("global_batch", tokens, key)

    def _sequences(self, facts: Mapping[str, Fact], place: Placement) -> Fact | None:
        micro = facts.get("micro_batch")
        if micro is None or place.chips is None:
            return None
        steps = facts.get("accumulation")
        accumulation = int(steps.value) if steps is not None else 1
        keys = [micro.key] + ([steps.key] if steps is not None else [])
        if "maxtext" in self.combined.formats.values():
            per_chip = JAX_DEVICES_PER_CHIP.get(place.accelerator or "", 1)
            ranks = place.chips * per_chip
            keys.append(f"{ranks} devices")
            total = int(ranks * float(micro.value)) * accumulation
        else:
            shards = math.prod(
                int(facts[axis].value)
                for axis in ("tensor", "pipeline", "context")
                if axis in facts
            )
            if shards <= 0 or place.chips % shards:
                self.notes.append(
                    notice("read_layout_does_not_fit", chips=place.chips, parallel=shards)
                )
                return None
            ranks = place.chips // shards
            keys.append(f"{ranks} ranks")
            total = int(ranks * float(micro.value)) * accumulation
        if total < 1:
            self.notes.append(notice("read_batch_below_one", at=micro.key))
            return None
        return self._fact("batch_sequences", total, " x ".join(keys))

    def _tokens(self, workload: Workload, facts: Mapping[str, Fact], batch: Fact | None) -> None:
        given = overrides.find(self.sets, workload.name, "tokens")
        epochs = facts.get("epochs")
        if given is not None:
            if epochs is not None:
                workload.values["epochs"], workload.origins["epochs"] = epochs.value, epochs
            return
        if "tokens" in self.combined.open:
            workload.blanks["tokens"] = self.combined.open["tokens"]
            return
        found = self._counted_tokens(facts, batch)
        if found is not None:
            workload.values["tokens"], workload.origins["tokens"] = found.value, found
            return
        if epochs is not None:
            workload.values["epochs"], workload.origins["epochs"] = epochs.value, epochs
        workload.blanks["tokens"] = self._why_no_tokens(facts, epochs)

    def _counted_tokens(self, facts: Mapping[str, Fact], batch: Fact | None) -> Fact | None:
        samples, seq_len = facts.get("samples"), facts.get("seq_len")
        steps = facts.get("steps")
        if samples is not None and seq_len is not None:
            total = int(samples.value) * int(seq_len.value)
            fact = self._fact("tokens", total, f"{samples.key} x {seq_len.key}")
        elif steps is not None and batch is not None:
            total = int(steps.value) * int(batch.value)
            fact = self._fact("tokens", total, f"{steps.key} x {_named(batch)}")
            packing = facts.get("packing")
            padded = any(name in _PADDING for name in self.combined.formats.values())
            if padded and (packing is None or not packing.value):
                self.notes.append(notice("read_tokens_at_most"))
        else:
            return None
        if total >= MAX_TOKENS:
            raise InputError("readers.too_many_tokens", value=f"{total:.3g}")
        return fact

    def _why_no_tokens(self, facts: Mapping[str, Fact], epochs: Fact | None) -> Blank:
        dataset = facts.get("dataset")
        names = ", ".join(dataset.value) if dataset is not None else ""
        if "steps" in facts:
            return Blank("tokens", "readers.open_tokens_steps", {"steps": facts["steps"].value})
        samples, seq_len = facts.get("max_samples"), facts.get("seq_len")
        if dataset is not None and samples is not None and seq_len is not None:
            most = int(samples.value) * len(dataset.value) * int(seq_len.value)
            return Blank("tokens", "readers.open_tokens_at_most", {"names": names, "most": most})
        if names:
            return Blank("tokens", "readers.open_tokens_dataset", {"names": names})
        if epochs is not None:
            return Blank("tokens", "readers.open_tokens_epoch", {})
        return Blank("tokens", "readers.open_tokens", {})

    def _serve(self, workload: Workload) -> None:
        stored = self.combined.facts.get("stored_precision")
        if stored is not None and stored.value in _SERVED:
            workload.values["precision"], workload.origins["precision"] = stored.value, stored
        elif stored is not None:
            self.notes.append(notice("read_stored_precision", name=str(stored.value)))

    # -- models --------------------------------------------------------------------------------

    def _model(self, workload: Workload) -> None:
        given = overrides.find(self.sets, workload.name, "model")
        if given is not None:
            return
        if "model" in self.combined.open and "model" not in self.combined.facts:
            workload.blanks["model"] = self.combined.open["model"]
            return
        fact = self.combined.facts.get("model")
        if fact is not None:
            self._named_model(workload, fact)
        elif self.combined.architectures:
            self._described_model(workload)
        else:
            workload.blanks["model"] = Blank("model", "readers.open_model")

    def _named_model(self, workload: Workload, fact: Fact) -> None:
        candidates = fact.value if isinstance(fact.value, tuple) else (fact.value,)
        for name in candidates:
            if name.endswith(".json"):
                workload.values["model"], workload.origins["model"] = name, fact
                return
            found = model_names.find(name, self.aliases)
            if found is not None:
                identity, direct = found
                if not direct:
                    self.notes.append(notice("read_model_taken_as", name=name, model=identity))
                workload.values["model"], workload.origins["model"] = identity, fact
                return
        if self.combined.architectures:
            self._described_model(workload)
            return
        near = nearest(candidates[0].rpartition("/")[2], self.aliases)
        known = list(dict.fromkeys(self.aliases[normal(name)] for name in near))
        workload.blanks["model"] = Blank(
            "model",
            "readers.open_model_unknown_near" if known else "readers.open_model_unknown",
            {"name": candidates[0], "at": fact.place(), "names": ", ".join(known)},
        )

    def _described_model(self, workload: Workload) -> None:
        """A model that the file describes by its dimensions."""
        file, architecture = self.combined.architectures[0]
        fact = Fact("model", file, "(dimensions)", file, origin="derived")
        alike = model_names.with_same_shape(architecture, self.catalog)
        if alike:
            self.notes.append(notice("read_model_by_shape", file=file, names=", ".join(alike[:6])))
            name = alike[0]
        else:
            name = file
            self.models[file] = architecture
            if architecture.approximate:
                self.notes.append(notice("read_model_approximate", file=file))
        workload.values["model"], workload.origins["model"] = name, fact

    def _same(self, name: str, first: Any, second: Any) -> bool:
        if name != "model":
            return bool(first == second)
        return bool(self._identities(first) & self._identities(second)) or first == second

    def _identities(self, value: Any) -> set[str]:
        names = value if isinstance(value, tuple) else (value,)
        found: set[str] = set()
        for name in names:
            match = model_names.find(name, self.aliases)
            if match is not None:
                found.add(match[0])
            elif str(name).endswith(".json"):
                try:
                    read = self.catalog.model(str(name))
                except InputError:
                    continue
                found.update(model_names.with_same_shape(read, self.catalog))
        for identity in list(found):
            found.update(model_names.with_same_shape(self.catalog.models()[identity], self.catalog))
        return found


_ORDER = (
    "model",
    "on",
    "tokens",
    "epochs",
    "seq_len",
    "global_batch",
    "method",
    "lora_rank",
    "precision",
    "replicas",
    "provider",
    "region",
    "purchase",
)


def _sorted(values: dict[str, T], order: Mapping[str, int]) -> dict[str, T]:
    return dict(sorted(values.items(), key=lambda item: order.get(item[0], len(order))))


def _aliases(catalog: Catalog) -> dict[str, str]:
    found: dict[str, str] = {}
    for identity, details in catalog.model_details().items():
        names = [identity, *details["aliases"]]
        if details["hf_id"]:
            names += [details["hf_id"], details["hf_id"].rpartition("/")[2]]
        for name in names:
            found.setdefault(normal(name), identity)
    return found


def _named(fact: Fact) -> str:
    return fact.name if fact.origin == "derived" else fact.key


def _stems(files: Sequence[str]) -> str:
    names = dict.fromkeys(stem(file) for file in files)
    return clean("+".join(names), MAX_NAME) or "plan"


def _shown(machine: Machine) -> str:
    parts = []
    if machine.value("slice") is not None:
        slices = machine.value("slices") or 1
        parts.append(machine.value("slice") + (f":{slices}" if slices != 1 else ""))
    elif machine.value("instance_type") is not None:
        parts.append(f"{machine.value('instance_type')}:{machine.value('instances') or 1}")
    else:
        parts.append(f"{machine.value('accelerator') or '?'}:{machine.value('chips')}")
    if machine.value("purchase") == "spot":
        parts.append("spot")
    if machine.value("region") or machine.value("provider"):
        place = (machine.value("provider"), machine.value("region"))
        parts.append("/".join(str(item) for item in place if item))
    return " ".join(parts)
