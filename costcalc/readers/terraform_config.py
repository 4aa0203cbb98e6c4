"""The `configuration` part of a Terraform plan: where a region or a launch template comes from.

Expressions are followed through variables, module calls, module outputs and locals' references as
far as the plan shows them; nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from costcalc.readers.facts import child, entries, items

MAX_STEPS = 32
_INDEX = re.compile(r"\[[^\]]*\]")


class Configuration:
    """Expressions of a plan, and the values of its variables."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.plan = plan
        self.root = entries(child(plan, "configuration", "root_module"))
        self.variables = entries(plan.get("variables"))
        self._resources: dict[tuple[str, ...], dict[str, Mapping[str, Any]]] = {}

    def module(self, address: str) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """The module that holds a resource, with the names of the calls that lead there."""
        calls = tuple(re.findall(r"module\.([A-Za-z0-9_-]+)", _INDEX.sub("", address)))
        return self._descend(calls), calls

    def _descend(self, calls: tuple[str, ...]) -> Mapping[str, Any]:
        node: Any = self.root
        for name in calls:
            node = child(node, "module_calls", name, "module")
        return entries(node)

    def resource(self, address: str) -> Mapping[str, Any]:
        """The configuration of a resource by its address."""
        module, calls = self.module(address)
        if calls not in self._resources:
            self._resources[calls] = {
                item["address"]: item
                for _, item in items(module.get("resources"))
                if isinstance(item, dict) and isinstance(item.get("address"), str)
            }
        local = ".".join(_INDEX.sub("", address).split(".")[-2:])
        return self._resources[calls].get(local, {})

    def provider_region(self, address: str, provider: str) -> tuple[str, str] | None:
        """Region of the provider that a resource uses, and the key it is written at."""
        configured = entries(child(self.plan, "configuration", "provider_config"))
        key = self.resource(address).get("provider_config_key")
        names = [key] if isinstance(key, str) else []
        _, calls = self.module(address)
        # a provider that a module inherits is configured in a module above it
        for depth in range(len(calls), 0, -1):
            names.append(f"{'.'.join(f'module.{name}' for name in calls[:depth])}:{provider}")
        names.append(provider)
        for name in names:
            expression = child(configured, name, "expressions", "region")
            if expression is None:
                continue
            owner = child(configured, name, "module_address")
            where = self.module(owner)[1] if isinstance(owner, str) else ()
            value = self.value(expression, where)
            if isinstance(value, str) and value:
                return value, f"configuration.provider_config.{name}.expressions.region"
        return None

    def value(self, expression: Any, calls: tuple[str, ...], steps: int = 0) -> Any:
        """The constant that an expression stands for, None when the plan does not show it."""
        if steps > MAX_STEPS or not isinstance(expression, dict):
            return None
        if "constant_value" in expression:
            return expression["constant_value"]
        for _, reference in items(expression.get("references"), 20):
            if not isinstance(reference, str):
                continue
            found = self._reference(reference, calls, steps + 1)
            if found is not None:
                return found
        return None

    def _reference(self, reference: str, calls: tuple[str, ...], steps: int) -> Any:
        parts = _INDEX.sub("", reference).split(".")
        if parts[0] == "var" and len(parts) > 1:
            return self._variable(parts[1], calls, steps)
        if parts[0] == "module" and len(parts) > 2:
            inner = (*calls, parts[1])
            output = child(self._descend(inner), "outputs", parts[2], "expression")
            return self.value(output, inner, steps)
        return None

    def _variable(self, name: str, calls: tuple[str, ...], steps: int) -> Any:
        if not calls:
            given = child(self.variables, name, "value")
            if given is not None:
                return given
            return child(self.root, "variables", name, "default")
        call = child(self._descend(calls[:-1]), "module_calls", calls[-1])
        passed = self.value(child(call, "expressions", name), calls[:-1], steps)
        if passed is not None:
            return passed
        return child(self._descend(calls), "variables", name, "default")

    def referenced(self, address: str, *path: str | int) -> list[str]:
        """Full addresses of the resources that an argument of a resource refers to."""
        found: list[str] = []
        plain = _INDEX.sub("", address)
        prefix = ".".join(plain.split(".")[:-2])
        node = child(self.resource(address), "expressions", *path)
        for _, reference in items(child(node, "references"), 20):
            parts = _INDEX.sub("", str(reference)).split(".")
            if len(parts) >= 2 and "_" in parts[0]:
                local = ".".join(parts[:2])
                full = f"{prefix}.{local}" if prefix else local
                if full not in found:
                    found.append(full)
        return found
