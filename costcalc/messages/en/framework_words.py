"""Words of the command-line framework, as it writes them."""

MESSAGES = {
    "deprecated": "(deprecated) ",
    "default": "[default: {}]",
    "env": "[env var: {}]",
    "required": "[required]",
    "arguments": "Arguments",
    "options": "Options",
    "commands": "Commands",
    "error": "Error",
    "aborted": "Aborted.",
    "dynamic": "(dynamic)",
}
