"""Command-line flags out of a flat file or a bash script, without running anything.

Variables of the script (`$NAME`, `${NAME:-default}`, `$((A*B))`) are followed where the script
gives them one value; comments, quoted groups (`"--fp8-format hybrid"`) and line continuations are
understood. A flag that the script gives several values (in branches of an `if`) has none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_LINES = 100_000
MAX_TOKENS = 200_000
MAX_EXPANSIONS = 20
MAX_VALUE_CHARS = 2_000

_ASSIGNMENT = re.compile(
    r"^(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)?)?([A-Za-z_]\w*)=(.*)$"
)
_TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\s\"']+")
_FLAG = re.compile(r"--[A-Za-z][A-Za-z0-9_-]*")
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w*)\}?$")
_EXPANSION = re.compile(
    r"\$\{([A-Za-z_]\w*|[0-9]+)(?::?[-=]([^{}]*))?\}|\$([A-Za-z_]\w*)|\$\(\(([^()]*)\)\)"
)
_ARITHMETIC = re.compile(r"[0-9\s+*/%-]+")


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag as the script has it.

    Attributes:
        values: what follows it, expanded; a value that cannot be known is None.
        line: 1-based.
        default_of: variables whose default was taken (`${NAME:-8}`); the environment may differ.
    """

    values: tuple[str | None, ...]
    line: int
    default_of: tuple[str, ...] = ()


def flags(text: str) -> dict[str, list[Flag]]:
    """Every flag of the text, with each place where it stands; names have dashes."""
    lines = text.splitlines()[:MAX_LINES]
    variables = _variables(lines)
    found: dict[str, list[Flag]] = {}
    current: tuple[str, int] | None = None
    values: list[str] = []

    def close() -> None:
        if current is not None:
            expanded = [_expand(value, variables) for value in values]
            found.setdefault(current[0], []).append(
                Flag(
                    tuple(value for value, _ in expanded),
                    current[1],
                    tuple(name for _, names in expanded for name in names),
                )
            )

    for count, (word, number) in enumerate(_words(lines)):
        if count >= MAX_TOKENS:
            break
        match = _FLAG.match(word)
        if match is not None and (len(word) == match.end() or word[match.end()] == "="):
            close()
            current, values = (match[0].replace("_", "-"), number), []
            if len(word) > match.end():
                values.append(word[match.end() + 1 :])
        elif current is not None:
            if word in (")", "(", ";", "&&", "||", "|", "&") or "[@]" in word:
                close()
                current, values = None, []
            elif len(values) < 8:
                values.append(word[:MAX_VALUE_CHARS])
    close()
    return found


def _words(lines: list[str]) -> list[tuple[str, int]]:
    words: list[tuple[str, int]] = []
    for number, line in enumerate(lines, 1):
        for match in _TOKEN.finditer(_without_comment(line)):
            token = match[0]
            if token[0] in "\"'":
                inner = token[1:-1]
                parts = inner.split() if inner.lstrip().startswith("--") else [inner]
                words.extend((part, number) for part in parts)
            elif token != "\\":
                words.extend((part, number) for part in _split_brackets(token) if part)
            if len(words) > MAX_TOKENS:
                return words
    return words


def _split_brackets(token: str) -> list[str]:
    """The parentheses of an array apart from the words; those of `$((...))` and `$(...)` stay."""
    if "$(" in token:
        return [token]
    for bracket in ("=(", "("):
        head, separator, rest = token.partition(bracket)
        if separator and rest.startswith("--"):
            return [head, "(", *_split_brackets(rest)]
    if token.endswith(")") and "(" not in token:
        return [token[:-1], ")"]
    return [token]


def _without_comment(line: str) -> str:
    quote = ""
    for position, letter in enumerate(line):
        if quote:
            if letter == quote:
                quote = ""
        elif letter in "\"'":
            quote = letter
        elif letter == "#" and (position == 0 or line[position - 1] in " \t;()"):
            return line[:position]
    return line


def _variables(lines: list[str]) -> dict[str, set[str]]:
    """Every value that each variable is given."""
    found: dict[str, set[str]] = {}
    for line in lines:
        match = _ASSIGNMENT.match(_without_comment(line).strip().rstrip(";").strip())
        if match is None or match[2].startswith("("):
            continue
        value = match[2].strip()
        if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
            value = value[1:-1]
        if len(found) < 5_000:
            found.setdefault(match[1], set()).add(value[:MAX_VALUE_CHARS])
    return found


def _expand(text: str, variables: dict[str, set[str]]) -> tuple[str | None, tuple[str, ...]]:
    """`text` with its variables filled in; None when one of them is not known or not one value."""
    defaults: list[str] = []
    for _ in range(MAX_EXPANSIONS):
        match = _EXPANSION.search(text)
        if match is None:
            return (None, ()) if "$" in text or "`" in text else (text, tuple(defaults))
        if match[4] is not None:
            value = _arithmetic(match[4], variables)
        else:
            name = match[1] or match[3]
            given = variables.get(name, set())
            value = next(iter(given)) if len(given) == 1 else None
            if value is None and not given and match[2] is not None:
                value = match[2].strip("\"'")
                defaults.append(name)
            elif value is not None and f"${{{name}:-" in value:
                inner = re.fullmatch(rf"\$\{{{name}:?[-=]([^{{}}]*)\}}", value)
                value = inner[1].strip("\"'") if inner else None
                defaults.append(name)
        if value is None or len(text) + len(value) > MAX_VALUE_CHARS:
            return None, ()
        text = text[: match.start()] + value + text[match.end() :]
    return None, ()


def _arithmetic(expression: str, variables: dict[str, set[str]]) -> str | None:
    """A product or quotient of whole numbers and variables; None for anything else."""
    total: int | None = None
    operator = "*"
    for part in re.split(r"([*/])", expression):
        word = part.strip()
        if word in ("*", "/"):
            operator = word
            continue
        name = _VARIABLE.fullmatch(word) or re.fullmatch(r"([A-Za-z_]\w*)", word)
        if name is not None:
            given = variables.get(name[1], set())
            word = next(iter(given)) if len(given) == 1 else ""
        if not re.fullmatch(r"[0-9]{1,15}", word):
            return None
        value = int(word)
        if total is None:
            total = value
        elif operator == "*":
            total *= value
        elif value:
            total //= value
        else:
            return None
        if total > 10**18:
            return None
    return None if total is None else str(total)
