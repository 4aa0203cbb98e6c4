"""Words of the command-line framework, as it writes them."""

MESSAGES = {
    "default": "default: {default}",
    "env": "env var: {var}",
    "required": "required",
    "arguments": "Arguments",
    "options": "Options",
    "commands": "Commands",
    "dynamic": "(dynamic)",
}
