"""Help of the commands that read plans."""

MESSAGES = {
    "after": "Quote (JSON) or plan; --set and --profile change this one.",
    "before": "Quote (JSON) or plan.",
    "lock_check": "Write nothing; fail when the catalog is not the locked one.",
    "lock_file": "Lock file.",
    "lock_output": "Lock file to write; - is stdout.",
    "locked": "Fail when the catalog is not the one in the lock file.",
    "panel": "The plan",
    "plan": "Plan file (YAML or JSON).",
    "profile": "Lay a profile of the plan over it.",
    "schema": "Which schema.",
    "set": "Change one key, such as workloads.ajuste.on=h100:16; repeatable.",
}
