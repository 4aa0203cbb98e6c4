"""Help of check."""

MESSAGES = {
    "baseline": "Quote (JSON) or plan to compare with.",
    "format": "table, json, csv, markdown, github, junit, sarif, gitlab or metrics.",
    "max_age": "Oldest price that is accepted, such as 90d.",
    "max_increase": "How much the total may grow over --baseline: 10% or 500USD.",
    "panel": "Limits",
    "report": "Write a further format to a file, such as junit=junit.xml; repeatable.",
    "require": "Least confidence of every price.",
    "threshold": "Compare budgets with the middle of the range or its high end.",
    "plans": "Plan files (YAML or JSON).",
}
