"""Words for what an option takes, as help and usage lines show them."""

MESSAGES = {
    "ACCEL": "ACCEL",
    "AFTER": "AFTER",
    "ARGS": "ARGS",
    "BEFORE": "BEFORE",
    "COMMAND": "COMMAND",
    "COUNT": "COUNT",
    "DATE": "DATE",
    "DIR": "DIR",
    "FILE": "FILE",
    "FORMAT": "FORMAT",
    "KEY": "KEY",
    "NAME": "NAME",
    "OPTIONS": "OPTIONS",
    "OUT": "OUT",
    "PERCENT": "PERCENT",
    "PROVIDER": "PROVIDER",
    "RATE": "RATE",
    "TEXT": "TEXT",
    "VALUE": "VALUE",
}
