"""What is wrong with a plan: each problem with its file, line, key and what would be right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from costcalc import messages
from costcalc.errors import CostcalcError, InputError

PlanPath: TypeAlias = tuple[str | int, ...]
MAX_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        file: the plan's name, as given.
        line: 1-based; None for a value that did not come from the file (`--set`).
        place: the key as a dotted path, `workloads.ajuste.tokens`.
        key, params: message and placeholders; `what` is filled in from `place`.
        origin: where the value came from if not from the file, such as `--set`.
        error: a fault found when the plan was quoted, whose sentence does not name the key.
    """

    file: str
    line: int | None
    place: str
    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    origin: str | None = None
    error: CostcalcError | None = None

    def sentence(self, language: str) -> str:
        """The problem without its file and line."""
        if self.error is not None and "what" not in self.params:
            return f"{self.place}: {self.error.message(language)}"
        return messages.text(self.key, language, **{**self.params, "what": self.place})

    def message(self, language: str) -> str:
        """`plan.yaml:12: workloads.ajuste.tokens: ...`."""
        where = self.origin or (self.file if self.line is None else f"{self.file}:{self.line}")
        return f"{where}: {self.sentence(language)}"


class PlanError(InputError):
    """A plan that cannot be quoted; every problem found in it."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems[0].key, **{**problems[0].params, "what": problems[0].place})
        self.problems = tuple(problems)

    def message(self, language: str = "en") -> str:
        lines = [problem.message(language) for problem in self.problems[:MAX_SHOWN]]
        hidden = len(self.problems) - len(lines)
        if hidden:
            lines.append(messages.text("plan.more_problems", language, count=hidden))
        return "\n".join(lines)


def place(path: PlanPath, data: Any) -> str:
    """`path` in words: items of a list by their `name` where they have one."""
    parts: list[str] = []
    node = data
    for part in path:
        child: Any = None
        if isinstance(node, dict):
            child = node.get(part)
        elif isinstance(node, list) and isinstance(part, int) and part < len(node):
            child = node[part]
        if isinstance(part, int):
            name = child.get("name") if isinstance(child, dict) else None
            if isinstance(name, str) and name:
                parts.append(name)
            elif parts:
                parts[-1] += f"[{part + 1}]"
        else:
            parts.append(str(part))
        node = child
    return ".".join(parts) or "plan"
